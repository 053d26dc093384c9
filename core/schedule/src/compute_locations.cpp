// SPDX-License-Identifier: Apache-2.0
#include "primitives/compute_at.h"
#include "primitives/compute_inline.h"

#include <tilewright/analysis/block_kind.h>
#include <tilewright/ir/make.h>
#include <tilewright/schedule/sampling.h>

#include <algorithm>

namespace tilewright::schedule {

namespace {

/// Loops of the first consumer that come into question, outermost first, before trying.
std::vector<ComputeLocation> loopsInQuestion(const ScheduleState& state, SrefId block) {
    const std::vector<SrefId> consumers = state.consumers(block);
    if (consumers.empty())
        return {};
    const SrefId boundary =
        consumers.size() > 1 ? state.lowestCommonAncestor(consumers) : state.parent(consumers[0]);
    if (!boundary.valid() || !state.isLoop(boundary))
        return {};
    const std::vector<SrefId> loops = state.loopsAbove(consumers[0]);
    const auto end = std::find(loops.begin(), loops.end(), boundary);
    if (end == loops.end())
        return {};
    const auto count = static_cast<std::size_t>(end - loops.begin()) + 1;

    std::vector<bool> spatial(count);
    std::size_t spatialEnd = 0; // behind the deepest data-parallel loop
    for (std::size_t i = 0; i < count; ++i) {
        spatial[i] = analysis::loopIterType(*state.loop(loops[i])) == ir::IterType::DataPar;
        if (spatial[i])
            spatialEnd = i + 1;
    }
    std::vector<ComputeLocation> result;
    bool reductionPassed = false;
    for (std::size_t i = 0; i < spatialEnd; ++i) {
        if (ir::isOne(state.loop(loops[i])->extent))
            continue;
        if (spatial[i] && reductionPassed)
            break;
        reductionPassed = reductionPassed || !spatial[i];
        result.push_back({static_cast<int>(i), loops[i]});
    }
    return result;
}

bool isPossible(ScheduleState& state, SrefId block, const ComputeLocation& location) {
    return computeAt(state, block, location.loop, true, -1, true).has_value();
}

} // namespace

std::vector<ComputeLocation> computeLocations(ScheduleState& state, SrefId block) {
    std::vector<ComputeLocation> result;
    if (computeInline(state, block, true))
        result.push_back({-2, SrefId()});
    result.push_back({-1, SrefId()});
    for (const ComputeLocation& location : loopsInQuestion(state, block))
        if (isPossible(state, block, location))
            result.push_back(location);
    return result;
}

ComputeLocation nearestComputeLocation(ScheduleState& state, SrefId block, std::int64_t wanted) {
    if (wanted == -2 && computeInline(state, block, true))
        return {-2, SrefId()};
    if (wanted >= 0) {
        const std::vector<ComputeLocation> loops = loopsInQuestion(state, block);
        for (std::size_t i = loops.size(); i-- > 0;)
            if (loops[i].index <= wanted && isPossible(state, block, loops[i]))
                return loops[i];
    }
    return {-1, SrefId()};
}

} // namespace tilewright::schedule
