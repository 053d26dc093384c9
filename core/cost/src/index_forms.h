// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace tilewright::cost {

/// A closed interval of integers.
struct Interval {
    /// What stands for "unbounded"; sums of it wrap the way 64-bit integers do.
    static constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
    std::int64_t lo = -kFar;
    std::int64_t hi = kFar;
    [[nodiscard]] bool bounded() const { return lo > -kFar && hi < kFar; }
    [[nodiscard]] bool within(std::int64_t least, std::int64_t most) const {
        return lo >= least && hi <= most;
    }
};

/// `coeff * atom` of a sum.
struct IndexTerm {
    std::int32_t atom = 0;
    std::int64_t coeff = 0;
};

/// A sum of terms and a constant. The terms live in the table that made the form, ordered by atom,
/// so that equal forms have equal terms; copies are cheap.
struct IndexForm {
    std::int64_t constant = 0;
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
};

/// What a term is a multiple of.
struct IndexAtom {
    enum class Kind : std::uint8_t {
        Loop,   ///< a loop's variable
        Sum,    ///< a sum, only as the operand of a Split
        Opaque, ///< an expression taken as a whole
        Split   ///< `operand % upper // lower`, both constant
    };
    Kind kind = Kind::Loop;
    /// Bit d is set when the atom depends on the loop at depth d of the nest it stands in.
    std::uint64_t loops = 0;
    Interval bounds; ///< over all iterations
    int loopDepth = 0;
    IndexForm sum;
    std::int32_t operand = 0;
    std::int64_t lower = 1;
    std::int64_t upper = 0;     ///< 0: no remainder is taken
    int key = 0;                ///< Opaque: identity given by the caller
    bool dataDependent = false; ///< holds an Opaque
};

/// Numbers of arithmetic nodes in an expression.
struct IndexOps {
    int addSub = 0;
    int mul = 0;
    int divMod = 0;
};

/// Makes canonical index forms and answers questions about them. Sums are expanded; divisions and
/// remainders by constants are split into the divisible part and the rest, nested ones merge, and
/// `c * (x // c) + x % c` is put together again.
class IndexForms {
public:
    IndexForms();

    static IndexForm constant(std::int64_t value) { return {value, 0, 0}; }
    /// The variable of the loop at `depth`, running over `bounds`.
    IndexForm loop(int depth, Interval bounds);
    /// Something that is not analysed. Equal keys are equal values; key < 0 is equal to nothing.
    IndexForm opaque(int key, std::uint64_t loops, Interval bounds);

    /// a + b * scale.
    IndexForm add(const IndexForm& a, const IndexForm& b, std::int64_t scale);
    IndexForm multiply(const IndexForm& a, std::int64_t scale);
    /// Rounding towards minus infinity; divisor > 0.
    IndexForm divide(const IndexForm& a, std::int64_t divisor);
    IndexForm remainder(const IndexForm& a, std::int64_t divisor);

    [[nodiscard]] Interval bounds(const IndexForm& form) const;
    /// Bounds while the loops outside of `depth` stand still at their first iteration.
    [[nodiscard]] Interval boundsBelow(const IndexForm& form, int depth) const;
    [[nodiscard]] std::uint64_t loopsOf(const IndexForm& form) const;
    [[nodiscard]] const IndexTerm* terms(const IndexForm& form) const {
        return pool_.data() + form.begin;
    }
    [[nodiscard]] const IndexAtom& at(std::int32_t id) const {
        return atoms_[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] bool equalTerms(const IndexForm& a, const IndexForm& b) const;
    /// The terms that satisfy the predicate; the constant is zero.
    template <class Predicate> IndexForm filtered(const IndexForm& form, Predicate&& keep) {
        IndexForm result{0, static_cast<std::uint32_t>(pool_.size()), 0};
        for (std::uint32_t i = 0; i < form.count; ++i) {
            const IndexTerm term = pool_[form.begin + i];
            if (keep(atoms_[static_cast<std::size_t>(term.atom)])) {
                pool_.push_back(term);
                ++result.count;
            }
        }
        return result;
    }

    void countOps(const IndexForm& form, IndexOps& ops) const;
    /// The stride of the loop at `depth` as MetaSchedule reads it off the printed sum: the last
    /// constant factor met at or after the variable, 1 when there is none, 0 without the variable.
    [[nodiscard]] std::int64_t coefficient(const IndexForm& form, int depth) const;

private:
    struct CoefficientState;
    std::int32_t intern(const IndexAtom& atom);
    IndexForm single(std::int32_t atom, std::int64_t coeff);
    IndexForm rejoin(IndexForm form);
    void separate(const IndexForm& form, std::int64_t divisor, IndexForm& whole, IndexForm& rest);
    IndexForm split(const IndexForm& sum, std::int64_t lower, std::int64_t upper);
    IndexForm makeSplit(std::int32_t operand, std::int64_t lower, std::int64_t upper);
    [[nodiscard]] Interval splitBelow(const IndexAtom& atom, int depth) const;
    [[nodiscard]] Interval atomBelow(const IndexAtom& atom, int depth) const;
    [[nodiscard]] bool standsBefore(const IndexTerm& a, const IndexTerm& b) const;
    void visitCoefficient(const IndexForm& form, CoefficientState& state) const;

    std::vector<IndexAtom> atoms_;
    std::vector<IndexTerm> pool_;
};

} // namespace tilewright::cost
