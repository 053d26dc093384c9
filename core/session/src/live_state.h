// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/session/live_model.h>

#include <tilewright/database/session_rows.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilewright::session {

/// A counter that starts again with each run of the engine, summed over the runs.
template <class T> class RunningSum {
public:
    /// Takes the counter's new value; returns what was added.
    T take(T value) {
        if (value < last_)
            last_ = T{};
        const T added = value - last_;
        last_ = value;
        sum_ += added;
        return added;
    }
    [[nodiscard]] T sum() const { return sum_; }

private:
    T last_{};
    T sum_{};
};

/// A task as events built it up.
struct LiveTaskData {
    LiveTask row;
    std::vector<TrialPoint> points;
    std::vector<BestPoint> best;
    bool changed = true;
    int rounds = 0;
    RunningSum<double> searchSeconds;
    RunningSum<std::int64_t> candidates;
    std::map<std::string, RunningSum<std::int64_t>> rejections;
    double buildSeconds = 0; ///< of the records since the last round ended
    double runSeconds = 0;
};

/// Why records failed, counted.
struct FailureCount {
    std::int64_t count = 0;
    std::int64_t record = 0;
};

struct LiveModel::State {
    LiveSnapshot meta; ///< what does not need working out
    std::vector<LiveTaskData> tasks;
    std::unordered_map<std::string, int> taskByName;
    std::unordered_map<std::int64_t, std::pair<int, std::size_t>> records;
    std::unordered_map<std::int64_t, double> pendingPredictions;
    std::map<std::pair<std::string, std::string>, FailureCount> failures;
    std::map<std::string, DeviceActivity> devices;
    std::vector<double> trialTimes; ///< of each trial, in order
    std::vector<std::int64_t> runs; ///< starts of the engine, ms
    int run = -1;                   ///< the one that events are of
    std::map<std::pair<int, std::pair<int, int>>, std::size_t> roundIndex; ///< run, task, round
    RoofSeconds roof;
    bool working = false; ///< time counts
    std::int64_t revision = 0;
    LiveSnapshotPtr last;
    std::int64_t lastRevision = -1;

    void consume(const json::Value& event);
    void advance(const json::Value& event);
    void onSession(const json::Value& event);
    void planTasks(const json::Array& list);
    void setSessionState(const std::string& state);
    void onTask(const json::Value& event);
    void onRound(const json::Value& event);
    void roundStarted(int task, const json::Value& event);
    void roundEnded(int task, const json::Value& event);
    void onRecord(const json::Value& event);
    void addRecord(int task, TrialPoint point, const json::Value& event);
    void updateRecord(int task, TrialPoint& point, const TrialPoint& fresh,
                      const json::Value& event);
    void noteFailure(const TrialPoint& point, const json::Value& event);
    void considerBest(int task, const TrialPoint& point, const json::Value& event);
    void recomputeBest(int task);
    void onOrder(const json::Value& event);
    void note(std::string kind, std::string task = {}, std::string detail = {},
              std::int64_t record = 0);
    int taskIndex(const std::string& name);
    void makeCurrent(int task);
    [[nodiscard]] int roundOf(int task, int round) const;

    // live_figures.cpp: what snapshots work out
    void fillTasks(LiveSnapshot& out);
    void fillTotals(LiveSnapshot& out) const;
    void fillGains(LiveSnapshot& out) const;
    void fillSpeed(LiveSnapshot& out) const;
    void fillFunnel(LiveSnapshot& out) const;
    void fillPredictions(LiveSnapshot& out) const;
};

/// The model's total over time, from the tasks' best points. At most `columns` times.
ModelTotal stackTotals(const std::vector<LiveTaskData>& tasks, double elapsed,
                       std::size_t columns = 1500);
/// What a task costs: best, else default.
std::optional<double> costNow(const LiveTask& task);

} // namespace tilewright::session
