// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/measure/builder.h>
#include <tilewright/measure/device_runner.h>
#include <tilewright/search/tune.h>

#include <cstdint>

namespace tilewright::session {

/// Longest chain of products that an element of any result sums up, for tolerances.
std::int64_t reductionLength(const ir::Module& module);

/// What a task has to compute: its module exactly as imported, no loop changed, compiled for this
/// machine and run once in a runner process.
search::ReferenceCheck makeReferenceCheck(const search::TuneTask& task, measure::Builder& builder,
                                          const measure::RunnerSettings& settings);

} // namespace tilewright::session
