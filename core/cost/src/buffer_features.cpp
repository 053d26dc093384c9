// SPDX-License-Identifier: Apache-2.0
#include "buffer_features.h"

#include <algorithm>
#include <limits>

namespace tilewright::cost {

void BufferAnalysis::analyse(const NestStore& store) {
    loops_.clear();
    for (int id = store.loop; id >= 0; id = nest_.loops[static_cast<std::size_t>(id)].parent)
        loops_.push_back(id);
    std::reverse(loops_.begin(), loops_.end());
    findBuffers(store);
    touchRegions();
    for (std::size_t i = 0; i < features_.size(); ++i) {
        findStride(features_[i], parts_[i]);
        findReuse(features_[i], parts_[i]);
    }
    std::sort(features_.begin(), features_.end(),
              [this](const BufferFeature& a, const BufferFeature& b) {
                  if (a.lines != b.lines)
                      return a.lines > b.lines;
                  if (a.bytes != b.bytes)
                      return a.bytes > b.bytes;
                  return bufferOf(a.buffer).node->name < bufferOf(b.buffer).node->name;
              });
}

void BufferAnalysis::findBuffers(const NestStore& store) {
    features_.clear();
    parts_.clear();
    for (std::uint32_t id = store.access; id < store.loadEnd; ++id) {
        const int buffer = nest_.accesses[id].buffer;
        std::size_t i = 0;
        while (i < features_.size() && features_[i].buffer != buffer)
            ++i;
        if (i == features_.size()) {
            features_.emplace_back();
            features_[i].buffer = buffer;
            features_[i].access =
                i == 0 ? BufferFeature::Access::Write : BufferFeature::Access::Read;
            parts_.emplace_back();
        } else if (features_[i].access != BufferFeature::Access::Read) {
            // The store's own index stands for the buffer.
            features_[i].access = BufferFeature::Access::ReadWrite;
            continue;
        }
        parts_[i].accesses.push_back(id);
    }
}

void BufferAnalysis::touchRegions() {
    const std::size_t count = loops_.size();
    touchedBytes_.assign(count, 0);
    for (Part& part : parts_)
        part.elements.assign(count, 0);
    for (std::size_t level = count; level-- > 0;) {
        std::vector<Touch>& touches = touched_[static_cast<std::size_t>(loops_[level])];
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            Part& part = parts_[i];
            // Unknown bounds wrap around as they do in MetaSchedule.
            std::uint64_t elements = 1;
            const std::uint32_t rank = nest_.accesses[part.accesses[0]].rank;
            part.extents.resize(rank);
            for (std::uint32_t d = 0; d < rank; ++d) {
                Interval box{std::numeric_limits<std::int64_t>::max(),
                             std::numeric_limits<std::int64_t>::min()};
                for (const std::uint32_t id : part.accesses) {
                    const Interval r = nest_.forms.boundsBelow(
                        nest_.indices[nest_.accesses[id].firstIndex + d], static_cast<int>(level));
                    box.lo = std::min(box.lo, r.lo);
                    box.hi = std::max(box.hi, r.hi);
                }
                const std::uint64_t extent =
                    static_cast<std::uint64_t>(box.hi) - static_cast<std::uint64_t>(box.lo) + 1;
                part.extents[d] = static_cast<std::int64_t>(extent);
                elements *= extent;
            }
            const std::int64_t touched =
                std::max<std::int64_t>(0, static_cast<std::int64_t>(elements));
            part.elements[level] = touched;
            touchedBytes_[level] += touched * bufferOf(features_[i].buffer).elementBytes();
            touches.push_back({features_[i].buffer, touched});
        }
    }
}

std::int64_t BufferAnalysis::varStride(const Part& part, const std::vector<std::int64_t>& strides,
                                       int depth) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const std::uint32_t id : part.accesses) {
        const NestAccess& access = nest_.accesses[id];
        for (std::size_t d = std::min<std::size_t>(access.rank, strides.size()); d-- > 0;) {
            const std::int64_t coefficient =
                nest_.forms.coefficient(nest_.indices[access.firstIndex + d], depth);
            if (coefficient != 0) {
                least = std::min(least, coefficient * strides[d]);
                break;
            }
        }
    }
    return least == std::numeric_limits<std::int64_t>::max() ? 0 : least;
}

