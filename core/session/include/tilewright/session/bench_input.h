// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>
#include <tilewright/session/tuning_input.h>
#include <tilewright/target/target.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace tilewright::session {

struct BenchRequest {
    std::filesystem::path workDir;
    /// Records for this target only; none: those tuned for as many cores as there are threads,
    /// then those of this machine, then any that it can run.
    std::optional<target::Target> target;
    std::vector<int> threads{1};
    std::vector<bool> cold{false}; ///< cache states, in this order
    int round = 0;                 ///< written into each line
    double patienceSeconds = 120;  ///< for waiting, in all, until the machine is quiet
};

/// Measures the best record of each task (the default schedule where there is none, which the note
/// says) in a process of its own, by the peers' protocol, and hands over a line an operator, thread
/// count and cache state: `peer`, `variant`, `op`, `threads`, `cache`, `round`, `median_us`,
/// `min_us`, `p10_us`, `p90_us`, `samples`, `inner`, `flops`, `useful`, `bytes`, `max_rel_err`,
/// `ok`, `other_cpu`, `note`, or `skipped`. A model gives a line a thread count with `model`,
/// `median_ms`, `min_ms`, …. Weights are packed, and results checked, outside the timing: the
/// suite's against its float64 references, others against the module as imported. False when some
/// line is no right result.
bool benchInput(const TuningInput& input, const BenchRequest& request,
                const std::function<void(const json::Value& line)>& onLine);

} // namespace tilewright::session
