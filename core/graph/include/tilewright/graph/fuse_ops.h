// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/graph.h>

#include <vector>

namespace tilewright::graph {

/// Nodes that become one kernel, in execution order; the last one's result is the group's.
struct FusedGroup {
    std::vector<int> nodes; ///< indices into the graph's nodes
    int anchor = -1;        ///< the node that decides the schedule: its convolution, product, …
};

/// Partitions the graph by dominator-tree fusion as TVM's FuseOps: element-wise and broadcast
/// operators join what follows them, complex ones take element-wise operators after them,
/// injective ones join in a second phase, opaque ones stay alone. A reshape stays alone too: it
/// moves no data, the plan makes it an alias. `maxDepth` bounds the nodes of a group.
std::vector<FusedGroup> fuseOps(const Graph& graph, int maxDepth = 256);

} // namespace tilewright::graph
