// SPDX-License-Identifier: Apache-2.0
#pragma once

// Copy-on-write maps over statements only: loops, sequences, branches. Statements that do not
// change are kept as they are.

#include <tilewright/ir/make.h>

namespace tilewright::schedule {

/// Applies fn to the statements directly below a sequence, branch, attribute or while loop; other
/// statements are returned as they are.
template <class Fn> ir::Stmt mapChildren(const ir::Stmt& stmt, Fn&& fn) {
    switch (stmt->kind()) {
    case ir::NodeKind::SeqStmt: {
        const auto& seq = static_cast<const ir::SeqStmtNode*>(stmt.get())->seq;
        std::vector<ir::Stmt> mapped;
        mapped.reserve(seq.size());
        bool changed = false;
        for (const ir::Stmt& child : seq) {
            mapped.push_back(fn(child));
            changed = changed || !(mapped.back() == child);
        }
        return changed ? ir::makeSeq(std::move(mapped)) : stmt;
    }
    case ir::NodeKind::IfThenElse: {
        const auto* branch = static_cast<const ir::IfThenElseNode*>(stmt.get());
        const ir::Stmt thenCase = fn(branch->thenCase);
        const ir::Stmt elseCase = branch->elseCase ? fn(branch->elseCase) : branch->elseCase;
        if (thenCase == branch->thenCase && elseCase == branch->elseCase)
            return stmt;
        return ir::makeIf(branch->condition, thenCase, elseCase);
    }
    case ir::NodeKind::AttrStmt: {
        const auto* attr = static_cast<const ir::AttrStmtNode*>(stmt.get());
        const ir::Stmt body = fn(attr->body);
        if (body == attr->body)
            return stmt;
        return ir::Stmt(new ir::AttrStmtNode(attr->node, attr->key, attr->value, body));
    }
    case ir::NodeKind::While: {
        const auto* loop = static_cast<const ir::WhileNode*>(stmt.get());
        const ir::Stmt body = fn(loop->body);
        if (body == loop->body)
            return stmt;
        return ir::Stmt(new ir::WhileNode(loop->condition, body));
    }
    default:
        return stmt;
    }
}

/// Replaces every nearest block realize by fn(realize); blocks are not entered.
template <class Fn> ir::Stmt mapRealizes(const ir::Stmt& stmt, Fn&& fn) {
    if (stmt->kind() == ir::NodeKind::BlockRealize)
        return fn(*static_cast<const ir::BlockRealizeNode*>(stmt.get()));
    if (stmt->kind() == ir::NodeKind::For) {
        const auto* loop = static_cast<const ir::ForNode*>(stmt.get());
        const ir::Stmt body = mapRealizes(loop->body, fn);
        if (body == loop->body)
            return stmt;
        return ir::edited(loop, [&](ir::ForNode& n) { n.body = body; });
    }
    return mapChildren(stmt, [&](const ir::Stmt& child) { return mapRealizes(child, fn); });
}

} // namespace tilewright::schedule
