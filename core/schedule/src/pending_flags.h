// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/schedule_state.h>

namespace tilewright::schedule {

/// A block whose flags wait.
struct ScheduleState::PendingItem {
    SrefId id;
    int scope = -1; ///< position of the item of the block around it, -1 = outside
    const ir::BlockRealizeNode* realize = nullptr;
    std::vector<const ir::ForNode*> loops; ///< around it up to the next block
};

/// Flags that are to be computed from the module as it was when they were asked to be refreshed.
/// Most are never looked at (reductions are decomposed at the very end of a schedule), and proving
/// that regions cover is dear, so they wait here until someone asks.
struct ScheduleState::PendingFlags {
    ir::Module module;              ///< keeps the nodes alive
    std::vector<PendingItem> items; ///< a block before those in it

    [[nodiscard]] const PendingItem* find(SrefId id) const;
    /// The items whose scope is the given one, in textual order.
    [[nodiscard]] std::vector<const PendingItem*> childrenOf(const PendingItem& scope) const;
};

} // namespace tilewright::schedule
