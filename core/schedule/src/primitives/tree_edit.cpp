// SPDX-License-Identifier: Apache-2.0
#include "primitives/tree_edit.h"

#include <tilewright/analysis/region_bounds.h>
#include <tilewright/analysis/scope_analysis.h>
#include <tilewright/arith/analyzer.h>

#include <algorithm>

namespace tilewright::schedule {
namespace {

class StmtReplacer {
public:
    explicit StmtReplacer(const StmtReplacements& replacements) : replacements_(replacements) {}

    ir::Stmt rewrite(const ir::Stmt& stmt) {
        if (!stmt)
            return stmt;
        for (const auto& [from, to] : replacements_)
            if (from == stmt.get())
                return to ? children(to) : to;
        return children(stmt);
    }

private:
    ir::Stmt children(const ir::Stmt& stmt) {
        switch (stmt->kind()) {
        case ir::NodeKind::For: {
            const auto* node = static_cast<const ir::ForNode*>(stmt.get());
            ir::Stmt body = rewrite(node->body);
            if (body == node->body)
                return stmt;
            return ir::edited(node, [&](ir::ForNode& copy) { copy.body = std::move(body); });
        }
        case ir::NodeKind::SeqStmt:
            return sequence(stmt);
        case ir::NodeKind::BlockRealize: {
            const auto* node = static_cast<const ir::BlockRealizeNode*>(stmt.get());
            const ir::Stmt block = rewrite(node->block);
            if (block == ir::Stmt(node->block))
                return stmt;
            return ir::makeBlockRealize(node->iterValues, node->predicate,
                                        ir::refAs<ir::BlockNode>(block));
        }
        case ir::NodeKind::Block: {
            const auto* node = static_cast<const ir::BlockNode*>(stmt.get());
            ir::Stmt body = rewrite(node->body);
            if (body == node->body)
                return stmt;
            return ir::edited(node, [&](ir::BlockNode& copy) { copy.body = std::move(body); });
        }
        case ir::NodeKind::IfThenElse: {
            const auto* node = static_cast<const ir::IfThenElseNode*>(stmt.get());
            const ir::Stmt thenCase = rewrite(node->thenCase);
            const ir::Stmt elseCase = rewrite(node->elseCase);
            if (thenCase == node->thenCase && elseCase == node->elseCase)
                return stmt;
            return ir::makeIf(node->condition, thenCase, elseCase);
        }
        case ir::NodeKind::AttrStmt: {
            const auto* node = static_cast<const ir::AttrStmtNode*>(stmt.get());
            const ir::Stmt body = rewrite(node->body);
            if (body == node->body)
                return stmt;
            return ir::Stmt(new ir::AttrStmtNode(node->node, node->key, node->value, body));
        }
        case ir::NodeKind::While: {
            const auto* node = static_cast<const ir::WhileNode*>(stmt.get());
            const ir::Stmt body = rewrite(node->body);
            if (body == node->body)
                return stmt;
            return ir::Stmt(new ir::WhileNode(node->condition, body));
        }
        default:
            return stmt;
        }
    }

    ir::Stmt sequence(const ir::Stmt& stmt) {
        const auto* node = static_cast<const ir::SeqStmtNode*>(stmt.get());
        std::vector<ir::Stmt> result;
        bool changed = false;
        result.reserve(node->seq.size());
        for (const auto& child : node->seq) {
            ir::Stmt after = rewrite(child);
            changed = changed || after != child;
            if (after)
                result.push_back(std::move(after));
        }
        return changed ? ir::makeSeq(std::move(result)) : stmt;
    }

