// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Returns the rfactor block.
Outcome<SrefId> rfactor(ScheduleState& state, SrefId loop, int factorAxis);

} // namespace tilewright::schedule
