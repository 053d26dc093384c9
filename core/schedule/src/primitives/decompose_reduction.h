// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Returns the init block.
Outcome<SrefId> decomposeReduction(ScheduleState& state, SrefId block, SrefId loop);

} // namespace tilewright::schedule
