// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/graph.h>
#include <tilewright/graph/numeric_tensor.h>

#include <vector>

namespace tilewright::graph {

/// Runs the graph operator by operator in double precision: slow and obvious, the oracle of
/// every pass and of compiled models. Inputs in the graph's order; their types must be the
/// graph's. Throws UserError when an operator is unsupported.
std::vector<NumericTensor> evaluateGraph(const Graph& graph,
                                         const std::vector<NumericTensor>& inputs);

} // namespace tilewright::graph
