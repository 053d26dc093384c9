// SPDX-License-Identifier: Apache-2.0
#pragma once

// Affine maps from loop iterators to indices: which index is a fusion or a piece of which loops,
// and whether together they visit every point (once).

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/domain.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilewright::arith {

struct IterSum;

/// A source of iteration with values in [0, extent): a loop variable (or loop-dependent expression
/// shifted to start at 0), or a fused sum. Marks are compared by identity.
struct IterMark {
    ir::Expr source;                    ///< null when the mark is a sum
    std::shared_ptr<const IterSum> sum; ///< null when the mark is a source expression
    ir::Expr extent;
};
using IterMarkRef = std::shared_ptr<const IterMark>;

/// `((source // lowerFactor) % extent) * scale`.
struct IterSplit {
    IterMarkRef source;
    ir::Expr lowerFactor;
    ir::Expr extent;
    ir::Expr scale;
};

/// Sum of splits plus a loop-free base.
struct IterSum {
    std::vector<IterSplit> args;
    ir::Expr base;
};

enum class IterMapLevel : std::uint8_t {
    Bijective = 0,  ///< every point of the index space exactly once
    Surjective = 1, ///< every point at least once
    NoCheck = 3     ///< only that the indices are affine
};

/// Answer of detectIterMap. Failed when `errors` is not empty.
struct IterMapResult {
    std::vector<IterSum> indices; ///< one per index, each with at most one split
    std::vector<std::string> errors;
    /// Points of padded iterators that lie outside the original iterators; null when none was
    /// padded.
    ir::Expr paddingPredicate;
    [[nodiscard]] bool ok() const { return errors.empty(); }
};

/// Recognises each index as one fused or split iterator under `predicate` (a conjunction of
/// comparisons; null or true = none). `simplifyTrivial`: loops of extent 1 count as constants.
IterMapResult detectIterMap(const std::vector<ir::Expr>& indices, const Domain& domain,
                            const ir::Expr& predicate, IterMapLevel level, Analyzer& analyzer,
                            bool simplifyTrivial = true);

/// The expression of a sum, split or mark.
ir::Expr normalizeIter(const IterSum& sum);
ir::Expr normalizeIter(const IterSplit& split);
ir::Expr normalizeIter(const IterMark& mark);
/// Rewrites one index as an iterator sum without fusing it; base-only when it uses no iterator.
/// Fails (ok() false) when the index is not affine.
IterMapResult normalizeToIterSum(const ir::Expr& index, const Domain& domain, Analyzer& analyzer);

/// Index expressions simplified as iterator maps; returned unchanged when they are none.
std::vector<ir::Expr> iterMapSimplify(const std::vector<ir::Expr>& indices, const Domain& domain,
                                      const ir::Expr& predicate, IterMapLevel level,
                                      Analyzer& analyzer, bool simplifyTrivial = true);

/// Values of the source variables that give `outputs` (injective maps; empty for others).
std::unordered_map<const ir::VarNode*, ir::Expr>
inverseAffineIterMap(const std::vector<IterSum>& map, const std::vector<ir::Expr>& outputs);

/// `bindings[k] = outer * extent(inner) + inner` for the subspace of `innerVars`; the last pair
/// holds the predicates. Empty when the subspace does not divide the space.
struct SubspacePair {
    ir::Expr outer;       ///< value over the outer loops
    ir::Expr outerExtent; ///< extent, or null for the predicate pair
    ir::Expr inner;
    ir::Expr innerExtent;
};
std::vector<SubspacePair> subspaceDivide(const std::vector<ir::Expr>& bindings,
                                         const Domain& domain,
                                         const std::vector<ir::Var>& innerVars,
                                         const ir::Expr& predicate, IterMapLevel level,
                                         Analyzer& analyzer, bool simplifyTrivial = false);

} // namespace tilewright::arith
