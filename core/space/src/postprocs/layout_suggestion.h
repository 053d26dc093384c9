// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/index_map.h>
#include <tilewright/ir/stmt.h>

#include <optional>
#include <span>
#include <vector>

namespace tilewright::space {

/// The layout in which loops read a buffer one element after another: the pieces of loops that the
/// flattened access consists of, in the order of the loops. nullopt when the access is no
/// surjective affine map of the loops, or does not cover the buffer exactly.
std::optional<ir::IndexMap> suggestLayout(const ir::Buffer& buffer,
                                          const std::vector<ir::Expr>& indices,
                                          std::span<const ir::ForNode* const> loops,
                                          const ir::Expr& predicate);

} // namespace tilewright::space
