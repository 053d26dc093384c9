// SPDX-License-Identifier: Apache-2.0
#pragma once

// What cache_read and cache_write share: where the copy goes, the block that copies, and the
// rewriting of accesses.

#include "primitives/primitive.h"

#include <tilewright/ir/stmt.h>

#include <string>
#include <vector>

namespace tilewright::schedule {

/// A place among the statements of a loop or block.
struct CacheLocation {
    SrefId parent;
    int position = 0;
};

/// In the innermost loop or scope that holds `writer` and one of the blocks that read its result,
/// directly before the first of these (`readers` empty: at the end of the scope).
CacheLocation locateBetween(const ScheduleState& state, SrefId writer, SrefId scope,
                            const std::vector<SrefId>& readers);

/// Child blocks of the scope that read what `block` writes (RAW).
std::vector<SrefId> readersOf(const ScheduleState& state, SrefId scope, SrefId block);

/// The region of a buffer that the block touches, seen from `high`, inside the buffer's shape.
ir::BufferRegion relaxedRegion(const ScheduleState& state, SrefId block,
                               const ir::BufferRegion& region, SrefId high);

/// The region of the buffer in a list; null when it is not there.
const ir::BufferRegion* findRegion(const std::vector<ir::BufferRegion>& regions,
                                   const ir::Buffer& buffer);

/// The only child block of the scope that writes the buffer; an invalid id when none does;
/// NotSingleWriteBlock when several do.
Outcome<SrefId> onlyWriter(const ScheduleState& state, SrefId scope, const ir::Buffer& buffer);

/// One copy between a buffer and its cache.
struct CacheStage {
    ir::Buffer from;         ///< read by the copy
    ir::Buffer to;           ///< written by the copy
    ir::Buffer original;     ///< the one of the two that was there before
    ir::Buffer cache;        ///< the other, new one
    ir::BufferRegion region; ///< of the original: what is copied
    bool fullShape = true;   ///< the cache has the original's shape, else the region's
    CacheLocation location;
    ir::Block block; ///< the copy
    ir::Stmt nest;   ///< the copy under its loops
};

/// Fills location, region, shape, the cache buffer (`<buffer>_<scope>`), block and nest. `reading`:
/// the cache is filled from the original.
CacheStage makeCacheStage(const ScheduleState& state, SrefId scope, const ir::Buffer& original,
                          const std::string& storageScope, const ir::BufferRegion& region,
                          CacheLocation location, bool reading);

/// Statements with `stage` put in at a position.
ir::Stmt insertAt(const ir::Stmt& body, int position, const ir::Stmt& stage);

} // namespace tilewright::schedule
