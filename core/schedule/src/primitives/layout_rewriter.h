// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/layout_padding.h"
#include "primitives/primitive.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/domain.h>
#include <tilewright/ir/visit.h>

namespace tilewright::schedule {

/// Sends every access of a buffer through the index map, detects the regions of the blocks that
/// access it anew, and puts in what fills the padding.
class LayoutRewriter final : public ir::Rewriter {
public:
    LayoutRewriter(const LayoutChange& change, const LayoutPadding& padding)
        : change_(change), padding_(padding) {}
    /// The new scope block (the one that allocates the buffer, or the root).
    Outcome<ir::Stmt> run(const ir::BlockNode& scope);
    [[nodiscard]] const BlockReuse& reuse() const { return reuse_; }

protected:
    using ir::Rewriter::rewriteNode;
    ir::Stmt rewriteNode(const ir::ForNode& loop) override;
    ir::Stmt rewriteNode(const ir::BlockNode& block) override;
    ir::Stmt rewriteNode(const ir::BufferStoreNode& store) override;
    ir::Stmt rewriteNode(const ir::IfThenElseNode& branch) override;
    ir::Expr rewriteNode(const ir::BufferLoadNode& load) override;
    ir::Expr rewriteNode(const ir::CallNode& call) override;
    ir::Buffer rewriteBuffer(const ir::Buffer& buffer) override {
        return buffer == change_.from ? change_.to : buffer;
    }

private:
    /// Runs `body` where the condition is known to hold.
    template <class Body> void under(const ir::Expr& condition, Body&& body);
    std::vector<ir::Expr> mapped(const std::vector<ir::Expr>& indices);
    /// Regions with those of the buffer detected anew; sets failed_ when that is impossible.
    void redetect(std::vector<ir::BufferRegion>& regions,
                  const std::vector<ir::BufferRegion>& detected);
    ir::Stmt replaced(const ir::Stmt& stmt, bool& found);

    const LayoutChange& change_;
    const LayoutPadding& padding_;
    arith::Analyzer analyzer_;
    arith::Analyzer indexAnalyzer_;
    arith::Domain domain_;
    std::vector<ir::Expr> conditions_;
    BlockReuse reuse_;
    bool failed_ = false;
};

} // namespace tilewright::schedule
