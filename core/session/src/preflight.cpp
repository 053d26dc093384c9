// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/plan_session.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/codegen/llvm_cpu_features.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/measure/cpu_plan.h>
#include <tilewright/measure/device_runner.h>
#include <tilewright/measure/local_builder.h>
#include <tilewright/measure/measure_batch.h>
#include <tilewright/space/default_schedule.h>
#include <tilewright/target/host.h>
#include <tilewright/target/parse_target.h>

#include <algorithm>
#include <fnmatch.h>

namespace tilewright::session {

namespace {

EnvironmentCheck checkTarget(const SessionPlan& plan) {
    try {
        const target::Target target = target::parseTarget(plan.target);
        const target::HostInfo host = target::detectHost();
        const auto features = codegen::llvmCpuFeatures();
        const std::string found = base::concat(
            target.toText(), ", ", target::simdWidthBits(target, *features), "-bit vectors");
        if (!plan.devices.empty())
            return {"target", CheckState::Ok, found, {}};
        if (!target.isCpu() || target.architecture() != host.architecture)
            return {"target", CheckState::Fail, found,
                    base::concat("this machine is ", host.architecture,
                                 "; choose a device that runs the target's code")};
        return {"target", CheckState::Ok, found, {}};
    } catch (const base::UserError& error) {
        return {"target", CheckState::Fail, error.what(), "write it as: host -num-cores=1"};
    }
}

/// Whether the directory leaves something to do, and whether another engine is at work there.
void checkStore(const SessionPlan& plan, std::vector<EnvironmentCheck>& checks) {
    std::error_code error;
    if (!std::filesystem::exists(database::storeFile(plan.workDir), error)) {
        checks.push_back({"records", CheckState::Ok, "none yet", {}});
        return;
    }
    try {
        if (const auto owner = database::DirectoryLock::owner(plan.workDir))
            checks.push_back({"owner", CheckState::Fail,
                              base::concat("process ", *owner, " tunes this directory now"),
                              "attach to it, or choose another work directory"});
        const database::StoreReader reader(plan.workDir);
        std::int64_t trials = 0;
        for (const database::TaskSummary& task : reader.taskSummaries())
            trials += task.trials;
        const bool spent = trials >= plan.trials;
        checks.push_back(
            {"records", spent ? CheckState::Warn : CheckState::Ok,
             base::concat(trials, trials == 1 ? " trial is" : " trials are", " stored and count"),
             spent ? "the budget is used up already: raise the number of trials" : ""});
    } catch (const base::UserError& failure) {
        checks.push_back({"records", CheckState::Fail, failure.what(), {}});
    }
}

/// The nearest folder that is there.
std::filesystem::path existingFolder(std::filesystem::path path) {
    std::error_code error;
    path = std::filesystem::absolute(path, error);
    while (!path.empty() && path != path.root_path() && !std::filesystem::is_directory(path, error))
        path = path.parent_path();
    return path;
}

bool wanted(const SessionPlan& plan, const std::string& name) {
    return plan.tasks.empty() ||
           std::any_of(plan.tasks.begin(), plan.tasks.end(), [&](const std::string& glob) {
               return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
           });
}

/// Builds and runs default schedules once.
class TaskTrier {
public:
    explicit TaskTrier(const SessionPlan& plan)
        : target_(target::parseTarget(plan.target)),
          cpus_(measure::planCpus(target_.numCores().value_or(1), measure::allowedCpus())),
          builder_(oneWorker()), runner_(runnerSettings(plan, cpus_)),
          vectorBits_(std::max(64, target::simdWidthBits(target_, *codegen::llvmCpuFeatures()))) {
        if (!target_.numCores())
            target_ = target_.with("num-cores", json::Value(1));
    }

    EnvironmentCheck attempt(const search::TuneTask& task) {
        const schedule::Schedule sch = space::defaultSchedule(task.module, vectorBits_);
        measure::BatchInput input;
        input.build.module = sch.module();
        input.build.target = target_;
        const auto args = measure::argInfosOf(sch.module());
        if (!args)
            return {task.name, CheckState::Fail, args.error().message, {}};
        input.run.args = *args;
        input.run.threads = target_.numCores().value_or(1);
        input.run.time = false;
        measure::BatchOptions options;
        options.overlap = false;
        const measure::BatchResult result =
            measure::measureBatch(builder_, runner_, {std::move(input)}, options).front();
        if (result.status() == measure::Status::Ok)
            return {task.name, CheckState::Ok, "builds and runs", {}};
        const std::string message = result.run.failure ? result.run.failure->message : "";
        return {task.name, CheckState::Fail,
                base::concat(measure::toString(result.status()), ": ", message),
                "its trials would fail the same way"};
    }

private:
    static measure::BuilderSettings oneWorker() {
        measure::BuilderSettings settings;
        settings.maxWorkers = 1;
        return settings;
    }
    static measure::RunnerSettings runnerSettings(const SessionPlan& plan,
                                                  const measure::CpuPlan& cpus) {
        measure::RunnerSettings settings;
        settings.cpus = cpus.runnerCpus;
        settings.devices =
            plan.devices.empty()
                ? std::vector<measure::Device>{measure::localDevice()}
                : measure::selectDevices(measure::loadDevices(plan.deviceList), plan.devices);
        return settings;
    }

    target::Target target_;
    measure::CpuPlan cpus_;
    measure::LocalBuilder builder_;
    measure::DeviceRunner runner_;
    int vectorBits_;
};

} // namespace

std::vector<EnvironmentCheck> preflight(const SessionPlan& plan) {
    std::vector<EnvironmentCheck> checks{checkTarget(plan)};
    checkStore(plan, checks);
    for (EnvironmentCheck& check : examineEnvironment(existingFolder(plan.workDir)))
        checks.push_back(std::move(check));
    return checks;
}

std::vector<EnvironmentCheck>
tryTasks(const SessionPlan& plan,
         const std::function<bool(std::size_t done, std::size_t all)>& progress) {
    InputOptions options;
    options.shapes = plan.shapes;
    std::vector<search::TuneTask> tasks = openInput(plan.input, options).tasks;
    std::erase_if(tasks, [&](const search::TuneTask& task) { return !wanted(plan, task.name); });
    TaskTrier trier(plan);
    std::vector<EnvironmentCheck> checks;
    for (const search::TuneTask& task : tasks) {
        try {
            checks.push_back(trier.attempt(task));
        } catch (const base::UserError& error) {
            checks.push_back({task.name, CheckState::Fail, error.what(), {}});
        }
        if (progress && !progress(checks.size(), tasks.size()))
            break;
    }
    return checks;
}

} // namespace tilewright::session
