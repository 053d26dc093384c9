// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "../stop_signals.h"
#include "input_options.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/session/engine.h>

#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace tilewright::cli {

namespace {

session::EngineOptions readOptions(const Arguments& arguments) {
    session::EngineOptions options;
    options.input = arguments.value("INPUT");
    options.inputOptions = inputOptions(arguments);
    options.target = arguments.valueOr("--target", "host");
    options.workDir = requiredOption(arguments, "--work-dir");
    options.tasks = arguments.values("--task");
    options.builder = arguments.valueOr("--builder", options.builder);
    options.runner = arguments.valueOr("--runner", options.runner);
    options.database = arguments.valueOr("--database", options.database);
    options.costModel = arguments.valueOr("--cost-model", options.costModel);
    options.space = arguments.valueOr("--space", options.space);
    options.moduleEquality = arguments.valueOr("--module-equality", options.moduleEquality);
    if (arguments.has("--measure-callbacks"))
        options.measureCallbacks = {arguments.value("--measure-callbacks")};
    options.devices = arguments.value("--device");
    options.deviceList = arguments.value("--device-list");
    options.evaluator = measure::parseEvaluatorConfig(arguments.value("--evaluator"));
    search::TuneOptions& tune = options.tune;
    constexpr std::int64_t most = 1'000'000'000;
    tune.maxTrialsGlobal = arguments.integerOr("--max-trials-global", 1000, 0, most);
    tune.maxTrialsPerTask = arguments.integerOr("--max-trials-per-task", -1, 0, most);
    tune.numTrialsPerIter =
        static_cast<int>(arguments.integerOr("--num-trials-per-iter", 0, 1, 100000));
    tune.taskScheduler = arguments.valueOr("--task-scheduler", tune.taskScheduler);
    tune.strategy = arguments.valueOr("--strategy", tune.strategy);
    tune.seed = arguments.integerOr("--seed", 1, 0, INT32_MAX);
    if (arguments.has("--num-tuning-cores")) {
        tune.numTuningCores =
            static_cast<int>(arguments.integerOr("--num-tuning-cores", 1, 1, 4096));
        options.numTuningCoresGiven = true;
    }
    options.stopWithoutGain = arguments.integerOr("--stop-without-gain", 0, 1, most);
    tune.timeLimitSeconds = arguments.numberOr("--time-limit", 0);
    tune.postOptimization = arguments.valueOr("--post-optimization", "on") != "off";
    return options;
}

/// A line of progress on a terminal.
class Progress {
public:
    explicit Progress(bool quiet) : on_(!quiet && isatty(STDERR_FILENO) != 0) {}
    void show(const json::Value& event) {
        if (!on_ || event.at("event").asString() != "record")
            return;
        ++records_;
        std::fprintf(
            stderr, "\r\033[K%lld trials, %s: %s", records_, event.at("task").asString().c_str(),
            event.at("status").asString() == "ok" ? durationText(event.at("median_us")).c_str()
                                                  : event.at("status").asString().c_str());
        std::fflush(stderr);
    }
    ~Progress() {
        if (on_ && records_ > 0)
            std::fprintf(stderr, "\r\033[K");
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

private:
    bool on_;
    long long records_ = 0;
};

void printResult(const json::Value& result) {
    std::vector<std::vector<std::string>> rows;
    for (const json::Value& task : result.at("tasks").asArray()) {
        std::string speedup = "n/a";
        if (task.at("default_us").isNumber() && task.at("best_us").isNumber()) {
            char text[32];
            std::snprintf(text, sizeof text, "%.2fx",
                          task.at("default_us").asDouble() / task.at("best_us").asDouble());
            speedup = text;
        }
        std::string interval = "n/a";
        if (task.at("lo_us").isNumber() && task.at("hi_us").isNumber())
            interval = durationText(task.at("lo_us")) + " - " + durationText(task.at("hi_us"));
        rows.push_back({task.at("name").asString(), durationText(task.at("default_us")),
                        durationText(task.at("best_us")), interval, speedup,
                        std::to_string(task.at("trials").asInt()),
                        task.at("verified").asBool() ? "yes" : "no"});
    }
    printTable({"task", "default", "best", "95 % interval", "speed-up", "trials", "verified"},
               rows);
    std::printf("%lld trials in %.1f s, %s\n", static_cast<long long>(result.at("trials").asInt()),
                result.at("wall_s").asDouble(), result.at("state").asString().c_str());
}

int run(const Arguments& arguments) {
    const bool asJson = arguments.has("--json") || arguments.has("--events");
    const bool withEvents = arguments.has("--events");
    Progress progress(arguments.has("--quiet"));
    session::Engine engine(readOptions(arguments), [&](const json::Value& event) {
        if (withEvents)
            printJson(event);
        progress.show(event);
    });
    // The first signal ends the run in peace, the second one at once.
    const StopSignals signals([&](int count) {
        if (count == 1)
            engine.requestStop();
        else
            engine.requestCancel();
    });
    const json::Value result = engine.run();
    if (asJson)
        printJson(result);
    else
        printResult(result);
    if (signals.last() != 0)
        return 128 + signals.last();
    return engine.hasHopelessTask() ? kNoSchedule : kSuccess;
}

std::vector<OptionSpec> tuneOptions() {
    return {
        targetOption("host"),
        workDirOption(),
        {"--max-trials-global", "N", "Trials of all tasks together (default 1000)"},
        {"--max-trials-per-task", "N", "Trials of one task (default: no limit of its own)"},
        {"--num-trials-per-iter", "N", "Trials of one batch (default 64, less for small budgets)"},
        {"--task", "NAME", "Tune only tasks of this name or glob; may be repeated", true},
        {"--builder", "KIND", "local"},
        {"--runner", "KIND", "local or rpc"},
        {"--database", "KIND", "sqlite (default), or json: TVM's pair of files beside it"},
        {"--cost-model", "KIND", "xgb (default) or random"},
        {"--measure-callbacks", "KIND", "default"},
        {"--task-scheduler", "KIND", "gradient (default) or round-robin"},
        {"--space", "KIND", "post-order-apply (default) or the name of a rule set"},
        {"--strategy", "KIND", "evolutionary (default) or replay-trace"},
        {"--num-tuning-cores", "N", "Threads of the search (default: the physical cores)"},
        {"--seed", "N", "Random seed (default 1)"},
        {"--module-equality", "MODE", "structural (default), ignore-tensor or anchor-block"},
        {"--post-optimization", "on|off", "Measure the best few again at the end (default on)"},
        {"--evaluator", "SETTINGS",
         "number=3,repeat=1,min-repeat-ms=100,cpu-cache-flush,adaptive=off"},
        {"--device", "KEYS", "Devices of the device list, separated by commas"},
        {"--device-list", "FILE", "A device list in place of the user's own"},
        {"--time-limit", "S", "End after so many seconds"},
        {"--stop-without-gain", "N", "End a task after N trials in a row without a gain of 0.5 %"},
        shapeOption(),
        {"--events", "", "Print every event as a JSON line while it runs"},
        {"--quiet", "", "No progress"},
        jsonOption()};
}

} // namespace

CommandSpec tuneCommand() {
    CommandSpec spec;
    spec.name = "tune";
    spec.summary = "Tune an input; running it again on the same work directory goes on";
    spec.positionals = {inputPositional()};
    spec.options = tuneOptions();
    spec.examples = {
        "tilewright tune op:GMM:n=512,m=512,k=512 --work-dir work --max-trials-global 200",
        "tilewright tune model.onnx --target 'host -num-cores=1' --work-dir work",
        "tilewright tune 'suite:gmm_*,c2d_56*' --work-dir work --events"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
