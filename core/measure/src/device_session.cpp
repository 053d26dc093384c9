// SPDX-License-Identifier: Apache-2.0
#include "device_session.h"

#include <tilewright/base/concat.h>
#include <tilewright/measure/numeric_check.h>
#include <tilewright/measure/statistics.h>
#include <tilewright/runtime/tensor_fill.h>

#include <algorithm>
#include <csignal>

namespace tilewright::measure {

namespace {

/// The runner's exit code after an allocation that its own code could not make.
constexpr int kExitNoMemory = 9;

std::string withRunners(std::string command) {
    for (const auto& [mark, program] :
         {std::pair<std::string, std::string>{"{runner}", "tilewright-runner"},
          {"{runner-riscv64}", "tilewright-runner-riscv64"}})
        for (auto at = command.find(mark); at != std::string::npos; at = command.find(mark))
            command.replace(at, mark.size(), findProgram(program));
    return command;
}

SpawnOptions spawnOptionsOf(const Device& device, const RunnerSettings& settings) {
    SpawnOptions options;
    options.dieWithThread = true;
    if (!device.command.empty()) {
        options.command = {"/bin/sh", "-c", withRunners(device.command)};
        return options;
    }
    options.command = settings.command;
    if (options.command.empty())
        options.command = {findProgram("tilewright-runner")};
    options.cpus = settings.cpus;
    options.memoryLimitBytes = settings.memoryLimitBytes;
    return options;
}

bool isCrashSignal(int signal) {
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
           signal == SIGABRT || signal == SIGSYS || signal == SIGTRAP;
}

runtime::TimingConfig timingConfigOf(const EvaluatorConfig& evaluator, double bestSeconds) {
    runtime::TimingConfig config;
    config.number = evaluator.number;
    config.repeat = evaluator.repeat;
    config.minRepeatMs = evaluator.minRepeatMs;
    config.cache = evaluator.coldCaches            ? runtime::CacheState::Cold
                   : evaluator.enableCpuCacheFlush ? runtime::CacheState::FlushArguments
                                                   : runtime::CacheState::Warm;
    config.bestSeconds = evaluator.adaptive ? bestSeconds : 0;
    config.worseFactor = evaluator.worseFactor;
    config.firstSampleMs = evaluator.firstSampleMs;
    config.nearFactor = evaluator.nearFactor;
    config.secondSampleMs = evaluator.secondSampleMs;
    return config;
}

} // namespace

DeviceSession::DeviceSession(const Device& device, const RunnerSettings& settings)
    : device_(device), settings_(settings), worker_(spawnOptionsOf(device, settings)) {}

RunnerResult DeviceSession::run(const RunnerInput& input, const std::stop_token& stop) {
    const bool servedOthers = worker_.running() && worker_.answered() > 0;
    RunnerResult result = attempt(input, stop);
    // Memory that another candidate spoiled may have brought the agent down.
    if (servedOthers && result.failure && result.failure->status == Status::RunCrash)
        result = attempt(input, stop);
    return result;
}

RunnerResult DeviceSession::attempt(const RunnerInput& input, const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    const Deadline deadline =
        start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(settings_.timeoutSeconds));
    RunnerResult result;
    result.device = device_.key;
    if (auto started = worker_.start(stop); !started) {
        result.failure = failureOf(started.error());
        return result;
    }
    if (prepare(input, deadline, stop, result) &&
        (!input.time || time(input, deadline, stop, result)) && input.check != nullptr &&
        (!input.time || result.medianSeconds() < input.checkBelowSeconds))
        check(input, deadline, stop, result);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

bool DeviceSession::prepare(const RunnerInput& input, Deadline deadline,
                            const std::stop_token& stop, RunnerResult& result) {
    runtime::LoadLibrary load;
    load.function = input.artifact->function;
    load.image = input.artifact->image;
    auto loaded = worker_.ask<runtime::Done>(std::move(load), deadline, stop);
    if (!loaded)
        result.failure = failureOf(loaded.error());
    return loaded.has_value();
}

bool DeviceSession::time(const RunnerInput& input, Deadline deadline, const std::stop_token& stop,
                         RunnerResult& result) {
    std::uint64_t argumentBytes = 0;
    for (int round = 0; round < std::max(1, settings_.allocRepeat); ++round) {
        runtime::SetArguments arguments;
        arguments.reuse = true;
        for (std::size_t i = 0; i < input.args.size(); ++i) {
            const auto type = runtime::parseElementType(input.args[i].dtype);
            if (!type) {
                result.failure =
                    Failure{Status::Run, base::concat("argument ", i, ": elements of ", "type ",
                                                      input.args[i].dtype, " cannot be filled")};
                return false;
            }
            const auto count = runtime::elementCount(input.args[i].shape);
            argumentBytes += static_cast<std::uint64_t>(count.value_or(0) * type->bytes());
            arguments.arguments.push_back(
                {*type,
                 input.args[i].shape,
                 runtime::timingFill(*type, static_cast<std::uint64_t>(round) * 1000 + i + 1),
                 {}});
        }
        auto set = worker_.ask<runtime::Done>(std::move(arguments), deadline, stop);
        if (!set) {
            result.failure = failureOf(set.error());
            return false;
        }
        runtime::Measure measure;
        measure.config = timingConfigOf(settings_.evaluator, input.bestSeconds);
        measure.threads = input.threads;
        auto measured = worker_.ask<runtime::Measured>(measure, deadline, stop);
        if (!measured) {
            result.failure = failureOf(measured.error());
            return false;
        }
        for (const runtime::TimingSample& sample : measured->timing.samples)
            result.samples.push_back({sample.seconds, sample.otherCpu, sample.number});
        result.fullMeasure = measured->timing.full;
        if (measured->residentBytes > settings_.recycleBytes + argumentBytes)
            worker_.shutDown();
        if (!result.fullMeasure)
            break;
    }
    return true;
}

bool DeviceSession::check(const RunnerInput& input, Deadline deadline, const std::stop_token& stop,
                          RunnerResult& result) {
    // Timing may have replaced an agent that had grown.
    if (!worker_.running()) {
        auto started = worker_.start(stop);
        if (!started) {
            result.failure = failureOf(started.error());
            return false;
        }
        if (!prepare(input, deadline, stop, result))
            return false;
    }
    runtime::SetArguments arguments;
    try {
        for (std::size_t i = 0; i < input.args.size(); ++i) {
            const auto type = runtime::parseElementType(input.args[i].dtype);
            arguments.arguments.push_back(
                {type.value_or(runtime::ElementType{}), input.args[i].shape,
                 NumericCheck::fillOf(input.args[i], i, input.check->seed()),
                 input.check->contentsOf(i)});
        }
    } catch (const base::UserError& error) {
        result.failure = Failure{Status::Run, error.diagnostic().message};
        return false;
    }
    auto set = worker_.ask<runtime::Done>(std::move(arguments), deadline, stop);
    if (!set) {
        result.failure = failureOf(set.error());
        return false;
    }
    runtime::Execute execute;
    execute.threads = input.threads;
    execute.outputs = input.check->outputs();
    auto executed = worker_.ask<runtime::Executed>(std::move(execute), deadline, stop);
    if (!executed) {
        result.failure = failureOf(executed.error());
        return false;
    }
    const NumericCheck::Verdict verdict = input.check->compare(executed->data);
    result.maxRelativeError = verdict.maxRelativeError;
    result.verified = verdict.passed;
    if (!verdict.passed)
        result.failure = Failure{Status::WrongResult, verdict.message};
    return verdict.passed;
}

base::Result<std::vector<std::string>, Failure> DeviceSession::executeOnce(
    const Artifact& artifact, std::vector<runtime::ArgumentSetting> arguments,
    const std::vector<std::uint32_t>& outputs, int threads, const std::stop_token& stop) {
    const Deadline deadline = std::chrono::steady_clock::now() +
                              std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                  std::chrono::duration<double>(settings_.timeoutSeconds));
    if (auto started = worker_.start(stop); !started)
        return base::Unexpected(failureOf(started.error()));
    runtime::LoadLibrary load;
    load.function = artifact.function;
    load.image = artifact.image;
    if (auto loaded = worker_.ask<runtime::Done>(std::move(load), deadline, stop); !loaded)
        return base::Unexpected(failureOf(loaded.error()));
    runtime::SetArguments set;
    set.arguments = std::move(arguments);
    if (auto done = worker_.ask<runtime::Done>(std::move(set), deadline, stop); !done)
        return base::Unexpected(failureOf(done.error()));
    runtime::Execute execute;
    execute.threads = threads;
    execute.outputs = outputs;
    auto executed = worker_.ask<runtime::Executed>(std::move(execute), deadline, stop);
    if (!executed)
        return base::Unexpected(failureOf(executed.error()));
    if (executed->code != 0)
        return base::Unexpected(
            Failure{Status::Run, base::concat("the kernel returned ", executed->code)});
    return std::move(executed->data);
}

