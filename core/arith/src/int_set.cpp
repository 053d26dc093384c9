// SPDX-License-Identifier: Apache-2.0
#include <tilewright/arith/int_set.h>

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/expr_equal.h>
#include <tilewright/base/check.h>
#include <tilewright/ir/make.h>

namespace tilewright::arith {

using namespace ir;

IntSet IntSet::nothing() {
    IntSet set;
    set.empty_ = true;
    return set;
}

IntSet IntSet::point(Expr value) {
    IntSet set;
    set.min_ = value;
    set.max_ = std::move(value);
    return set;
}

IntSet IntSet::interval(Expr min, Expr max) {
    IntSet set;
    set.min_ = std::move(min);
    set.max_ = std::move(max);
    return set;
}

IntSet IntSet::fromMinExtent(const Expr& min, const Expr& extent) {
    if (isOne(extent))
        return point(min);
    return interval(min, (extent + min) - makeInt(1, extent->dtype));
}

IntSet IntSet::fromRange(const Range& range) {
    return fromMinExtent(range.min, range.extent);
}

bool IntSet::isPoint() const {
    return isBounded() && exprEqual(min_, max_);
}

Range IntSet::toRange(const Range& otherwise) const {
    if (!isBounded())
        return otherwise;
    if (min_ == max_)
        return {min_, makeInt(1, min_->dtype)};
    Analyzer analyzer;
    return {min_, analyzer.simplify(max_ + makeInt(1, max_->dtype) - min_)};
}

bool IntSet::canProvePositive() const {
    if (!hasLower())
        return false;
    Analyzer analyzer;
    return analyzer.canProveGreaterEqual(min_, 1);
}
bool IntSet::canProveNonNegative() const {
    if (!hasLower())
        return false;
    Analyzer analyzer;
    return analyzer.canProveGreaterEqual(min_, 0);
}
bool IntSet::canProveNegative() const {
    if (!hasUpper())
        return false;
    Analyzer analyzer;
    return analyzer.canProveLess(max_, 0);
}

SetDomain toSetDomain(const Domain& domain) {
    SetDomain sets;
    sets.reserve(domain.size());
    for (const VarRange& entry : domain)
        sets.push_back({entry.var, IntSet::fromRange(entry.range)});
    return sets;
}

IntSet unionSets(const IntSet& a, const IntSet& b, Analyzer& analyzer) {
    return unionSets(std::vector<IntSet>{a, b}, analyzer);
}

IntSet unionSets(const std::vector<IntSet>& sets, Analyzer& analyzer) {
    if (sets.size() == 1)
        return sets[0];
    bool any = false;
    Expr min;
    Expr max;
    for (const IntSet& set : sets) {
        if (set.isNothing())
            continue;
        if (!any) {
            any = true;
            min = set.min();
            max = set.max();
            continue;
        }
        min = min && set.min() ? minimum(min, set.min()) : nullptr;
        max = max && set.max() ? maximum(max, set.max()) : nullptr;
    }
    if (!any)
        return IntSet::nothing();
    const bool point = min && min == max;
    if (min)
        min = analyzer.simplify(min);
    max = point ? min : max ? analyzer.simplify(max) : nullptr;
    return IntSet::interval(min, max);
}

IntSet unionLowerBound(const std::vector<IntSet>& sets, Analyzer& analyzer) {
    if (sets.empty())
        return IntSet::nothing();
    if (sets.size() == 1)
        return sets[0];
    bool first = true;
    Expr min;
    Expr max;
    for (const IntSet& set : sets) {
        if (set.isNothing())
            continue;
        if (first) {
            first = false;
            min = set.min();
            max = set.max();
            continue;
        }
        const auto touches = [&](const Expr& low, const Expr& high) {
            return !low || !high ||
                   analyzer.canProve(lessEqual(low, high + makeInt(1, high->dtype)));
        };
        if (!touches(set.min(), max) || !touches(min, set.max()))
            continue;
        min = min && set.min() ? minimum(min, set.min()) : nullptr;
        max = max && set.max() ? maximum(max, set.max()) : nullptr;
    }
    return first ? IntSet::nothing() : IntSet::interval(min, max);
}

IntSet intersectSets(const IntSet& a, const IntSet& b, Analyzer& analyzer) {
    if (a.isNothing() || b.isNothing())
        return IntSet::nothing();
    const Expr min = !a.min() ? b.min() : !b.min() ? a.min() : maximum(a.min(), b.min());
    const Expr max = !a.max() ? b.max() : !b.max() ? a.max() : minimum(a.max(), b.max());
    if (min && max && analyzer.canProve(less(max, min)))
        return IntSet::nothing();
    return IntSet::interval(min, max);
}

namespace {

template <class Join>
IntSetRegion joinRegions(const std::vector<IntSetRegion>& regions, Join&& join) {
    if (regions.empty())
        return {};
    IntSetRegion result;
    for (std::size_t d = 0; d < regions[0].size(); ++d) {
        std::vector<IntSet> sets;
        sets.reserve(regions.size());
        for (const IntSetRegion& region : regions) {
            TW_CHECK(region.size() == regions[0].size()) << "regions of different rank";
            sets.push_back(region[d]);
        }
        result.push_back(join(sets));
    }
    return result;
}

} // namespace

IntSetRegion unionRegions(const std::vector<IntSetRegion>& regions, Analyzer& analyzer) {
    return joinRegions(regions,
                       [&](const std::vector<IntSet>& sets) { return unionSets(sets, analyzer); });
}

IntSetRegion unionRegionsLowerBound(const std::vector<IntSetRegion>& regions, Analyzer& analyzer) {
    return joinRegions(
        regions, [&](const std::vector<IntSet>& sets) { return unionLowerBound(sets, analyzer); });
}

bool covers(const IntSet& outer, const IntSet& inner, Analyzer& analyzer) {
    if (inner.isNothing())
        return true;
    if (outer.isNothing())
        return false;
    const auto atMost = [&](const Expr& a, const Expr& b) {
        return a && b && analyzer.canProve(lessEqual(a, b));
    };
    return (!outer.min() || atMost(outer.min(), inner.min())) &&
           (!outer.max() || atMost(inner.max(), outer.max()));
}

bool covers(const IntSetRegion& outer, const IntSetRegion& inner, Analyzer& analyzer) {
    TW_CHECK(outer.size() == inner.size()) << "regions of different rank";
    for (std::size_t i = 0; i < outer.size(); ++i)
        if (!covers(outer[i], inner[i], analyzer))
            return false;
    return true;
}

} // namespace tilewright::arith
