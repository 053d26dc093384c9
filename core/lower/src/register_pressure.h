// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/stmt.h>

#include <cstdint>
#include <functional>

namespace tilewright::lower {

/// Copies of a statement's loop body that unrolling makes of a loop variable; 1 = not unrolled.
using Copies = std::function<std::int64_t(const ir::VarNode*)>;

/// What one pass through an unrolled body loads, apart from the tile's own buffer.
struct BodyLoads {
    std::int64_t distinct = 0; ///< different addresses in all
    std::int64_t least = 0;    ///< of the operand with the fewest: those stay in registers
};

BodyLoads countLoads(const ir::Stmt& body, const ir::BufferNode* tile, const Copies& copies);

/// Registers that a tile of `accumulators` needs: its own, the operand that is kept, and one that
/// is streamed.
inline std::int64_t registersNeeded(std::int64_t accumulators, const BodyLoads& loads) {
    return accumulators + (loads.least > 0 ? loads.least : 1) + (loads.distinct > loads.least);
}

} // namespace tilewright::lower
