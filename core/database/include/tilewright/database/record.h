// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/strong_id.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::database {

using WorkloadId = base::StrongId<struct WorkloadTag, std::int64_t>;
using TaskId = base::StrongId<struct TaskTag, std::int64_t>;
using RecordId = base::StrongId<struct RecordTag, std::int64_t>;
using SessionId = base::StrongId<struct SessionTag, std::int64_t>;

/// How a trial ended; the words of toString are stored, printed and filtered by.
enum class RecordStatus : std::uint8_t {
    Ok,
    Apply,
    Postproc,
    Build,
    BuildTimeout,
    Run,
    RunCrash,
    RunOom,
    RunTimeout,
    WrongResult,
    DeviceLost,
    Cancelled,
};
inline constexpr int kRecordStatusCount = 12;

/// `ok`, `apply`, `postproc`, `build`, `build-timeout`, `run`, `run-crash`, …
std::string_view toString(RecordStatus status);
std::optional<RecordStatus> recordStatusFromName(std::string_view name);

/// Where a record comes from. Only trials count against a budget and have a trial number.
enum class RecordOrigin : std::uint8_t { Trial, Default, Imported, Manual };
/// `trial`, `default` (the default schedule), `imported`, `manual` (edited by hand).
std::string_view toString(RecordOrigin origin);

/// MetaSchedule's mark of a failed measurement in run_secs.
inline constexpr double kFailedSeconds = 1e10;

/// A module that is tuned.
struct Workload {
    WorkloadId id;
    std::uint64_t hash = 0; ///< structural hash in the store's equality mode
    std::string name;       ///< what people call it; may be empty
    std::string module;     ///< TVMScript; empty when an imported module could not be read
    std::string tvmLine;    ///< the line of `database_workload.json` it came from, or empty
};

/// A task: a workload of a model with its weight, for one target.
struct Task {
    TaskId id;
    std::string name;
    WorkloadId workload;
    std::string target; ///< JSON, TVM's form
    double weight = 1;
    double flop = 0;  ///< of one call
    double bytes = 0; ///< compulsory traffic of one call
    std::string info; ///< JSON object with what the front end knows (nodes, shapes), or empty
};

/// Raw measurements and what was made of them. Seconds of one call.
struct Measurement {
    std::vector<double> seconds; ///< every sample, in order; kFailedSeconds as TVM stores it
    bool present = false;        ///< false: TVM's run_secs is null
    std::optional<double> median;
    std::optional<double> low;    ///< of the median's 95 % interval
    std::optional<double> high;   ///< of the median's 95 % interval
    std::vector<double> otherCpu; ///< share of the machine used by others, per sample; may be empty
    bool full = true;             ///< measured with the evaluator's full number and repeat
};

/// Median and its 95 % interval by order statistics (the extremes below six samples).
/// All samples must be finite; empty samples give a measurement without a median.
Measurement measurementOf(std::vector<double> seconds);

/// One trial: a trace of a workload and how it did.
struct TuningRecord {
    RecordId id; ///< given by the store on commit
    WorkloadId workload;
    TaskId task;
    std::string trace;    ///< JSON `[instructions,decisions]`, file form; empty when not asked for
    std::string target;   ///< JSON, TVM's form; empty = null
    std::string argsInfo; ///< JSON list of `["TENSOR","float32",[2,3]]`; empty = null
    RecordStatus status = RecordStatus::Ok;
    std::string message; ///< of a failure
    RecordOrigin origin = RecordOrigin::Trial;
    Measurement measurement;
    std::optional<std::int64_t> trial; ///< from 1; none unless origin is Trial
    std::optional<int> round;
    SessionId session;
    std::int64_t timeMs = 0; ///< since 1970-01-01 UTC; 0 = now when committed
    std::string device;
    std::optional<double> predicted; ///< the cost model's score when it was chosen
    std::optional<double> buildSeconds;
    std::optional<double> runSeconds;
    std::optional<bool> verified; ///< against the reference; none = not checked

    /// Filled in by readers.
    std::string taskName;
    std::string workloadName;
    std::uint64_t workloadHash = 0;
};

/// MetaSchedule's rule: the trace has an instruction before EnterPostproc and not every sample is
/// kFailedSeconds.
bool isValidRecord(const TuningRecord& record);
/// The mean of run_secs by which MetaSchedule ranks; kFailedSeconds when there are none.
double rankSeconds(const std::vector<double>& seconds);

} // namespace tilewright::database
