// SPDX-License-Identifier: Apache-2.0
#include "index_bound.h"

#include <tilewright/ir/make.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace tilewright::cost {

using namespace ir;

namespace {

constexpr std::int64_t kPosInf = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kNegInf = -kPosInf;

bool isInf(std::int64_t x) {
    return x == kPosInf || x == kNegInf;
}

std::int64_t addInf(std::int64_t a, std::int64_t b) {
    if (isInf(a))
        return a;
    if (isInf(b))
        return b;
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        return a > 0 ? kPosInf : kNegInf;
    return sum;
}

std::int64_t mulInf(std::int64_t a, std::int64_t b) {
    if (a == 0 || b == 0)
        return 0;
    std::int64_t product = 0;
    if (!isInf(a) && !isInf(b) && !__builtin_mul_overflow(a, b, &product))
        return product;
    return (a > 0) == (b > 0) ? kPosInf : kNegInf;
}

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    if (isInf(a))
        return b > 0 ? a : -a;
    const std::int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

std::int64_t floorRemainder(std::int64_t a, std::int64_t b) {
    const std::int64_t r = a % b;
    return r < 0 ? r + b : r;
}

IndexBound boundOfType(DataType type) {
    if (type.isBool())
        return {0, 1};
    if (!type.isIntegral() || type.bits >= 64)
        return {type.isUInt() ? 0 : kNegInf, kPosInf};
    const int bits = type.bits - (type.isInt() ? 1 : 0);
    const std::int64_t top = (std::int64_t{1} << bits) - 1;
    return {type.isUInt() ? 0 : -top - 1, top};
}

IndexBound unite(IndexBound a, IndexBound b) {
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

template <class Fn> IndexBound corners(IndexBound a, IndexBound b, Fn fn) {
    const std::int64_t v[] = {fn(a.min, b.min), fn(a.min, b.max), fn(a.max, b.min),
                              fn(a.max, b.max)};
    return {*std::min_element(v, v + 4), *std::max_element(v, v + 4)};
}

} // namespace

IndexBounds::Residue IndexBounds::residue(const Expr& expr) const {
    const auto normal = [](std::int64_t coeff, std::int64_t base) {
        coeff = std::abs(coeff);
        return Residue{coeff, coeff == 0 ? base : floorRemainder(base, coeff)};
    };
    if (expr->kind() == NodeKind::IntImm)
        return {0, static_cast<const IntImmNode*>(expr.get())->value};
    if (expr->kind() == NodeKind::Var) {
        for (const LoopNest::Loop& loop : nest_.loops)
            if (loop.node->loopVar.get() == expr.get())
                if (const auto min = constInt(loop.node->min))
                    return {0, *min};
        return {};
    }
    if (expr->kind() == NodeKind::Cast)
        return residue(static_cast<const CastNode*>(expr.get())->value);
    const auto* node = as<BinaryNode>(expr);
    if (!node)
        return {};
    const Residue a = residue(node->a);
    const Residue b = residue(node->b);
    switch (node->kind()) {
    case NodeKind::Add:
        return normal(std::gcd(a.coeff, b.coeff), a.base + b.base);
    case NodeKind::Sub:
        return normal(std::gcd(a.coeff, b.coeff), a.base - b.base);
    case NodeKind::Mul:
        return normal(std::gcd(a.coeff * b.coeff, std::gcd(a.coeff * b.base, a.base * b.coeff)),
                      a.base * b.base);
    case NodeKind::Min:
    case NodeKind::Max:
        return normal(std::gcd(std::gcd(a.coeff, b.coeff), a.base - b.base), a.base);
    case NodeKind::FloorDiv:
        if (b.coeff == 0 && b.base > 0 && a.coeff % b.base == 0 && a.base >= 0)
            return normal(a.coeff / b.base, a.base / b.base);
        return {};
    case NodeKind::FloorMod:
        if (b.coeff == 0 && b.base > 0 && a.base >= 0)
            return normal(std::gcd(a.coeff, b.base), a.base);
        return {};
    default:
        return {};
    }
}

IndexBound IndexBounds::of(const Expr& expr) const {
    switch (expr->kind()) {
    case NodeKind::IntImm: {
        const std::int64_t value = static_cast<const IntImmNode*>(expr.get())->value;
        return {value, value};
    }
    case NodeKind::Var:
        for (std::size_t i = nest_.loops.size(); i-- > 0;) {
            const LoopNest::Loop& loop = nest_.loops[i];
            if (loop.node->loopVar.get() != expr.get())
                continue;
            const auto min = constInt(loop.node->min);
            const auto extent = constInt(loop.node->extent);
            if (!min)
                return boundOfType(expr->dtype);
            if (i < firstRunning_)
                return {*min, *min};
            return {*min, extent ? *min + *extent - 1 : boundOfType(expr->dtype).max};
        }
        return boundOfType(expr->dtype);
    case NodeKind::Cast: {
        const auto* node = static_cast<const CastNode*>(expr.get());
        const IndexBound limits = boundOfType(node->dtype);
        if (!node->value->dtype.isIntegral())
            return limits;
        const IndexBound value = of(node->value);
        return value.min >= limits.min && value.max <= limits.max ? value : limits;
    }
    case NodeKind::Broadcast:
        return of(static_cast<const BroadcastNode*>(expr.get())->value);
    case NodeKind::Ramp: {
        const auto* node = static_cast<const RampNode*>(expr.get());
        const IndexBound base = of(node->base);
        const IndexBound stride = of(node->stride);
        const std::int64_t steps = constInt(node->lanes).value_or(1) - 1;
        return {addInf(base.min, std::min<std::int64_t>(0, mulInf(stride.min, steps))),
                addInf(base.max, std::max<std::int64_t>(0, mulInf(stride.max, steps)))};
    }
    case NodeKind::Select: {
        const auto* node = static_cast<const SelectNode*>(expr.get());
        return unite(of(node->trueValue), of(node->falseValue));
    }
    default:
        if (const auto* node = as<BinaryNode>(expr); node && node->dtype.isIntegral())
            return ofBinary(*node);
        return boundOfType(expr->dtype);
    }
}

IndexBound IndexBounds::ofBinary(const BinaryNode& node) const {
    if (node.dtype.isBool())
        return {0, 1};
    const IndexBound a = of(node.a);
    const IndexBound b = of(node.b);
    switch (node.kind()) {
    case NodeKind::Add:
        return {addInf(a.min, b.min), addInf(a.max, b.max)};
    case NodeKind::Sub:
        return {addInf(a.min, -b.max), addInf(a.max, -b.min)};
    case NodeKind::Mul:
        return corners(a, b, mulInf);
    case NodeKind::FloorDiv:
    case NodeKind::Div:
        if (b.min <= 0 || isInf(b.max))
            return boundOfType(node.dtype);
        if (node.kind() == NodeKind::FloorDiv)
            return corners(a, b, floorDivide);
        return corners(a, b, [](std::int64_t x, std::int64_t y) { return isInf(x) ? x : x / y; });
    case NodeKind::FloorMod:
    case NodeKind::Mod:
        return ofRemainder(node, a, b);
    case NodeKind::Min:
        return {std::min(a.min, b.min), std::min(a.max, b.max)};
    case NodeKind::Max:
        return {std::max(a.min, b.min), std::max(a.max, b.max)};
    default:
        return boundOfType(node.dtype);
    }
}

IndexBound IndexBounds::ofRemainder(const BinaryNode& node, IndexBound a, IndexBound b) const {
    if (b.min <= 0 || isInf(b.max))
        return boundOfType(node.dtype);
    if (node.kind() == NodeKind::Mod)
        return a.min >= 0 ? IndexBound{0, std::min(a.max, b.max - 1)}
                          : IndexBound{std::max(a.min, 1 - b.max), b.max - 1};
    if (b.min == b.max) {
        const Residue known = residue(node.a);
        const std::int64_t step = std::gcd(known.coeff, b.min);
        if (step > 1) {
            const std::int64_t first = floorRemainder(known.base, step);
            return {first, b.min - step + first};
        }
    }
    if (a.min >= 0 && a.max < b.min)
        return a;
    return {0, a.min >= 0 ? std::min(a.max, b.max - 1) : b.max - 1};
}

} // namespace tilewright::cost
