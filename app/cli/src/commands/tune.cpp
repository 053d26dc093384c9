// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "../stop_signals.h"
#include "input_options.h"
#include "tune_progress.h"
#include "tune_settings.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/session/engine.h>

#include <cstdio>
#include <iostream>

namespace tilewright::cli {

namespace {

session::EngineOptions readOptions(const Arguments& arguments) {
    session::EngineOptions options;
    if (!arguments.has("INPUT"))
        throw base::UserError("usage", "INPUT is required");
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
    if (tune.timeLimitSeconds < 0)
        throw base::UserError("usage", "--time-limit: seconds are at least 0 (0 is no limit)");
    const std::string post = arguments.valueOr("--post-optimization", "on");
    if (post != "on" && post != "off")
        throw base::UserError("usage",
                              base::concat("--post-optimization: '", post, "' is not on or off"));
    tune.postOptimization = post == "on";
    return options;
}

/// Whether a task's best was checked; an unchecked one need not be wrong.
std::string verifiedText(const json::Value& task) {
    if (task.at("best_us").isNull())
        return "n/a";
    return task.at("verified").asBool() ? "yes" : "not checked";
}

/// `fresh`: trials of this run.
void printResult(const json::Value& result, std::int64_t fresh) {
    std::vector<std::vector<std::string>> rows;
    for (const json::Value& task : result.at("tasks").asArray()) {
        std::string speedup = "n/a";
        if (task.at("default_us").isNumber() && task.at("best_us").isNumber()) {
            char text[32];
            std::snprintf(text, sizeof text, "%.2fx",
                          task.at("default_us").asDouble() / task.at("best_us").asDouble());
            speedup = text;
        }
        std::int64_t failed = 0;
        for (const json::Member& member : task.at("failed").asObject())
            failed += member.value.asInt();
        rows.push_back({task.at("name").asString(), durationText(task.at("default_us")),
                        durationText(task.at("best_us")),
                        intervalText(task.at("lo_us"), task.at("hi_us"), task.at("n").asInt()),
                        speedup, std::to_string(task.at("trials").asInt()), std::to_string(failed),
                        verifiedText(task)});
    }
    printTable(
        {"task", "default", "best", "95 % interval", "speed-up", "trials", "failed", "verified"},
        rows);
    const std::int64_t trials = result.at("trials").asInt();
    const std::string& state = result.at("state").asString();
    if (fresh == 0 && trials > 0 && state == "finished")
        std::printf("nothing left to do: %lld trials were made before\n",
                    static_cast<long long>(trials));
    else
        std::printf("%lld trials, %lld of them in this run of %.1f s, %s\n",
                    static_cast<long long>(trials), static_cast<long long>(fresh),
                    result.at("wall_s").asDouble(), state.c_str());
}

/// A line for each task that ended with neither a schedule nor a working default.
void printHopeless(const json::Value& result) {
    for (const json::Value& task : result.at("tasks").asArray())
        if (task.at("best_us").isNull() && task.at("default_us").isNull())
            std::cerr << "tilewright tune: task " << task.at("name").asString() << ": nothing ran: "
                      << (task.at("reason").isString() ? task.at("reason").asString()
                                                       : "the run was stopped before")
                      << '\n';
}

std::vector<OptionSpec> tuneOptions();

int run(const Arguments& given) {
    const std::vector<TuneSetting> settings = tuneSettings(given, tuneOptions());
    if (given.has("--print-config")) {
        std::cout << settingsText(settings);
        return kSuccess;
    }
    const Arguments arguments = withSettings(given, settings);
    const bool asJson = arguments.has("--json") || arguments.has("--events");
    const bool withEvents = arguments.has("--events");
    const session::EngineOptions options = readOptions(arguments);
    TuneProgress progress(arguments.has("--quiet"), options.tune.maxTrialsGlobal);
    session::Engine engine(options, [&](const json::Value& event) {
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
    progress.clear();
    if (asJson)
        printJson(result);
    else
        printResult(result, progress.trials());
    if (signals.last() != 0)
        return 128 + signals.last();
    if (!engine.hasHopelessTask())
        return kSuccess;
    printHopeless(result);
    return kNoSchedule;
}

std::vector<OptionSpec> tuneOptions() {
    return {
        targetOption("host"),
        {"--work-dir", "DIR", "The work directory; required, here or in a file of settings"},
        {"--max-trials-global", "N", "Trials of all tasks together (default 1000)"},
        {"--max-trials-per-task", "N", "Trials of one task (default: no limit of its own)"},
        {"--num-trials-per-iter", "N", "Trials of one batch (default 64, less for small budgets)"},
        {"--task", "NAME", "Tune only tasks of this name or glob; may be repeated", true},
        oneOf({"--builder", "KIND", "local"}, {"local"}),
        oneOf({"--runner", "KIND", "local (default) or rpc"}, {"local", "rpc"}),
        oneOf({"--database", "KIND", "sqlite (default), or json: TVM's pair of files beside it"},
              {"sqlite", "json"}),
        oneOf({"--cost-model", "KIND", "xgb (default) or random"}, {"xgb", "random"}),
        oneOf({"--measure-callbacks", "KIND", "default"}, {"default"}),
        oneOf({"--task-scheduler", "KIND", "gradient (default) or round-robin"},
              {"gradient", "round-robin"}),
        {"--space", "KIND", "post-order-apply (default) or the name of a rule set"},
        oneOf({"--strategy", "KIND", "evolutionary (default) or replay-trace"},
              {"evolutionary", "replay-trace"}),
        {"--num-tuning-cores", "N", "Threads of the search (default: the physical cores)"},
        {"--seed", "N", "Random seed (default 1)"},
        oneOf({"--module-equality", "MODE", "structural (default), ignore-tensor or anchor-block"},
              {"structural", "ignore-tensor", "anchor-block"}),
        oneOf(
            {"--post-optimization", "on|off", "Measure the best few again at the end (default on)"},
            {"on", "off"}),
        {"--evaluator", "SETTINGS",
         "number=3,repeat=1,min-repeat-ms=100,cpu-cache-flush,adaptive=off"},
        {"--device", "KEYS", "Devices of the device list, separated by commas"},
        {"--device-list", "FILE", "A device list in place of the user's own"},
        {"--time-limit", "S", "End after so many seconds"},
        {"--stop-without-gain", "N", "End a task after N trials in a row without a gain of 0.5 %"},
        shapeOption(),
        {"--events", "", "Print every event as a JSON line while it runs"},
        {"--quiet", "", "No progress"},
        {"--config", "FILE", "Settings from a file, as --print-config writes it"},
        {"--print-config", "", "Print every setting with its value and origin, and end"},
        jsonOption()};
}

} // namespace

CommandSpec tuneCommand() {
    CommandSpec spec;
    spec.name = "tune";
    spec.summary = "Tune an input; running it again on the same work directory goes on";
    PositionalSpec input = inputPositional();
    input.required = false; // a file of settings may name it
    spec.positionals = {input};
    spec.options = tuneOptions();
    spec.examples = {
        "tilewright tune op:GMM:n=512,m=512,k=512 --work-dir work --max-trials-global 200",
        "tilewright tune model.onnx --target 'host -num-cores=1' --work-dir work",
        "tilewright tune 'suite:gmm_*,c2d_56*' --work-dir work --events",
        "tilewright tune op:GMM --work-dir work --seed 7 --print-config > run.toml",
        "tilewright tune --config run.toml"};
    spec.notes =
        "A setting is taken from the first of: its flag; --config FILE; the environment "
        "(--max-trials-global is TILEWRIGHT_MAX_TRIALS_GLOBAL); tilewright.toml or tilewright.ini "
        "in the work directory; the same in $XDG_CONFIG_HOME/tilewright/; the default. In files "
        "they stand below [tune], without the dashes. 'tilewright operators' lists what op: and "
        "suite: name.";
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
