// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/session_rows.h>
#include <tilewright/session/doctor.h>
#include <tilewright/session/live_snapshot.h>
#include <tilewright/session/tuning_input.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

struct EngineOptions;

/// How much effort a session is given.
enum class Effort : std::uint8_t { Quick, Standard, Thorough, Custom };
/// `quick`, `standard`, `thorough`, `custom`.
std::string_view toString(Effort effort);

/// A session before it starts: what `tilewright tune` is told.
struct SessionPlan {
    std::string input;
    std::filesystem::path workDir;
    std::filesystem::path directory; ///< that `input` is relative to; empty = the current one
    std::string target = "host";
    std::map<std::string, std::vector<std::int64_t>> shapes;
    std::int64_t trials = 1000;
    std::int64_t trialsPerTask = -1;  ///< -1 = no limit of its own
    double timeLimitSeconds = 0;      ///< 0 = none
    std::int64_t stopWithoutGain = 0; ///< trials of a task without a gain that end it; 0 = never
    int trialsPerRound = 0;           ///< 0 = chosen by the budget
    std::vector<std::string> tasks;   ///< empty = all
    std::string costModel = "xgb";
    std::string strategy = "evolutionary";
    std::string taskScheduler = "gradient";
    std::int64_t seed = 1;
    int tuningCores = 0; ///< 0 = the physical cores
    std::string evaluator;
    std::string devices;
    std::string deviceList;
    bool confirmBest = true;
};

/// Trials and limits of a preset for so many tasks; Custom changes nothing.
void applyEffort(SessionPlan& plan, Effort effort, std::size_t tasks);

/// The arguments of `tilewright`, `tune` first; options at their defaults are left out.
std::vector<std::string> tuneArguments(const SessionPlan& plan);
/// A command line to paste into a shell.
std::string commandLine(const SessionPlan& plan);
/// One argument as a shell takes it literally.
std::string shellQuoted(std::string_view argument);

/// What the engine keeps of its options with the session (JSON), and back: the plan that goes on
/// with a stored session.
std::string optionsJson(const EngineOptions& options, const std::vector<std::string>& tasks);
SessionPlan planOfSession(const database::Session& session, const std::filesystem::path& workDir);

/// What the machine's last session says about speed. Kept in `$XDG_CACHE_HOME/tilewright`.
struct TuningSpeed {
    double secondsPerTrial = 0.25; ///< of wall time, all phases
    double low = 0.12;
    double high = 0.5;
    bool measured = false; ///< else assumed
    PhaseSeconds phases;   ///< of that session
};
std::filesystem::path tuningSpeedFile();
TuningSpeed readTuningSpeed(const std::filesystem::path& file = tuningSpeedFile());
/// Keeps the speed of a session with at least 16 trials; does nothing for others. Returns whether
/// it was kept.
bool keepTuningSpeed(const LiveSnapshot& snapshot,
                     const std::filesystem::path& file = tuningSpeedFile());

/// Wall time that a plan takes. Seconds.
struct PlanEstimate {
    double seconds = 0;
    double low = 0;
    double high = 0;
    bool limited = false;  ///< the time limit ends it, not the budget
    bool measured = false; ///< from this machine's last session, else assumed
    double trialsPerMinute = 0;
};
PlanEstimate estimatePlan(const SessionPlan& plan, const TuningSpeed& speed);

/// What is looked at before a start: the environment for the plan's directory, and whether the
/// plan's budget is used up already by what the directory holds.
std::vector<EnvironmentCheck> preflight(const SessionPlan& plan);
/// Builds and runs the default schedule of every task once, nothing stored. One check a task; Fail
/// carries the message. `progress` is told after each and may return false to end.
std::vector<EnvironmentCheck>
tryTasks(const SessionPlan& plan,
         const std::function<bool(std::size_t done, std::size_t all)>& progress = {});

} // namespace tilewright::session
