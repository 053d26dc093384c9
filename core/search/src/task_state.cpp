// SPDX-License-Identifier: Apache-2.0
#include "task_state.h"

#include <tilewright/json/dump.h>
#include <tilewright/json/value.h>
#include <tilewright/search/packed_check.h>

namespace tilewright::search {

base::Result<PreparedModule> prepareModule(const ir::Module& scheduled,
                                           const target::Target& target) {
    lower::WithoutLayoutRewrites plain = lower::removeLayoutRewrites(scheduled);
    auto args = measure::argInfosOf(plain.module);
    if (!args)
        return base::Unexpected(args.error());
    PreparedModule prepared;
    prepared.args = *args;
    prepared.rewrites = std::move(plain.rewrites);
    prepared.build.module = std::move(plain.module);
    prepared.build.target = target;
    return prepared;
}

std::shared_ptr<const measure::NumericCheck> checkFor(const ReferenceCheck& reference,
                                                      const ir::Module& module,
                                                      const PreparedModule& prepared) {
    if (!reference.check || prepared.rewrites.empty())
        return reference.check;
    const auto userArgs = measure::argInfosOf(module);
    if (!userArgs)
        return nullptr;
    return packedCheck(reference.check, *userArgs, prepared.args, prepared.rewrites);
}

std::string argsInfoJson(const std::vector<measure::ArgInfo>& args) {
    json::Array list;
    for (const measure::ArgInfo& arg : args) {
        json::Array shape;
        for (const std::int64_t extent : arg.shape)
            shape.emplace_back(extent);
        list.emplace_back(json::Array{json::Value("TENSOR"), json::Value(arg.dtype),
                                      json::Value(std::move(shape))});
    }
    return json::dump(json::Value(std::move(list)), json::Style::Tvm);
}

namespace {

database::RecordStatus recordStatus(measure::Status status) {
    // Both lists hold the words of the command line's contract.
    return database::recordStatusFromName(measure::toString(status))
        .value_or(database::RecordStatus::Run);
}

} // namespace

database::TuningRecord makeRecord(const TaskState& state, const TuneSetup& setup,
                                  const schedule::Trace& trace, const PreparedModule& prepared,
                                  const measure::BatchResult& result) {
    database::TuningRecord record;
    record.workload = state.workload;
    record.task = state.id;
    record.trace = json::dump(trace.toJson(), json::Style::Tvm);
    record.target = json::dump(setup.target.toJson(), json::Style::Tvm);
    record.argsInfo = argsInfoJson(prepared.args);
    record.status = recordStatus(result.status());
    if (result.run.failure)
        record.message = result.run.failure->message;
    if (result.status() == measure::Status::Ok) {
        std::vector<double> seconds;
        for (const measure::Sample& sample : result.run.samples)
            seconds.push_back(sample.seconds);
        record.measurement = database::measurementOf(std::move(seconds));
        for (const measure::Sample& sample : result.run.samples)
            record.measurement.otherCpu.push_back(sample.otherCpu);
        record.measurement.full = result.run.fullMeasure;
    } else {
        record.measurement.seconds = {database::kFailedSeconds};
        record.measurement.full = false;
    }
    record.measurement.present = true;
    record.session = setup.session;
    record.device = result.run.device;
    record.buildSeconds = result.buildSeconds;
    record.runSeconds = result.run.seconds;
    if (result.run.maxRelativeError >= 0)
        record.verified = result.run.verified;
    record.taskName = state.task->name;
    return record;
}

} // namespace tilewright::search
