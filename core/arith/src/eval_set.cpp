// SPDX-License-Identifier: Apache-2.0
#include "int_math.h"

#include <tilewright/arith/int_set.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

namespace tilewright::arith {

using namespace ir;

namespace {

class SetEvaluator {
public:
    SetEvaluator(const SetDomain& domain, Analyzer& analyzer)
        : domain_(domain), analyzer_(analyzer) {}

    IntSet eval(const Expr& expr) {
        switch (expr->kind()) {
        case NodeKind::IntImm:
            return IntSet::point(expr);
        case NodeKind::Var:
            return evalVar(expr);
        case NodeKind::Cast: {
            const auto* node = static_cast<const CastNode*>(expr.get());
            const IntSet value = eval(node->value);
            if (value.isNothing())
                return value;
            return make(value.min() ? cast(node->dtype, value.min()) : nullptr,
                        value.max() ? cast(node->dtype, value.max()) : nullptr, isSingle(value));
        }
        case NodeKind::Select: {
            const auto* node = static_cast<const SelectNode*>(expr.get());
            return unionSets(eval(node->trueValue), eval(node->falseValue), analyzer_);
        }
        case NodeKind::Ramp:
            return evalRamp(*static_cast<const RampNode*>(expr.get()));
        case NodeKind::Broadcast:
            return eval(static_cast<const BroadcastNode*>(expr.get())->value);
        case NodeKind::Call: {
            const auto* node = static_cast<const CallNode*>(expr.get());
            if (!usesDomain(expr))
                return IntSet::point(expr);
            if (node->op == Op::Likely)
                return eval(node->args[0]);
            if (node->op == Op::IfThenElse && node->dtype.isInt())
                return unionSets(eval(node->args[1]), eval(node->args[2]), analyzer_);
            return IntSet::everything();
        }
        default:
            if (const auto* node = as<BinaryNode>(expr))
                return evalBinary(*node, expr);
            return usesDomain(expr) ? IntSet::everything() : IntSet::point(expr);
        }
    }

    /// Bounds that mention variables of the domain are evaluated in turn.
    IntSet eval(const IntSet& set) {
        if (set.isNothing() || set.isEverything() || depth_ >= domain_.size())
            return set;
        ++depth_;
        const bool single = isSingle(set);
        const IntSet low = set.min() ? eval(set.min()) : IntSet::everything();
        const IntSet high = single ? low : set.max() ? eval(set.max()) : IntSet::everything();
        --depth_;
        if (single)
            return low;
        return IntSet::interval(low.min(), high.max());
    }

private:
    static bool isSingle(const IntSet& set) { return set.min() && set.min() == set.max(); }
    static IntSet make(Expr min, Expr max, bool single) {
        return single ? IntSet::point(std::move(min))
                      : IntSet::interval(std::move(min), std::move(max));
    }

    bool usesDomain(const Expr& expr) const {
        return usesVar(expr, [&](const VarNode* var) {
            for (const VarSet& entry : domain_)
                if (entry.var.get() == var)
                    return true;
            return false;
        });
    }

    IntSet evalVar(const Expr& expr) {
        for (const VarSet& entry : domain_)
            if (entry.var.get() == expr.get()) {
                if (entry.set.min() == expr && entry.set.max() == expr)
                    return entry.set;
                return eval(entry.set);
            }
        return IntSet::point(expr);
    }

    IntSet evalRamp(const RampNode& node) {
        const auto lanes = constInt(node.lanes);
        const IntSet base = eval(node.base);
        const auto stride = constInt(node.stride);
        if (!lanes || !stride || !base.isBounded())
            return IntSet::everything();
        const Expr span = makeInt((*lanes - 1) * *stride, node.base->dtype);
        return *stride >= 0 ? IntSet::interval(base.min(), base.max() + span)
                            : IntSet::interval(base.min() + span, base.max());
    }

    IntSet evalBinary(const BinaryNode& node, const Expr& self) {
        if (node.dtype.isBool())
            return usesDomain(self) ? IntSet::interval(makeBool(false), makeBool(true))
                                    : IntSet::point(self);
        const IntSet a = eval(node.a);
        const IntSet b = eval(node.b);
        if (a.isNothing())
            return a;
        if (b.isNothing())
            return b;
        if (isSingle(a) && isSingle(b)) {
            if (a.min() == node.a && b.min() == node.b)
                return IntSet::point(self);
            return IntSet::point(foldBinary(node.kind(), a.min(), b.min()));
        }
        switch (node.kind()) {
        case NodeKind::Add:
            return IntSet::interval(a.min() && b.min() ? a.min() + b.min() : nullptr,
                                    a.max() && b.max() ? a.max() + b.max() : nullptr);
        case NodeKind::Sub:
            return IntSet::interval(a.min() && b.max() ? a.min() - b.max() : nullptr,
                                    a.max() && b.min() ? a.max() - b.min() : nullptr);
        case NodeKind::Mul:
            return isSingle(b)   ? scaled(a, b.min(), NodeKind::Mul)
                   : isSingle(a) ? scaled(b, a.min(), NodeKind::Mul)
                                 : IntSet::everything();
        case NodeKind::FloorDiv:
        case NodeKind::Div:
            return isSingle(b) ? scaled(a, b.min(), node.kind()) : IntSet::everything();
        case NodeKind::FloorMod:
        case NodeKind::Mod:
            return isSingle(b) ? remainder(a, b.min(), node) : IntSet::everything();
        case NodeKind::Min:
            return IntSet::interval(a.min() && b.min() ? minimum(a.min(), b.min()) : nullptr,
                                    !a.max()   ? b.max()
                                    : !b.max() ? a.max()
                                               : minimum(a.max(), b.max()));
        case NodeKind::Max:
            return IntSet::interval(!a.min()   ? b.min()
                                    : !b.min() ? a.min()
                                               : maximum(a.min(), b.min()),
                                    a.max() && b.max() ? maximum(a.max(), b.max()) : nullptr);
        default:
            return IntSet::everything();
        }
    }

