// SPDX-License-Identifier: Apache-2.0
#include "loop_nest.h"

#include <tilewright/ir/make.h>

#include <cmath>
#include <string_view>

namespace tilewright::cost {

using namespace ir;

namespace {

std::int64_t autoUnrollOf(const ForNode& loop) {
    const AttrValue* value = loop.annotations.find("pragma_auto_unroll_max_step");
    return value ? value->toInt(0) : 0;
}

} // namespace

double slog(double x) {
    return x >= 0 ? std::log2(x + 1) : std::log2(-x + 1);
}

std::vector<std::int64_t>* LoopNest::kindOf(const ForNode& loop) {
    switch (loop.forKind) {
    case ForKind::Parallel:
        return &parallel;
    case ForKind::Vectorized:
        return &vectorized;
    case ForKind::Unrolled:
        return &unrolled;
    case ForKind::ThreadBinding: {
        static constexpr std::string_view kTags[] = {"blockIdx.x",  "blockIdx.y",  "blockIdx.z",
                                                     "threadIdx.x", "threadIdx.y", "threadIdx.z"};
        for (std::size_t i = 0; i < std::size(kTags); ++i)
            if (loop.threadTag == kTags[i])
                return &bound[i];
        return std::string_view(loop.threadTag).starts_with("vthread") ? &bound[6] : nullptr;
    }
    default:
        return nullptr;
    }
}

void LoopNest::push(const ForNode& loop) {
    const auto extent = constInt(loop.extent);
    loops.push_back({&loop, extent.value_or(1)});
    product *= loops.back().extent;
    if (const std::int64_t steps = autoUnrollOf(loop); steps > 0)
        autoUnroll.push_back(steps);
    if (auto* kind = kindOf(loop))
        kind->push_back(loops.back().extent);
}

LoopNest LoopNest::of(const std::vector<const ForNode*>& loops) {
    LoopNest nest;
    nest.loops.reserve(loops.size());
    for (const ForNode* loop : loops)
        nest.push(*loop);
    return nest;
}

} // namespace tilewright::cost
