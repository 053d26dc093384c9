// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/plan_session.h>

#include "shell_text.h"

#include "event_reading.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/engine.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace tilewright::session {

namespace {

std::string numberText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string evaluatorText(const measure::EvaluatorConfig& evaluator) {
    const measure::EvaluatorConfig usual;
    if (evaluator == usual)
        return {};
    std::vector<std::string> parts;
    if (evaluator.number != usual.number)
        parts.push_back(base::concat("number=", evaluator.number));
    if (evaluator.repeat != usual.repeat)
        parts.push_back(base::concat("repeat=", evaluator.repeat));
    if (evaluator.minRepeatMs != usual.minRepeatMs)
        parts.push_back("min-repeat-ms=" + numberText(evaluator.minRepeatMs));
    if (evaluator.enableCpuCacheFlush)
        parts.emplace_back("cpu-cache-flush");
    if (!evaluator.adaptive)
        parts.emplace_back("adaptive=off");
    return base::join(parts, ",");
}

} // namespace

std::string_view toString(Effort effort) {
    constexpr std::string_view words[] = {"quick", "standard", "thorough", "custom"};
    return words[static_cast<std::size_t>(effort)];
}

void applyEffort(SessionPlan& plan, Effort effort, std::size_t tasks) {
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(tasks, 1));
    switch (effort) {
    case Effort::Quick:
        // What is confirmed at the end takes its time too: 30 s in all.
        plan.trials = std::max<std::int64_t>(64, 16 * count);
        plan.timeLimitSeconds = 24;
        plan.stopWithoutGain = 0;
        break;
    case Effort::Standard:
        plan.trials = std::max<std::int64_t>(256, 200 * count);
        plan.timeLimitSeconds = 0;
        plan.stopWithoutGain = 0;
        break;
    case Effort::Thorough:
        plan.trials = std::max<std::int64_t>(2000, 1500 * count);
        plan.timeLimitSeconds = 0;
        plan.stopWithoutGain = 0;
        break;
    case Effort::Custom:
        break;
    }
}

std::vector<std::string> tuneArguments(const SessionPlan& plan) {
    const SessionPlan usual;
    std::vector<std::string> out{"tune", plan.input};
    const auto add = [&](std::string_view name, std::string value) {
        out.emplace_back(name);
        out.push_back(std::move(value));
    };
    add("--target", plan.target);
    add("--work-dir", plan.workDir.string());
    add("--max-trials-global", std::to_string(plan.trials));
    if (plan.trialsPerTask >= 0)
        add("--max-trials-per-task", std::to_string(plan.trialsPerTask));
    if (plan.timeLimitSeconds > 0)
        add("--time-limit", numberText(plan.timeLimitSeconds));
    if (plan.stopWithoutGain > 0)
        add("--stop-without-gain", std::to_string(plan.stopWithoutGain));
    if (plan.trialsPerRound > 0)
        add("--num-trials-per-iter", std::to_string(plan.trialsPerRound));
    for (const std::string& task : plan.tasks)
        add("--task", task);
    for (const auto& [name, shape] : plan.shapes) {
        std::vector<std::string> dims;
        for (const std::int64_t dim : shape)
            dims.push_back(std::to_string(dim));
        add("--shape", base::concat(name, "=", base::join(dims, ",")));
    }
    if (plan.costModel != usual.costModel)
        add("--cost-model", plan.costModel);
    if (plan.strategy != usual.strategy)
        add("--strategy", plan.strategy);
    if (plan.taskScheduler != usual.taskScheduler)
        add("--task-scheduler", plan.taskScheduler);
    if (plan.seed != usual.seed)
        add("--seed", std::to_string(plan.seed));
    if (plan.tuningCores > 0)
        add("--num-tuning-cores", std::to_string(plan.tuningCores));
    if (!plan.evaluator.empty())
        add("--evaluator", plan.evaluator);
    if (!plan.devices.empty())
        add("--device", plan.devices);
    if (!plan.deviceList.empty())
        add("--device-list", plan.deviceList);
    if (!plan.confirmBest)
        add("--post-optimization", "off");
    return out;
}

std::string shellQuoted(std::string_view argument) {
    constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=./:,@%";
    if (!argument.empty() && argument.find_first_not_of(harmless) == std::string_view::npos)
        return std::string(argument);
    return inQuotes(argument);
}

std::string commandLine(const SessionPlan& plan) {
    std::string line = "tilewright";
    for (const std::string& argument : tuneArguments(plan))
        line += " " + shellQuoted(argument);
    return line;
}

std::string optionsJson(const EngineOptions& options, const std::vector<std::string>& tasks) {
    const search::TuneOptions& tune = options.tune;
    json::Object details;
    details.set("max_trials_global", tune.maxTrialsGlobal);
    details.set("max_trials_per_task", tune.maxTrialsPerTask);
    details.set("num_trials_per_iter", tune.numTrialsPerIter);
    details.set("strategy", tune.strategy);
    details.set("task_scheduler", tune.taskScheduler);
    details.set("cost_model", options.costModel);
    details.set("time_limit_s", tune.timeLimitSeconds);
    details.set("stop_without_gain", options.stopWithoutGain);
    details.set("num_tuning_cores", options.numTuningCoresGiven ? tune.numTuningCores : 0);
    details.set("post_optimization", tune.postOptimization);
    details.set("evaluator", evaluatorText(options.evaluator));
    details.set("devices", options.devices);
    details.set("device_list", options.deviceList);
    details.set("task_globs", json::Value::array(options.tasks));
    details.set("tasks", json::Value::array(tasks));
    json::Object shapes;
    for (const auto& [name, shape] : options.inputOptions.shapes)
        shapes.set(name, json::Value::array(shape));
    details.set("shapes", std::move(shapes));
    std::error_code error;
    details.set("directory", std::filesystem::current_path(error).string());
    return json::dump(json::Value(std::move(details)));
}

