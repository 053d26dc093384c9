// SPDX-License-Identifier: Apache-2.0
// A round of one task, and the confirmation of the best at the end.
#include "tuner.h"

#include <tilewright/base/concat.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>

#include <algorithm>
#include <limits>

namespace tilewright::search {

namespace {

constexpr double kNoLatencyMs = 1e9;

} // namespace

std::vector<measure::BatchResult>
Tuner::measure(TaskState& state, std::vector<PreparedModule>& modules,
               const std::function<void(std::size_t, const measure::BatchResult&)>& onResult,
               bool alwaysCheck) {
    std::vector<measure::BatchInput> inputs;
    for (PreparedModule& module : modules) {
        measure::BatchInput input;
        input.build = module.build;
        input.run.args = module.args;
        input.run.threads = static_cast<int>(options_.threads);
        input.run.check = checkFor(state.reference, state.task->module, module);
        inputs.push_back(std::move(input));
    }
    measure::BatchOptions options;
    options.overlap = options_.overlapBuilds;
    options.beforeRun = [&](std::size_t, measure::RunnerInput& input) {
        const double best = state.bestSeconds();
        // What is always checked is measured in full too, however slow it is.
        input.bestSeconds = alwaysCheck ? 0 : best;
        input.checkBelowSeconds =
            alwaysCheck || best == 0 ? std::numeric_limits<double>::infinity() : best;
    };
    options.onResult = onResult;
    measure::BatchTimes times;
    auto results = measure::measureBatch(*setup_.builder, *setup_.runner, std::move(inputs),
                                         options, cancelToken(), &times);
    measureTimes_.build += times.build;
    measureTimes_.run += times.run;
    measureTimes_.other += times.other;
    if (setup_.profiler) {
        setup_.profiler->add("SendToBuilder", times.build);
        setup_.profiler->add("SendToRunner", times.run);
    }
    return results;
}

bool Tuner::playRound(TaskState& state) {
    phase("search");
    const int limit =
        static_cast<int>(std::min<std::int64_t>(trialsLeft(), state.maxTrials - state.trials));
    auto picks = state.strategy->generateMeasureCandidates(limit);
    if (!picks) {
        endTask(state, state.strategy->endReason());
        return false;
    }
    measureRound(state, std::move(*picks));
    return true;
}

void Tuner::measureRound(TaskState& state, std::vector<MeasureCandidate> picks) {
    const int round = state.progress.rounds;
    if (setup_.observer)
        setup_.observer->roundStarted(indexOf(state), round, static_cast<int>(picks.size()));
    phase("measure");
    const auto before = Clock::now();
    std::vector<PreparedModule> modules;
    std::vector<MeasureCandidate> sent;
    for (MeasureCandidate& pick : picks)
        if (auto prepared = prepareModule(pick.candidate->module, setup_.target)) {
            modules.push_back(std::move(*prepared));
            sent.push_back(std::move(pick));
        }
    const auto results = measure(
        state, modules,
        [&](std::size_t i, const measure::BatchResult& result) {
            commitTrial(state, sent[i], modules[i], result);
        },
        false);
    state.strategy->notifyRunnerResults(static_cast<int>(results.size()));
    ++state.progress.rounds;
    state.progress.bestHistoryMs.push_back(state.best ? state.bestSeconds() * 1e3 : kNoLatencyMs);
    if (cancelled())
        return;
    const auto trained = Clock::now();
    phase("train");
    const MeasuredBatch batch{state.context, state.key, sent, results};
    for (const MeasureCallbackPtr& callback : setup_.callbacks)
        callback->apply(batch);
    trainSeconds_ += std::chrono::duration<double>(Clock::now() - trained).count();

    database::Round row;
    row.session = setup_.session;
    row.task = state.id;
    row.round = round;
    row.trials = static_cast<int>(results.size());
    json::Object info;
    info.append("measure_s", json::Value(std::chrono::duration<double>(trained - before).count()));
    info.append("train_s",
                json::Value(std::chrono::duration<double>(Clock::now() - trained).count()));
    info.append("search_s", json::Value(state.strategy->statistics().seconds));
    info.append("candidates", json::Value(state.strategy->statistics().candidates));
    json::Object rejections;
    for (const auto& [reason, count] : state.strategy->statistics().rejections.counts())
        rejections.append(reason, json::Value(count));
    info.append("rejections", json::Value(std::move(rejections)));
    row.info = json::dump(json::Value(std::move(info)));
    setup_.store->commitRound(row);
    keepRandomState(state);
    if (setup_.observer)
        setup_.observer->roundEnded(indexOf(state), row);
}

void Tuner::keepRandomState(const TaskState& state) {
    setup_.store->saveState(setup_.session, base::concat("random:", state.task->name),
                            std::to_string(state.context.random.state()));
}

void Tuner::commitTrial(TaskState& state, const MeasureCandidate& pick,
                        const PreparedModule& prepared, const measure::BatchResult& result) {
    if (result.status() == measure::Status::Cancelled)
        return;
    const base::Profiler::Scope scope(setup_.profiler, "MeasureCallback/AddToDatabase");
    database::TuningRecord record =
        makeRecord(state, setup_, pick.candidate->trace, prepared, result);
    record.origin = database::RecordOrigin::Trial;
    record.trial = ++state.trials;
    record.round = state.progress.rounds;
    record.predicted = pick.predicted;
    record.id = setup_.store->commitRecord(record);
    ++newTrials_;
    if (record.status != database::RecordStatus::Ok)
        ++state.failed[std::string(database::toString(record.status))];
    else if (record.measurement.full &&
             (!state.best || *record.measurement.median < state.bestSeconds()))
        state.best = record;
    if (setup_.observer)
        setup_.observer->recordCommitted(indexOf(state), record);
}

/// The lowest of many noisy samples is too low: the best few are measured again, in turns, and
/// verified, and their records keep the new samples. A record that takes the lead because the
/// former leader's luck is gone has its own turn, until the leader is one that was measured again.
/// The default schedule is among them, because every speed-up is a quotient of the two.
void Tuner::confirmBest(TaskState& state) {
    if (!options_.postOptimization || !state.strategy || newTrials_ == 0)
        return;
    phase("measure");
    constexpr int kMostRounds = 8;
    std::unordered_set<std::int64_t> confirmed;
    for (int round = 0; round < kMostRounds && state.best && !cancelled(); ++round) {
        if (confirmed.contains(state.best->id.value) && state.best->verified.value_or(false))
            return;
        if (!confirmContenders(state, confirmed))
            return;
    }
}

bool Tuner::confirmContenders(TaskState& state, std::unordered_set<std::int64_t>& confirmed) {
    constexpr int kContenders = 3;
    constexpr double kNear = 1.03;
    const database::StoreReader reader(setup_.store->connection());
    database::RecordQuery query;
    query.task = state.id;
    query.topK = kContenders;
    query.withTrace = true;
    query.withSamples = true;
    std::vector<database::TuningRecord> records;
    std::vector<PreparedModule> modules;
    std::vector<database::TuningRecord> contenders = reader.records(query).records;
    if (confirmed.empty() && state.defaultRecord.valid())
        if (auto untuned = reader.record(state.defaultRecord))
            contenders.push_back(std::move(*untuned));
    for (database::TuningRecord& record : contenders) {
        const bool near = record.origin == database::RecordOrigin::Default ||
                          (record.measurement.median &&
                           *record.measurement.median <= kNear * state.bestSeconds());
        if (!near || !confirmed.insert(record.id.value).second)
            continue;
        schedule::Schedule sch(state.task->module);
        try {
            const auto trace = schedule::Trace::fromJson(json::parse(record.trace));
            if (!schedule::replay(trace, sch))
                continue;
        } catch (const base::UserError&) {
            continue;
        }
        if (auto prepared = prepareModule(sch.module(), setup_.target)) {
            records.push_back(std::move(record));
            modules.push_back(std::move(*prepared));
        }
    }
    if (records.empty())
        return false;
    const auto results = measure(state, modules, {}, true);
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (results[i].status() == measure::Status::Cancelled)
            return false;
        keepConfirmation(state, std::move(records[i]), modules[i], results[i]);
    }
    recall(state);
    return true;
}

void Tuner::keepConfirmation(TaskState& state, database::TuningRecord record,
                             const PreparedModule& prepared, const measure::BatchResult& result) {
    const database::TuningRecord fresh =
        makeRecord(state, setup_, schedule::Trace(), prepared, result);
    if (result.status() == measure::Status::Ok) {
        std::vector<double> seconds = record.measurement.seconds;
        seconds.insert(seconds.end(), fresh.measurement.seconds.begin(),
                       fresh.measurement.seconds.end());
        std::vector<double> otherCpu = record.measurement.otherCpu;
        otherCpu.insert(otherCpu.end(), fresh.measurement.otherCpu.begin(),
                        fresh.measurement.otherCpu.end());
        record.measurement = database::measurementOf(std::move(seconds));
        record.measurement.present = true;
        record.measurement.otherCpu = std::move(otherCpu);
    } else {
        record.status = fresh.status;
        record.message = fresh.message;
        record.measurement = fresh.measurement;
    }
    record.verified = fresh.verified;
    setup_.store->updateMeasurement(record);
    // Told again under the same id, so that watchers know what the store holds now.
    if (setup_.observer)
        setup_.observer->recordCommitted(indexOf(state), record);
}

} // namespace tilewright::search
