// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/measure_record.h>

#include <tilewright/base/concat.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/ir/parser.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/lower/layout_rewrite.h>
#include <tilewright/measure/cpu_plan.h>
#include <tilewright/measure/local_builder.h>
#include <tilewright/measure/measure_batch.h>
#include <tilewright/measure/numeric_check.h>
#include <tilewright/schedule/apply_case.h>
#include <tilewright/search/measured_record.h>
#include <tilewright/search/packed_check.h>
#include <tilewright/session/record_view.h>
#include <tilewright/session/reference_check.h>
#include <tilewright/target/parse_target.h>

namespace tilewright::session {

namespace {

/// What a request comes to.
struct Candidate {
    search::TuneTask task;
    database::WorkloadId workload;
    database::TaskId taskId;
    target::Target target;
    schedule::Trace trace;
};

ir::Module parsedModule(const database::StoreReader& reader, database::WorkloadId id,
                        const std::string& task) {
    const auto workload = reader.workload(id);
    if (!workload || workload->module.empty())
        throw base::UserError("database-module",
                              base::concat("task ", task, ": its module could not be read"));
    return ir::parseModule(workload->module, base::concat("workload ", id.value));
}

Candidate fromRecord(const database::StoreReader& reader, const ManualMeasurement& request) {
    const RecordView view(reader, *request.record);
    Candidate candidate;
    candidate.task.name = view.record().taskName;
    candidate.task.module = view.module();
    candidate.workload = view.record().workload;
    candidate.taskId = view.record().task;
    candidate.target = view.target();
    candidate.trace = request.trace ? *request.trace : view.trace();
    return candidate;
}

Candidate fromTask(const database::StoreReader& reader, const ManualMeasurement& request) {
    std::vector<std::string> names;
    for (const database::Task& task : reader.tasks()) {
        names.push_back(task.name);
        const target::Target target = target::Target::fromJson(json::parse(task.target));
        if (task.name != request.task ||
            (!request.target.empty() && !(target::parseTarget(request.target) == target)))
            continue;
        Candidate candidate;
        candidate.task.name = task.name;
        candidate.task.module = parsedModule(reader, task.workload, task.name);
        candidate.workload = task.workload;
        candidate.taskId = task.id;
        candidate.target = target;
        candidate.trace = request.trace.value_or(schedule::Trace());
        return candidate;
    }
    throw base::UserError("option", base::concat("--task: no task '", request.task,
                                                 "'; there are: ", base::join(names, ", ")));
}

void measureInto(database::TuningRecord& record, const Candidate& candidate,
                 const ManualMeasurement& request) {
    const schedule::ApplyResult applied =
        schedule::applyTrace(candidate.task.module, candidate.trace);
    if (!applied.ok()) {
        search::putFailure(
            record, measure::Status::Apply,
            base::concat("instruction ", applied.step, ": ", applied.error->message));
        return;
    }
    const lower::WithoutLayoutRewrites plain = lower::removeLayoutRewrites(applied.module);
    const auto args = measure::argInfosOf(plain.module);
    const auto userArgs = measure::argInfosOf(candidate.task.module);
    if (!args || !userArgs) {
        search::putFailure(record, measure::Status::Build,
                           (args ? userArgs : args).error().message);
        return;
    }
    record.argsInfo = search::argsInfoJson(*args);
    const int threads = candidate.target.numCores().value_or(1);
    const measure::CpuPlan cpus = measure::planCpus(threads, measure::allowedCpus());
    measure::BuilderSettings builderSettings;
    builderSettings.maxWorkers = 1;
    measure::LocalBuilder builder(builderSettings);
    measure::RunnerSettings settings = request.runner;
    settings.cpus = cpus.runnerCpus;
    settings.evaluator.adaptive = false;
    measure::RunnerSettings local;
    local.cpus = cpus.runnerCpus;
    const search::ReferenceCheck reference = makeReferenceCheck(candidate.task, builder, local);
    measure::BatchInput input;
    input.build.module = plain.module;
    input.build.target = candidate.target;
    input.run.args = *args;
    input.run.threads = threads;
    if (reference.check)
        input.run.check = search::packedCheck(reference.check, *userArgs, *args, plain.rewrites);
    measure::DeviceRunner runner(settings);
    measure::BatchOptions options;
    options.overlap = false;
    const measure::BatchResult result =
        measure::measureBatch(builder, runner, {std::move(input)}, options).front();
    search::putResult(record, result);
}

} // namespace

database::TuningRecord measureManually(database::StoreWriter& store,
                                       const ManualMeasurement& request) {
    Candidate candidate;
    {
        const database::StoreReader reader(store.connection());
        candidate = request.record ? fromRecord(reader, request) : fromTask(reader, request);
    }
    database::TuningRecord record;
    record.workload = candidate.workload;
    record.task = candidate.taskId;
    record.trace = json::dump(candidate.trace.toJson(), json::Style::Tvm);
    record.target = json::dump(candidate.target.toJson(), json::Style::Tvm);
    record.origin = database::RecordOrigin::Manual;
    measureInto(record, candidate, request);
    record.id = store.commitRecord(record);
    record.taskName = candidate.task.name;
    return record;
}

} // namespace tilewright::session
