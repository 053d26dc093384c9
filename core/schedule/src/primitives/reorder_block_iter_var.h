// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Puts the iterators of a block in another order; `order[i]` is the old place of the new i-th.
Outcome<void> reorderBlockIterVar(ScheduleState& state, SrefId block,
                                  const std::vector<std::int64_t>& order);

} // namespace tilewright::schedule
