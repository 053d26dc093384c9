// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/strong_id.h>
#include <tilewright/graph/attribute.h>

#include <string>
#include <vector>

namespace tilewright::graph {

using ValueId = base::StrongId<struct ValueTag>;
using NodeId = base::StrongId<struct NodeTag>;

/// A tensor that flows through the graph. `known` is false until its type has been inferred.
struct Value {
    std::string name;
    TensorType type;
    bool known = false;
    ConstantPtr constant; ///< set for weights and folded values
};

/// One operator. Operators carry ONNX's names and, where ONNX's versions differ, its newest
/// semantics; an absent optional input is an invalid id. A node whose operator is not
/// supported keeps its place, with the reason.
struct Node {
    std::string op;
    std::string name;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    Attributes attributes;
    std::string unsupported; ///< why it cannot be compiled; empty when it can
};

/// A model: operators in execution order. Shapes are static; a reader binds symbolic extents
/// before it builds the graph. Copies are cheap: constants are shared.
class Graph {
public:
    /// Adds a value; types may be set later.
    ValueId addValue(Value value);
    ValueId addTyped(std::string name, TensorType type);
    ValueId addConstant(std::string name, ConstantPtr tensor);
    /// Appends an operator; its inputs must have been produced before.
    NodeId addNode(Node node);

    [[nodiscard]] const Value& value(ValueId id) const;
    [[nodiscard]] Value& value(ValueId id);
    [[nodiscard]] std::size_t valueCount() const { return values_.size(); }
    [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
    [[nodiscard]] std::vector<Node>& nodes() { return nodes_; }

    /// Index of the producing node of each value; -1 for inputs and constants.
    [[nodiscard]] std::vector<int> producers() const;
    /// Indices of the nodes that read each value, once per reading node.
    [[nodiscard]] std::vector<std::vector<int>> readers() const;
    [[nodiscard]] bool isOutput(ValueId id) const;
    /// Makes every reader of `from`, and the graph's outputs when asked, read `to` instead.
    void replaceUses(ValueId from, ValueId to);

    std::string name;
    std::vector<ValueId> inputs;          ///< in the model's order, constants left out
    std::vector<ValueId> outputs;         ///< in the model's order
    std::vector<std::string> outputNames; ///< the model's own names, kept by every pass

private:
    std::vector<Value> values_;
    std::vector<Node> nodes_;
};

/// Prints the graph, one node a line, for logs and golden tests.
std::string toString(const Graph& graph);

} // namespace tilewright::graph
