// SPDX-License-Identifier: Apache-2.0
#include <tilewright/arith/iter_affine_map.h>

#include "iter_map_rewriter.h"

#include <tilewright/arith/linear_equation.h>
#include <tilewright/base/check.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::arith {

using namespace ir;

namespace {

bool rangesAreIndependent(const Domain& domain) {
    const auto isIter = [&](const VarNode* var) { return findRange(domain, var) != nullptr; };
    return std::none_of(domain.begin(), domain.end(), [&](const VarRange& entry) {
        return usesVar(entry.range.min, isIter) || usesVar(entry.range.extent, isIter);
    });
}

std::size_t sizeOf(const Expr& expr) {
    std::size_t count = 0;
    walk(expr, [&](const Node&) {
        ++count;
        return true;
    });
    return count;
}

/// Moves loop-dependent terms of `lhs - rhs` to the left and the others to the right.
void balance(Expr& lhs, Expr& rhs, const std::function<bool(const VarNode*)>& isIter) {
    Expr left = makeInt(0, lhs->dtype);
    Expr right = left;
    const auto extract = [&](const Expr& part, bool positive, const auto& recurse) -> void {
        const auto* node = as<BinaryNode>(part);
        if (node && (node->kind() == NodeKind::Add || node->kind() == NodeKind::Sub)) {
            recurse(node->a, positive, recurse);
            recurse(node->b, positive == (node->kind() == NodeKind::Add), recurse);
        } else if (usesVar(part, isIter)) {
            left = positive ? left + part : left - part;
        } else {
            right = positive ? right - part : right + part;
        }
    };
    extract(lhs - rhs, true, extract);
    Analyzer analyzer;
    lhs = analyzer.simplify(left);
    rhs = analyzer.simplify(right);
}

} // namespace

bool matchConstraints(const Expr& predicate, Domain& domain,
                      std::vector<IterConstraint>& constraints) {
    const std::function<bool(const VarNode*)> isIter = [&](const VarNode* var) {
        return findRange(domain, var) != nullptr;
    };
    for (const Expr& part : conjuncts(predicate)) {
        const auto* node = as<BinaryNode>(part);
        if (!node || node->kind() < NodeKind::LT || node->kind() > NodeKind::GE ||
            !node->a->dtype.isIntegral() || node->a->dtype.isBool())
            return false;
        Expr lhs = node->a;
        Expr rhs = node->b;
        const bool leftUses = usesVar(lhs, isIter);
        const bool rightUses = usesVar(rhs, isIter);
        if (!leftUses && !rightUses)
            continue;
        const bool boundAtLeft = !leftUses;
        if (leftUses && rightUses)
            balance(lhs, rhs, isIter);
        const bool greaterThan = node->kind() == NodeKind::GT || node->kind() == NodeKind::GE;
        const bool inclusive = node->kind() == NodeKind::LE || node->kind() == NodeKind::GE;
        const Expr one = makeInt(1, lhs->dtype);
        IterConstraint constraint;
        constraint.iter = boundAtLeft ? rhs : lhs;
        const Expr& bound = boundAtLeft ? lhs : rhs;
        if (greaterThan == boundAtLeft)
            constraint.upper = inclusive ? bound + one : bound;
        else
            constraint.lower = inclusive ? bound : bound + one;
        if (constraint.iter->kind() == NodeKind::Var) {
            for (VarRange& entry : domain)
                if (entry.var == constraint.iter) {
                    Analyzer analyzer;
                    const Expr low = constraint.lower ? maximum(entry.range.min, constraint.lower)
                                                      : entry.range.min;
                    const Expr end = entry.range.min + entry.range.extent;
                    const Expr high = constraint.upper ? minimum(end, constraint.upper) : end;
                    entry.range = {analyzer.simplify(low), analyzer.simplify(high - low)};
                }
            continue;
        }
        constraint.size = sizeOf(constraint.iter);
        constraints.push_back(std::move(constraint));
    }
    std::stable_sort(
        constraints.begin(), constraints.end(),
        [](const IterConstraint& a, const IterConstraint& b) { return a.size < b.size; });
    return true;
}

