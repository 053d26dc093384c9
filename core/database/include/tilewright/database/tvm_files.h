// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/module_codec.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/store_writer.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::database {

/// A line (or row of TVM's SQLite files) that could not be taken, counted from 1.
struct SkippedLine {
    std::string file; ///< file name without folder
    std::int64_t line = 0;
    std::string reason;
};

struct TvmImportReport {
    std::int64_t workloads = 0;  ///< workload lines that were taken
    std::int64_t records = 0;    ///< records that were taken
    std::int64_t duplicates = 0; ///< records that the store had before
    std::vector<SkippedLine> skipped;
    /// Workloads that are kept as they came because their module could not be read.
    std::vector<SkippedLine> unreadableModules;
};

/// Imports TVM's pair of files from a folder (JSON; else the pair as SQLite files), any era, into
/// a store. What cannot be read is skipped and named: cut lines, records without their workload,
/// … Taken too: byte-order mark, CRLF, blank lines, `#` comments, several records on one line.
/// Throws UserError naming the file when one of the two is missing or unreadable as a whole, and
/// then imports nothing.
TvmImportReport importTvm(const std::filesystem::path& folder, StoreWriter& writer);

/// Hears how far a reading of files is, in bytes; returns false to give up.
using ImportProgress = std::function<bool(std::int64_t done, std::int64_t total)>;

/// As above for two JSON files of any names. Nothing = given up, and then nothing was imported.
std::optional<TvmImportReport> importTvmPair(const std::filesystem::path& workloadFile,
                                             const std::filesystem::path& recordFile,
                                             StoreWriter& writer,
                                             const ImportProgress& progress = {});

struct TvmExportOptions {
    /// `0.16`, …: spells instructions as that release does (GetBlock before 0.24, GetSBlock from
    /// it on); empty = each record as it is stored. Throws UserError outside 0.12 to 0.27.
    std::string era;
    RecordQuery query = {};
};

struct TvmExportReport {
    std::int64_t workloads = 0;
    std::int64_t records = 0;
    /// Workloads that have no TVM form, with their records left out.
    std::vector<SkippedLine> skipped;
};

/// Writes the pair into a folder (made when missing). Refuses to overwrite files that are there.
/// Imported lines are written as they came, records byte for byte as TVM would. Throws UserError,
/// leaving no files, when there are records and none of them could be written.
TvmExportReport exportTvm(const StoreReader& reader, const ModuleCodec& codec,
                          const std::filesystem::path& folder,
                          const TvmExportOptions& options = {});

/// Keeps TVM's pair beside a store up to date (`--database json`): rewritten at the start from the
/// store, which stays the truth, appended to after each commit.
class TvmPairMirror {
public:
    TvmPairMirror(StoreWriter& writer, std::string era = {});
    ~TvmPairMirror();
    TvmPairMirror(const TvmPairMirror&) = delete;
    /// Appends what was committed since the last call.
    void update();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tilewright::database
