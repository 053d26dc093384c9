// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>
#include <tilewright/measure/evaluator_config.h>
#include <tilewright/search/tune.h>
#include <tilewright/session/tuning_input.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// Everything a tuning run can be told, under MetaSchedule's names.
struct EngineOptions {
    std::string input;
    InputOptions inputOptions;
    std::string target = "host";
    std::filesystem::path workDir;
    search::TuneOptions tune; ///< cores, vector bits and threads are filled in from the target
    bool numTuningCoresGiven = false;
    std::vector<std::string> tasks; ///< names or globs of the tasks to tune; empty = all
    std::string builder = "local";
    std::string runner = "local";
    std::string database = "sqlite"; ///< `json` writes TVM's pair too
    std::string costModel = "xgb";
    std::string space = "post-order-apply"; ///< or a rule set's name
    std::vector<std::string> measureCallbacks{"default"};
    std::string moduleEquality = "structural";
    measure::EvaluatorConfig evaluator;
    std::string devices;    ///< keys, comma-separated; empty = this machine
    std::string deviceList; ///< file; empty = the default one
    /// A task ends after so many trials without a gain of half a per cent; 0 = never.
    std::int64_t stopWithoutGain = 0;
};

/// One tuning run: owns the store of its directory, the workers and the control socket. Lives in
/// one thread, except for the request functions.
class Engine {
public:
    /// Called with each event, already an object with `event`, `v`, `seq`, `t`; in the run's
    /// thread.
    using EventSink = std::function<void(const json::Value& event)>;

    explicit Engine(EngineOptions options, EventSink sink = {});
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Tunes to the end and returns the result object of the command line's contract. Throws
    /// UserError for what makes a start impossible.
    json::Value run();
    /// Whether some task ended with neither a schedule nor a working default.
    [[nodiscard]] bool hasHopelessTask() const;

    // May be called from any thread (not from signal handlers).
    void requestPause();
    void requestResume();
    /// Ends after the batch in flight.
    void requestStop();
    /// Ends at once; what is in flight is not stored.
    void requestCancel();

private:
    class Run;
    std::unique_ptr<Run> run_;
};

} // namespace tilewright::session
