// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/module_codec.h>
#include <tilewright/database/store_writer.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tilewright::database {

/// Something wrong in a store, in one line.
struct StoreProblem {
    std::string table; ///< empty = the file as a whole
    std::int64_t row = 0;
    std::string message;
};

/// Looks at everything: pages, indices, foreign keys, check sums, traces and targets that do not
/// parse. Empty = sound. Throws UserError only when the file cannot be opened as a store at all.
std::vector<StoreProblem> checkStore(const std::filesystem::path& workDir);

/// Copies a store into a new file, consistent even while an engine writes. Refuses to overwrite.
void backupStore(const std::filesystem::path& workDir, const std::filesystem::path& destination);

struct MergeReport {
    std::int64_t workloads = 0;  ///< new ones
    std::int64_t records = 0;    ///< copied
    std::int64_t duplicates = 0; ///< already there: same workload, trace, target and samples
    std::int64_t damaged = 0;
};
/// Adds the workloads, tasks and records of another work directory. The source stays as it is.
MergeReport mergeStore(const std::filesystem::path& source, StoreWriter& destination);

struct PruneOptions {
    int keepBest = 1; ///< valid records kept of each workload and target; 0 = none
    bool dropFailed = true;
    bool dropDeletedOnly = false; ///< only records that people deleted
};
/// Deletes records for good and gives the space back; marked ones (starred, pinned, tagged, noted)
/// stay. Returns how many went.
std::int64_t pruneStore(StoreWriter& writer, const PruneOptions& options);

} // namespace tilewright::database
