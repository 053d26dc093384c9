// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/runner.h>

#include <tilewright/measure/statistics.h>

#include <chrono>

namespace tilewright::measure {

double RunnerResult::medianSeconds() const {
    std::vector<double> perCall;
    perCall.reserve(samples.size());
    for (const Sample& sample : samples)
        perCall.push_back(sample.seconds);
    return median(perCall);
}

bool RunnerFuture::done() const {
    return future_.valid() &&
           future_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::vector<BuilderResult> Builder::build(std::span<const BuilderInput> inputs,
                                          std::stop_token stop) {
    std::vector<BuilderResult> results(inputs.size());
    // Each index is written by one thread; build() returns after all of them.
    build(
        inputs,
        [&results](std::size_t index, BuilderResult result) { results[index] = std::move(result); },
        std::move(stop));
    return results;
}

} // namespace tilewright::measure
