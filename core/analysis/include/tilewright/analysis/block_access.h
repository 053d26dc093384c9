// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/stmt.h>

#include <vector>

namespace tilewright::analysis {

/// Regions a block's body touches, in terms of the block's iterators and outer variables.
struct BlockAccess {
    std::vector<ir::BufferRegion> reads;
    std::vector<ir::BufferRegion> writes;
    /// Touched through intrinsics or pointers, whole buffers.
    std::vector<ir::BufferRegion> opaque;
};

/// Regions are the union of all accesses, inner loops and inner blocks relaxed to their ranges,
/// guards of `if`, if_then_else and Select that bound a variable taken into account; the block's
/// own iterators stay symbolic. In a block with init, reads of its output are not listed. Buffers
/// allocated in the block are left out.
BlockAccess detectBlockAccess(const ir::BlockNode& block);
/// Reads and writes only, where each opaque access counts as both.
BlockAccess detectReadWrite(const ir::BlockNode& block);

/// The block with its read and write lists detected anew.
ir::Block withDetectedAccess(const ir::Block& block);

} // namespace tilewright::analysis
