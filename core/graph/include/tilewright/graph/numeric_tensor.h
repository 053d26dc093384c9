// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/constant_tensor.h>

#include <cstdint>
#include <vector>

namespace tilewright::graph {

/// A tensor in the form the evaluator computes with: floats as double, integers and bools as
/// int64. Exactly one of the two vectors is used, chosen by the element type.
struct NumericTensor {
    TensorType type;
    std::vector<double> reals;
    std::vector<std::int64_t> integers;

    NumericTensor() = default;
    /// Zeros of the given type.
    explicit NumericTensor(TensorType tensorType);

    [[nodiscard]] bool isReal() const { return graph::isReal(type.dtype); }
    [[nodiscard]] std::int64_t size() const;
    /// Element at a flat index, converted.
    [[nodiscard]] double real(std::int64_t i) const;
    [[nodiscard]] std::int64_t integer(std::int64_t i) const;
    /// Stores with conversion; a real stored in an integer tensor is truncated towards zero.
    void set(std::int64_t i, double value);
    void setInteger(std::int64_t i, std::int64_t value);
};

/// Widens the elements.
NumericTensor toNumeric(const ConstantTensor& tensor);
/// Narrows the elements to the tensor's own type (round to nearest, integers wrap).
ConstantTensor toConstant(const NumericTensor& tensor);

} // namespace tilewright::graph
