// SPDX-License-Identifier: Apache-2.0
#include "primitives/reorder.h"

#include "primitives/tree_edit.h"
#include "statement_walk.h"

#include <tilewright/analysis/scope_analysis.h>
#include <tilewright/arith/analyzer.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::schedule {

using ir::ForNode;
using ir::Stmt;

namespace {

bool contains(const std::vector<SrefId>& ids, SrefId id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

base::Unexpected<Failure> notAChain(const std::string& why) {
    return fail("LoopsNotAChainError", "The loops are not in one chain: " + why);
}

/// Loops from the innermost to the outermost listed one, innermost first.
Outcome<std::vector<SrefId>> chainOf(const ScheduleState& state, const std::vector<SrefId>& loops) {
    SrefId bottom = loops[0];
    SrefId top;
    std::vector<SrefId> visited;
    bool scopeVisited = false;
    bool first = true;
    for (const SrefId loop : loops) {
        if (contains(visited, loop))
            continue;
        for (SrefId at = loop;; at = state.parent(at)) {
            if (state.isBlock(at)) {
                if (scopeVisited)
                    return notAChain("they are under different scopes");
                scopeVisited = true;
                break;
            }
            if (contains(visited, at)) {
                if (at != bottom)
                    return notAChain("a loop between them has several branches");
                bottom = loop;
                break;
            }
            visited.push_back(at);
            if (first && contains(loops, at))
                top = at;
        }
        first = false;
    }
    std::vector<SrefId> chain;
    for (SrefId at = bottom;; at = state.parent(at)) {
        if (!chain.empty() && state.loop(at)->body.get() != state.stmt(chain.back()))
            return notAChain("a loop between them has several branches");
        chain.push_back(at);
        if (at == top)
            return chain;
    }
}

/// Blocks below have data-parallel and reduction iterators only, bound affinely below `above`.
Outcome<void> checkBlocks(const ScheduleState& state, SrefId bottom, SrefId above) {
    Outcome<void> result;
    forEachChildBlock(state.loop(bottom)->body, [&](const ir::BlockRealizeNode* realize) {
        if (!result)
            return;
        const ir::BlockNode& block = *realize->block;
        for (const ir::IterVar& iter : block.iterVars)
            if (iter.type != ir::IterType::DataPar && iter.type != ir::IterType::CommReduce) {
                result = fail("BlockPropertyError",
                              base::concat("The block ", block.name, " has an iterator, ",
                                           iter.var->name,
                                           ", that is neither data parallel nor a reduction"),
                              {block.name});
                return;
            }
        const SrefId id = state.find(&block);
        if (state.affineBinding(id))
            return;
        std::vector<const ForNode*> loops;
        for (SrefId at = state.parent(id); at != above && state.isLoop(at); at = state.parent(at))
            loops.insert(loops.begin(), state.loop(at));
        arith::Analyzer analyzer;
        if (!analysis::isAffineBinding(*realize, loops, analyzer))
            result = fail("NotAffineBindingError",
                          base::concat("The block ", block.name, " has no affine binding"),
                          {block.name});
    });
    return result;
}

} // namespace

Outcome<void> reorder(ScheduleState& state, const std::vector<SrefId>& loops) {
    if (loops.size() <= 1)
        return {};
    for (std::size_t i = 0; i < loops.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (loops[i] == loops[k])
                return fail("LoopMultiAppearanceError",
                            base::concat("The loop ", state.loop(loops[i])->loopVar->name,
                                         " appears twice"));
    TW_ASSIGN(const std::vector<SrefId> chain, chainOf(state, loops));
    TW_TRY(checkBlocks(state, chain.front(), state.parent(chain.back())));

    Stmt nest = state.loop(chain.front())->body;
    std::vector<const ir::VarNode*> inner;
    std::size_t next = loops.size();
    for (const SrefId place : chain) {
        const ForNode* loop = state.loop(contains(loops, place) ? loops[--next] : place);
        const auto usesInner = [&](const ir::VarNode* var) {
            return std::find(inner.begin(), inner.end(), var) != inner.end();
        };
        if (ir::usesVar(loop->min, usesInner) || ir::usesVar(loop->extent, usesInner))
            return fail("DependentLoopError",
                        base::concat("The loop ", loop->loopVar->name,
                                     " depends on a loop that would be inside it"));
        inner.push_back(loop->loopVar.get());
        nest = ir::edited(loop, [&](ForNode& n) { n.body = nest; });
    }
    state.replace(chain.back(), nest);
    return {};
}

} // namespace tilewright::schedule
