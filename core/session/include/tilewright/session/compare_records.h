// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/session/decision_table.h>
#include <tilewright/session/side_by_side.h>
#include <tilewright/session/trace_diff.h>
#include <tilewright/session/verdict.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// A record of a work directory.
struct RecordRef {
    std::filesystem::path workDir;
    std::int64_t record = -1;
    bool operator==(const RecordRef&) const = default;
};

/// What a comparison shows of a record. Seconds of one call.
struct RecordFacts {
    RecordRef ref;
    std::string task;
    std::string status;
    std::string message;
    std::string target;
    std::string settings; ///< `AMD EPYC · LLVM 22.1.8`
    std::int64_t session = -1;
    std::optional<std::int64_t> trial;
    std::optional<int> round;
    std::optional<double> seconds;
    std::optional<double> plusMinus;
    std::int64_t samples = 0;
    double flop = 0;
    double bytes = 0;
    std::int64_t timeMs = 0;
    std::string device;
};

/// Several records, the first one being the baseline.
struct RecordComparison {
    std::vector<RecordFacts> records;
    std::vector<Judgement> judgements; ///< against the first; [0] is none
    std::string refusal;               ///< why they cannot be compared: different tasks
    TraceDiff trace;                   ///< of the first two
    /// The texts of trace.rows without the schedule's name, the words that differ marked.
    std::vector<SideRow> instructions;
    DecisionTable decisions;
    std::vector<SettingDifference> settings; ///< of the first two's sessions
    std::string notComparable;               ///< why times do not compare; decisions still do
};

/// Compares records, from one store or several. Records of different tasks are refused with the
/// reason; their times and settings are given all the same. Throws UserError naming the file or
/// the record that is not there.
RecordComparison compareRecords(const std::vector<RecordRef>& records, double threshold = 0.01,
                                Statistic statistic = Statistic::Median);

} // namespace tilewright::session
