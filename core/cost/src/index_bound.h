// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loop_nest.h"

#include <tilewright/ir/expr.h>

#include <cstdint>

namespace tilewright::cost {

struct IndexBound {
    std::int64_t min;
    std::int64_t max;
};

/// Bounds of index expressions while the inner loops of a nest run and the outer ones stand at
/// their first iteration.
///
/// The features were learnt with an estimate that, for a remainder, takes every loop variable's
/// residue as that of its first iteration: `(i * 64 + j) % 40` is the single value 0 unless the
/// dividend stays below 40. We keep that estimate, since models and records of others rest on it.
class IndexBounds {
public:
    explicit IndexBounds(const LoopNest& nest) : nest_(nest), firstRunning_(nest.loops.size()) {}
    /// Loops from `index` inwards run.
    void runFrom(std::size_t index) { firstRunning_ = index; }
    [[nodiscard]] IndexBound of(const ir::Expr& expr) const;

private:
    /// Values coeff * k + base at the first iteration of all loops.
    struct Residue {
        std::int64_t coeff = 1;
        std::int64_t base = 0;
    };
    [[nodiscard]] Residue residue(const ir::Expr& expr) const;
    [[nodiscard]] IndexBound ofBinary(const ir::BinaryNode& node) const;
    [[nodiscard]] IndexBound ofRemainder(const ir::BinaryNode& node, IndexBound a,
                                         IndexBound b) const;

    const LoopNest& nest_;
    std::size_t firstRunning_;
};

} // namespace tilewright::cost
