// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Moves a producer under `loop`. `index`: place among the loop's children (-1 before the first
/// consumer, -2 after the last producer). With `checkOnly` nothing is edited.
Outcome<void> computeAt(ScheduleState& state, SrefId block, SrefId loop, bool preserveUnitLoops,
                        int index, bool checkOnly = false);

} // namespace tilewright::schedule
