// SPDX-License-Identifier: Apache-2.0
#include <tilewright/search/measure_callback.h>

namespace tilewright::search {

namespace {

class UpdateCostModel final : public MeasureCallback {
public:
    UpdateCostModel(cost::CostModel* model, base::Profiler* profiler)
        : model_(model), profiler_(profiler) {}
    [[nodiscard]] std::string_view name() const override { return "UpdateCostModel"; }

    void apply(const MeasuredBatch& batch) override {
        const base::Profiler::Scope scope(profiler_, "MeasureCallback/UpdateCostModel");
        std::vector<cost::TrainingSample> samples;
        for (std::size_t i = 0; i < batch.candidates.size(); ++i) {
            const measure::BatchResult& result = batch.results[i];
            if (!result.artifact || result.status() == measure::Status::Cancelled ||
                result.status() == measure::Status::DeviceLost)
                continue;
            const double seconds = result.status() == measure::Status::Ok
                                       ? result.run.medianSeconds()
                                       : cost::kFailedSeconds;
            if (seconds > 0)
                samples.push_back({batch.candidates[i].candidate->features, seconds});
        }
        model_->update(batch.taskKey, samples);
    }

private:
    cost::CostModel* model_;
    base::Profiler* profiler_;
};

} // namespace

MeasureCallbackPtr updateCostModel(cost::CostModel* model, base::Profiler* profiler) {
    return std::make_shared<UpdateCostModel>(model, profiler);
}

} // namespace tilewright::search
