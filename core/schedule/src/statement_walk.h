// SPDX-License-Identifier: Apache-2.0
#pragma once

// Walks over statements only (no expressions, not into init): the loops and blocks that have
// entries in the schedule's table.

#include <tilewright/ir/stmt.h>

namespace tilewright::schedule {

/// Body of a loop or block.
inline const ir::Stmt& bodyOf(const ir::StmtNode* node) {
    if (node->kind() == ir::NodeKind::For)
        return static_cast<const ir::ForNode*>(node)->body;
    return static_cast<const ir::BlockNode*>(node)->body;
}

/// Calls fn(For or Block node, its realize or null) for the topmost loops and blocks in `stmt`.
template <class Fn> void forEachEntry(const ir::Stmt& stmt, Fn&& fn) {
    if (!stmt)
        return;
    switch (stmt->kind()) {
    case ir::NodeKind::For:
        fn(stmt.get(), static_cast<const ir::BlockRealizeNode*>(nullptr));
        break;
    case ir::NodeKind::BlockRealize: {
        const auto* realize = static_cast<const ir::BlockRealizeNode*>(stmt.get());
        fn(static_cast<const ir::StmtNode*>(realize->block.get()), realize);
        break;
    }
    case ir::NodeKind::SeqStmt:
        for (const auto& child : static_cast<const ir::SeqStmtNode*>(stmt.get())->seq)
            forEachEntry(child, fn);
        break;
    case ir::NodeKind::IfThenElse: {
        const auto* branch = static_cast<const ir::IfThenElseNode*>(stmt.get());
        forEachEntry(branch->thenCase, fn);
        forEachEntry(branch->elseCase, fn);
        break;
    }
    case ir::NodeKind::AttrStmt:
        forEachEntry(static_cast<const ir::AttrStmtNode*>(stmt.get())->body, fn);
        break;
    case ir::NodeKind::While:
        forEachEntry(static_cast<const ir::WhileNode*>(stmt.get())->body, fn);
        break;
    default:
        break;
    }
}

/// Calls fn(realize) for every block in `stmt` that is in no other block.
template <class Fn> void forEachChildBlock(const ir::Stmt& stmt, Fn&& fn) {
    forEachEntry(stmt, [&](const ir::StmtNode* node, const ir::BlockRealizeNode* realize) {
        if (realize)
            fn(realize);
        else
            forEachChildBlock(static_cast<const ir::ForNode*>(node)->body, fn);
    });
}

} // namespace tilewright::schedule
