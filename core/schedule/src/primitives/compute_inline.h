// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Inlines a block into its consumers. With `checkOnly` nothing is edited.
Outcome<void> computeInline(ScheduleState& state, SrefId block, bool checkOnly = false);

} // namespace tilewright::schedule
