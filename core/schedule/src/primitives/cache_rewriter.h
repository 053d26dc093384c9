// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/cache_stage.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/ir/visit.h>

#include <vector>

namespace tilewright::schedule {

/// Sends accesses of the original buffer to the cache, shifted when the cache holds only a region,
/// in the blocks a subclass chooses, and puts the copy in its place.
class CacheRewriter : public ir::Rewriter {
public:
    CacheRewriter(const ScheduleState& state, SrefId scope, const CacheStage& stage);
    /// Old and new blocks, for ScheduleState::replace.
    [[nodiscard]] const BlockReuse& reuse() const { return reuse_; }
    /// The new scope block.
    ir::Stmt run();

protected:
    using ir::Rewriter::rewriteNode;
    ir::Stmt rewriteNode(const ir::ForNode& loop) override;
    ir::Stmt rewriteNode(const ir::BlockRealizeNode& realize) override;
    ir::Expr rewriteNode(const ir::BufferLoadNode& load) override;
    ir::Expr rewriteNode(const ir::RegionAccessNode& access) override;

    /// Rewrites a child block; returns it as it is where nothing changes.
    virtual ir::Block rewriteBlock(const ir::Block& block) = 0;
    /// Whether accesses met now go to the cache.
    [[nodiscard]] virtual bool redirecting() const = 0;

    [[nodiscard]] ir::Buffer redirected(const ir::Buffer& buffer) const {
        return buffer == stage_.original ? stage_.cache : buffer;
    }
    std::vector<ir::Expr> shifted(const std::vector<ir::Expr>& indices);
    /// Regions whose bounds may load from the original (indirect accesses).
    std::vector<ir::BufferRegion> rewrittenIndices(const std::vector<ir::BufferRegion>& regions,
                                                   bool& changed);
    /// Regions of the original as regions of the cache.
    std::vector<ir::BufferRegion> redirectedRegions(const std::vector<ir::BufferRegion>& regions);
    std::vector<ir::MatchBufferRegion>
    redirectedMatches(const std::vector<ir::MatchBufferRegion>& matches);

    const CacheStage& stage_;
    BlockReuse reuse_;

private:
    const ScheduleState& state_;
    SrefId scope_;
    const ir::StmtNode* place_;
    arith::Analyzer analyzer_;
};

/// True when regions mention the buffer.
bool mentions(const std::vector<ir::BufferRegion>& regions,
              const std::vector<ir::MatchBufferRegion>& matches, const ir::Buffer& buffer);

} // namespace tilewright::schedule
