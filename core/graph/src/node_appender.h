// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/graph.h>

namespace tilewright::graph {

/// Infers and, where all inputs are constant, folds one node; true when it was folded away.
/// Marks the node unsupported when its rules refuse it.
bool inferNode(Graph& graph, Node& node);

/// Collects the nodes of a rewritten graph in execution order.
class NodeAppender {
public:
    explicit NodeAppender(Graph& graph) : graph_(graph) {}
    /// Adds a node made by a pass and returns its (only) output, inferred; a node of constants
    /// is folded into a constant and not kept.
    ValueId append(std::string op, std::vector<ValueId> inputs, Attributes attributes,
                   const std::string& name);
    /// Keeps a node as it is.
    void keep(Node node) { nodes_.push_back(std::move(node)); }
    /// Replaces the graph's nodes by those collected.
    void finish();

private:
    Graph& graph_;
    std::vector<Node> nodes_;
};

} // namespace tilewright::graph
