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
    /// Loop nests to be replaced by others over the new shape, whose accesses are still the old
    /// ones.
    std::vector<std::pair<const ir::StmtNode*, ir::Stmt>> replacements;
    /// Blocks of the replacements: old, new.
    BlockReuse reuse;
};

/// Plans for the scope that allocates the buffer (or the root, for parameters).
LayoutPadding planLayoutPadding(const ir::BlockNode& scope, const LayoutChange& change);

} // namespace tilewright::schedule
