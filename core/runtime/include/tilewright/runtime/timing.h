// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tilewright::runtime {

/// What the caches hold when a timed call begins.
enum class CacheState : std::uint8_t {
    /// Whatever the call before left: back-to-back calls on the same buffers.
    Warm = 0,
    /// Once before each sample the lines of all arguments but the first are flushed, as
    /// MetaSchedule's enable_cpu_cache_flush does; the calls within a sample are warm again.
    FlushArguments = 1,
    /// Before every call a sweep of 64 MiB on each core evicts all levels; a sample is one call.
    Cold = 2,
};

/// How a kernel is timed: MetaSchedule's evaluator settings plus the adaptive part.
struct TimingConfig {
    /// Calls timed together as one sample, at least; raised until a sample takes minRepeatMs.
    std::int32_t number = 3;
    /// Samples.
    std::int32_t repeat = 1;
    double minRepeatMs = 100;
    CacheState cache = CacheState::Warm;
    /// With a known best (> 0): one sample of at least firstSampleMs comes first, and when it is
    /// above worseFactor × bestSeconds, it is the whole measurement. Else one of at least
    /// secondSampleMs follows, and when it is above nearFactor × bestSeconds, the two are it.
    double bestSeconds = 0;
    double worseFactor = 1.5;
    double firstSampleMs = 2;
    double nearFactor = 1.1;
    double secondSampleMs = 10;
    /// A sample in which others had the cores for more than this share is taken again, at most
    /// maxRetakes times a sample; the least disturbed one is kept.
    double maxOtherCpu = 0.08;
    std::int32_t maxRetakes = 2;
    bool operator==(const TimingConfig&) const = default;
};

struct TimingSample {
    /// Wall-clock time of one call.
    double seconds = 0;
    /// Share of the sample's time that threads of this process waited for a core that others had.
    double otherCpu = 0;
    /// Calls timed together.
    std::int32_t number = 0;
    bool operator==(const TimingSample&) const = default;
};

struct Timing {
    std::vector<TimingSample> samples;
    /// False when the short samples were clearly worse than the best and stand alone.
    bool full = false;
    /// The kernel's code of the call that ended the measurement; other than 0: no samples count.
    std::int32_t code = 0;
};

/// Seconds on a monotonic clock.
double monotonicSeconds();

/// Times `run` (one call of the kernel, returning its code) after one warm-up call. `prepare` runs
/// outside the timing: before each sample, for CacheState::Cold before each call.
Timing timeCalls(const std::function<std::int32_t()>& run, const std::function<void()>& prepare,
                 const TimingConfig& config);

} // namespace tilewright::runtime
