// SPDX-License-Identifier: Apache-2.0
#include "primitives/move_block.h"

#include "primitives/block_checks.h"
#include "primitives/iter_domain.h"
#include "primitives/tree_edit.h"
#include "statement_walk.h"

#include <tilewright/analysis/region_bounds.h>
#include <tilewright/analysis/scope_analysis.h>
#include <tilewright/arith/analyzer.h>
#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::schedule {
namespace {

using Direction = MoveDirection;

Outcome<void> checkSameScope(const ScheduleState& state, SrefId block, SrefId loop, SrefId scope) {
    if (state.parentBlock(loop) == scope && !state.isAncestor(loop, block))
        return {};
    return fail("NotInSameScopeError",
                "Expected the block and loop to be under the same block scope, and loop not to be "
                "the ancestor of block",
                {state.block(block)->name});
}

/// Where the required blocks lie among the children of a loop.
struct Split {
    int lastProducer = -1;
    int firstConsumer = 0;
    std::size_t producersSeen = 0;
    std::size_t consumersSeen = 0;
};

Split findSplit(const ScheduleState& state, const std::vector<ir::Stmt>& children,
                const std::vector<SrefId>& producers, const std::vector<SrefId>& consumers) {
    Split split;
    split.firstConsumer = static_cast<int>(children.size());
    const auto holds = [](const std::vector<SrefId>& ids, SrefId id) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    for (int i = 0; i < static_cast<int>(children.size()); ++i) {
        forEachChildBlock(children[static_cast<std::size_t>(i)],
                          [&](const ir::BlockRealizeNode* realize) {
                              const SrefId id = state.find(realize->block.get());
                              if (holds(producers, id)) {
                                  ++split.producersSeen;
                                  split.lastProducer = i;
                              }
                              if (holds(consumers, id)) {
                                  ++split.consumersSeen;
                                  split.firstConsumer = std::min(split.firstConsumer, i);
                              }
                          });
    }
    return split;
}

Outcome<int> insertPosition(const Split& split, std::size_t producers, std::size_t consumers,
                            int index, Direction direction, const std::string& blockName) {
    const bool missing = direction == Direction::ToConsumers ? split.consumersSeen < consumers
                                                             : split.producersSeen < producers;
    if (missing)
        return fail("NotAllRequiredBlocksAreVisitedError",
                    base::concat("Not all required blocks are under the loop scope: all ",
                                 direction == Direction::ToConsumers ? "consumers" : "producers",
                                 " must be below the loop"),
                    {blockName});
    const int first = split.lastProducer + 1;
    if (first > split.firstConsumer)
        return fail("InternalError", "A producer comes after a consumer under the loop",
                    {blockName});
    if (index == -1)
        return split.firstConsumer;
    if (index == -2)
        return first;
    if (index >= first && index <= split.firstConsumer)
        return index;
    return fail("InternalError",
                base::concat("Valid index:(-1, -2, [", first, ", ", split.firstConsumer,
                             "]), current index=", index),
                {blockName});
}

/// What an instance of the block provides, and what its partners below the loop require.
std::vector<RegionDemand> collectDemands(const ScheduleState& state, const ir::BlockNode& block,
                                         SrefId loop, const std::vector<SrefId>& partners,
                                         Direction direction, arith::Analyzer& analyzer) {
    const bool toConsumers = direction == Direction::ToConsumers;
    std::vector<RegionDemand> demands;
    for (const auto& region : toConsumers ? block.writes : block.reads) {
        arith::IntSetRegion sets;
        for (const auto& range : region.region)
            sets.push_back(arith::IntSet::fromRange(range));
        const auto at = std::find_if(demands.begin(), demands.end(), [&](const auto& demand) {
            return demand.buffer == region.buffer;
        });
        if (at != demands.end())
            at->provided.push_back(std::move(sets));
        else
            demands.push_back({region.buffer, {std::move(sets)}, {}});
    }
    for (const SrefId partner : partners) {
        const ir::BlockNode& node = *state.block(partner);
        ir::VarMap values;
        for (const auto& region : toConsumers ? node.reads : node.writes) {
            const auto at = std::find_if(demands.begin(), demands.end(), [&](const auto& demand) {
                return demand.buffer == region.buffer;
            });
            if (at == demands.end())
                continue;
            if (values.empty())
                values = analysis::bindings(*state.realize(partner));
            const arith::SetDomain domain = arith::toSetDomain(
                pathDomain(state, state.parent(partner), loop,
                           toConsumers ? std::string_view(region.buffer->scope) : "global"));
            arith::IntSetRegion sets;
            for (const auto& range : region.region)
                sets.push_back(arith::evalSet(ir::substitute(range, values), domain, analyzer));
            at->required.push_back(std::move(sets));
        }
    }
    return demands;
}

/// The block under fresh loops over the domains.
ir::Stmt makeNest(const ir::BlockNode& block, const std::vector<IterDomain>& domains,
                  bool preserveUnitLoops, arith::Analyzer& analyzer, ir::BlockRealize& realize) {
    std::vector<ir::Var> loopVars;
    std::vector<ir::Expr> extents;
    std::vector<ir::Expr> values;
    for (std::size_t i = 0; i < domains.size(); ++i) {
        const ir::Range range = domains[i].dom.toRange(block.iterVars[i].dom);
        if (!preserveUnitLoops && ir::isOne(range.extent)) {
            values.push_back(range.min);
            continue;
        }
        const int bits = std::max(range.min->dtype.bits, range.extent->dtype.bits);
        const ir::Var var = ir::makeVar(base::concat("ax", loopVars.size()), ir::DataType::i(bits));
        loopVars.push_back(var);
        extents.push_back(analyzer.simplify(range.extent));
        values.push_back(range.min + var);
        analyzer.bind(var, ir::Range{ir::makeInt(0, var->dtype), range.extent});
    }
    ir::Expr predicate = ir::makeBool(true);
    const auto require = [&](const ir::Expr& condition) {
        if (!analyzer.canProve(condition, arith::ProofStrength::SymbolicBound))
            predicate = ir::logicalAnd(predicate, condition);
    };
    for (std::size_t i = 0; i < domains.size(); ++i) {
        const arith::IntSet& bound = domains[i].bound;
        if (bound.isNothing())
            continue;
        if (bound.hasLower())
            require(ir::greaterEqual(values[i], bound.min()));
        if (bound.hasUpper())
            require(ir::less(values[i], bound.max() + ir::makeInt(1, bound.max()->dtype)));
    }
    realize = ir::refAs<ir::BlockRealizeNode>(
        ir::makeBlockRealize(std::move(values), analyzer.simplify(predicate), ir::Block(&block)));
    ir::Stmt nest = realize;
    for (std::size_t i = loopVars.size(); i-- > 0;)
        nest = ir::makeFor(loopVars[i], ir::makeInt(0, loopVars[i]->dtype), extents[i],
                           ir::ForKind::Serial, nest);
    return nest;
}

} // namespace

