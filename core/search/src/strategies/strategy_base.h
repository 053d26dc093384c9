// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/search/search_strategy.h>

#include <chrono>

namespace tilewright::search {

/// Bookkeeping that every strategy needs.
class StrategyBase : public SearchStrategy {
public:
    void preTuning(StrategyInputs inputs) override;
    void notifyRunnerResults(int measured) override { trialsDone_ += measured; }
    [[nodiscard]] const SearchStatistics& statistics() const override { return statistics_; }
    [[nodiscard]] const std::string& endReason() const override { return endReason_; }

protected:
    /// Makes candidates from traces in parallel, in the order of the traces; null where dropped.
    std::vector<CandidatePtr> makeAll(const std::vector<schedule::Trace>& traces,
                                      bool keepDecisions);
    /// Trials left in the task's budget, capped by the batch size and `limit`.
    [[nodiscard]] int batchSize(int limit) const;
    TuneContext& context() { return *inputs_.context; }
    void count(const std::vector<std::string>& reasons);

    /// Adds the time of its scope to the statistics.
    class Timer {
    public:
        explicit Timer(SearchStatistics& statistics)
            : statistics_(statistics), start_(std::chrono::steady_clock::now()) {}
        ~Timer() {
            statistics_.seconds +=
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        }
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;

    private:
        SearchStatistics& statistics_;
        std::chrono::steady_clock::time_point start_;
    };

    StrategyInputs inputs_;
    SearchStatistics statistics_;
    std::string endReason_;
    int trialsDone_ = 0;
    std::unordered_set<std::uint64_t> measured_; ///< hashes of modules proposed or recorded
};

} // namespace tilewright::search
