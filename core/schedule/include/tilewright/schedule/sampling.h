// SPDX-License-Identifier: Apache-2.0
#pragma once

// The random choices of a schedule, for instructions and mutators. Streams are those of TVM.

#include <tilewright/base/random_state.h>
#include <tilewright/schedule/schedule_state.h>

#include <cstdint>
#include <vector>

namespace tilewright::schedule {

/// Splits `extent` into n factors at random, outermost first; their product is `extent`.
std::vector<std::int64_t> drawPerfectTile(base::RandomState& random, std::int64_t extent, int n);
/// As drawPerfectTile, drawn again until the last factor is at most `maxInnermostFactor` (-1 = no
/// limit).
std::vector<std::int64_t> drawPerfectTile(base::RandomState& random, std::int64_t extent, int n,
                                          std::int64_t maxInnermostFactor);
/// As drawPerfectTile, drawn again until the product of the factors from `partitionPos` on is a
/// multiple of `innerpartFactor`.
std::vector<std::int64_t> drawPartitionedTile(base::RandomState& random, std::int64_t extent, int n,
                                              int partitionPos, std::int64_t innerpartFactor);
/// The nearest valid tile to a given one: from the inside, a factor that does not divide what is
/// left takes all of it.
std::vector<std::int64_t> repairTile(std::int64_t extent, std::vector<std::int64_t> tile);

/// Where a block may be computed. `index`: -2 inlined, -1 where it is (at the root), otherwise the
/// loop's place among the loops of the first consumer.
struct ComputeLocation {
    int index = -1;
    SrefId loop; ///< invalid for -2 and -1
};
/// All places, ascending by index. Edits nothing (the state is used for trying).
std::vector<ComputeLocation> computeLocations(ScheduleState& state, SrefId block);
/// The one of computeLocations that a decision stands for: itself when it is there, else the
/// nearest lower one, else -1. Tries no more places than needed.
ComputeLocation nearestComputeLocation(ScheduleState& state, SrefId block, std::int64_t wanted);

} // namespace tilewright::schedule
