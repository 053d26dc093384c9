// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/device_runner.h>

#include <tilewright/base/concat.h>

#include "device_session.h"
#include "job_queue.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace tilewright::measure {

namespace {

/// A candidate that lost this many devices is given up: it may be what brings them down.
constexpr int kMaxLosses = 2;
constexpr auto kRestartPause = std::chrono::milliseconds(200);

} // namespace

class DeviceRunner::Pool {
public:
    explicit Pool(RunnerSettings settings) : settings_(std::move(settings)) {
        if (settings_.devices.empty())
            settings_.devices = {localDevice()};
        std::size_t count = 0;
        for (const Device& device : settings_.devices)
            count += static_cast<std::size_t>(std::max(1, device.runners));
        processes_ = std::vector<std::atomic<int>>(count);
        std::size_t slot = 0;
        for (const Device& device : settings_.devices)
            for (int i = 0; i < std::max(1, device.runners); ++i, ++slot)
                threads_.emplace_back(
                    [this, &device, &process = processes_[slot]](const std::stop_token& stop) {
                        serve(device, process, stop);
                    });
    }

    ~Pool() {
        for (std::jthread& thread : threads_)
            thread.request_stop();
        threads_.clear();
        while (auto job = jobs_.tryPop())
            job->promise->set_value(cancelled());
    }

    [[nodiscard]] int parallelism() const { return static_cast<int>(threads_.size()); }

    std::vector<RunnerFuture> run(std::vector<RunnerInput> inputs, const std::stop_token& stop) {
        std::vector<RunnerFuture> futures;
        for (RunnerInput& input : inputs) {
            TW_CHECK(input.artifact != nullptr) << "a runner input without an artifact";
            Job job{std::move(input), std::make_shared<std::promise<RunnerResult>>(), stop, 0};
            futures.emplace_back(job.promise->get_future().share());
            jobs_.push(std::move(job));
        }
        return futures;
    }

    [[nodiscard]] std::vector<int> workerProcesses() const {
        std::vector<int> processes;
        for (const auto& process : processes_)
            if (process.load() > 0)
                processes.push_back(process.load());
        return processes;
    }

private:
    struct Job {
        RunnerInput input;
        std::shared_ptr<std::promise<RunnerResult>> promise;
        std::stop_token stop;
        int losses = 0;
    };

    static RunnerResult cancelled() {
        RunnerResult result;
        result.failure = Failure{Status::Cancelled, "cancelled before it ran"};
        return result;
    }

    void serve(const Device& device, std::atomic<int>& process, const std::stop_token& poolStop) {
        DeviceSession session(device, settings_);
        while (auto job = jobs_.pop(poolStop)) {
            const EitherStop stop(poolStop, job->stop);
            RunnerResult result =
                stop.token().stop_requested() ? cancelled() : session.run(job->input, stop.token());
            process.store(session.processId());
            const bool lost = result.failure && result.failure->status == Status::DeviceLost;
            if (lost && ++job->losses < kMaxLosses) {
                jobs_.pushFront(std::move(*job));
                // Others get the chance to take it; with one device this is the pause before the
                // restart.
                std::this_thread::sleep_for(kRestartPause);
                continue;
            }
            if (lost)
                result.failure->message +=
                    base::concat(" (given up after ", kMaxLosses, " devices went away)");
            job->promise->set_value(std::move(result));
            if (settings_.cooldownSeconds > 0)
                std::this_thread::sleep_for(
                    std::chrono::duration<double>(settings_.cooldownSeconds));
        }
        session.shutDown();
    }

    RunnerSettings settings_;
    JobQueue<Job> jobs_;
    std::vector<std::atomic<int>> processes_;
    std::vector<std::jthread> threads_;
};

DeviceRunner::DeviceRunner(RunnerSettings settings)
    : pool_(std::make_unique<Pool>(std::move(settings))) {}
DeviceRunner::~DeviceRunner() = default;

int DeviceRunner::parallelism() const {
    return pool_->parallelism();
}

std::vector<RunnerFuture> DeviceRunner::run(std::vector<RunnerInput> inputs, std::stop_token stop) {
    return pool_->run(std::move(inputs), stop);
}

std::vector<int> DeviceRunner::workerProcesses() const {
    return pool_->workerProcesses();
}

} // namespace tilewright::measure
