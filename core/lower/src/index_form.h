// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/expr.h>
#include <tilewright/ir/visit.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tilewright::lower {

/// A closed interval of integers; kFar and beyond stands for "unbounded".
struct Interval {
    static constexpr std::int64_t kFar = std::int64_t{1} << 60;
    std::int64_t lo = -kFar;
    std::int64_t hi = kFar;
    [[nodiscard]] bool bounded() const { return lo > -kFar && hi < kFar; }
    [[nodiscard]] bool within(std::int64_t least, std::int64_t most) const {
        return lo >= least && hi <= most;
    }
};

/// `coeff * atom`; the atom is a variable, a division or remainder that does not simplify, or any
/// other expression taken as a whole.
struct IndexTerm {
    ir::Expr atom;
    std::int64_t coeff = 0;
};

/// A sum of terms and a constant, the canonical form of an index: two indices are equal if their
/// forms are (up to the order of terms).
struct IndexForm {
    std::int64_t constant = 0;
    std::vector<IndexTerm> terms;

    [[nodiscard]] bool isConstant() const { return terms.empty(); }
    /// The coefficient of a variable as a term of its own, 0 when it is none.
    [[nodiscard]] std::int64_t coefficientOf(const ir::VarNode* var) const;
    /// True when the variable occurs, as a term or inside one.
    [[nodiscard]] bool uses(const ir::VarNode* var) const;
    /// True when the variable occurs inside a term that is not the variable itself.
    [[nodiscard]] bool usesNonlinearly(const ir::VarNode* var) const;
};

/// Same terms in any order; constants are not compared.
bool sameTerms(const IndexForm& a, const IndexForm& b);

/// Canonical forms of integer index expressions under known ranges of variables.
///
/// Rules: linear arithmetic; floordiv/floormod by constants split into the divisible part and the
/// rest; nested divisions merge; `c * (x // c) + x % c` is put together again. Arithmetic is taken
/// as exact (index arithmetic must not overflow).
class IndexSimplifier {
public:
    /// Declares a variable's range; later declarations are "inner" and sort last in sums.
    void bind(const ir::Var& var, Interval range);
    void unbind(const ir::VarNode* var);
    /// Replaces a variable wherever it occurs.
    void define(const ir::Var& var, IndexForm value);

    [[nodiscard]] IndexForm form(const ir::Expr& expr) const;
    [[nodiscard]] Interval range(const IndexForm& form) const;
    [[nodiscard]] Interval range(const ir::Expr& expr) const { return range(form(expr)); }
    [[nodiscard]] ir::Expr toExpr(const IndexForm& form, ir::DataType type) const;
    /// True or false when a condition is known, nothing otherwise.
    [[nodiscard]] std::optional<bool> prove(const ir::Expr& condition) const;
    /// Position of the variable's declaration, -1 when it has none.
    [[nodiscard]] int depthOf(const ir::VarNode* var) const;

    static void addTerm(IndexForm& sum, const ir::Expr& atom, std::int64_t coeff);
    static void addScaled(IndexForm& sum, const IndexForm& part, std::int64_t scale);

private:
    struct Binding {
        Interval range;
        int depth = 0;
    };
    [[nodiscard]] IndexForm divide(const IndexForm& numerator, std::int64_t divisor) const;
    [[nodiscard]] IndexForm remainder(const IndexForm& numerator, std::int64_t divisor) const;
    [[nodiscard]] IndexForm splitDivision(const IndexForm& numerator, std::int64_t divisor,
                                          IndexForm& rest) const;
    [[nodiscard]] Interval rangeOfAtom(const ir::Expr& atom) const;
    void rejoin(IndexForm& form) const;
    [[nodiscard]] int depthOfAtom(const ir::Expr& atom) const;

    std::unordered_map<const ir::VarNode*, Binding> bindings_;
    std::unordered_map<const ir::VarNode*, IndexForm> definitions_;
    int nextDepth_ = 0;
};

/// True for expressions whose canonical form is meaningful: int32/int64 scalars without loads and
/// calls.
bool isIndexExpr(const ir::Expr& expr);

} // namespace tilewright::lower
