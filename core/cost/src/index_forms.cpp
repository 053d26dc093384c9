// SPDX-License-Identifier: Apache-2.0
#include "index_forms.h"

#include <tilewright/base/floor_division.h>

#include <algorithm>
#include <numeric>

namespace tilewright::cost {

namespace {

using base::floorDivide;
using base::floorRemainder;

constexpr std::int64_t kFar = Interval::kFar;

Interval scaled(Interval r, std::int64_t k) {
    const auto end = [k](std::int64_t v) {
        if (v == kFar || v == -kFar)
            return (v > 0) == (k > 0) ? kFar : -kFar;
        return v * k;
    };
    return k > 0 ? Interval{end(r.lo), end(r.hi)} : Interval{end(r.hi), end(r.lo)};
}

Interval plus(Interval a, Interval b) {
    return {a.lo == -kFar || b.lo == -kFar ? -kFar : a.lo + b.lo,
            a.hi == kFar || b.hi == kFar ? kFar : a.hi + b.hi};
}

Interval splitBounds(Interval operand, std::int64_t lower, std::int64_t upper) {
    if (upper != 0)
        operand = operand.lo >= 0 ? Interval{operand.hi < upper ? operand.lo : 0,
                                             std::min(operand.hi, upper - 1)}
                                  : Interval{0, upper - 1};
    if (lower == 1)
        return operand;
    return {operand.lo == -kFar ? -kFar : floorDivide(operand.lo, lower),
            operand.hi == kFar ? kFar : floorDivide(operand.hi, lower)};
}

} // namespace

IndexForms::IndexForms() {
    atoms_.reserve(128);
    pool_.reserve(2048);
}

std::int32_t IndexForms::intern(const IndexAtom& atom) {
    for (std::size_t i = atoms_.size(); i-- > 0;) {
        const IndexAtom& known = atoms_[i];
        if (known.kind != atom.kind || known.loops != atom.loops)
            continue;
        bool same = false;
        switch (atom.kind) {
        case IndexAtom::Kind::Loop:
            break;
        case IndexAtom::Kind::Opaque:
            same = atom.key >= 0 && known.key == atom.key;
            break;
        case IndexAtom::Kind::Sum:
            same = known.sum.constant == atom.sum.constant && equalTerms(known.sum, atom.sum);
            break;
        case IndexAtom::Kind::Split:
            same = known.operand == atom.operand && known.lower == atom.lower &&
                   known.upper == atom.upper;
            break;
        }
        if (same)
            return static_cast<std::int32_t>(i);
    }
    atoms_.push_back(atom);
    return static_cast<std::int32_t>(atoms_.size() - 1);
}

IndexForm IndexForms::single(std::int32_t atom, std::int64_t coeff) {
    pool_.push_back({atom, coeff});
    return {0, static_cast<std::uint32_t>(pool_.size() - 1), 1};
}

IndexForm IndexForms::loop(int depth, Interval bounds) {
    IndexAtom atom;
    atom.kind = IndexAtom::Kind::Loop;
    atom.loopDepth = depth;
    atom.loops = std::uint64_t{1} << std::min(depth, 63);
    atom.bounds = bounds;
    atoms_.push_back(atom);
    return single(static_cast<std::int32_t>(atoms_.size() - 1), 1);
}

IndexForm IndexForms::opaque(int key, std::uint64_t loops, Interval bounds) {
    IndexAtom atom;
    atom.kind = IndexAtom::Kind::Opaque;
    atom.key = key;
    atom.dataDependent = true;
    atom.loops = loops;
    atom.bounds = bounds;
    return single(intern(atom), 1);
}

IndexForm IndexForms::multiply(const IndexForm& a, std::int64_t scale) {
    if (scale == 1)
        return a;
    if (scale == 0)
        return constant(0);
    IndexForm result{a.constant * scale, static_cast<std::uint32_t>(pool_.size()), a.count};
    for (std::uint32_t i = 0; i < a.count; ++i) {
        const IndexTerm term = pool_[a.begin + i];
        pool_.push_back({term.atom, term.coeff * scale});
    }
    return result;
}

IndexForm IndexForms::add(const IndexForm& a, const IndexForm& b, std::int64_t scale) {
    const std::int64_t sum = a.constant + b.constant * scale;
    if (b.count == 0)
        return {sum, a.begin, a.count};
    if (a.count == 0 && scale == 1)
        return {sum, b.begin, b.count};
    IndexForm result{sum, static_cast<std::uint32_t>(pool_.size()), 0};
    bool splits = false;
    const auto push = [&](IndexTerm term) {
        if (term.coeff == 0)
            return;
        const IndexAtom& atom = at(term.atom);
        splits = splits || (atom.kind == IndexAtom::Kind::Split && atom.upper != 0);
        pool_.push_back(term);
        ++result.count;
    };
    std::uint32_t i = 0;
    std::uint32_t j = 0;
    while (i < a.count || j < b.count) {
        const IndexTerm x = i < a.count ? pool_[a.begin + i] : IndexTerm{};
        const IndexTerm y = j < b.count ? pool_[b.begin + j] : IndexTerm{};
        if (j == b.count || (i < a.count && x.atom < y.atom)) {
            push(x);
            ++i;
        } else if (i == a.count || y.atom < x.atom) {
            push({y.atom, y.coeff * scale});
            ++j;
        } else {
            push({x.atom, x.coeff + y.coeff * scale});
            ++i;
            ++j;
        }
    }
    return splits && result.count > 1 ? rejoin(result) : result;
}

/// Puts `(x // l1 …) * s1 + (x % l1 // l2) * s2` with s1 = s2 * l1 / l2 together.
IndexForm IndexForms::rejoin(IndexForm form) {
    struct Part {
        std::int32_t operand;
        std::int64_t lower;
        std::int64_t upper;
    };
    const auto part = [this](std::int32_t id) {
        const IndexAtom& atom = at(id);
        if (atom.kind == IndexAtom::Kind::Split)
            return Part{atom.operand, atom.lower, atom.upper};
        return Part{id, 1, 0};
    };
    for (std::uint32_t i = 0; i < form.count; ++i) {
        const IndexTerm low = pool_[form.begin + i];
        const Part l = part(low.atom);
        if (l.upper == 0)
            continue;
        for (std::uint32_t j = 0; j < form.count; ++j) {
            const IndexTerm high = pool_[form.begin + j];
            const Part h = part(high.atom);
            if (i == j || h.operand != l.operand || h.lower != l.upper ||
                high.coeff != low.coeff * (l.upper / l.lower))
                continue;
            IndexForm rest{form.constant, static_cast<std::uint32_t>(pool_.size()), 0};
            for (std::uint32_t k = 0; k < form.count; ++k)
                if (k != i && k != j) {
                    const IndexTerm term = pool_[form.begin + k];
                    pool_.push_back(term);
                    ++rest.count;
                }
            return add(rest, makeSplit(l.operand, l.lower, h.upper), low.coeff);
        }
    }
    return form;
}

/// form = divisor * whole + rest, with each term in one of the two.
void IndexForms::separate(const IndexForm& form, std::int64_t divisor, IndexForm& whole,
                          IndexForm& rest) {
    whole = {0, static_cast<std::uint32_t>(pool_.size()), 0};
    for (std::uint32_t i = 0; i < form.count; ++i) {
        const IndexTerm term = pool_[form.begin + i];
        if (term.coeff % divisor == 0) {
            pool_.push_back({term.atom, term.coeff / divisor});
            ++whole.count;
        }
    }
    rest = {0, static_cast<std::uint32_t>(pool_.size()), 0};
    for (std::uint32_t i = 0; i < form.count; ++i) {
        const IndexTerm term = pool_[form.begin + i];
        if (term.coeff % divisor != 0) {
            pool_.push_back(term);
            ++rest.count;
        }
    }
    (form.constant % divisor == 0 ? whole.constant : rest.constant) =
        form.constant % divisor == 0 ? form.constant / divisor : form.constant;
}

/// `operand % upper // lower` in simplest form; the operand is no Split.
IndexForm IndexForms::makeSplit(std::int32_t operand, std::int64_t lower, std::int64_t upper) {
    const IndexAtom& inner = at(operand);
    if (upper != 0 && inner.bounds.within(0, upper - 1))
        upper = 0;
    if (lower == 1 && upper == 0)
        return inner.kind == IndexAtom::Kind::Sum ? inner.sum : single(operand, 1);
    IndexAtom atom;
    atom.kind = IndexAtom::Kind::Split;
    atom.operand = operand;
    atom.lower = lower;
    atom.upper = upper;
    atom.loops = inner.loops;
    atom.dataDependent = inner.dataDependent;
    atom.bounds = splitBounds(inner.bounds, lower, upper);
    if (atom.bounds.lo == atom.bounds.hi)
        return constant(atom.bounds.lo);
    return single(intern(atom), 1);
}

/// `sum % upper // lower` of a sum that does not simplify further.
IndexForm IndexForms::split(const IndexForm& sum, std::int64_t lower, std::int64_t upper) {
    IndexAtom atom;
    atom.kind = IndexAtom::Kind::Sum;
    atom.sum = sum;
    atom.loops = loopsOf(sum);
    for (std::uint32_t i = 0; i < sum.count; ++i)
        atom.dataDependent = atom.dataDependent || at(pool_[sum.begin + i].atom).dataDependent;
    atom.bounds = bounds(sum);
    return makeSplit(intern(atom), lower, upper);
}

IndexForm IndexForms::divide(const IndexForm& a, std::int64_t divisor) {
    if (divisor == 1)
        return a;
    IndexForm whole;
    IndexForm rest;
    separate(a, divisor, whole, rest);
    if (rest.count == 0) {
        whole.constant += floorDivide(rest.constant, divisor);
        return whole;
    }
    const Interval range = bounds(rest);
    if (range.bounded() && floorDivide(range.lo, divisor) == floorDivide(range.hi, divisor)) {
        whole.constant += floorDivide(range.lo, divisor);
        return whole;
    }
    const IndexTerm first = pool_[rest.begin];
    if (rest.count == 1 && rest.constant == 0 && first.coeff > 0 && divisor % first.coeff == 0) {
        const IndexAtom atom = at(first.atom);
        const std::int64_t by = divisor / first.coeff;
        if (atom.kind != IndexAtom::Kind::Split)
            return add(whole, makeSplit(first.atom, by, 0), 1);
        const std::int64_t lower = atom.lower * by;
        if (atom.upper == 0 || atom.upper % lower == 0)
            return add(whole, makeSplit(atom.operand, lower, atom.upper), 1);
        return add(whole, split(single(first.atom, 1), by, 0), 1);
    }
    // rest = g * x + y with 0 <= y < g and g | divisor: rest // divisor = x // (divisor / g).
    for (std::uint32_t i = 0; i < rest.count; ++i) {
        const std::int64_t g = std::gcd(pool_[rest.begin + i].coeff, divisor);
        if (g == 1)
            continue;
        IndexForm high;
        IndexForm low;
        separate(rest, g, high, low);
        if (bounds(low).within(0, g - 1))
            return add(whole, divide(high, divisor / g), 1);
    }
    return add(whole, split(rest, divisor, 0), 1);
}

IndexForm IndexForms::remainder(const IndexForm& a, std::int64_t divisor) {
    if (divisor == 1)
        return constant(0);
    IndexForm whole;
    IndexForm rest;
    separate(a, divisor, whole, rest);
    rest.constant = floorRemainder(rest.constant, divisor);
    const Interval range = bounds(rest);
    if (range.bounded() && floorDivide(range.lo, divisor) == floorDivide(range.hi, divisor)) {
        rest.constant -= floorDivide(range.lo, divisor) * divisor;
        return rest;
    }
    const IndexTerm first = rest.count ? pool_[rest.begin] : IndexTerm{};
    if (rest.count == 1 && rest.constant == 0 && first.coeff > 0 && divisor % first.coeff == 0) {
        const IndexAtom atom = at(first.atom);
        const std::int64_t by = divisor / first.coeff;
        if (atom.kind != IndexAtom::Kind::Split)
            return multiply(makeSplit(first.atom, 1, by), first.coeff);
        const std::int64_t upper = atom.lower * by;
        if (atom.upper == 0 || atom.upper % upper == 0)
            return multiply(makeSplit(atom.operand, atom.lower, upper), first.coeff);
        if (atom.upper <= upper)
            return rest;
        return multiply(split(single(first.atom, 1), 1, by), first.coeff);
    }
    // (g x + y) % c = g (x % (c / g)) + y for 0 <= y < g and g | c.
    for (std::uint32_t i = 0; i < rest.count; ++i) {
        const std::int64_t g = std::gcd(pool_[rest.begin + i].coeff, divisor);
        if (g == 1)
            continue;
        IndexForm high;
        IndexForm low;
        separate(rest, g, high, low);
        if (bounds(low).within(0, g - 1))
            return add(low, remainder(high, divisor / g), g);
    }
    return split(rest, 1, divisor);
}

Interval IndexForms::bounds(const IndexForm& form) const {
    Interval sum{form.constant, form.constant};
    for (std::uint32_t i = 0; i < form.count; ++i) {
        const IndexTerm& term = pool_[form.begin + i];
        sum = plus(sum, scaled(at(term.atom).bounds, term.coeff));
    }
    return sum;
}

/// The features were learnt with an estimate that takes a remainder as what it is in the first
/// iteration of all loops. Models rest on it, so it stays.
Interval IndexForms::splitBelow(const IndexAtom& atom, int depth) const {
    const IndexAtom& operand = at(atom.operand);
    if (atom.upper != 0 && !operand.dataDependent) {
        const std::int64_t first = atomBelow(operand, std::numeric_limits<int>::max()).lo;
        const std::int64_t value = floorDivide(floorRemainder(first, atom.upper), atom.lower);
        return {value, value};
    }
    return splitBounds(atomBelow(operand, depth), atom.lower, atom.upper);
}

Interval IndexForms::atomBelow(const IndexAtom& atom, int depth) const {
    switch (atom.kind) {
    case IndexAtom::Kind::Loop:
        return atom.loopDepth >= depth ? atom.bounds : Interval{atom.bounds.lo, atom.bounds.lo};
    case IndexAtom::Kind::Opaque:
        return atom.bounds;
    case IndexAtom::Kind::Sum:
        return boundsBelow(atom.sum, depth);
    case IndexAtom::Kind::Split:
        return splitBelow(atom, depth);
    }
    return {};
}

Interval IndexForms::boundsBelow(const IndexForm& form, int depth) const {
    Interval sum{form.constant, form.constant};
    for (std::uint32_t i = 0; i < form.count; ++i) {
        const IndexTerm& term = pool_[form.begin + i];
        sum = plus(sum, scaled(atomBelow(at(term.atom), depth), term.coeff));
    }
    return sum;
}

std::uint64_t IndexForms::loopsOf(const IndexForm& form) const {
    std::uint64_t loops = 0;
    for (std::uint32_t i = 0; i < form.count; ++i)
        loops |= at(pool_[form.begin + i].atom).loops;
    return loops;
}

bool IndexForms::equalTerms(const IndexForm& a, const IndexForm& b) const {
    if (a.count != b.count)
        return false;
    if (a.begin == b.begin)
        return true;
    for (std::uint32_t i = 0; i < a.count; ++i)
        if (pool_[a.begin + i].atom != pool_[b.begin + i].atom ||
            pool_[a.begin + i].coeff != pool_[b.begin + i].coeff)
            return false;
    return true;
}

void IndexForms::countOps(const IndexForm& form, IndexOps& ops) const {
    int positive = 0;
    int negative = 0;
    for (std::uint32_t i = 0; i < form.count; ++i) {
        const IndexTerm& term = pool_[form.begin + i];
        (term.coeff > 0 ? positive : negative) += 1;
        ops.mul += term.coeff != 1 && term.coeff != -1;
        const IndexAtom& atom = at(term.atom);
        if (atom.kind != IndexAtom::Kind::Split)
            continue;
        ops.divMod += (atom.lower != 1) + (atom.upper != 0);
        const IndexAtom& operand = at(atom.operand);
        if (operand.kind == IndexAtom::Kind::Sum)
            countOps(operand.sum, ops);
    }
    ops.addSub += negative + std::max(positive - 1, 0);
    if (form.count > 0 && (form.constant < 0 || (form.constant > 0 && positive > 0)))
        ++ops.addSub;
}

/// The order in which a canonical sum prints its terms: positive ones first, then by factor.
bool IndexForms::standsBefore(const IndexTerm& a, const IndexTerm& b) const {
    if (a.coeff != b.coeff)
        return a.coeff > b.coeff;
    const IndexAtom& x = at(a.atom);
    const IndexAtom& y = at(b.atom);
    const std::int64_t lowerX = x.kind == IndexAtom::Kind::Split ? x.lower : 1;
    const std::int64_t lowerY = y.kind == IndexAtom::Kind::Split ? y.lower : 1;
    if (lowerX != lowerY)
        return lowerX > lowerY;
    const auto upper = [](const IndexAtom& atom) {
        return atom.kind == IndexAtom::Kind::Split && atom.upper != 0 ? atom.upper : kFar;
    };
    return upper(x) > upper(y);
}

struct IndexForms::CoefficientState {
    int depth = 0;
    bool seen = false;
    bool factor = false;
    bool sum = false;
    std::int64_t stride = 0;

