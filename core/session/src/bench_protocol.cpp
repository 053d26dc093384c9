// SPDX-License-Identifier: Apache-2.0
#include "bench_protocol.h"

#include <tilewright/measure/statistics.h>
#include <tilewright/runtime/timing.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace tilewright::session {

namespace {

constexpr double kBudgetSeconds = 0.15;
constexpr double kWarmUpSeconds = 0.02;
constexpr double kSampleSeconds = 10e-6;
constexpr double kSlowSeconds = 0.1;
constexpr std::size_t kMostSamples = 5000;
constexpr double kQuietShare = 0.08;
constexpr std::size_t kSweepBytes = std::size_t{64} << 20;

double now() {
    return runtime::monotonicSeconds();
}

/// Processor seconds that everything on the machine used so far; 0 when it does not tell.
double machineCpuSeconds() {
    std::FILE* file = std::fopen("/proc/stat", "r");
    if (file == nullptr)
        return 0;
    unsigned long long user = 0;
    unsigned long long nice = 0;
    unsigned long long system = 0;
    unsigned long long idle = 0;
    unsigned long long wait = 0;
    unsigned long long hardware = 0;
    unsigned long long software = 0;
    const int fields = std::fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice,
                                   &system, &idle, &wait, &hardware, &software);
    std::fclose(file);
    if (fields != 7)
        return 0;
    return static_cast<double>(user + nice + system + hardware + software) /
           static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double ownCpuSeconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/// Watches what others do from its making on.
class OthersMeter {
public:
    [[nodiscard]] double share() const {
        const double wall = now() - start_;
        const double others = (machineCpuSeconds() - machine_) - (ownCpuSeconds() - own_);
        const auto cores = static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
        return wall > 0 ? std::max(0.0, others) / (wall * cores) : 0;
    }

private:
    double start_ = now();
    double machine_ = machineCpuSeconds();
    double own_ = ownCpuSeconds();
};

/// Waits until others leave the machine alone, or patience ends.
bool waitForQuiet(double& patience) {
    const double start = now();
    bool quiet = false;
    for (;;) {
        const OthersMeter meter;
        ::usleep(100000);
        quiet = meter.share() <= kQuietShare;
        if (quiet || now() - start >= patience)
            break;
        ::usleep(200000);
    }
    patience -= now() - start;
    return quiet;
}

/// Sweeps a block larger than the last level on every core that this process may use.
void sweepCaches() {
    static std::vector<char> block(kSweepBytes, 1);
    cpu_set_t all;
    ::sched_getaffinity(0, sizeof all, &all);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &all))
            continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        ::sched_setaffinity(0, sizeof one, &one);
        for (std::size_t i = 0; i < block.size(); i += 64)
            ++block[i];
        asm volatile("" ::"r"(block.data()) : "memory");
    }
    ::sched_setaffinity(0, sizeof all, &all);
}

double timeOnce(const std::function<void()>& run) {
    const double start = now();
    run();
    return now() - start;
}

/// Warms up and returns the quickest of three runs.
double warmUp(const std::function<void()>& run) {
    const double start = now();
    const double first = timeOnce(run);
    for (int i = 0; i < 3 || (now() - start < kWarmUpSeconds && i < 1000); ++i) {
        run();
        if (first > 2 * kSlowSeconds)
            break;
    }
    double quickest = HUGE_VAL;
    for (int i = 0; i < 3; ++i)
        quickest = std::min(quickest, timeOnce(run));
    return quickest;
}

ProtocolTiming summarize(std::vector<double> seconds, int inner) {
    std::sort(seconds.begin(), seconds.end());
    const auto at = [&](double share) {
        return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))] *
               1e6;
    };
    ProtocolTiming timing;
    timing.samples = static_cast<int>(seconds.size());
    timing.inner = inner;
    timing.minUs = seconds.front() * 1e6;
    timing.medianUs = measure::median(seconds) * 1e6;
    timing.p10Us = at(0.1);
    timing.p90Us = at(0.9);
    return timing;
}

ProtocolTiming measureOnce(const std::function<void()>& run, bool cold) {
    const double one = warmUp(run);
    const std::size_t fewest = one > kSlowSeconds ? 5 : 15;
    std::vector<double> seconds;
    int inner = 1;
    const OthersMeter meter;
    if (cold) {
        while (seconds.size() < fewest) {
            sweepCaches();
            seconds.push_back(timeOnce(run));
        }
    } else {
        inner = std::max(1, static_cast<int>(std::ceil(kSampleSeconds / std::max(one, 1e-8))));
        const double start = now();
        while (seconds.size() < fewest ||
               (now() - start < kBudgetSeconds && seconds.size() < kMostSamples)) {
            const double begin = now();
            for (int i = 0; i < inner; ++i)
                run();
            seconds.push_back((now() - begin) / inner);
        }
    }
    const double others = meter.share();
    ProtocolTiming timing = summarize(std::move(seconds), inner);
    timing.otherCpu = others;
    return timing;
}

} // namespace

ProtocolTiming timeByProtocol(const std::function<void()>& run, bool cold,
                              double& patienceSeconds) {
    ProtocolTiming best = measureOnce(run, cold);
    for (int i = 0; i < 2 && best.otherCpu > kQuietShare; ++i) {
        if (patienceSeconds <= 0 || !waitForQuiet(patienceSeconds))
            break;
        const ProtocolTiming again = measureOnce(run, cold);
        if (again.otherCpu < best.otherCpu)
            best = again;
    }
    return best;
}

} // namespace tilewright::session
