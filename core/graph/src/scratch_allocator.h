// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::graph {

/// A value that needs memory from call `first` to call `last`, both included.
struct ScratchRequest {
    std::int64_t bytes = 0;
    int first = 0;
    int last = 0;
    std::int64_t offset = 0; ///< the answer, a multiple of 64
};

/// Gives every request an offset so that no two alive at the same time overlap: largest first,
/// each at the lowest place that fits. Returns the bytes needed in all.
std::int64_t placeScratch(std::vector<ScratchRequest>& requests);

} // namespace tilewright::graph
