// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/postproc.h>

#include "../block_facts.h"
#include "fusible_loops.h"

#include <tilewright/analysis/block_kind.h>
#include <tilewright/analysis/block_predicates.h>

#include <algorithm>

namespace tilewright::space {

using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;
using schedule::SrefId;

namespace {

constexpr std::string_view kParallel = "meta_schedule.parallel";
constexpr std::string_view kVectorize = "meta_schedule.vectorize";
constexpr std::string_view kUnrollExplicit = "meta_schedule.unroll_explicit";
constexpr std::string_view kUnrollImplicit = "meta_schedule.unroll_implicit";

/// What the root's annotations ask for; -1 = nothing.
struct Wanted {
    std::int64_t maxParallelExtent = -1;
    std::int64_t maxVectorizeExtent = -1;
    std::int64_t unrollExplicit = -1;
    std::int64_t unrollImplicit = -1;
};

/// How many outermost loops to run in parallel, and innermost to vectorize.
struct LoopPlan {
    int parallel = -1;
    int vectorize = -1;
};

bool isPlain(const ir::ForNode& loop) {
    return loop.annotations.empty() && loop.threadTag.empty() &&
           analysis::constExtent(loop).has_value();
}
bool hasSingleBody(const ir::ForNode& loop) {
    return !ir::as<ir::SeqStmtNode>(loop.body);
}

int countParallel(const std::vector<const ir::ForNode*>& loops, const std::vector<char>& spatial,
                  std::int64_t limit) {
    std::int64_t product = 1;
    int count = 0;
    for (std::size_t i = 0; i < loops.size() && spatial[i] && isPlain(*loops[i]); ++i) {
        product *= *analysis::constExtent(*loops[i]);
        ++count;
        if (product > limit || !hasSingleBody(*loops[i]))
            break;
    }
    return product == 1 ? -1 : count;
}

int countVectorize(const std::vector<const ir::ForNode*>& loops, const std::vector<char>& spatial,
                   std::int64_t limit, int fusible) {
    std::int64_t product = 1;
    int count = 0;
    for (std::size_t i = loops.size(); i-- > 0;) {
        if (!spatial[i] || count >= fusible || !isPlain(*loops[i]) || !hasSingleBody(*loops[i]))
            break;
        product *= *analysis::constExtent(*loops[i]);
        if (product > limit)
            break;
        ++count;
    }
    return product == 1 ? -1 : count;
}

LoopPlan planLoops(const schedule::ScheduleState& state, SrefId block, const Wanted& wanted) {
    LoopPlan plan;
    if (wanted.maxParallelExtent == -1 && wanted.maxVectorizeExtent == -1)
        return plan;
    const std::vector<const ir::ForNode*> loops = loopNodes(state, block);
    std::vector<char> spatial;
    bool allRewritable = true;
    for (const ir::ForNode* loop : loops) {
        spatial.push_back(analysis::loopIterType(*loop) == ir::IterType::DataPar ? 1 : 0);
        allRewritable = allRewritable && spatial.back() && isPlain(*loop) && hasSingleBody(*loop);
    }
    const int fusible = countFusibleLoops(*state.realize(block), loops);
    if (wanted.maxParallelExtent != -1)
        plan.parallel = countParallel(loops, spatial, wanted.maxParallelExtent);
    if (wanted.maxVectorizeExtent != -1)
        plan.vectorize = countVectorize(loops, spatial, wanted.maxVectorizeExtent, fusible);
    if (plan.parallel != -1 && plan.vectorize != -1) {
        const int n = static_cast<int>(loops.size());
        if (allRewritable && fusible == n) {
            plan.parallel = n;
            plan.vectorize = n;
        } else {
            plan.parallel = std::min(plan.parallel, n - plan.vectorize);
        }
    }
    return plan;
}

void rewriteLoops(Schedule& sch, std::vector<LoopRV>& loops, const LoopPlan& plan,
                  const Wanted& wanted) {
    const int n = static_cast<int>(loops.size());
    if (plan.parallel == n && plan.vectorize == n) {
        const LoopRV fused = sch.fuse(loops);
        const std::vector<LoopRV> parts =
            sch.split(fused, {schedule::Value(), schedule::Value(wanted.maxVectorizeExtent)});
        sch.parallel(parts[0]);
        sch.vectorize(parts[1]);
        std::fill(loops.begin(), loops.end(), parts[0]);
        return;
    }
    if (plan.parallel > 0) {
        const auto end = loops.begin() + plan.parallel;
        const LoopRV fused = sch.fuse({loops.begin(), end});
        sch.parallel(fused);
        std::fill(loops.begin(), end, fused);
    }
    if (plan.vectorize > 0) {
        const auto begin = loops.end() - plan.vectorize;
        const LoopRV fused = sch.fuse({begin, loops.end()});
        sch.vectorize(fused);
        std::fill(begin, loops.end(), fused);
    }
}

class RewriteParallelVectorizeUnroll final : public Postproc {
public:
    [[nodiscard]] std::string_view name() const override {
        return "RewriteParallelVectorizeUnroll";
    }

    [[nodiscard]] schedule::Outcome<void> apply(const SpaceContext&, Schedule& sch) const override {
        std::vector<std::string> functions;
        for (const auto& [function, node] : sch.module().functions())
            functions.push_back(function);
        for (const std::string& function : functions) {
            const SrefId root = sch.state().root(function);
            if (!root.valid())
                continue;
            const ir::Annotations& marks = sch.state().block(root)->annotations;
            if (!marks.contains(kParallel) && !marks.contains(kVectorize) &&
                !marks.contains(kUnrollExplicit) && !marks.contains(kUnrollImplicit))
                continue;
            const BlockRV rootRv = sch.getSBlock(sch.state().block(root)->name, function);
            const Wanted wanted = take(sch, rootRv);
            for (const BlockRV block : sch.getChildBlocks(rootRv))
                rewriteBlock(sch, block, wanted);
        }
        return {};
    }

private:
    static Wanted take(Schedule& sch, BlockRV root) {
        Wanted wanted;
        const auto takeOne = [&](std::string_view key, std::int64_t& value) {
            const auto found = analysis::intAnnotation(sch.get(root)->annotations, key);
            if (!found)
                return;
            value = *found;
            sch.unannotate(root, key);
        };
        takeOne(kParallel, wanted.maxParallelExtent);
        takeOne(kVectorize, wanted.maxVectorizeExtent);
        takeOne(kUnrollExplicit, wanted.unrollExplicit);
        takeOne(kUnrollImplicit, wanted.unrollImplicit);
        return wanted;
    }

    static void rewriteBlock(Schedule& sch, BlockRV block, const Wanted& wanted) {
        std::vector<LoopRV> loops = sch.getLoops(block);
        if (loops.empty())
            return;
        const LoopPlan plan = planLoops(sch.state(), sch.sref(block), wanted);
        rewriteLoops(sch, loops, plan, wanted);
        const bool isExplicit = wanted.unrollExplicit != -1;
        const std::int64_t steps =
            wanted.unrollExplicit + wanted.unrollImplicit + 1; // one of them is -1
        if ((!isExplicit && wanted.unrollImplicit == -1) || steps <= 0 ||
            analysis::isSpatial(*sch.get(block)))
            return;
        sch.annotate(loops[0], "pragma_auto_unroll_max_step", steps);
        sch.annotate(loops[0], "pragma_unroll_explicit", isExplicit ? 1 : 0);
    }
};

} // namespace

PostprocPtr rewriteParallelVectorizeUnroll() {
    return std::make_shared<RewriteParallelVectorizeUnroll>();
}

} // namespace tilewright::space
