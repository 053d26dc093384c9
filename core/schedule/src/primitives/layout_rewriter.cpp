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
    return arith::iterMapSimplify(result, domain_, nullptr, arith::IterMapLevel::Surjective,
                                  analyzer_);
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
    if (!regions && !allocates && init == block.init && body == block.body) {
        if (original != &block)
            reuse_.emplace_back(original, &block);
        return ir::Stmt(&block);
    }
    ir::Block after = ir::edited(&block, [&](ir::BlockNode& node) {
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
