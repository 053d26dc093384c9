// SPDX-License-Identifier: Apache-2.0
#pragma once

// Conditions on blocks that several primitives ask for, with TVM's error classes.

#include "primitives/primitive.h"

#include <tilewright/analysis/block_kind.h>

#include <string_view>

namespace tilewright::schedule {

/// How many child blocks of a scope write each buffer.
analysis::BufferWriters writersIn(const ScheduleState& state, SrefId scope);

/// IncompleteBlockError.
Outcome<void> checkComplete(const ScheduleState& state, SrefId block, SrefId scope);
/// NotReductionBlockError.
Outcome<void> checkReduction(const ScheduleState& state, SrefId block, SrefId scope);
/// NotCompleteOrReductionBlockError.
Outcome<void> checkCompleteOrReduction(const ScheduleState& state, SrefId block, SrefId scope);
/// OutputBlockError.
Outcome<void> checkNotOutput(const ScheduleState& state, SrefId block, SrefId scope);
/// InvalidStorageScopeError.
Outcome<void> checkStorageScope(std::string_view storageScope);
/// The buffer at an index of the reads or writes; BufferIndexOutOfRangeError.
Outcome<ir::Buffer> bufferAt(const ScheduleState& state, SrefId block, int index,
                             BufferIndexType type);

} // namespace tilewright::schedule
