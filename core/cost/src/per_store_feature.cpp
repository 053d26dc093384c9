// SPDX-License-Identifier: Apache-2.0
#include <tilewright/cost/per_store_feature.h>

#include "arith_count.h"
#include "buffer_access.h"
#include "flat_kernel.h"
#include "loop_nest.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>
#include <tilewright/lower/layout_rewrite.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace tilewright::cost {

using namespace ir;

namespace {

constexpr std::size_t kArithColumns = 57;
constexpr std::size_t kWorkloadColumns = 8;

/// Where a buffer is allocated.
struct Allocation {
    double bytes = 0;
    double product = 0;
    double outerProduct = 1;
};

/// Everything known of one written buffer; its row.
struct StoreFeature {
    const BufferNode* buffer = nullptr;
    ArithCounts counts;
    std::array<double, kArithColumns> arith{};
    std::vector<BufferAccess> accesses;
    std::vector<double> intensity;
    double outerProduct = 0;
    double loops = 0;
    double autoUnroll = 0;
};

class FeatureCollector {
public:
    FeatureCollector(const PerStoreFeatureOptions& options, bool isGpu)
        : options_(options), isGpu_(isGpu) {}

    void collect(const FlatKernel& kernel) {
        for (const FlatAllocation& allocation : kernel.allocations) {
            nest_ = LoopNest::of(allocation.loops);
            allocate(*allocation.buffer);
        }
        for (const FlatStore& store : kernel.stores) {
            nest_ = LoopNest::of(store.loops);
            addStore(store);
        }
    }

    [[nodiscard]] const std::vector<StoreFeature>& stores() const { return stores_; }
    [[nodiscard]] Allocation allocationOf(const BufferNode* buffer) const {
        const auto it = allocations_.find(buffer);
        return it == allocations_.end() ? Allocation{} : it->second;
    }

private:
    void addStore(const FlatStore& node) {
        if (node.value->kind() == NodeKind::IntImm || node.value->kind() == NodeKind::FloatImm)
            return;
        StoreFeature& feature = featureOf(node.buffer.get());
        feature.counts = countArithmetic(node.value);
        fillArith(feature);
        feature.accesses = analyzeAccesses(node, nest_, options_.cacheLineBytes, touchedByLoop_,
                                           bytesPerLoop_, analyzer_);
        fillIntensity(feature);
        feature.outerProduct = static_cast<double>(nest_.product);
        feature.loops = static_cast<double>(nest_.loops.size());
        feature.autoUnroll =
            nest_.autoUnroll.empty() ? 0 : static_cast<double>(nest_.autoUnroll.back());
    }

    void allocate(const BufferNode& buffer) {
        Allocation& allocation = allocations_[&buffer];
        double elements = 1;
        for (const std::int64_t extent : shapeOf(buffer, analyzer_))
            elements *= static_cast<double>(extent);
        allocation.bytes = elements * buffer.dtype.elementBytes();
        allocation.product = elements * static_cast<double>(nest_.product);
        allocation.outerProduct = static_cast<double>(nest_.product);
    }

    StoreFeature& featureOf(const BufferNode* buffer) {
        for (StoreFeature& feature : stores_)
            if (feature.buffer == buffer)
                return feature;
        StoreFeature& feature = stores_.emplace_back();
        feature.buffer = buffer;
        return feature;
    }

    void fillArith(StoreFeature& feature) const {
        std::size_t at = 0;
        const auto put = [&](double value) { feature.arith[at++] = value; };
        const auto times = [&](std::int64_t count) {
            return slog(static_cast<double>(count) * static_cast<double>(nest_.product));
        };
        for (const OpCounts* counts : {&feature.counts.floating, &feature.counts.integer})
            for (const std::int64_t count :
                 {counts->multiplyAdd, counts->addSub, counts->mul, counts->divMod, counts->compare,
                  counts->math, counts->other})
                put(times(count));
        put(times(feature.counts.logical));
        put(times(feature.counts.select));
        for (const auto* extents : {&nest_.vectorized, &nest_.unrolled, &nest_.parallel}) {
            double product = extents->empty() ? 0 : 1;
            for (const std::int64_t extent : *extents)
                product *= static_cast<double>(extent);
            put(slog(static_cast<double>(extents->size())));
            put(slog(product));
            put(slog(extents->empty() ? 0 : static_cast<double>(extents->back())));
            // Position: none or mixed, of eight kinds.
            for (int position = 0; position < 8; ++position)
                put(position == (extents->empty() ? 0 : 7) ? 1 : 0);
        }
        put(isGpu_ ? 1 : 0);
        for (const auto& extents : nest_.bound)
            put(slog(isGpu_ && !extents.empty() ? static_cast<double>(extents.front()) : 1));
    }

