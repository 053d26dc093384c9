// SPDX-License-Identifier: Apache-2.0
#include "primitives/cache_write.h"

#include "primitives/block_checks.h"
#include "primitives/cache_rewriter.h"
#include "primitives/cache_stage.h"
#include "primitives/tree_edit.h"

#include <algorithm>

namespace tilewright::schedule {
namespace {

/// Redirects the writer, with the blocks nested in it, and the chosen consumers.
class WriteRewriter final : public CacheRewriter {
public:
    WriteRewriter(const ScheduleState& state, SrefId scope, const CacheStage& stage,
                  const ir::BlockNode* writer, std::vector<const ir::BlockNode*> consumers)
        : CacheRewriter(state, scope, stage), writer_(writer), consumers_(std::move(consumers)) {}

protected:
    using CacheRewriter::rewriteNode;

    ir::Block rewriteBlock(const ir::Block& block) override {
        const bool consumer =
            std::find(consumers_.begin(), consumers_.end(), block.get()) != consumers_.end();
        if (consumer && !mentions(block->reads, block->matchBuffers, stage_.original) &&
            !findRegion(block->writes, stage_.original))
            return block;
        if (!consumer && block.get() != writer_ && depth_ == 0)
            return block;
        ++depth_;
        // A chosen consumer keeps its init, even when it is the writer itself.
        ir::Stmt init = block->init && !consumer ? rewrite(block->init) : block->init;
        ir::Stmt body = rewrite(block->body);
        --depth_;
        const bool regions = mentions(block->reads, block->matchBuffers, stage_.original) ||
                             findRegion(block->writes, stage_.original);
        if (!regions && init == block->init && body == block->body)
            return block;
        return ir::edited(block, [&](ir::BlockNode& node) {
            node.init = std::move(init);
            node.body = std::move(body);
            node.reads = redirectedRegions(block->reads);
            node.writes = redirectedRegions(block->writes);
            node.matchBuffers = redirectedMatches(block->matchBuffers);
        });
    }
    ir::Stmt rewriteNode(const ir::BufferStoreNode& store) override {
        if (!redirecting() || store.buffer != stage_.original)
            return Rewriter::rewriteNode(store);
        return ir::makeStore(stage_.cache, rewrite(store.value), shifted(store.indices),
                             store.predicate);
    }
    [[nodiscard]] bool redirecting() const override { return depth_ > 0; }

private:
    const ir::BlockNode* writer_;
    std::vector<const ir::BlockNode*> consumers_;
    int depth_ = 0;
};

} // namespace

Outcome<SrefId> cacheWrite(ScheduleState& state, SrefId block, int writeBufferIndex,
                           const std::string& storageScope, const std::vector<SrefId>& consumers) {
    TW_TRY(checkStorageScope(storageScope));
    TW_ASSIGN(const ir::Buffer buffer,
              bufferAt(state, block, writeBufferIndex, BufferIndexType::Write));
    TW_ASSIGN(const SrefId scope, state.scopeRoot(block, false));
    TW_ASSIGN(const SrefId writer, onlyWriter(state, scope, buffer));
    if (writer != block)
        return fail("InternalError", "The block is not the writer of its output buffer",
                    {state.block(block)->name});

    std::vector<SrefId> redirected;
    std::vector<const ir::BlockNode*> redirectedNodes;
    for (const SrefId consumer : consumers) {
        redirected.push_back(consumer);
        for (const SrefId child : state.childBlocks(consumer))
            redirected.push_back(child);
    }
    for (const SrefId id : redirected)
        redirectedNodes.push_back(state.block(id));
    std::vector<SrefId> readers = readersOf(state, scope, block);
    std::erase_if(readers, [&](SrefId reader) {
        return std::find(redirected.begin(), redirected.end(), reader) != redirected.end();
    });
    const CacheLocation location = locateBetween(state, block, scope, readers);
    const ir::BufferRegion region = relaxedRegion(
        state, block, *findRegion(state.block(block)->writes, buffer), location.parent);
    const CacheStage stage =
        makeCacheStage(state, scope, buffer, storageScope, region, location, false);
    WriteRewriter rewriter(state, scope, stage, state.block(block), std::move(redirectedNodes));
    const ir::Stmt newScope = rewriter.run();
    state.replace(scope, newScope, rewriter.reuse());
    const SrefId result = state.find(stage.block.get());
    state.setFlags(result, {hasAffineBinding(state, result), true, true});
    return result;
}

} // namespace tilewright::schedule
