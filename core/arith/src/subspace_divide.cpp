// SPDX-License-Identifier: Apache-2.0
#include "iter_map_rewriter.h"

#include <tilewright/ir/make.h>

#include <algorithm>

namespace tilewright::arith {

using namespace ir;

namespace {

/// `outer * innerExtent + inner`; failed when `ok` is false.
struct Division {
    IterSum outer;
    Expr outerExtent;
    IterSum inner;
    Expr innerExtent;
    enum class Side : std::uint8_t { Inner, Outer, Both } side = Side::Both;
    bool ok = true;
};

class SubspaceDivider {
public:
    SubspaceDivider(Analyzer& analyzer, std::vector<MarkSplits> splits,
                    const std::vector<Var>& innerVars)
        : analyzer_(analyzer), marks_(std::move(splits)), innerVars_(innerVars),
          innerPredicate(makeBool(true)), outerPredicate(makeBool(true)) {}

    Division divideSum(const IterSum& sum, const Expr& markExtent) {
        const Expr zero = makeInt(0, sum.base->dtype);
        const Expr one = makeInt(1, sum.base->dtype);
        if (sum.args.empty()) {
            Division result;
            result.outer.base = zero;
            result.outerExtent = one;
            result.inner.base = sum.base;
            result.innerExtent = one;
            return result;
        }
        if (sum.args.size() == 1) {
            if (!isOne(sum.args[0].scale))
                return failure();
            Division result = divideSplit(sum.args[0]);
            // The base belongs to the inner part: outer * extent + (inner + base).
            if (result.ok && !isZero(sum.base))
                result.inner.base = result.inner.base + sum.base;
            return result;
        }
        return divideLongSum(sum, markExtent);
    }

private:
    static Division failure() {
        Division result;
        result.ok = false;
        return result;
    }
    static Division oneSide(IterSum sum, Expr extent, bool inner) {
        Division result;
        IterSum rest;
        rest.base = makeInt(0, extent->dtype);
        const Expr one = makeInt(1, extent->dtype);
        result.side = inner ? Division::Side::Inner : Division::Side::Outer;
        result.inner = inner ? sum : rest;
        result.innerExtent = inner ? extent : one;
        result.outer = inner ? rest : sum;
        result.outerExtent = inner ? one : extent;
        return result;
    }
    static IterSum sumOf(IterSplit split) {
        IterSum sum;
        sum.base = makeInt(0, split.extent->dtype);
        sum.args.push_back(std::move(split));
        return sum;
    }

    /// Splits given innermost first, chained with scales from 1.
    static std::pair<IterSum, Expr> chain(const std::vector<IterSplit>& parts, Expr base) {
        IterSum sum;
        Expr extent = makeInt(1, base->dtype);
        for (IterSplit part : parts) {
            part.scale = extent;
            extent = extent * part.extent;
            sum.args.push_back(std::move(part));
        }
        std::reverse(sum.args.begin(), sum.args.end());
        sum.base = std::move(base);
        return {std::move(sum), extent};
    }

    Division divideLongSum(const IterSum& sum, const Expr& markExtent) {
        std::vector<IterSplit> outerParts;
        std::vector<IterSplit> innerParts;
        bool sawOuter = false;
        bool unitScale = false;
        Expr extent = makeInt(1, sum.base->dtype);
        for (auto it = sum.args.rbegin(); it != sum.args.rend(); ++it) {
            unitScale = unitScale || isOne(it->scale);
            const Division part = divideSplit(*it);
            if (!part.ok || part.side == Division::Side::Both)
                return failure();
            const bool inner = part.side == Division::Side::Inner;
            if (inner && sawOuter)
                return failure();
            sawOuter = sawOuter || !inner;
            const IterSum& source = inner ? part.inner : part.outer;
            const Expr& partExtent = inner ? part.innerExtent : part.outerExtent;
            IterSplit split;
            if (source.args.size() == 1 && isZero(source.base)) {
                split = source.args[0];
            } else {
                const auto mark = std::make_shared<const IterMark>(
                    IterMark{nullptr, std::make_shared<const IterSum>(source), partExtent});
                split = {mark, makeInt(1, partExtent->dtype), partExtent,
                         makeInt(1, partExtent->dtype)};
            }
            extent = extent * split.extent;
            (inner ? innerParts : outerParts).push_back(std::move(split));
        }
        if (!unitScale)
            return failure();
        const bool bounded = !analyzer_.canProveEqual(extent, markExtent);
        auto [outer, outerExtent] = chain(outerParts, makeInt(0, sum.base->dtype));
        auto [inner, innerExtent] = chain(innerParts, sum.base);
        if (outerParts.empty() || innerParts.empty()) {
            const bool isInner = outerParts.empty();
            IterSum& only = isInner ? inner : outer;
            if (!isInner)
                only.base = only.base + sum.base;
            if (bounded) {
                Expr& predicate = isInner ? innerPredicate : outerPredicate;
                predicate = logicalAnd(predicate, less(normalizeIter(only), markExtent));
            }
            return oneSide(std::move(only), markExtent, isInner);
        }
        if (bounded)
            return failure();
        Division result;
        result.outer = std::move(outer);
        result.outerExtent = outerExtent;
        result.inner = std::move(inner);
        result.innerExtent = innerExtent;
        return result;
    }

