// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/tensor.h>

#include <tilewright/base/concat.h>
#include <tilewright/runtime/kernel_abi.h>

#include <cstdlib>
#include <cstring>

namespace tilewright::runtime {

std::optional<std::int64_t> elementCount(std::span<const std::int64_t> shape) {
    constexpr std::int64_t kLimit = std::int64_t{1} << 59; // times 8 bytes stays below 2⁶²
    std::int64_t count = 1;
    bool empty = false;
    for (const std::int64_t extent : shape) {
        if (extent < 0)
            return std::nullopt;
        if (extent == 0) {
            empty = true;
            continue;
        }
        if (count > kLimit / extent)
            return std::nullopt;
        count *= extent;
    }
    return empty ? 0 : count;
}

std::string toString(std::span<const std::int64_t> shape) {
    return base::concat('(', base::join(shape, ", "), shape.size() == 1 ? ",)" : ")");
}

void Tensor::Free::operator()(void* memory) const {
    std::free(memory);
}

base::Result<Tensor> Tensor::allocate(ElementType type, TensorShape shape) {
    if (!isSupported(type))
        return base::Unexpected(base::Diagnostic(
            "tensor-type", base::concat("tensors hold int and uint of 8 to 64 bits, float of 16 to "
                                        "64 bits, bfloat16 and bool: code=",
                                        static_cast<int>(type.code), ", bits=", int{type.bits})));
    const auto count = elementCount(shape);
    if (!count)
        return base::Unexpected(base::Diagnostic(
            "tensor-shape",
            base::concat("extents must be at least 0 and their product below 2^59: shape=",
                         toString(shape))));
    Tensor tensor;
    tensor.type_ = type;
    tensor.shape_ = std::move(shape);
    tensor.elements_ = *count;
    const auto bytes = static_cast<std::size_t>(tensor.bytes());
    const std::size_t rounded = (bytes + TW_ALIGNMENT) / TW_ALIGNMENT * TW_ALIGNMENT;
    tensor.memory_.reset(std::aligned_alloc(TW_ALIGNMENT, rounded));
    if (!tensor.memory_)
        return base::Unexpected(base::Diagnostic(
            "out-of-memory", base::concat("no memory for a tensor: type=", toString(type),
                                          ", shape=", toString(tensor.shape_),
                                          ", bytes=", static_cast<std::uint64_t>(bytes))));
    return tensor;
}

double Tensor::valueAt(std::int64_t index) const {
    TW_DCHECK(index >= 0 && index < elements_);
    const auto i = static_cast<std::size_t>(index);
    switch (type_.code) {
    case TypeCode::Bool:
        return as<std::uint8_t>()[i] != 0 ? 1 : 0;
    case TypeCode::BFloat:
        return bfloatToFloat(as<std::uint16_t>()[i]);
    case TypeCode::Float:
        switch (type_.bits) {
        case 16:
            return halfToFloat(as<std::uint16_t>()[i]);
        case 32:
            return as<float>()[i];
        default:
            return as<double>()[i];
        }
    case TypeCode::Int:
        switch (type_.bits) {
        case 8:
            return as<std::int8_t>()[i];
        case 16:
            return as<std::int16_t>()[i];
        case 32:
            return as<std::int32_t>()[i];
        default:
            return static_cast<double>(as<std::int64_t>()[i]);
        }
    case TypeCode::UInt:
        switch (type_.bits) {
        case 8:
            return as<std::uint8_t>()[i];
        case 16:
            return as<std::uint16_t>()[i];
        case 32:
            return as<std::uint32_t>()[i];
        default:
            return static_cast<double>(as<std::uint64_t>()[i]);
        }
    }
    return 0;
}

void Tensor::setValueAt(std::int64_t index, double value) {
    TW_DCHECK(index >= 0 && index < elements_);
    const auto i = static_cast<std::size_t>(index);
    switch (type_.code) {
    case TypeCode::Bool:
        as<std::uint8_t>()[i] = value != 0 ? 1 : 0;
        return;
    case TypeCode::BFloat:
        as<std::uint16_t>()[i] = floatToBfloat(static_cast<float>(value));
        return;
    case TypeCode::Float:
        if (type_.bits == 16)
            as<std::uint16_t>()[i] = floatToHalf(static_cast<float>(value));
        else if (type_.bits == 32)
            as<float>()[i] = static_cast<float>(value);
        else
            as<double>()[i] = value;
        return;
    case TypeCode::Int:
    case TypeCode::UInt:
        break;
    }
    // Two's complement: the low bits are the same for signed and unsigned.
    const auto bits = type_.code == TypeCode::UInt && value >= 0
                          ? static_cast<std::uint64_t>(value)
                          : static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    std::memcpy(static_cast<char*>(data()) + index * type_.bytes(), &bits,
                static_cast<std::size_t>(type_.bytes()));
}

base::Result<Tensor> Tensor::clone() const {
    auto copy = allocate(type_, shape_);
    if (copy && bytes() > 0)
        std::memcpy(copy->data(), data(), static_cast<std::size_t>(bytes()));
    return copy;
}

} // namespace tilewright::runtime
