// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace tilewright::session {

/// How the operator suite is timed, the same for everybody who is compared: warm-up of 20 ms and
/// three runs; a warm sample is as many runs as take 10 µs, for at least 15 samples (5 of runs over
/// 100 ms) and 150 ms; cold is 15 samples of one run, all caches swept before each. Disturbed
/// measurements are repeated, at most twice, when the machine is quiet.
struct ProtocolTiming {
    double medianUs = 0;
    double minUs = 0;
    double p10Us = 0;
    double p90Us = 0;
    int samples = 0;
    int inner = 1;       ///< runs timed together as one sample
    double otherCpu = 0; ///< share of the machine's cores that other processes used meanwhile
};

/// `patienceSeconds` is what may be spent waiting for a quiet machine; what was spent is taken off.
ProtocolTiming timeByProtocol(const std::function<void()>& run, bool cold, double& patienceSeconds);

} // namespace tilewright::session
