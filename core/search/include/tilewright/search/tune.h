// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tuning loop: MetaSchedule's tune_tasks, with the store as its memory. Starting and resuming
// are one path: whatever the store holds of a task counts.

#include <tilewright/base/profiler.h>
#include <tilewright/cost/cost_model.h>
#include <tilewright/database/store_writer.h>
#include <tilewright/measure/builder.h>
#include <tilewright/measure/runner.h>
#include <tilewright/search/candidate.h>
#include <tilewright/search/measure_callback.h>
#include <tilewright/space/rule_set.h>
#include <tilewright/target/target.h>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tilewright::search {

/// A task to tune.
struct TuneTask {
    std::string name;
    ir::Module module;
    double weight = 1;
    double flop = 0;
    double bytes = 0;
    std::string info; ///< JSON object for the store, or empty
};

struct TuneOptions {
    std::int64_t maxTrialsGlobal = 1000;
    /// -1: as many as the global budget.
    std::int64_t maxTrialsPerTask = -1;
    /// 0: 64, or less when the budget would not go round (see effectiveBatch).
    int numTrialsPerIter = 0;
    std::string taskScheduler = "gradient";
    std::string strategy = "evolutionary";
    std::int64_t seed = 1;
    int numTuningCores = 1;
    double timeLimitSeconds = 0;  ///< 0 = none
    bool postOptimization = true; ///< re-measure the best few of each task at the end
    int vectorBits = 256;         ///< of the target, for the default schedule
    std::size_t threads = 1;      ///< threads a kernel runs with: the target's num-cores
    bool overlapBuilds = true;    ///< builders have cores of their own
};

/// Trials of one batch: `numTrialsPerIter` when given; else 64, or max(4, budget / (4·tasks)) when
/// the budget is below 4·tasks·64, so that every task gets its turn.
int effectiveBatch(const TuneOptions& options, std::size_t tasks);

/// A change of a task or the whole run that the user asked for while it goes on.
enum class TaskOrder : std::uint8_t { None, Skip, Freeze, Boost };

/// Asked between trials and rounds, in the tuning thread.
class TuneControl {
public:
    virtual ~TuneControl() = default;
    /// Blocks while paused. False: end after the batch at hand.
    virtual bool proceed() = 0;
    /// The newest order for a task.
    virtual TaskOrder order(const std::string& task) = 0;
    /// A boosted task got its round: the order is carried out.
    virtual void boostTaken(const std::string& task) = 0;
    /// Ends at once: what is in flight becomes `cancelled` and is not stored.
    [[nodiscard]] virtual std::stop_token cancelToken() const = 0;
};

/// Told what happens, in the tuning thread, after it is stored.
class TuneObserver {
public:
    virtual ~TuneObserver() = default;
    virtual void taskStarted(std::size_t task) { static_cast<void>(task); }
    virtual void taskEnded(std::size_t task, const std::string& reason) {
        static_cast<void>(task), static_cast<void>(reason);
    }
    virtual void roundStarted(std::size_t task, int round, int candidates) {
        static_cast<void>(task), static_cast<void>(round), static_cast<void>(candidates);
    }
    virtual void roundEnded(std::size_t task, const database::Round& round) {
        static_cast<void>(task), static_cast<void>(round);
    }
    virtual void recordCommitted(std::size_t task, const database::TuningRecord& record) {
        static_cast<void>(task), static_cast<void>(record);
    }
    /// `search`, `measure`, `train`, `idle`.
    virtual void phaseChanged(std::string_view phase) { static_cast<void>(phase); }
};

/// Makes the numeric check of a task; null when its results cannot be checked (then nothing is
/// verified, and `reason` says why).
struct ReferenceCheck {
    std::shared_ptr<const measure::NumericCheck> check;
    std::string reason;
};
using ReferenceMaker = std::function<ReferenceCheck(const TuneTask& task)>;

/// Everything the loop works with; not owned, valid while it runs.
struct TuneSetup {
    target::Target target;
    space::RuleSet rules;
    database::StoreWriter* store = nullptr;
    database::SessionId session;
    measure::Builder* builder = nullptr;
    measure::Runner* runner = nullptr;
    cost::CostModel* costModel = nullptr;
    base::Profiler* profiler = nullptr;
    std::vector<MeasureCallbackPtr> callbacks;
    ReferenceMaker reference;
    TuneControl* control = nullptr;   ///< null = runs to its end
    TuneObserver* observer = nullptr; ///< null = silent
};

/// How a task came out. Seconds of one call.
struct TaskResult {
    std::string name;
    database::TaskId id;
    double weight = 1;
    std::optional<database::Measurement> defaultMeasurement;
    std::optional<database::TuningRecord> best; ///< trial or default, whichever is faster
    std::int64_t trials = 0;
    std::vector<std::pair<std::string, std::int64_t>> failed; ///< status word → count
    bool verified = false;
    std::string endReason;
};

struct TuneResult {
    std::vector<TaskResult> tasks;
    std::int64_t trials = 0; ///< of all tasks, those of earlier sessions too
    std::int64_t newTrials = 0;
    double wallSeconds = 0;
    double searchSeconds = 0;
    double buildSeconds = 0;
    double runSeconds = 0;
    double trainSeconds = 0;
    std::int64_t candidates = 0; ///< made and scored
    RejectionCounts rejections;
    bool stopped = false; ///< by the control or the time limit, before the budget was used
    bool cancelled = false;
};

/// Tunes until the budget is used, every task ended, the time is up, or the control says stop.
/// Throws UserError for what makes a start impossible (a target without num-cores).
TuneResult tuneTasks(const std::vector<TuneTask>& tasks, const TuneOptions& options,
                     const TuneSetup& setup);

} // namespace tilewright::search
