// SPDX-License-Identifier: Apache-2.0
#include "linear_form.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/structural.h>

namespace tilewright::ir {

namespace {

/// Wraps on overflow instead of being undefined: the text may hold any numbers.
std::int64_t wrappingMul(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
std::int64_t wrappingAdd(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

} // namespace

void LinearForm::addTerm(const Expr& atom, std::int64_t factor) {
    if (factor == 0)
        return;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
        if (!structuralEqual(terms_[i].first, atom))
            continue;
        terms_[i].second = wrappingAdd(terms_[i].second, factor);
        if (terms_[i].second == 0)
            terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(i));
        return;
    }
    terms_.emplace_back(atom, factor);
}

LinearForm& LinearForm::add(const LinearForm& other, std::int64_t factor) {
    for (const auto& [atom, coefficient] : other.terms_)
        addTerm(atom, wrappingMul(coefficient, factor));
    constant_ = wrappingAdd(constant_, wrappingMul(other.constant_, factor));
    return *this;
}

LinearForm& LinearForm::scale(std::int64_t factor) {
    if (factor == 0)
        terms_.clear();
    for (auto& [atom, coefficient] : terms_)
        coefficient = wrappingMul(coefficient, factor);
    constant_ = wrappingMul(constant_, factor);
    return *this;
}

LinearForm LinearForm::of(const Expr& expr) {
    if (const auto value = constInt(expr))
        return LinearForm(*value);
    LinearForm form;
    const bool isSum = expr->kind() == NodeKind::Add || expr->kind() == NodeKind::Sub;
    if (isSum) {
        const auto& sum = static_cast<const BinaryNode&>(*expr);
        form = of(sum.a);
        form.add(of(sum.b), expr->kind() == NodeKind::Add ? 1 : -1);
        return form;
    }
    if (expr->kind() == NodeKind::Mul) {
        const auto& product = static_cast<const BinaryNode&>(*expr);
        LinearForm left = of(product.a);
        LinearForm right = of(product.b);
        if (right.isConstant())
            return left.scale(right.constant());
        if (left.isConstant())
            return right.scale(left.constant());
    }
    form.addTerm(expr, 1);
    return form;
}

std::int64_t LinearForm::coefficient(const VarNode* var) const {
    for (const auto& [atom, coefficient] : terms_) {
        if (atom.get() == var)
            return coefficient;
    }
    return 0;
}

void LinearForm::removeVar(const VarNode* var) {
    std::erase_if(terms_, [&](const auto& term) { return term.first.get() == var; });
}

bool LinearForm::operator==(const LinearForm& other) const {
    LinearForm rest = *this;
    rest.add(other, -1);
    return rest.isConstant() && rest.constant_ == 0;
}

Expr LinearForm::toExpr(DataType type) const {
    Expr sum;
    for (const auto& [atom, coefficient] : terms_) {
        if (!sum)
            sum = mul(cast(type, atom), makeInt(coefficient, type));
        else if (coefficient < 0)
            sum = sub(sum, mul(cast(type, atom), makeInt(-coefficient, type)));
        else
            sum = ir::add(sum, mul(cast(type, atom), makeInt(coefficient, type)));
    }
    if (!sum)
        return makeInt(constant_, type);
    return constant_ < 0 ? sub(sum, makeInt(-constant_, type))
                         : ir::add(sum, makeInt(constant_, type));
}

Expr difference(const Expr& b, const Expr& a) {
    const DataType type = a->dtype.bits > b->dtype.bits ? a->dtype : b->dtype;
    const LinearForm minuend = LinearForm::of(b);
    const LinearForm subtrahend = LinearForm::of(a);
    LinearForm form = minuend;
    form.add(subtrahend, -1);
    // Where nothing cancels, the difference stays as it is written.
    if (!form.isConstant() &&
        form.terms().size() == minuend.terms().size() + subtrahend.terms().size() &&
        (minuend.constant() == 0 || subtrahend.constant() == 0))
        return sub(cast(type, b), cast(type, a));
    return form.toExpr(type);
}

} // namespace tilewright::ir
