// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/arith/domain.h>
#include <tilewright/arith/int_set.h>

#include <cstdint>
#include <limits>
#include <memory>

namespace tilewright::arith {

/// Inclusive constant bounds of an expression.
struct ConstIntBound {
    static constexpr std::int64_t kPosInf = std::numeric_limits<std::int64_t>::max();
    static constexpr std::int64_t kNegInf = -kPosInf;
    std::int64_t min = kNegInf;
    std::int64_t max = kPosInf;
    bool operator==(const ConstIntBound&) const = default;
};

/// Every value has the form coeff * k + base. coeff 0 means the constant `base`; coeff 1 says
/// nothing.
struct ModularSet {
    std::int64_t coeff = 1;
    std::int64_t base = 0;
    bool operator==(const ModularSet&) const = default;
};

/// How hard canProve tries. SymbolicBound also compares the symbolic interval of the difference.
enum class ProofStrength : std::uint8_t { Default, SymbolicBound };

/// Knows what is known about variables, simplifies expressions and proves conditions under it.
/// Cheap to construct; not thread safe; one per task at hand. A forgotten fact is impossible:
/// binding a variable twice with different values needs `allowOverride`.
class Analyzer {
public:
    Analyzer();
    ~Analyzer();
    Analyzer(const Analyzer&) = delete;
    Analyzer& operator=(const Analyzer&) = delete;

    /// `var` lies in the range. An extent of 1 makes it equal to the minimum (and simplify replaces
    /// it).
    void bind(const ir::Var& var, const ir::Range& range, bool allowOverride = false);
    /// `var` equals the expression; simplify replaces it.
    void bind(const ir::Var& var, const ir::Expr& value, bool allowOverride = false);
    void bind(const Domain& domain, bool allowOverride = false);
    /// Assumes constant inclusive bounds for a variable (symbolic shapes: at least 1).
    void assumeBound(const ir::Var& var, ConstIntBound bound);

    /// Simplest equivalent expression: canonical sums first, then rewriting, `steps` alternations
    /// of rewriting and canonical form.
    ir::Expr simplify(const ir::Expr& expr, int steps = 2);
    /// Rewriting rules only, to a fixed point (at most twice).
    ir::Expr rewriteSimplify(const ir::Expr& expr);
    /// Canonical sums of splits: `x * 4 + x` gives `x * 5`, `x // 4 * 4 + x % 4` gives `x`.
    ir::Expr canonicalSimplify(const ir::Expr& expr);

    /// Whether a boolean expression holds for all values of the variables; false when unknown.
    bool canProve(const ir::Expr& condition, ProofStrength strength = ProofStrength::Default);
    bool canProveEqual(const ir::Expr& a, const ir::Expr& b);
    bool canProveLess(const ir::Expr& a, const ir::Expr& b);
    bool canProveLessEqual(const ir::Expr& a, const ir::Expr& b);
    /// By constant bounds only (cheap).
    bool canProveGreaterEqual(const ir::Expr& expr, std::int64_t lowerBound);
    bool canProveLess(const ir::Expr& expr, std::int64_t upperBound);

    ConstIntBound constIntBound(const ir::Expr& expr);
    ModularSet modularSet(const ir::Expr& expr);
    /// Symbolic range: variables of `domain` are eliminated, others stay.
    IntSet intSet(const ir::Expr& expr, const SetDomain& domain);
    /// Symbolic range with the bound variables' ranges.
    IntSet intSet(const ir::Expr& expr);

    /// While the guard lives, `condition` is assumed. Guards end in reverse order of construction.
    class Constraint {
    public:
        Constraint(Constraint&& other) noexcept;
        Constraint(const Constraint&) = delete;
        Constraint& operator=(const Constraint&) = delete;
        Constraint& operator=(Constraint&&) = delete;
        ~Constraint();

    private:
        friend class Analyzer;
        struct Saved;
        Constraint(Analyzer& analyzer, std::unique_ptr<Saved> saved);
        Analyzer* analyzer_;
        std::unique_ptr<Saved> saved_;
    };
    [[nodiscard]] Constraint withConstraint(const ir::Expr& condition);

    struct State; ///< private to the module
    State& state() { return *state_; }

private:
    std::unique_ptr<State> state_;
};

} // namespace tilewright::arith
