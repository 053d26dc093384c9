// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/timing.h>

#include "run_delay.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

namespace tilewright::runtime {

double monotonicSeconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

namespace {

constexpr std::int32_t kMaxNumber = 1 << 24;

double threadCpuSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// One measurement in progress.
class Sampler {
public:
    Sampler(const std::function<std::int32_t()>& run, const std::function<void()>& prepare,
            const TimingConfig& config)
        : run_(run), prepare_(prepare), config_(config) {}

    [[nodiscard]] std::int32_t code() const { return code_; }

    bool warmUp() {
        const double start = monotonicSeconds();
        code_ = run_();
        estimate_ = monotonicSeconds() - start;
        return code_ == 0;
    }

    /// Takes one sample of at least `number` calls and `minSeconds`, disturbed ones again; but not
    /// when it would be above `hopeless` even without the disturbance.
    TimingSample take(std::int32_t number, double minSeconds, double hopeless = HUGE_VAL) {
        TimingSample best = takeOnce(number, minSeconds);
        for (int i = 0;
             i < config_.maxRetakes && code_ == 0 && best.otherCpu > config_.maxOtherCpu &&
             best.seconds * (1 - best.otherCpu) <= hopeless;
             ++i) {
            const TimingSample again = takeOnce(number, minSeconds);
            if (again.otherCpu < best.otherCpu)
                best = again;
        }
        return best;
    }

private:
    TimingSample takeOnce(std::int32_t number, double minSeconds) {
        if (config_.cache == CacheState::Cold)
            return timeBatch(1);
        // The estimate spares the rounds of growing batches; it is only trusted downwards.
        const double wanted = estimate_ > 0 ? minSeconds / estimate_ * 1.02 + 1 : 1;
        number = std::max(number, static_cast<std::int32_t>(std::min(wanted, kMaxNumber * 1.0)));
        for (int round = 0; round < 100; ++round) {
            TimingSample sample = timeBatch(number);
            const double duration = sample.seconds * number;
            if (code_ != 0 || duration >= minSeconds || number >= kMaxNumber)
                return sample;
            const double grown =
                std::max(minSeconds / std::max(sample.seconds, 1e-12) + 1, number * 1.618);
            number = static_cast<std::int32_t>(std::min(grown, kMaxNumber * 1.0));
        }
        return timeBatch(number);
    }

    TimingSample timeBatch(std::int32_t number) {
        if (prepare_)
            prepare_();
        TimingSample sample;
        sample.number = number;
        const double delayBefore = runDelaySeconds();
        const double cpuBefore = threadCpuSeconds();
        const double start = monotonicSeconds();
        for (std::int32_t i = 0; i < number && code_ == 0; ++i)
            code_ = run_();
        const double duration = monotonicSeconds() - start;
        const double cpu = threadCpuSeconds() - cpuBefore;
        const double delayAfter = runDelaySeconds();
        sample.seconds = duration / number;
        if (duration > 0) {
            const double waited =
                delayBefore >= 0 && delayAfter >= 0 ? delayAfter - delayBefore : duration - cpu;
            sample.otherCpu = std::clamp(waited / duration, 0.0, 1.0);
        }
        estimate_ = sample.seconds;
        return sample;
    }

    const std::function<std::int32_t()>& run_;
    const std::function<void()>& prepare_;
    const TimingConfig& config_;
    std::int32_t code_ = 0;
    double estimate_ = 0;
};

} // namespace

Timing timeCalls(const std::function<std::int32_t()>& run, const std::function<void()>& prepare,
                 const TimingConfig& config) {
    Timing timing;
    Sampler sampler(run, prepare, config);
    bool going = sampler.warmUp();
    if (going && config.bestSeconds > 0) {
        const std::pair<double, double> steps[] = {{config.firstSampleMs, config.worseFactor},
                                                   {config.secondSampleMs, config.nearFactor}};
        for (const auto& [milliseconds, factor] : steps) {
            const double hopeless = config.bestSeconds * factor;
            timing.samples.push_back(sampler.take(1, milliseconds * 1e-3, hopeless));
            going = sampler.code() == 0;
            if (!going || timing.samples.back().seconds > hopeless) {
                timing.code = sampler.code();
                return timing;
            }
        }
        timing.samples.clear(); // the full measure speaks for itself
    }
    for (int i = 0; i < std::max(1, config.repeat) && going; ++i) {
        timing.samples.push_back(
            sampler.take(std::max(1, config.number), config.minRepeatMs * 1e-3));
        going = sampler.code() == 0;
    }
    timing.code = sampler.code();
    timing.full = going;
    return timing;
}

} // namespace tilewright::runtime
