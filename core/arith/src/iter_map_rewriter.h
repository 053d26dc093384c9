// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rewrites index expressions as sums of iterator splits and fuses the sums.

#include "state.h"

#include <tilewright/arith/iter_affine_map.h>

#include <deque>
#include <string>
#include <vector>

namespace tilewright::arith {

/// `lower <= iter < upper` from a predicate; either bound may be null.
struct IterConstraint {
    ir::Expr iter;
    ir::Expr lower;
    ir::Expr upper;
    std::size_t size = 0;
};

/// Splits a predicate into bounds of single variables (which narrow `domain`) and constraints on
/// expressions, small ones first; false when a part is no integer comparison.
bool matchConstraints(const ir::Expr& predicate, Domain& domain,
                      std::vector<IterConstraint>& constraints);

/// Splits by the mark that they come from, in order of discovery.
struct MarkSplits {
    IterMarkRef mark;
    std::vector<IterSplit> splits;
};
std::vector<MarkSplits> collectSplits(const std::vector<IterSum>& sums);

class IterMapRewriter {
public:
    IterMapRewriter(Analyzer& analyzer, const Domain& domain, IterMapLevel level,
                    bool simplifyTrivial, std::vector<std::string>& errors);

    /// Marks the expression's fused iterator as bounded.
    void addConstraint(const IterConstraint& constraint);
    /// Whether constraints are pairwise nested or disjoint.
    bool constraintsAgree() const;
    /// Without fusing the sum.
    IterSum rewriteSum(const ir::Expr& expr);
    /// First pass: collects the padding that divisions need.
    IterSum rewriteCollectingPadding(const ir::Expr& expr);
    IterSum rewrite(const ir::Expr& expr);
    [[nodiscard]] bool needsPadding() const { return needsPadding_; }
    [[nodiscard]] const ir::Expr& paddingPredicate() const { return paddingPredicate_; }
    bool mappingIsValid(const std::vector<IterSum>& sums, IterMapLevel level);

private:
    /// Either a plain loop-free expression (no iterators) or a sum.
    struct Form {
        ir::Expr plain;
        IterSum sum;
    };
    struct FusedMark {
        std::vector<IterSplit> flat; ///< outermost first
        IterMarkRef mark;
        ir::Expr offset;
    };
    struct PaddedMark {
        IterMarkRef original;
        IterMarkRef padded;
        ir::Expr leftPad;
        ir::Expr factor;
    };

    Form visit(const ir::Expr& expr);
    Form visitBinary(const ir::BinaryNode& node, const ir::Expr& self);
    Form visitProduct(const ir::BinaryNode& node, const ir::Expr& self, Form a, Form b);
    Form visitDivision(const ir::BinaryNode& node, const ir::Expr& self, Form a, Form b);
    Form fail(std::string why);
    IterSum toSum(Form form) const;
    bool usesIters(const ir::Expr& expr) const;

    Form divideSplit(IterSplit split, ir::Expr base, ir::Expr divisor);
    Form remainderSplit(IterSplit split, ir::Expr base, ir::Expr divisor, const ir::Expr& self);
    /// Pads so that the split starts and ends at multiples of the divisor. Gives the left padding,
    /// or null when the uses of the mark disagree.
    ir::Expr padToDivisor(IterSplit& split, const ir::Expr& base, const ir::Expr& divisor);
    ir::Expr collectPadding(IterSplit& split, const ir::Expr& leftPad, const ir::Expr& rightEdge,
                            const ir::Expr& rightPad, const ir::Expr& divisor);
    ir::Expr applyPadding(IterSplit& split, const ir::Expr& leftPad);
    void addPaddingPredicate(const PaddedMark& info, const ir::Expr& edge, bool exact);
    PaddedMark* findPadding(const IterMarkRef& mark);
    const PaddedMark* paddingOf(const IterMarkRef& paddedMark) const;

    void addTo(IterSum& sum, IterSplit split, int sign) const;
    std::optional<IterSum> fuse(IterSum sum, bool mayStayUnfused);
    std::optional<IterSum> combineSameSource(const IterSum& sum);
    int findBase(const IterSum& sum, const std::vector<bool>& used, const IterMark* source,
                 int last) const;
    int findExactScale(const IterSum& sum, const std::vector<bool>& used, const ir::Expr& scale,
                       const IterMark* source, int last, int firstUnit);
    int findSmallerScale(const IterSum& sum, const std::vector<bool>& used,
                         const ir::Expr& scale) const;
    static int firstUnitExtent(const IterSum& sum);
    FusedMark* findFused(const std::vector<IterSplit>& flat);
    bool normalizeSplits(const MarkSplits& entry, IterMapLevel level);

    bool sameSplit(const IterSplit& a, const IterSplit& b, bool withScale) const;
    bool proveDivisible(const ir::Expr& a, const ir::Expr& b);
    bool proveEqual(const ir::Expr& a, const ir::Expr& b) { return analyzer_.canProveEqual(a, b); }
    ir::Expr simplify(const ir::Expr& e) { return analyzer_.simplify(e); }

    Analyzer& analyzer_;
    IterMapLevel level_;
    std::vector<std::string>& errors_;
    std::vector<std::pair<const ir::VarNode*, IterSum>> varMap_;
    std::vector<IterMarkRef> inputMarks_;
    std::deque<FusedMark> fused_;
    std::vector<std::vector<IterSplit>> constrained_; ///< flattened forms
    std::deque<PaddedMark> padded_;
    bool collecting_ = false;
    bool needsPadding_ = false;
    ir::Expr paddingPredicate_;
};

} // namespace tilewright::arith