    /// `set * factor` or `set // factor` by the factor's sign.
    IntSet scaled(const IntSet& set, const Expr& factor, NodeKind kind) {
        if (isZero(factor))
            return kind == NodeKind::Mul ? IntSet::point(factor) : IntSet::everything();
        if (isOne(factor))
            return set;
        const auto apply = [&](const Expr& bound) {
            return bound ? foldBinary(kind, bound, factor) : nullptr;
        };
        const ConstIntBound sign = analyzer_.constIntBound(factor);
        if (sign.min >= 0)
            return IntSet::interval(apply(set.min()), apply(set.max()));
        if (sign.max < 0)
            return IntSet::interval(apply(set.max()), apply(set.min()));
        if (kind == NodeKind::Mul && set.isBounded()) {
            const Expr positive = greaterEqual(factor, makeInt(0, factor->dtype));
            const Expr low = apply(set.min());
            const Expr high = apply(set.max());
            return IntSet::interval(makeSelect(positive, low, high),
                                    makeSelect(positive, high, low));
        }
        return IntSet::everything();
    }

    IntSet remainder(const IntSet& set, const Expr& divisor, const BinaryNode& node) {
        const ConstIntBound sign = analyzer_.constIntBound(divisor);
        if (sign.min < 1)
            return IntSet::everything();
        const bool floor = node.kind() == NodeKind::FloorMod;
        const Expr zero = makeInt(0, divisor->dtype);
        const Expr top = divisor - makeInt(1, divisor->dtype);
        if (!floor && !(set.min() && analyzer_.canProveGreaterEqual(set.min(), 0)))
            return IntSet::interval(zero - top, top);
        if (set.isBounded()) {
            const Expr qmin = floorDiv(set.min(), divisor);
            const Expr qmax = floorDiv(set.max(), divisor);
            if (analyzer_.canProveEqual(qmax, qmin))
                return IntSet::interval(set.min() - divisor * qmin, set.max() - divisor * qmin);
        }
        if (const auto c = constInt(divisor)) {
            const ModularSet modular = analyzer_.modularSet(node.a);
            const std::int64_t step = gcdInt(modular.coeff, *c);
            if (step > 1 && floorRemainder(modular.base, step) == 0)
                return IntSet::interval(zero, makeInt(*c - step, divisor->dtype));
        }
        return IntSet::interval(zero, top);
    }

    const SetDomain& domain_;
    Analyzer& analyzer_;
    std::size_t depth_ = 0;
};

} // namespace

IntSet evalSet(const Expr& expr, const SetDomain& domain, Analyzer& analyzer) {
    return SetEvaluator(domain, analyzer).eval(expr);
}

IntSet evalSet(const Expr& expr, const Domain& domain, Analyzer& analyzer) {
    return evalSet(expr, toSetDomain(domain), analyzer);
}

IntSet evalSet(const Range& range, const SetDomain& domain, Analyzer& analyzer) {
    if (isOne(range.extent))
        return evalSet(range.min, domain, analyzer);
    // Simplifying first gives tighter bounds when minimum and extent share variables.
    const Expr last = analyzer.simplify(range.min + range.extent - makeInt(1, range.min->dtype));
    SetEvaluator evaluator(domain, analyzer);
    const IntSet low = evaluator.eval(range.min);
    const IntSet high = evaluator.eval(last);
    return IntSet::interval(low.min(), high.max());
}

IntSet evalSet(const IntSet& set, const SetDomain& domain, Analyzer& analyzer) {
    return SetEvaluator(domain, analyzer).eval(set);
}

IntSetRegion evalSet(const std::vector<Range>& region, const SetDomain& domain,
                     Analyzer& analyzer) {
    IntSetRegion result;
    result.reserve(region.size());
    for (const Range& range : region)
        result.push_back(evalSet(range, domain, analyzer));
    return result;
}

} // namespace tilewright::arith
