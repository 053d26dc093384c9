// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

Outcome<SrefId> fuse(ScheduleState& state, const std::vector<SrefId>& loops,
                     bool preserveUnitIters);

} // namespace tilewright::schedule
