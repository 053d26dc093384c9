// SPDX-License-Identifier: Apache-2.0
#include <tilewright/arith/index_map_inverse.h>

#include <tilewright/arith/iter_affine_map.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

namespace tilewright::arith {

using namespace ir;

namespace {

InverseIndexMap invert(const std::vector<Var>& initial, const std::vector<Expr>& final,
                       const std::vector<Range>& ranges, IterMapLevel level) {
    Analyzer analyzer;
    InverseIndexMap result;
    result.paddingPredicate = makeBool(false);
    Domain domain;
    for (std::size_t i = 0; i < initial.size(); ++i)
        domain.push_back({initial[i], ranges[i]});
    const IterMapResult map = detectIterMap(final, domain, nullptr, level, analyzer, false);
    if (!map.ok()) {
        result.error = base::join(map.errors, "; ");
        return result;
    }
    std::vector<Expr> outputs;
    for (std::size_t i = 0; i < final.size(); ++i) {
        result.outputs.push_back(makeVar(base::concat("axis", i), final[i]->dtype));
        outputs.emplace_back(result.outputs.back());
    }
    const auto values = inverseAffineIterMap(map.indices, outputs);
    if (values.empty() && !initial.empty() && !isOne(ranges[0].extent)) {
        result.error = "the map sends several indices to one";
        return result;
    }
    Analyzer outputAnalyzer;
    const std::vector<Range> outputRanges = mapRanges(initial, final, ranges, analyzer);
    VarMap substitution;
    for (std::size_t i = 0; i < initial.size(); ++i) {
        const auto found = values.find(initial[i].get());
        Expr value;
        if (found != values.end())
            value = found->second;
        else if (isOne(ranges[i].extent))
            value = ranges[i].min;
        else {
            result.error = base::concat("index ", initial[i]->name, " does not occur in the map");
            return result;
        }
        substitution[initial[i].get()] = value;
        result.initial.push_back(analyzer.simplify(value));
    }
    for (std::size_t i = 0; i < final.size(); ++i)
        outputAnalyzer.bind(result.outputs[i], outputRanges[i]);
    if (map.paddingPredicate)
        result.paddingPredicate =
            outputAnalyzer.simplify(substitute(map.paddingPredicate, substitution), 10);
    return result;
}

} // namespace

InverseIndexMap invertIndexMap(const std::vector<Var>& initial, const std::vector<Expr>& final,
                               const std::vector<Range>& ranges, Analyzer&) {
    return invert(initial, final, ranges, IterMapLevel::Bijective);
}

InverseIndexMap invertNonSurjectiveIndexMap(const std::vector<Var>& initial,
                                            const std::vector<Expr>& final,
                                            const std::vector<Range>& ranges, Analyzer&) {
    return invert(initial, final, ranges, IterMapLevel::NoCheck);
}

std::vector<Range> mapRanges(const std::vector<Var>& initial, const std::vector<Expr>& final,
                             const std::vector<Range>& ranges, Analyzer& analyzer) {
    Domain domain;
    for (std::size_t i = 0; i < initial.size(); ++i)
        domain.push_back({initial[i], ranges[i]});
    const IterMapResult map =
        detectIterMap(final, domain, nullptr, IterMapLevel::NoCheck, analyzer, false);
    std::vector<Range> result;
    if (map.ok()) {
        for (const IterSum& sum : map.indices) {
            if (sum.args.empty()) {
                result.push_back({sum.base, makeInt(1, sum.base->dtype)});
                continue;
            }
            // Largest value of the split is (extent - 1) * scale.
            const IterSplit& split = sum.args[0];
            const Expr one = makeInt(1, split.extent->dtype);
            result.push_back({analyzer.simplify(sum.base),
                              analyzer.simplify((split.extent - one) * split.scale + one)});
        }
        return result;
    }
    for (const Expr& index : final) {
        const IntSet set = evalSet(index, domain, analyzer);
        if (!set.isBounded()) {
            result.push_back({makeInt(0, index->dtype), index});
            continue;
        }
        const Expr min = analyzer.simplify(set.min());
        result.push_back(
            {min, analyzer.simplify(set.max() - set.min() + makeInt(1, index->dtype))});
    }
    return result;
}

} // namespace tilewright::arith
