// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

enum class MoveDirection : std::uint8_t {
    ToConsumers, ///< compute_at: the loop holds all consumers
    ToProducers  ///< reverse_compute_at: the loop holds all producers
};

/// Moves a block under a loop, looping over exactly what one iteration of the loop needs.
Outcome<void> moveBlock(ScheduleState& state, SrefId block, SrefId loop, bool preserveUnitLoops,
                        int index, MoveDirection direction, bool checkOnly);

} // namespace tilewright::schedule