Outcome<void> moveBlock(ScheduleState& state, SrefId blockId, SrefId loopId, bool preserveUnitLoops,
                        int index, MoveDirection direction, bool checkOnly) {
    const ir::Block block(state.block(blockId));
    const ir::For loop(state.loop(loopId));
    TW_ASSIGN(const SrefId scope, state.scopeRoot(blockId, true));
    TW_TRY(checkCompleteOrReduction(state, blockId, scope));
    TW_TRY(checkSameScope(state, blockId, loopId, scope));
    if (direction == Direction::ToConsumers)
        TW_TRY(checkNotOutput(state, blockId, scope));
    TW_ASSIGN(const LeafRemoval removal, planLeafRemoval(state, blockId));

    const std::vector<SrefId> producers = state.producers(blockId);
    const std::vector<SrefId> consumers = state.consumers(blockId);
    std::vector<ir::Stmt> children = statementsOf(loop->body);
    TW_ASSIGN(const int position,
              insertPosition(findSplit(state, children, producers, consumers), producers.size(),
                             consumers.size(), index, direction, block->name));

    arith::Analyzer analyzer;
    for (const ir::ForNode* outer : loopsBetween(state, loopId, scope))
        analyzer.bind(outer->loopVar, ir::Range{outer->min, outer->extent});
    TW_ASSIGN(
        const std::vector<IterDomain> domains,
        solveIterDomains(block->iterVars,
                         collectDemands(state, *block, loopId,
                                        direction == Direction::ToConsumers ? consumers : producers,
                                        direction, analyzer),
                         analyzer));
    if (checkOnly)
        return {};

    ir::BlockRealize realize;
    children.insert(children.begin() + position,
                    makeNest(*block, domains, preserveUnitLoops, analyzer, realize));
    const ir::Stmt newLoop =
        ir::edited(loop, [&](ir::ForNode& copy) { copy.body = ir::makeSeq(std::move(children)); });
    const SrefId both[] = {removal.source, loopId};
    const SrefId top = state.lowestCommonAncestor(both);
    const ir::Stmt oldTree(state.stmt(top));
    const ir::Stmt newTree = replaceStmts(
        oldTree, {{state.stmt(removal.source), removal.replacement}, {loop.get(), newLoop}});
    BlockReuse reuse;
    if (const auto* oldBlock = ir::as<ir::BlockNode>(oldTree))
        reuse.emplace_back(oldBlock, ir::as<ir::BlockNode>(newTree));
    state.replace(top, newTree, reuse);

    BlockFlags flags = state.flags(blockId);
    flags.affineBinding =
        analysis::isAffineBinding(*realize, loopNodesAbove(state, blockId), analyzer);
    state.setFlags(blockId, flags);
    return {};
}

} // namespace tilewright::schedule
