// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "index_form.h"

#include <tilewright/ir/visit.h>

namespace tilewright::lower {

/// Rewriter that keeps indices canonical and decides conditions under the ranges of the loops
/// around them.
class IndexRewriter : public ir::Rewriter {
protected:
    using Rewriter::rewriteNode;
    ir::Expr rewriteNode(const ir::VarNode& node) override;
    ir::Expr rewriteNode(const ir::CastNode& node) override;
    ir::Expr rewriteNode(const ir::BinaryNode& node) override;
    ir::Expr rewriteNode(const ir::NotNode& node) override;
    ir::Expr rewriteNode(const ir::SelectNode& node) override;
    ir::Expr rewriteNode(const ir::CallNode& node) override;
    ir::Stmt rewriteNode(const ir::ForNode& node) override;
    ir::Stmt rewriteNode(const ir::IfThenElseNode& node) override;
    ir::Stmt rewriteNode(const ir::SeqStmtNode& node) override;

    /// The body once for each iteration, the loop's variable a constant.
    ir::Stmt replicate(const ir::ForNode& node, std::int64_t extent);

    IndexSimplifier indices_;
};

/// True for the statement without effect.
bool isNoOp(const ir::Stmt& stmt);

} // namespace tilewright::lower
