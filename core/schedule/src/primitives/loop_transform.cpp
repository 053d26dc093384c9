// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop_transform.h"

#include "primitives/chained_bindings.h"
#include "statement_map.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/iter_affine_map.h>
#include <tilewright/base/concat.h>

namespace tilewright::schedule {

using ir::Block;
using ir::BlockNode;
using ir::BlockRealizeNode;
using ir::Expr;
using ir::Stmt;

Outcome<void> checkPlainLoop(const ir::ForNode& loop) {
    if (loop.annotations.empty() && loop.forKind != ir::ForKind::ThreadBinding)
        return {};
    return fail("HasAnnotationOrThreadBindingError",
                base::concat("The loop ", loop.loopVar->name,
                             " has an annotation or a thread binding; a plain loop is needed"));
}

Outcome<void> checkStartsWithZero(const ir::ForNode& loop) {
    if (ir::isZero(loop.min) || arith::Analyzer().canProveEqual(loop.min, ir::makeInt(0)))
        return {};
    return fail("LoopNotStartWithZeroError",
                base::concat("The loop ", loop.loopVar->name, " does not start with 0"));
}

namespace {

class VarReplacer final : public ir::Rewriter {
public:
    VarReplacer(const ir::VarMap& values, BlockReuse& reuse) : values_(values), reuse_(reuse) {}

protected:
    using Rewriter::rewriteNode;
    Expr rewriteNode(const ir::VarNode& node) override {
        const auto it = values_.find(&node);
        return it == values_.end() ? Expr(&node) : it->second;
    }
    Stmt rewriteNode(const BlockNode& node) override {
        Stmt result = Rewriter::rewriteNode(node);
        // As in TVM, a block with iterators that changes becomes a new block.
        if (result.get() != &node && node.iterVars.empty())
            reuse_.emplace_back(&node, static_cast<const BlockNode*>(result.get()));
        return result;
    }

private:
    const ir::VarMap& values_;
    BlockReuse& reuse_;
};

} // namespace

Stmt replaceVars(const Stmt& stmt, const ir::VarMap& values, BlockReuse& reuse) {
    return VarReplacer(values, reuse).rewrite(stmt);
}

Stmt guardBlocks(const Stmt& stmt, const Expr& condition) {
    return mapRealizes(stmt, [&](const BlockRealizeNode& realize) {
        return ir::makeBlockRealize(realize.iterValues,
                                    ir::logicalAnd(realize.predicate, condition), realize.block);
    });
}

namespace {

/// Keeps the list of loops while it goes down.
class BindingSimplifier {
public:
    BindingSimplifier(arith::Domain domain, bool preserveUnitIters, BlockReuse& reuse)
        : domain_(std::move(domain)), preserveUnitIters_(preserveUnitIters), reuse_(reuse) {}

    Stmt simplify(const Stmt& stmt) {
        if (stmt->kind() == ir::NodeKind::For) {
            const auto* loop = static_cast<const ir::ForNode*>(stmt.get());
            domain_.push_back({loop->loopVar, {loop->min, loop->extent}});
            const Stmt body = simplify(loop->body);
            domain_.pop_back();
            if (body == loop->body)
                return stmt;
            return ir::edited(loop, [&](ir::ForNode& n) { n.body = body; });
        }
        if (stmt->kind() == ir::NodeKind::BlockRealize)
            return simplifyRealize(*static_cast<const BlockRealizeNode*>(stmt.get()));
        return mapChildren(stmt, [&](const Stmt& child) { return simplify(child); });
    }

private:
    Stmt simplifyRealize(const BlockRealizeNode& realize) {
        if (realize.iterValues.empty()) {
            const Stmt body = simplify(realize.block->body);
            if (body == realize.block->body)
                return Stmt(&realize);
            const Block block = ir::edited(realize.block, [&](BlockNode& n) { n.body = body; });
            note(realize.block.get(), block.get());
            return ir::makeBlockRealize(realize.iterValues, realize.predicate, block);
        }
        std::vector<Expr> values = simplified(realize);
        bool same = true;
        for (std::size_t i = 0; i < values.size(); ++i)
            same = same && values[i] == realize.iterValues[i];
        if (same)
            return Stmt(&realize);
        return ir::makeBlockRealize(std::move(values), realize.predicate, realize.block);
    }

    [[nodiscard]] std::vector<Expr> simplified(const BlockRealizeNode& realize) const {
        if (auto values =
                simplifyChained(realize.iterValues, domain_, realize.predicate, preserveUnitIters_))
            return *std::move(values);
        arith::Analyzer analyzer;
        return arith::iterMapSimplify(realize.iterValues, domain_, realize.predicate,
                                      arith::IterMapLevel::Surjective, analyzer,
                                      !preserveUnitIters_);
    }

    /// A block already noted as the successor of another one hands that on.
    void note(const BlockNode* before, const BlockNode* after) {
        for (auto& [first, second] : reuse_)
            if (second == before) {
                second = after;
                return;
            }
        reuse_.emplace_back(before, after);
    }

    arith::Domain domain_;
    bool preserveUnitIters_;
    BlockReuse& reuse_;
};

} // namespace

Stmt simplifyBindings(const Stmt& stmt, arith::Domain domain, bool preserveUnitIters,
                      BlockReuse& reuse) {
    return BindingSimplifier(std::move(domain), preserveUnitIters, reuse).simplify(stmt);
}

arith::Domain domainAbove(const ScheduleState& state, SrefId loop) {
    arith::Domain domain;
    for (const SrefId id : state.loopsAbove(loop)) {
        const ir::ForNode* node = state.loop(id);
        domain.push_back({node->loopVar, {node->min, node->extent}});
    }
    return domain;
}

ir::Var derivedVar(const ir::Var& var, const std::string& suffix, ir::DataType type) {
    return ir::makeVar(var->name + suffix, type);
}

} // namespace tilewright::schedule
