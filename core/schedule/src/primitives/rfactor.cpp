// SPDX-License-Identifier: Apache-2.0
#include "primitives/rfactor.h"

#include "primitives/block_checks.h"
#include "primitives/reducer.h"
#include "primitives/tree_edit.h"

#include <tilewright/arith/linear_equation.h>
#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::schedule {
namespace {

using VarList = std::vector<const ir::VarNode*>;

bool holds(const VarList& list, const ir::VarNode* var) {
    return std::find(list.begin(), list.end(), var) != list.end();
}

/// Loop variables that feed data-parallel iterators, and those that feed reductions.
struct TouchedLoops {
    VarList spatial;
    VarList reduction;
};

TouchedLoops touchedLoops(const ir::BlockRealizeNode& realize) {
    TouchedLoops touched;
    for (std::size_t i = 0; i < realize.iterValues.size(); ++i) {
        const ir::IterType type = realize.block->iterVars[i].type;
        for (const ir::Var& var : ir::collectVars(realize.iterValues[i])) {
            if (type == ir::IterType::DataPar)
                touched.spatial.push_back(var.get());
            else if (type == ir::IterType::CommReduce)
                touched.reduction.push_back(var.get());
        }
    }
    return touched;
}

base::Unexpected<Failure> loopProperty(std::string_view message, const std::string& block) {
    return fail("LoopPropertyError", std::string(message), {block});
}

Outcome<SrefId> singleChildBlock(const ScheduleState& state, SrefId loop) {
    const std::vector<SrefId> blocks = state.childBlocks(loop);
    if (blocks.size() == 1)
        return blocks[0];
    std::vector<std::string> names;
    for (const SrefId id : blocks)
        names.push_back(state.block(id)->name);
    return fail("NonSingleChildBlockError", "The loop is required to have only one child block",
                std::move(names));
}

Outcome<void> checkLoops(const ScheduleState& state, const std::vector<const ir::ForNode*>& loops,
                         const ir::ForNode* rfLoop, SrefId block, const TouchedLoops& touched) {
    const std::string& name = state.block(block)->name;
    const std::vector<SrefId> below = state.childBlocks(state.find(loops[0]));
    if (below.empty() || below[0] != block)
        return loopProperty("The reduction block is required to be the first child block of its "
                            "outermost loop",
                            name);
    bool underReduction = false;
    for (const ir::ForNode* loop : loops) {
        const bool spatial = holds(touched.spatial, loop->loopVar.get());
        const bool reduction = holds(touched.reduction, loop->loopVar.get());
        if (spatial && reduction)
            return loopProperty("The loops outside of the reduction block are required not to be "
                                "touched by both data parallel block iters and reduction block "
                                "iters",
                                name);
        if (spatial) {
            if (loop == rfLoop)
                return loopProperty("The loop to be applied rfactor is required not to be touched "
                                    "by any data parallel block iter of the block",
                                    name);
        } else if (reduction) {
            if (!underReduction)
                TW_TRY(singleChildBlock(state, state.find(loop)));
            underReduction = true;
        } else if (underReduction && !ir::isOne(loop->extent)) {
            return loopProperty(
                "There is a loop under a reduction loop that no block iter is bound "
                "to and whose extent is not 1",
                name);
        }
    }
    return {};
}

ir::IterVar iterFromLoop(const ir::ForNode& loop, ir::IterType type) {
    const ir::Var var = ir::makeVar("v" + loop.loopVar->name, loop.loopVar->dtype);
    return {ir::Range{loop.min, loop.extent}, var, type};
}

std::vector<ir::Expr> substituteAll(const std::vector<ir::Expr>& exprs, const ir::VarMap& values) {
    std::vector<ir::Expr> result;
    result.reserve(exprs.size());
    for (const auto& expr : exprs)
        result.push_back(ir::substitute(expr, values));
    return result;
}

/// Stores of a (tuple) reduction: directly, or through bound variables for tuples.
ir::Stmt makeStores(const std::vector<ir::Buffer>& buffers,
                    const std::vector<std::vector<ir::Expr>>& indices,
                    const std::vector<ir::Expr>& values, bool bindValues) {
    std::vector<ir::Stmt> stmts;
    std::vector<ir::Expr> stored = values;
    if (bindValues && values.size() > 1) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const ir::Var var = ir::makeVar("v_" + buffers[i]->name, buffers[i]->dtype);
            stmts.emplace_back(new ir::BindNode(var, values[i]));
            stored[i] = var;
        }
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        stmts.push_back(ir::makeStore(buffers[i], stored[i], indices[i]));
    return ir::makeSeq(std::move(stmts));
}