void BufferAnalysis::findStride(BufferFeature& feature, const Part& part) {
    const NestBuffer& buffer = bufferOf(feature.buffer);
    const double product =
        loops_.empty() ? 1.0 : static_cast<double>(loopAt(loops_.size() - 1).product);
    const int elementBytes = buffer.elementBytes();
    feature.bytes = product * elementBytes;
    if (loops_.empty())
        return;
    const std::size_t rank = buffer.shape.size();
    strides_.assign(rank, 1);
    for (std::size_t d = rank; d-- > 1;)
        strides_[d - 1] = strides_[d] * buffer.shape[d];
    std::int64_t stride = 0;
    std::int64_t inside = 1; // product of the loops inside the innermost strided one
    for (std::size_t level = loops_.size(); level-- > 0;) {
        stride = varStride(part, strides_, static_cast<int>(level));
        if (stride != 0) {
            if (level + 1 == loops_.size())
                feature.stride = static_cast<double>(stride);
            break;
        }
        inside *= loopAt(level).extent;
    }
    feature.uniqueBytes = static_cast<double>(part.elements[0]) * elementBytes;
    const double perLine = 1.0 * static_cast<double>(stride) * elementBytes / cacheLineBytes_;
    feature.lines = std::max(1.0, product / static_cast<double>(inside) * std::min(1.0, perLine));
    std::int64_t continuous = 1;
    for (std::size_t d = std::min(rank, part.extents.size()); d-- > 0;)
        if (part.extents[d] == buffer.shape[d]) {
            continuous = buffer.shape[d] * elementBytes;
            break;
        }
    feature.uniqueLines =
        std::max(1.0, feature.uniqueBytes /
                          static_cast<double>(std::min<std::int64_t>(cacheLineBytes_, continuous)));
}

void BufferAnalysis::findReuse(BufferFeature& feature, const Part& part) {
    std::uint64_t used = 0;
    for (const std::uint32_t id : part.accesses)
        for (std::uint32_t d = 0; d < nest_.accesses[id].rank; ++d)
            used |= nest_.forms.loopsOf(nest_.indices[nest_.accesses[id].firstIndex + d]);
    double inside = 1;
    for (std::size_t level = loops_.size(); level-- > 0;) {
        const NestLoop& loop = loopAt(level);
        if ((used >> std::min<std::size_t>(level, 63) & 1U) == 0) {
            feature.reuse = BufferFeature::Reuse::LoopMultipleRead;
            feature.reuseCount = static_cast<double>(loop.extent);
            feature.reuseIterations = inside;
            if (level + 1 == loops_.size()) {
                for (const BufferFeature& other : features_)
                    feature.reuseBytes += bufferOf(other.buffer).elementBytes();
            } else {
                for (const Touch& t : touched_[static_cast<std::size_t>(loops_[level + 1])])
                    feature.reuseBytes +=
                        static_cast<double>(t.elements) * bufferOf(t.buffer).elementBytes();
            }
            return;
        }
        const std::vector<Touch>& touches = touched_[static_cast<std::size_t>(loops_[level])];
        int times = 0;
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        double bytes = 0;
        for (const Touch& t : touches) {
            bytes += static_cast<double>(t.elements) * bufferOf(t.buffer).elementBytes();
            if (t.buffer == feature.buffer) {
                ++times;
                least = std::min(least, t.elements);
            }
        }
        if (times >= 2) {
            feature.reuse = BufferFeature::Reuse::SerialMultipleReadWrite;
            feature.reuseCount = times - 1;
            feature.reuseIterations = static_cast<double>(least) / static_cast<double>(loop.extent);
            feature.reuseBytes = bytes / static_cast<double>(loop.extent);
            return;
        }
        inside *= static_cast<double>(loop.extent);
    }
}

} // namespace tilewright::cost
