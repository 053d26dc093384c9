// SPDX-License-Identifier: Apache-2.0
#include "primitives/block_checks.h"

#include <tilewright/analysis/region_bounds.h>
#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::schedule {

analysis::BufferWriters writersIn(const ScheduleState& state, SrefId scope) {
    analysis::BufferWriters writers;
    for (const SrefId child : state.scope(scope).children) {
        std::vector<const ir::BufferNode*> seen;
        for (const auto& write : state.block(child)->writes) {
            if (std::find(seen.begin(), seen.end(), write.buffer.get()) != seen.end())
                continue;
            seen.push_back(write.buffer.get());
            writers.add(write.buffer.get());
        }
    }
    return writers;
}

Outcome<void> checkComplete(const ScheduleState& state, SrefId block, SrefId scope) {
    const auto violation = completeViolation(*state.block(block), writersIn(state, scope));
    if (violation == analysis::CompleteViolation::None)
        return {};
    return fail("IncompleteBlockError",
                base::concat("Incomplete block: ", analysis::describe(violation)),
                {state.block(block)->name});
}

Outcome<void> checkReduction(const ScheduleState& state, SrefId block, SrefId scope) {
    const auto violation = reductionViolation(*state.block(block), writersIn(state, scope),
                                              state.affineBinding(block));
    if (violation == analysis::ReductionViolation::None)
        return {};
    return fail("NotReductionBlockError",
                base::concat("Not a reduction block: ", analysis::describe(violation)),
                {state.block(block)->name});
}

Outcome<void> checkCompleteOrReduction(const ScheduleState& state, SrefId block, SrefId scope) {
    const analysis::BufferWriters writers = writersIn(state, scope);
    const ir::BlockNode& node = *state.block(block);
    const auto complete = completeViolation(node, writers);
    if (complete == analysis::CompleteViolation::None)
        return {};
    const auto reduction = reductionViolation(node, writers, state.affineBinding(block));
    if (reduction == analysis::ReductionViolation::None)
        return {};
    return fail("NotCompleteOrReductionBlockError",
                base::concat("Not a complete or reduction block: ", analysis::describe(complete),
                             "; ", analysis::describe(reduction)),
                {node.name});
}

Outcome<void> checkNotOutput(const ScheduleState& state, SrefId block, SrefId scope) {
    if (!analysis::isOutputBlock(*state.block(block), *state.block(scope)))
        return {};
    return fail("OutputBlockError", "Cannot operate on an output block",
                {state.block(block)->name});
}

Outcome<void> checkStorageScope(std::string_view storageScope) {
    if (analysis::storageRank(storageScope) >= 0)
        return {};
    return fail("InvalidStorageScopeError",
                base::concat("The input storage scope \"", storageScope,
                             "\" is invalid: it must begin with global, shared, warp, local, wmma, "
                             "texture or another known scope"));
}

Outcome<ir::Buffer> bufferAt(const ScheduleState& state, SrefId block, int index,
                             BufferIndexType type) {
    const ir::BlockNode& node = *state.block(block);
    const bool read = type == BufferIndexType::Read;
    const auto& regions = read ? node.reads : node.writes;
    if (index >= 0 && static_cast<std::size_t>(index) < regions.size())
        return regions[static_cast<std::size_t>(index)].buffer;
    return fail("BufferIndexOutOfRangeError",
                base::concat("buffer_index ", index, " is out of range: the block has ",
                             regions.size(), read ? " read regions" : " write regions"),
                {node.name});
}

} // namespace tilewright::schedule
