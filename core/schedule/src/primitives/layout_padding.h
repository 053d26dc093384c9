// SPDX-License-Identifier: Apache-2.0
#pragma once

// A change of layout may add points to a buffer that no old index reaches. They are filled with
// pad_value: by the loop nest that writes the whole buffer, rewritten to go over the new shape; by
// a block after the last writer; or, for inputs, only assumed.

#include "primitives/primitive.h"

#include <tilewright/ir/index_map.h>

namespace tilewright::schedule {

/// What becomes of a buffer.
struct LayoutChange {
    ir::Buffer from;
    ir::Buffer to;
    ir::IndexMap map;          ///< old indices to new ones
    ir::IndexMap inverse;      ///< new indices to old ones (unused when injectivity is assumed)
    ir::Expr paddingPredicate; ///< of inverse's variables: true at points that are new
    ir::IndexMap padValue;     ///< of new indices; set when there is padding
};

/// What to do about the new points.
struct LayoutPadding {
    ir::Stmt prologue; ///< put before everything in the scope; null = none
    ir::Stmt epilogue; ///< put after `epilogueAfter`; null = none
    const ir::StmtNode* epilogueAfter = nullptr; ///< a loop, or a block realize
    /// Nests (loop or block realize) to be replaced, already in the new layout.
    std::vector<std::pair<const ir::StmtNode*, ir::Stmt>> replacements;
    /// Blocks of the replacements: old, new.
    BlockReuse reuse;
    /// Blocks that are already complete and need no rewriting.
    std::vector<const ir::BlockNode*> finished;
};

LayoutPadding planLayoutPadding(const ir::BlockNode& scope, const LayoutChange& change);

} // namespace tilewright::schedule
