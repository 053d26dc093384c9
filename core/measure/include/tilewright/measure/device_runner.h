// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/measure/device_list.h>
#include <tilewright/measure/runner.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::measure {

struct RunnerSettings {
    EvaluatorConfig evaluator;
    /// A candidate is killed after this time, loading and checking included.
    double timeoutSeconds = 30;
    /// Pause after each candidate, for boards that grow hot.
    double cooldownSeconds = 0;
    /// Sets of arguments that each candidate is timed on; samples are put together.
    int allocRepeat = 1;
    /// CPUs for local runners; empty: those of this process.
    std::vector<int> cpus;
    /// Address space that a local runner may take; 0: unlimited.
    std::uint64_t memoryLimitBytes = 0;
    /// A runner is replaced when it holds more than this on top of its arguments.
    std::uint64_t recycleBytes = std::uint64_t{512} << 20;
    /// Where to run; empty: this machine.
    std::vector<Device> devices;
    /// Command of the local runner; empty: tilewright-runner beside this program.
    std::vector<std::string> command;
};

/// Runs candidates through runner agents, one thread and one agent for each of its runners. What a
/// candidate does to its agent (crash, hang, wild write, out of memory) is a failure of that
/// candidate alone: the agent is replaced, and a crash in an agent that served others before is
/// tried once more in a fresh one. A candidate whose device went away is tried on another (or the
/// same, restarted); after losing two it ends as device-lost.
class DeviceRunner : public Runner {
public:
    explicit DeviceRunner(RunnerSettings settings = {});
    ~DeviceRunner() override;

    [[nodiscard]] std::string kind() const override { return "rpc"; }
    [[nodiscard]] int parallelism() const override;
    std::vector<RunnerFuture> run(std::vector<RunnerInput> inputs,
                                  std::stop_token stop = {}) override;
    /// Process ids of the agents (or their transports) that run now.
    [[nodiscard]] std::vector<int> workerProcesses() const;

private:
    class Pool;
    std::unique_ptr<Pool> pool_;
};

/// The runner on this machine (kind `local`).
class LocalRunner final : public DeviceRunner {
public:
    explicit LocalRunner(RunnerSettings settings = {}) : DeviceRunner(here(std::move(settings))) {}
    [[nodiscard]] std::string kind() const override { return "local"; }

private:
    static RunnerSettings here(RunnerSettings settings) {
        settings.devices = {localDevice()};
        return settings;
    }
};

} // namespace tilewright::measure
