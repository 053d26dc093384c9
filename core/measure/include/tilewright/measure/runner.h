// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/measure/arg_info.h>
#include <tilewright/measure/builder.h>
#include <tilewright/measure/evaluator_config.h>
#include <tilewright/measure/status.h>

#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tilewright::measure {

class NumericCheck;

/// What to run. The evaluator's settings belong to the runner; what differs from candidate to
/// candidate is here.
struct RunnerInput {
    std::shared_ptr<const Artifact> artifact;
    std::vector<ArgInfo> args;
    /// Threads for parallel loops: the target's num-cores.
    int threads = 1;
    /// Median of the task's best so far in seconds, 0 when there is none; for adaptive measuring.
    double bestSeconds = 0;
    /// Checked after timing when the median is below `checkBelowSeconds`: every new best is.
    std::shared_ptr<const NumericCheck> check;
    double checkBelowSeconds = std::numeric_limits<double>::infinity();
    /// False: only the check.
    bool time = true;
};

/// One timed sample.
struct Sample {
    /// Wall-clock time of one call.
    double seconds = 0;
    /// Share of the time that the kernel's threads waited while others had their cores.
    double otherCpu = 0;
    /// Calls timed together.
    int number = 0;
    bool operator==(const Sample&) const = default;
};

/// `samples` without a failure, or a failure (samples are kept with wrong-result, for the record).
struct RunnerResult {
    std::vector<Sample> samples;
    /// True when the evaluator's full number, repeat and min_repeat_ms were measured.
    bool fullMeasure = false;
    std::optional<Failure> failure;
    /// True when the numeric check was made and passed.
    bool verified = false;
    /// The largest relative error of the check, negative when it was not made.
    double maxRelativeError = -1;
    /// Key of the device that answered.
    std::string device;
    /// Wall-clock time on the device, queueing left out.
    double seconds = 0;

    /// Median of the samples in seconds; NaN without samples.
    [[nodiscard]] double medianSeconds() const;
};

/// A result to come. Never throws from get: failures are results.
class RunnerFuture {
public:
    RunnerFuture() = default;
    explicit RunnerFuture(std::shared_future<RunnerResult> future) : future_(std::move(future)) {}
    [[nodiscard]] bool done() const;
    void wait() const { future_.wait(); }
    /// Waits for the result.
    [[nodiscard]] RunnerResult result() const { return future_.get(); }

private:
    std::shared_future<RunnerResult> future_;
};

/// Runs compiled candidates; kind names as in MetaSchedule (`local`, `rpc`).
class Runner {
public:
    virtual ~Runner() = default;
    [[nodiscard]] virtual std::string kind() const = 0;
    /// Candidates that can run at the same time.
    [[nodiscard]] virtual int parallelism() const { return 1; }
    /// Queues inputs; futures in the inputs' order. When `stop` asks for it, what is not finished
    /// becomes `cancelled` within a fraction of a second. May be called from several threads.
    virtual std::vector<RunnerFuture> run(std::vector<RunnerInput> inputs,
                                          std::stop_token stop = {}) = 0;
};

} // namespace tilewright::measure
