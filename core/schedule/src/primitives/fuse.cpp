// SPDX-License-Identifier: Apache-2.0
#include "primitives/fuse.h"

#include "primitives/loop_transform.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::schedule {

using ir::Expr;
using ir::Stmt;

namespace {

Outcome<void> checkNest(const ScheduleState& state, const std::vector<SrefId>& loops) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
        const ir::ForNode& loop = *state.loop(loops[i]);
        TW_TRY(checkPlainLoop(loop));
        if (i > 0) {
            const ir::ForNode& outer = *state.loop(loops[i - 1]);
            if (state.parent(loops[i]) != loops[i - 1])
                return fail("OuterNotInnerParent",
                            base::concat("The loop ", outer.loopVar->name, " is not the parent of ",
                                         loop.loopVar->name));
            if (outer.body.get() != &loop)
                return fail("NotOnlyChildError",
                            base::concat("The loop ", loop.loopVar->name,
                                         " is not the only child of ", outer.loopVar->name));
        }
        TW_TRY(checkStartsWithZero(loop));
        for (std::size_t k = 0; k < i; ++k)
            if (ir::usesVar(loop.extent, state.loop(loops[k])->loopVar.get()))
                return fail("DependentLoopError",
                            base::concat("The extent of the loop ", loop.loopVar->name,
                                         " depends on ", state.loop(loops[k])->loopVar->name));
    }
    return {};
}

} // namespace

Outcome<SrefId> fuse(ScheduleState& state, const std::vector<SrefId>& loopIds,
                     bool preserveUnitIters) {
    if (loopIds.empty())
        return fail("ValueError", "fuse needs at least one loop");
    TW_TRY(checkNest(state, loopIds));
    std::vector<const ir::ForNode*> loops;
    std::string suffix;
    int bits = 0;
    for (const SrefId id : loopIds) {
        loops.push_back(state.loop(id));
        bits = std::max<int>(bits, loops.back()->loopVar->dtype.bits);
        if (loops.size() > 1)
            suffix += base::concat('_', loops.back()->loopVar->name);
    }
    const auto type = ir::DataType::i(bits);
    const ir::Var fused = derivedVar(loops[0]->loopVar, suffix + "_fused", type);
    ir::VarMap values;
    Expr lower = ir::makeInt(1);
    for (std::size_t i = loops.size(); i-- > 1;) {
        const Expr& extent = loops[i]->extent;
        values[loops[i]->loopVar.get()] =
            ir::isOne(extent) ? ir::makeInt(0, loops[i]->loopVar->dtype)
                              : ir::floorDiv(ir::floorMod(fused, lower * extent), lower);
        lower = lower * extent;
    }
    values[loops[0]->loopVar.get()] = ir::isOne(loops[0]->extent)
                                          ? ir::makeInt(0, loops[0]->loopVar->dtype)
                                          : ir::floorDiv(fused, lower);
    BlockReuse reuse;
    Stmt body = replaceVars(loops.back()->body, values, reuse);
    Expr extent = ir::makeInt(1);
    for (const ir::ForNode* loop : loops)
        extent = extent * loop->extent;
    extent = arith::Analyzer().simplify(extent);
    if (const auto number = ir::constInt(extent))
        extent = ir::makeInt(*number, type);
    body = ir::makeFor(fused, ir::makeInt(0, type), extent, ir::ForKind::Serial, body);
    body = simplifyBindings(body, domainAbove(state, loopIds[0]), preserveUnitIters, reuse);
    state.replace(loopIds[0], body, reuse);
    return state.find(body);
}

} // namespace tilewright::schedule
