// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/schedule_state.h>

#include <span>

namespace tilewright::space {

/// How many innermost loops above the block may be fused and still walk every buffer contiguously
/// (or not at all).
int countFusibleLoops(const ir::BlockRealizeNode& realize,
                      std::span<const ir::ForNode* const> loops);

} // namespace tilewright::space
