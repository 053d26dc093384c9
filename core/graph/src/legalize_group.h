// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/fuse_ops.h>
#include <tilewright/graph/graph.h>
#include <tilewright/ir/module.h>

namespace tilewright::graph {

/// The kernel of one fused group.
struct LegalizedGroup {
    ir::PrimFunc function;
    std::vector<ValueId> inputs; ///< in the order of the parameters
    ValueId output;
};

/// Makes one TensorIR function of a group. Throws UserError naming what is not supported.
LegalizedGroup legalizeGroup(const Graph& graph, const FusedGroup& group);

} // namespace tilewright::graph