    const StmtReplacements& replacements_;
};

/// The members of a sequence without the one that is `node` (a loop, or the realize of a block).
std::vector<ir::Stmt> without(const std::vector<ir::Stmt>& seq, const ir::StmtNode* node) {
    std::vector<ir::Stmt> result;
    for (const auto& child : seq) {
        const auto* realize = ir::as<ir::BlockRealizeNode>(child);
        if (child.get() != node && !(realize && realize->block.get() == node))
            result.push_back(child);
    }
    return result;
}

} // namespace

ir::Stmt replaceStmts(const ir::Stmt& root, const StmtReplacements& replacements) {
    return StmtReplacer(replacements).rewrite(root);
}

std::vector<ir::Stmt> statementsOf(const ir::Stmt& body) {
    const auto* seq = ir::as<ir::SeqStmtNode>(body);
    return seq ? seq->seq : std::vector<ir::Stmt>{body};
}

Outcome<LeafRemoval> planLeafRemoval(const ScheduleState& state, SrefId block) {
    const ir::StmtNode* last = state.stmt(block);
    SrefId at = state.parent(block);
    while (at.valid() && state.isLoop(at)) {
        if (state.loop(at)->body->kind() == ir::NodeKind::SeqStmt)
            break;
        last = state.stmt(at);
        at = state.parent(at);
    }
    if (at.valid()) {
        const ir::Stmt& body = state.isLoop(at) ? state.loop(at)->body : state.block(at)->body;
        if (const auto* seq = ir::as<ir::SeqStmtNode>(body)) {
            std::vector<ir::Stmt> rest = without(seq->seq, last);
            if (!rest.empty() && rest.size() < seq->seq.size()) {
                ir::Stmt remaining = ir::makeSeq(std::move(rest));
                if (state.isLoop(at))
                    return LeafRemoval{at, ir::edited(state.loop(at), [&](ir::ForNode& copy) {
                                           copy.body = std::move(remaining);
                                       })};
                return LeafRemoval{at, ir::edited(state.block(at), [&](ir::BlockNode& copy) {
                                       copy.body = std::move(remaining);
                                   })};
            }
        }
    }
    return fail("OnlyLeafError", "Cannot remove the only leaf in the scope",
                {state.block(block)->name});
}

std::vector<const ir::ForNode*> loopsBetween(const ScheduleState& state, SrefId low, SrefId high) {
    std::vector<const ir::ForNode*> loops;
    for (SrefId at = low; at.valid() && at != high; at = state.parent(at))
        if (state.isLoop(at))
            loops.push_back(state.loop(at));
    std::reverse(loops.begin(), loops.end());
    return loops;
}

std::vector<const ir::ForNode*> loopsUpFrom(const ScheduleState& state, SrefId id) {
    return loopsBetween(state, id, SrefId{});
}

std::vector<const ir::ForNode*> loopNodesAbove(const ScheduleState& state, SrefId block) {
    return loopsBetween(state, state.parent(block), state.parentBlock(block));
}

arith::Domain pathDomain(const ScheduleState& state, SrefId low, SrefId high,
                         std::string_view storageScope) {
    return analysis::relaxedDomain(loopsUpFrom(state, high), loopsBetween(state, low, high),
                                   storageScope);
}

void editScope(ScheduleState& state, SrefId scope, const StmtReplacements& replacements,
               const std::vector<ir::Buffer>& newBuffers, const BlockReuse& reuse) {
    const ir::BlockNode* oldScope = state.block(scope);
    ir::Stmt body = replaceStmts(oldScope->body, replacements);
    const ir::Block newScope = ir::edited(oldScope, [&](ir::BlockNode& copy) {
        copy.body = std::move(body);
        copy.allocBuffers.insert(copy.allocBuffers.end(), newBuffers.begin(), newBuffers.end());
    });
    BlockReuse all = reuse;
    all.emplace_back(oldScope, newScope.get());
    state.replace(scope, newScope, all);
}

bool hasAffineBinding(const ScheduleState& state, SrefId block) {
    arith::Analyzer analyzer;
    return analysis::isAffineBinding(*state.realize(block), loopNodesAbove(state, block), analyzer);
}

} // namespace tilewright::schedule
