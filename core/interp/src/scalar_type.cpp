// SPDX-License-Identifier: Apache-2.0
#include "scalar_type.h"

#include "program.h"

#include <tilewright/runtime/element_type.h>

#include <tilewright/base/concat.h>

#include <cmath>

namespace tilewright::interp {

namespace {

template <class T> T read(const std::uint8_t* place) {
    T value;
    std::memcpy(&value, place, sizeof value);
    return value;
}
template <class T> void write(std::uint8_t* place, T value) {
    std::memcpy(place, &value, sizeof value);
}

} // namespace

double roundTo(ir::DataType type, double value) {
    if (type.code == ir::TypeCode::BFloat)
        return runtime::bfloatToFloat(runtime::floatToBfloat(static_cast<float>(value)));
    switch (type.bits) {
    case 64:
        return value;
    case 32:
        return static_cast<float>(value);
    case 16:
        return runtime::halfToFloat(runtime::floatToHalf(static_cast<float>(value)));
    default:
        unsupported(base::concat("values of type ", toString(type), " are not interpreted"));
    }
}

std::int64_t bytesOf(ir::DataType type) {
    const bool isWhole = type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64;
    const bool isKnown = type.isIntegral() || type.code == ir::TypeCode::Float ||
                         (type.code == ir::TypeCode::BFloat && type.bits == 16);
    const bool isTinyFloat = type.isFloating() && type.bits < 16;
    if (!isWhole || !isKnown || isTinyFloat || type.scalable)
        unsupported(base::concat("values of type ", toString(type), " are not interpreted"));
    return type.bits / 8;
}

std::int64_t loadInt(ir::DataType type, const std::uint8_t* place) {
    const bool isSigned = type.isInt();
    switch (type.bits) {
    case 8:
        if (type.isBool())
            return *place != 0 ? 1 : 0;
        return isSigned ? read<std::int8_t>(place) : read<std::uint8_t>(place);
    case 16:
        return isSigned ? read<std::int16_t>(place) : read<std::uint16_t>(place);
    case 32:
        return isSigned ? read<std::int32_t>(place)
                        : static_cast<std::int64_t>(read<std::uint32_t>(place));
    default:
        return read<std::int64_t>(place);
    }
}

void storeInt(ir::DataType type, std::uint8_t* place, std::int64_t value) {
    switch (type.bits) {
    case 8:
        return write(place, static_cast<std::uint8_t>(type.isBool() ? value != 0 : value));
    case 16:
        return write(place, static_cast<std::uint16_t>(value));
    case 32:
        return write(place, static_cast<std::uint32_t>(value));
    default:
        return write(place, value);
    }
}

double loadReal(ir::DataType type, const std::uint8_t* place) {
    if (type.bits == 32)
        return read<float>(place);
    if (type.bits == 64)
        return read<double>(place);
    const auto bits = read<std::uint16_t>(place);
    return type.code == ir::TypeCode::BFloat ? runtime::bfloatToFloat(bits)
                                             : runtime::halfToFloat(bits);
}

void storeReal(ir::DataType type, std::uint8_t* place, double value) {
    if (type.bits == 32)
        return write(place, static_cast<float>(value));
    if (type.bits == 64)
        return write(place, value);
    const auto narrow = static_cast<float>(value);
    write(place, type.code == ir::TypeCode::BFloat ? runtime::floatToBfloat(narrow)
                                                   : runtime::floatToHalf(narrow));
}

std::int64_t toInteger(ir::DataType type, double value) {
    if (std::isnan(value))
        return 0;
    const double whole = std::trunc(value);
    if (type.isBool())
        return value != 0 ? 1 : 0;
    const int bits = type.bits;
    const double high = std::ldexp(1.0, type.isInt() ? bits - 1 : bits);
    const double low = type.isInt() ? -high : 0.0;
    if (whole < low)
        return type.isInt() ? Wrap(type)(std::uint64_t{1} << (bits - 1)) : 0;
    if (whole >= high) {
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - bits);
        return static_cast<std::int64_t>(type.isInt() ? all >> 1 : all);
    }
    if (type.isUInt() && bits == 64 && whole >= 9223372036854775808.0)
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(whole));
    return static_cast<std::int64_t>(whole);
}

} // namespace tilewright::interp
