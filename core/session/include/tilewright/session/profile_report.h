// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>
#include <tilewright/session/device_peaks.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// One operator of a profiled model, with all its calls. Seconds of all calls of a run.
struct ProfileRow {
    int first = 0; ///< position of its first call in a run, from 1
    std::string name;
    std::string tag;
    std::int64_t calls = 1;
    std::optional<double> startSeconds; ///< of the first call, in the run of the timeline
    double seconds = 0;                 ///< calls × median of one call
    std::optional<double> plusMinus;    ///< of seconds: half of the 95 % interval
    double share = 0;                   ///< of end to end, 0 … 1
    std::string shape;
    std::string dtype;
    std::string hash;         ///< of the workload, 8 hexadecimal digits; may be empty
    std::int64_t record = -1; ///< the record it was made from, -1 = the default schedule
    std::int64_t task = -1;   ///< id in the work directory
    std::vector<std::string> nodes;
    std::optional<double> flopRate; ///< nothing for operators that memory bounds
    std::optional<double> byteRate;
    std::optional<double> roofShare;
    bool memoryBound = false;
};

/// A call on the timeline. Seconds from the start of the run.
struct ProfileCall {
    std::string name;
    double start = 0;
    double duration = 0;
};

/// Whether the parts and the whole of a profile fit together.
enum class Reconciliation : std::uint8_t {
    Closed,  ///< operators + overhead = end to end
    Surplus, ///< the operators, timed one by one, take longer than the whole
};

/// A profile of a whole model.
struct ProfileReport {
    std::int64_t id = -1; ///< in the work directory, -1 = not stored
    std::string name;     ///< the input's
    std::string target;
    std::int64_t timeMs = 0; ///< since 1970 UTC; 0 = not known
    int threads = 1;
    std::vector<ProfileRow> rows; ///< by falling share
    double sumSeconds = 0;        ///< of the operators
    double overheadSeconds = 0;   ///< end to end − sum, at least 0
    double wholeSeconds = 0;      ///< end to end, median
    std::optional<double> wholePlusMinus;
    std::int64_t runs = 0;
    std::vector<ProfileCall> timeline; ///< of the run nearest to the median; may be empty
    Reconciliation reconciliation = Reconciliation::Closed;
    double gapShare = 0;    ///< (sum + overhead − whole) / whole
    std::string sentence;   ///< the reconciliation in words
    std::int64_t calls = 0; ///< of a run
};

/// Reads what `tilewright profile --json` printed (or a stored profile). Throws ParseError.
ProfileReport parseProfile(const json::Value& profile);

/// Adds what a work directory and peaks know: shapes, hashes, task ids, rates, roofs. Missing parts
/// stay empty.
void completeProfile(ProfileReport& report, const std::filesystem::path& workDir,
                     const std::filesystem::path& peaksFile = {});

/// Keeps a profile in the work directory; false when an engine owns it. Other problems are
/// UserError naming the file.
bool storeProfile(const std::filesystem::path& workDir, const std::string& name,
                  const json::Value& profile);

/// Stored profiles, newest first; rows that cannot be read are left out.
std::vector<ProfileReport> storedProfiles(const std::filesystem::path& workDir);

/// The timeline as a Chrome trace (JSON object format).
json::Value chromeTrace(const ProfileReport& report);

/// Where the search itself spent its time.
struct SearchPhase {
    std::string name; ///< `search`, `build`, `run`, `train`, `other`
    double seconds = 0;
    double share = 0;
    std::int64_t calls = 0; ///< rounds, trials, …; 0 = not counted
    [[nodiscard]] std::optional<double> mean() const;
};
struct SearchProfile {
    std::int64_t session = -1;
    std::string state;
    double totalSeconds = 0;
    std::vector<SearchPhase> phases; ///< by falling share
    std::string note;                ///< what is not known
};
/// Of one session (-1 = the newest): the engine's own account, of a session that has not ended its
/// rounds' sums. Nothing when there is no session.
std::optional<SearchProfile> readSearchProfile(const std::filesystem::path& workDir,
                                               std::int64_t session = -1);

} // namespace tilewright::session
