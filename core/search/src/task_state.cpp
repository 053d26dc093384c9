// SPDX-License-Identifier: Apache-2.0
#include "task_state.h"

#include <tilewright/json/dump.h>
#include <tilewright/search/measured_record.h>
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

database::TuningRecord makeRecord(const TaskState& state, const TuneSetup& setup,
                                  const schedule::Trace& trace, const PreparedModule& prepared,
                                  const measure::BatchResult& result) {
    database::TuningRecord record;
    record.workload = state.workload;
    record.task = state.id;
    record.trace = json::dump(trace.toJson(), json::Style::Tvm);
    record.target = json::dump(setup.target.toJson(), json::Style::Tvm);
    record.argsInfo = argsInfoJson(prepared.args);
    record.session = setup.session;
    putResult(record, result);
    record.taskName = state.task->name;
    return record;
}

} // namespace tilewright::search
