// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/reference_check.h>

#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>
#include <tilewright/measure/numeric_check.h>
#include <tilewright/measure/reference_run.h>
#include <tilewright/target/host.h>

#include <algorithm>

namespace tilewright::session {

namespace {

constexpr std::uint64_t kSeed = 20240229;

} // namespace

std::int64_t reductionLength(const ir::Module& module) {
    std::int64_t longest = 1;
    for (const auto& [name, function] : module.functions())
        ir::walk(function->body, [&](const ir::Node& node) {
            if (const auto* block = ir::as<ir::BlockNode>(&node)) {
                std::int64_t length = 1;
                for (const ir::IterVar& iter : block->iterVars)
                    if (iter.type == ir::IterType::CommReduce)
                        length *= ir::constInt(iter.dom.extent).value_or(1);
                longest = std::max(longest, length);
            }
            return true;
        });
    return longest;
}

search::ReferenceCheck makeReferenceCheck(const search::TuneTask& task, measure::Builder& builder,
                                          const measure::RunnerSettings& settings) {
    const auto args = measure::argInfosOf(task.module);
    if (!args)
        return {nullptr, args.error().message};
    const measure::BuilderInput input{task.module, target::hostTarget()};
    measure::RunnerSettings patient = settings;
    // Unscheduled loops are slow, and the time says nothing about any candidate.
    patient.timeoutSeconds = std::max(300.0, settings.timeoutSeconds);
    auto outputs = measure::runOnce(builder, input, patient, kSeed, 1);
    if (!outputs)
        return {nullptr, base::concat(measure::toString(outputs.error().status), ": ",
                                      outputs.error().message)};
    return {std::make_shared<const measure::NumericCheck>(*args, kSeed, std::move(*outputs),
                                                          reductionLength(task.module)),
            {}};
}

} // namespace tilewright::session
