// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "index_form.h"

#include <tilewright/ir/stmt.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tilewright::lower {

/// `start + stride * lane`, the elements one access of a tile touches; relative to the tile's base.
struct TileAddress {
    std::int64_t start = 0;
    std::int64_t stride = 1;
    int lanes = 1;
    int active = 1; ///< lanes that take part, the first ones
    bool operator==(const TileAddress&) const = default;
};

/// The elements of one buffer that the body of a loop reads and writes, when that is a fixed set
/// of vectors: base (invariant in the loop) plus constants once inner loops are unrolled.
struct TileAccesses {
    ir::Buffer buffer;
    bool fits = true; ///< false: not such a set; the rest is then meaningless
    bool loaded = false;
    bool stored = false;
    IndexForm base; ///< terms only
    std::vector<TileAddress> addresses;
    std::unordered_set<const ir::VarNode*> unrolled; ///< inner loops that address the tile
};

/// Splits a one-dimensional index into a scalar start, a stride and lanes; `predicate` may be null
/// or mask the last lanes. False for other shapes.
bool splitAccess(const IndexSimplifier& indices, const ir::Expr& index, const ir::Expr& predicate,
                 IndexForm& start, TileAddress& address);

/// The tiles of all buffers that `loop`'s body stores to. `indices` knows the loops around `loop`
/// and must have `loop` itself bound. At most `limit` addresses a buffer.
std::vector<TileAccesses> findTiles(IndexSimplifier& indices, const ir::ForNode& loop,
                                    std::size_t limit);

} // namespace tilewright::lower
