// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store_nest.h"

namespace tilewright::cost {

inline constexpr int kFeaturesPerBuffer = 18;

/// What one store does to one buffer. Counts are unscaled.
struct BufferFeature {
    enum class Access : std::uint8_t { Read, Write, ReadWrite };
    enum class Reuse : std::uint8_t { LoopMultipleRead, SerialMultipleReadWrite, None };
    int buffer = 0;
    Access access = Access::Read;
    double bytes = 0;
    double uniqueBytes = 1;
    double lines = 1;
    double uniqueLines = 1;
    Reuse reuse = Reuse::None;
    double reuseIterations = 0;
    double reuseBytes = 0;
    double reuseCount = 0;
    double stride = 0;
};

/// Features of a store's buffers. Stores must come in the order of the code: how a buffer is reused
/// depends on the stores before.
class BufferAnalysis {
public:
    BufferAnalysis(const StoreNest& nest, int cacheLineBytes)
        : nest_(nest), cacheLineBytes_(cacheLineBytes), touched_(nest.loops.size()) {}

    /// Replaces what the last call left in features() and touchedBytes().
    void analyse(const NestStore& store);

    /// Most accessed lines first.
    [[nodiscard]] const std::vector<BufferFeature>& features() const { return features_; }
    /// Bytes touched under each loop around the store, outermost first.
    [[nodiscard]] const std::vector<std::int64_t>& touchedBytes() const { return touchedBytes_; }
    /// Loops around the store, outermost first.
    [[nodiscard]] const std::vector<int>& loops() const { return loops_; }

private:
    /// Elements of a buffer that one store touches under a loop.
    struct Touch {
        int buffer;
        std::int64_t elements;
    };
    struct Part {
        std::vector<std::uint32_t> accesses;
        std::vector<std::int64_t> extents;  ///< touched box over all loops
        std::vector<std::int64_t> elements; ///< touched under each loop
    };

    void findBuffers(const NestStore& store);
    void touchRegions();
    void findStride(BufferFeature& feature, const Part& part);
    void findReuse(BufferFeature& feature, const Part& part);
    [[nodiscard]] std::int64_t varStride(const Part& part, const std::vector<std::int64_t>& strides,
                                         int depth) const;
    [[nodiscard]] const NestLoop& loopAt(std::size_t depth) const {
        return nest_.loops[static_cast<std::size_t>(loops_[depth])];
    }
    [[nodiscard]] const NestBuffer& bufferOf(int id) const {
        return nest_.buffers[static_cast<std::size_t>(id)];
    }

    const StoreNest& nest_;
    int cacheLineBytes_;
    std::vector<std::vector<Touch>> touched_; ///< by loop, all stores so far
    std::vector<int> loops_;
    std::vector<Part> parts_; ///< beside features_ until it is sorted
    std::vector<BufferFeature> features_;
    std::vector<std::int64_t> touchedBytes_;
    std::vector<std::int64_t> strides_;
};

} // namespace tilewright::cost
