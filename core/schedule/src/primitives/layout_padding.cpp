// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout_padding.h"

#include "primitives/tree_edit.h"

#include <tilewright/analysis/scope_analysis.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <optional>

namespace tilewright::schedule {
namespace {

/// Fresh variables for the new indices, named after the old ones they equal.
std::vector<ir::Var> newIndexVars(const LayoutChange& change, std::string_view prefix) {
    std::vector<ir::Var> vars;
    for (std::size_t i = 0; i < change.map.finalIndices.size(); ++i) {
        const auto* same = ir::as<ir::VarNode>(change.map.finalIndices[i]);
        vars.push_back(
            ir::makeVar(base::concat(prefix, same ? same->name : base::concat("axis", i)),
                        change.to->shape[i]->dtype));
    }
    return vars;
}

std::vector<ir::Expr> asExprs(const std::vector<ir::Var>& vars) {
    return {vars.begin(), vars.end()};
}

ir::VarMap mapTo(const std::vector<ir::Var>& from, const std::vector<ir::Expr>& to) {
    ir::VarMap map;
    for (std::size_t i = 0; i < from.size(); ++i)
        map.emplace(from[i].get(), to[i]);
    return map;
}

ir::Expr isPadding(const LayoutChange& change, const std::vector<ir::Expr>& indices) {
    return ir::substitute(change.paddingPredicate, mapTo(change.inverse.initialIndices, indices));
}

ir::Expr padAt(const LayoutChange& change, const std::vector<ir::Expr>& indices) {
    const ir::IndexMap typed = ir::withIndexType(change.padValue, change.to->indexType());
    return typed.apply(indices)[0];
}

/// Loops over the new shape around a block of one point each.
ir::Stmt overNewShape(const LayoutChange& change, const ir::Block& block,
                      const std::vector<ir::Var>& loopVars, const ir::Expr& predicate) {
    ir::Stmt nest = ir::makeBlockRealize(asExprs(loopVars), predicate, block);
    for (std::size_t i = loopVars.size(); i-- > 0;)
        nest = ir::makeFor(loopVars[i], ir::makeInt(0, loopVars[i]->dtype), change.to->shape[i],
                           ir::ForKind::Serial, nest);
    return nest;
}

std::vector<ir::IterVar> newIters(const LayoutChange& change, const std::vector<ir::Var>& vars) {
    std::vector<ir::IterVar> iters;
    for (std::size_t i = 0; i < vars.size(); ++i)
        iters.push_back({ir::Range{ir::makeInt(0, vars[i]->dtype), change.to->shape[i]}, vars[i],
                         ir::IterType::DataPar});
    return iters;
}

ir::BufferRegion pointOf(const ir::Buffer& buffer, const std::vector<ir::Var>& vars) {
    ir::BufferRegion region{buffer, {}};
    for (const auto& var : vars)
        region.region.push_back(ir::Range{var, ir::makeInt(1, var->dtype)});
    return region;
}

/// For an input: what it holds at the new points is assumed.
ir::Stmt assumptions(const LayoutChange& change) {
    const std::vector<ir::Var> vars = newIndexVars(change, "v_");
    const std::vector<ir::Expr> indices = asExprs(vars);
    const ir::Expr load = ir::makeLoad(change.to, indices);
    const ir::Expr holds =
        ir::makeBinary(ir::NodeKind::Or, ir::logicalNot(isPadding(change, indices)),
                       ir::makeBinary(ir::NodeKind::EQ, load, padAt(change, indices)));
    const ir::Block block = ir::built<ir::BlockNode>([&](ir::BlockNode& node) {
        node.iterVars = newIters(change, vars);
        node.name = base::concat("buffer_", change.from->name, "_assumptions");
        node.reads.push_back(pointOf(change.to, vars));
        node.body =
            ir::makeEvaluate(ir::makeCall(ir::DataType::boolean(), ir::Op::Assume, {holds}));
    });
    return overNewShape(change, block, newIndexVars(change, ""), ir::makeBool(true));
}

/// Writes the new points.
ir::Stmt fillBlock(const LayoutChange& change) {
    const std::vector<ir::Var> vars = newIndexVars(change, "v_");
    const std::vector<ir::Var> loopVars = newIndexVars(change, "");
    const ir::Block block = ir::built<ir::BlockNode>([&](ir::BlockNode& node) {
        node.iterVars = newIters(change, vars);
        node.name = base::concat("buffer_", change.from->name, "_padding");
        node.writes.push_back(pointOf(change.to, vars));
        node.body = ir::makeStore(change.to, padAt(change, asExprs(vars)), asExprs(vars));
    });
    return overNewShape(change, block, loopVars, isPadding(change, asExprs(loopVars)));
}

/// A nest that writes the whole buffer point by point, in the order of its dimensions.
struct Traversal {
    std::size_t firstLoop = 0;          ///< of the loops around the block
    std::vector<std::size_t> iterators; ///< of the block, one per dimension
};

std::optional<Traversal> findTraversal(const analysis::ScopeChild& child,
                                       const LayoutChange& change) {
    const ir::BlockNode& block = child.block();
    const ir::BufferStoreNode* store = nullptr;
    ir::walk(block.body, [&](const ir::Node& node) {
        if (node.kind() == ir::NodeKind::BufferStore &&
            static_cast<const ir::BufferStoreNode&>(node).buffer == change.from)
            store = static_cast<const ir::BufferStoreNode*>(&node);
        return ir::StmtNode::classof(node.kind());
    });
    const std::size_t rank = change.from->shape.size();
    if (!store || rank == 0 || child.loops.size() < rank)
        return std::nullopt;
    Traversal found;
    for (std::size_t d = 0; d < rank; ++d) {
        const auto iter =
            std::find_if(block.iterVars.begin(), block.iterVars.end(), [&](const auto& candidate) {
                return candidate.var.get() == store->indices[d].get();
            });
        if (iter == block.iterVars.end() || iter->type != ir::IterType::DataPar)
            return std::nullopt;
        found.iterators.push_back(static_cast<std::size_t>(iter - block.iterVars.begin()));
        const ir::Expr& value = child.realize->iterValues[found.iterators.back()];
        if (d == 0) {
            const auto loop =
                std::find_if(child.loops.begin(), child.loops.end(),
                             [&](const auto* l) { return l->loopVar.get() == value.get(); });
            found.firstLoop = static_cast<std::size_t>(loop - child.loops.begin());
        }
        if (found.firstLoop + d >= child.loops.size())
            return std::nullopt;
        const ir::ForNode& loop = *child.loops[found.firstLoop + d];
        const auto extent = ir::constInt(loop.extent);
        if (loop.loopVar.get() != value.get() || !ir::isZero(loop.min) || !extent ||
            extent != ir::constInt(change.from->shape[d]))
            return std::nullopt;
        if (d + 1 < rank && loop.body.get() != child.loops[found.firstLoop + d + 1])
            return std::nullopt;
    }
    return found;
}

/// Puts pad_value in the place of what is stored at new points.
class PaddedStores final : public ir::Rewriter {
public:
    PaddedStores(const LayoutChange& change, ir::Expr condition, ir::Expr padValue)
        : change_(change), condition_(std::move(condition)), padValue_(std::move(padValue)) {}

protected:
    using ir::Rewriter::rewriteNode;
    ir::Stmt rewriteNode(const ir::BufferStoreNode& store) override {
        if (store.buffer != change_.from)
            return ir::Stmt(&store);
        return ir::makeStore(store.buffer,
                             ir::makeCall(store.value->dtype, ir::Op::IfThenElse,
                                          {condition_, padValue_, store.value}),
                             store.indices, store.predicate);
    }

private:
    const LayoutChange& change_;
    ir::Expr condition_;
    ir::Expr padValue_;
};

/// The nest over the new shape, its accesses still in the old layout.
void replaceTraversal(const analysis::ScopeChild& child, const Traversal& traversal,
                      const LayoutChange& change, LayoutPadding& plan) {
    const ir::BlockNode& block = child.block();
    const std::vector<ir::Var> vars = newIndexVars(change, "v_");
    const std::vector<ir::Var> loopVars = newIndexVars(change, "");
    const std::vector<ir::Expr> old =
        ir::IndexMap{change.inverse.initialIndices, change.inverse.finalIndices, nullptr}.apply(
            asExprs(vars));
    ir::VarMap values;
    for (std::size_t d = 0; d < traversal.iterators.size(); ++d)
        values.emplace(block.iterVars[traversal.iterators[d]].var.get(), old[d]);

    std::vector<ir::IterVar> iters = newIters(change, vars);
    std::vector<ir::Expr> iterValues = asExprs(loopVars);
    for (std::size_t i = 0; i < block.iterVars.size(); ++i) {
        if (std::find(traversal.iterators.begin(), traversal.iterators.end(), i) !=
            traversal.iterators.end())
            continue;
        iters.push_back(block.iterVars[i]);
        iterValues.push_back(child.realize->iterValues[i]);
    }
    PaddedStores padded(change, isPadding(change, asExprs(vars)), padAt(change, asExprs(vars)));
    const ir::Block newBlock = ir::edited(&block, [&](ir::BlockNode& node) {
        node.iterVars = std::move(iters);
        for (auto& region : node.reads)
            region = ir::substitute(region, values);
        for (auto& region : node.writes)
            region = ir::substitute(region, values);
        if (node.init)
            node.init = padded.rewrite(ir::substitute(node.init, values));
        node.body = padded.rewrite(ir::substitute(node.body, values));
    });
    const ir::Stmt realize =
        ir::makeBlockRealize(std::move(iterValues), child.realize->predicate, newBlock);
    const ir::ForNode* last = child.loops[traversal.firstLoop + traversal.iterators.size() - 1];
    ir::Stmt nest = replaceStmts(last->body, {{child.realize, realize}});
    for (std::size_t i = loopVars.size(); i-- > 0;)
        nest = ir::makeFor(loopVars[i], ir::makeInt(0, loopVars[i]->dtype), change.to->shape[i],
                           ir::ForKind::Serial, nest);
    plan.replacements.emplace_back(child.loops[traversal.firstLoop], nest);
    plan.reuse.emplace_back(&block, newBlock.get());
}

bool writes(const ir::BlockNode& block, const ir::Buffer& buffer) {
    return std::any_of(block.writes.begin(), block.writes.end(),
                       [&](const auto& region) { return region.buffer == buffer; });
}

} // namespace

LayoutPadding planLayoutPadding(const ir::BlockNode& scope, const LayoutChange& change) {
    LayoutPadding plan;
    const std::vector<analysis::ScopeChild> children = analysis::collectChildren(scope.body);
    const analysis::ScopeChild* lastWriter = nullptr;
    for (const auto& child : children) {
        if (!writes(child.block(), change.from))
            continue;
        lastWriter = &child;
        if (const auto traversal = findTraversal(child, change))
            replaceTraversal(child, *traversal, change, plan);
    }
    if (!lastWriter) {
        plan.prologue = assumptions(change);
    } else if (plan.replacements.empty()) {
        plan.epilogue = fillBlock(change);
        plan.epilogueAfter = lastWriter->loops.empty()
                                 ? static_cast<const ir::StmtNode*>(lastWriter->realize)
                                 : lastWriter->loops.front();
    }
    return plan;
}

} // namespace tilewright::schedule