class RFactorizer {
public:
    RFactorizer(const ir::BlockRealizeNode& realize, const ir::ForNode& rfLoop,
                const std::vector<const ir::ForNode*>& loops, const ReductionParts& parts,
                const MatchedReducer& matched, int axis)
        : realize_(realize), block_(*realize.block), rfLoop_(rfLoop), loops_(loops), parts_(parts),
          matched_(matched), axis_(axis) {}

    /// Buffers `<buffer>.rf` with the loop as one more dimension.
    std::vector<ir::Buffer> makeBuffers() {
        for (const auto& buffer : parts_.buffers) {
            std::vector<ir::Expr> shape = buffer->shape;
            shape.insert(shape.begin() + axis_, rfLoop_.extent);
            rfBuffers_.push_back(ir::makeBuffer(buffer->name + ".rf", buffer->dtype,
                                                std::move(shape), buffer->scope));
        }
        return rfBuffers_;
    }

    /// The block that reduces each slice; under a copy of all loops.
    ir::Stmt makeRfNest(ir::Block& block) {
        ir::VarMap loopToIter;
        rfIter_ = iterFromLoop(rfLoop_, ir::IterType::DataPar);
        loopToIter.emplace(rfLoop_.loopVar.get(), rfIter_.var);
        std::vector<ir::IterVar> iters{rfIter_};
        std::vector<ir::Expr> values{rfLoop_.loopVar};
        ir::VarMap vars;
        for (std::size_t i = 0; i < block_.iterVars.size(); ++i)
            addRfIter(i, loopToIter, iters, values, vars);
        const bool reduces = std::any_of(iters.begin(), iters.end(), [](const auto& iter) {
            return iter.type == ir::IterType::CommReduce;
        });
        rfIndices_.clear();
        for (auto indices : parts_.indices) {
            indices.insert(indices.begin() + axis_, rfIter_.var);
            rfIndices_.push_back(std::move(indices));
        }
        std::vector<ir::Expr> left;
        for (std::size_t i = 0; i < rfBuffers_.size(); ++i)
            left.push_back(ir::makeLoad(rfBuffers_[i], rfIndices_[i]));
        const std::vector<ir::Expr> right = substituteAll(matched_.right, vars);
        const std::vector<ir::Expr> stored =
            reduces ? matched_.reducer.combine(left, right) : right;
        block = ir::built<ir::BlockNode>([&](ir::BlockNode& node) {
            node.iterVars = std::move(iters);
            node.name = block_.name + "_rf";
            node.annotations = block_.annotations;
            for (const auto& read : block_.reads)
                node.reads.push_back(ir::substitute(read, vars));
            for (const auto& write : block_.writes)
                node.writes.push_back(ir::substitute(rfRegion(write), vars));
            if (reduces)
                node.init = makeStores(rfBuffers_, rfIndices_, matched_.reducer.identity, false);
            node.body = makeStores(rfBuffers_, rfIndices_, stored, true);
        });
        return underLoopCopies(block, values);
    }

