// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/session/device_peaks.h>
#include <tilewright/session/statistic.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// Which roof is over an operator.
enum class Bound : std::uint8_t { Unknown, Compute, Memory };
/// `unknown`, `compute`, `memory`.
std::string_view toString(Bound bound);

/// One operator of a model: a task with all its calls. Seconds are of one call unless it says so.
struct OperatorRow {
    std::int64_t task = -1; ///< id in the work directory
    std::string name;
    std::string tag;
    std::string shape;
    std::string dtype;
    std::vector<std::string> nodes;
    double weight = 1; ///< calls in a run
    double flop = 0;
    double bytes = 0;
    std::optional<double> defaultSeconds;
    std::optional<double> bestSeconds; ///< of the best record, else of the default
    std::optional<double> plusMinus;   ///< half of the median's 95 % interval
    std::int64_t samples = 0;
    std::int64_t record = -1; ///< the best record, -1 = none
    bool tuned = false;       ///< the best record is a trial, not the default schedule
    std::int64_t trials = 0;
    std::int64_t failed = 0;
    std::vector<double> curve;          ///< best so far after each trial, for sparklines
    std::optional<double> totalSeconds; ///< weight × best
    double share = 0;                   ///< of the model's time, 0 … 1
    double cumulative = 0;              ///< share of this and all longer operators
    Bound bound = Bound::Unknown;
    std::string roofName;              ///< `multiply-add 256 bits`, `L2`, …
    std::optional<double> roofSeconds; ///< the least that one call can take
    std::optional<double> roofShare;   ///< roofSeconds / bestSeconds
    /// Weighted seconds above the roof: share × distance to roof, what tuning can win at most.
    std::optional<double> headroomSeconds;
    std::optional<double> speedup;  ///< default / best
    std::optional<double> flopRate; ///< per second; nothing for operators that memory bounds
    std::optional<double> byteRate; ///< per second
    [[nodiscard]] double intensity() const { return bytes > 0 ? flop / bytes : 0; }
};

/// The sums of a report. Seconds of a run of the model.
struct OperatorTotals {
    std::optional<double> seconds;        ///< over operators with a result
    std::optional<double> defaultSeconds; ///< over the same
    std::optional<double> plusMinus;      ///< of seconds: root of the squares' sum
    std::optional<double> headroomSeconds;
    std::optional<double> roofShare; ///< weighted by time
    std::optional<double> speedup;
    double weight = 0;        ///< calls
    std::int64_t missing = 0; ///< operators without any result, not in the sums
    std::int64_t untuned = 0; ///< operators that count with their default schedule
};

/// A dot of the roofline.
struct RooflinePoint {
    std::int64_t task = -1;
    double intensity = 0; ///< FLOP per byte of compulsory traffic
    double flopRate = 0;
    std::optional<double> defaultFlopRate;
    double share = 0;
    Bound bound = Bound::Unknown;
};

enum class AdviceLevel : std::uint8_t { Note, Warning };

/// A finding with its evidence, as numbers (for a window that speaks other languages) and as text.
struct Advice {
    /// `not-vectorized`, `unaligned-tail`, `no-parallel-loop`, `parallel-extent`,
    /// `default-is-best`, `stagnated`, `layout-transforms`.
    std::string rule;
    std::string subject;     ///< name of the operator
    std::int64_t extent = 0; ///< of the loop
    std::int64_t lanes = 0;  ///< of a vector; in `parallel-extent` the number of cores
    std::int64_t rest = 0;   ///< lanes or cores that the last step uses
    std::int64_t trials = 0;
    std::int64_t failed = 0;
    double share = 0; ///< of the time, of the lanes, of the cores: 0 … 1
    AdviceLevel level = AdviceLevel::Note;
    std::int64_t task = -1; ///< -1 = about the model
    std::int64_t record = -1;
    std::string what;
    std::string evidence;
    std::optional<double> gainSeconds; ///< at most, of a run of the model
};

struct BottleneckReport {
    std::filesystem::path workDir;
    std::int64_t session = -1;
    std::string target;
    Statistic statistic = Statistic::Median;
    DevicePeaks peaks;
    std::vector<OperatorRow> rows; ///< by falling headroom, without peaks by falling time
    std::int64_t tasksTotal = 0;   ///< rows there would be without the filter
    OperatorTotals totals;
    std::vector<RooflinePoint> points;
    std::vector<Advice> advice; ///< by falling gain
};

struct BottleneckOptions {
    std::int64_t session = -1; ///< records of this session only; -1 = of all
    std::string filter; ///< rows are tasks with a record that matches; one that does not parse: all
    std::string target; ///< of the store's several; empty = that of the newest session
    Statistic statistic = Statistic::Median;
    std::filesystem::path peaksFile; ///< empty = the default cache
    bool theoretical = false;        ///< work peaks out when none were measured
    bool advice = true;              ///< replays the best records to look at their loops
};

/// Where a model's time goes. Throws UserError naming the file.
std::shared_ptr<const BottleneckReport> readBottlenecks(const std::filesystem::path& workDir,
                                                        const BottleneckOptions& options = {});

/// Fills in everything that follows from times and peaks: totals, shares, roofs, headroom, order,
/// points. Rows need task facts and times. Pure.
void rankOperators(BottleneckReport& report);

/// Seconds of a run of the model if one operator came to a share of its roof (0 … 1); nothing
/// where that is not known.
std::optional<double> secondsIfRoofShare(const BottleneckReport& report, std::int64_t task,
                                         double roofShare);

} // namespace tilewright::session
