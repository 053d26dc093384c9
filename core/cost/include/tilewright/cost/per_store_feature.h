// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/cost/feature_matrix.h>
#include <tilewright/ir/module.h>

namespace tilewright::cost {

struct PerStoreFeatureOptions {
    int buffersPerStore = 5;
    int arithIntensityCurveNumSamples = 10;
    int cacheLineBytes = 64;
    bool extractWorkload = false; ///< 8 more columns about the whole workload
    bool isGpu = false;           ///< the target is a GPU (implied where loops bind threads)
};

/// MetaSchedule's per-store features of a scheduled module (before lowering): 164 columns, rows in
/// the order of the stores. Layout-rewrite preprocessing blocks are left out.
/// Thread-safe. Cost: well under a millisecond for a tiled convolution.
FeatureMatrix extractPerStoreFeatures(const ir::Module& module,
                                      const PerStoreFeatureOptions& options = {});

} // namespace tilewright::cost
