// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/arith/domain.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::arith {

class Analyzer;

/// A set of integers given by symbolic inclusive bounds: nothing, everything, [a, b], (-inf, b],
/// [a, +inf). A null bound means unbounded.
class IntSet {
public:
    /// Everything.
    IntSet() = default;
    static IntSet everything() { return {}; }
    static IntSet nothing();
    static IntSet point(ir::Expr value);
    /// Inclusive; a null end is unbounded.
    static IntSet interval(ir::Expr min, ir::Expr max);
    /// `[min, min + extent)`; a single point when extent is 1.
    static IntSet fromRange(const ir::Range& range);
    /// `[min, min + extent)`.
    static IntSet fromMinExtent(const ir::Expr& min, const ir::Expr& extent);

    [[nodiscard]] bool isNothing() const { return empty_; }
    [[nodiscard]] bool isEverything() const { return !empty_ && !min_ && !max_; }
    [[nodiscard]] bool hasLower() const { return !empty_ && min_; }
    [[nodiscard]] bool hasUpper() const { return !empty_ && max_; }
    [[nodiscard]] bool isBounded() const { return hasLower() && hasUpper(); }
    /// Both bounds are the same expression (no proof is attempted).
    [[nodiscard]] bool isPoint() const;
    /// Null when unbounded or empty.
    [[nodiscard]] const ir::Expr& min() const { return min_; }
    [[nodiscard]] const ir::Expr& max() const { return max_; }
    /// `[min, max + 1 - min)` with a simplified extent; `otherwise` unless both bounds exist.
    [[nodiscard]] ir::Range toRange(const ir::Range& otherwise) const;

    /// Provably never empty and always above / below the value.
    [[nodiscard]] bool canProvePositive() const;
    [[nodiscard]] bool canProveNonNegative() const;
    [[nodiscard]] bool canProveNegative() const;

private:
    ir::Expr min_;
    ir::Expr max_;
    bool empty_ = false;
};

/// Variables known to lie in a set.
struct VarSet {
    ir::Var var;
    IntSet set;
};
using SetDomain = std::vector<VarSet>;
/// A box: one set per dimension of a buffer.
using IntSetRegion = std::vector<IntSet>;

SetDomain toSetDomain(const Domain& domain);

/// Every value `expr` can take while the variables run through their sets, over-approximated.
/// Bounds mention no variable of the domain. Variables outside of it stay symbolic.
IntSet evalSet(const ir::Expr& expr, const SetDomain& domain, Analyzer& analyzer);
IntSet evalSet(const ir::Expr& expr, const Domain& domain, Analyzer& analyzer);
IntSet evalSet(const ir::Range& range, const SetDomain& domain, Analyzer& analyzer);
IntSet evalSet(const IntSet& set, const SetDomain& domain, Analyzer& analyzer);
IntSetRegion evalSet(const std::vector<ir::Range>& region, const SetDomain& domain,
                     Analyzer& analyzer);

/// Smallest interval holding both (an over-approximation of the union).
IntSet unionSets(const std::vector<IntSet>& sets, Analyzer& analyzer);
IntSet unionSets(const IntSet& a, const IntSet& b, Analyzer& analyzer);
/// An interval inside the union: sets that do not provably touch what was joined so far are
/// dropped.
IntSet unionLowerBound(const std::vector<IntSet>& sets, Analyzer& analyzer);
IntSet intersectSets(const IntSet& a, const IntSet& b, Analyzer& analyzer);
/// Dimension-wise unions of boxes of equal rank.
IntSetRegion unionRegions(const std::vector<IntSetRegion>& regions, Analyzer& analyzer);
IntSetRegion unionRegionsLowerBound(const std::vector<IntSetRegion>& regions, Analyzer& analyzer);
/// True when every point of `inner` provably lies in `outer`.
bool covers(const IntSet& outer, const IntSet& inner, Analyzer& analyzer);
bool covers(const IntSetRegion& outer, const IntSetRegion& inner, Analyzer& analyzer);

/// The box that `region` sweeps while `domain`'s variables run under `predicate`, when that box is
/// known exactly dimension by dimension (independent affine indices); nullopt otherwise. Used as a
/// lower bound: every point of the answer is touched.
std::optional<IntSetRegion> estimateRegionLowerBound(const std::vector<ir::Range>& region,
                                                     const Domain& domain,
                                                     const ir::Expr& predicate, Analyzer& analyzer);
/// Like the lower bound, but also holds no untouched point; nullopt when that cannot be shown.
std::optional<IntSetRegion> estimateRegionStrictBound(const std::vector<ir::Range>& region,
                                                      const Domain& domain,
                                                      const ir::Expr& predicate,
                                                      Analyzer& analyzer);
/// A box that holds every touched point (always succeeds; tight when the strict bound exists).
IntSetRegion estimateRegionUpperBound(const std::vector<ir::Range>& region, const Domain& domain,
                                      const ir::Expr& predicate, Analyzer& analyzer);

} // namespace tilewright::arith
