// SPDX-License-Identifier: Apache-2.0
#include <tilewright/arith/int_set.h>
#include <tilewright/arith/iter_affine_map.h>
#include <tilewright/ir/make.h>

namespace tilewright::arith {

using namespace ir;

namespace {

/// `base + split + [0, extent)` when the steps of the split leave no hole.
std::optional<IntSet> sweep(const IterSum& sum, const Expr& extent, Analyzer& analyzer) {
    if (sum.args.empty())
        return IntSet::fromMinExtent(sum.base, extent);
    const IterSplit& split = sum.args[0];
    const Expr one = makeInt(1, split.extent->dtype);
    const Expr span = (split.extent - one) * split.scale;
    if (analyzer.canProve(greaterEqual(split.scale, makeInt(0, split.scale->dtype)))) {
        if (!analyzer.canProve(greaterEqual(extent, split.scale)))
            return std::nullopt;
        return IntSet::fromMinExtent(sum.base, analyzer.simplify(span + extent));
    }
    if (!analyzer.canProve(lessEqual(split.scale, makeInt(0, split.scale->dtype))) ||
        !analyzer.canProve(greaterEqual(extent, makeInt(0, split.scale->dtype) - split.scale)))
        return std::nullopt;
    return IntSet::fromMinExtent(analyzer.simplify(sum.base + span),
                                 analyzer.simplify(extent - span));
}

} // namespace

std::optional<IntSetRegion> estimateRegionStrictBound(const std::vector<Range>& region,
                                                      const Domain& domain, const Expr& predicate,
                                                      Analyzer& analyzer) {
    std::vector<Expr> indices;
    indices.reserve(region.size());
    for (const Range& range : region) {
        if (!constInt(range.extent))
            return std::nullopt;
        indices.push_back(range.min);
    }
    const IterMapResult map =
        detectIterMap(indices, domain, predicate, IterMapLevel::Surjective, analyzer);
    if (!map.ok() || map.indices.size() != region.size())
        return std::nullopt;
    IntSetRegion result;
    for (std::size_t i = 0; i < region.size(); ++i) {
        auto set = sweep(map.indices[i], region[i].extent, analyzer);
        if (!set)
            return std::nullopt;
        result.push_back(std::move(*set));
    }
    return result;
}

std::optional<IntSetRegion> estimateRegionLowerBound(const std::vector<Range>& region,
                                                     const Domain& domain, const Expr& predicate,
                                                     Analyzer& analyzer) {
    return estimateRegionStrictBound(region, domain, predicate, analyzer);
}

IntSetRegion estimateRegionUpperBound(const std::vector<Range>& region, const Domain& domain,
                                      const Expr& predicate, Analyzer& analyzer) {
    if (auto strict = estimateRegionStrictBound(region, domain, predicate, analyzer))
        return std::move(*strict);
    IntSetRegion result;
    const SetDomain sets = toSetDomain(domain);
    for (const Range& range : region) {
        if (auto alone = estimateRegionStrictBound({range}, domain, predicate, analyzer))
            result.push_back(std::move(alone->front()));
        else
            result.push_back(evalSet(range, sets, analyzer));
    }
    return result;
}

} // namespace tilewright::arith
