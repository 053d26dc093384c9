// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/execution_plan.h>

#include <string>
#include <vector>

namespace tilewright::session {

/// A self-contained C header about a compiled library: its entry points, its inputs and outputs,
/// and a pool of one thread to call it with.
std::string modelHeader(const std::string& libraryName,
                        const std::vector<graph::PlanTensor>& inputs,
                        const std::vector<graph::PlanTensor>& outputs);

} // namespace tilewright::session