Failure DeviceSession::failureOf(const WorkerError& error) const {
    switch (error.kind) {
    case WorkerError::Kind::Timeout:
        return {Status::RunTimeout,
                base::concat("the kernel was killed after ", settings_.timeoutSeconds, " seconds")};
    case WorkerError::Kind::Stopped:
        return {Status::Cancelled, "cancelled while it ran"};
    case WorkerError::Kind::Refused:
        return {error.refusedAs == "run-oom" ? Status::RunOom : Status::Run, error.message};
    case WorkerError::Kind::NotStarted:
    case WorkerError::Kind::Protocol:
        return {Status::DeviceLost, base::concat(device_.key, ": ", error.message)};
    case WorkerError::Kind::Crashed:
    case WorkerError::Kind::Exited:
        break;
    }
    if (error.toldSignal != 0)
        return {Status::RunCrash, error.message};
    if (error.exit &&
        (error.exit->code == kExitNoMemory || (isLocal() && error.exit->signal == SIGKILL)))
        return {Status::RunOom, base::concat("out of memory: ", error.message)};
    // An emulator ends by the guest's signal; a shell around it turns that into 128 + signal.
    const int signal = !error.exit               ? 0
                       : error.exit->signal != 0 ? error.exit->signal
                       : error.exit->code >= 128 ? error.exit->code - 128
                                                 : 0;
    if (isLocal() || isCrashSignal(signal))
        return {Status::RunCrash, error.message};
    return {Status::DeviceLost, base::concat(device_.key, ": ", error.message)};
}

} // namespace tilewright::measure
