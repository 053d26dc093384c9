// SPDX-License-Identifier: Apache-2.0
#include "primitives/reorder_block_iter_var.h"

#include <tilewright/base/concat.h>

namespace tilewright::schedule {

Outcome<void> reorderBlockIterVar(ScheduleState& state, SrefId blockId,
                                  const std::vector<std::int64_t>& order) {
    const ir::BlockNode* block = state.block(blockId);
    const std::size_t count = block->iterVars.size();
    std::vector<bool> seen(count, false);
    for (const std::int64_t place : order) {
        if (place < 0 || place >= static_cast<std::int64_t>(count) ||
            seen[static_cast<std::size_t>(place)] || order.size() != count)
            return fail("InvalidReorderIndex",
                        base::concat("new_order must be a permutation of the ", count,
                                     " iterators of ", block->name),
                        {block->name});
        seen[static_cast<std::size_t>(place)] = true;
    }
    if (order.size() != count)
        return fail("InvalidReorderIndex",
                    base::concat("new_order must name all ", count, " iterators"), {block->name});
    if (!state.parent(blockId).valid())
        return {};
    const ir::BlockRealizeNode* realize = state.realize(blockId);
    std::vector<ir::IterVar> iters;
    std::vector<ir::Expr> values;
    for (const std::int64_t place : order) {
        iters.push_back(block->iterVars[static_cast<std::size_t>(place)]);
        values.push_back(realize->iterValues[static_cast<std::size_t>(place)]);
    }
    const ir::Block copy =
        ir::edited(block, [&](ir::BlockNode& n) { n.iterVars = std::move(iters); });
    state.replace(blockId, ir::makeBlockRealize(std::move(values), realize->predicate, copy),
                  {{block, copy.get()}});
    return {};
}

} // namespace tilewright::schedule
