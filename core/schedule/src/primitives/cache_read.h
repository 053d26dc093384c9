// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Returns the block that copies the buffer into the cache.
Outcome<SrefId> cacheRead(ScheduleState& state, SrefId block, int readBufferIndex,
                          const std::string& storageScope, const std::vector<SrefId>& consumers);

} // namespace tilewright::schedule
