// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/schedule_rule.h>

#include "../block_facts.h"

#include <tilewright/analysis/block_kind.h>
#include <tilewright/analysis/block_predicates.h>

namespace tilewright::space {

using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;
using schedule::SrefId;

namespace {

/// Spatial loops outermost, reduction loops fused into one. Gives the fused loop and the number of
/// spatial loops.
std::pair<LoopRV, int> reorderAndFuseReductionLoops(Schedule& sch, BlockRV block) {
    const std::vector<LoopRV> loops = sch.getLoops(block);
    std::vector<LoopRV> spatial;
    std::vector<LoopRV> reduction;
    bool ordered = true;
    for (const LoopRV loop : loops) {
        const bool isSpatial = analysis::loopIterType(*sch.get(loop)) == ir::IterType::DataPar;
        ordered = ordered && !(isSpatial && !reduction.empty());
        (isSpatial ? spatial : reduction).push_back(loop);
    }
    if (!ordered) {
        std::vector<LoopRV> order = spatial;
        order.insert(order.end(), reduction.begin(), reduction.end());
        sch.reorder(order);
    }
    const LoopRV fused = reduction.size() > 1 ? sch.fuse(reduction) : reduction.front();
    return {fused, static_cast<int>(spatial.size())};
}

class AddRFactor final : public ScheduleRule {
public:
    AddRFactor(int maxJobsPerCore, int maxInnermostFactor)
        : maxJobsPerCore_(maxJobsPerCore), maxInnermostFactor_(maxInnermostFactor) {}
    [[nodiscard]] std::string_view name() const override { return "AddRFactor"; }

    [[nodiscard]] std::vector<Schedule> apply(const SpaceContext& context, Schedule sch,
                                              BlockRV block) const override {
        const auto& state = sch.state();
        const SrefId sref = sch.sref(block);
        if (!state.parent(sref).valid())
            return {std::move(sch)};
        const std::int64_t maxParallel =
            maxJobsPerCore_ == -1 ? -1 : std::int64_t{context.numCores()} * maxJobsPerCore_;
        const auto loops = loopNodes(state, sref);
        if (!analysis::needsRFactorOrCrossThreadReduction(
                *state.realize(sref), loops, isReductionBlock(state, sref), maxParallel))
            return {std::move(sch)};
        Schedule original = sch.fork();
        const auto [fused, spatialCount] = reorderAndFuseReductionLoops(sch, block);
        const auto factors = sch.samplePerfectTile(fused, 2, maxInnermostFactor_);
        const std::vector<LoopRV> parts =
            sch.split(fused, {schedule::Value(factors[0]), schedule::Value(factors[1])});
        std::vector<Schedule> result;
        for (const LoopRV part : parts) {
            Schedule candidate = sch.fork();
            auto factored =
                candidate.tryApply(*schedule::findInstructionKind("RFactor"),
                                   {schedule::Value(part)}, {schedule::Value(spatialCount)});
            if (!factored)
                continue;
            // MetaSchedule looks at the new block's loops here; the trace keeps the look.
            static_cast<void>(candidate.getLoops(BlockRV(factored->at(0).id)));
            candidate.annotate(block, "meta_schedule.random_compute_producer", 1);
            result.push_back(std::move(candidate));
        }
        result.push_back(std::move(original));
        return result;
    }

private:
    int maxJobsPerCore_;
    int maxInnermostFactor_;
};

} // namespace

ScheduleRulePtr addRFactor(int maxJobsPerCore, int maxInnermostFactor) {
    return std::make_shared<AddRFactor>(maxJobsPerCore, maxInnermostFactor);
}

} // namespace tilewright::space