    static bool same(const IterSplit& a, const IterSplit& b, Analyzer& analyzer) {
        return a.source == b.source && analyzer.canProveEqual(a.lowerFactor, b.lowerFactor) &&
               analyzer.canProveEqual(a.extent, b.extent);
    }

    Division divideSplit(const IterSplit& split) {
        for (const auto& [known, division] : done_)
            if (same(known, split, analyzer_))
                return division;
        const auto entry = std::find_if(marks_.begin(), marks_.end(), [&](const MarkSplits& m) {
            return m.mark == split.source;
        });
        if (entry == marks_.end())
            return failure();
        const std::vector<IterSplit> splits = entry->splits;
        if (split.source->source) {
            const bool inner = isInnerSource(split.source->source);
            for (IterSplit piece : splits) {
                const IterSplit key = piece;
                piece.scale = makeInt(1, piece.extent->dtype);
                const Expr extent = piece.extent;
                done_.emplace_back(key, oneSide(sumOf(std::move(piece)), extent, inner));
            }
        } else {
            const Division whole = divideSum(*split.source->sum, split.source->extent);
            if (!whole.ok)
                return whole;
            if (splits.size() == 1 && isOne(splits[0].lowerFactor) &&
                analyzer_.canProveEqual(splits[0].extent, split.source->extent))
                return whole;
            if (!divideMark(splits, whole))
                return failure();
        }
        for (const auto& [known, division] : done_)
            if (same(known, split, analyzer_))
                return division;
        return failure();
    }

    bool isInnerSource(const Expr& source) const {
        const Expr var = source->kind() == NodeKind::Var
                             ? source
                             : static_cast<const BinaryNode*>(source.get())->a;
        return std::any_of(innerVars_.begin(), innerVars_.end(),
                           [&](const Var& v) { return v.get() == var.get(); });
    }

    /// Assigns the splits of a divided mark to its inner or outer part.
    bool divideMark(const std::vector<IterSplit>& splits, const Division& whole) {
        const auto markOf = [](const IterSum& sum, const Expr& extent) {
            return std::make_shared<const IterMark>(
                IterMark{nullptr, std::make_shared<const IterSum>(sum), extent});
        };
        const IterMarkRef outerMark = markOf(whole.outer, whole.outerExtent);
        const IterMarkRef innerMark = markOf(whole.inner, whole.innerExtent);
        bool boundary = whole.side == Division::Side::Outer;
        std::vector<bool> used(splits.size(), false);
        Expr expected = makeInt(1, whole.innerExtent->dtype);
        std::vector<std::pair<IterSplit, Division>> found;
        for (std::size_t i = 0; i < splits.size(); ++i) {
            std::size_t at = 0;
            while (at < splits.size() &&
                   (used[at] || !analyzer_.canProveEqual(splits[at].lowerFactor, expected)))
                ++at;
            if (at == splits.size())
                return false;
            used[at] = true;
            IterSplit piece = splits[at];
            piece.scale = makeInt(1, piece.extent->dtype);
            piece.source = boundary ? outerMark : innerMark;
            if (boundary)
                piece.lowerFactor =
                    analyzer_.simplify(floorDiv(piece.lowerFactor, whole.innerExtent));
            const Expr extent = piece.extent;
            found.emplace_back(splits[at], oneSide(sumOf(std::move(piece)), extent, !boundary));
            expected = analyzer_.simplify(expected * splits[at].extent);
            if (analyzer_.canProveEqual(expected, whole.innerExtent))
                boundary = true;
        }
        if (!boundary)
            return false;
        done_.insert(done_.end(), found.begin(), found.end());
        return true;
    }

    Analyzer& analyzer_;
    std::vector<MarkSplits> marks_;
    const std::vector<Var>& innerVars_;
    std::vector<std::pair<IterSplit, Division>> done_;

public:
    Expr innerPredicate;
    Expr outerPredicate;
};

} // namespace

std::vector<SubspacePair> subspaceDivide(const std::vector<Expr>& bindings, const Domain& domain,
                                         const std::vector<Var>& innerVars, const Expr& predicate,
                                         IterMapLevel level, Analyzer& analyzer,
                                         bool simplifyTrivial) {
    const IterMapResult map =
        detectIterMap(bindings, domain, predicate, level, analyzer, simplifyTrivial);
    if (!map.ok())
        return {};
    SubspaceDivider divider(analyzer, collectSplits(map.indices), innerVars);
    std::vector<SubspacePair> result;
    for (const IterSum& sum : map.indices) {
        const Division division = divider.divideSum(sum, makeInt(0, sum.base->dtype));
        if (!division.ok)
            return {};
        result.push_back({normalizeIter(division.outer), analyzer.simplify(division.outerExtent),
                          normalizeIter(division.inner), analyzer.simplify(division.innerExtent)});
    }
    result.push_back({divider.outerPredicate, nullptr, divider.innerPredicate, nullptr});
    return result;
}

} // namespace tilewright::arith