IterMapResult detectIterMap(const std::vector<Expr>& indices, const Domain& domain,
                            const Expr& predicate, IterMapLevel level, Analyzer& analyzer,
                            bool simplifyTrivial) {
    IterMapResult result;
    if (!rangesAreIndependent(domain)) {
        result.errors.emplace_back("the range of a loop depends on another loop of the domain");
        return result;
    }
    Domain narrowed = domain;
    std::vector<IterConstraint> constraints;
    if (predicate && !isOne(predicate) && !matchConstraints(predicate, narrowed, constraints)) {
        result.errors.emplace_back("the predicate is not a conjunction of integer comparisons");
        return result;
    }
    IterMapRewriter rewriter(analyzer, narrowed, level, simplifyTrivial, result.errors);
    for (const IterConstraint& constraint : constraints) {
        rewriter.addConstraint(constraint);
        if (!result.ok())
            return result;
    }
    if (!rewriter.constraintsAgree()) {
        result.errors.emplace_back("the constraints of the predicate overlap");
        return result;
    }
    const auto rewriteAll = [&](bool collectPadding) {
        result.indices.clear();
        for (const Expr& index : indices) {
            result.indices.push_back(collectPadding ? rewriter.rewriteCollectingPadding(index)
                                                    : rewriter.rewrite(index));
            if (!result.ok())
                return false;
        }
        return true;
    };
    const bool mayPad = level != IterMapLevel::Bijective;
    bool done = true;
    if (mayPad)
        done = rewriteAll(true);
    if (done && (!mayPad || rewriter.needsPadding()))
        done = rewriteAll(false);
    if (done && !rewriter.mappingIsValid(result.indices, level)) {
        result.errors.emplace_back("the mapped indices are not independent");
        done = false;
    }
    if (!done) {
        result.indices.clear();
        return result;
    }
    if (rewriter.needsPadding())
        result.paddingPredicate = rewriter.paddingPredicate();
    return result;
}

IterMapResult normalizeToIterSum(const Expr& index, const Domain& domain, Analyzer& analyzer) {
    IterMapResult result;
    if (!rangesAreIndependent(domain)) {
        result.errors.emplace_back("the range of a loop depends on another loop of the domain");
        return result;
    }
    IterMapRewriter rewriter(analyzer, domain, IterMapLevel::NoCheck, true, result.errors);
    result.indices.push_back(rewriter.rewriteSum(index));
    if (!result.ok())
        result.indices.clear();
    return result;
}

Expr normalizeIter(const IterMark& mark) {
    return mark.source ? mark.source : normalizeIter(*mark.sum);
}

Expr normalizeIter(const IterSplit& split) {
    const Expr source = normalizeIter(*split.source);
    const auto known = [](const Expr& a, const Expr& b) {
        const auto x = constInt(a);
        const auto y = constInt(b);
        if (x && y)
            return *x == *y;
        Analyzer analyzer;
        return analyzer.canProveEqual(a, b);
    };
    if (isOne(split.lowerFactor) && known(split.extent, split.source->extent))
        return source * split.scale;
    const Expr upper = split.lowerFactor * split.extent;
    if (known(split.source->extent, upper)) {
        if (isOne(split.extent) && !isOne(split.source->extent))
            return makeInt(0, source->dtype);
        return floorDiv(source, split.lowerFactor) * split.scale;
    }
    return floorDiv(floorMod(source, upper), split.lowerFactor) * split.scale;
}

Expr normalizeIter(const IterSum& sum) {
    Expr result = makeInt(0, sum.base->dtype);
    for (const IterSplit& split : sum.args)
        result = result + normalizeIter(split);
    return result + sum.base;
}