    /// The block that reduces the slices into the output. Guards of spatial iterators stay, which
    /// TVM forgets: without them the block would write outside of the output.
    ir::BlockRealize makeWriteBack(const VarList& reductionLoops) {
        const ir::IterVar iter = iterFromLoop(rfLoop_, ir::IterType::CommReduce);
        std::vector<ir::IterVar> iters{iter};
        std::vector<ir::Expr> values{rfLoop_.loopVar};
        ir::VarMap vars;
        vars.emplace(rfIter_.var.get(), iter.var);
        for (std::size_t i = 0; i < block_.iterVars.size(); ++i) {
            const ir::IterVar& old = block_.iterVars[i];
            if (old.type != ir::IterType::DataPar)
                continue;
            const ir::Var var = ir::makeVar(old.var->name, old.var->dtype);
            iters.push_back({old.dom, var, old.type});
            values.push_back(realize_.iterValues[i]);
            vars.emplace(old.var.get(), var);
        }
        std::vector<ir::Expr> left = substituteAll(matched_.left, vars);
        std::vector<ir::Expr> right;
        std::vector<std::vector<ir::Expr>> indices;
        for (std::size_t i = 0; i < rfBuffers_.size(); ++i) {
            right.push_back(ir::makeLoad(rfBuffers_[i], substituteAll(rfIndices_[i], vars)));
            indices.push_back(substituteAll(parts_.indices[i], vars));
        }
        const ir::Block block = ir::built<ir::BlockNode>([&](ir::BlockNode& node) {
            node.iterVars = std::move(iters);
            node.name = block_.name;
            node.annotations = block_.annotations;
            for (const auto& load : right)
                node.reads.push_back(pointRegion(load));
            for (const auto& load : left)
                node.writes.push_back(pointRegion(load));
            node.init = makeStores(parts_.buffers, indices, matched_.reducer.identity, false);
            node.body =
                makeStores(parts_.buffers, indices, matched_.reducer.combine(left, right), true);
        });
        ir::Expr predicate = ir::makeBool(true);
        for (const ir::Expr& guard : arith::conjuncts(realize_.predicate))
            if (!ir::usesVar(guard,
                             [&](const ir::VarNode* var) { return holds(reductionLoops, var); }))
                predicate = ir::logicalAnd(predicate, guard);
        return ir::refAs<ir::BlockRealizeNode>(
            ir::makeBlockRealize(std::move(values), predicate, block));
    }

private:
    void addRfIter(std::size_t i, ir::VarMap& loopToIter, std::vector<ir::IterVar>& iters,
                   std::vector<ir::Expr>& values, ir::VarMap& vars) {
        const ir::IterVar& old = block_.iterVars[i];
        const ir::Expr& value = realize_.iterValues[i];
        if (old.type == ir::IterType::DataPar || !ir::usesVar(value, rfLoop_.loopVar.get())) {
            iters.push_back(old);
            values.push_back(value);
            return;
        }
        // A reduction over the rfactor loop and others: the others get iterators of their own.
        for (const ir::Var& var : ir::collectVars(value)) {
            const auto loop = std::find_if(loops_.begin(), loops_.end(),
                                           [&](const auto* l) { return l->loopVar == var; });
            if (loop == loops_.end() || loopToIter.contains(var.get()))
                continue;
            iters.push_back(iterFromLoop(**loop, ir::IterType::CommReduce));
            values.push_back(var);
            loopToIter.emplace(var.get(), iters.back().var);
        }
        vars.emplace(old.var.get(), ir::substitute(value, loopToIter));
    }

    ir::BufferRegion rfRegion(const ir::BufferRegion& write) const {
        ir::BufferRegion region = write;
        region.region.insert(region.region.begin() + axis_, ir::Range::point(rfIter_.var));
        for (std::size_t i = 0; i < parts_.buffers.size(); ++i)
            if (parts_.buffers[i] == write.buffer)
                region.buffer = rfBuffers_[i];
        return region;
    }

    static ir::BufferRegion pointRegion(const ir::Expr& expr) {
        const auto* load = ir::as<ir::BufferLoadNode>(expr);
        ir::BufferRegion region{load->buffer, {}};
        for (const auto& index : load->indices)
            region.region.push_back(ir::Range{index, ir::makeInt(1, index->dtype)});
        return region;
    }

    ir::Stmt underLoopCopies(const ir::Block& block, const std::vector<ir::Expr>& values) const {
        ir::VarMap loopVars;
        for (const ir::ForNode* loop : loops_)
            loopVars.emplace(loop->loopVar.get(),
                             ir::makeVar(loop->loopVar->name, loop->loopVar->dtype));
        ir::Stmt nest = ir::makeBlockRealize(substituteAll(values, loopVars),
                                             ir::substitute(realize_.predicate, loopVars), block);
        for (std::size_t i = loops_.size(); i-- > 0;) {
            const ir::ForNode& loop = *loops_[i];
            nest = ir::makeFor(ir::refAs<ir::VarNode>(loopVars.at(loop.loopVar.get())), loop.min,
                               loop.extent, loop.forKind, nest, loop.annotations, loop.threadTag,
                               loop.step);
        }
        return nest;
    }

