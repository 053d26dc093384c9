// SPDX-License-Identifier: Apache-2.0
#include "iter_map_rewriter.h"

#include <tilewright/arith/expr_equal.h>
#include <tilewright/base/check.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

namespace tilewright::arith {

using namespace ir;

namespace {

IterSplit wholeOf(const IterMarkRef& mark, Expr scale) {
    return {mark, makeInt(1, mark->extent->dtype), mark->extent, std::move(scale)};
}

IterMarkRef markOf(Expr source, Expr extent) {
    return std::make_shared<const IterMark>(
        IterMark{std::move(source), nullptr, std::move(extent)});
}
IterMarkRef markOf(IterSum sum, Expr extent) {
    return std::make_shared<const IterMark>(
        IterMark{nullptr, std::make_shared<const IterSum>(std::move(sum)), std::move(extent)});
}

} // namespace

IterMapRewriter::IterMapRewriter(Analyzer& analyzer, const Domain& domain, IterMapLevel level,
                                 bool simplifyTrivial, std::vector<std::string>& errors)
    : analyzer_(analyzer), level_(level), errors_(errors), paddingPredicate_(makeBool(false)) {
    varMap_.reserve(domain.size());
    for (const VarRange& entry : domain) {
        const Expr zero = makeInt(0, entry.var->dtype);
        IterSum sum;
        if (simplifyTrivial && isOne(entry.range.extent)) {
            sum.base = entry.range.min;
        } else {
            const bool atZero = isZero(entry.range.min);
            const IterMarkRef mark =
                markOf(atZero ? Expr(entry.var) : entry.var - entry.range.min, entry.range.extent);
            sum.args.push_back(wholeOf(mark, makeInt(1, entry.var->dtype)));
            sum.base = atZero ? zero : entry.range.min;
            inputMarks_.push_back(mark);
        }
        varMap_.emplace_back(entry.var.get(), std::move(sum));
    }
}

bool IterMapRewriter::usesIters(const Expr& expr) const {
    return usesVar(expr, [this](const VarNode* var) {
        for (const auto& [key, sum] : varMap_)
            if (key == var)
                return true;
        return false;
    });
}

IterMapRewriter::Form IterMapRewriter::fail(std::string why) {
    errors_.push_back(std::move(why));
    return {makeInt(0), {}};
}

IterSum IterMapRewriter::toSum(Form form) const {
    if (!form.plain)
        return std::move(form.sum);
    IterSum sum;
    sum.base = std::move(form.plain);
    return sum;
}

IterMapRewriter::Form IterMapRewriter::visit(const Expr& expr) {
    if (expr->kind() == NodeKind::IntImm)
        return {expr, {}};
    if (expr->kind() == NodeKind::Var) {
        for (const auto& [var, sum] : varMap_)
            if (var == expr.get())
                return {nullptr, sum};
        return {expr, {}};
    }
    if (const auto* node = as<BinaryNode>(expr); node && node->dtype.isInt())
        return visitBinary(*node, expr);
    if (!usesIters(expr))
        return {expr, {}};
    if (const auto* node = as<CastNode>(expr);
        node && isIndexType(node->dtype) && isIndexType(node->value->dtype)) {
        // The cast of an iterator counts as an iterator of its own: (int64)i.
        Form inner = visit(node->value);
        if (inner.plain)
            return {cast(node->dtype, inner.plain), {}};
        if (inner.sum.args.size() == 1 && inner.sum.args[0].source->source) {
            const IterSplit& split = inner.sum.args[0];
            IterSum sum = inner.sum;
            sum.base = cast(node->dtype, sum.base);
            sum.args[0].scale = cast(node->dtype, split.scale);
            return {nullptr, std::move(sum)};
        }
    }
    return fail("the index is not affine in the iterators");
}

void IterMapRewriter::addTo(IterSum& sum, IterSplit split, int sign) const {
    if (sign < 0)
        split.scale = makeInt(0, split.scale->dtype) - split.scale;
    for (IterSplit& present : sum.args)
        if (sameSplit(present, split, false)) {
            present.scale = present.scale + split.scale;
            return;
        }
    sum.args.push_back(std::move(split));
}

IterMapRewriter::Form IterMapRewriter::visitBinary(const BinaryNode& node, const Expr& self) {
    Form a = visit(node.a);
    Form b = visit(node.b);
    if (!errors_.empty())
        return a;
    if (a.plain && b.plain)
        return {a.plain == node.a && b.plain == node.b ? self
                                                       : foldBinary(node.kind(), a.plain, b.plain),
                {}};
    switch (node.kind()) {
    case NodeKind::Add:
    case NodeKind::Sub: {
        const int sign = node.kind() == NodeKind::Add ? 1 : -1;
        IterSum sum = toSum(std::move(a));
        const Expr& shift = b.plain ? b.plain : b.sum.base;
        sum.base = foldBinary(node.kind(), sum.base, shift);
        if (!b.plain)
            for (IterSplit& split : b.sum.args)
                addTo(sum, std::move(split), sign);
        std::erase_if(sum.args, [](const IterSplit& split) { return isZero(split.scale); });
        return {nullptr, std::move(sum)};
    }
    case NodeKind::Mul:
        return visitProduct(node, self, std::move(a), std::move(b));
    case NodeKind::FloorDiv:
    case NodeKind::FloorMod:
        return visitDivision(node, self, std::move(a), std::move(b));
    default:
        return fail("an operator other than + - * // % is applied to an iterator");
    }
}

IterMapRewriter::Form IterMapRewriter::visitProduct(const BinaryNode&, const Expr&, Form a,
                                                    Form b) {
    if (!a.plain && !b.plain)
        return fail("two iterators are multiplied");
    if (a.plain)
        std::swap(a, b);
    if (isZero(b.plain))
        return {b.plain, {}};
    for (IterSplit& split : a.sum.args)
        split.scale = split.scale * b.plain;
    a.sum.base = a.sum.base * b.plain;
    return a;
}

IterMapRewriter::Form IterMapRewriter::visitDivision(const BinaryNode& node, const Expr& self,
                                                     Form a, Form b) {
    if (!b.plain)
        return fail("an iterator is a divisor");
    IterSum dividend = toSum(std::move(a));
    if (dividend.args.size() > 1) {
        auto fusedSum = fuse(std::move(dividend), true);
        if (!fusedSum)
            return fail("a dividend is not one fused iterator");
        dividend = std::move(*fusedSum);
    }
    if (dividend.args.empty())
        return {self, {}}; // trivial iterators only: left as written
    if (dividend.args.size() != 1)
        return fail("a dividend is not one fused iterator");
    return node.kind() == NodeKind::FloorDiv
               ? divideSplit(dividend.args[0], dividend.base, b.plain)
               : remainderSplit(dividend.args[0], dividend.base, b.plain, self);
}

IterMapRewriter::Form IterMapRewriter::divideSplit(IterSplit split, Expr base, Expr divisor) {
    const Expr one = makeInt(1, divisor->dtype);
    const auto wrap = [](IterSplit s, Expr b) {
        IterSum sum;
        sum.args.push_back(std::move(s));
        sum.base = std::move(b);
        return Form{nullptr, std::move(sum)};
    };
    if (isOne(divisor))
        return wrap(std::move(split), std::move(base));
    if (!isOne(split.scale)) {
        if (proveDivisible(split.scale, divisor) && proveDivisible(base, divisor)) {
            split.scale = simplify(floorDiv(split.scale, divisor));
            return wrap(std::move(split), floorDiv(base, divisor));
        }
        if (!proveDivisible(divisor, split.scale) || !proveDivisible(base, split.scale))
            return fail("a divisor and the scale of its dividend do not divide");
        base = simplify(floorDiv(base, split.scale));
        divisor = simplify(floorDiv(divisor, split.scale));
        split.scale = one;
        if (isOne(divisor))
            return wrap(std::move(split), std::move(base));
    }
    const Expr left = padToDivisor(split, base, divisor);
    if (!left)
        return fail("uses of an iterator need different paddings");
    IterSplit quotient = split;
    if (proveDivisible(split.extent, divisor)) {
        quotient.lowerFactor = split.lowerFactor * divisor;
        quotient.extent = simplify(floorDiv(split.extent, divisor));
    } else {
        const Expr parts = simplify(floorDiv(split.extent + (divisor - one), divisor));
        if (!isOne(split.lowerFactor) || !proveEqual(split.extent, split.source->extent)) {
            IterSum inner;
            inner.args.push_back(split);
            inner.base = makeInt(0, one->dtype);
            quotient.source = markOf(std::move(inner), split.extent);
            quotient.scale = one;
        }
        quotient.lowerFactor = divisor;
        quotient.extent = parts;
    }
    return wrap(std::move(quotient), simplify(floorDiv(base - left, divisor)));
}

IterMapRewriter::Form IterMapRewriter::remainderSplit(IterSplit split, Expr base, Expr divisor,
                                                      const Expr& self) {
    const Expr zero = makeInt(0, divisor->dtype);
    if (isOne(divisor))
        return {zero, {}};
    const Expr scale = split.scale;
    if (!isOne(scale)) {
        if (proveDivisible(scale, divisor) && proveDivisible(base, divisor))
            return {zero, {}};
        if (!proveDivisible(divisor, scale) || !proveDivisible(base, scale))
            return fail("a modulus and the scale of its dividend do not divide");
        base = simplify(floorDiv(base, scale));
        divisor = simplify(floorDiv(divisor, scale));
        split.scale = makeInt(1, divisor->dtype);
        if (isOne(divisor))
            return {zero, {}};
    }
    if (!padToDivisor(split, base, divisor))
        return fail("uses of an iterator need different paddings");
    if (!proveDivisible(split.extent, divisor))
        return {self, {}}; // a piece that ends inside a period: left as written
    IterSum sum;
    sum.args.push_back({split.source, split.lowerFactor, divisor, scale});
    sum.base = zero;
    return {nullptr, std::move(sum)};
}

IterMapRewriter::PaddedMark* IterMapRewriter::findPadding(const IterMarkRef& mark) {
    for (PaddedMark& entry : padded_)
        if (entry.original == mark)
            return &entry;
    return nullptr;
}

const IterMapRewriter::PaddedMark* IterMapRewriter::paddingOf(const IterMarkRef& paddedMark) const {
    for (const PaddedMark& entry : padded_)
        if (entry.padded == paddedMark)
            return &entry;
    return nullptr;
}

Expr IterMapRewriter::padToDivisor(IterSplit& split, const Expr& base, const Expr& divisor) {
    const Expr zero = makeInt(0, divisor->dtype);
    const Expr leftPad = simplify(floorMod(base, divisor));
    const Expr rightEdge = simplify(leftPad + split.extent);
    const Expr rightPad =
        proveDivisible(rightEdge, divisor) ? zero : simplify(floorMod(zero - rightEdge, divisor));
    if (level_ == IterMapLevel::Bijective) {
        // No padding: the plain forms below decide whether the map is one to one.
        return isZero(leftPad) ? leftPad : nullptr;
    }
    return collecting_ ? collectPadding(split, leftPad, rightEdge, rightPad, divisor)
                       : applyPadding(split, leftPad);
}

Expr IterMapRewriter::collectPadding(IterSplit& split, const Expr& leftPad, const Expr& rightEdge,
                                     const Expr& rightPad, const Expr& divisor) {
    PaddedMark* info = findPadding(split.source);
    if (!info) {
        padded_.push_back(
            {split.source, nullptr, makeInt(0, divisor->dtype), makeInt(1, divisor->dtype)});
        info = &padded_.back();
    }
    const Expr step = simplify(divisor * split.lowerFactor);
    const auto known = constInt(info->factor);
    const auto wanted = constInt(step);
    if (known && wanted && *known > 0 && *wanted > 0)
        info->factor = makeInt(std::lcm(*known, *wanted), divisor->dtype);
    else if (!proveDivisible(info->factor, step))
        info->factor = proveDivisible(step, info->factor) ? step : simplify(info->factor * step);
    if (isZero(leftPad) && isZero(rightPad))
        return leftPad;
    needsPadding_ = true;
    info->leftPad = simplify(maximum(info->leftPad, leftPad * split.lowerFactor));
    split.extent = simplify(rightEdge + rightPad);
    return leftPad;
}

Expr IterMapRewriter::applyPadding(IterSplit& split, const Expr& leftPad) {
    PaddedMark* info = findPadding(split.source);
    const IterMarkRef mark = split.source;
    if (!info)
        return leftPad;
    if (isZero(info->leftPad) && proveDivisible(mark->extent, info->factor))
        return isZero(leftPad) ? leftPad : nullptr;
    // One padded mark serves all uses: the shift must be a whole number of this split's steps.
    if (!proveDivisible(info->leftPad, split.lowerFactor))
        return nullptr;
    const Expr splitLeft = simplify(floorDiv(info->leftPad, split.lowerFactor));
    if (!proveEqual(splitLeft, leftPad))
        return nullptr;
    if (!info->padded) {
        const Expr zero = makeInt(0, mark->extent->dtype);
        const Expr edge = simplify(mark->extent + info->leftPad);
        const Expr right = proveDivisible(edge, info->factor)
                               ? zero
                               : simplify(floorMod(zero - edge, info->factor));
        IterSum inner;
        inner.args.push_back(wholeOf(mark, makeInt(1, mark->extent->dtype)));
        inner.base = info->leftPad;
        info->padded = markOf(std::move(inner), simplify(edge + right));
        addPaddingPredicate(*info, edge, isZero(right));
    }
    IterSplit shifted = split;
    shifted.source = info->padded;
    const bool whole = isOne(split.lowerFactor) && proveEqual(split.extent, mark->extent);
    const bool top = whole || proveEqual(simplify(split.lowerFactor * split.extent), mark->extent);
    if (top)
        shifted.extent = simplify(floorDiv(info->padded->extent, split.lowerFactor));
    split = std::move(shifted);
    return leftPad;
}

/// The padding as seen at the coarsest division: first steps of the first part, last of the last.
void IterMapRewriter::addPaddingPredicate(const PaddedMark& info, const Expr& edge, bool exact) {
    const Expr value = normalizeIter(wholeOf(info.padded, makeInt(1, edge->dtype)));
    const Expr quotient = floorDiv(value, info.factor);
    const Expr remainder = floorMod(value, info.factor);
    if (!isZero(info.leftPad))
        paddingPredicate_ =
            logicalOr(paddingPredicate_, logicalAnd(equal(quotient, makeInt(0, edge->dtype)),
                                                    less(remainder, info.leftPad)));
    if (!exact)
        paddingPredicate_ = logicalOr(
            paddingPredicate_, logicalAnd(equal(quotient, floorDiv(edge, info.factor)),
                                          greaterEqual(remainder, floorMod(edge, info.factor))));
}

IterSum IterMapRewriter::rewriteSum(const Expr& expr) {
    return toSum(visit(expr));
}

IterSum IterMapRewriter::rewriteCollectingPadding(const Expr& expr) {
    collecting_ = true;
    IterSum result = rewrite(expr);
    collecting_ = false;
    return result;
}

IterSum IterMapRewriter::rewrite(const Expr& expr) {
    IterSum sum = toSum(visit(expr));
    if (!errors_.empty() || sum.args.empty() || (sum.args.size() == 1 && constrained_.empty()))
        return sum;
    auto fusedSum = fuse(sum, true);
    if (!fusedSum || fusedSum->args.size() > 1) {
        fail("the iterators of an index do not fuse to one");
        return sum;
    }
    return std::move(*fusedSum);
}

void IterMapRewriter::addConstraint(const IterConstraint& constraint) {
    IterSum sum = toSum(visit(constraint.iter));
    if (!errors_.empty())
        return;
    if (sum.args.empty())
        return;
    Expr lower = constraint.lower ? constraint.lower - sum.base : nullptr;
    Expr upper = constraint.upper ? constraint.upper - sum.base : nullptr;
    sum.base = makeInt(0, sum.base->dtype);
    const auto fusedSum = fuse(sum, false);
    if (!fusedSum || fusedSum->args.size() != 1 || !isOne(fusedSum->args[0].scale)) {
        fail("a predicate does not bound one fused iterator");
        return;
    }
    FusedMark* entry = nullptr;
    for (FusedMark& candidate : fused_)
        if (candidate.mark == fusedSum->args[0].source)
            entry = &candidate;
    TW_CHECK(entry) << "a fused sum without its mark";
    Expr low = entry->offset;
    Expr high = simplify(low + entry->mark->extent);
    if (lower)
        low = simplify(maximum(lower, low));
    if (upper)
        high = simplify(minimum(upper, high));
    const Expr extent =
        analyzer_.canProve(lessEqual(low, high)) ? simplify(high - low) : makeInt(0, low->dtype);
    entry->mark =
        std::make_shared<const IterMark>(IterMark{entry->mark->source, entry->mark->sum, extent});
    entry->offset = low;
    constrained_.push_back(entry->flat);
}

bool IterMapRewriter::constraintsAgree() const {
    for (std::size_t i = 0; i < constrained_.size(); ++i)
        for (std::size_t j = i + 1; j < constrained_.size(); ++j) {
            std::size_t hits = 0;
            const auto& small = constrained_[i].size() <= constrained_[j].size() ? constrained_[i]
                                                                                 : constrained_[j];
            const auto& large = &small == &constrained_[i] ? constrained_[j] : constrained_[i];
            for (const IterSplit& a : small)
                for (const IterSplit& b : large)
                    if (sameSplit(a, b, false)) {
                        ++hits;
                        break;
                    }
            if (hits != 0 && hits != small.size())
                return false;
        }
    return true;
}

bool IterMapRewriter::sameSplit(const IterSplit& a, const IterSplit& b, bool withScale) const {
    return a.source == b.source && exprEqual(a.lowerFactor, b.lowerFactor) &&
           exprEqual(a.extent, b.extent) && (!withScale || exprEqual(a.scale, b.scale));
}

bool IterMapRewriter::proveDivisible(const Expr& a, const Expr& b) {
    const auto x = constInt(a);
    const auto y = constInt(b);
    if (y && *y == 0)
        return false;
    if (x && *x == 0)
        return true;
    if (x && y)
        return *x % *y == 0;
    if (exprEqual(a, b))
        return true;
    const Expr quotient = simplify(floorDiv(a, b));
    return proveEqual(quotient * b, a);
}

} // namespace tilewright::arith
