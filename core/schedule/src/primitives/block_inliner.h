// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/tree_edit.h"

#include <tilewright/ir/visit.h>

namespace tilewright::schedule {

/// Takes one block out of a scope and replaces a buffer between two blocks by values: what
/// compute_inline and reverse_compute_inline share. Subclasses say how loads or stores of the
/// buffer are replaced.
class BlockInliner : public ir::Rewriter {
public:
    BlockInliner(ir::Buffer inlined, const ir::BlockNode* scope) : inlined_(std::move(inlined)) {
        scope_ = scope;
    }
    /// The new scope block, without the removed block.
    ir::Stmt run(const ScheduleState& state, const LeafRemoval& removal);
    /// A pointer to the buffer is taken, or a part of it is matched: it cannot go away.
    [[nodiscard]] bool hasOpaqueAccess() const { return opaque_; }
    [[nodiscard]] const BlockReuse& reuse() const { return reuse_; }

protected:
    using ir::Rewriter::rewriteNode;
    ir::Stmt rewriteNode(const ir::ForNode& loop) override;
    ir::Stmt rewriteNode(const ir::BlockNode& block) override;
    ir::Expr rewriteNode(const ir::CallNode& call) override;
    ir::Expr rewriteNode(const ir::RegionAccessNode& access) override;

    ir::Buffer inlined_;

private:
    ir::Block updateSignature(const ir::BlockNode& before, ir::Stmt init, ir::Stmt body);

    const ir::BlockNode* scope_ = nullptr;
    const ir::StmtNode* removedFrom_ = nullptr;
    ir::Stmt replacement_;
    bool opaque_ = false;
    BlockReuse reuse_;
};

/// OpaqueAccessError.
base::Unexpected<Failure> opaqueAccess(const ir::Buffer& buffer);
/// BodyAnalysisError.
base::Unexpected<Failure> bodyNotInlinable(const ir::BlockNode& block, std::string_view why);
/// HasInitBlock.
Outcome<void> checkNoInit(const ir::BlockNode& block);

} // namespace tilewright::schedule
