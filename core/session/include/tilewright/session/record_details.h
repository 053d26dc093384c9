// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/session/compare_records.h>

#include <tilewright/database/store_reader.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::session {

/// All that an inspector shows of a record before code is asked for. Seconds.
struct RecordDetails {
    RecordFacts facts;
    database::RecordMarks marks;
    std::vector<std::string> pins; ///< baselines that are this record
    bool best = false;             ///< of its task and target
    std::string origin;
    std::optional<bool> verified;
    std::optional<double> predicted;
    std::optional<double> buildSeconds;
    std::optional<double> runSeconds;
    bool fullMeasure = false;
    std::vector<double> samples;
    std::vector<double> otherCpu; ///< share of the machine used by others, per sample
    std::vector<bool>
        outliers; ///< samples further than 1.5 interquartile ranges from the quartiles
    std::optional<double> median;
    std::optional<double> low;
    std::optional<double> high;
    std::optional<double> quartileLow;
    std::optional<double> quartileHigh;
    std::optional<RecordFacts> baseline;
    Judgement judgement;      ///< against the baseline
    std::string baselineText; ///< why there is nothing to say against it; empty when there is
    /// The record's decisions; with a comparable baseline of the same task that one's first.
    DecisionTable decisions;
    std::string decisionProblem; ///< a trace that this build cannot read
    std::string python;          ///< the trace as a schedule
    std::vector<std::pair<std::string, std::string>> environment; ///< name, value
    std::vector<SettingDifference> settings;                      ///< against the baseline
};

/// Reads them. Throws UserError: a file that cannot be read, no such record.
std::shared_ptr<const RecordDetails> readRecordDetails(const std::filesystem::path& workDir,
                                                       std::int64_t record,
                                                       const std::optional<RecordRef>& baseline,
                                                       Statistic statistic = Statistic::Median);

/// Features of a scheduled record: a column a store of the module.
struct RecordFeatures {
    std::vector<std::vector<double>> stores; ///< each with all features
};
RecordFeatures readRecordFeatures(const std::filesystem::path& workDir, std::int64_t record);

/// The baseline's seconds of one call for each task of a store, by task id of that store: a record
/// (`record` ≥ 0) or the best of a session.
std::vector<std::pair<std::int64_t, double>>
baselineSeconds(const std::filesystem::path& workDir, const std::filesystem::path& baselineDir,
                std::int64_t session, std::int64_t record, Statistic statistic);

} // namespace tilewright::session
