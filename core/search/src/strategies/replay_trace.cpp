// SPDX-License-Identifier: Apache-2.0
#include "strategy_base.h"

namespace tilewright::search {

namespace {

class ReplayTrace final : public StrategyBase {
public:
    explicit ReplayTrace(int maxFailCount) : maxFailCount_(maxFailCount) {}
    [[nodiscard]] std::string_view kind() const override { return "replay-trace"; }

    [[nodiscard]] std::optional<std::vector<MeasureCandidate>>
    generateMeasureCandidates(int limit) override {
        const int wanted = batchSize(limit);
        if (wanted == 0) {
            endReason_ = "every trial was used";
            return std::nullopt;
        }
        if (inputs_.designSpaces.empty()) {
            endReason_ = "the design space is empty";
            return std::nullopt;
        }
        const Timer timer(statistics_);
        std::vector<MeasureCandidate> batch;
        const auto spaces = static_cast<std::int64_t>(inputs_.designSpaces.size());
        for (int attempt = 0; attempt < maxFailCount_ && static_cast<int>(batch.size()) < wanted;
             ++attempt) {
            std::vector<schedule::Trace> traces;
            for (int i = static_cast<int>(batch.size()); i < wanted; ++i)
                traces.push_back(inputs_.designSpaces[static_cast<std::size_t>(
                    context().random.sampleInt(0, spaces))]);
            for (CandidatePtr& candidate : makeAll(traces, false))
                if (candidate && measured_.insert(candidate->hash).second)
                    batch.push_back({std::move(candidate), std::nullopt});
        }
        if (batch.empty()) {
            endReason_ = "every new sample of the design space was refused or known";
            return std::nullopt;
        }
        return batch;
    }

private:
    int maxFailCount_;
};

} // namespace

std::unique_ptr<SearchStrategy> makeReplayTrace(int maxFailCount) {
    return std::make_unique<ReplayTrace>(maxFailCount);
}

} // namespace tilewright::search
