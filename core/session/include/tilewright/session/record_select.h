// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/filter_syntax.h>
#include <tilewright/session/record_index.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// What records can be sorted by. Records without the value come last, whichever way it goes: a
/// failed one has no latency.
enum class RecordKey : std::uint8_t {
    Id,
    Latency,
    PlusMinus,
    Samples,
    Rate,
    RoofShare,
    Delta,
    Status,
    Task,
    Round,
    Trial,
    Predicted,
    Device,
    Session,
    Time,
    Tags,
};

struct RecordSort {
    RecordKey key = RecordKey::Latency;
    bool descending = false;
    bool operator==(const RecordSort&) const = default;
};

/// Which records, in which order.
struct RecordChoice {
    std::string filter;
    /// Bit i: records of RecordStatus i are among the rows.
    std::uint32_t statuses = (1U << database::kRecordStatusCount) - 1;
    std::vector<RecordSort> sort; ///< the first counts most; then the id
    Statistic statistic = Statistic::Median;
    std::map<std::int64_t, double> roofSeconds;     ///< of a task's call, at least
    std::map<std::int64_t, double> baselineSeconds; ///< of a task's call
    std::int64_t nowMs = 0;                         ///< what `age` counts from
};

struct RecordSelection {
    std::vector<std::uint32_t> rows; ///< of the index, in order
    /// All that fit the filter, whatever `statuses` says, by id.
    std::vector<std::uint32_t> matching;
    /// Of the records that fit the filter, whatever `statuses` says.
    std::array<std::int64_t, database::kRecordStatusCount> byStatus{};
    std::int64_t matched = 0; ///< records that fit the filter
    std::int64_t total = 0;   ///< records that could, deleted ones not counted
    /// Of a filter that does not parse; then there are no rows.
    std::optional<database::FilterProblem> problem;
};

/// Filters and sorts: a million records in some 10 ms each. Terms on traces, notes and messages
/// read the store through `loader` and take as long as that takes; without a loader nothing fits
/// them. `goOn` may say false to stop early.
RecordSelection selectRecords(const RecordIndex& index, const RecordChoice& choice,
                              const RecordIndexLoader* loader = nullptr,
                              const std::function<bool()>& goOn = {});

/// Latencies of records as a curve: the i-th one, by id, at x = i. Seconds.
struct RecordCurve {
    struct Point {
        double x = 0;
        double seconds = 0;
        std::int64_t id = 0;
    };
    struct Failure {
        double x = 0;
        database::RecordStatus status = database::RecordStatus::Ok;
        std::int64_t id = 0;
    };
    std::vector<Point> points;
    std::vector<Point> best; ///< where the best so far falls
    std::vector<Failure> failures;
    double median = 0;        ///< of the points, to choose a unit by
    std::int64_t thinned = 0; ///< only every so manieth point was taken; 1 = all
};
/// At most `most` points and failures each: then evenly chosen ones, and every improvement.
RecordCurve recordCurve(const RecordIndex& index, const RecordSelection& selection,
                        Statistic statistic, std::size_t most = 200000);

/// Half of the 95 % interval of a record's median; NaN when unknown.
double plusMinusOf(const RecordIndex& index, std::uint32_t row);
/// FLOP per second at the given time; NaN for operators that only move data.
double flopRateOf(const RecordIndex& index, std::uint32_t row, Statistic statistic);
/// Bytes per second of compulsory traffic; NaN when unknown.
double byteRateOf(const RecordIndex& index, std::uint32_t row, Statistic statistic);

} // namespace tilewright::session
