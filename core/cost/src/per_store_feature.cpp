// SPDX-License-Identifier: Apache-2.0
#include <tilewright/cost/per_store_feature.h>

#include "buffer_features.h"
#include "store_nest.h"

#include <tilewright/lower/layout_rewrite.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace tilewright::cost {

namespace {

constexpr std::size_t kLoopKindFeatures = 11; ///< number, product, length, one-hot of 8
constexpr std::size_t kPositions = 8;
constexpr std::array<std::string_view, 7> kThreadTags = {
    "blockIdx.x",  "blockIdx.y",  "blockIdx.z", "threadIdx.x",
    "threadIdx.y", "threadIdx.z", "vthread"};

double scaledLog(double x) {
    return std::log2(std::abs(x) + 1);
}

/// Appends to a row in the order of the columns.
class RowWriter {
public:
    explicit RowWriter(float* at) : at_(at) {}
    void raw(double value) { *at_++ = static_cast<float>(value); }
    void scaled(double value) { raw(scaledLog(value)); }
    void flag(bool value) { raw(value ? 1 : 0); }
    void zeros(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            raw(0);
    }

private:
    float* at_;
};

class Extraction {
public:
    Extraction(const StoreNest& nest, const PerStoreFeatureOptions& options)
        : nest_(nest), options_(options), buffers_(nest, options.cacheLineBytes),
          isGpu_(options.isGpu ||
                 std::any_of(nest.loops.begin(), nest.loops.end(), [](const NestLoop& loop) {
                     return loop.kind == ir::ForKind::ThreadBinding;
                 })) {
        matrix_.columns = static_cast<std::size_t>(
            16 + 3 * kLoopKindFeatures + 8 + kFeaturesPerBuffer * options.buffersPerStore +
            options.arithIntensityCurveNumSamples + 7 + (options.extractWorkload ? 8 : 0));
    }

    FeatureMatrix run() {
        std::vector<int> rowOf(nest_.buffers.size(), -1);
        int rows = 0;
        for (const NestStore& store : nest_.stores) {
            int& row = rowOf[static_cast<std::size_t>(nest_.accesses[store.access].buffer)];
            if (row < 0) {
                row = rows++;
                matrix_.values.resize(matrix_.columns * static_cast<std::size_t>(rows));
            }
            // Another store of the same buffer replaces the row.
            writeRow(store,
                     matrix_.values.data() + matrix_.columns * static_cast<std::size_t>(row));
        }
        return std::move(matrix_);
    }

private:
    void writeRow(const NestStore& store, float* row) {
        buffers_.analyse(store);
        product_ = store.loop < 0 ? 1.0 : static_cast<double>(loop(store.loop).product);
        OpCounts ops = store.ops;
        IndexOps indexOps;
        for (std::uint32_t id = store.access + 1; id < store.loadEnd; ++id)
            for (std::uint32_t d = 0; d < nest_.accesses[id].rank; ++d)
                nest_.forms.countOps(nest_.indices[nest_.accesses[id].firstIndex + d], indexOps);
        ops.integer[OpCounts::AddSub] += indexOps.addSub;
        ops.integer[OpCounts::Mul] += indexOps.mul;
        ops.integer[OpCounts::DivMod] += indexOps.divMod;

        RowWriter out(row);
        writeOps(ops, out);
        writeLoopKind(ir::ForKind::Vectorized, out);
        writeLoopKind(ir::ForKind::Unrolled, out);
        writeLoopKind(ir::ForKind::Parallel, out);
        writeThreads(out);
        writeBuffers(out);
        writeIntensity(ops, out);
        writeAllocation(
            nest_.buffers[static_cast<std::size_t>(nest_.accesses[store.access].buffer)], out);
        out.scaled(product_);
        out.scaled(static_cast<double>(buffers_.loops().size()));
        out.scaled(store.loop < 0 ? 0.0 : static_cast<double>(loop(store.loop).unrollSteps));
        if (options_.extractWorkload)
            for (const bool flag : nest_.workload)
                out.flag(flag);
    }

    void writeOps(const OpCounts& ops, RowWriter& out) {
        for (const std::int64_t count : ops.floating)
            out.scaled(static_cast<double>(count) * product_);
        for (const std::int64_t count : ops.integer)
            out.scaled(static_cast<double>(count) * product_);
        out.scaled(static_cast<double>(ops.boolean) * product_);
        out.scaled(static_cast<double>(ops.select) * product_);
    }

    void writeLoopKind(ir::ForKind kind, RowWriter& out) {
        int number = 0;
        double product = 1;
        double length = 0;
        for (const int id : buffers_.loops()) {
            if (loop(id).kind != kind)
                continue;
            ++number;
            length = static_cast<double>(loop(id).extent);
            product *= length;
        }
        out.scaled(number);
        out.scaled(number == 0 ? 0 : product);
        out.scaled(length);
        const std::size_t position = number == 0 ? 0 : kPositions - 1;
        for (std::size_t i = 0; i < kPositions; ++i)
            out.flag(i == position);
    }

