// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/measure/measure_batch.h>
#include <tilewright/search/search_strategy.h>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tilewright::search {

/// A measured batch as callbacks see it.
struct MeasuredBatch {
    const TuneContext& context;
    std::uint64_t taskKey = 0;
    std::span<const MeasureCandidate> candidates;
    std::span<const measure::BatchResult> results;
};

/// Called once a batch, in the order of the list, after every record was committed.
class MeasureCallback {
public:
    virtual ~MeasureCallback() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    virtual void apply(const MeasuredBatch& batch) = 0;
};
using MeasureCallbackPtr = std::shared_ptr<MeasureCallback>;

/// Teaches a cost model what was built (failures of the run count as infinitely slow; what was not
/// built or was cancelled says nothing). `model` stays valid while the callback lives.
MeasureCallbackPtr updateCostModel(cost::CostModel* model, base::Profiler* profiler);

} // namespace tilewright::search
