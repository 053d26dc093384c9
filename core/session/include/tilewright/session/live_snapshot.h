// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is known of a session at one moment, whether it runs or ended long ago. Immutable values:
// made by LiveModel, shared with whoever shows them. Times of kernels in seconds of one call, times
// of the session in seconds of work since its start (pauses and interruptions not counted).

#include <tilewright/database/record.h>
#include <tilewright/session/prediction_quality.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// One record as curves show it.
struct TrialPoint {
    std::int64_t record = 0;
    std::int64_t trial = 0; ///< of the task, from 1; 0 = not a trial (default schedule, by hand)
    std::int64_t order = 0; ///< among all trials of the session, from 1; 0 = not a trial
    int round = -1;         ///< of the task, from 0
    double time = 0;
    double seconds = 0; ///< median; 0 = failed
    double predicted = 0;
    std::int64_t timeMs = 0; ///< since 1970 UTC
    database::RecordStatus status = database::RecordStatus::Ok;
    database::RecordOrigin origin = database::RecordOrigin::Trial;
    bool full = true; ///< measured in full: may become the best
    bool hasPrediction = false;

    [[nodiscard]] bool ok() const { return status == database::RecordStatus::Ok && seconds > 0; }
};

/// The best so far changed here.
struct BestPoint {
    double time = 0;
    std::int64_t trial = 0;
    std::int64_t order = 0;
    int round = -1;
    double seconds = 0;
    std::int64_t record = 0;
};

/// A round of a task, ended or going on.
struct RoundMark {
    int task = 0; ///< index into LiveSnapshot::tasks
    int round = 0;
    double start = 0;
    double end = 0;              ///< 0 = going on
    std::int64_t firstTrial = 0; ///< of the task
    std::int64_t firstOrder = 0;
    int trials = 0;
    bool boosted = false;
};

enum class LiveTaskState : std::uint8_t { Waiting, Running, Idle, Frozen, Skipped, Ended };
/// `waiting`, `running`, `idle`, `frozen`, `skipped`, `ended`.
std::string_view toString(LiveTaskState state);

struct LiveTask {
    std::int64_t id = 0; ///< in the store; 0 = not known yet
    std::string name;
    double weight = 1;
    double flop = 0;
    double bytes = 0;
    std::optional<double> defaultSeconds;
    std::optional<double> bestSeconds; ///< trial or default, measured in full
    std::optional<double> lowSeconds;  ///< of the best's 95 % interval
    std::optional<double> highSeconds;
    std::optional<double> defaultLow;
    std::optional<double> defaultHigh;
    std::int64_t samples = 0; ///< of the best
    std::int64_t defaultRecord = 0;
    std::int64_t bestRecord = 0;
    std::int64_t trials = 0;
    std::int64_t failed = 0;                          ///< of the trials
    std::map<std::string, std::int64_t> failedByKind; ///< status word → trials
    LiveTaskState state = LiveTaskState::Waiting;
    std::string reason;  ///< why it ended
    std::string ordered; ///< an order not yet carried out: `boost`, …
    /// No trial of it counts: its time is the default schedule's.
    bool untuned = true;
    double share = 0;               ///< of the model's total now, 0 … 1
    std::optional<double> headroom; ///< seconds of the model above the machine's roof
    std::optional<double> roofSeconds;
    std::optional<double> recentGain; ///< share gained in the last 100 trials, 0 … 1
    std::shared_ptr<const std::vector<TrialPoint>> points;
    std::shared_ptr<const std::vector<BestPoint>> best;

    [[nodiscard]] std::optional<double> speedUp() const;
};

/// The model's latency over time, ready to stack: the first series lies at the bottom.
struct ModelTotal {
    struct Series {
        std::string name;            ///< a task's, or empty for `other` and `untuned`
        int task = -1;               ///< index, or -1
        bool untuned = false;        ///< tasks before their first counted trial, at their default
        std::vector<double> seconds; ///< one a time
    };
    std::vector<double> times;
    std::vector<Series> series;
    std::vector<double> total;
};

/// Seconds spent, by phase; `other` is what none of them accounts for.
struct PhaseSeconds {
    double search = 0;
    double build = 0;
    double run = 0;
    double train = 0;
    double other = 0;
    [[nodiscard]] double sum() const { return search + build + run + train + other; }
};

