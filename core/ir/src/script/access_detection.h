// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/stmt.h>

#include <vector>

namespace tilewright::ir {

struct DetectedAccesses {
    std::vector<BufferRegion> reads;
    std::vector<BufferRegion> writes;
    /// A raw pointer is used whose accesses cannot be told.
    bool isOpaque = false;
};

/// The regions that a block's init and body access, for a block that does not declare them. Loops
/// inside the block are relaxed over their ranges; blocks inside count by their declared regions.
DetectedAccesses detectAccesses(const BlockNode& block);

} // namespace tilewright::ir
