// SPDX-License-Identifier: Apache-2.0
#include "state.h"

namespace tilewright::arith {

using namespace ir;

namespace {

ModularSet normalized(std::int64_t coeff, std::int64_t base) {
    coeff = coeff < 0 ? -coeff : coeff;
    return {coeff, coeff == 0 ? base : floorRemainder(base, coeff)};
}

ModularSet unite(ModularSet a, ModularSet b) {
    const std::int64_t coeff = gcdInt(gcdInt(a.coeff, b.coeff), a.base - b.base);
    return normalized(coeff, a.base);
}

/// Products beyond this are not tracked, so that nothing overflows.
constexpr std::int64_t kLimit = std::int64_t{1} << 30;

ModularSet multiply(ModularSet a, ModularSet b) {
    const auto large = [](std::int64_t x) { return x > kLimit || x < -kLimit; };
    if (large(a.coeff) || large(a.base) || large(b.coeff) || large(b.base))
        return {};
    // (p x + m)(q y + n) = pq xy + pn x + mq y + mn
    const std::int64_t coeff =
        gcdInt(a.coeff * b.coeff, gcdInt(a.coeff * b.base, a.base * b.coeff));
    return normalized(coeff, a.base * b.base);
}

ModularSet evalBinary(Analyzer::State& state, const BinaryNode& node) {
    switch (node.kind()) {
    case NodeKind::Add:
    case NodeKind::Sub: {
        const ModularSet a = evalModularSet(state, node.a);
        const ModularSet b = evalModularSet(state, node.b);
        const std::int64_t base = node.kind() == NodeKind::Add ? a.base + b.base : a.base - b.base;
        return normalized(gcdInt(a.coeff, b.coeff), base);
    }
    case NodeKind::Mul:
        return multiply(evalModularSet(state, node.a), evalModularSet(state, node.b));
    case NodeKind::Min:
    case NodeKind::Max:
        return unite(evalModularSet(state, node.a), evalModularSet(state, node.b));
    case NodeKind::FloorDiv: {
        const auto c = constInt(node.b);
        if (!c || *c <= 0)
            return {};
        const ModularSet a = evalModularSet(state, node.a);
        if (a.coeff == 0)
            return {0, floorDivide(a.base, *c)};
        if (a.coeff % *c == 0)
            return normalized(a.coeff / *c, floorDivide(a.base, *c));
        return {};
    }
    case NodeKind::FloorMod: {
        const auto c = constInt(node.b);
        if (!c || *c <= 0)
            return {};
        const ModularSet a = evalModularSet(state, node.a);
        if (a.coeff == 0 || a.coeff % *c == 0)
            return {0, floorRemainder(a.base, *c)};
        return normalized(gcdInt(a.coeff, *c), a.base);
    }
    case NodeKind::Div: {
        const auto c = constInt(node.b);
        if (!c || *c <= 0)
            return {};
        const ModularSet a = evalModularSet(state, node.a);
        // Truncation agrees with flooring for exact quotients and for non-negative values.
        if (a.coeff % *c == 0 && (a.base == 0 || evalConstIntBound(state, node.a).min >= 0))
            return a.coeff == 0 ? ModularSet{0, a.base / *c}
                                : normalized(a.coeff / *c, a.base / *c);
        return {};
    }
    default:
        return {};
    }
}

} // namespace

ModularSet evalModularSet(Analyzer::State& state, const Expr& expr) {
    switch (expr->kind()) {
    case NodeKind::Var: {
        const VarFacts* facts = state.vars.find(static_cast<const VarNode*>(expr.get()));
        return facts && facts->modular ? *facts->modular : ModularSet{};
    }
    case NodeKind::IntImm:
        return {0, static_cast<const IntImmNode*>(expr.get())->value};
    case NodeKind::Cast: {
        const auto* node = static_cast<const CastNode*>(expr.get());
        return node->value->dtype.isInt() ? evalModularSet(state, node->value) : ModularSet{};
    }
    case NodeKind::Select: {
        const auto* node = static_cast<const SelectNode*>(expr.get());
        return unite(evalModularSet(state, node->trueValue),
                     evalModularSet(state, node->falseValue));
    }
    case NodeKind::Call: {
        const auto* node = static_cast<const CallNode*>(expr.get());
        if (node->op == Op::ShiftLeft)
            if (const auto n = constInt(node->args[1]); n && *n >= 0 && *n < 31)
                return multiply(evalModularSet(state, node->args[0]), {0, std::int64_t{1} << *n});
        if (node->op == Op::IfThenElse && node->dtype.isInt())
            return unite(evalModularSet(state, node->args[1]),
                         evalModularSet(state, node->args[2]));
        return {};
    }
    default:
        if (const auto* node = as<BinaryNode>(expr); node && node->dtype.isInt())
            return evalBinary(state, *node);
        return {};
    }
}

} // namespace tilewright::arith
