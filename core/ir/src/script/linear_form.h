// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/expr.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::ir {

/// An integer expression as a sum of terms: Σ coefficient · atom + constant, where an atom is
/// anything that is no sum and no product with a constant. Enough to see that
/// `(i * 4 + 4) - i * 4` is 4 while reading a text; the real simplifier is in arith.
class LinearForm {
public:
    LinearForm() = default;
    explicit LinearForm(std::int64_t constant) : constant_(constant) {}
    static LinearForm of(const Expr& expr);

    [[nodiscard]] bool isConstant() const { return terms_.empty(); }
    [[nodiscard]] std::int64_t constant() const { return constant_; }
    [[nodiscard]] const std::vector<std::pair<Expr, std::int64_t>>& terms() const { return terms_; }
    LinearForm& add(const LinearForm& other, std::int64_t factor = 1);
    LinearForm& scale(std::int64_t factor);
    /// Coefficient of a variable; 0 when it is no term.
    [[nodiscard]] std::int64_t coefficient(const VarNode* var) const;
    void removeVar(const VarNode* var);
    [[nodiscard]] bool operator==(const LinearForm& other) const;
    [[nodiscard]] Expr toExpr(DataType type) const;

private:
    void addTerm(const Expr& atom, std::int64_t factor);
    std::vector<std::pair<Expr, std::int64_t>> terms_;
    std::int64_t constant_ = 0;
};

/// `b - a` without what cancels.
Expr difference(const Expr& b, const Expr& a);

} // namespace tilewright::ir
