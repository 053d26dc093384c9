// SPDX-License-Identifier: Apache-2.0
#pragma once

// The passes in the order in which pipeline.cpp runs them. Each takes a function's body and returns
// the new one; none needs what another leaves in a side table.

#include <tilewright/ir/module.h>
#include <tilewright/lower/lower.h>

namespace tilewright::lower {

/// Blocks become loops, guards and AllocBuffer statements (at the innermost loop with every use).
ir::Stmt lowerBlocks(const ir::PrimFuncNode& function);
/// Canonical indices, decided conditions, no loops of extent 1, no dead branches; loops start at 0.
ir::Stmt simplifyLoops(const ir::Stmt& body);
/// Shrinks each allocated buffer to the region used below its AllocBuffer.
ir::Stmt compactBuffers(const ir::Stmt& body);
/// Every buffer becomes one-dimensional; parameters keep their identity through `params`.
ir::Stmt flattenBuffers(const ir::Stmt& body, std::vector<ir::Param>& params);
/// Vectorised loops become vector expressions of at most the register's width.
ir::Stmt vectorizeLoops(const ir::Stmt& body, const LowerOptions& options);
/// Splits spatial loops inside a reduction loop whose tile exceeds the register file, and moves the
/// pieces outside.
ir::Stmt blockRegisterTiles(const ir::Stmt& body, const LowerOptions& options);
/// Accumulators addressed by constants below a reduction loop live in `register` buffers.
ir::Stmt promoteAccumulators(const ir::Stmt& body, const LowerOptions& options);
/// Replicates loops as the unroll annotations ask.
ir::Stmt unrollLoops(const ir::Stmt& body, const LowerOptions& options);

} // namespace tilewright::lower
