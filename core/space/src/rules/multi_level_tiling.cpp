// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/schedule_rule.h>

#include "../block_facts.h"

#include <tilewright/analysis/block_kind.h>
#include <tilewright/analysis/block_predicates.h>
#include <tilewright/base/check.h>

#include <algorithm>
#include <iterator>

namespace tilewright::space {

using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;
using schedule::SrefId;

namespace {

/// One alternative on its way through the steps of tiling.
struct TilingState {
    Schedule schedule;
    BlockRV block;
    std::vector<std::vector<LoopRV>> tiles; ///< one list of loops a letter of the structure
};

class MultiLevelTiling final : public ScheduleRule {
public:
    explicit MultiLevelTiling(MultiLevelTilingOptions options) : options_(std::move(options)) {
        for (std::size_t i = 0; i < options_.structure.size(); ++i) {
            TW_CHECK(options_.structure[i] == 'S' || options_.structure[i] == 'R');
            (options_.structure[i] == 'S' ? spatialSlots_ : reductionSlots_).push_back(i);
        }
    }
    [[nodiscard]] std::string_view name() const override { return "MultiLevelTiling"; }

    [[nodiscard]] std::vector<Schedule> apply(const SpaceContext&, Schedule sch,
                                              BlockRV block) const override {
        const SrefId sref = sch.sref(block);
        if (!sch.state().parent(sref).valid() || !needsMultiLevelTiling(sch.state(), sref))
            return {std::move(sch)};
        sch.annotate(block, "meta_schedule.tiling_structure", options_.structure);
        TilingState state{std::move(sch), block, {}};
        tileLoopNest(state);
        std::vector<Schedule> result;
        for (TilingState& cached : addWriteReuse(std::move(state)))
            result.push_back(std::move(cached.schedule));
        return result;
    }

private:
    void tileLoopNest(TilingState& state) const {
        Schedule& sch = state.schedule;
        const std::vector<LoopRV> loops = sch.getLoops(state.block);
        state.tiles.assign(options_.structure.size(), {});
        for (const LoopRV loop : loops) {
            const ir::IterType type = analysis::loopIterType(*sch.get(loop));
            if (type != ir::IterType::DataPar && type != ir::IterType::CommReduce)
                continue;
            const auto& slots = type == ir::IterType::DataPar ? spatialSlots_ : reductionSlots_;
            const auto count = static_cast<int>(slots.size());
            if (count == 0)
                continue;
            if (count == 1) {
                state.tiles[slots[0]].push_back(loop);
                continue;
            }
            std::vector<schedule::Factor> factors;
            for (const auto& factor :
                 sch.samplePerfectTile(loop, count, options_.maxInnermostFactor))
                factors.emplace_back(factor);
            const std::vector<LoopRV> parts = sch.split(loop, factors);
            for (std::size_t i = 0; i < slots.size(); ++i)
                state.tiles[slots[i]].push_back(parts[i]);
        }
        std::vector<LoopRV> order;
        for (const auto& tile : state.tiles)
            order.insert(order.end(), tile.begin(), tile.end());
        sch.reorder(order);
    }

    [[nodiscard]] static TilingState copyOf(TilingState& state) {
        return {state.schedule.fork(), state.block, state.tiles};
    }

    [[nodiscard]] std::vector<TilingState> addWriteReuse(TilingState state) const {
        ReuseRequirement requirement = options_.reuseWrite.requirement;
        std::vector<int> levels = options_.reuseWrite.levels;
        const ir::AttrValue* wanted =
            state.schedule.get(state.block)
                ->annotations.find("s_tir.meta_schedule.write_cache_level");
        if (wanted && wanted->asList()) {
            requirement = ReuseRequirement::Must;
            levels.clear();
            for (const ir::AttrValue& level : *wanted->asList())
                levels.push_back(static_cast<int>(level.toInt(1)));
        }
        std::vector<TilingState> result;
        if (requirement == ReuseRequirement::No) {
            result.push_back(std::move(state));
            return result;
        }
        if (requirement == ReuseRequirement::May) {
            const std::vector<BlockRV> consumers = state.schedule.getConsumers(state.block);
            if (consumers.size() == 1 &&
                analysis::isWriteCache(*state.schedule.get(consumers[0]))) {
                for (const int level : levels)
                    appendAt(result, state, consumers[0], level);
                result.push_back(std::move(state));
                return result;
            }
            result.push_back(copyOf(state));
        }
        const BlockRV cache = state.schedule.cacheWrite(state.block, 0, options_.reuseWrite.scope);
        for (const int level : levels)
            appendAt(result, state, cache, level);
        return result;
    }

    /// A copy whose consumer or cache sits inside tile `level` (counted from 1).
    static void appendAt(std::vector<TilingState>& result, TilingState& state, BlockRV block,
                         int level) {
        TilingState copy = copyOf(state);
        const auto& tile = copy.tiles.at(static_cast<std::size_t>(level - 1));
        if (tile.empty())
            return;
        copy.schedule.reverseComputeAt(block, tile.back(), true);
        result.push_back(std::move(copy));
    }

    MultiLevelTilingOptions options_;
    std::vector<std::size_t> spatialSlots_;
    std::vector<std::size_t> reductionSlots_;
};

} // namespace

ScheduleRulePtr multiLevelTiling(MultiLevelTilingOptions options) {
    return std::make_shared<MultiLevelTiling>(std::move(options));
}

} // namespace tilewright::space