    void fillIntensity(StoreFeature& feature) const {
        const int samples = options_.arithIntensityCurveNumSamples;
        feature.intensity.assign(static_cast<std::size_t>(samples), 0);
        const std::size_t n = nest_.loops.size();
        const auto base = static_cast<double>(feature.counts.floating.total());
        if (n == 0 || base <= 0)
            return;
        std::vector<double> compute(n);
        std::vector<double> ratio(n);
        double operations = base;
        for (std::size_t level = 0; level < n; ++level) {
            const std::size_t loop = n - 1 - level;
            operations *= static_cast<double>(nest_.loops[loop].extent);
            compute[level] = operations;
            ratio[level] = operations / static_cast<double>(bytesPerLoop_[loop]);
        }
        std::size_t p = 0;
        for (int k = 0; k < samples; ++k) {
            const double target = static_cast<double>(k + 1) / samples * compute[n - 1];
            while (p + 1 < n && compute[p] < target - 1e-4)
                ++p;
            double value = ratio[0];
            if (p > 0) {
                const double slope = (ratio[p] - ratio[p - 1]) / (compute[p] - compute[p - 1]);
                value = ratio[p - 1] + slope * (target - compute[p - 1]);
            }
            feature.intensity[static_cast<std::size_t>(k)] = slog(value);
        }
    }

    const PerStoreFeatureOptions& options_;
    bool isGpu_;
    LoopNest nest_;
    arith::Analyzer analyzer_;
    TouchedByLoop touchedByLoop_;
    std::vector<std::int64_t> bytesPerLoop_;
    std::vector<StoreFeature> stores_;
    std::unordered_map<const BufferNode*, Allocation> allocations_;
};

/// One-hot of the workload's kind by the names of its blocks.
std::array<float, kWorkloadColumns> workloadFlags(const Module& module) {
    struct Kind {
        std::vector<std::string_view> words;
    };
    static const std::array<Kind, kWorkloadColumns> kKinds = {
        Kind{{"softmax"}},
        Kind{{"max", "min"}},
        Kind{{"add"}},
        Kind{{"batch_matmul"}},
        Kind{{"matmul"}},
        Kind{{"depthwiseconv2d", "depthwise_conv2d"}},
        Kind{{"conv2d_winograd"}},
        Kind{{"conv2d"}}};
    std::array<float, kWorkloadColumns> flags{};
    for (const auto& [name, function] : module.functions())
        walk(function->body, [&](const Node& node) {
            if (node.kind() != NodeKind::Block)
                return true;
            std::string text = static_cast<const BlockNode&>(node).name;
            std::transform(text.begin(), text.end(), text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            for (std::size_t i = 0; i < kKinds.size(); ++i)
                for (const std::string_view word : kKinds[i].words)
                    if (text.find(word) != std::string::npos) {
                        flags[i] = 1;
                        return true;
                    }
            return true;
        });
    return flags;
}

bool bindsThreads(const PrimFunc& function) {
    bool found = false;
    walk(function->body, [&](const Node& node) {
        if (node.kind() == NodeKind::For)
            found = found || static_cast<const ForNode&>(node).forKind == ForKind::ThreadBinding;
        return !found;
    });
    return found;
}

void appendRow(FeatureMatrix& matrix, const StoreFeature& feature, const Allocation& allocation,
               const PerStoreFeatureOptions& options, const float* flags) {
    const std::size_t begin = matrix.values.size();
    matrix.values.resize(begin + matrix.columns, 0.0F);
    float* at = matrix.values.data() + begin;
    for (const double value : feature.arith)
        *at++ = static_cast<float>(value);
    const auto buffers = static_cast<std::size_t>(options.buffersPerStore);
    for (std::size_t i = 0; i < std::min(buffers, feature.accesses.size()); ++i)
        feature.accesses[i].write(at + i * BufferAccess::kColumns);
    at += buffers * BufferAccess::kColumns;
    for (const double value : feature.intensity)
        *at++ = static_cast<float>(value);
    for (const double value : {allocation.bytes, allocation.product, allocation.outerProduct,
                               feature.outerProduct / allocation.outerProduct, feature.outerProduct,
                               feature.loops, feature.autoUnroll})
        *at++ = static_cast<float>(slog(value));
    if (flags)
        std::copy(flags, flags + kWorkloadColumns, at);
}

} // namespace

FeatureMatrix extractPerStoreFeatures(const Module& module, const PerStoreFeatureOptions& options) {
    FeatureMatrix matrix;
    matrix.columns = kArithColumns +
                     static_cast<std::size_t>(options.buffersPerStore) * BufferAccess::kColumns +
                     static_cast<std::size_t>(options.arithIntensityCurveNumSamples) + 7 +
                     (options.extractWorkload ? kWorkloadColumns : 0);
    std::optional<std::array<float, kWorkloadColumns>> flags;
    if (options.extractWorkload)
        flags = workloadFlags(module);
    const Module kernels = lower::removeLayoutRewrites(module).module;
    for (const auto& [name, function] : kernels.functions()) {
        FeatureCollector collector(options, bindsThreads(function));
        collector.collect(flattenKernel(*function));
        for (const StoreFeature& feature : collector.stores())
            appendRow(matrix, feature, collector.allocationOf(feature.buffer), options,
                      flags ? flags->data() : nullptr);
    }
    return matrix;
}

} // namespace tilewright::cost
