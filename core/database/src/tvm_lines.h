// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/database/module_codec.h>
#include <tilewright/database/record.h>
#include <tilewright/json/line_reader.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::database {

/// A line of `database_tuning_record.json`, its parts still JSON texts.
struct TvmRecordLine {
    std::int64_t workload = 0; ///< index of the workload's line, from 0
    std::string trace;
    std::optional<std::vector<double>> seconds;
    std::string target; ///< empty = null
    std::string args;   ///< empty = null
};

/// Reads the record at `offset` and moves it behind the record and the blanks after it.
base::Result<TvmRecordLine> readTvmRecord(std::string_view text, std::size_t& offset);
/// As above from the texts of the parts, which is how TVM's users keep them in SQLite.
base::Result<TvmRecordLine> readTvmRecord(std::int64_t workload, std::string_view trace,
                                          std::string_view seconds, std::string_view target,
                                          std::string_view args);
/// The record as MetaSchedule has it: status and measurement from run_secs.
TuningRecord recordFromTvm(TvmRecordLine line);

/// A line of `database_workload.json`.
struct TvmWorkloadLine {
    std::string line;  ///< as it came
    std::string graph; ///< the module's JSON graph
};
base::Result<TvmWorkloadLine> readTvmWorkload(std::string_view text, std::size_t& offset);
base::Result<TvmWorkloadLine> readTvmWorkload(std::string_view hash, std::string_view base64);

/// Calls `take` for the text of each line that holds anything: no blank lines, no `#` comments.
void forEachTvmLine(json::LineReader& reader,
                    const std::function<void(std::string_view text, std::int64_t number)>& take);

/// How a release spells instructions.
struct TvmEra {
    bool asStored = true;      ///< leave every trace as it is
    bool getBlock = false;     ///< `GetBlock` (before 0.24) instead of `GetSBlock`
    bool shortSplit = false;   ///< `Split` has one attribute (before 0.18)
    bool legacyModule = false; ///< modules as before 0.22
};
/// Throws UserError for a text that is no version, or one before 0.12.
TvmEra tvmEraOf(std::string_view version);

/// The lines that TVM would write, without the break.
std::string tvmRecordLine(std::int64_t workloadIndex, const TuningRecord& record,
                          const TvmEra& era);
/// Nothing when the workload has no TVM form (not imported, no codec).
std::optional<std::string> tvmWorkloadLine(const Workload& workload, const ModuleCodec& codec,
                                           const TvmEra& era);

} // namespace tilewright::database
