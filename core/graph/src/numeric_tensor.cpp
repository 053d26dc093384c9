// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/numeric_tensor.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/runtime/element_type.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace tilewright::graph {

std::int64_t elementCount(const Dims& shape) {
    std::int64_t count = 1;
    for (const auto extent : shape)
        count *= extent;
    return count;
}

std::string toString(const Dims& shape) {
    return base::concat("[", base::join(shape, ", "), "]");
}

std::string toString(const TensorType& type) {
    return base::concat(toString(type.dtype), toString(type.shape));
}

std::size_t byteSize(const TensorType& type) {
    return static_cast<std::size_t>(elementCount(type.shape)) * byteSize(type.dtype);
}

namespace {

/// Rounds once, where a detour over float could round twice.
std::uint16_t doubleToHalf(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    if (std::isnan(value))
        return sign | 0x7e00;
    if (magnitude >= 65520.0)
        return sign | 0x7c00;
    if (magnitude < std::ldexp(1.0, -25))
        return sign;
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const int shift = std::max(exponent - 11, -24);
    const double scaled = std::nearbyint(std::ldexp(magnitude, -shift));
    const auto mantissa = static_cast<int>(scaled);
    if (shift == -24) // subnormal, or the smallest normal where it rounds up
        return static_cast<std::uint16_t>(sign | mantissa);
    return static_cast<std::uint16_t>(sign + ((shift + 24) << 10) + mantissa);
}

template <class T, class F> void readAs(const ConstantTensor& tensor, F&& store) {
    const auto count = static_cast<std::size_t>(elementCount(tensor.type.shape));
    TW_CHECK(tensor.bytes.size() == count * sizeof(T)) << "constant of the wrong size";
    for (std::size_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, tensor.bytes.data() + i * sizeof(T), sizeof(T));
        store(static_cast<std::int64_t>(i), value);
    }
}

template <class T, class F> void writeAs(ConstantTensor& tensor, std::int64_t count, F&& load) {
    tensor.bytes.resize(static_cast<std::size_t>(count) * sizeof(T));
    for (std::int64_t i = 0; i < count; ++i) {
        const T value = load(i);
        std::memcpy(tensor.bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value,
                    sizeof(T));
    }
}

std::int64_t truncate(double value) {
    if (std::isnan(value))
        return 0;
    if (value >= 9.2233720368547758e18)
        return std::numeric_limits<std::int64_t>::max();
    if (value <= -9.2233720368547758e18)
        return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(value);
}

} // namespace

NumericTensor::NumericTensor(TensorType tensorType) : type(std::move(tensorType)) {
    const auto count = static_cast<std::size_t>(elementCount(type.shape));
    if (isReal())
        reals.resize(count);
    else
        integers.resize(count);
}

std::int64_t NumericTensor::size() const {
    return static_cast<std::int64_t>(isReal() ? reals.size() : integers.size());
}

double NumericTensor::real(std::int64_t i) const {
    const auto at = static_cast<std::size_t>(i);
    return isReal() ? reals[at] : static_cast<double>(integers[at]);
}

std::int64_t NumericTensor::integer(std::int64_t i) const {
    const auto at = static_cast<std::size_t>(i);
    return isReal() ? truncate(reals[at]) : integers[at];
}

void NumericTensor::set(std::int64_t i, double value) {
    const auto at = static_cast<std::size_t>(i);
    if (isReal())
        reals[at] = value;
    else
        integers[at] = type.dtype == ElementType::Bool ? (value != 0) : truncate(value);
}

void NumericTensor::setInteger(std::int64_t i, std::int64_t value) {
    const auto at = static_cast<std::size_t>(i);
    if (isReal())
        reals[at] = static_cast<double>(value);
    else
        integers[at] = type.dtype == ElementType::Bool ? (value != 0) : value;
}

NumericTensor toNumeric(const ConstantTensor& tensor) {
    NumericTensor out(tensor.type);
    const auto real = [&](std::int64_t i, auto v) { out.set(i, static_cast<double>(v)); };
    const auto whole = [&](std::int64_t i, auto v) {
        out.setInteger(i, static_cast<std::int64_t>(v));
    };
    using enum ElementType;
    switch (tensor.type.dtype) {
    case Float32:
        readAs<float>(tensor, real);
        break;
    case Float64:
        readAs<double>(tensor, real);
        break;
    case Float16:
        readAs<std::uint16_t>(tensor, [&](auto i, auto v) { out.set(i, runtime::halfToFloat(v)); });
        break;
    case BFloat16:
        readAs<std::uint16_t>(tensor,
                              [&](auto i, auto v) { out.set(i, runtime::bfloatToFloat(v)); });
        break;
    case Int8:
        readAs<std::int8_t>(tensor, whole);
        break;
    case Int16:
        readAs<std::int16_t>(tensor, whole);
        break;
    case Int32:
        readAs<std::int32_t>(tensor, whole);
        break;
    case Int64:
        readAs<std::int64_t>(tensor, whole);
        break;
    case UInt8:
    case Bool:
        readAs<std::uint8_t>(tensor, whole);
        break;
    case UInt16:
        readAs<std::uint16_t>(tensor, whole);
        break;
    case UInt32:
        readAs<std::uint32_t>(tensor, whole);
        break;
    case UInt64:
        readAs<std::uint64_t>(tensor, whole);
        break;
    }
    return out;
}

ConstantTensor toConstant(const NumericTensor& tensor) {
    ConstantTensor out;
    out.type = tensor.type;
    const std::int64_t count = tensor.size();
    const auto integer = [&](std::int64_t i) { return tensor.integer(i); };
    using enum ElementType;
    switch (tensor.type.dtype) {
    case Float32:
        writeAs<float>(out, count, [&](auto i) { return static_cast<float>(tensor.real(i)); });
        break;
    case Float64:
        writeAs<double>(out, count, [&](auto i) { return tensor.real(i); });
        break;
    case Float16:
        writeAs<std::uint16_t>(out, count, [&](auto i) { return doubleToHalf(tensor.real(i)); });
        break;
    case BFloat16:
        writeAs<std::uint16_t>(out, count, [&](auto i) {
            return runtime::floatToBfloat(static_cast<float>(tensor.real(i)));
        });
        break;
    case Int8:
    case UInt8:
    case Bool:
        writeAs<std::uint8_t>(out, count, integer);
        break;
    case Int16:
    case UInt16:
        writeAs<std::uint16_t>(out, count, integer);
        break;
    case Int32:
    case UInt32:
        writeAs<std::uint32_t>(out, count, integer);
        break;
    case Int64:
    case UInt64:
        writeAs<std::int64_t>(out, count, integer);
        break;
    }
    return out;
}

} // namespace tilewright::graph
