// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "state.h"

#include <tilewright/ir/expr.h>

#include <vector>

namespace tilewright::arith {

/// Simplifies bottom up: children first, then constants, known facts and the rules of the node's
/// operator. The canonical simplifier overrides `visit` for index sums.
class RewriteSimplifier {
public:
    explicit RewriteSimplifier(Analyzer::State& state) : state_(state) {}
    virtual ~RewriteSimplifier() = default;
    virtual ir::Expr visit(const ir::Expr& expr);

protected:
    ir::Expr visitBinary(const ir::BinaryNode& node, const ir::Expr& self);
    ir::Expr visitComparison(const ir::BinaryNode& node, const ir::Expr& self);
    /// Simplest form of `a op b` for operands that are simplified; null when nothing applies.
    ir::Expr simplifyBinary(ir::NodeKind kind, const ir::Expr& a, const ir::Expr& b);

    Analyzer::State& state_;

private:
    ir::Expr visitNot(const ir::NotNode& node, const ir::Expr& self);
    ir::Expr visitSelect(const ir::SelectNode& node, const ir::Expr& self);
    ir::Expr visitCall(const ir::CallNode& node, const ir::Expr& self);
    ir::Expr visitRare(const ir::Expr& expr);
    ir::Expr visitLet(const ir::LetNode& node);
    bool visitAll(const std::vector<ir::Expr>& exprs, std::vector<ir::Expr>& out);

    ir::Expr foldConstants(ir::NodeKind kind, const ir::Expr& a, const ir::Expr& b);
    ir::Expr simplifyMinMax(ir::NodeKind kind, const ir::Expr& a, const ir::Expr& b);
    ir::Expr simplifyEqual(const ir::Expr& a, const ir::Expr& b);
    ir::Expr simplifyNotEqual(const ir::Expr& a, const ir::Expr& b);
    ir::Expr simplifyLess(const ir::Expr& a, const ir::Expr& b);
    ir::Expr simplifyLessEqual(const ir::Expr& a, const ir::Expr& b);
    ir::Expr simplifyLogical(ir::NodeKind kind, const ir::Expr& a, const ir::Expr& b);
    ir::Expr simplifyNot(const ir::Expr& a);
    ir::Expr simplifyVector(ir::NodeKind kind, const ir::Expr& a, const ir::Expr& b);
    ir::Expr applyRules(ir::NodeKind kind, const ir::Expr& a, const ir::Expr& b,
                        ir::DataType resultType);
    /// Simplified again unless nested too deep.
    ir::Expr again(const ir::Expr& expr);
    ir::Expr matchLiterals(const ir::Expr& condition);
    Order compare(const ir::Expr& a, const ir::Expr& b);
    Order compareByOrders(const ir::Expr& a, const ir::Expr& b);
};

} // namespace tilewright::arith
