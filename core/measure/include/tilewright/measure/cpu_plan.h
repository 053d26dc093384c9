// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tilewright::measure {

/// Which CPUs run candidates and which build them, so that timing is quiet.
struct CpuPlan {
    std::vector<int> runnerCpus;
    std::vector<int> builderCpus;
    /// True: they share no CPU and may work at the same time. False: both use all CPUs and take
    /// turns, a batch of builds and then a batch of runs.
    bool overlap = false;
    bool operator==(const CpuPlan&) const = default;
};

/// CPUs of this process's affinity mask, ascending.
std::vector<int> allowedCpus();

/// Plans for a target of `targetCores` cores on `cpus`: with fewer cores than CPUs the runner gets
/// the last ones for itself (interrupts mostly go to the first) and builders the rest.
CpuPlan planCpus(int targetCores, const std::vector<int>& cpus);

} // namespace tilewright::measure
