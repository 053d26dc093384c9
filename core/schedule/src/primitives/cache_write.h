// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Returns the block that copies the cache into the buffer.
Outcome<SrefId> cacheWrite(ScheduleState& state, SrefId block, int writeBufferIndex,
                           const std::string& storageScope, const std::vector<SrefId>& consumers);

} // namespace tilewright::schedule
