// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/expr.h>

namespace tilewright::arith {

/// True when both expressions are the same tree: same kinds, types, constants, and identical
/// (same node) variables and buffers. No algebra: `a + b` differs from `b + a`.
bool exprEqual(const ir::Expr& a, const ir::Expr& b);

} // namespace tilewright::arith
