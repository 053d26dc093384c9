// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/arith/analyzer.h>

#include <optional>
#include <vector>

namespace tilewright::arith {

/// Coefficients of `expr` in `vars`, then the constant term, so the answer has vars.size() + 1
/// entries; nullopt when the expression is not linear in them.
std::optional<std::vector<ir::Expr>> detectLinearEquation(const ir::Expr& expr,
                                                          const std::vector<ir::Var>& vars);

/// Bounds that a conjunction of comparisons puts on the variables: [min, max] per variable (a null
/// entry = none); nullopt when a part of it is not a linear bound of one variable.
struct ClipBound {
    ir::Expr min;
    ir::Expr max;
};
std::optional<std::vector<ClipBound>> detectClipBound(const ir::Expr& condition,
                                                      const std::vector<ir::Var>& vars);

/// Splits a conjunction into its parts.
std::vector<ir::Expr> conjuncts(const ir::Expr& condition);

} // namespace tilewright::arith