/// One step of the way from a sampled schedule to a correct result.
struct FunnelStage {
    std::string name; ///< sampled, applied, postproc, chosen, built, ran, correct
    std::int64_t count = 0;
    std::int64_t lost = 0; ///< to this stage; `chosen` loses nothing: the rest was not asked for
};
struct FailureReason {
    std::string kind; ///< status word, or `apply`, `postproc`
    std::string message;
    std::int64_t count = 0;
    std::int64_t record = 0; ///< a sample; 0 = never became a record
};
struct FailureFunnel {
    std::vector<FunnelStage> stages;
    std::vector<FailureReason> reasons; ///< most frequent first
};

/// A prediction and what came of it. Throughputs relative to the task's best: 1 = the best.
struct PredictedPair {
    std::int64_t record = 0;
    int task = 0;
    int round = 0; ///< of the session: its n-th round of any task, from 0
    double predicted = 0;
    double measured = 0;
};
struct RoundQuality {
    int round = 0; ///< as in PredictedPair
    int task = 0;
    PredictionQuality quality;
};

/// Something that happened, for the list of events. Words are the view's: `kind` and arguments.
struct LiveEvent {
    double time = 0;
    std::int64_t timeMs = 0;
    std::string
        kind; ///< session, task-started, task-ended, improved, order, wrong-result, error, …
    std::string task;
    std::string detail;
    std::int64_t record = 0;
    double before = 0; ///< seconds, of an improvement
    double after = 0;
};

/// How long the rest takes, by the speed of the latest trials.
struct TimeLeft {
    double seconds = 0;
    double low = 0;  ///< from the lower quartile of the time per trial
    double high = 0; ///< from the upper quartile
};

struct DeviceActivity {
    std::string name;
    std::int64_t trials = 0;
    std::int64_t lost = 0; ///< trials that ended with the device lost
    std::int64_t lastMs = 0;
};

struct LiveSnapshot {
    std::string workDir;
    std::int64_t session = 0; ///< in the store; 0 = none
    std::string name;
    std::string input;
    std::string target;
    std::string environment; ///< JSON object
    std::string options;     ///< JSON object
    std::int64_t seed = 0;
    std::string state; ///< running, paused, stopped, finished, failed, interrupted; empty = none
    std::string asked; ///< `pause`, `stop`, `cancel`: asked for, not reached yet
    std::string error; ///< the last one said by the engine
    std::int64_t startedMs = 0;
    std::int64_t lastMs = 0; ///< of the newest event
    double elapsed = 0;
    std::int64_t budget = 0;
    std::int64_t trials = 0;
    std::int64_t failed = 0;
    std::string phase;    ///< search, measure, train, idle
    int currentTask = -1; ///< index; -1 = none
    std::vector<LiveTask> tasks;
    std::vector<RoundMark> rounds;
    std::optional<double> defaultTotal; ///< of the tasks that have a default; none = none has
    std::optional<double> bestTotal;
    double bestTotalError = 0; ///< half of the 95 % interval
    int missingTasks = 0;      ///< have neither: the totals are without them
    int untunedTasks = 0;
    std::optional<double> recentGain; ///< of the total in the last 100 trials, 0 … 1
    ModelTotal total;
    PhaseSeconds phases;
    double trialsPerMinute = 0;       ///< of late; 0 = not known
    std::optional<TimeLeft> timeLeft; ///< none before 16 trials or without a budget
    FailureFunnel funnel;
    std::shared_ptr<const std::vector<PredictedPair>> predictions;
    std::vector<RoundQuality> quality;
    std::optional<PredictionQuality> lastQuality; ///< of the newest pairs, all tasks
    std::vector<LiveEvent> events;                ///< oldest first
    std::vector<DeviceActivity> devices;

    [[nodiscard]] std::optional<double> speedUp() const;
    /// All trials failed so far, and there are some.
    [[nodiscard]] bool onlyFailures() const { return trials > 0 && failed == trials; }
    [[nodiscard]] const LiveTask* task(std::int64_t id) const;
};
using LiveSnapshotPtr = std::shared_ptr<const LiveSnapshot>;

} // namespace tilewright::session