    const ir::BlockRealizeNode& realize_;
    const ir::BlockNode& block_;
    const ir::ForNode& rfLoop_;
    const std::vector<const ir::ForNode*>& loops_;
    const ReductionParts& parts_;
    const MatchedReducer& matched_;
    int axis_;
    std::vector<ir::Buffer> rfBuffers_;
    std::vector<std::vector<ir::Expr>> rfIndices_;
    ir::IterVar rfIter_;
};

/// The nest with the write-back block in the place of the old one, without the loops that only the
/// other reductions need.
ir::Stmt writeBackNest(const std::vector<const ir::ForNode*>& loops, const ir::ForNode* rfLoop,
                       const TouchedLoops& touched, const ir::BlockRealizeNode* oldRealize,
                       const ir::BlockRealize& writeBack) {
    ir::Stmt nest = writeBack;
    for (std::size_t i = loops.size(); i-- > 0;) {
        const ir::ForNode* loop = loops[i];
        const ir::StmtNode* below =
            i + 1 < loops.size() ? static_cast<const ir::StmtNode*>(loops[i + 1]) : oldRealize;
        const ir::Stmt body = replaceStmts(loop->body, {{below, nest}});
        const bool keep = loop == rfLoop || !holds(touched.reduction, loop->loopVar.get());
        nest =
            keep ? ir::Stmt(ir::edited(loop, [&](ir::ForNode& copy) { copy.body = body; })) : body;
    }
    return nest;
}

} // namespace

Outcome<SrefId> rfactor(ScheduleState& state, SrefId loopId, int factorAxis) {
    TW_ASSIGN(const SrefId blockId, singleChildBlock(state, loopId));
    const ir::BlockRealize realize(state.realize(blockId));
    const ir::Block block = realize->block;
    TW_ASSIGN(const SrefId scope, state.scopeRoot(blockId, true));
    if (state.enableCheck())
        TW_TRY(checkReduction(state, blockId, scope));
    const ir::For rfLoop(state.loop(loopId));
    if (rfLoop->forKind != ir::ForKind::Serial)
        return fail("NotSerialLoopKindError",
                    "The input loop of rfactor is required to be `kSerial`", {block->name});
    const TouchedLoops touched = touchedLoops(*realize);
    const std::vector<const ir::ForNode*> loops = loopNodesAbove(state, blockId);
    TW_TRY(checkLoops(state, loops, rfLoop.get(), blockId, touched));
    TW_ASSIGN(const ReductionParts parts, reductionParts(*block));
    TW_ASSIGN(const MatchedReducer matched, matchReducer(parts, block->name));
    const int rank = static_cast<int>(parts.buffers[0]->shape.size());
    if (factorAxis < -(rank + 1) || factorAxis > rank)
        return fail("FactorAxisOutOfRangeError",
                    base::concat("factor_axis ", factorAxis,
                                 " is out of range: it is required to be in [", -(rank + 1), ", ",
                                 rank, "]"),
                    {block->name});
    const int axis = factorAxis < 0 ? factorAxis + rank + 1 : factorAxis;

    RFactorizer factorizer(*realize, *rfLoop, loops, parts, matched, axis);
    const std::vector<ir::Buffer> buffers = factorizer.makeBuffers();
    ir::Block rfBlock;
    const ir::Stmt rfNest = factorizer.makeRfNest(rfBlock);
    const ir::BlockRealize writeBack = factorizer.makeWriteBack(touched.reduction);
    const ir::Stmt nest = writeBackNest(loops, rfLoop.get(), touched, realize.get(), writeBack);
    editScope(state, scope, {{loops[0], ir::makeSeq({rfNest, nest})}}, buffers,
              {{block.get(), writeBack->block.get()}});
    const SrefId rfId = state.find(rfBlock.get());
    state.setFlags(rfId, {true, true, true});
    state.setFlags(state.find(writeBack->block.get()), {true, true, true});
    return rfId;
}

} // namespace tilewright::schedule
