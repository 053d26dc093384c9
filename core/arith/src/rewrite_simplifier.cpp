// SPDX-License-Identifier: Apache-2.0
#include "rewrite_simplifier.h"

#include "rewrite_rule.h"

#include <tilewright/arith/expr_equal.h>
#include <tilewright/ir/make.h>

namespace tilewright::arith {

using namespace ir;

namespace {

constexpr int kMaxDepth = 5;

constexpr bool isArithmetic(NodeKind kind) {
    return kind >= NodeKind::Add && kind <= NodeKind::Max;
}
constexpr bool isComparison(NodeKind kind) {
    return kind >= NodeKind::EQ && kind <= NodeKind::GE;
}

/// Restores a counter at the end of a scope.
class DepthGuard {
public:
    explicit DepthGuard(int& depth) : depth_(depth) { ++depth_; }
    ~DepthGuard() { --depth_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;

private:
    int& depth_;
};

} // namespace

Expr RewriteSimplifier::visit(const Expr& expr) {
    switch (expr->kind()) {
    case NodeKind::IntImm:
    case NodeKind::FloatImm:
    case NodeKind::StringImm:
        return expr;
    case NodeKind::Var: {
        const VarFacts* facts = state_.vars.find(static_cast<const VarNode*>(expr.get()));
        if (facts && facts->value)
            return facts->value;
        return expr->dtype.isBool() ? (matchLiterals(expr) ? matchLiterals(expr) : expr) : expr;
    }
    case NodeKind::Not:
        return visitNot(*static_cast<const NotNode*>(expr.get()), expr);
    case NodeKind::Select:
        return visitSelect(*static_cast<const SelectNode*>(expr.get()), expr);
    case NodeKind::Call:
        return visitCall(*static_cast<const CallNode*>(expr.get()), expr);
    default:
        if (const auto* node = as<BinaryNode>(expr))
            return isComparison(node->kind()) ? visitComparison(*node, expr)
                                              : visitBinary(*node, expr);
        return visitRare(expr);
    }
}

Expr RewriteSimplifier::visitBinary(const BinaryNode& node, const Expr& self) {
    const Expr a = visit(node.a);
    const Expr b = visit(node.b);
    if (Expr result = simplifyBinary(node.kind(), a, b))
        return result;
    if (a == node.a && b == node.b)
        return self;
    return makeBinary(node.kind(), a, b);
}

Expr RewriteSimplifier::visitComparison(const BinaryNode& node, const Expr& self) {
    // `a > b` is read as `b < a`, `a >= b` as `b <= a`.
    NodeKind kind = node.kind();
    Expr a = visit(node.a);
    Expr b = visit(node.b);
    bool turned = false;
    if (kind == NodeKind::GT || kind == NodeKind::GE) {
        kind = kind == NodeKind::GT ? NodeKind::LT : NodeKind::LE;
        std::swap(a, b);
        turned = true;
    }
    if (Expr result = simplifyBinary(kind, a, b))
        return result;
    if (!turned && a == node.a && b == node.b)
        return self;
    return makeBinary(kind, a, b);
}

Expr RewriteSimplifier::foldConstants(NodeKind kind, const Expr& a, const Expr& b) {
    const bool immediate = a->kind() == NodeKind::IntImm || b->kind() == NodeKind::IntImm ||
                           (a->kind() == NodeKind::FloatImm && b->kind() == NodeKind::FloatImm);
    if (!immediate)
        return nullptr;
    Expr folded = foldBinary(kind, a, b);
    const auto* binary = as<BinaryNode>(folded);
    if (binary && binary->kind() == kind && binary->a == a && binary->b == b)
        return nullptr;
    return folded;
}

Expr RewriteSimplifier::simplifyBinary(NodeKind kind, const Expr& a, const Expr& b) {
    if (Expr folded = foldConstants(kind, a, b))
        return folded;
    if (!a->dtype.isScalar())
        return simplifyVector(kind, a, b);
    if (kind == NodeKind::And || kind == NodeKind::Or)
        return simplifyLogical(kind, a, b);
    if (isComparison(kind)) {
        switch (kind) {
        case NodeKind::EQ:
            return simplifyEqual(a, b);
        case NodeKind::NE:
            return simplifyNotEqual(a, b);
        case NodeKind::LT:
            return simplifyLess(a, b);
        case NodeKind::LE:
            return simplifyLessEqual(a, b);
        default:
            return nullptr;
        }
    }
    if (kind == NodeKind::Min || kind == NodeKind::Max)
        return simplifyMinMax(kind, a, b);
    if (!isIndexType(a->dtype))
        return nullptr;
    if (Expr result = applyRules(kind, a, b, a->dtype))
        return result;
    if (kind == NodeKind::FloorMod) {
        if (const auto c = constInt(b); c && *c > 0) {
            const ModularSet set = evalModularSet(state_, a);
            if (set.coeff % *c == 0)
                return makeInt(floorRemainder(set.base, *c), a->dtype);
        }
    }
    return nullptr;
}

Expr RewriteSimplifier::applyRules(NodeKind kind, const Expr& a, const Expr& b,
                                   DataType resultType) {
    const auto bBit = b ? std::uint64_t{1} << static_cast<unsigned>(b->kind()) : ~std::uint64_t{0};
    RuleBindings bound;
    for (const RewriteRule* candidate : simplifierRules().of(kind, a->kind())) {
        const RewriteRule& rule = *candidate;
        if (!(rule.bKinds & bBit))
            continue;
        if (!matchRule(rule, a.get(), b.get(), nullptr, bound) ||
            !conditionHolds(rule, bound, state_))
            continue;
        const Expr result = buildResult(rule, bound, resultType);
        return rule.again ? again(result) : result;
    }
    return nullptr;
}

Expr RewriteSimplifier::again(const Expr& expr) {
    if (state_.rewriteDepth >= kMaxDepth)
        return expr;
    const DepthGuard guard(state_.rewriteDepth);
    return visit(expr);
}

Expr RewriteSimplifier::simplifyMinMax(NodeKind kind, const Expr& a, const Expr& b) {
    if (exprEqual(a, b))
        return a;
    if (!isIndexType(a->dtype))
        return nullptr;
    const ConstIntBound x = evalConstIntBound(state_, a);
    const ConstIntBound y = evalConstIntBound(state_, b);
    const bool isMin = kind == NodeKind::Min;
    if (x.max <= y.min)
        return isMin ? a : b;
    if (y.max <= x.min)
        return isMin ? b : a;
    return applyRules(kind, a, b, a->dtype);
}

Order RewriteSimplifier::compareByOrders(const Expr& a, const Expr& b) {
    if (state_.orders.empty())
        return Order::Unknown;
    // a <= b + offset is known up to one intermediate step.
    std::int64_t least = kPosInf; // a - b <= least
    std::int64_t most = kPosInf;  // b - a <= most
    const auto direct = [&](const Expr& x, const Expr& y) {
        std::int64_t best = kPosInf;
        for (const OrderFact& fact : state_.orders)
            if (exprEqual(fact.lhs, x) && exprEqual(fact.rhs, y))
                best = std::min(best, fact.offset);
        for (const OrderFact& first : state_.orders)
            if (exprEqual(first.lhs, x))
                for (const OrderFact& second : state_.orders)
                    if (exprEqual(first.rhs, second.lhs) && exprEqual(second.rhs, y))
                        best = std::min(best, addInf(first.offset, second.offset));
        return best;
    };
    const auto strip = [](const Expr& e) -> std::pair<Expr, std::int64_t> {
        if (const auto* node = as<BinaryNode>(e); node && node->kind() == NodeKind::Add)
            if (const auto c = constInt(node->b))
                return {node->a, *c};
        if (const auto* node = as<BinaryNode>(e); node && node->kind() == NodeKind::Sub)
            if (const auto c = constInt(node->b))
                return {node->a, -*c};
        return {e, 0};
    };
    const auto [x, dx] = strip(a);
    const auto [y, dy] = strip(b);
    least = addInf(direct(x, y), dx - dy);
    most = addInf(direct(y, x), dy - dx);
    if (least == 0 && most == 0)
        return Order::EQ;
    if (least < 0)
        return Order::LT;
    if (most < 0)
        return Order::GT;
    if (least == 0)
        return Order::LE;
    if (most == 0)
        return Order::GE;
    return Order::Unknown;
}

Order RewriteSimplifier::compare(const Expr& a, const Expr& b) {
    if (exprEqual(a, b))
        return Order::EQ;
    const bool zero = isZero(b);
    const Expr difference = zero ? a : [&] {
        const DepthGuard guard(state_.rewriteDepth);
        if (Expr simpler = RewriteSimplifier(state_).simplifyBinary(NodeKind::Sub, a, b))
            return simpler;
        return makeBinary(NodeKind::Sub, a, b);
    }();
    const ConstIntBound bound = evalConstIntBound(state_, difference);
    if (bound.min == 0 && bound.max == 0)
        return Order::EQ;
    if (bound.min > 0)
        return Order::GT;
    if (bound.max < 0)
        return Order::LT;
    Order known = Order::Unknown;
    if (bound.min >= 0)
        known = Order::GE;
    else if (bound.max <= 0)
        known = Order::LE;
    const ModularSet set = evalModularSet(state_, difference);
    if (set.base != 0)
        return known == Order::GE ? Order::GT : known == Order::LE ? Order::LT : Order::NE;
    const Order byOrders = compareByOrders(a, b);
    return byOrders == Order::Unknown ? known : byOrders;
}

Expr RewriteSimplifier::matchLiterals(const Expr& condition) {
    if (state_.literals.empty())
        return nullptr;
    for (const Expr& known : state_.literals) {
        if (exprEqual(known, condition))
            return makeBool(true);
        const auto* negated = as<NotNode>(known);
        if (negated && exprEqual(negated->a, condition))
            return makeBool(false);
        const auto* x = as<BinaryNode>(known);
        const auto* y = as<BinaryNode>(condition);
        if (!x || !y)
            continue;
        const bool turned = exprEqual(x->a, y->b) && exprEqual(x->b, y->a);
        const bool straight = exprEqual(x->a, y->a) && exprEqual(x->b, y->b);
        const NodeKind p = x->kind();
        const NodeKind q = y->kind();
        if (turned &&
            ((p == NodeKind::LT && q == NodeKind::LE) || (p == NodeKind::LE && q == NodeKind::LT)))
            return makeBool(false);
        if (straight &&
            ((p == NodeKind::EQ && q == NodeKind::NE) || (p == NodeKind::NE && q == NodeKind::EQ)))
            return makeBool(false);
    }
    return nullptr;
}

Expr RewriteSimplifier::simplifyEqual(const Expr& a, const Expr& b) {
    if (Expr known = matchLiterals(makeBinary(NodeKind::EQ, a, b)))
        return known;
    if (!isIndexType(a->dtype))
        return nullptr;
    switch (compare(a, b)) {
    case Order::EQ:
        return makeBool(true);
    case Order::NE:
    case Order::LT:
    case Order::GT:
        return makeBool(false);
    default:
        return applyRules(NodeKind::EQ, a, b, DataType::boolean());
    }
}

Expr RewriteSimplifier::simplifyNotEqual(const Expr& a, const Expr& b) {
    if (Expr known = matchLiterals(makeBinary(NodeKind::NE, a, b)))
        return known;
    if (!isIndexType(a->dtype))
        return nullptr;
    const Order order = compare(a, b);
    if (order == Order::GE || order == Order::LE) {
        const bool above = order == Order::GE;
        const Expr& small = above ? b : a;
        const Expr& large = above ? a : b;
        if (Expr strict = simplifyBinary(NodeKind::LT, small, large))
            return strict;
        return makeBinary(NodeKind::LT, small, large);
    }
    if (Expr same = simplifyEqual(a, b)) {
        if (Expr negated = simplifyNot(same))
            return negated;
        return logicalNot(same);
    }
    return nullptr;
}

Expr RewriteSimplifier::simplifyLess(const Expr& a, const Expr& b) {
    if (Expr known = matchLiterals(makeBinary(NodeKind::LT, a, b)))
        return known;
    if (!isIndexType(a->dtype))
        return nullptr;
    switch (compare(a, b)) {
    case Order::LT:
        return makeBool(true);
    case Order::EQ:
    case Order::GT:
    case Order::GE:
        return makeBool(false);
    default:
        break;
    }
    Expr current = applyRules(NodeKind::LT, a, b, DataType::boolean());
    if (!current)
        return nullptr;
    // A rule's answer is a comparison of smaller operands: bring it to the end.
    for (int i = 0; i < 3; ++i) {
        const auto* node = as<BinaryNode>(current);
        if (!node || node->kind() != NodeKind::LT)
            break;
        Expr next = again(current);
        if (next == current || exprEqual(next, current))
            break;
        current = next;
    }
    return current;
}

Expr RewriteSimplifier::simplifyLessEqual(const Expr& a, const Expr& b) {
    if (Expr known = matchLiterals(makeBinary(NodeKind::LE, a, b)))
        return known;
    if (!isIndexType(a->dtype))
        return nullptr;
    switch (compare(a, b)) {
    case Order::LT:
    case Order::LE:
    case Order::EQ:
        return makeBool(true);
    case Order::GT:
        return makeBool(false);
    case Order::GE:
        if (Expr same = simplifyEqual(a, b))
            return same;
        return makeBinary(NodeKind::EQ, a, b);
    default:
        break;
    }
    // a <= b is not (b < a).
    if (Expr turned = simplifyBinary(NodeKind::LT, b, a)) {
        if (Expr negated = simplifyNot(turned))
            return negated;
        return logicalNot(turned);
    }
    return nullptr;
}

Expr RewriteSimplifier::simplifyLogical(NodeKind kind, const Expr& a, const Expr& b) {
    if (Expr known = matchLiterals(makeBinary(kind, a, b)))
        return known;
    return applyRules(kind, a, b, DataType::boolean());
}

Expr RewriteSimplifier::simplifyNot(const Expr& a) {
    if (const auto value = constInt(a))
        return makeBool(*value == 0);
    return applyRules(NodeKind::Not, a, nullptr, DataType::boolean());
}

Expr RewriteSimplifier::visitNot(const NotNode& node, const Expr& self) {
    const Expr a = visit(node.a);
    if (a->dtype.isScalar())
        if (Expr result = simplifyNot(a))
            return result;
    return a == node.a ? self : logicalNot(a);
}

Expr RewriteSimplifier::visitSelect(const SelectNode& node, const Expr& self) {
    const Expr condition = visit(node.condition);
    if (const auto value = constInt(condition))
        return visit(*value != 0 ? node.trueValue : node.falseValue);
    Expr whenTrue;
    Expr whenFalse;
    {
        const auto guard = state_.owner.withConstraint(condition);
        whenTrue = visit(node.trueValue);
    }
    {
        const auto guard =
            state_.owner.withConstraint(RewriteSimplifier(state_).visit(logicalNot(condition)));
        whenFalse = visit(node.falseValue);
    }
    if (exprEqual(whenTrue, whenFalse))
        return whenTrue;
    if (condition == node.condition && whenTrue == node.trueValue && whenFalse == node.falseValue)
        return self;
    return makeSelect(condition, whenTrue, whenFalse);
}

Expr RewriteSimplifier::visitCall(const CallNode& node, const Expr& self) {
    if (node.op == Op::IfThenElse) {
        const Expr condition = visit(node.args[0]);
        if (const auto value = constInt(condition))
            return visit(*value != 0 ? node.args[1] : node.args[2]);
        Expr whenTrue;
        Expr whenFalse;
        {
            const auto guard = state_.owner.withConstraint(condition);
            whenTrue = visit(node.args[1]);
        }
        {
            const auto guard =
                state_.owner.withConstraint(RewriteSimplifier(state_).visit(logicalNot(condition)));
            whenFalse = visit(node.args[2]);
        }
        if (condition == node.args[0] && whenTrue == node.args[1] && whenFalse == node.args[2])
            return self;
        return makeCall(node.dtype, node.op, {condition, whenTrue, whenFalse});
    }
    std::vector<Expr> args;
    const bool changed = visitAll(node.args, args);
    if (node.op == Op::Likely) {
        if (constInt(args[0]))
            return args[0];
        if (Expr known = matchLiterals(args[0]))
            return known;
    }
    if ((node.op == Op::ShiftLeft || node.op == Op::ShiftRight) && node.dtype.isInt()) {
        const auto x = constInt(args[0]);
        const auto n = constInt(args[1]);
        if (x && n && *n >= 0 && *n < 62)
            return node.op == Op::ShiftLeft ? foldBinary(NodeKind::Mul, args[0],
                                                         makeInt(std::int64_t{1} << *n, node.dtype))
                                            : makeInt(*x >> *n, node.dtype);
    }
    return changed ? makeCall(node.dtype, node.op, std::move(args), node.callee) : self;
}

bool RewriteSimplifier::visitAll(const std::vector<Expr>& exprs, std::vector<Expr>& out) {
    bool changed = false;
    out.reserve(exprs.size());
    for (const Expr& expr : exprs) {
        out.push_back(visit(expr));
        changed = changed || out.back() != expr;
    }
    return changed;
}

Expr RewriteSimplifier::visitLet(const LetNode& node) {
    const Expr value = visit(node.value);
    // Cheap values are put in place; others keep their name.
    const bool cheap = value->kind() == NodeKind::Var || value->kind() == NodeKind::IntImm ||
                       value->kind() == NodeKind::FloatImm ||
                       (value->dtype.isInt() && value->dtype.isScalar());
    if (cheap) {
        state_.owner.bind(node.var, value, true);
        return visit(node.body);
    }
    return makeLet(node.var, value, visit(node.body));
}

Expr RewriteSimplifier::visitRare(const Expr& expr) {
    switch (expr->kind()) {
    case NodeKind::Cast: {
        const auto* node = static_cast<const CastNode*>(expr.get());
        const Expr value = visit(node->value);
        if (value->kind() == NodeKind::IntImm || value->kind() == NodeKind::FloatImm)
            return cast(node->dtype, value);
        return value == node->value ? expr : makeCast(node->dtype, value);
    }
    case NodeKind::BufferLoad: {
        const auto* node = static_cast<const BufferLoadNode*>(expr.get());
        std::vector<Expr> indices;
        const bool changed = visitAll(node->indices, indices);
        return changed ? makeLoad(node->buffer, std::move(indices), node->predicate) : expr;
    }
    case NodeKind::Ramp: {
        const auto* node = static_cast<const RampNode*>(expr.get());
        const Expr base = visit(node->base);
        const Expr stride = visit(node->stride);
        if (isZero(stride) && !node->dtype.scalable)
            return makeBroadcast(base, node->dtype.lanes);
        return base == node->base && stride == node->stride
                   ? expr
                   : Expr(new RampNode(node->dtype, base, stride, node->lanes));
    }
    case NodeKind::Broadcast: {
        const auto* node = static_cast<const BroadcastNode*>(expr.get());
        const Expr value = visit(node->value);
        return value == node->value ? expr
                                    : Expr(new BroadcastNode(node->dtype, value, node->lanes));
    }
    case NodeKind::Shuffle: {
        const auto* node = static_cast<const ShuffleNode*>(expr.get());
        std::vector<Expr> vectors;
        std::vector<Expr> indices;
        const bool first = visitAll(node->vectors, vectors);
        const bool second = visitAll(node->indices, indices);
        return first || second ? Expr(new ShuffleNode(node->dtype, vectors, indices)) : expr;
    }
    case NodeKind::Let:
        return visitLet(*static_cast<const LetNode*>(expr.get()));
    default:
        return expr;
    }
}

namespace {

/// A vector as base + lane * stride; a broadcast has stride 0.
struct Lanes {
    Expr base;
    Expr stride;
    bool ramp = false;
};

std::optional<Lanes> lanesOf(const Expr& expr) {
    if (const auto* ramp = as<RampNode>(expr))
        return Lanes{ramp->base, ramp->stride, true};
    if (const auto* broadcast = as<BroadcastNode>(expr))
        return Lanes{broadcast->value, nullptr, false};
    return std::nullopt;
}

} // namespace

Expr RewriteSimplifier::simplifyVector(NodeKind kind, const Expr& a, const Expr& b) {
    if (a->dtype.scalable)
        return nullptr;
    const auto x = lanesOf(a);
    const auto y = lanesOf(b);
    if (!x || !y)
        return nullptr;
    const int lanes = a->dtype.lanes;
    const auto scalar = [&](NodeKind op, const Expr& p, const Expr& q) {
        return RewriteSimplifier::visit(foldBinary(op, p, q));
    };
    if (!x->ramp && !y->ramp)
        return makeBroadcast(scalar(kind, x->base, y->base), lanes);
    if (!a->dtype.isInt())
        return nullptr;
    switch (kind) {
    case NodeKind::Add:
    case NodeKind::Sub: {
        const Expr zero = makeInt(0, x->base->dtype);
        const Expr stride = scalar(kind, x->ramp ? x->stride : zero, y->ramp ? y->stride : zero);
        const Expr base = scalar(kind, x->base, y->base);
        return isZero(stride) ? makeBroadcast(base, lanes) : makeRamp(base, stride, lanes);
    }
    case NodeKind::Mul:
        if (x->ramp && y->ramp)
            return nullptr;
        return makeRamp(
            scalar(kind, x->base, y->base),
            x->ramp ? scalar(kind, x->stride, y->base) : scalar(kind, y->stride, x->base), lanes);
    case NodeKind::FloorDiv:
    case NodeKind::FloorMod: {
        const auto c = constInt(y->base);
        const auto step = x->ramp ? constInt(x->stride) : std::nullopt;
        if (y->ramp || !c || *c <= 0 || !step)
            return nullptr;
        const bool isDiv = kind == NodeKind::FloorDiv;
        if (*step % *c == 0)
            return isDiv ? makeRamp(scalar(kind, x->base, y->base),
                                    makeInt(*step / *c, x->base->dtype), lanes)
                         : makeBroadcast(scalar(kind, x->base, y->base), lanes);
        // All lanes in one period of the divisor.
        const ModularSet set = evalModularSet(state_, x->base);
        if (set.coeff % *c != 0)
            return nullptr;
        const std::int64_t first = floorRemainder(set.base, *c);
        const std::int64_t last = first + (lanes - 1) * *step;
        if (floorDivide(first, *c) != floorDivide(last, *c))
            return nullptr;
        return isDiv ? makeBroadcast(scalar(kind, x->base, y->base), lanes)
                     : makeRamp(scalar(kind, x->base, y->base), x->stride, lanes);
    }
    case NodeKind::LT: {
        // ramp < broadcast with one answer for all lanes
        if (!x->ramp || y->ramp)
            return nullptr;
        const auto step = constInt(x->stride);
        if (!step || *step <= 0)
            return nullptr;
        const Expr last =
            foldBinary(NodeKind::Add, x->base, makeInt((lanes - 1) * *step, x->base->dtype));
        if (compare(RewriteSimplifier::visit(last), y->base) == Order::LT)
            return makeBroadcast(makeBool(true), lanes);
        const Order first = compare(x->base, y->base);
        if (first == Order::GE || first == Order::GT || first == Order::EQ)
            return makeBroadcast(makeBool(false), lanes);
        return nullptr;
    }
    default:
        return nullptr;
    }
}

Expr rewriteOnce(Analyzer::State& state, const Expr& expr) {
    return RewriteSimplifier(state).visit(expr);
}

} // namespace tilewright::arith
