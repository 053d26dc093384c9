// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control_server.h"
#include "engine_events.h"
#include "event_log.h"
#include "gain_watch.h"
#include "request_queue.h"
#include "run_control.h"

#include <tilewright/session/engine.h>

#include <tilewright/database/store_writer.h>
#include <tilewright/measure/cpu_plan.h>
#include <tilewright/measure/device_runner.h>
#include <tilewright/measure/registry.h>

#include <chrono>
#include <mutex>
#include <optional>

namespace tilewright::session {

/// The state of one run. Members are declared in the order in which they depend on each other.
class Engine::Run {
public:
    Run(EngineOptions options, EventSink sink);
    json::Value run();
    [[nodiscard]] bool hasHopelessTask() const { return hopeless_; }
    RunControl control;

private:
    void selectTasks();
    void resolveTarget();
    void openSession();
    void makeWorkers();
    [[nodiscard]] std::unique_ptr<cost::CostModel> makeCostModel() const;
    [[nodiscard]] space::RuleSet chooseRules() const;
    search::TuneResult tune(cost::CostModel& costModel, EngineEvents& events);
    void setState(std::string state, const json::Value* result = nullptr);
    void watchRequests(EngineEvents& events);
    void serveRequests(bool betweenRounds, EngineEvents& events);
    json::Value carryOut(const json::Value& request, EngineEvents& events);
    void keepMark(const std::string& kind, json::Object info, const std::string& task = {});
    void keepRunState(std::string_view state, EngineEvents& events);
    void beat();
    [[nodiscard]] std::string failureReason(const search::TaskResult& task);
    [[nodiscard]] json::Value resultJson(const search::TuneResult& result, std::string_view state);
    [[nodiscard]] json::Value statusJson() const;

    EngineOptions options_;
    EventSink sink_;
    TuningInput input_;
    target::Target target_;
    std::unique_ptr<target::CpuFeatureSource> features_;
    std::optional<database::StoreWriter> store_;
    database::Session session_;
    measure::CpuPlan cpus_;
    measure::RunnerSettings runnerSettings_;
    std::unique_ptr<measure::Builder> builder_;
    std::unique_ptr<measure::Runner> runner_;
    base::Profiler profiler_;
    EventLog log_;
    RequestQueue requests_;
    GainWatch gains_;
    bool serving_ = false;   ///< a request is being carried out
    std::int64_t runMs_ = 0; ///< when this run began
    std::filesystem::path socketPath_;
    std::chrono::steady_clock::time_point lastBeat_{};
    bool hopeless_ = false;

    mutable std::mutex statusMutex_; ///< guards state_
    std::string state_ = "queued";
};

} // namespace tilewright::session
