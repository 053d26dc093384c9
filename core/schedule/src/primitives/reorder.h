// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

Outcome<void> reorder(ScheduleState& state, const std::vector<SrefId>& loops);

} // namespace tilewright::schedule
