// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "op_context.h"

namespace tilewright::graph {

/// Which dimensions of input 0 a Reduce… node reduces.
std::vector<bool> reducedAxes(const OpContext& context);

} // namespace tilewright::graph
