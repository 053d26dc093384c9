// SPDX-License-Identifier: Apache-2.0
#pragma once

// What split and fuse share: replacing loop variables below a loop, guarding blocks, and bringing
// block bindings to their simplest form.

#include "primitives/primitive.h"

#include <tilewright/arith/domain.h>
#include <tilewright/ir/visit.h>

namespace tilewright::schedule {

/// HasAnnotationOrThreadBindingError.
Outcome<void> checkPlainLoop(const ir::ForNode& loop);
/// LoopNotStartWithZeroError.
Outcome<void> checkStartsWithZero(const ir::ForNode& loop);

/// Replaces variables (without folding) in everything below; blocks without iterators that change
/// are noted in `reuse`.
ir::Stmt replaceVars(const ir::Stmt& stmt, const ir::VarMap& values, BlockReuse& reuse);
/// ANDs the condition to the predicate of every nearest block realize.
ir::Stmt guardBlocks(const ir::Stmt& stmt, const ir::Expr& condition);
/// Simplifies the bindings of the blocks below as affine maps of `domain` and the loops on the way.
/// Opaque blocks are entered, and noted in `reuse` when they change.
ir::Stmt simplifyBindings(const ir::Stmt& stmt, arith::Domain domain, bool preserveUnitIters,
                          BlockReuse& reuse);
/// Domain of the loops strictly above, up to the next block.
arith::Domain domainAbove(const ScheduleState& state, SrefId loop);
/// A copy of a loop variable with another name and dtype.
ir::Var derivedVar(const ir::Var& var, const std::string& suffix, ir::DataType type);

} // namespace tilewright::schedule
