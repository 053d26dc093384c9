// SPDX-License-Identifier: Apache-2.0
#include "primitives/chained_bindings.h"

#include <tilewright/arith/expr_equal.h>
#include <tilewright/ir/make.h>

namespace tilewright::schedule {

namespace {

using ir::Expr;

struct Term {
    const ir::VarNode* var;
    std::int64_t coefficient;
};

/// Appends the terms of `expr * factor` in textual order; false when it is no such sum.
bool collectTerms(const Expr& expr, std::int64_t factor, ir::DataType type,
                  std::vector<Term>& terms) {
    if (!(expr->dtype == type))
        return false;
    switch (expr->kind()) {
    case ir::NodeKind::Var:
        terms.push_back({static_cast<const ir::VarNode*>(expr.get()), factor});
        return true;
    case ir::NodeKind::Add: {
        const auto* sum = static_cast<const ir::BinaryNode*>(expr.get());
        return collectTerms(sum->a, factor, type, terms) &&
               collectTerms(sum->b, factor, type, terms);
    }
    case ir::NodeKind::Mul: {
        const auto* product = static_cast<const ir::BinaryNode*>(expr.get());
        const auto scale = ir::constInt(product->b);
        std::int64_t scaled = 0;
        if (!scale || *scale <= 0 || __builtin_mul_overflow(factor, *scale, &scaled))
            return false;
        return collectTerms(product->a, scaled, type, terms);
    }
    default:
        return false;
    }
}

struct Loop {
    const ir::VarNode* var;
    std::int64_t extent;
    bool used = false;
};

Expr sumOf(const std::vector<Term>& terms, ir::DataType type) {
    Expr sum;
    for (const Term& term : terms) {
        Expr piece{term.var};
        if (term.coefficient != 1)
            piece = ir::makeBinary(ir::NodeKind::Mul, piece, ir::makeInt(term.coefficient, type));
        sum = sum ? ir::makeBinary(ir::NodeKind::Add, sum, piece) : piece;
    }
    return sum;
}

} // namespace

std::optional<std::vector<Expr>> simplifyChained(const std::vector<Expr>& bindings,
                                                 const arith::Domain& domain, const Expr& predicate,
                                                 bool preserveUnitIters) {
    if (!ir::isOne(predicate))
        return std::nullopt;
    std::vector<Loop> loops;
    loops.reserve(domain.size());
    for (const arith::VarRange& loop : domain) {
        const auto extent = ir::constInt(loop.range.extent);
        if (!ir::isZero(loop.range.min) || !extent || *extent < 1 ||
            (*extent == 1 && !preserveUnitIters))
            return std::nullopt;
        loops.push_back({loop.var.get(), *extent});
    }
    std::vector<Expr> result;
    result.reserve(bindings.size());
    std::vector<Term> terms;
    for (const Expr& binding : bindings) {
        if (binding->kind() == ir::NodeKind::IntImm) {
            result.push_back(binding);
            continue;
        }
        terms.clear();
        if (!collectTerms(binding, 1, binding->dtype, terms))
            return std::nullopt;
        // From the right, each coefficient is the product of the extents passed so far.
        std::int64_t expected = 1;
        for (std::size_t i = terms.size(); i-- > 0;) {
            Loop* loop = nullptr;
            for (Loop& candidate : loops)
                if (candidate.var == terms[i].var)
                    loop = &candidate;
            if (!loop || loop->used || terms[i].coefficient != expected ||
                __builtin_mul_overflow(expected, loop->extent, &expected))
                return std::nullopt;
            loop->used = true;
        }
        Expr sum = sumOf(terms, binding->dtype);
        result.push_back(arith::exprEqual(sum, binding) ? binding : std::move(sum));
    }
    return result;
}

} // namespace tilewright::schedule
