// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/default_schedule.h>

#include "block_facts.h"
#include "postprocs/fusible_loops.h"

#include <tilewright/analysis/block_kind.h>
#include <tilewright/analysis/block_predicates.h>
#include <tilewright/space/postproc.h>
#include <tilewright/space/schedule_rule.h>

#include <algorithm>

namespace tilewright::space {

using schedule::BlockRV;
using schedule::LoopRV;
using schedule::Schedule;
using schedule::SrefId;

namespace {

/// The loop that walks the written buffer's last dimension with stride 1; -1 = none.
int contiguousLoop(const schedule::ScheduleState& state, SrefId block,
                   const std::vector<const ir::ForNode*>& loops) {
    const ir::BlockNode& node = *state.block(block);
    const ir::BlockRealizeNode& realize = *state.realize(block);
    if (node.writes.size() != 1 || node.writes[0].region.empty())
        return -1;
    const ir::Expr& last = node.writes[0].region.back().min;
    for (std::size_t i = 0; i < node.iterVars.size(); ++i) {
        if (node.iterVars[i].var.get() != last.get())
            continue;
        for (std::size_t k = 0; k < loops.size(); ++k)
            if (realize.iterValues[i].get() == loops[k]->loopVar.get())
                return static_cast<int>(k);
    }
    return -1;
}

/// Lanes for a loop: the vector width when it divides, a near divisor, or 0 for a split that leaves
/// a guarded rest.
std::int64_t chooseLanes(std::int64_t extent, std::int64_t width) {
    if (extent <= width)
        return extent;
    if (extent % width == 0)
        return width;
    for (std::int64_t lanes = 2 * width; lanes * 2 >= width; --lanes)
        if (extent % lanes == 0)
            return lanes;
    return 0;
}

void scheduleBlock(Schedule& sch, BlockRV block, int vectorBits) {
    const std::vector<LoopRV> loops = sch.getLoops(block);
    if (loops.empty())
        return;
    const SrefId sref = sch.sref(block);
    const auto nodes = loopNodes(sch.state(), sref);
    std::vector<LoopRV> spatial;
    std::vector<LoopRV> reduction;
    const int inner =
        hasTrivialBinding(sch.state(), sref) ? contiguousLoop(sch.state(), sref, nodes) : -1;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        const ir::IterType type = analysis::loopIterType(*nodes[i]);
        if (type != ir::IterType::DataPar && type != ir::IterType::CommReduce)
            return;
        if (static_cast<int>(i) != inner)
            (type == ir::IterType::DataPar ? spatial : reduction).push_back(loops[i]);
    }
    std::vector<LoopRV> order = spatial;
    std::vector<LoopRV> vectors;
    if (inner >= 0) {
        const LoopRV loop = loops[static_cast<std::size_t>(inner)];
        const auto extent = analysis::constExtent(*nodes[static_cast<std::size_t>(inner)]);
        const std::int64_t width = std::max(
            1, vectorBits / std::max(8, int{sch.get(block)->writes[0].buffer->dtype.bits}));
        const std::int64_t lanes = extent ? chooseLanes(*extent, width) : 1;
        if (extent && *extent > 1 && lanes == *extent) {
            vectors = {loop};
        } else if (extent && *extent > 1) {
            const std::vector<LoopRV> parts =
                sch.split(loop, {schedule::Value(), schedule::Value(lanes == 0 ? width : lanes)});
            order.push_back(parts[0]);
            spatial.push_back(parts[0]);
            vectors = {parts[1]};
        } else {
            order.push_back(loop);
            spatial.push_back(loop);
        }
    }
    order.insert(order.end(), reduction.begin(), reduction.end());
    order.insert(order.end(), vectors.begin(), vectors.end());
    sch.reorder(order);
    if (!vectors.empty())
        sch.vectorize(vectors[0]);
    // One spatial loop stays out of the parallel one: a thread then works on more than one element.
    if (spatial.size() > 1)
        spatial.pop_back();
    if (!spatial.empty())
        sch.parallel(spatial.size() > 1 ? sch.fuse(spatial) : spatial[0]);
}

/// Runs `step` on a copy and keeps it only when no primitive refused.
template <class Step> void attempt(Schedule& sch, Step&& step) {
    Schedule copy = sch;
    try {
        step(copy);
        sch = std::move(copy);
    } catch (const schedule::ScheduleError&) {
        // The block keeps its loops: slower, still right.
    }
}

std::vector<std::pair<std::string, std::string>> blockNames(const Schedule& sch) {
    std::vector<std::pair<std::string, std::string>> names;
    for (const auto& [function, node] : sch.module().functions()) {
        const SrefId root = sch.state().root(function);
        if (!root.valid())
            continue;
        for (const SrefId block : sch.state().childBlocks(root))
            names.emplace_back(sch.state().block(block)->name, function);
    }
    return names;
}

} // namespace

Schedule defaultSchedule(const ir::Module& module, int vectorBits) {
    Schedule sch(module);
    AutoInlineOptions options;
    options.disallowOp = {ir::Op::Exp, ir::Op::Erf, ir::Op::Tanh, ir::Op::Log, ir::Op::Pow};
    options.requireOrdered = false;
    const ScheduleRulePtr inlining = autoInline(std::move(options));
    for (const auto& [name, function] : blockNames(sch))
        attempt(sch, [&, n = name, f = function](Schedule& s) {
            const BlockRV block = s.getSBlock(n, f);
            s = inlining->apply({}, std::move(s), block).at(0);
        });
    for (const auto& [name, function] : blockNames(sch))
        attempt(sch, [&, n = name, f = function](Schedule& s) {
            scheduleBlock(s, s.getSBlock(n, f), vectorBits);
        });
    attempt(sch, [](Schedule& s) {
        s.enterPostproc();
        static_cast<void>(rewriteReductionBlock()->apply({}, s));
    });
    return sch;
}

} // namespace tilewright::space
