// SPDX-License-Identifier: Apache-2.0
#include "primitives/cache_rewriter.h"

#include <algorithm>

namespace tilewright::schedule {

bool mentions(const std::vector<ir::BufferRegion>& regions,
              const std::vector<ir::MatchBufferRegion>& matches, const ir::Buffer& buffer) {
    return findRegion(regions, buffer) ||
           std::any_of(matches.begin(), matches.end(),
                       [&](const auto& match) { return match.source.buffer == buffer; });
}

CacheRewriter::CacheRewriter(const ScheduleState& state, SrefId scope, const CacheStage& stage)
    : stage_(stage), state_(state), scope_(scope), place_(state.stmt(stage.location.parent)) {}

ir::Stmt CacheRewriter::run() {
    const ir::BlockNode* oldScope = state_.block(scope_);
    ir::Stmt body = rewrite(oldScope->body);
    if (place_ == oldScope)
        body = insertAt(body, stage_.location.position, stage_.nest);
    const ir::Block newScope = ir::edited(oldScope, [&](ir::BlockNode& node) {
        node.body = std::move(body);
        node.allocBuffers.push_back(stage_.cache);
    });
    reuse_.emplace_back(oldScope, newScope.get());
    return newScope;
}

ir::Stmt CacheRewriter::rewriteNode(const ir::ForNode& loop) {
    const ir::Stmt after = Rewriter::rewriteNode(loop);
    if (&loop != place_)
        return after;
    return ir::edited(ir::refAs<ir::ForNode>(after), [&](ir::ForNode& node) {
        node.body = insertAt(node.body, stage_.location.position, stage_.nest);
    });
}

ir::Stmt CacheRewriter::rewriteNode(const ir::BlockRealizeNode& realize) {
    bool changed = false;
    std::vector<ir::Expr> values = rewriteAll(realize.iterValues, changed);
    ir::Expr predicate = rewrite(realize.predicate);
    ir::Block block = rewriteBlock(realize.block);
    if (!changed && predicate == realize.predicate && block == realize.block)
        return ir::Stmt(&realize);
    reuse_.emplace_back(realize.block.get(), block.get());
    return ir::makeBlockRealize(std::move(values), std::move(predicate), std::move(block));
}

ir::Expr CacheRewriter::rewriteNode(const ir::BufferLoadNode& load) {
    if (!redirecting() || load.buffer != stage_.original)
        return Rewriter::rewriteNode(load);
    // Indices of a redirected load stay as they are, loads inside included.
    return ir::makeLoad(stage_.cache, shifted(load.indices), load.predicate);
}

ir::Expr CacheRewriter::rewriteNode(const ir::RegionAccessNode& access) {
    const ir::Expr after = Rewriter::rewriteNode(access);
    if (!redirecting() || access.buffer != stage_.original)
        return after;
    return ir::Expr(
        new ir::RegionAccessNode(stage_.cache, ir::as<ir::RegionAccessNode>(after)->region));
}

std::vector<ir::BufferRegion>
CacheRewriter::rewrittenIndices(const std::vector<ir::BufferRegion>& regions, bool& changed) {
    std::vector<ir::BufferRegion> result;
    result.reserve(regions.size());
    for (const auto& region : regions)
        result.push_back(rewriteRegion(region, changed));
    return result;
}

std::vector<ir::Expr> CacheRewriter::shifted(const std::vector<ir::Expr>& indices) {
    if (stage_.fullShape)
        return indices;
    std::vector<ir::Expr> result;
    result.reserve(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i)
        result.push_back(analyzer_.simplify(indices[i] - stage_.region.region[i].min));
    return result;
}

std::vector<ir::BufferRegion>
CacheRewriter::redirectedRegions(const std::vector<ir::BufferRegion>& regions) {
    std::vector<ir::BufferRegion> result = regions;
    for (auto& region : result) {
        if (region.buffer != stage_.original)
            continue;
        region.buffer = stage_.cache;
        if (stage_.fullShape)
            continue;
        for (std::size_t i = 0; i < region.region.size(); ++i)
            region.region[i].min =
                analyzer_.simplify(region.region[i].min - stage_.region.region[i].min);
    }
    return result;
}

std::vector<ir::MatchBufferRegion>
CacheRewriter::redirectedMatches(const std::vector<ir::MatchBufferRegion>& matches) {
    std::vector<ir::MatchBufferRegion> result = matches;
    for (auto& match : result)
        match.source = redirectedRegions({match.source}).front();
    return result;
}

} // namespace tilewright::schedule