std::vector<Expr> iterMapSimplify(const std::vector<Expr>& indices, const Domain& domain,
                                  const Expr& predicate, IterMapLevel level, Analyzer& analyzer,
                                  bool simplifyTrivial) {
    if (!rangesAreIndependent(domain))
        return indices;
    IterMapResult map = detectIterMap(indices, domain, predicate, level, analyzer, simplifyTrivial);
    if (!map.ok() && predicate && !isOne(predicate) && level != IterMapLevel::Bijective)
        map = detectIterMap(indices, domain, nullptr, level, analyzer, simplifyTrivial);
    if (!map.ok())
        return indices;
    std::vector<Expr> result;
    result.reserve(indices.size());
    for (const IterSum& sum : map.indices)
        result.push_back(normalizeIter(sum));
    return result;
}

namespace {

/// Carries values from the outputs of a map back to its variables.
class InverseSolver {
public:
    std::unordered_map<const VarNode*, Expr> solve(const std::vector<IterSum>& map,
                                                   const std::vector<Expr>& outputs) {
        TW_CHECK(map.size() == outputs.size()) << "a map with other outputs";
        // A mark's value is complete when all its splits were seen, so marks are ordered by use.
        std::vector<const IterMark*> order;
        for (const IterSum& sum : map)
            visitOrder(sum, order);
        // Last output first: sums then have TVM's order of terms.
        for (std::size_t i = map.size(); i-- > 0;)
            backward(map[i], outputs[i]);
        if (!injective_)
            return {};
        for (auto it = order.rbegin(); it != order.rend(); ++it) {
            const IterMark* mark = *it;
            const auto value = values_.find(mark);
            if (value == values_.end())
                continue;
            if (mark->sum)
                backward(*mark->sum, value->second);
            else
                assign(mark->source, value->second);
        }
        return injective_ ? std::move(result_) : std::unordered_map<const VarNode*, Expr>{};
    }

private:
    void visitOrder(const IterSum& sum, std::vector<const IterMark*>& order) {
        for (const IterSplit& split : sum.args) {
            const IterMark* mark = split.source.get();
            if (std::find(order.begin(), order.end(), mark) != order.end())
                continue;
            if (mark->sum)
                visitOrder(*mark->sum, order);
            order.push_back(mark);
        }
    }

    void assign(const Expr& source, const Expr& value) {
        if (const auto* var = as<VarNode>(source)) {
            result_[var] = value;
            return;
        }
        // var - min
        const auto* node = as<BinaryNode>(source);
        TW_CHECK(node && node->kind() == NodeKind::Sub && node->a->kind() == NodeKind::Var)
            << "an iterator source that is no shifted variable";
        result_[static_cast<const VarNode*>(node->a.get())] = value + node->b;
    }

    void give(const IterSplit& split, const Expr& value) {
        const Expr part = value * split.lowerFactor;
        Expr& sum = values_[split.source.get()];
        sum = sum ? sum + part : part;
    }

    void backward(const IterSum& sum, const Expr& output) {
        const Expr value = output - sum.base;
        if (sum.args.empty())
            return;
        if (sum.args.size() == 1) {
            const IterSplit& split = sum.args[0];
            const auto scale = constInt(split.scale);
            Expr shifted = value;
            if (scale && *scale == -1)
                shifted = makeInt(0, value->dtype) - value;
            else if (!scale || *scale != 1)
                shifted = floorDiv(value, split.scale);
            give(split, shifted);
            return;
        }
        for (std::size_t i = 0; i < sum.args.size(); ++i) {
            const IterSplit& split = sum.args[i];
            // Overlapping digits (scale below the extent inside) have no inverse.
            if (i + 1 < sum.args.size()) {
                const IterSplit& inner = sum.args[i + 1];
                Analyzer analyzer;
                if (!analyzer.canProveEqual(split.scale, inner.scale * inner.extent))
                    injective_ = false;
            }
            Expr digit = floorDiv(value, split.scale);
            if (i != 0)
                digit = floorMod(digit, split.extent);
            give(split, digit);
        }
    }

    std::unordered_map<const IterMark*, Expr> values_;
    std::unordered_map<const VarNode*, Expr> result_;
    bool injective_ = true;
};

} // namespace

std::unordered_map<const VarNode*, Expr> inverseAffineIterMap(const std::vector<IterSum>& map,
                                                              const std::vector<Expr>& outputs) {
    return InverseSolver().solve(map, outputs);
}

} // namespace tilewright::arith
