// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

Outcome<void> parallelize(ScheduleState& state, SrefId loop);
Outcome<void> vectorize(ScheduleState& state, SrefId loop);
Outcome<void> unroll(ScheduleState& state, SrefId loop);
Outcome<void> bindThread(ScheduleState& state, SrefId loop, const std::string& threadTag);

} // namespace tilewright::schedule
