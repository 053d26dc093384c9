// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Inlines a block into its producer. With `checkOnly` nothing is edited.
Outcome<void> reverseComputeInline(ScheduleState& state, SrefId block, bool checkOnly = false);

} // namespace tilewright::schedule
