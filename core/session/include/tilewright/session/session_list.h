// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// One session of a work directory in a line.
struct SessionSummary {
    std::int64_t id = 0;
    std::string name;   ///< given by people; may be empty
    std::string input;  ///< what was tuned
    std::string target; ///< as given
    std::string state;  ///< `interrupted` when it says running but no engine is alive
    std::int64_t startedMs = 0;
    std::int64_t endedMs = 0;
    std::int64_t trials = 0;
    std::int64_t budget = 0;
    /// Sums of weight × latency over all tasks, in seconds: the default schedules, the best ones.
    /// Nothing before a session ended.
    std::optional<double> defaultSeconds;
    std::optional<double> bestSeconds;
};

/// A named baseline that is kept in the store.
struct PinSummary {
    std::string name;
    std::int64_t record = 0;
    std::string task;
    std::optional<double> medianSeconds;
};

/// What a work directory holds, for the Project dock and the list of recent files.
struct StoreOverview {
    std::filesystem::path workDir;
    int schemaVersion = 0;
    bool olderSchema = false; ///< is brought up to date, after a copy, when it is next written
    std::int64_t records = 0;
    std::int64_t failed = 0;
    std::int64_t tasks = 0;
    std::int64_t targets = 0;
    std::vector<SessionSummary> sessions; ///< oldest first
    std::vector<PinSummary> pins;
    std::optional<int> owner; ///< pid of the engine that works on it now
};

/// Reads the overview beside whoever writes. Throws UserError naming the file.
std::shared_ptr<const StoreOverview> readOverview(const std::filesystem::path& workDir);

} // namespace tilewright::session
