// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/tensor_fill.h>

#include <tilewright/base/hash.h>

#include <cmath>
#include <cstring>
#include <string_view>

namespace tilewright::runtime {

namespace {

/// A uniform value in [0, 1) with 24 random bits, from splitmix64 of the element's index.
double unitAt(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t x = seed * 0x9e3779b97f4a7c15ULL + (index + 1) * 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    x ^= x >> 31;
    return static_cast<double>(x >> 40) * 0x1p-24;
}

void fillUniform(Tensor& tensor, const Fill& fill) {
    const double width = fill.high - fill.low;
    const std::int64_t count = tensor.elements();
    if (tensor.type() == ElementType{TypeCode::Float, 32}) {
        float* out = static_cast<float*>(tensor.data());
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = static_cast<float>(fill.low +
                                        width * unitAt(fill.seed, static_cast<std::uint64_t>(i)));
        return;
    }
    const bool whole = !tensor.type().isFloating();
    for (std::int64_t i = 0; i < count; ++i) {
        const double value = fill.low + width * unitAt(fill.seed, static_cast<std::uint64_t>(i));
        tensor.setValueAt(i, whole ? std::floor(value) : value);
    }
}

} // namespace

Fill timingFill(ElementType type, std::uint64_t seed) {
    if (type.isFloating())
        return {FillKind::Uniform, seed, 1, 10};
    if (type.bits == 8 && type.code != TypeCode::Bool)
        return {FillKind::Uniform, seed, 0, 10};
    return {FillKind::Uniform, seed, 0, 2};
}

Fill checkFill(ElementType type, std::uint64_t seed) {
    if (type.isFloating())
        return {FillKind::Uniform, seed, -1, 1};
    if (type.bits <= 16 && type.code == TypeCode::Int)
        return {FillKind::Uniform, seed, -8, 8};
    if (type.bits <= 16 && type.code == TypeCode::UInt)
        return {FillKind::Uniform, seed, 0, 16};
    return {FillKind::Uniform, seed, 0, 2};
}

void fillTensor(Tensor& tensor, const Fill& fill) {
    if (tensor.elements() == 0)
        return;
    switch (fill.kind) {
    case FillKind::Zero:
        std::memset(tensor.data(), 0, static_cast<std::size_t>(tensor.bytes()));
        return;
    case FillKind::Poison:
        std::memset(tensor.data(), 0xff, static_cast<std::size_t>(tensor.bytes()));
        return;
    case FillKind::Uniform:
        fillUniform(tensor, fill);
        return;
    }
}

std::uint64_t hashTensor(const Tensor& tensor) {
    std::uint64_t hash =
        base::hashCombine(static_cast<std::uint64_t>(tensor.type().code), tensor.type().bits);
    for (const std::int64_t extent : tensor.shape())
        hash = base::hashCombine(hash, static_cast<std::uint64_t>(extent));
    const std::string_view bytes(static_cast<const char*>(tensor.data()),
                                 static_cast<std::size_t>(tensor.bytes()));
    return base::hashCombine(hash, base::hashBytes(bytes));
}

} // namespace tilewright::runtime
