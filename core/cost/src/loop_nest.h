// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/stmt.h>

#include <array>
#include <cstdint>
#include <vector>

namespace tilewright::cost {

/// The loops above a statement, outermost first, and what is counted of them.
struct LoopNest {
    struct Loop {
        const ir::ForNode* node;
        std::int64_t extent; ///< 1 when it is not constant
    };
    std::vector<Loop> loops;
    std::vector<std::int64_t>
        autoUnroll;                     ///< values of pragma_auto_unroll_max_step, outermost first
    std::vector<std::int64_t> parallel; ///< extents of loops of that kind
    std::vector<std::int64_t> vectorized;
    std::vector<std::int64_t> unrolled;
    /// blockIdx.x, .y, .z, threadIdx.x, .y, .z, vthread
    std::array<std::vector<std::int64_t>, 7> bound;
    std::int64_t product = 1;

    static LoopNest of(const std::vector<const ir::ForNode*>& loops);

private:
    void push(const ir::ForNode& loop);
    std::vector<std::int64_t>* kindOf(const ir::ForNode& loop);
};

/// 2-logarithm of 1 + |x|.
double slog(double x);

} // namespace tilewright::cost
