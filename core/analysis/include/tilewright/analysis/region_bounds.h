// SPDX-License-Identifier: Apache-2.0
#pragma once

// Regions of a block seen from outside the loops between it and some outer place.

#include <tilewright/ir/stmt.h>
#include <tilewright/ir/visit.h>

#include <span>
#include <string_view>
#include <vector>

namespace tilewright::arith {
class Analyzer;
class IntSet;
} // namespace tilewright::arith

namespace tilewright::analysis {

/// A range of loops by variable: `var` runs over `range`.
struct LoopDomain {
    ir::Var var;
    ir::Range range;
};

/// Domains of the loops.
std::vector<LoopDomain> loopDomains(std::span<const ir::ForNode* const> loops);

/// The loops a region of a buffer in storage scope `scope` is relaxed over when it is needed at a
/// place below `outer` loops and above `relaxed`: all of `relaxed`, and those of `outer` bound to
/// threads that share the storage (`shared` relaxes over threadIdx, `local` over none).
std::vector<LoopDomain> relaxedDomains(std::span<const ir::ForNode* const> outer,
                                       std::span<const ir::ForNode* const> relaxed,
                                       std::string_view scope);

/// True when a buffer in this storage scope is shared by all threads bound to `threadTag`.
bool sharesStorage(std::string_view scope, std::string_view threadTag);
/// Whether the storage scope's prefix is known (`shared.dyn` is, `foo` is not).
bool isKnownStorageScope(std::string_view scope);

/// Iterator values of a realize as a substitution.
ir::VarMap bindings(const ir::BlockRealizeNode& realize);

/// Upper bound (covers every element touched) of a region under the domains and the predicate.
std::vector<arith::IntSet> regionUpperBound(const ir::BufferRegion& region,
                                            const ir::Expr& predicate,
                                            std::span<const LoopDomain> domains,
                                            arith::Analyzer& analyzer);
/// Lower bound (only elements surely touched); empty when there is none.
std::vector<arith::IntSet> regionLowerBound(const ir::BufferRegion& region,
                                            const ir::Expr& predicate,
                                            std::span<const LoopDomain> domains,
                                            arith::Analyzer& analyzer);

} // namespace tilewright::analysis
