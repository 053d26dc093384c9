// SPDX-License-Identifier: Apache-2.0
#include <tilewright/arith/linear_equation.h>

#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

namespace tilewright::arith {

using namespace ir;

namespace {

void collectConjuncts(const Expr& condition, std::vector<Expr>& out) {
    if (const auto* node = as<BinaryNode>(condition); node && node->kind() == NodeKind::And) {
        collectConjuncts(node->a, out);
        collectConjuncts(node->b, out);
    } else if (!isOne(condition) || !condition->dtype.isBool()) {
        out.push_back(condition);
    }
}

/// `coeff * x + base` in one variable; a null coefficient stands for 0, a null base too.
struct LinearForm {
    Expr coeff;
    Expr base;
};

Expr addOptional(const Expr& a, const Expr& b) {
    return !a ? b : !b ? a : a + b;
}
Expr subOptional(const Expr& a, const Expr& b) {
    if (!b)
        return a;
    return a ? a - b : makeInt(0, b->dtype) - b;
}
Expr mulOptional(const Expr& a, const Expr& b) {
    return a && b ? a * b : nullptr;
}

std::optional<LinearForm> linearIn(const Expr& expr, const VarNode* var) {
    if (expr.get() == var)
        return LinearForm{makeInt(1, expr->dtype), nullptr};
    const auto* node = as<BinaryNode>(expr);
    if (node && node->kind() >= NodeKind::Add && node->kind() <= NodeKind::Mul) {
        const auto a = linearIn(node->a, var);
        const auto b = linearIn(node->b, var);
        if (!a || !b)
            return std::nullopt;
        if (node->kind() == NodeKind::Add)
            return LinearForm{addOptional(a->coeff, b->coeff), addOptional(a->base, b->base)};
        if (node->kind() == NodeKind::Sub)
            return LinearForm{subOptional(a->coeff, b->coeff), subOptional(a->base, b->base)};
        if (a->coeff && b->coeff)
            return std::nullopt;
        if (b->coeff)
            return LinearForm{mulOptional(a->base, b->coeff), mulOptional(a->base, b->base)};
        return LinearForm{mulOptional(a->coeff, b->base), mulOptional(a->base, b->base)};
    }
    if (usesVar(expr, var))
        return std::nullopt;
    return LinearForm{nullptr, expr};
}

} // namespace

std::vector<Expr> conjuncts(const Expr& condition) {
    std::vector<Expr> parts;
    if (condition)
        collectConjuncts(condition, parts);
    return parts;
}

std::optional<std::vector<Expr>> detectLinearEquation(const Expr& expr,
                                                      const std::vector<Var>& vars) {
    Analyzer analyzer;
    std::vector<Expr> coefficients;
    Expr base = expr;
    for (const Var& var : vars) {
        const auto form = linearIn(base, var.get());
        if (!form)
            return std::nullopt;
        coefficients.push_back(form->coeff ? analyzer.simplify(form->coeff)
                                           : makeInt(0, var->dtype));
        base = form->base ? form->base : makeInt(0, var->dtype);
    }
    // Coefficients must not depend on the other variables.
    for (const Expr& coefficient : coefficients)
        for (const Var& var : vars)
            if (usesVar(coefficient, var.get()))
                return std::nullopt;
    coefficients.push_back(analyzer.simplify(base));
    return coefficients;
}

std::optional<std::vector<ClipBound>> detectClipBound(const Expr& condition,
                                                      const std::vector<Var>& vars) {
    Analyzer analyzer;
    std::vector<ClipBound> bounds(vars.size());
    const auto isOneOf = [&](const VarNode* v) {
        for (const Var& var : vars)
            if (var.get() == v)
                return true;
        return false;
    };
    for (const Expr& part : conjuncts(condition)) {
        if (!usesVar(part, isOneOf))
            continue;
        const auto* node = as<BinaryNode>(part);
        if (!node || node->kind() < NodeKind::EQ || node->kind() > NodeKind::GE ||
            node->kind() == NodeKind::NE)
            return std::nullopt;
        std::size_t which = vars.size();
        for (std::size_t i = 0; i < vars.size(); ++i)
            if (usesVar(part, vars[i].get())) {
                if (which != vars.size())
                    return std::nullopt;
                which = i;
            }
        const auto form = linearIn(node->a - node->b, vars[which].get());
        if (!form || !form->coeff)
            return std::nullopt;
        const auto coeff = constInt(analyzer.simplify(form->coeff));
        if (!coeff || (*coeff != 1 && *coeff != -1))
            return std::nullopt;
        const Expr zero = makeInt(0, vars[which]->dtype);
        const Expr base = form->base ? form->base : zero;
        const Expr one = makeInt(1, zero->dtype);
        ClipBound& bound = bounds[which];
        const auto atMost = [&](Expr e) {
            e = analyzer.simplify(e);
            bound.max = bound.max ? minimum(bound.max, e) : e;
        };
        const auto atLeast = [&](Expr e) {
            e = analyzer.simplify(e);
            bound.min = bound.min ? maximum(bound.min, e) : e;
        };
        // coeff * x + base <op> 0
        const bool positive = *coeff == 1;
        const Expr value = positive ? zero - base : base;
        NodeKind kind = node->kind();
        if (!positive)
            kind = kind == NodeKind::LT   ? NodeKind::GT
                   : kind == NodeKind::LE ? NodeKind::GE
                   : kind == NodeKind::GT ? NodeKind::LT
                   : kind == NodeKind::GE ? NodeKind::LE
                                          : kind;
        if (kind == NodeKind::LT)
            atMost(value - one);
        else if (kind == NodeKind::LE)
            atMost(value);
        else if (kind == NodeKind::GT)
            atLeast(value + one);
        else if (kind == NodeKind::GE)
            atLeast(value);
        else {
            atMost(value);
            atLeast(value);
        }
    }
    return bounds;
}

} // namespace tilewright::arith
