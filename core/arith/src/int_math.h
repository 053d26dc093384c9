// SPDX-License-Identifier: Apache-2.0
#pragma once

// 64-bit arithmetic in which the two ends of the range stand for minus and plus infinity.

#include <tilewright/arith/analyzer.h>
#include <tilewright/base/floor_division.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace tilewright::arith {

inline constexpr std::int64_t kPosInf = ConstIntBound::kPosInf;
inline constexpr std::int64_t kNegInf = ConstIntBound::kNegInf;

inline bool isInf(std::int64_t x) {
    return x == kPosInf || x == kNegInf;
}

using base::floorDivide;
using base::floorRemainder;

/// gcd of magnitudes; gcd(0, x) = |x|.
inline std::int64_t gcdInt(std::int64_t a, std::int64_t b) {
    return std::gcd(a, b);
}

inline std::int64_t addInf(std::int64_t a, std::int64_t b) {
    if (isInf(a))
        return a;
    if (isInf(b))
        return b;
    std::int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result))
        return a > 0 ? kPosInf : kNegInf;
    return result;
}

inline std::int64_t mulInf(std::int64_t a, std::int64_t b) {
    if (a == 0 || b == 0)
        return 0;
    std::int64_t result = 0;
    if (!isInf(a) && !isInf(b) && !__builtin_mul_overflow(a, b, &result))
        return result;
    return (a > 0) == (b > 0) ? kPosInf : kNegInf;
}

inline std::int64_t floorDivInf(std::int64_t a, std::int64_t b) {
    if (isInf(a))
        return b > 0 ? a : -a;
    if (isInf(b))
        return a == 0 || (a > 0) == (b > 0) ? 0 : -1;
    return floorDivide(a, b);
}

inline std::int64_t truncDivInf(std::int64_t a, std::int64_t b) {
    if (isInf(a))
        return b > 0 ? a : -a;
    if (isInf(b))
        return 0;
    return a / b;
}

inline ConstIntBound intersectBounds(ConstIntBound a, ConstIntBound b) {
    return {std::max(a.min, b.min), std::min(a.max, b.max)};
}
inline ConstIntBound uniteBounds(ConstIntBound a, ConstIntBound b) {
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

/// Values of an integer type; everything for other types.
inline ConstIntBound boundOfType(ir::DataType type) {
    if (type.isBool())
        return {0, 1};
    if (!type.isIntegral())
        return {};
    const int valueBits = type.bits - (type.isInt() ? 1 : 0);
    ConstIntBound bound;
    bound.max = valueBits >= 63 ? kPosInf : (std::int64_t{1} << valueBits) - 1;
    if (type.isUInt())
        bound.min = 0;
    else
        bound.min = valueBits >= 63 ? kNegInf : -(std::int64_t{1} << valueBits);
    return bound;
}

/// int32 or int64 scalars: what index arithmetic is done in.
inline bool isIndexType(ir::DataType type) {
    return type.isInt() && type.isScalar() && (type.bits == 32 || type.bits == 64);
}

} // namespace tilewright::arith
