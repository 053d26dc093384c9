// SPDX-License-Identifier: Apache-2.0
#include "scratch_allocator.h"

#include <algorithm>
#include <numeric>

namespace tilewright::graph {

std::int64_t placeScratch(std::vector<ScratchRequest>& requests) {
    constexpr std::int64_t kAlignment = 64;
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (ScratchRequest& request : requests)
        request.bytes = (request.bytes + kAlignment - 1) / kAlignment * kAlignment;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return requests[a].bytes > requests[b].bytes;
    });
    std::vector<const ScratchRequest*> placed; // by offset
    std::int64_t total = 0;
    for (const std::size_t i : order) {
        ScratchRequest& request = requests[i];
        std::int64_t offset = 0;
        for (const ScratchRequest* other : placed) {
            const bool together = other->first <= request.last && request.first <= other->last;
            if (!together)
                continue;
            if (offset + request.bytes <= other->offset)
                break;
            offset = std::max(offset, other->offset + other->bytes);
        }
        request.offset = offset;
        total = std::max(total, offset + request.bytes);
        const auto at = std::find_if(placed.begin(), placed.end(),
                                     [&](const ScratchRequest* p) { return p->offset > offset; });
        placed.insert(at, &request);
    }
    return total;
}

} // namespace tilewright::graph
