// SPDX-License-Identifier: Apache-2.0
#include "index_form.h"

#include <tilewright/arith/decide_condition.h>
#include <tilewright/arith/expr_equal.h>
#include <tilewright/base/floor_division.h>
#include <tilewright/ir/make.h>

#include <algorithm>
#include <numeric>

namespace tilewright::lower {

using base::floorDivide;
using base::floorRemainder;
using ir::as;
using ir::Expr;
using ir::NodeKind;

namespace {

constexpr std::int64_t kFar = Interval::kFar;

std::int64_t clampFar(__int128 value) {
    if (value >= kFar)
        return kFar;
    if (value <= -kFar)
        return -kFar;
    return static_cast<std::int64_t>(value);
}

Interval scaled(Interval r, std::int64_t k) {
    if (k == 0)
        return {0, 0};
    const auto end = [k](std::int64_t v) {
        if (v >= kFar || v <= -kFar)
            return (v > 0) == (k > 0) ? kFar : -kFar;
        return clampFar(static_cast<__int128>(v) * k);
    };
    const std::int64_t a = end(r.lo);
    const std::int64_t b = end(r.hi);
    return {std::min(a, b), std::max(a, b)};
}

Interval plus(Interval a, Interval b) {
    const auto sum = [](std::int64_t x, std::int64_t y, std::int64_t far) {
        return x == far || y == far ? far : clampFar(static_cast<__int128>(x) + y);
    };
    return {sum(a.lo, b.lo, -kFar), sum(a.hi, b.hi, kFar)};
}

bool isLinearType(ir::DataType type) {
    return type.isScalar() && type.isInt() && type.bits >= 32;
}

} // namespace

std::int64_t IndexForm::coefficientOf(const ir::VarNode* var) const {
    for (const IndexTerm& term : terms)
        if (term.atom.get() == var)
            return term.coeff;
    return 0;
}

bool IndexForm::uses(const ir::VarNode* var) const {
    return std::any_of(terms.begin(), terms.end(),
                       [&](const IndexTerm& t) { return ir::usesVar(t.atom, var); });
}

bool IndexForm::usesNonlinearly(const ir::VarNode* var) const {
    return std::any_of(terms.begin(), terms.end(), [&](const IndexTerm& t) {
        return t.atom.get() != var && ir::usesVar(t.atom, var);
    });
}

bool sameTerms(const IndexForm& a, const IndexForm& b) {
    if (a.terms.size() != b.terms.size())
        return false;
    return std::all_of(a.terms.begin(), a.terms.end(), [&](const IndexTerm& x) {
        return std::any_of(b.terms.begin(), b.terms.end(), [&](const IndexTerm& y) {
            return x.coeff == y.coeff && arith::exprEqual(x.atom, y.atom);
        });
    });
}

bool isIndexExpr(const Expr& expr) {
    if (!isLinearType(expr->dtype))
        return false;
    bool plain = true;
    ir::walk(expr, [&](const ir::Node& node) {
        switch (node.kind()) {
        case NodeKind::BufferLoad:
        case NodeKind::Call:
        case NodeKind::Let:
        case NodeKind::FloatImm:
        case NodeKind::Shuffle:
            plain = false;
            break;
        case NodeKind::Cast: {
            const auto& value = static_cast<const ir::CastNode&>(node).value;
            plain = plain && isLinearType(value->dtype);
            break;
        }
        default:
            break;
        }
        return plain;
    });
    return plain;
}

void IndexSimplifier::bind(const ir::Var& var, Interval range) {
    bindings_[var.get()] = {range, nextDepth_++};
}
void IndexSimplifier::unbind(const ir::VarNode* var) {
    bindings_.erase(var);
    definitions_.erase(var);
}
void IndexSimplifier::define(const ir::Var& var, IndexForm value) {
    definitions_[var.get()] = std::move(value);
}
int IndexSimplifier::depthOf(const ir::VarNode* var) const {
    const auto it = bindings_.find(var);
    return it == bindings_.end() ? -1 : it->second.depth;
}

int IndexSimplifier::depthOfAtom(const Expr& atom) const {
    int depth = -1;
    ir::walk(atom, [&](const ir::Node& node) {
        if (node.kind() == NodeKind::Var)
            depth = std::max(depth, depthOf(static_cast<const ir::VarNode*>(&node)));
        return true;
    });
    return depth;
}

void IndexSimplifier::addTerm(IndexForm& sum, const Expr& atom, std::int64_t coeff) {
    if (coeff == 0)
        return;
    for (std::size_t i = 0; i < sum.terms.size(); ++i) {
        if (!arith::exprEqual(sum.terms[i].atom, atom))
            continue;
        sum.terms[i].coeff += coeff;
        if (sum.terms[i].coeff == 0)
            sum.terms.erase(sum.terms.begin() + static_cast<std::ptrdiff_t>(i));
        return;
    }
    sum.terms.push_back({atom, coeff});
}

void IndexSimplifier::addScaled(IndexForm& sum, const IndexForm& part, std::int64_t scale) {
    sum.constant += part.constant * scale;
    for (const IndexTerm& term : part.terms)
        addTerm(sum, term.atom, term.coeff * scale);
}

Interval IndexSimplifier::rangeOfAtom(const Expr& atom) const {
    if (const auto* var = as<ir::VarNode>(atom)) {
        const auto it = bindings_.find(var);
        return it == bindings_.end() ? Interval{} : it->second.range;
    }
    const auto* binary = as<ir::BinaryNode>(atom);
    if (!binary)
        return {};
    const Interval a = range(form(binary->a));
    switch (binary->kind()) {
    case NodeKind::FloorDiv:
    case NodeKind::Div: {
        const auto c = ir::constInt(binary->b);
        if (!c || *c <= 0)
            return {};
        return {a.lo <= -kFar ? -kFar : floorDivide(a.lo, *c),
                a.hi >= kFar ? kFar : floorDivide(a.hi, *c)};
    }
    case NodeKind::FloorMod: {
        const auto c = ir::constInt(binary->b);
        if (!c || *c <= 0)
            return {};
        if (a.bounded() && floorDivide(a.lo, *c) == floorDivide(a.hi, *c))
            return {floorRemainder(a.lo, *c), floorRemainder(a.hi, *c)};
        return {0, *c - 1};
    }
    case NodeKind::Min: {
        const Interval b = range(form(binary->b));
        return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    }
    case NodeKind::Max: {
        const Interval b = range(form(binary->b));
        return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    }
    default:
        return {};
    }
}

Interval IndexSimplifier::range(const IndexForm& form) const {
    Interval sum{form.constant, form.constant};
    for (const IndexTerm& term : form.terms)
        sum = plus(sum, scaled(rangeOfAtom(term.atom), term.coeff));
    return sum;
}

namespace {

Expr indexDivision(NodeKind kind, const Expr& value, std::int64_t divisor) {
    return ir::makeBinary(kind, value, ir::makeInt(divisor, value->dtype));
}

ir::DataType widestType(const IndexForm& form) {
    for (const IndexTerm& term : form.terms)
        if (term.atom->dtype.bits == 64)
            return ir::DataType::i(64);
    return ir::DataType::i(32);
}

} // namespace

/// numerator = divisor * quotient + rest, where the rest's constant lies in [0, divisor) and none
/// of its coefficients is a multiple of the divisor.
IndexForm IndexSimplifier::splitDivision(const IndexForm& numerator, std::int64_t divisor,
                                         IndexForm& rest) const {
    IndexForm quotient;
    quotient.constant = floorDivide(numerator.constant, divisor);
    rest.constant = floorRemainder(numerator.constant, divisor);
    for (const IndexTerm& term : numerator.terms) {
        const std::int64_t whole = floorDivide(term.coeff, divisor);
        const std::int64_t left = term.coeff - whole * divisor;
        // Keep `-x` whole: -x = -1 * c + (c - 1) x would only hide it.
        if (left == 0)
            quotient.terms.push_back({term.atom, whole});
        else
            rest.terms.push_back(term);
    }
    return quotient;
}

IndexForm IndexSimplifier::divide(const IndexForm& numerator, std::int64_t divisor) const {
    if (divisor == 1)
        return numerator;
    IndexForm rest;
    IndexForm quotient = splitDivision(numerator, divisor, rest);
    const Interval restRange = range(rest);
    if (restRange.bounded() &&
        floorDivide(restRange.lo, divisor) == floorDivide(restRange.hi, divisor)) {
        quotient.constant += floorDivide(restRange.lo, divisor);
        return quotient;
    }
    // rest = g * x + y with 0 <= y < g and g | divisor: rest // divisor = x // (divisor / g).
    for (const IndexTerm& candidate : rest.terms) {
        const std::int64_t g = std::gcd(std::abs(candidate.coeff), divisor);
        if (g == 1)
            continue;
        IndexForm low;
        const IndexForm high = splitDivision(rest, g, low);
        if (range(low).within(0, g - 1)) {
            addScaled(quotient, divide(high, divisor / g), 1);
            return quotient;
        }
    }
    if (rest.terms.size() == 1 && rest.terms[0].coeff == 1 && rest.constant == 0) {
        const auto* inner = as<ir::BinaryNode>(rest.terms[0].atom);
        if (inner && inner->kind() == NodeKind::FloorDiv) {
            if (const auto c = ir::constInt(inner->b); c && *c > 0) {
                addScaled(quotient, divide(form(inner->a), *c * divisor), 1);
                return quotient;
            }
        }
    }
    const Expr value = toExpr(rest, widestType(rest));
    addTerm(quotient, indexDivision(NodeKind::FloorDiv, value, divisor), 1);
    return quotient;
}

IndexForm IndexSimplifier::remainder(const IndexForm& numerator, std::int64_t divisor) const {
    if (divisor == 1)
        return {};
    IndexForm rest;
    (void)splitDivision(numerator, divisor, rest);
    const Interval restRange = range(rest);
    if (restRange.bounded() &&
        floorDivide(restRange.lo, divisor) == floorDivide(restRange.hi, divisor)) {
        rest.constant -= floorDivide(restRange.lo, divisor) * divisor;
        return rest;
    }
    // (g x + y) % c = g (x % (c / g)) + y for 0 <= y < g and g | c.
    for (const IndexTerm& candidate : rest.terms) {
        const std::int64_t g = std::gcd(std::abs(candidate.coeff), divisor);
        if (g == 1)
            continue;
        IndexForm low;
        const IndexForm high = splitDivision(rest, g, low);
        if (range(low).within(0, g - 1)) {
            IndexForm result = low;
            addScaled(result, remainder(high, divisor / g), g);
            return result;
        }
    }
    if (rest.terms.size() == 1 && rest.terms[0].coeff == 1 && rest.constant == 0) {
        const auto* inner = as<ir::BinaryNode>(rest.terms[0].atom);
        if (inner && inner->kind() == NodeKind::FloorMod) {
            const auto c = ir::constInt(inner->b);
            if (c && *c % divisor == 0)
                return remainder(form(inner->a), divisor);
        }
    }
    IndexForm result;
    const Expr value = toExpr(rest, widestType(rest));
    addTerm(result, indexDivision(NodeKind::FloorMod, value, divisor), 1);
    return result;
}

/// Puts `k c (x // c) + k (x % c)` together as `k x`.
void IndexSimplifier::rejoin(IndexForm& sum) const {
    for (std::size_t i = 0; i < sum.terms.size(); ++i) {
        const auto* mod = as<ir::BinaryNode>(sum.terms[i].atom);
        if (!mod || mod->kind() != NodeKind::FloorMod)
            continue;
        const auto c = ir::constInt(mod->b);
        if (!c || *c <= 0)
            continue;
        const IndexForm whole = form(mod->a);
        const std::int64_t k = sum.terms[i].coeff;
        const IndexForm quotient = divide(whole, *c);
        // The quotient must be present, k c times, in full.
        const bool present =
            !quotient.terms.empty() &&
            std::all_of(quotient.terms.begin(), quotient.terms.end(), [&](const IndexTerm& q) {
                return std::any_of(sum.terms.begin(), sum.terms.end(), [&](const IndexTerm& t) {
                    return t.coeff == q.coeff * k * *c && arith::exprEqual(t.atom, q.atom);
                });
            });
        if (!present)
            continue;
        const Expr atom = sum.terms[i].atom;
        addTerm(sum, atom, -k);
        addScaled(sum, quotient, -k * *c);
        addScaled(sum, whole, k);
        i = static_cast<std::size_t>(-1);
    }
}

IndexForm IndexSimplifier::form(const Expr& expr) const {
    IndexForm result;
    if (const auto c = ir::constInt(expr)) {
        result.constant = *c;
        return result;
    }
    if (const auto* var = as<ir::VarNode>(expr)) {
        const auto defined = definitions_.find(var);
        if (defined != definitions_.end())
            return defined->second;
        const auto bound = bindings_.find(var);
        if (bound != bindings_.end() && bound->second.range.lo == bound->second.range.hi)
            result.constant = bound->second.range.lo;
        else
            result.terms.push_back({expr, 1});
        return result;
    }
    if (const auto* conversion = as<ir::CastNode>(expr);
        conversion && isLinearType(expr->dtype) && isLinearType(conversion->value->dtype))
        return form(conversion->value);
    const auto* binary = as<ir::BinaryNode>(expr);
    if (!binary || !isLinearType(expr->dtype)) {
        result.terms.push_back({expr, 1});
        return result;
    }
    const IndexForm a = form(binary->a);
    const IndexForm b = form(binary->b);
    const auto opaque = [&] {
        const Expr left = toExpr(a, binary->a->dtype);
        const Expr right = toExpr(b, binary->b->dtype);
        const bool same = arith::exprEqual(left, binary->a) && arith::exprEqual(right, binary->b);
        result.terms.push_back({same ? expr : ir::foldBinary(binary->kind(), left, right), 1});
        return result;
    };
    switch (binary->kind()) {
    case NodeKind::Add:
    case NodeKind::Sub:
        result = a;
        addScaled(result, b, binary->kind() == NodeKind::Add ? 1 : -1);
        rejoin(result);
        return result;
    case NodeKind::Mul:
        if (b.isConstant())
            addScaled(result, a, b.constant);
        else if (a.isConstant())
            addScaled(result, b, a.constant);
        else
            return opaque();
        return result;
    case NodeKind::Div:
    case NodeKind::FloorDiv:
        if (b.isConstant() && b.constant > 0 &&
            (binary->kind() == NodeKind::FloorDiv || range(a).lo >= 0))
            return divide(a, b.constant);
        return opaque();
    case NodeKind::Mod:
    case NodeKind::FloorMod:
        if (b.isConstant() && b.constant > 0 &&
            (binary->kind() == NodeKind::FloorMod || range(a).lo >= 0))
            return remainder(a, b.constant);
        return opaque();
    case NodeKind::Min:
    case NodeKind::Max: {
        IndexForm difference = a;
        addScaled(difference, b, -1);
        const Interval r = range(difference);
        if (r.hi <= 0)
            return binary->kind() == NodeKind::Min ? a : b;
        if (r.lo >= 0)
            return binary->kind() == NodeKind::Min ? b : a;
        return opaque();
    }
    default:
        return opaque();
    }
}

Expr IndexSimplifier::toExpr(const IndexForm& sum, ir::DataType type) const {
    std::vector<std::pair<int, const IndexTerm*>> ordered;
    ordered.reserve(sum.terms.size());
    for (const IndexTerm& term : sum.terms)
        ordered.emplace_back(depthOfAtom(term.atom), &term);
    // Outer variables first, so that what is invariant in an inner loop is one subexpression.
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Expr result;
    for (const auto& [depth, term] : ordered) {
        Expr piece = ir::cast(type, term->atom);
        if (term->coeff != 1)
            piece = ir::makeBinary(NodeKind::Mul, piece, ir::makeInt(term->coeff, type));
        result = result ? ir::makeBinary(NodeKind::Add, result, piece) : piece;
    }
    if (!result)
        return ir::makeInt(sum.constant, type);
    if (sum.constant != 0)
        result = ir::makeBinary(NodeKind::Add, result, ir::makeInt(sum.constant, type));
    return result;
}

std::optional<bool> IndexSimplifier::prove(const Expr& condition) const {
    return arith::decideCondition(
        condition, [this](const Expr& a, const Expr& b) -> std::optional<arith::ConstIntBound> {
            if (!isIndexExpr(a) || !isIndexExpr(b))
                return std::nullopt;
            IndexForm difference = form(a);
            addScaled(difference, form(b), -1);
            rejoin(difference);
            const Interval bounds = range(difference);
            return arith::ConstIntBound{bounds.lo, bounds.hi};
        });
}

} // namespace tilewright::lower
