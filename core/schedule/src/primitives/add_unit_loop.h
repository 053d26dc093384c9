// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Wraps a loop or block in a serial loop of extent 1, which is returned.
Outcome<SrefId> addUnitLoop(ScheduleState& state, SrefId target);

} // namespace tilewright::schedule