SessionPlan planOfSession(const database::Session& session, const std::filesystem::path& workDir) {
    const json::Value options = parsedOrNull(session.options);
    SessionPlan plan;
    plan.input = session.input;
    plan.target = session.target;
    plan.workDir = workDir;
    plan.seed = session.seed;
    plan.trials = integerIn(options, "max_trials_global").value_or(session.budget);
    plan.trialsPerTask = integerIn(options, "max_trials_per_task").value_or(-1);
    plan.trialsPerRound = static_cast<int>(integerIn(options, "num_trials_per_iter").value_or(0));
    plan.timeLimitSeconds = numberIn(options, "time_limit_s").value_or(0);
    plan.stopWithoutGain = integerIn(options, "stop_without_gain").value_or(0);
    plan.tuningCores = static_cast<int>(integerIn(options, "num_tuning_cores").value_or(0));
    plan.confirmBest = flagIn(options, "post_optimization").value_or(true);
    plan.evaluator = textIn(options, "evaluator");
    plan.devices = textIn(options, "devices");
    plan.deviceList = textIn(options, "device_list");
    plan.directory = textIn(options, "directory");
    const auto keep = [&](std::string& to, std::string_view key) {
        if (const std::string text = textIn(options, key); !text.empty())
            to = text;
    };
    keep(plan.strategy, "strategy");
    keep(plan.taskScheduler, "task_scheduler");
    keep(plan.costModel, "cost_model");
    if (const json::Value* globs = options.find("task_globs"); globs && globs->isArray())
        for (const json::Value& glob : globs->asArray())
            if (glob.isString())
                plan.tasks.push_back(glob.asString());
    if (const json::Value* shapes = options.find("shapes"); shapes && shapes->isObject())
        for (const json::Member& member : shapes->asObject())
            if (member.value.isArray())
                for (const json::Value& dim : member.value.asArray())
                    if (dim.isInteger())
                        plan.shapes[member.key].push_back(dim.asInt());
    return plan;
}

std::filesystem::path tuningSpeedFile() {
    return peaksCacheFile().parent_path() / "tuning-speed.json";
}

TuningSpeed readTuningSpeed(const std::filesystem::path& file) {
    TuningSpeed speed;
    std::ifstream in(file);
    const json::Value value = parsedOrNull(
        std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
    const auto seconds = numberIn(value, "s_per_trial");
    if (!seconds || !(*seconds > 0) || !std::isfinite(*seconds))
        return speed;
    speed.secondsPerTrial = *seconds;
    speed.low = std::min(*seconds, numberIn(value, "low").value_or(*seconds * 0.8));
    speed.high = std::max(*seconds, numberIn(value, "high").value_or(*seconds * 1.3));
    speed.measured = true;
    speed.phases.search = numberIn(value, "search_s").value_or(0);
    speed.phases.build = numberIn(value, "build_s").value_or(0);
    speed.phases.run = numberIn(value, "run_s").value_or(0);
    speed.phases.train = numberIn(value, "train_s").value_or(0);
    speed.phases.other = numberIn(value, "other_s").value_or(0);
    return speed;
}

bool keepTuningSpeed(const LiveSnapshot& snapshot, const std::filesystem::path& file) {
    constexpr std::int64_t least = 16;
    if (snapshot.trials < least || snapshot.elapsed <= 0)
        return false;
    const double perTrial = snapshot.elapsed / static_cast<double>(snapshot.trials);
    json::Object object;
    object.set("s_per_trial", perTrial);
    object.set("low", perTrial * 0.8);
    object.set("high", perTrial * 1.3);
    object.set("search_s", snapshot.phases.search);
    object.set("build_s", snapshot.phases.build);
    object.set("run_s", snapshot.phases.run);
    object.set("train_s", snapshot.phases.train);
    object.set("other_s", snapshot.phases.other);
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    const std::filesystem::path fresh = file.string() + ".new";
    {
        std::ofstream out(fresh);
        out << json::dump(json::Value(std::move(object))) << '\n';
        if (!out)
            return false;
    }
    std::filesystem::rename(fresh, file, error);
    return !error;
}

PlanEstimate estimatePlan(const SessionPlan& plan, const TuningSpeed& speed) {
    // Confirming the best few at the end, and starting.
    constexpr double around = 4;
    PlanEstimate out;
    const auto trials = static_cast<double>(plan.trials);
    out.seconds = around + trials * speed.secondsPerTrial;
    out.low = around + trials * speed.low;
    out.high = around + trials * speed.high;
    out.measured = speed.measured;
    out.trialsPerMinute = 60 / speed.secondsPerTrial;
    if (plan.timeLimitSeconds > 0) {
        const double limit = plan.timeLimitSeconds + around;
        out.limited = out.seconds > limit;
        out.seconds = std::min(out.seconds, limit);
        out.low = std::min(out.low, limit);
        out.high = std::min(out.high, limit + 4);
    }
    return out;
}

} // namespace tilewright::session
