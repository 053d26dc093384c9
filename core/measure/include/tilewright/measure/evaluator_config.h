// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace tilewright::measure {

/// MetaSchedule's EvaluatorConfig under its own names and defaults, plus adaptive measuring.
struct EvaluatorConfig {
    /// Calls timed together as one sample, at least; raised until a sample takes minRepeatMs.
    int number = 3;
    /// Samples.
    int repeat = 1;
    double minRepeatMs = 100;
    /// Flush all arguments but the first from the caches before each sample.
    bool enableCpuCacheFlush = false;
    /// Every sample is one call after all caches were swept.
    bool coldCaches = false;
    /// A candidate worse than its task's best gets short samples only: one of firstSampleMs when
    /// that is above worseFactor times the best, one more of secondSampleMs when that is above
    /// nearFactor times it. Everything else gets the full measure, and only such records rank.
    bool adaptive = true;
    double worseFactor = 1.5;
    double firstSampleMs = 2;
    double nearFactor = 1.1;
    double secondSampleMs = 10;
    bool operator==(const EvaluatorConfig&) const = default;
};

/// Reads `number=3,repeat=5,min-repeat-ms=50,cpu-cache-flush,adaptive=off` on top of `defaults`.
/// Throws UserError (kind `evaluator`) naming the key and what it accepts.
EvaluatorConfig parseEvaluatorConfig(std::string_view text, EvaluatorConfig defaults = {});

} // namespace tilewright::measure
