// SPDX-License-Identifier: Apache-2.0
// How the iterators of a sum join to one, and whether splits cover their marks.
#include "iter_map_rewriter.h"

#include <tilewright/arith/expr_equal.h>
#include <tilewright/base/check.h>
#include <tilewright/ir/make.h>

#include <algorithm>

namespace tilewright::arith {

using namespace ir;

int IterMapRewriter::firstUnitExtent(const IterSum& sum) {
    for (std::size_t i = 0; i < sum.args.size(); ++i)
        if (isOne(sum.args[i].extent))
            return static_cast<int>(i);
    return static_cast<int>(sum.args.size());
}

int IterMapRewriter::findBase(const IterSum& sum, const std::vector<bool>& used,
                              const IterMark* source, int last) const {
    int best = -1;
    std::int64_t least = 0;
    for (int i = last; i >= 0; --i) {
        const IterSplit& split = sum.args[static_cast<std::size_t>(i)];
        if (used[static_cast<std::size_t>(i)] || (source && split.source.get() != source))
            continue;
        const auto scale = constInt(split.scale);
        if (!scale)
            continue;
        if (best < 0 || *scale < least) {
            least = *scale;
            best = i;
        } else if (*scale == least && isOne(split.extent) &&
                   !isOne(sum.args[static_cast<std::size_t>(best)].extent)) {
            best = i;
        }
    }
    if (best >= 0)
        return best;
    // Symbolic scales: the fewest factors are innermost.
    std::size_t fewest = 0;
    for (int i = last; i >= 0; --i) {
        const IterSplit& split = sum.args[static_cast<std::size_t>(i)];
        if (used[static_cast<std::size_t>(i)] || (source && split.source.get() != source))
            continue;
        std::size_t factors = 1;
        for (Expr e = split.scale;;) {
            const auto* node = as<BinaryNode>(e);
            if (!node || node->kind() != NodeKind::Mul)
                break;
            ++factors;
            e = node->a;
        }
        if (best < 0 || factors < fewest) {
            best = i;
            fewest = factors;
        }
    }
    return best;
}

int IterMapRewriter::findExactScale(const IterSum& sum, const std::vector<bool>& used,
                                    const Expr& scale, const IterMark* source, int last,
                                    int firstUnit) {
    int found = -1;
    for (int i = last; i >= 0; --i) {
        const IterSplit& split = sum.args[static_cast<std::size_t>(i)];
        if (used[static_cast<std::size_t>(i)] || (source && split.source.get() != source))
            continue;
        if (!proveEqual(split.scale, scale))
            continue;
        if (isOne(split.extent))
            return i;
        if (found < 0)
            found = i;
        if (i <= firstUnit)
            return found;
    }
    return found;
}

int IterMapRewriter::findSmallerScale(const IterSum& sum, const std::vector<bool>& used,
                                      const Expr& scale) const {
    const auto limit = constInt(scale);
    if (!limit)
        return -1;
    int found = -1;
    std::int64_t largest = 0;
    for (int i = static_cast<int>(sum.args.size()) - 1; i >= 0; --i) {
        if (used[static_cast<std::size_t>(i)])
            continue;
        const auto value = constInt(sum.args[static_cast<std::size_t>(i)].scale);
        if (value && *value <= *limit && *value > largest) {
            largest = *value;
            found = i;
        }
    }
    return found;
}

std::optional<IterSum> IterMapRewriter::combineSameSource(const IterSum& sum) {
    const std::size_t n = sum.args.size();
    if (n <= 1)
        return std::nullopt;
    const auto uses = [&](const IterMarkRef& mark) {
        return std::count_if(sum.args.begin(), sum.args.end(),
                             [&](const IterSplit& split) { return split.source == mark; });
    };
    if (std::none_of(sum.args.begin(), sum.args.end(),
                     [&](const IterSplit& split) { return uses(split.source) > 1; }))
        return std::nullopt;
    std::vector<bool> used(n, false);
    std::vector<IterSplit> reversed;
    const int firstUnit = firstUnitExtent(sum);
    for (int last = static_cast<int>(n) - 1; last >= 0;) {
        const auto at = static_cast<std::size_t>(last);
        if (used[at]) {
            --last;
            continue;
        }
        if (uses(sum.args[at].source) == 1) {
            reversed.push_back(sum.args[at]);
            used[at] = true;
            --last;
            continue;
        }
        int index = findBase(sum, used, sum.args[at].source.get(), last);
        TW_CHECK(index >= 0) << "no split of a mark that has one";
        used[static_cast<std::size_t>(index)] = true;
        IterSplit joined = sum.args[static_cast<std::size_t>(index)];
        for (;;) {
            const Expr scale = joined.extent * joined.scale;
            index = findExactScale(sum, used, scale, joined.source.get(), last, firstUnit);
            if (index < 0)
                break;
            const IterSplit& outer = sum.args[static_cast<std::size_t>(index)];
            if (!proveEqual(outer.lowerFactor, joined.lowerFactor * joined.extent))
                break;
            used[static_cast<std::size_t>(index)] = true;
            joined.extent = simplify(outer.extent * joined.extent);
        }
        reversed.push_back(std::move(joined));
    }
    IterSum result;
    result.args.assign(reversed.rbegin(), reversed.rend());
    result.base = sum.base;
    return result;
}

IterMapRewriter::FusedMark* IterMapRewriter::findFused(const std::vector<IterSplit>& flat) {
    for (FusedMark& entry : fused_) {
        if (entry.flat.size() != flat.size())
            continue;
        bool same = true;
        for (std::size_t i = 0; same && i < flat.size(); ++i)
            same = sameSplit(entry.flat[i], flat[i], true);
        if (same)
            return &entry;
    }
    return nullptr;
}

std::optional<IterSum> IterMapRewriter::fuse(IterSum sum, bool mayStayUnfused) {
    if (auto combined = combineSameSource(sum)) {
        sum = std::move(*combined);
        if (sum.args.size() <= 1 && mayStayUnfused)
            return sum;
    }
    const std::size_t n = sum.args.size();
    std::vector<bool> used(n, false);
    const int base = findBase(sum, used, nullptr, static_cast<int>(n) - 1);
    if (base < 0)
        return std::nullopt;
    const Expr baseScale = sum.args[static_cast<std::size_t>(base)].scale;
    const Expr zero = makeInt(0, baseScale->dtype);
    const int firstUnit = firstUnitExtent(sum);
    std::vector<IterSplit> flat; // innermost first
    std::vector<IterSplit> grouped;
    Expr extraBase = zero;
    Expr tail = zero;
    Expr expected = baseScale;
    const auto rescaled = [&](Expr scale) {
        return isOne(baseScale) ? scale : simplify(floorDiv(scale, baseScale));
    };
    for (std::size_t i = 0; i < n;) {
        int at = i == 0 ? base
                        : findExactScale(sum, used, expected, nullptr, static_cast<int>(n) - 1,
                                         firstUnit);
        Expr scale = expected;
        if (at < 0) {
            if (level_ == IterMapLevel::Bijective || !isOne(baseScale))
                return std::nullopt;
            at = findSmallerScale(sum, used, expected);
            if (at < 0)
                return std::nullopt;
            scale = sum.args[static_cast<std::size_t>(at)].scale;
            tail = simplify(tail + (expected - scale));
        }
        const IterSplit& found = sum.args[static_cast<std::size_t>(at)];
        const std::vector<IterSplit>* constraint = nullptr;
        for (const auto& candidate : constrained_)
            if (sameSplit(found, candidate.back(), false) &&
                (!constraint || constraint->size() < candidate.size()))
                constraint = &candidate;
        if (!constraint) {
            used[static_cast<std::size_t>(at)] = true;
            IterSplit piece = found;
            expected = simplify(scale * found.extent);
            piece.scale = rescaled(piece.scale);
            flat.push_back(piece);
            grouped.push_back(std::move(piece));
            ++i;
            continue;
        }
        for (std::size_t c = constraint->size(); c-- > 0;) {
            const IterSplit& wanted = (*constraint)[c];
            std::size_t k = 0;
            for (; k < n; ++k)
                if (!used[k] && sameSplit(sum.args[k], wanted, false) &&
                    proveEqual(wanted.scale * scale, sum.args[k].scale))
                    break;
            if (k == n)
                return std::nullopt;
            used[k] = true;
            IterSplit piece = sum.args[k];
            piece.scale = rescaled(piece.scale);
            flat.push_back(std::move(piece));
        }
        const FusedMark* bounded = findFused(*constraint);
        TW_CHECK(bounded) << "a constraint without its mark";
        IterSplit piece{bounded->mark, makeInt(1, zero->dtype), bounded->mark->extent,
                        rescaled(scale)};
        grouped.push_back(std::move(piece));
        extraBase = simplify(extraBase + bounded->offset * scale);
        expected = simplify(scale * bounded->mark->extent);
        i += constraint->size();
    }
    std::reverse(flat.begin(), flat.end());
    std::reverse(grouped.begin(), grouped.end());
    IterSum result;
    if (const FusedMark* known = findFused(flat)) {
        if (!proveEqual(extraBase, known->offset * baseScale))
            return std::nullopt;
        result.args.push_back(
            {known->mark, makeInt(1, zero->dtype), known->mark->extent, baseScale});
    } else {
        IterSum structured;
        structured.args = std::move(grouped);
        structured.base = zero;
        const Expr extent = simplify(rescaled(expected) + tail);
        const auto mark = std::make_shared<const IterMark>(
            IterMark{nullptr, std::make_shared<const IterSum>(std::move(structured)), extent});
        fused_.push_back({std::move(flat), mark, zero});
        result.args.push_back({mark, makeInt(1, zero->dtype), extent, baseScale});
    }
    result.base = simplify(sum.base + extraBase);
    return result;
}

namespace {

void collectFrom(const IterSum& sum, std::vector<MarkSplits>& out) {
    for (const IterSplit& split : sum.args) {
        auto it = std::find_if(out.begin(), out.end(),
                               [&](const MarkSplits& entry) { return entry.mark == split.source; });
        if (it != out.end()) {
            it->splits.push_back(split);
            continue;
        }
        out.push_back({split.source, {split}});
        if (split.source->sum)
            collectFrom(*split.source->sum, out);
    }
}

} // namespace

std::vector<MarkSplits> collectSplits(const std::vector<IterSum>& sums) {
    std::vector<MarkSplits> result;
    for (const IterSum& sum : sums)
        collectFrom(sum, result);
    return result;
}

bool IterMapRewriter::mappingIsValid(const std::vector<IterSum>& sums, IterMapLevel level) {
    const std::vector<MarkSplits> all = collectSplits(sums);
    for (const MarkSplits& entry : all)
        if (!normalizeSplits(entry, level))
            return false;
    if (level != IterMapLevel::Bijective)
        return true;
    return std::all_of(inputMarks_.begin(), inputMarks_.end(), [&](const IterMarkRef& mark) {
        return isOne(mark->extent) ||
               std::any_of(all.begin(), all.end(),
                           [&](const MarkSplits& entry) { return entry.mark == mark; });
    });
}

bool IterMapRewriter::normalizeSplits(const MarkSplits& entry, IterMapLevel level) {
    const auto& splits = entry.splits;
    std::vector<bool> used(splits.size(), false);
    Expr expected = makeInt(1, entry.mark->extent->dtype);
    for (std::size_t i = 0; i < splits.size(); ++i) {
        std::size_t at = splits.size();
        for (std::size_t j = 0; j < splits.size() && at == splits.size(); ++j)
            if (!used[j] && proveEqual(splits[j].lowerFactor, expected))
                at = j;
        if (at == splits.size()) {
            if (level == IterMapLevel::Bijective)
                return false;
            // Skipped digits are fine when the next lower factor is a multiple.
            for (std::size_t j = 0; j < splits.size(); ++j) {
                if (used[j])
                    continue;
                if (!proveDivisible(splits[j].lowerFactor, expected))
                    return false;
                if (at == splits.size() ||
                    proveDivisible(splits[at].lowerFactor, splits[j].lowerFactor))
                    at = j;
            }
        }
        used[at] = true;
        expected = simplify(splits[at].lowerFactor * splits[at].extent);
    }
    const PaddedMark* padding = paddingOf(entry.mark);
    if (level == IterMapLevel::Bijective)
        return !padding && proveEqual(expected, entry.mark->extent);
    if (!padding || level == IterMapLevel::NoCheck)
        return proveDivisible(entry.mark->extent, expected);
    if (splits.size() == 1 && proveEqual(expected, entry.mark->extent))
        return !proveEqual(splits[0].extent, entry.mark->extent);
    return proveDivisible(entry.mark->extent, expected) &&
           analyzer_.canProve(lessEqual(expected, padding->original->extent));
}

} // namespace tilewright::arith
