// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewright::graph {

/// Type of a tensor's elements, as far as ONNX models use them.
enum class ElementType : std::uint8_t {
    Float32,
    Float64,
    Float16,
    BFloat16,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Bool,
};

/// TensorIR's name of the type: `float32`, `int64`, `bool`.
std::string_view toString(ElementType type);
/// Reads the names that toString gives.
std::optional<ElementType> elementTypeFromName(std::string_view name);
/// Bytes of one element; a bool takes one.
std::size_t byteSize(ElementType type);
/// True for the floating-point types.
bool isReal(ElementType type);

} // namespace tilewright::graph
