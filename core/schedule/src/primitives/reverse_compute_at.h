// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Moves a consumer under `loop`; see computeAt.
Outcome<void> reverseComputeAt(ScheduleState& state, SrefId block, SrefId loop,
                               bool preserveUnitLoops, int index, bool checkOnly = false);

} // namespace tilewright::schedule
