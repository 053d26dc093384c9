// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/measure/builder.h>
#include <tilewright/measure/runner.h>

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

namespace tilewright::measure {

/// A candidate to build and run.
struct BatchInput {
    BuilderInput build;
    /// The artifact is filled in when it is built.
    RunnerInput run;
};

/// What became of it: the runner's result, or the builder's failure in its place.
struct BatchResult {
    RunnerResult run;
    std::shared_ptr<const Artifact> artifact;
    double buildSeconds = 0;

    [[nodiscard]] Status status() const { return run.failure ? run.failure->status : Status::Ok; }
};

struct BatchOptions {
    /// Run the first candidates while others are built (CpuPlan::overlap); else all builds come
    /// first.
    bool overlap = true;
    /// Called in the caller's thread just before a candidate goes to the runner, to bring
    /// bestSeconds and the check up to date with the results so far.
    std::function<void(std::size_t index, RunnerInput& input)> beforeRun;
    /// Called in the caller's thread for each candidate when its result is known.
    std::function<void(std::size_t index, const BatchResult& result)> onResult;
};

/// Seconds that a batch spent, for the profiler: together they are the batch's wall-clock time;
/// `build` is the time in which no candidate ran because none was built yet.
struct BatchTimes {
    double build = 0;
    double run = 0;
    double other = 0;
};

/// Builds and runs a batch; results in the inputs' order. Every input gets a result, also when
/// `stop` asks for an end: then what is not finished is `cancelled`.
std::vector<BatchResult> measureBatch(Builder& builder, Runner& runner,
                                      std::vector<BatchInput> inputs, const BatchOptions& options,
                                      std::stop_token stop = {}, BatchTimes* times = nullptr);

} // namespace tilewright::measure
