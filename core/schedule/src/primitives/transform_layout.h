// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

#include <tilewright/ir/index_map.h>

namespace tilewright::schedule {

/// `padValue`: null = none.
Outcome<void> transformLayout(ScheduleState& state, SrefId block, int bufferIndex,
                              BufferIndexType type, const ir::IndexMap& indexMap,
                              const ir::IndexMap* padValue, bool assumeInjective);

} // namespace tilewright::schedule
