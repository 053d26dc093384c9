// SPDX-License-Identifier: Apache-2.0
#pragma once

// Questions that schedule rules ask about blocks.

#include <tilewright/ir/module.h>
#include <tilewright/ir/stmt.h>

#include <optional>
#include <span>
#include <string_view>

namespace tilewright::analysis {

/// Every iterator value is exactly an enclosing loop variable, one loop for one iterator in order.
bool isTrivialBinding(const ir::BlockRealizeNode& realize,
                      std::span<const ir::ForNode* const> loops);
/// A predicate other than True, an `if`, a Select or an if_then_else in the block.
bool hasIfThenElse(const ir::BlockRealizeNode& realize);
bool hasIfThenElse(const ir::Stmt& stmt);
/// Every block of the function has only data-parallel iterators.
bool isSpatialFunction(const ir::PrimFuncNode& function);
/// Annotated with `meta_schedule.tiling_structure`.
bool hasBeenMultiLevelTiled(const ir::BlockNode& block);
/// Data reuse is possible: see the reference of multi-level tiling. `trivialBinding` as above.
bool needsMultiLevelTiling(const ir::BlockNode& block, bool trivialBinding);
/// Splitting the reduction among threads can pay. `reduction` says the block is a reduction block;
/// `maxParallelExtent` -1 = no limit.
bool needsRFactorOrCrossThreadReduction(const ir::BlockRealizeNode& realize,
                                        std::span<const ir::ForNode* const> loops, bool reduction,
                                        std::int64_t maxParallelExtent);

/// How the indices of a read relate to those of a write.
struct AccessPattern {
    bool exists = false;    ///< all read indices are `write index ± constant` or constants
    bool injective = false; ///< no write index is used twice
    bool ordered = false;   ///< used in the order of the write
    bool noConstRead = false;
    bool noShiftRead = false;
};
AccessPattern accessPattern(const ir::BufferRegion& read, const ir::BufferRegion& write);
/// One write, and every read is injective and ordered with regard to it.
bool isWriteCache(const ir::BlockNode& block);

/// Constant integer annotation of a loop or block.
std::optional<std::int64_t> intAnnotation(const ir::Annotations& annotations, std::string_view key);
/// Constant extent of a loop.
std::optional<std::int64_t> constExtent(const ir::ForNode& loop);

} // namespace tilewright::analysis
