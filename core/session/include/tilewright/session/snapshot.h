// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// One task of a work directory as tables show it. Times in seconds of one call.
struct TaskRow {
    std::int64_t id = 0;
    std::string name;
    double weight = 1;
    double flop = 0;
    std::optional<double> defaultSeconds;
    std::optional<double> bestSeconds;
    std::int64_t trials = 0;
    std::int64_t failed = 0;
};

/// One record of a work directory as tables show it.
struct RecordRow {
    std::int64_t id = 0;
    std::int64_t task = 0;
    std::string taskName;
    std::string status;
    std::string message;
    std::optional<double> medianSeconds;
    std::optional<double> lowSeconds;
    std::optional<double> highSeconds;
    std::int64_t samples = 0;
    std::optional<std::int64_t> trial;
    std::int64_t timeMs = 0;
};

/// What a work directory held at one moment: an immutable value, shared with whoever shows it.
struct Snapshot {
    std::filesystem::path workDir;
    std::string state; ///< of the newest session; empty when there is none
    std::vector<TaskRow> tasks;
    std::vector<RecordRow> records; ///< in the order of their ids
};

/// Reads a work directory beside its engine, changing nothing. Throws UserError naming the file.
std::shared_ptr<const Snapshot> readSnapshot(const std::filesystem::path& workDir);

} // namespace tilewright::session
