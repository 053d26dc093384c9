// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat_kernel.h"
#include "loop_nest.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/ir/stmt.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tilewright::cost {

/// Elements of each buffer touched by the stores seen so far while one loop runs.
struct TouchedBuffer {
    const ir::BufferNode* buffer;
    std::vector<std::int64_t> elements; ///< one entry a store
};
using TouchedByLoop = std::unordered_map<const ir::ForNode*, std::vector<TouchedBuffer>>;

enum class AccessType : std::uint8_t { Read, Write, ReadWrite };
enum class ReuseType : std::uint8_t { LoopMultipleRead, SerialMultipleReadWrite, NoReuse };

/// How one store accesses one buffer.
struct BufferAccess {
    const ir::BufferNode* buffer = nullptr;
    AccessType type = AccessType::Read;
    std::vector<const std::vector<ir::Expr>*> indexSets;
    std::vector<std::int64_t> touched; ///< elements per loop, outermost first
    std::vector<std::int64_t> region;  ///< extents touched under all loops
    std::int64_t minStride = 0;
    std::int64_t innermostStride = 0;
    std::int64_t nonStridedProduct = 1;
    std::int64_t continuousBytes = 1;
    double bytes = 0;
    double uniqueBytes = 0;
    double lines = 0;
    double uniqueLines = 0;
    ReuseType reuse = ReuseType::NoReuse;
    double reuseDistanceIterations = 0;
    double reuseDistanceBytes = 0;
    double reuseCount = 0;

    static constexpr int kColumns = 18;
    void write(float* columns) const;
};

/// The accesses of a store, sorted by lines, bytes (both descending) and name.
std::vector<BufferAccess> analyzeAccesses(const FlatStore& store, const LoopNest& nest,
                                          int cacheLineBytes, TouchedByLoop& touchedByLoop,
                                          std::vector<std::int64_t>& bytesPerLoop,
                                          arith::Analyzer& analyzer);

/// Elements along each dimension; a symbolic extent counts as its upper bound, or 1.
std::vector<std::int64_t> shapeOf(const ir::BufferNode& buffer, arith::Analyzer& analyzer);

} // namespace tilewright::cost
