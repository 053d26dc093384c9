// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/schedule.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tilewright::space {

/// Loops above a block, outermost first.
std::vector<const ir::ForNode*> loopNodes(const schedule::ScheduleState& state,
                                          schedule::SrefId block);
/// One loop for one iterator, in order.
bool hasTrivialBinding(const schedule::ScheduleState& state, schedule::SrefId block);
/// Reduction block of its scope.
bool isReductionBlock(const schedule::ScheduleState& state, schedule::SrefId block);
bool isCompleteBlock(const schedule::ScheduleState& state, schedule::SrefId block);
bool isOutputBlock(const schedule::ScheduleState& state, schedule::SrefId block);
bool needsMultiLevelTiling(const schedule::ScheduleState& state, schedule::SrefId block);
/// Every block of the function that holds `block` is spatial.
bool isInSpatialFunction(const schedule::ScheduleState& state, schedule::SrefId block);
/// Whether ComputeInline / ReverseComputeInline would accept the block; tried on a copy.
bool canComputeInline(const schedule::Schedule& schedule, schedule::BlockRV block);
bool canReverseComputeInline(const schedule::Schedule& schedule, schedule::BlockRV block);
/// Blocks directly below a loop or block.
std::size_t countChildBlocks(const schedule::ScheduleState& state, schedule::SrefId above);

} // namespace tilewright::space
