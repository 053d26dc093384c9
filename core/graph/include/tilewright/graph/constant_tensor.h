// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/element_type.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::graph {

/// Extents of a tensor, outermost first; empty for a scalar.
using Dims = std::vector<std::int64_t>;

/// Product of the extents; 1 for a scalar.
std::int64_t elementCount(const Dims& shape);
/// `[1, 3, 224, 224]`.
std::string toString(const Dims& shape);

/// Element type and extents of a tensor.
struct TensorType {
    ElementType dtype = ElementType::Float32;
    Dims shape;
    bool operator==(const TensorType&) const = default;
};

/// `float32[1, 3]`.
std::string toString(const TensorType& type);
/// Bytes of a dense tensor of this type.
std::size_t byteSize(const TensorType& type);

/// A dense row-major tensor of plain little-endian bytes: weights and folded values.
struct ConstantTensor {
    TensorType type;
    std::vector<std::byte> bytes;
    bool operator==(const ConstantTensor&) const = default;
};

/// Constants are immutable and shared among graphs, plans and tasks.
using ConstantPtr = std::shared_ptr<const ConstantTensor>;

} // namespace tilewright::graph
