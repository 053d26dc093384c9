// SPDX-License-Identifier: Apache-2.0
#include "primitives/compute_at.h"

#include "primitives/move_block.h"

namespace tilewright::schedule {

Outcome<void> computeAt(ScheduleState& state, SrefId block, SrefId loop, bool preserveUnitLoops,
                        int index, bool checkOnly) {
    return moveBlock(state, block, loop, preserveUnitLoops, index, MoveDirection::ToConsumers,
                     checkOnly);
}

} // namespace tilewright::schedule
