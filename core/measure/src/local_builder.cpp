// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/local_builder.h>

#include <tilewright/base/concat.h>
#include <tilewright/ir/printer.h>
#include <tilewright/measure/worker.h>

#include "job_queue.h"

#include <algorithm>
#include <atomic>
#include <latch>
#include <sched.h>
#include <thread>

namespace tilewright::measure {

namespace {

int usableCpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

Failure failureOf(const WorkerError& error, double timeoutSeconds) {
    switch (error.kind) {
    case WorkerError::Kind::Timeout:
        return {Status::BuildTimeout,
                base::concat("the build was killed after ", timeoutSeconds, " seconds")};
    case WorkerError::Kind::Stopped:
        return {Status::Cancelled, "cancelled while it was built"};
    case WorkerError::Kind::Refused:
        return {Status::Build, error.message};
    case WorkerError::Kind::Crashed:
    case WorkerError::Kind::Exited:
        return {Status::Build, base::concat("the compiler crashed: ", error.message)};
    case WorkerError::Kind::NotStarted:
    case WorkerError::Kind::Protocol:
        break;
    }
    return {Status::Build, error.message};
}

} // namespace

class LocalBuilder::Pool {
public:
    explicit Pool(BuilderSettings settings) : settings_(std::move(settings)) {
        const int cpus =
            settings_.cpus.empty() ? usableCpus() : static_cast<int>(settings_.cpus.size());
        const int count = settings_.maxWorkers > 0 ? settings_.maxWorkers : cpus;
        processes_ = std::vector<std::atomic<int>>(static_cast<std::size_t>(count));
        if (settings_.command.empty())
            settings_.command = {findProgram("tilewright-builder")};
        for (int i = 0; i < count; ++i)
            threads_.emplace_back([this, i](const std::stop_token& stop) {
                serve(processes_[static_cast<std::size_t>(i)], stop);
            });
    }

    void build(std::span<const BuilderInput> inputs, const OnResult& onResult,
               const std::stop_token& stop) {
        // Shared, because the last worker may still be inside count_down when wait returns.
        const auto left = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(inputs.size()));
        for (std::size_t i = 0; i < inputs.size(); ++i)
            jobs_.push({&inputs[i], i, &onResult, left, stop});
        left->wait();
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
        const BuilderInput* input;
        std::size_t index;
        const OnResult* onResult;
        std::shared_ptr<std::latch> left;
        std::stop_token stop;
    };

    void serve(std::atomic<int>& process, const std::stop_token& poolStop) {
        SpawnOptions options;
        options.command = settings_.command;
        options.cpus = settings_.cpus;
        options.memoryLimitBytes = settings_.memoryLimitBytes;
        options.dieWithThread = true;
        Worker worker(options);
        while (auto job = jobs_.pop(poolStop)) {
            const EitherStop stop(poolStop, job->stop);
            const auto start = std::chrono::steady_clock::now();
            BuilderResult result;
            if (stop.token().stop_requested())
                result.failure = Failure{Status::Cancelled, "cancelled before it was built"};
            else
                result = buildOne(worker, *job->input, stop.token());
            result.seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            process.store(worker.processId());
            (*job->onResult)(job->index, std::move(result));
            job->left->count_down();
        }
        worker.shutDown();
    }

    BuilderResult buildOne(Worker& worker, const BuilderInput& input, const std::stop_token& stop) {
        BuilderResult result;
        runtime::Build request;
        try {
            request.function = input.module.entryName();
            request.target = input.target.toText();
            request.script = ir::print(input.module);
        } catch (const std::exception& error) {
            // The seam between our code and a worker thread: nothing may pass it.
            result.failure = Failure{Status::Build, error.what()};
            return result;
        }
        request.options = settings_.codegenOptions;
        if (auto started = worker.start(stop); !started) {
            result.failure = failureOf(started.error(), settings_.timeoutSeconds);
            return result;
        }
        const auto deadline = std::chrono::steady_clock::now() +
                              std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                  std::chrono::duration<double>(settings_.timeoutSeconds));
        auto built = worker.ask<runtime::Built>(std::move(request), deadline, stop);
        if (!built) {
            result.failure = failureOf(built.error(), settings_.timeoutSeconds);
            return result;
        }
        result.artifact = std::make_shared<const Artifact>(
            Artifact{std::move(built->image), std::move(built->function)});
        if (built->residentBytes > settings_.recycleBytes)
            worker.shutDown();
        return result;
    }

    BuilderSettings settings_;
    JobQueue<Job> jobs_;
    std::vector<std::atomic<int>> processes_;
    std::vector<std::jthread> threads_;
};

LocalBuilder::LocalBuilder(BuilderSettings settings)
    : pool_(std::make_unique<Pool>(std::move(settings))) {}
LocalBuilder::~LocalBuilder() = default;

void LocalBuilder::build(std::span<const BuilderInput> inputs, const OnResult& onResult,
                         std::stop_token stop) {
    pool_->build(inputs, onResult, stop);
}

std::vector<int> LocalBuilder::workerProcesses() const {
    return pool_->workerProcesses();
}

} // namespace tilewright::measure
