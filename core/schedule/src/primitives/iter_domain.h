// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which values a block's iterators must take so that what one block instance touches covers a given
// region: the heart of compute_at.

#include "primitives/primitive.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/int_set.h>

#include <vector>

namespace tilewright::schedule {

/// Values an iterator must take: `dom` is looped over, `bound` (nothing = none) is left to a
/// predicate.
struct IterDomain {
    arith::IntSet dom = arith::IntSet::nothing();
    arith::IntSet bound = arith::IntSet::nothing();
};

/// For one buffer: what an instance of the block touches, as functions of its iterators, and what
/// is needed of it. An empty `required` says nothing about the iterators.
struct RegionDemand {
    ir::Buffer buffer;
    std::vector<arith::IntSetRegion> provided;
    std::vector<arith::IntSetRegion> required;
};

/// One domain per iterator; iterators that no demand mentions run over their whole domain.
/// ValueError when an index pattern cannot be solved.
Outcome<std::vector<IterDomain>> solveIterDomains(const std::vector<ir::IterVar>& iters,
                                                  const std::vector<RegionDemand>& demands,
                                                  arith::Analyzer& analyzer);

} // namespace tilewright::schedule
