// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/data_type.h>

#include <tilewright/base/concat.h>

#include <array>
#include <charconv>

namespace tilewright::ir {

namespace {

struct FixedName {
    TypeCode code;
    int bits;
    std::string_view name;
};

// Names that carry their own width. Longer names stand before their prefixes.
constexpr std::array kFixedNames = {
    FixedName{TypeCode::Float8E4M3B11FNUZ, 8, "float8_e4m3b11fnuz"},
    FixedName{TypeCode::Float8E4M3FNUZ, 8, "float8_e4m3fnuz"},
    FixedName{TypeCode::Float8E4M3FN, 8, "float8_e4m3fn"},
    FixedName{TypeCode::Float8E4M3, 8, "float8_e4m3"},
    FixedName{TypeCode::Float8E3M4, 8, "float8_e3m4"},
    FixedName{TypeCode::Float8E5M2FNUZ, 8, "float8_e5m2fnuz"},
    FixedName{TypeCode::Float8E5M2, 8, "float8_e5m2"},
    FixedName{TypeCode::Float8E8M0FNU, 8, "float8_e8m0fnu"},
    FixedName{TypeCode::Float6E2M3FN, 6, "float6_e2m3fn"},
    FixedName{TypeCode::Float6E3M2FN, 6, "float6_e3m2fn"},
    FixedName{TypeCode::Float4E2M1FN, 4, "float4_e2m1fn"},
};

std::optional<int> takeNumber(std::string_view& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value <= 0)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

bool takePrefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::optional<DataType> finishLanes(DataType type, std::string_view rest) {
    if (rest.empty())
        return type;
    if (!takePrefix(rest, "x"))
        return std::nullopt;
    if (takePrefix(rest, "vscale")) {
        type.scalable = true;
        if (!takePrefix(rest, "x"))
            return std::nullopt;
    }
    const auto lanes = takeNumber(rest);
    if (!lanes || !rest.empty() || *lanes > 65535)
        return std::nullopt;
    type.lanes = static_cast<std::uint16_t>(*lanes);
    return type;
}

std::string_view codeName(TypeCode code) {
    switch (code) {
    case TypeCode::Int:
        return "int";
    case TypeCode::UInt:
        return "uint";
    case TypeCode::Float:
        return "float";
    case TypeCode::BFloat:
        return "bfloat";
    default:
        return "";
    }
}

} // namespace

std::string toString(DataType type) {
    std::string text;
    switch (type.code) {
    case TypeCode::Void:
        return "void";
    case TypeCode::Handle:
        text = "handle";
        break;
    case TypeCode::Bool:
        text = "bool";
        break;
    case TypeCode::Int:
    case TypeCode::UInt:
    case TypeCode::Float:
    case TypeCode::BFloat:
        text = base::concat(codeName(type.code), static_cast<int>(type.bits));
        break;
    default:
        for (const FixedName& fixed : kFixedNames)
            if (fixed.code == type.code)
                text = fixed.name;
    }
    if (type.scalable)
        text += base::concat("xvscalex", static_cast<int>(type.lanes));
    else if (type.lanes != 1)
        text += base::concat('x', static_cast<int>(type.lanes));
    return text;
}

std::optional<DataType> parseDataType(std::string_view text) {
    if (text == "void" || text.empty())
        return text.empty() ? std::nullopt : std::optional(DataType::voidType());
    for (const FixedName& fixed : kFixedNames)
        if (takePrefix(text, fixed.name))
            return finishLanes(DataType::make(fixed.code, fixed.bits, 1), text);
    if (takePrefix(text, "bool"))
        return finishLanes(DataType::boolean(), text);
    if (takePrefix(text, "handle"))
        return finishLanes(DataType::handle(), text);
    struct Family {
        std::string_view name;
        TypeCode code;
        int defaultBits;
    };
    constexpr std::array families = {
        Family{"int", TypeCode::Int, 32}, Family{"uint", TypeCode::UInt, 32},
        Family{"float", TypeCode::Float, 32}, Family{"bfloat", TypeCode::BFloat, 16}};
    for (const Family& family : families) {
        if (!takePrefix(text, family.name))
            continue;
        int bits = family.defaultBits;
        if (!text.empty() && text.front() != 'x') {
            const auto number = takeNumber(text);
            if (!number || *number > 64)
                return std::nullopt;
            bits = *number;
        }
        // uint1 is how releases before bool existed as a type of its own spelled it.
        const bool isBool = family.code == TypeCode::UInt && bits == 1;
        return finishLanes(isBool ? DataType::boolean() : DataType::make(family.code, bits, 1),
                           text);
    }
    return std::nullopt;
}

} // namespace tilewright::ir
