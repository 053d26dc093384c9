// SPDX-License-Identifier: Apache-2.0
#include "primitives/compute_at.h"
#include "primitives/compute_inline.h"

#include <tilewright/analysis/block_kind.h>
#include <tilewright/ir/make.h>
#include <tilewright/schedule/sampling.h>

#include <algorithm>

namespace tilewright::schedule {

std::vector<ComputeLocation> computeLocations(ScheduleState& state, SrefId block) {
    std::vector<ComputeLocation> result;
    if (computeInline(state, block, true))
        result.push_back({-2, SrefId()});
    result.push_back({-1, SrefId()});
    const std::vector<SrefId> consumers = state.consumers(block);
    if (consumers.empty())
        return result;
    const SrefId boundary =
        consumers.size() > 1 ? state.lowestCommonAncestor(consumers) : state.parent(consumers[0]);
    if (!boundary.valid() || !state.isLoop(boundary))
        return result;
    const std::vector<SrefId> loops = state.loopsAbove(consumers[0]);
    const auto end = std::find(loops.begin(), loops.end(), boundary);
    if (end == loops.end())
        return result;
    const auto count = static_cast<std::size_t>(end - loops.begin()) + 1;

    std::vector<bool> spatial(count);
    std::size_t spatialEnd = 0; // behind the deepest data-parallel loop
    for (std::size_t i = 0; i < count; ++i) {
        spatial[i] = analysis::loopIterType(*state.loop(loops[i])) == ir::IterType::DataPar;
        if (spatial[i])
            spatialEnd = i + 1;
    }
    bool reductionPassed = false;
    for (std::size_t i = 0; i < spatialEnd; ++i) {
        if (ir::isOne(state.loop(loops[i])->extent))
            continue;
        if (spatial[i] && reductionPassed)
            break;
        reductionPassed = reductionPassed || !spatial[i];
        if (computeAt(state, block, loops[i], true, -1, true))
            result.push_back({static_cast<int>(i), loops[i]});
    }
    return result;
}

} // namespace tilewright::schedule
