// SPDX-License-Identifier: Apache-2.0
#include "block_facts.h"

#include <tilewright/analysis/block_kind.h>
#include <tilewright/analysis/block_predicates.h>

namespace tilewright::space {

using schedule::ScheduleState;
using schedule::SrefId;

std::vector<const ir::ForNode*> loopNodes(const ScheduleState& state, SrefId block) {
    std::vector<const ir::ForNode*> nodes;
    for (const SrefId loop : state.loopsAbove(block))
        nodes.push_back(state.loop(loop));
    return nodes;
}

bool hasTrivialBinding(const ScheduleState& state, SrefId block) {
    const auto loops = loopNodes(state, block);
    return analysis::isTrivialBinding(*state.realize(block), loops);
}

bool isReductionBlock(const ScheduleState& state, SrefId block) {
    const SrefId scope = state.parentBlock(block);
    if (!scope.valid())
        return false;
    const auto& writers = state.scope(scope).graph.writers();
    return analysis::reductionViolation(*state.block(block), writers,
                                        state.affineBinding(block)) ==
           analysis::ReductionViolation::None;
}

bool isCompleteBlock(const ScheduleState& state, SrefId block) {
    const SrefId scope = state.parentBlock(block);
    if (!scope.valid())
        return false;
    const auto& writers = state.scope(scope).graph.writers();
    return analysis::completeViolation(*state.block(block), writers) ==
           analysis::CompleteViolation::None;
}

bool isOutputBlock(const ScheduleState& state, SrefId block) {
    const SrefId scope = state.parentBlock(block);
    return scope.valid() && analysis::isOutputBlock(*state.block(block), *state.block(scope));
}

bool needsMultiLevelTiling(const ScheduleState& state, SrefId block) {
    return analysis::needsMultiLevelTiling(*state.block(block), hasTrivialBinding(state, block));
}

bool isInSpatialFunction(const ScheduleState& state, SrefId block) {
    return analysis::isSpatialFunction(*state.functionNode(block));
}

namespace {

bool accepts(const schedule::Schedule& schedule, schedule::BlockRV block, std::string_view kind) {
    schedule::Schedule copy = schedule;
    return copy.tryApply(*schedule::findInstructionKind(kind), {schedule::Value(block)})
        .has_value();
}

} // namespace

bool canComputeInline(const schedule::Schedule& schedule, schedule::BlockRV block) {
    return accepts(schedule, block, "ComputeInline");
}

bool canReverseComputeInline(const schedule::Schedule& schedule, schedule::BlockRV block) {
    return accepts(schedule, block, "ReverseComputeInline");
}

std::size_t countChildBlocks(const ScheduleState& state, SrefId above) {
    return state.childBlocks(above).size();
}

} // namespace tilewright::space
