// SPDX-License-Identifier: Apache-2.0
#include "state.h"

#include <tilewright/arith/expr_equal.h>
#include <tilewright/arith/linear_equation.h>

#include <array>

namespace tilewright::arith {

using namespace ir;

namespace {

class BoundEvaluator {
public:
    explicit BoundEvaluator(Analyzer::State& state) : state_(state) {}

    ConstIntBound eval(const Expr& expr) {
        ConstIntBound bound = evalNode(expr);
        for (const BoundFact& fact : state_.boundFacts)
            if (fact.expr->kind() == expr->kind() && exprEqual(fact.expr, expr))
                bound = intersectBounds(bound, fact.bound);
        return bound;
    }

private:
    ConstIntBound evalNode(const Expr& expr) {
        switch (expr->kind()) {
        case NodeKind::Var: {
            const VarFacts* facts = state_.vars.find(static_cast<const VarNode*>(expr.get()));
            return facts && facts->bound ? *facts->bound : boundOfType(expr->dtype);
        }
        case NodeKind::IntImm: {
            const std::int64_t v = static_cast<const IntImmNode*>(expr.get())->value;
            return {v, v};
        }
        case NodeKind::Cast:
            return evalCast(*static_cast<const CastNode*>(expr.get()));
        case NodeKind::Select: {
            const auto* node = static_cast<const SelectNode*>(expr.get());
            return uniteBounds(eval(node->trueValue), eval(node->falseValue));
        }
        case NodeKind::Call:
            return evalCall(*static_cast<const CallNode*>(expr.get()));
        case NodeKind::Ramp:
            return evalRamp(*static_cast<const RampNode*>(expr.get()));
        case NodeKind::Broadcast:
            return eval(static_cast<const BroadcastNode*>(expr.get())->value);
        case NodeKind::Let: {
            const auto* node = static_cast<const LetNode*>(expr.get());
            VarFacts& facts = state_.vars.at(node->var);
            if (!facts.bound)
                facts.bound = eval(node->value);
            return eval(node->body);
        }
        default:
            if (const auto* node = as<BinaryNode>(expr))
                return evalBinary(*node);
            return boundOfType(expr->dtype);
        }
    }

    ConstIntBound evalCast(const CastNode& node) {
        const ConstIntBound target = boundOfType(node.dtype);
        if (!node.value->dtype.isIntegral())
            return target;
        const ConstIntBound value = eval(node.value);
        return value.min >= target.min && value.max <= target.max ? value : target;
    }

    ConstIntBound evalRamp(const RampNode& node) {
        const ConstIntBound base = eval(node.base);
        const auto lanes = constInt(node.lanes);
        const ConstIntBound stride = eval(node.stride);
        if (!lanes)
            return {};
        const std::int64_t lo = std::min<std::int64_t>(0, mulInf(stride.min, *lanes - 1));
        const std::int64_t hi = std::max<std::int64_t>(0, mulInf(stride.max, *lanes - 1));
        return {addInf(base.min, lo), addInf(base.max, hi)};
    }

    ConstIntBound evalCall(const CallNode& node) {
        switch (node.op) {
        case Op::Likely:
            return eval(node.args[0]);
        case Op::ShiftRight: {
            const ConstIntBound a = eval(node.args[0]);
            const ConstIntBound b = eval(node.args[1]);
            if (b.min < 0 || b.max > 62)
                return boundOfType(node.dtype);
            const auto shift = [](std::int64_t x, std::int64_t n) { return isInf(x) ? x : x >> n; };
            return {std::min(shift(a.min, b.min), shift(a.min, b.max)),
                    std::max(shift(a.max, b.min), shift(a.max, b.max))};
        }
        case Op::ShiftLeft: {
            const ConstIntBound a = eval(node.args[0]);
            const ConstIntBound b = eval(node.args[1]);
            if (b.min != b.max || b.min < 0 || b.min > 62)
                return boundOfType(node.dtype);
            const std::int64_t factor = std::int64_t{1} << b.min;
            return {mulInf(a.min, factor), mulInf(a.max, factor)};
        }
        case Op::BitwiseAnd: {
            const ConstIntBound a = eval(node.args[0]);
            const ConstIntBound b = eval(node.args[1]);
            if (a.min < 0 && b.min < 0)
                return boundOfType(node.dtype);
            if (a.min >= 0 && b.min >= 0)
                return {0, std::min(a.max, b.max)};
            return {0, a.min >= 0 ? a.max : b.max};
        }
        case Op::IfThenElse:
            return node.dtype.isIntegral() ? uniteBounds(eval(node.args[1]), eval(node.args[2]))
                                           : ConstIntBound{};
        default:
            return boundOfType(node.dtype);
        }
    }

    static ConstIntBound cornersOf(ConstIntBound a, ConstIntBound b,
                                   std::int64_t (*fn)(std::int64_t, std::int64_t)) {
        const std::array<std::int64_t, 4> v = {fn(a.min, b.min), fn(a.min, b.max), fn(a.max, b.min),
                                               fn(a.max, b.max)};
        return {*std::min_element(v.begin(), v.end()), *std::max_element(v.begin(), v.end())};
    }

