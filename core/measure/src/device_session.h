// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/measure/device_runner.h>
#include <tilewright/measure/worker.h>

#include <stop_token>
#include <string>

namespace tilewright::measure {

/// One agent of one device and the candidates it is given. Owned by one thread.
class DeviceSession {
public:
    DeviceSession(const Device& device, const RunnerSettings& settings);

    /// Runs one candidate. A result of device-lost says that the device, not the candidate, failed.
    RunnerResult run(const RunnerInput& input, const std::stop_token& stop);
    /// Loads an artifact and calls it once; contents of `outputs` afterwards.
    base::Result<std::vector<std::string>, Failure>
    executeOnce(const Artifact& artifact, std::vector<runtime::ArgumentSetting> arguments,
                const std::vector<std::uint32_t>& outputs, int threads,
                const std::stop_token& stop);
    [[nodiscard]] int processId() const { return worker_.processId(); }
    void shutDown() { worker_.shutDown(); }

private:
    RunnerResult attempt(const RunnerInput& input, const std::stop_token& stop);
    /// The steps of an attempt; each returns false after writing the failure into `result`.
    bool prepare(const RunnerInput& input, Deadline deadline, const std::stop_token& stop,
                 RunnerResult& result);
    bool time(const RunnerInput& input, Deadline deadline, const std::stop_token& stop,
              RunnerResult& result);
    bool check(const RunnerInput& input, Deadline deadline, const std::stop_token& stop,
               RunnerResult& result);
    [[nodiscard]] Failure failureOf(const WorkerError& error) const;
    [[nodiscard]] bool isLocal() const { return device_.command.empty(); }

    Device device_;
    const RunnerSettings& settings_;
    Worker worker_;
};

} // namespace tilewright::measure
