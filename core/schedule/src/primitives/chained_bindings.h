// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/arith/domain.h>
#include <tilewright/ir/expr.h>

#include <optional>
#include <vector>

namespace tilewright::schedule {

/// The simplified bindings in the case that splitting makes all the time, without the general
/// iterator-map machinery: every binding is a fusion `a * 8 + b * 2 + c` of whole loops, each loop
/// in one binding at most, and nothing is guarded. Gives just what arith::iterMapSimplify gives
/// then, and nullopt in all other cases.
std::optional<std::vector<ir::Expr>> simplifyChained(const std::vector<ir::Expr>& bindings,
                                                     const arith::Domain& domain,
                                                     const ir::Expr& predicate,
                                                     bool preserveUnitIters);

} // namespace tilewright::schedule