    void enterProduct(std::int64_t by) {
        if (seen && !sum) {
            factor = true;
            stride = by;
        }
    }
    void enterSum() {
        if (seen && !factor) {
            sum = true;
            stride = 1;
        }
    }
};

void IndexForms::visitCoefficient(const IndexForm& form, CoefficientState& state) const {
    constexpr std::uint32_t kMost = 32;
    std::uint32_t order[kMost];
    const std::uint32_t count = std::min(form.count, kMost);
    for (std::uint32_t i = 0; i < count; ++i)
        order[i] = form.begin + i;
    std::stable_sort(order, order + count, [this](std::uint32_t x, std::uint32_t y) {
        return standsBefore(pool_[x], pool_[y]);
    });
    bool started = false;
    bool constantDone = form.constant <= 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const IndexTerm& term = pool_[order[i]];
        if (term.coeff < 0 && !constantDone) {
            constantDone = true;
            if (started)
                state.enterSum();
        }
        const IndexAtom& atom = at(term.atom);
        const IndexAtom& inner = atom.kind == IndexAtom::Kind::Split ? at(atom.operand) : atom;
        if (inner.kind == IndexAtom::Kind::Sum) {
            visitCoefficient(inner.sum, state);
        } else if (inner.kind == IndexAtom::Kind::Loop
                       ? inner.loopDepth == state.depth
                       : inner.loops >> std::min(state.depth, 63) & 1U) {
            state.seen = true;
            state.stride = 2; // what MetaSchedule assumes until it knows better
        }
        if (term.coeff != 1 && term.coeff != -1)
            state.enterProduct(std::abs(term.coeff));
        if (started && term.coeff > 0)
            state.enterSum();
        started = true;
    }
    if (!constantDone && started)
        state.enterSum();
}

std::int64_t IndexForms::coefficient(const IndexForm& form, int depth) const {
    if (!(loopsOf(form) >> std::min(depth, 63) & 1U))
        return 0;
    CoefficientState state;
    state.depth = depth;
    visitCoefficient(form, state);
    if (!state.seen)
        return 0;
    return state.factor || state.sum ? state.stride : 1;
}

} // namespace tilewright::cost