    void writeThreads(RowWriter& out) {
        out.flag(isGpu_);
        for (const std::string_view tag : kThreadTags) {
            double extent = 1;
            if (isGpu_)
                for (const int id : buffers_.loops())
                    if (*loop(id).threadTag == tag ||
                        (tag == "vthread" && loop(id).threadTag->starts_with(tag))) {
                        extent = static_cast<double>(loop(id).extent);
                        break;
                    }
            out.scaled(extent);
        }
    }

    void writeBuffers(RowWriter& out) {
        const std::vector<BufferFeature>& all = buffers_.features();
        const auto most = static_cast<std::size_t>(options_.buffersPerStore);
        const std::size_t count = std::min(all.size(), most);
        for (std::size_t i = 0; i < count; ++i)
            writeBuffer(all[i], out);
        out.zeros((most - count) * kFeaturesPerBuffer);
    }

    static void writeBuffer(const BufferFeature& b, RowWriter& out) {
        out.flag(b.access == BufferFeature::Access::Read);
        out.flag(b.access == BufferFeature::Access::Write);
        out.flag(b.access == BufferFeature::Access::ReadWrite);
        out.scaled(b.bytes);
        out.scaled(b.uniqueBytes);
        out.scaled(b.lines);
        out.scaled(b.uniqueLines);
        out.flag(b.reuse == BufferFeature::Reuse::LoopMultipleRead);
        out.flag(b.reuse == BufferFeature::Reuse::SerialMultipleReadWrite);
        out.flag(b.reuse == BufferFeature::Reuse::None);
        out.scaled(b.reuseIterations);
        out.scaled(b.reuseBytes);
        out.scaled(b.reuseCount);
        const double divisor = b.reuseCount > 0 ? b.reuseCount : 0.5;
        out.scaled(b.bytes / divisor);
        out.scaled(b.uniqueBytes / divisor);
        out.scaled(b.lines / divisor);
        out.scaled(b.uniqueLines / divisor);
        out.scaled(b.stride);
    }

    void writeIntensity(const OpCounts& ops, RowWriter& out) {
        const auto samples = static_cast<std::size_t>(options_.arithIntensityCurveNumSamples);
        std::int64_t total = 0;
        for (const std::int64_t count : ops.floating)
            total += count;
        const std::vector<int>& loops = buffers_.loops();
        if (total == 0 || loops.empty()) {
            out.zeros(samples);
            return;
        }
        compute_.clear();
        memory_.clear();
        double work = static_cast<double>(total);
        for (std::size_t level = loops.size(); level-- > 0;) {
            work *= static_cast<double>(loop(loops[level]).extent);
            compute_.push_back(work);
            memory_.push_back(static_cast<double>(buffers_.touchedBytes()[level]));
        }
        std::size_t p = 0;
        for (std::size_t k = 1; k <= samples; ++k) {
            const double target =
                static_cast<double>(k) / static_cast<double>(samples) * compute_.back();
            while (p + 1 < compute_.size() && compute_[p] < target - 1e-4)
                ++p;
            double intensity = compute_[p] / memory_[p];
            if (p > 0) {
                const double before = compute_[p - 1] / memory_[p - 1];
                const double slope = (intensity - before) / (compute_[p] - compute_[p - 1]);
                intensity = before + slope * (target - compute_[p - 1]);
            }
            out.scaled(intensity);
        }
    }

    void writeAllocation(const NestBuffer& buffer, RowWriter& out) {
        double size = 0;
        double product = 0;
        double outer = 1;
        if (buffer.parameter || buffer.allocated) {
            const auto elements = static_cast<double>(buffer.elements());
            outer = buffer.allocated && buffer.loop >= 0
                        ? static_cast<double>(loop(buffer.loop).product)
                        : 1.0;
            size = elements * buffer.elementBytes();
            product = elements * outer;
        }
        out.scaled(size);
        out.scaled(product);
        out.scaled(outer);
        out.scaled(product_ / outer);
    }

    [[nodiscard]] const NestLoop& loop(int id) const {
        return nest_.loops[static_cast<std::size_t>(id)];
    }

    const StoreNest& nest_;
    const PerStoreFeatureOptions& options_;
    BufferAnalysis buffers_;
    bool isGpu_;
    FeatureMatrix matrix_;
    double product_ = 1;
    std::vector<double> compute_;
    std::vector<double> memory_;
};

} // namespace

FeatureMatrix extractPerStoreFeatures(const ir::Module& module,
                                      const PerStoreFeatureOptions& options) {
    const ir::Module kernel = lower::removeLayoutRewrites(module).module;
    StoreNest nest;
    for (const auto& [name, function] : kernel.functions())
        collectStores(*function, nest);
    compactAllocations(nest);
    return Extraction(nest, options).run();
}

} // namespace tilewright::cost
