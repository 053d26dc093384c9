// SPDX-License-Identifier: Apache-2.0
#include "primitives/cache_read.h"

#include "primitives/block_checks.h"
#include "primitives/cache_rewriter.h"
#include "primitives/cache_stage.h"
#include "primitives/tree_edit.h"

#include <algorithm>

namespace tilewright::schedule {
namespace {

/// Redirects the reads of the consumers.
class ReadRewriter final : public CacheRewriter {
public:
    ReadRewriter(const ScheduleState& state, SrefId scope, const CacheStage& stage,
                 std::vector<const ir::BlockNode*> consumers)
        : CacheRewriter(state, scope, stage), consumers_(std::move(consumers)),
          consuming_(consumers_.empty()) {}

protected:
    ir::Block rewriteBlock(const ir::Block& block) override {
        const bool consumer = consumers_.empty() || std::find(consumers_.begin(), consumers_.end(),
                                                              block.get()) != consumers_.end();
        consuming_ = consumer;
        if (findRegion(block->writes, stage_.original))
            return block;
        bool changed = false;
        std::vector<ir::BufferRegion> reads = rewrittenIndices(block->reads, changed);
        std::vector<ir::BufferRegion> writes = rewrittenIndices(block->writes, changed);
        ir::Stmt init = block->init ? rewrite(block->init) : nullptr;
        ir::Stmt body = rewrite(block->body);
        const bool regions =
            consumer && mentions(block->reads, block->matchBuffers, stage_.original);
        if (!regions && !changed && init == block->init && body == block->body)
            return block;
        return ir::edited(block, [&](ir::BlockNode& node) {
            node.init = std::move(init);
            node.body = std::move(body);
            node.reads = regions ? redirectedRegions(reads) : std::move(reads);
            node.writes = std::move(writes);
            if (regions)
                node.matchBuffers = redirectedMatches(block->matchBuffers);
        });
    }
    [[nodiscard]] bool redirecting() const override { return consuming_; }

private:
    std::vector<const ir::BlockNode*> consumers_;
    bool consuming_;
};

Outcome<void> checkRegionCover(const ScheduleState& state, SrefId scope, const ir::Buffer& buffer) {
    for (const SrefId child : state.childBlocks(scope)) {
        const ir::BlockNode& block = *state.block(child);
        if (findRegion(block.reads, buffer) && !state.regionCover(child))
            return fail("NotRegionCoverError",
                        "The scope root's region cover is not complete: what block " + block.name +
                            " reads of " + buffer->name + " is not surely produced before",
                        {block.name});
    }
    return {};
}

} // namespace

Outcome<SrefId> cacheRead(ScheduleState& state, SrefId block, int readBufferIndex,
                          const std::string& storageScope, const std::vector<SrefId>& consumers) {
    TW_TRY(checkStorageScope(storageScope));
    TW_ASSIGN(const ir::Buffer buffer,
              bufferAt(state, block, readBufferIndex, BufferIndexType::Read));
    TW_ASSIGN(const SrefId scope, state.scopeRoot(block, false));
    TW_TRY(checkRegionCover(state, scope, buffer));
    TW_ASSIGN(const SrefId writer, onlyWriter(state, scope, buffer));

    ir::BufferRegion region;
    CacheLocation location{scope, 0};
    if (writer.valid()) {
        std::vector<SrefId> readers = consumers;
        if (readers.empty())
            readers = readersOf(state, scope, writer);
        location = locateBetween(state, writer, scope, readers);
        region = relaxedRegion(state, writer, *findRegion(state.block(writer)->writes, buffer),
                               location.parent);
    } else if (const auto* declared = findRegion(state.block(scope)->reads, buffer)) {
        region = *declared;
    } else {
        region.buffer = buffer;
        for (const auto& extent : buffer->shape)
            region.region.push_back({ir::makeInt(0, extent->dtype), extent});
    }
    const CacheStage stage =
        makeCacheStage(state, scope, buffer, storageScope, region, location, true);
    std::vector<const ir::BlockNode*> consumerNodes;
    for (const SrefId consumer : consumers) {
        consumerNodes.push_back(state.block(consumer));
        for (const SrefId child : state.childBlocks(consumer))
            consumerNodes.push_back(state.block(child));
    }
    ReadRewriter rewriter(state, scope, stage, std::move(consumerNodes));
    const ir::Stmt newScope = rewriter.run();
    state.replace(scope, newScope, rewriter.reuse());
    const SrefId result = state.find(stage.block.get());
    state.setFlags(result, {hasAffineBinding(state, result), true, true});
    return result;
}

} // namespace tilewright::schedule
