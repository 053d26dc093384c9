// SPDX-License-Identifier: Apache-2.0
#include "primitives/decompose_reduction.h"

#include "primitives/block_checks.h"
#include "primitives/tree_edit.h"

#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::schedule {
namespace {

Outcome<void> checkHigherThanReduceLoops(const ir::BlockRealizeNode& realize,
                                         const std::vector<const ir::ForNode*>& loops,
                                         const ir::ForNode* at) {
    const ir::BlockNode& block = *realize.block;
    for (std::size_t i = 0; i < block.iterVars.size(); ++i) {
        if (block.iterVars[i].type != ir::IterType::CommReduce)
            continue;
        for (const ir::ForNode* loop : loops) {
            if (loop == at)
                break;
            if (ir::usesVar(realize.iterValues[i], loop->loopVar.get()))
                return fail("LoopHeightError",
                            "decompose_reduction expect the loop to be higher than all the loops "
                            "related to reduce block var: loop " +
                                loop->loopVar->name + " above it feeds " +
                                block.iterVars[i].var->name,
                            {block.name});
        }
    }
    return {};
}

/// The conjuncts `a < b` of a predicate in which no dropped loop occurs.
Outcome<ir::Expr> remakePredicate(ir::Expr predicate,
                                  const std::vector<const ir::VarNode*>& dropped) {
    ir::Expr result = ir::makeBool(true);
    if (ir::isOne(predicate))
        return result;
    const auto isDropped = [&](const ir::VarNode* var) {
        return std::find(dropped.begin(), dropped.end(), var) != dropped.end();
    };
    for (bool more = true; more;) {
        ir::Expr last = predicate;
        more = predicate->kind() == ir::NodeKind::And;
        if (more) {
            const auto* both = ir::as<ir::BinaryNode>(predicate);
            last = both->b;
            predicate = both->a;
        }
        if (last->kind() != ir::NodeKind::LT)
            return fail("InternalError", "Unexpected predicate for reduction block");
        if (!ir::usesVar(ir::as<ir::BinaryNode>(last)->a, isDropped))
            result = ir::logicalAnd(result, last);
    }
    return result;
}

/// The init block with its realize, still in terms of the old loop variables.
ir::BlockRealize makeInitBlock(const ir::BlockRealizeNode& realize) {
    const ir::BlockNode& block = *realize.block;
    ir::VarMap vars;
    std::vector<ir::Expr> values;
    ir::Block init = ir::built<ir::BlockNode>([&](ir::BlockNode& node) {
        node.name = block.name + "_init";
        node.annotations = block.annotations;
        for (std::size_t i = 0; i < block.iterVars.size(); ++i) {
            const ir::IterVar& iter = block.iterVars[i];
            if (iter.type != ir::IterType::DataPar)
                continue;
            const ir::Var var = ir::makeVar(iter.var->name, iter.var->dtype);
            node.iterVars.push_back({iter.dom, var, iter.type});
            values.push_back(realize.iterValues[i]);
            vars.emplace(iter.var.get(), var);
        }
        node.body = ir::substitute(block.init, vars);
        for (const auto& write : block.writes)
            node.writes.push_back(ir::substitute(write, vars));
    });
    return ir::refAs<ir::BlockRealizeNode>(
        ir::makeBlockRealize(std::move(values), ir::makeBool(true), init));
}

/// The block without init; its output now counts as read.
ir::Block makeUpdateBlock(const ir::BlockNode& block) {
    return ir::edited(&block, [&](ir::BlockNode& node) {
        node.name += "_update";
        node.init = nullptr;
        std::vector<ir::BufferRegion> reads;
        for (const auto& write : block.writes)
            if (std::none_of(block.reads.begin(), block.reads.end(),
                             [&](const auto& read) { return read.buffer == write.buffer; }))
                reads.push_back(write);
        reads.insert(reads.end(), block.reads.begin(), block.reads.end());
        node.reads = std::move(reads);
    });
}

} // namespace

Outcome<SrefId> decomposeReduction(ScheduleState& state, SrefId blockId, SrefId loopId) {
    const ir::Block block(state.block(blockId));
    const ir::BlockRealize realize(state.realize(blockId));
    const ir::For loop(state.loop(loopId));
    TW_ASSIGN(const SrefId scope, state.scopeRoot(blockId, false));
    const std::vector<const ir::ForNode*> loops = loopNodesAbove(state, blockId);
    if (state.enableCheck()) {
        if (std::find(loops.begin(), loops.end(), loop.get()) == loops.end())
            return fail("LoopPositionError",
                        "decompose_reduction expect the loop to be an ancestor of block",
                        {block->name});
        TW_TRY(checkReduction(state, blockId, scope));
        TW_TRY(checkHigherThanReduceLoops(*realize, loops, loop.get()));
    }

    const ir::BlockRealize init = makeInitBlock(*realize);
    // Loops from the innermost up to the given one: those that feed the init block are cloned.
    std::vector<const ir::VarNode*> dropped;
    std::vector<const ir::ForNode*> kept;
    for (std::size_t i = loops.size(); i-- > 0;) {
        const ir::VarNode* var = loops[i]->loopVar.get();
        const bool used =
            std::any_of(init->iterValues.begin(), init->iterValues.end(),
                        [&](const ir::Expr& value) { return ir::usesVar(value, var); });
        if (used)
            kept.push_back(loops[i]);
        else
            dropped.push_back(var);
        if (loops[i] == loop.get())
            break;
    }
    TW_ASSIGN(const ir::Expr predicate, remakePredicate(realize->predicate, dropped));

    ir::VarMap loopVars;
    for (const ir::ForNode* old : kept)
        loopVars.emplace(old->loopVar.get(),
                         ir::makeVar(old->loopVar->name + "_init", old->loopVar->dtype));
    std::vector<ir::Expr> values;
    for (const auto& value : init->iterValues)
        values.push_back(ir::substitute(value, loopVars));
    ir::Stmt nest =
        ir::makeBlockRealize(std::move(values), ir::substitute(predicate, loopVars), init->block);
    for (const ir::ForNode* old : kept)
        nest =
            ir::makeFor(ir::refAs<ir::VarNode>(loopVars.at(old->loopVar.get())),
                        ir::substitute(old->min, loopVars), ir::substitute(old->extent, loopVars),
                        old->forKind, nest, old->annotations, old->threadTag, old->step);

    const ir::Block update = makeUpdateBlock(*block);
    const ir::Stmt updatedLoop = replaceStmts(loop, {{block.get(), update}});
    editScope(state, scope, {{loop.get(), ir::makeSeq({nest, updatedLoop})}}, {},
              {{block.get(), update.get()}});
    state.refreshFlags(scope);
    return state.find(init->block.get());
}

} // namespace tilewright::schedule
