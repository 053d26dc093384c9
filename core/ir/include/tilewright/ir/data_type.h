// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::ir {

enum class TypeCode : std::uint8_t {
    Int,
    UInt,
    Float,
    Handle,
    BFloat,
    Bool,
    Void,
    Float8E3M4,
    Float8E4M3,
    Float8E4M3B11FNUZ,
    Float8E4M3FN,
    Float8E4M3FNUZ,
    Float8E5M2,
    Float8E5M2FNUZ,
    Float8E8M0FNU,
    Float6E2M3FN,
    Float6E3M2FN,
    Float4E2M1FN
};

/// Element type of an expression or buffer. Prints as `float32`, `int8x16`, `bool`,
/// `float32xvscalex4` (scalable vector of 4·vscale lanes), `handle`, `void`.
struct DataType {
    TypeCode code = TypeCode::Void;
    std::uint8_t bits = 0;
    std::uint16_t lanes = 1; ///< lanes, or the multiplier of vscale when `scalable`
    bool scalable = false;

    static constexpr DataType i(int bits, int lanes = 1) { return make(TypeCode::Int, bits, lanes); }
    static constexpr DataType u(int bits, int lanes = 1) { return make(TypeCode::UInt, bits, lanes); }
    static constexpr DataType f(int bits, int lanes = 1) { return make(TypeCode::Float, bits, lanes); }
    static constexpr DataType boolean(int lanes = 1) { return make(TypeCode::Bool, 8, lanes); }
    static constexpr DataType handle() { return make(TypeCode::Handle, 64, 1); }
    static constexpr DataType voidType() { return make(TypeCode::Void, 0, 1); }
    static constexpr DataType make(TypeCode code, int bits, int lanes) {
        DataType t;
        t.code = code;
        t.bits = static_cast<std::uint8_t>(bits);
        t.lanes = static_cast<std::uint16_t>(lanes);
        return t;
    }

    [[nodiscard]] constexpr bool isInt() const { return code == TypeCode::Int; }
    [[nodiscard]] constexpr bool isUInt() const { return code == TypeCode::UInt; }
    [[nodiscard]] constexpr bool isBool() const { return code == TypeCode::Bool; }
    [[nodiscard]] constexpr bool isIntegral() const { return isInt() || isUInt() || isBool(); }
    /// float, bfloat and every fp8/fp6/fp4 type.
    [[nodiscard]] constexpr bool isFloating() const {
        return code == TypeCode::Float || code == TypeCode::BFloat || code > TypeCode::Void;
    }
    [[nodiscard]] constexpr bool isHandle() const { return code == TypeCode::Handle; }
    [[nodiscard]] constexpr bool isVoid() const { return code == TypeCode::Void; }
    [[nodiscard]] constexpr bool isScalar() const { return lanes == 1 && !scalable; }
    [[nodiscard]] constexpr DataType element() const { return make(code, bits, 1); }
    [[nodiscard]] constexpr DataType withLanes(int n) const { return make(code, bits, n); }
    /// Bytes of one element, rounded up (bool: 1, int4: 1).
    [[nodiscard]] constexpr int elementBytes() const { return (bits + 7) / 8; }
    constexpr bool operator==(const DataType&) const = default;
    [[nodiscard]] constexpr std::uint32_t key() const {
        return static_cast<std::uint32_t>(code) << 24 | static_cast<std::uint32_t>(bits) << 16 |
               static_cast<std::uint32_t>(lanes) << 1 | (scalable ? 1U : 0U);
    }
};

/// Prints the way TVMScript spells a dtype.
std::string toString(DataType type);
/// Reads TVM's whole dtype grammar; nullopt when the text is no dtype.
std::optional<DataType> parseDataType(std::string_view text);

} // namespace tilewright::ir
