// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/graph.h>

#include <string>
#include <vector>

namespace tilewright::graph {

/// An operator that cannot be compiled, and why; the rest of the model still extracts.
struct SkippedNode {
    std::string node;
    std::string op;
    std::string reason;
    bool operator==(const SkippedNode&) const = default;
};

/// Infers element types and shapes in order and folds every node whose inputs are all constant,
/// in one walk, because shapes depend on folded values (Shape → Slice → Concat → Reshape).
/// Folded nodes disappear. A node that cannot be inferred is marked unsupported and its outputs
/// keep the type the reader may have known.
void inferTypes(Graph& graph);

/// Nodes marked unsupported, in order.
std::vector<SkippedNode> skippedNodes(const Graph& graph);

} // namespace tilewright::graph
