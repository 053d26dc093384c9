// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task_state.h"

#include <chrono>

namespace tilewright::search {

/// One run of the tuning loop. Lives in the tuning thread.
class Tuner {
public:
    Tuner(const std::vector<TuneTask>& tasks, const TuneOptions& options, const TuneSetup& setup);
    TuneResult run();

private:
    using Clock = std::chrono::steady_clock;

    // tuner_start.cpp: what comes before a task's first round
    void openTask(const TuneTask& task);
    void recall(TaskState& state);
    void recallRandomState(TaskState& state);
    bool prepare(TaskState& state);
    void relearn(TaskState& state, std::unordered_set<std::uint64_t>& measured);
    void measureDefault(TaskState& state);
    bool makeStrategy(TaskState& state, std::unordered_set<std::uint64_t> measured);

    // tuner_round.cpp: a round, and the confirmation of the best
    bool playRound(TaskState& state);
    void measureRound(TaskState& state, std::vector<MeasureCandidate> picks);
    void commitTrial(TaskState& state, const MeasureCandidate& pick, const PreparedModule& prepared,
                     const measure::BatchResult& result);
    void confirmBest(TaskState& state);
    bool confirmContenders(TaskState& state, std::unordered_set<std::int64_t>& confirmed);
    void keepConfirmation(TaskState& state, database::TuningRecord record,
                          const PreparedModule& prepared, const measure::BatchResult& result);
    std::vector<measure::BatchResult>
    measure(TaskState& state, std::vector<PreparedModule>& modules,
            const std::function<void(std::size_t, const measure::BatchResult&)>& onResult,
            bool alwaysCheck);

    // tuner.cpp
    int chooseTask();
    void endTask(TaskState& state, std::string reason);
    void takeOrders();
    [[nodiscard]] std::int64_t trialsDone() const;
    [[nodiscard]] std::int64_t trialsLeft() const {
        return options_.maxTrialsGlobal - trialsDone();
    }
    [[nodiscard]] bool timeIsUp() const;
    [[nodiscard]] std::stop_token cancelToken() const;
    [[nodiscard]] bool cancelled() const { return cancelToken().stop_requested(); }
    void phase(std::string_view name);
    [[nodiscard]] std::size_t indexOf(const TaskState& state) const;
    void keepRandomState(const TaskState& state);
    TuneResult result() const;

    const TuneOptions options_;
    const TuneSetup& setup_;
    base::ThreadPool pool_;
    base::RandomState random_;
    std::unique_ptr<TaskScheduler> scheduler_;
    std::vector<TaskState> states_;
    int batch_ = 64;
    Clock::time_point start_ = Clock::now();
    std::int64_t newTrials_ = 0;
    measure::BatchTimes measureTimes_;
    double trainSeconds_ = 0;
    bool stopped_ = false;
};

} // namespace tilewright::search
