// SPDX-License-Identifier: Apache-2.0
#include "engine_run.h"

#include <tilewright/base/concat.h>
#include <tilewright/codegen/compile.h>
#include <tilewright/codegen/llvm_cpu_features.h>
#include <tilewright/database/maintenance.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/tvm_files.h>
#include <tilewright/json/dump.h>
#include <tilewright/session/control_socket.h>
#include <tilewright/session/module_codec.h>
#include <tilewright/session/plan_session.h>
#include <tilewright/session/record_json.h>
#include <tilewright/session/reference_check.h>
#include <tilewright/target/host.h>
#include <tilewright/target/parse_target.h>

#include <algorithm>
#include <fnmatch.h>
#include <thread>
#include <unistd.h>

namespace tilewright::session {

Engine::Run::Run(EngineOptions options, EventSink sink)
    : options_(std::move(options)), sink_(std::move(sink)), features_(codegen::llvmCpuFeatures()),
      gains_(options_.stopWithoutGain),
      runMs_(std::chrono::duration_cast<std::chrono::milliseconds>(
                 std::chrono::system_clock::now().time_since_epoch())
                 .count()) {}

void Engine::Run::resolveTarget() {
    target_ = target::parseTarget(options_.target);
    if (target_.kind() == "llvm")
        codegen::checkTarget(target_);
    const auto cores = target_.numCores();
    if (!cores)
        target_ = target_.with("num-cores", json::Value(1));
    options_.tune.threads = static_cast<std::size_t>(target_.numCores().value_or(1));
    options_.tune.vectorBits = std::max(64, target::simdWidthBits(target_, *features_));
    if (!options_.numTuningCoresGiven)
        options_.tune.numTuningCores = std::max(1, target::detectHost().physicalCores);
}

void Engine::Run::selectTasks() {
    if (options_.tasks.empty())
        return;
    TuningInput selected = input_;
    selected.tasks.clear();
    for (const std::string& glob : options_.tasks) {
        bool any = false;
        for (const search::TuneTask& task : input_.tasks) {
            if (fnmatch(glob.c_str(), task.name.c_str(), 0) != 0)
                continue;
            any = true;
            const bool known =
                std::any_of(selected.tasks.begin(), selected.tasks.end(),
                            [&](const search::TuneTask& t) { return t.name == task.name; });
            if (!known)
                selected.tasks.push_back(task);
        }
        if (!any) {
            std::vector<std::string> names;
            for (const search::TuneTask& task : input_.tasks)
                names.push_back(task.name);
            throw base::UserError("option",
                                  base::concat("--task: no task matches '", glob,
                                               "'; there are: ", base::join(names, ", ")));
        }
    }
    input_.tasks = std::move(selected.tasks);
}

void Engine::Run::openSession() {
    database::StoreReader reader(store_->connection());
    for (const database::Session& known : reader.sessions())
        if (known.input == options_.input && known.target == options_.target &&
            known.seed == options_.tune.seed)
            session_ = known;
    session_.input = options_.input;
    session_.target = options_.target;
    session_.seed = options_.tune.seed;
    session_.budget = options_.tune.maxTrialsGlobal;
    session_.state = "running";
    std::vector<std::string> names;
    for (const search::TuneTask& task : input_.tasks)
        names.push_back(task.name);
    session_.options = optionsJson(options_, names);
    const target::HostInfo host = target::detectHost();
    json::Object environment;
    environment.set("cpu", host.cpuBrand);
    environment.set("cpu_name", host.cpuName);
    environment.set("cores", host.physicalCores);
    environment.set("llvm", codegen::llvmVersion());
    session_.environment = json::dump(json::Value(std::move(environment)));
    if (session_.id.valid()) {
        session_.endedMs = 0;
        store_->updateSession(session_);
    } else {
        session_.id = store_->beginSession(session_);
    }
    for (const database::Session& known : reader.sessions())
        if (known.id == session_.id)
            session_.startedMs = known.startedMs;
}

void Engine::Run::makeWorkers() {
    cpus_ = measure::planCpus(static_cast<int>(options_.tune.threads), measure::allowedCpus());
    options_.tune.overlapBuilds = cpus_.overlap;
    measure::BuilderSettings builderSettings;
    builderSettings.cpus = cpus_.builderCpus;
    builder_ = measure::builtinBuilders().create(options_.builder, builderSettings);
    runnerSettings_.evaluator = options_.evaluator;
    runnerSettings_.cpus = cpus_.runnerCpus;
    if (!options_.devices.empty()) {
        runnerSettings_.devices =
            measure::selectDevices(measure::loadDevices(options_.deviceList), options_.devices);
        if (options_.runner == "local")
            options_.runner = "rpc";
    }
    runner_ = measure::builtinRunners().create(options_.runner, runnerSettings_);
}

std::unique_ptr<cost::CostModel> Engine::Run::makeCostModel() const {
    if (options_.costModel == "xgb") {
        cost::XgbSettings settings;
        settings.threads = 1;
        return cost::makeXgbModel(settings);
    }
    if (options_.costModel == "random")
        return cost::makeRandomModel(options_.tune.seed);
    throw base::UserError("cost-model-kind", base::concat("no cost model '", options_.costModel,
                                                          "'; accepted are: xgb, random"));
}

space::RuleSet Engine::Run::chooseRules() const {
    if (options_.space == "post-order-apply")
        return space::makeRuleSet(target_, *features_);
    return space::makeRuleSet(options_.space);
}

void Engine::Run::setState(std::string state, const json::Value* result) {
    {
        const std::lock_guard lock(statusMutex_);
        state_ = state;
    }
    session_.state = std::move(state);
    if (result)
        session_.result = json::dump(*result);
    store_->updateSession(session_);
    lastBeat_ = {};
    beat();
}

void Engine::Run::beat() {
    const auto now = std::chrono::steady_clock::now();
    if (now - lastBeat_ < std::chrono::seconds(1))
        return;
    lastBeat_ = now;
    database::Heartbeat heartbeat = database::ownHeartbeat();
    heartbeat.socket = socketPath_.string();
    heartbeat.state = session_.state;
    heartbeat.session = session_.id;
    store_->writeHeartbeat(heartbeat);
}

json::Value Engine::Run::statusJson() const {
    json::Object object;
    object.set("schema", "tilewright/status/1");
    object.set("ok", true);
    object.set("pid", static_cast<std::int64_t>(getpid()));
    object.set("work_dir", std::filesystem::absolute(options_.workDir).string());
    object.set("input", options_.input);
    object.set("session", session_.id.value);
    {
        const std::lock_guard lock(statusMutex_);
        std::string state = state_;
        if (state == "running" && control.stopping())
            state = "stopping";
        else if (state == "running" && control.paused())
            state = "paused";
        object.set("state", state);
    }
    return json::Value(std::move(object));
}

search::TuneResult Engine::Run::tune(cost::CostModel& costModel, EngineEvents& events) {
    search::TuneSetup setup;
    setup.target = target_;
    setup.rules = chooseRules();
    setup.store = &*store_;
    setup.session = session_.id;
    setup.builder = builder_.get();
    setup.runner = runner_.get();
    setup.costModel = &costModel;
    setup.profiler = &profiler_;
    for (const std::string& callback : options_.measureCallbacks) {
        if (callback != "default" && callback != "update-cost-model")
            throw base::UserError("option",
                                  base::concat("--measure-callbacks: no callback '", callback,
                                               "'; accepted are default, update-cost-model"));
        setup.callbacks.push_back(search::updateCostModel(&costModel, &profiler_));
    }
    setup.reference = [this](const search::TuneTask& task) {
        measure::RunnerSettings local;
        local.cpus = cpus_.runnerCpus;
        return makeReferenceCheck(task, *builder_, local);
    };
    setup.control = &control;
    setup.observer = &events;
    return search::tuneTasks(input_.tasks, options_.tune, setup);
}

json::Value Engine::Run::run() {
    resolveTarget();
    input_ = openInput(options_.input, options_.inputOptions);
    selectTasks();
    if (options_.database != "sqlite" && options_.database != "json")
        throw base::UserError("database-kind", base::concat("no database kind '", options_.database,
                                                            "'; accepted are: sqlite, json"));
    const std::unique_ptr<cost::CostModel> costModel = makeCostModel();
    static_cast<void>(chooseRules());
    store_.emplace(options_.workDir, makeModuleCodec(options_.moduleEquality));
    openSession();
    makeWorkers();
    socketPath_ = controlSocketPath(options_.workDir);
    std::vector<std::string> names;
    for (const search::TuneTask& task : input_.tasks)
        names.push_back(task.name);
    const ControlServer server(
        socketPath_, control, requests_, log_, [this] { return statusJson(); }, names);
    EngineEvents events(log_, sink_, input_.tasks);
    watchRequests(events);
    std::optional<database::TvmPairMirror> pair;
    if (options_.database == "json")
        pair.emplace(*store_);
    events.afterEvent = [&] {
        if (pair)
            pair->update();
        beat();
        serveRequests(false, events);
    };
    control.onWait = [&](bool waiting) {
        setState(waiting ? "paused" : "running");
        keepRunState(waiting ? "paused" : "running", events);
    };
    setState("running");
    json::Object mark;
    mark.set("state", "running");
    mark.set("run_ms", runMs_);
    keepMark("session", std::move(mark));
    events.sessionStarted(session_, runMs_);
    search::TuneResult result;
    try {
        result = tune(*costModel, events);
    } catch (const base::UserError& error) {
        session_.endedMs = 0;
        requests_.close();
        setState("failed");
        events.error(error.what());
        keepRunState("failed", events);
        throw;
    }
    const std::string state = result.cancelled || result.stopped ? "stopped" : "finished";
    const json::Value json = resultJson(result, state);
    serveRequests(true, events);
    requests_.close();
    setState(state, &json);
    keepRunState(state, events);
    return json;
}

/// Why nothing of a task ran: what its first record says, else why the search ended.
std::string Engine::Run::failureReason(const search::TaskResult& task) {
    database::RecordQuery query;
    query.filter = base::concat("task:\"", task.name, "\"");
    query.limit = 1;
    const auto page = database::StoreReader(store_->connection()).records(query);
    if (page.records.empty() || page.records.front().message.empty())
        return task.endReason;
    const database::TuningRecord& first = page.records.front();
    return base::concat(database::toString(first.status), ": ", first.message);
}

json::Value Engine::Run::resultJson(const search::TuneResult& result, std::string_view state) {
    json::Array tasks;
    for (const search::TaskResult& task : result.tasks) {
        json::Object row;
        row.set("name", task.name);
        row.set("weight", task.weight);
        row.set("default_us", microseconds(task.defaultMeasurement ? task.defaultMeasurement->median
                                                                   : std::nullopt));
        const database::Measurement* best = task.best ? &task.best->measurement : nullptr;
        row.set("best_us", microseconds(best ? best->median : std::nullopt));
        row.set("lo_us", microseconds(best ? best->low : std::nullopt));
        row.set("hi_us", microseconds(best ? best->high : std::nullopt));
        row.set("n", best ? best->seconds.size() : 0);
        row.set("trials", task.trials);
        json::Object failed;
        for (const auto& [status, count] : task.failed)
            failed.set(status, count);
        row.set("failed", std::move(failed));
        row.set("verified", task.verified);
        const bool hopeless = !best && !task.defaultMeasurement;
        hopeless_ = hopeless_ || hopeless;
        const std::string reason = hopeless ? failureReason(task) : task.endReason;
        row.set("reason", reason.empty() ? json::Value() : json::Value(reason));
        tasks.emplace_back(std::move(row));
    }
    json::Object object;
    object.set("schema", "tilewright/tune/1");
    object.set("tasks", std::move(tasks));
    object.set("trials", result.trials);
    object.set("wall_s", result.wallSeconds);
    const double other = result.wallSeconds - result.searchSeconds - result.buildSeconds -
                         result.runSeconds - result.trainSeconds;
    json::Object seconds;
    seconds.set("search", result.searchSeconds);
    seconds.set("build", result.buildSeconds);
    seconds.set("run", result.runSeconds);
    seconds.set("train", result.trainSeconds);
    seconds.set("other", std::max(0.0, other));
    object.set("seconds", std::move(seconds));
    const double searched = result.searchSeconds * options_.tune.numTuningCores;
    object.set("candidates", result.candidates);
    object.set("candidates_per_s",
               searched > 0 ? json::Value(static_cast<double>(result.candidates) / searched)
                            : json::Value());
    object.set("trials_per_s",
               result.wallSeconds > 0
                   ? json::Value(static_cast<double>(result.newTrials) / result.wallSeconds)
                   : json::Value());
    json::Object rejections;
    for (const auto& [reason, count] : result.rejections.counts())
        rejections.set(reason, count);
    object.set("rejections", std::move(rejections));
    object.set("state", state);
    return json::Value(std::move(object));
}

} // namespace tilewright::session
