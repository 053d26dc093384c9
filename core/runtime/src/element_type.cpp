// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/element_type.h>

#include <array>
#include <bit>
#include <utility>

namespace tilewright::runtime {

namespace {

struct NamedType {
    std::string_view name;
    ElementType type;
};

constexpr std::array kNamedTypes{
    NamedType{"float32", {TypeCode::Float, 32}}, NamedType{"float64", {TypeCode::Float, 64}},
    NamedType{"float16", {TypeCode::Float, 16}}, NamedType{"bfloat16", {TypeCode::BFloat, 16}},
    NamedType{"int8", {TypeCode::Int, 8}},       NamedType{"int16", {TypeCode::Int, 16}},
    NamedType{"int32", {TypeCode::Int, 32}},     NamedType{"int64", {TypeCode::Int, 64}},
    NamedType{"uint8", {TypeCode::UInt, 8}},     NamedType{"uint16", {TypeCode::UInt, 16}},
    NamedType{"uint32", {TypeCode::UInt, 32}},   NamedType{"uint64", {TypeCode::UInt, 64}},
    NamedType{"bool", {TypeCode::Bool, 8}},
};

} // namespace

bool isSupported(ElementType type) {
    for (const NamedType& named : kNamedTypes)
        if (named.type == type)
            return true;
    return false;
}

std::optional<ElementType> parseElementType(std::string_view text) {
    for (const NamedType& named : kNamedTypes)
        if (named.name == text)
            return named.type;
    return std::nullopt;
}

std::string toString(ElementType type) {
    for (const NamedType& named : kNamedTypes)
        if (named.type == type)
            return std::string(named.name);
    return "unsupported type";
}

float halfToFloat(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
    std::uint32_t exponent = (bits >> 10) & 0x1fU;
    std::uint32_t mantissa = bits & 0x3ffU;
    if (exponent == 0x1f)
        return std::bit_cast<float>(sign | 0x7f800000U | (mantissa << 13));
    if (exponent == 0) {
        if (mantissa == 0)
            return std::bit_cast<float>(sign);
        // Subnormal halves are normal floats: shift the leading one into place.
        exponent = 1;
        while ((mantissa & 0x400U) == 0) {
            mantissa <<= 1;
            --exponent;
        }
        mantissa &= 0x3ffU;
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

std::uint16_t floatToHalf(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U)
        return sign | 0x7e00U;
    if (magnitude >= 0x477ff000U) // rounds to 65536 or more
        return sign | 0x7c00U;
    if (magnitude < 0x33000001U) // rounds to zero
        return sign;
    const int exponent = static_cast<int>(magnitude >> 23) - 127;
    std::uint32_t mantissa = (magnitude & 0x7fffffU) | 0x800000U;
    int shift = 13;
    std::uint32_t base = static_cast<std::uint32_t>(exponent + 15) << 10;
    if (exponent < -14) {
        shift += -14 - exponent;
        base = 0;
    } else {
        mantissa &= 0x7fffffU;
    }
    const std::uint32_t half = 1U << (shift - 1);
    const std::uint32_t rest = mantissa & ((1U << shift) - 1);
    std::uint32_t kept = mantissa >> shift;
    if (rest > half || (rest == half && (kept & 1U)))
        ++kept;
    return static_cast<std::uint16_t>(sign | (base + kept));
}

float bfloatToFloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t floatToBfloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

} // namespace tilewright::runtime
