// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout_rewriter.h"

#include "primitives/tree_edit.h"

#include <tilewright/analysis/block_access.h>
#include <tilewright/arith/iter_affine_map.h>

#include <algorithm>

namespace tilewright::schedule {

Outcome<ir::Stmt> LayoutRewriter::run(const ir::BlockNode& scope) {
    ir::Stmt result = rewrite(ir::Stmt(&scope));
    if (failed_)
        return fail("InternalError",
                    "The region of the transformed buffer cannot be found in a block",
                    {scope.name});
    if (padding_.prologue) {
        const ir::Block block = ir::refAs<ir::BlockNode>(result);
        std::vector<ir::Stmt> body = statementsOf(block->body);
        body.insert(body.begin(), padding_.prologue);
        const ir::Block after = ir::edited(
            block, [&](ir::BlockNode& node) { node.body = ir::makeSeq(std::move(body)); });
        for (auto& [old, now] : reuse_)
            if (now == block.get())
                now = after.get();
        result = after;
    }
    return result;
}

std::vector<ir::Expr> LayoutRewriter::mapped(const std::vector<ir::Expr>& indices) {
    std::vector<ir::Expr> result = change_.map.apply(indices);
    for (auto& index : result)
        index = indexAnalyzer_.simplify(index);
    ir::Expr condition = ir::makeBool(true);
    for (const auto& part : conditions_)
        condition = ir::logicalAnd(condition, part);
    std::vector<ir::Expr> simplified = arith::iterMapSimplify(
        result, domain_, condition, arith::IterMapLevel::Surjective, analyzer_);
    // An iterator over one value stays itself rather than becoming that value.
    for (std::size_t i = 0; i < result.size(); ++i)
        if (simplified[i]->kind() == ir::NodeKind::IntImm && result[i]->kind() == ir::NodeKind::Var)
            simplified[i] = result[i];
    return simplified;
}

template <class Body> void LayoutRewriter::under(const ir::Expr& condition, Body&& body) {
    const auto constraint = analyzer_.withConstraint(condition);
    conditions_.push_back(condition);
    body();
    conditions_.pop_back();
}

ir::Stmt LayoutRewriter::rewriteNode(const ir::IfThenElseNode& branch) {
    const ir::Expr condition = rewrite(branch.condition);
    ir::Stmt thenCase;
    ir::Stmt elseCase;
    under(condition, [&] { thenCase = rewrite(branch.thenCase); });
    if (branch.elseCase)
        under(ir::logicalNot(condition), [&] { elseCase = rewrite(branch.elseCase); });
    if (condition == branch.condition && thenCase == branch.thenCase && elseCase == branch.elseCase)
        return ir::Stmt(&branch);
    return ir::makeIf(condition, thenCase, elseCase);
}

ir::Expr LayoutRewriter::rewriteNode(const ir::CallNode& call) {
    if (call.op != ir::Op::IfThenElse)
        return Rewriter::rewriteNode(call);
    const ir::Expr condition = rewrite(call.args[0]);
    ir::Expr onTrue;
    ir::Expr onFalse;
    under(condition, [&] { onTrue = rewrite(call.args[1]); });
    under(ir::logicalNot(condition), [&] { onFalse = rewrite(call.args[2]); });
    if (condition == call.args[0] && onTrue == call.args[1] && onFalse == call.args[2])
        return ir::Expr(&call);
    return ir::makeCall(call.dtype, call.op, {condition, onTrue, onFalse});
}

ir::Stmt LayoutRewriter::replaced(const ir::Stmt& stmt, bool& found) {
    found = true;
    for (const auto& [from, to] : padding_.replacements)
        if (from == stmt.get())
            return rewrite(to);
    found = false;
    return stmt;
}

ir::Stmt LayoutRewriter::rewriteNode(const ir::ForNode& loop) {
    bool found = false;
    const ir::Stmt instead = replaced(ir::Stmt(&loop), found);
    if (found)
        return instead;
    domain_.push_back({loop.loopVar, ir::Range{loop.min, loop.extent}});
    analyzer_.bind(loop.loopVar, domain_.back().range, true);
    ir::Stmt result = Rewriter::rewriteNode(loop);
    domain_.pop_back();
    if (padding_.epilogueAfter == &loop)
        return ir::makeSeq({result, padding_.epilogue});
    return result;
}

ir::Stmt LayoutRewriter::rewriteNode(const ir::BlockNode& block) {
    const auto reuseOf = [&](const ir::BlockNode* now) {
        for (const auto& [old, replacement] : padding_.reuse)
            if (replacement == now)
                return old;
        return now;
    };
    const ir::BlockNode* original = reuseOf(&block);
    const std::size_t depth = domain_.size();
    for (const auto& iter : block.iterVars) {
        domain_.push_back({iter.var, iter.dom});
        analyzer_.bind(iter.var, iter.dom, true);
    }
    bool indirect = false;
    const auto indicesOf = [&](const std::vector<ir::BufferRegion>& regions) {
        std::vector<ir::BufferRegion> result = regions;
        for (auto& region : result)
            for (auto& range : region.region)
                range = rewriteRange(range, indirect);
        return result;
    };
    std::vector<ir::BufferRegion> reads = indicesOf(block.reads);
    std::vector<ir::BufferRegion> writes = indicesOf(block.writes);
    ir::Stmt init = block.init ? rewrite(block.init) : nullptr;
    ir::Stmt body = rewrite(block.body);
    domain_.resize(depth);

    const auto mentions = [&](const std::vector<ir::BufferRegion>& regions) {
        return std::any_of(regions.begin(), regions.end(),
                           [&](const auto& region) { return region.buffer == change_.from; });
    };
    const bool allocates = std::find(block.allocBuffers.begin(), block.allocBuffers.end(),
                                     change_.from) != block.allocBuffers.end();
    const bool regions = mentions(block.reads) || mentions(block.writes);
    if (!regions && !indirect && !allocates && init == block.init && body == block.body) {
        if (original != &block)
            reuse_.emplace_back(original, &block);
        return ir::Stmt(&block);
    }
    ir::Block after = ir::edited(&block, [&](ir::BlockNode& node) {
        node.reads = std::move(reads);
        node.writes = std::move(writes);
        node.init = std::move(init);
        node.body = std::move(body);
        for (auto& buffer : node.allocBuffers)
            buffer = rewriteBuffer(buffer);
    });
    if (regions) {
        const analysis::BlockAccess access = analysis::detectReadWrite(*after);
        after = ir::edited(after, [&](ir::BlockNode& node) {
            redetect(node.reads, access.reads);
            redetect(node.writes, access.writes);
        });
    }
    reuse_.emplace_back(original, after.get());
    return after;
}

void LayoutRewriter::redetect(std::vector<ir::BufferRegion>& regions,
                              const std::vector<ir::BufferRegion>& detected) {
    for (auto& region : regions) {
        if (region.buffer != change_.from)
            continue;
        const auto at = std::find_if(detected.begin(), detected.end(),
                                     [&](const auto& other) { return other.buffer == change_.to; });
        if (at == detected.end())
            failed_ = true;
        else
            region = *at;
    }
}

ir::Stmt LayoutRewriter::rewriteNode(const ir::BufferStoreNode& store) {
    ir::Expr value = rewrite(store.value);
    bool changed = !(value == store.value);
    std::vector<ir::Expr> indices = rewriteAll(store.indices, changed);
    if (store.buffer == change_.from)
        return ir::makeStore(change_.to, value, mapped(indices), store.predicate);
    return changed ? ir::makeStore(store.buffer, value, std::move(indices), store.predicate)
                   : ir::Stmt(&store);
}

ir::Expr LayoutRewriter::rewriteNode(const ir::BufferLoadNode& load) {
    bool changed = false;
    std::vector<ir::Expr> indices = rewriteAll(load.indices, changed);
    if (load.buffer == change_.from)
        return ir::makeLoad(change_.to, mapped(indices), load.predicate);
    return changed ? ir::makeLoad(load.buffer, std::move(indices), load.predicate)
                   : ir::Expr(&load);
}

} // namespace tilewright::schedule
