// SPDX-License-Identifier: Apache-2.0
#pragma once

// What several block primitives share: moving along the tree of loops and blocks, taking a block
// out of it, and putting statements in.

#include "primitives/primitive.h"

#include <tilewright/arith/domain.h>

#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::schedule {

/// Statements to be put in the place of others, found by identity.
using StmtReplacements = std::vector<std::pair<const ir::StmtNode*, ir::Stmt>>;
/// Rebuilds a tree with the replacements; goes on inside a replacement (another node may be
/// replaced there), not inside a child block unless it is the way to one. A statement replaced by a
/// null handle is dropped from its sequence. Blocks are replaced as Block nodes.
ir::Stmt replaceStmts(const ir::Stmt& root, const StmtReplacements& replacements);

/// Members of a sequence, or the statement alone.
std::vector<ir::Stmt> statementsOf(const ir::Stmt& body);

/// Taking a leaf block out: put `replacement` in the place of `source`'s node. Fails with
/// OnlyLeafError when its scope would be left empty.
struct LeafRemoval {
    SrefId source;
    ir::Stmt replacement;
};
Outcome<LeafRemoval> planLeafRemoval(const ScheduleState& state, SrefId block);

/// Loops from `low` (included) up to `high` (excluded), outermost first. Blocks on the way are
/// passed over.
std::vector<const ir::ForNode*> loopsBetween(const ScheduleState& state, SrefId low, SrefId high);
/// Loops at and above `id` up to the function's root, outermost first.
std::vector<const ir::ForNode*> loopsUpFrom(const ScheduleState& state, SrefId id);
/// Loops around a block up to its parent block, outermost first.
std::vector<const ir::ForNode*> loopNodesAbove(const ScheduleState& state, SrefId block);
/// Domain of the loops between `low` (included) and `high` (excluded), outermost first; for a
/// storage scope other than global also the loops at and above `high` whose threads share it.
arith::Domain pathDomain(const ScheduleState& state, SrefId low, SrefId high,
                         std::string_view storageScope = "global");
/// Edits the body of a scope block by replacements and appends buffers to its allocations.
/// `reuse` names the pairs of blocks below the scope.
void editScope(ScheduleState& state, SrefId scope, const StmtReplacements& replacements,
               const std::vector<ir::Buffer>& newBuffers, const BlockReuse& reuse);

/// The block as found by the state's flags: isAffineBinding of the realize under all its loops.
bool hasAffineBinding(const ScheduleState& state, SrefId block);

} // namespace tilewright::schedule
