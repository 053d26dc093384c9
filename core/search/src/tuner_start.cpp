// SPDX-License-Identifier: Apache-2.0
// What comes before a task's first round.
#include "tuner.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/hash.h>
#include <tilewright/cost/per_store_feature.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/structural.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/space/default_schedule.h>

#include <charconv>

namespace tilewright::search {

void Tuner::openTask(const TuneTask& task) {
    TaskState& state = states_.emplace_back();
    state.task = &task;
    state.key = ir::structuralHash(task.module);
    // A task's stream depends on the seed and the task, not on the other tasks.
    const std::uint64_t seed =
        base::hashCombine(static_cast<std::uint64_t>(options_.seed), state.key);
    state.context =
        makeTuneContext(task.name, task.module, setup_.target, setup_.rules,
                        base::RandomState(static_cast<std::int64_t>(seed & 0x7fffffff)));
    state.context.threads = &pool_;
    state.context.profiler = setup_.profiler;
    state.progress.weight = task.weight;
    state.maxTrials =
        options_.maxTrialsPerTask < 0 ? options_.maxTrialsGlobal : options_.maxTrialsPerTask;
    state.workload = setup_.store->commitWorkload(ir::print(task.module), task.name).id;
    database::Task row;
    row.name = task.name;
    row.workload = state.workload;
    row.target = json::dump(setup_.target.toJson(), json::Style::Tvm);
    row.weight = task.weight;
    row.flop = task.flop;
    row.bytes = task.bytes;
    row.info = task.info;
    state.id = setup_.store->commitTask(row);
    recall(state);
    recallRandomState(state);
}

void Tuner::recall(TaskState& state) {
    state.trials = 0;
    state.failed.clear();
    state.best.reset();
    database::StoreReader reader(setup_.store->connection());
    database::RecordQuery query;
    query.task = state.id;
    reader.forEachRecord(query, [&](const database::TuningRecord& record) {
        const bool ok = record.status == database::RecordStatus::Ok && record.measurement.median;
        if (record.trial)
            ++state.trials;
        if (!ok)
            ++state.failed[std::string(database::toString(record.status))];
        if (record.origin == database::RecordOrigin::Default) {
            state.defaultTried = true;
            if (ok) {
                state.defaultMeasurement = record.measurement;
                state.defaultRecord = record.id;
            }
        }
        if (ok && record.measurement.full &&
            (!state.best || *record.measurement.median < state.bestSeconds()))
            state.best = record;
        return true;
    });
}

void Tuner::recallRandomState(TaskState& state) {
    const database::StoreReader reader(setup_.store->connection());
    if (const auto saved =
            reader.state(setup_.session, base::concat("random:", state.task->name))) {
        std::int64_t value = 0;
        const auto end = saved->data() + saved->size();
        if (std::from_chars(saved->data(), end, value).ec == std::errc() && value > 0)
            state.context.random = base::RandomState(value);
    } else if (state.trials > 0) {
        // Continued by another session: go on from elsewhere in the stream than the first one.
        for (std::int64_t i = 0; i < state.trials; ++i)
            state.context.random.next();
    }
}

bool Tuner::prepare(TaskState& state) {
    if (setup_.observer)
        setup_.observer->taskStarted(indexOf(state));
    phase("measure");
    if (setup_.reference && !state.reference.check)
        state.reference = setup_.reference(*state.task);
    if (!state.defaultTried)
        measureDefault(state);
    if (cancelled())
        return false;
    phase("search");
    std::unordered_set<std::uint64_t> measured;
    if (state.trials > 0)
        relearn(state, measured);
    return makeStrategy(state, std::move(measured));
}

void Tuner::relearn(TaskState& state, std::unordered_set<std::uint64_t>& measured) {
    database::StoreReader reader(setup_.store->connection());
    database::RecordQuery query;
    query.task = state.id;
    query.withTrace = true;
    std::vector<schedule::Trace> traces;
    std::vector<double> seconds;
    reader.forEachRecord(query, [&](const database::TuningRecord& record) {
        if (record.trace.empty())
            return true;
        try {
            traces.push_back(schedule::Trace::fromJson(json::parse(record.trace)));
            seconds.push_back(record.measurement.median.value_or(cost::kFailedSeconds));
        } catch (const base::UserError&) {
            // A record of another program's making: it cannot teach anything here.
        }
        return true;
    });
    std::vector<CandidatePtr> candidates(traces.size());
    pool_.parallelFor(traces.size(), [&](std::size_t i) {
        if (auto made = makeCandidate(state.context, traces[i], true, base::RandomState(1)))
            candidates[i] = *made;
    });
    std::vector<cost::TrainingSample> samples;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (candidates[i]) {
            measured.insert(candidates[i]->hash);
            samples.push_back({candidates[i]->features, seconds[i]});
        }
    setup_.costModel->update(state.key, samples);
}

void Tuner::measureDefault(TaskState& state) {
    const schedule::Schedule sch = space::defaultSchedule(state.task->module, options_.vectorBits);
    auto prepared = prepareModule(sch.module(), setup_.target);
    if (!prepared)
        return;
    std::vector<PreparedModule> modules{std::move(*prepared)};
    measure(
        state, modules,
        [&](std::size_t, const measure::BatchResult& result) {
            if (result.status() == measure::Status::Cancelled)
                return;
            database::TuningRecord record =
                makeRecord(state, setup_, sch.trace(), modules[0], result);
            record.origin = database::RecordOrigin::Default;
            state.defaultTried = true;
            record.id = setup_.store->commitRecord(record);
            if (record.status == database::RecordStatus::Ok) {
                state.defaultMeasurement = record.measurement;
                state.defaultRecord = record.id;
                if (!state.best || *record.measurement.median < state.bestSeconds())
                    state.best = record;
            }
            if (setup_.observer)
                setup_.observer->recordCommitted(indexOf(state), record);
        },
        true);
}

bool Tuner::makeStrategy(TaskState& state, std::unordered_set<std::uint64_t> measured) {
    const base::Profiler::Scope scope(setup_.profiler, "InitializeTask");
    StrategyInputs inputs;
    try {
        for (const schedule::Schedule& sketch : state.context.generator->generateDesignSpace(
                 state.context.space, state.context.module, state.context.random))
            inputs.designSpaces.push_back(sketch.trace().simplified(true));
    } catch (const base::UserError& error) {
        endTask(state, base::concat("no design space: ", error.what()));
        return false;
    }
    if (inputs.designSpaces.empty()) {
        endTask(state, "the design space is empty");
        return false;
    }
    inputs.context = &state.context;
    inputs.bestRecorded = [this, &state](int k) {
        database::StoreReader reader(setup_.store->connection());
        database::RecordQuery query;
        query.task = state.id;
        query.topK = k;
        query.withTrace = true;
        std::vector<schedule::Trace> traces;
        for (const database::TuningRecord& record : reader.records(query).records)
            if (record.origin == database::RecordOrigin::Trial)
                traces.push_back(schedule::Trace::fromJson(json::parse(record.trace)));
        return traces;
    };
    inputs.measured = std::move(measured);
    inputs.costModel = setup_.costModel;
    inputs.taskKey = state.key;
    inputs.maxTrials = static_cast<int>(state.maxTrials - state.trials);
    inputs.numTrialsPerIter = batch_;
    state.strategy = makeSearchStrategy(options_.strategy);
    state.strategy->preTuning(std::move(inputs));
    return true;
}

} // namespace tilewright::search
