// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::runtime {

enum class TypeCode : std::uint8_t { Int = 0, UInt = 1, Float = 2, BFloat = 3, Bool = 4 };

/// The type of one element of a tensor as it lies in memory; whole bytes only (8 to 64 bits).
struct ElementType {
    TypeCode code = TypeCode::Float;
    std::uint8_t bits = 32;

    [[nodiscard]] constexpr std::int64_t bytes() const { return bits / 8; }
    [[nodiscard]] constexpr bool isFloating() const {
        return code == TypeCode::Float || code == TypeCode::BFloat;
    }
    bool operator==(const ElementType&) const = default;
};

/// True for the types that tensors can hold: int/uint 8–64, float 16–64, bfloat16, bool.
bool isSupported(ElementType type);

/// Reads TVM's spelling: `float32`, `int8`, `bool`, `bfloat16`; nothing for types that tensors
/// cannot hold (vectors, handles, sub-byte and 8-bit floating types).
std::optional<ElementType> parseElementType(std::string_view text);

/// Prints TVM's spelling.
std::string toString(ElementType type);

/// IEEE binary16 and bfloat16 to and from float, rounding to nearest even.
float halfToFloat(std::uint16_t bits);
std::uint16_t floatToHalf(float value);
float bfloatToFloat(std::uint16_t bits);
std::uint16_t floatToBfloat(float value);

} // namespace tilewright::runtime
