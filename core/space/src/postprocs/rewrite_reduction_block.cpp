// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/postproc.h>

#include "../block_facts.h"

#include <tilewright/analysis/block_kind.h>
#include <tilewright/ir/visit.h>

namespace tilewright::space {

using schedule::BlockRV;
using schedule::Schedule;
using schedule::SrefId;

namespace {

/// The first loop that is not data-parallel, -1 when all are.
int decomposePoint(const schedule::ScheduleState& state, SrefId block) {
    const auto loops = loopNodes(state, block);
    for (std::size_t i = 0; i < loops.size(); ++i)
        if (analysis::loopIterType(*loops[i]) != ir::IterType::DataPar)
            return static_cast<int>(i);
    return -1;
}

bool reducesOverThreads(const schedule::ScheduleState& state, SrefId block) {
    const ir::BlockRealizeNode& realize = *state.realize(block);
    for (const ir::ForNode* loop : loopNodes(state, block)) {
        if (loop->threadTag.empty())
            continue;
        for (std::size_t i = 0; i < realize.iterValues.size(); ++i)
            if (realize.block->iterVars[i].type == ir::IterType::CommReduce &&
                ir::usesVar(realize.iterValues[i], loop->loopVar.get()))
                return true;
    }
    return false;
}

void collectReductions(const schedule::ScheduleState& state, SrefId above,
                       std::vector<SrefId>& found) {
    for (const SrefId child : state.childBlocks(above)) {
        collectReductions(state, child, found);
        if (state.block(child)->init && !reducesOverThreads(state, child))
            found.push_back(child);
    }
}

class RewriteReductionBlock final : public Postproc {
public:
    [[nodiscard]] std::string_view name() const override { return "RewriteReductionBlock"; }

    [[nodiscard]] schedule::Outcome<void> apply(const SpaceContext&, Schedule& sch) const override {
        bool changed = true;
        while (changed) {
            changed = false;
            std::vector<std::pair<SrefId, std::string>> reductions;
            for (const auto& [function, node] : sch.module().functions()) {
                std::vector<SrefId> found;
                const SrefId root = sch.state().root(function);
                if (root.valid())
                    collectReductions(sch.state(), root, found);
                for (const SrefId block : found)
                    reductions.emplace_back(block, function);
            }
            for (const auto& [block, function] : reductions)
                changed = decompose(sch, block, function) || changed;
        }
        return {};
    }

private:
    static bool decompose(Schedule& sch, SrefId block, const std::string& function) {
        const int point = decomposePoint(sch.state(), block);
        if (point < 0)
            return false;
        const BlockRV rv = sch.getSBlock(sch.state().block(block)->name, function);
        const auto loops = sch.getLoops(rv);
        const BlockRV init = sch.decomposeReduction(rv, loops[static_cast<std::size_t>(point)]);
        if (sch.get(rv)->annotations.contains("meta_schedule.auto_tensorize"))
            passOnTensorize(sch, rv, init);
        return true;
    }

    /// The initialisation is tensorized by an intrinsic of its own, or not at all.
    static void passOnTensorize(Schedule& sch, BlockRV block, BlockRV init) {
        constexpr std::string_view key = "meta_schedule.auto_tensorize";
        constexpr std::string_view initKey = "meta_schedule.auto_tensorize_init";
        const ir::AttrValue* wanted = sch.get(block)->annotations.find(initKey);
        const std::string intrinsic = wanted && wanted->asString() ? *wanted->asString() : "";
        if (sch.get(init)->annotations.contains(key))
            sch.unannotate(init, key);
        sch.annotate(init, key, intrinsic);
        for (const BlockRV each : {init, block})
            if (sch.get(each)->annotations.contains(initKey))
                sch.unannotate(each, initKey);
    }
};

} // namespace

PostprocPtr rewriteReductionBlock() {
    return std::make_shared<RewriteReductionBlock>();
}

} // namespace tilewright::space
