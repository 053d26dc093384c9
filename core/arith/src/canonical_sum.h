// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums of pieces: the canonical form of index arithmetic.

#include "state.h"

#include <limits>
#include <vector>

namespace tilewright::arith {

enum class DivMode : std::uint8_t { Trunc, Floor };

/// `((index % upper) / lower) * scale`.
struct SumPiece {
    static constexpr std::int64_t kNoUpper = std::numeric_limits<std::int64_t>::max();
    ir::Expr index;
    std::int64_t lower = 1;
    std::int64_t upper = kNoUpper;
    std::int64_t scale = 1;
    DivMode mode = DivMode::Floor;

    [[nodiscard]] bool sameIndex(const SumPiece& other) const;
    /// Whether the piece means the same under the other rounding.
    [[nodiscard]] bool allows(DivMode other) const {
        return mode == other || (lower == 1 && upper == kNoUpper);
    }
    [[nodiscard]] ir::Expr expr(std::int64_t factor = 1) const;
};

/// Pieces plus a constant. Pieces with one index stand together, largest divisor first.
struct CanonicalSum {
    std::vector<SumPiece> pieces;
    std::int64_t base = 0;
    ir::DataType type;

    [[nodiscard]] bool isZero() const { return base == 0 && pieces.empty(); }
    void multiply(std::int64_t factor);
    void divide(std::int64_t divisor);
    void add(SumPiece piece, std::int64_t factor);
    void add(const CanonicalSum& other, std::int64_t factor);
    [[nodiscard]] ir::Expr expr() const;
};

} // namespace tilewright::arith
