// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/graph.h>
#include <tilewright/graph/numeric_tensor.h>

#include <optional>
#include <vector>

namespace tilewright::graph {

/// One input of an operator as its rules see it: always a type, and the value where it is known.
struct Operand {
    bool present = false;
    TensorType type;
    const ConstantTensor* constant = nullptr;
    const NumericTensor* numeric = nullptr;
};

/// What the rules of an operator (inference, evaluation, legalisation) may ask.
class OpContext {
public:
    OpContext(const Node& node, std::vector<Operand> operands)
        : node_(node), operands_(std::move(operands)) {}
    /// Takes operand types and constants from the graph. Throws UserError when a type is unknown.
    OpContext(const Graph& graph, const Node& node);

    [[nodiscard]] const Node& node() const { return node_; }
    [[nodiscard]] const Attributes& attributes() const { return node_.attributes; }
    [[nodiscard]] std::size_t inputCount() const { return operands_.size(); }
    [[nodiscard]] std::size_t outputCount() const { return node_.outputs.size(); }
    [[nodiscard]] bool has(std::size_t i) const {
        return i < operands_.size() && operands_[i].present;
    }
    /// Type of a required input; UserError when it is absent.
    [[nodiscard]] const TensorType& type(std::size_t i) const;
    [[nodiscard]] const Dims& shape(std::size_t i) const { return type(i).shape; }
    [[nodiscard]] ElementType dtype(std::size_t i) const { return type(i).dtype; }
    [[nodiscard]] std::size_t rank(std::size_t i) const { return shape(i).size(); }
    /// Value of an input while evaluating.
    [[nodiscard]] const NumericTensor& numeric(std::size_t i) const;
    /// Value of an input as numbers, when it is known.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::size_t i) const;
    [[nodiscard]] std::optional<std::vector<double>> reals(std::size_t i) const;
    /// Older operator versions have an attribute where newer ones have an input: takes the
    /// attribute, else the input's value; nothing when both are absent. UserError when the
    /// input is there but computed at run time.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integersOf(const char* attribute,
                                                                      std::size_t input) const;
    [[nodiscard]] std::optional<double> realOf(const char* attribute, std::size_t input) const;
    /// An axis in 0..rank-1; UserError when it is out of range.
    [[nodiscard]] std::int64_t axis(std::int64_t value, std::size_t rank) const;
    /// Throws UserError kind `invalid-node` with the reason.
    [[noreturn]] void fail(const std::string& reason) const;

private:
    const Node& node_;
    std::vector<Operand> operands_;
};

/// Shape that numpy's rules give for operands of the two shapes; UserError when they clash.
Dims broadcastShapes(const OpContext& context, const Dims& a, const Dims& b);

/// Row-major strides in elements.
Dims rowMajorStrides(const Dims& shape);

/// Strides of an operand seen in the (broadcast) output's shape: 0 where it is repeated.
Dims broadcastStrides(const Dims& operand, const Dims& output);

/// Calls visit(flat output index, index vector) in row-major order.
template <class Visit> void forEachIndex(const Dims& shape, Visit&& visit) {
    const std::int64_t count = elementCount(shape);
    Dims index(shape.size(), 0);
    for (std::int64_t flat = 0; flat < count; ++flat) {
        visit(flat, index);
        for (std::size_t d = shape.size(); d-- > 0;) {
            if (++index[d] < shape[d])
                break;
            index[d] = 0;
        }
    }
}

} // namespace tilewright::graph
