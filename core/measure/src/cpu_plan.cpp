// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/cpu_plan.h>

#include <algorithm>
#include <sched.h>

namespace tilewright::measure {

std::vector<int> allowedCpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (::sched_getaffinity(0, sizeof set, &set) == 0)
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &set))
                cpus.push_back(cpu);
    return cpus;
}

CpuPlan planCpus(int targetCores, const std::vector<int>& cpus) {
    const auto cores = static_cast<std::size_t>(std::max(1, targetCores));
    CpuPlan plan;
    plan.overlap = cores < cpus.size();
    if (!plan.overlap) {
        plan.runnerCpus = plan.builderCpus = cpus;
        return plan;
    }
    const auto border = cpus.end() - static_cast<std::ptrdiff_t>(cores);
    plan.builderCpus.assign(cpus.begin(), border);
    plan.runnerCpus.assign(border, cpus.end());
    return plan;
}

} // namespace tilewright::measure
