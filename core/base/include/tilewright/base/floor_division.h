// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilewright::base {

/// Returns a / b rounded towards minus infinity; b is not 0.
constexpr std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/// Returns what floorDivide leaves: a - floorDivide(a, b) * b, which has the sign of b.
constexpr std::int64_t floorRemainder(std::int64_t a, std::int64_t b) {
    const std::int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

} // namespace tilewright::base
