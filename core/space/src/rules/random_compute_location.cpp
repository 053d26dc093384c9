// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/schedule_rule.h>

#include "../block_facts.h"

#include <tilewright/analysis/block_predicates.h>
#include <tilewright/base/check.h>

namespace tilewright::space {

using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;
using schedule::SrefId;

namespace {

constexpr std::string_view kProducerKey = "meta_schedule.random_compute_producer";

bool applies(const schedule::ScheduleState& state, SrefId block) {
    const SrefId scope = state.parentBlock(block);
    if (!scope.valid() || state.parent(scope).valid())
        return false; // the root itself, or nested deeper than right below it
    const std::vector<SrefId> loops = state.loopsAbove(block);
    if (loops.empty() || countChildBlocks(state, loops[0]) != 1)
        return false;
    if (analysis::hasBeenMultiLevelTiled(*state.block(block)))
        return false;
    return !state.consumers(block).empty();
}

void moveToSampledPlace(Schedule& sch, BlockRV block) {
    const LoopRV place = sch.sampleComputeLocation(block);
    sch.computeAt(block, place, true);
}

class RandomComputeLocation final : public ScheduleRule {
public:
    [[nodiscard]] std::string_view name() const override { return "RandomComputeLocation"; }

    [[nodiscard]] std::vector<Schedule> apply(const SpaceContext&, Schedule sch,
                                              BlockRV block) const override {
        if (!applies(sch.state(), sch.sref(block)))
            return {std::move(sch)};
        std::vector<BlockRV> producers;
        if (sch.get(block)->annotations.contains(kProducerKey)) {
            producers = sch.getProducers(block);
            sch.unannotate(block, kProducerKey);
            TW_CHECK(producers.size() == 1);
        }
        moveToSampledPlace(sch, block);
        for (const BlockRV producer : producers)
            moveToSampledPlace(sch, producer);
        return {std::move(sch)};
    }
};

} // namespace

ScheduleRulePtr randomComputeLocation() {
    return std::make_shared<RandomComputeLocation>();
}

} // namespace tilewright::space
