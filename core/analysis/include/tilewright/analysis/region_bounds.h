// SPDX-License-Identifier: Apache-2.0
#pragma once

// Regions of a block seen from outside the loops between it and some outer place.

#include <tilewright/arith/domain.h>
#include <tilewright/arith/int_set.h>
#include <tilewright/ir/stmt.h>
#include <tilewright/ir/visit.h>

#include <span>
#include <string_view>
#include <vector>

namespace tilewright::analysis {

/// Domains of the loops, in the given order.
arith::Domain loopDomain(std::span<const ir::ForNode* const> loops);

/// The loops a region of a buffer in storage scope `scope` is relaxed over when it is needed at a
/// place below the loops `outer` and above the loops `relaxed`: all of `relaxed`, and those of
/// `outer` bound to threads that share the storage (`shared` relaxes over threadIdx, `local` over
/// none).
arith::Domain relaxedDomain(std::span<const ir::ForNode* const> outer,
                            std::span<const ir::ForNode* const> relaxed, std::string_view scope);

/// True when a buffer in this storage scope is shared by all threads bound to `threadTag`.
bool sharesStorage(std::string_view scope, std::string_view threadTag);
/// Position of a storage scope in the memory hierarchy, found by its prefix (global 0, shared 1,
/// warp 2, local 3, …); -1 when the prefix is unknown. The empty scope is global.
int storageRank(std::string_view scope);

/// Iterator values of a realize as a substitution.
ir::VarMap bindings(const ir::BlockRealizeNode& realize);

/// A box that holds every element of the region touched under the domain and the predicate.
arith::IntSetRegion regionUpperBound(const ir::BufferRegion& region, const ir::Expr& predicate,
                                     const arith::Domain& domain, arith::Analyzer& analyzer);
/// A box whose every element is touched; sets of nothing when there is none.
arith::IntSetRegion regionLowerBound(const ir::BufferRegion& region, const ir::Expr& predicate,
                                     const arith::Domain& domain, arith::Analyzer& analyzer);

} // namespace tilewright::analysis