    /// Division by a range, the divisor 0 left out.
    static ConstIntBound divide(ConstIntBound a, ConstIntBound b,
                                std::int64_t (*fn)(std::int64_t, std::int64_t)) {
        if (b.min == 0)
            b.min = 1;
        if (b.max == 0)
            b.max = -1;
        if (b.min > b.max)
            return {};
        if (b.min > 0 || b.max < 0)
            return cornersOf(a, b, fn);
        return uniteBounds(cornersOf(a, {b.min, -1}, fn), cornersOf(a, {1, b.max}, fn));
    }

    ConstIntBound evalBinary(const BinaryNode& node) {
        if (node.dtype.isBool() || !node.dtype.isIntegral())
            return boundOfType(node.dtype);
        ConstIntBound a = eval(node.a);
        ConstIntBound b = eval(node.b);
        switch (node.kind()) {
        case NodeKind::Add:
            return {addInf(a.min, b.min), addInf(a.max, b.max)};
        case NodeKind::Sub:
            return {addInf(a.min, -b.max), addInf(a.max, -b.min)};
        case NodeKind::Mul:
            return cornersOf(a, b, mulInf);
        case NodeKind::Div:
            return divide(a, b, truncDivInf);
        case NodeKind::FloorDiv:
            return divide(a, b, floorDivInf);
        case NodeKind::Mod:
            return evalTruncMod(a, b);
        case NodeKind::FloorMod:
            return evalFloorMod(node, a, b);
        case NodeKind::Min:
            return {std::min(a.min, b.min), std::min(a.max, b.max)};
        case NodeKind::Max:
            return {std::max(a.min, b.min), std::max(a.max, b.max)};
        default:
            return boundOfType(node.dtype);
        }
    }

    static ConstIntBound evalTruncMod(ConstIntBound a, ConstIntBound b) {
        if (b.min == 0)
            b.min = 1;
        if (b.min > 0) {
            const std::int64_t top = addInf(b.max, -1);
            if (a.min >= 0)
                return a.max < b.min ? a : ConstIntBound{0, std::min(a.max, top)};
            return {std::max(a.min, -top), std::min(std::max<std::int64_t>(a.max, 0), top)};
        }
        return {};
    }

    ConstIntBound evalFloorMod(const BinaryNode& node, ConstIntBound a, ConstIntBound b) {
        if (b.min == 0)
            b.min = 1;
        if (b.min <= 0) {
            const std::int64_t top = std::max(addInf(b.max, -1), addInf(-b.min, -1));
            return {isInf(b.min) ? kNegInf : b.min + 1, top};
        }
        if (a.min >= 0 && a.max < b.min)
            return a;
        const std::int64_t top = addInf(b.max, -1);
        if (b.min == b.max && !isInf(b.min)) {
            // Same quotient at both ends: the remainder runs in between.
            if (!isInf(a.min) && !isInf(a.max) &&
                floorDivide(a.min, b.min) == floorDivide(a.max, b.min))
                return {floorRemainder(a.min, b.min), floorRemainder(a.max, b.min)};
            const ModularSet set = evalModularSet(state_, node.a);
            const std::int64_t step = gcdInt(set.coeff, b.min);
            if (step > 1) {
                const std::int64_t first = floorRemainder(set.base, step);
                ConstIntBound tight{first, b.min - step + first};
                return a.min >= 0 ? intersectBounds(tight, {0, a.max}) : tight;
            }
        }
        return {0, a.min >= 0 ? std::min(a.max, top) : top};
    }

    Analyzer::State& state_;
};

void addBound(Analyzer::State& state, const Expr& expr, ConstIntBound bound) {
    if (expr->kind() != NodeKind::IntImm)
        state.boundFacts.push_back({expr, bound});
}

/// `lhs <= rhs + offset`.
void addOrder(Analyzer::State& state, const Expr& lhs, const Expr& rhs, std::int64_t offset) {
    const auto left = constInt(lhs);
    const auto right = constInt(rhs);
    if (left && !right)
        addBound(state, rhs, {*left - offset, kPosInf});
    else if (right && !left)
        addBound(state, lhs, {kNegInf, *right + offset});
    else if (!left && !right)
        state.orders.push_back({lhs, rhs, offset});
}

} // namespace

ConstIntBound evalConstIntBound(Analyzer::State& state, const Expr& expr) {
    return BoundEvaluator(state).eval(expr);
}

void collectBoundFacts(const Expr& condition, Analyzer::State& state) {
    for (const Expr& part : conjuncts(condition)) {
        const auto* node = as<BinaryNode>(part);
        if (!node || !node->a->dtype.isInt())
            continue;
        switch (node->kind()) {
        case NodeKind::LT:
            addOrder(state, node->a, node->b, -1);
            break;
        case NodeKind::LE:
            addOrder(state, node->a, node->b, 0);
            break;
        case NodeKind::GT:
            addOrder(state, node->b, node->a, -1);
            break;
        case NodeKind::GE:
            addOrder(state, node->b, node->a, 0);
            break;
        case NodeKind::EQ:
            addOrder(state, node->a, node->b, 0);
            addOrder(state, node->b, node->a, 0);
            break;
        default:
            break;
        }
    }
}

} // namespace tilewright::arith
