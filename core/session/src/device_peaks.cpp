// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/device_peaks.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/parse.h>
#include <tilewright/target/cpu_features.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sys/stat.h>

namespace tilewright::session {

namespace {

constexpr double kAssumedClock = 3e9;
constexpr double kMemoryRateOfCore = 12.8e9;
constexpr double kMostMemoryRate = 51.2e9;

std::int64_t changedMs(const std::filesystem::path& file) {
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0)
        return 0;
    return static_cast<std::int64_t>(facts.st_mtim.tv_sec) * 1000 + facts.st_mtim.tv_nsec / 1000000;
}

int coresOf(const target::Target& target) {
    return std::max(1, target.numCores().value_or(1));
}

/// The bytes that a level holds, from the array that was read to measure it (half of L1 and L2, a
/// quarter of L3).
std::int64_t levelBytes(const std::string& level, std::int64_t array,
                        const target::HostInfo& host) {
    if (level == "L1")
        return host.l1DataBytes > 0 ? host.l1DataBytes : array * 2;
    if (level == "L2")
        return host.l2Bytes > 0 ? host.l2Bytes : array * 2;
    if (level == "L3")
        return host.l3Bytes > 0 ? host.l3Bytes : array * 4;
    return 0;
}

/// Roofs below the best one that its rate implies.
void addDerivedRoofs(DevicePeaks& peaks) {
    if (peaks.compute.empty())
        return;
    const ComputeRoof best = peaks.compute.front();
    peaks.compute.push_back({best.vectorBits, false, best.flopRate / 2, true});
    const bool scalar = std::any_of(peaks.compute.begin(), peaks.compute.end(),
                                    [](const ComputeRoof& r) { return r.vectorBits == 32; });
    if (!scalar)
        peaks.compute.push_back({32, true, best.flopRate * 32 / best.vectorBits, true});
    std::stable_sort(
        peaks.compute.begin(), peaks.compute.end(),
        [](const ComputeRoof& a, const ComputeRoof& b) { return a.flopRate > b.flopRate; });
}

DevicePeaks fromJson(const json::Value& file, int cores, const target::HostInfo& host) {
    DevicePeaks peaks;
    peaks.origin = PeakOrigin::Measured;
    peaks.cpu = file.at("cpu").asString();
    peaks.cores = cores;
    for (const json::Value& row : file.at("compute").asArray())
        peaks.compute.push_back({static_cast<int>(row.at("vector_bits").asInt()), true,
                                 row.at("gflops").asDouble() * 1e9 * cores, false});
    std::stable_sort(
        peaks.compute.begin(), peaks.compute.end(),
        [](const ComputeRoof& a, const ComputeRoof& b) { return a.flopRate > b.flopRate; });
    addDerivedRoofs(peaks);
    for (const json::Value& row : file.at("read").asArray()) {
        const std::string& level = row.at("level").asString();
        const bool own = level == "L1" || level == "L2";
        peaks.memory.push_back({level, levelBytes(level, row.at("bytes").asInt(), host),
                                row.at("gb_per_s").asDouble() * 1e9 * (own ? cores : 1)});
    }
    peaks.note = cores == 1 ? "measured with one core"
                            : base::concat("measured with one core; arithmetic, L1 and L2 times ",
                                           cores, " cores, memory as one core reads it");
    return peaks;
}

} // namespace

std::string_view toString(PeakOrigin origin) {
    switch (origin) {
    case PeakOrigin::None:
        return "none";
    case PeakOrigin::Measured:
        return "measured";
    case PeakOrigin::Theoretical:
        return "theoretical";
    }
    return "";
}

double DevicePeaks::bestFlopRate() const {
    double best = 0;
    for (const ComputeRoof& roof : compute)
        best = std::max(best, roof.flopRate);
    return best;
}

const MemoryRoof* DevicePeaks::memoryRoof(double bytes) const {
    for (const MemoryRoof& roof : memory)
        if (roof.bytes > 0 && bytes <= static_cast<double>(roof.bytes))
            return &roof;
    return memory.empty() ? nullptr : &memory.back();
}

std::optional<DevicePeaks> readPeaks(const std::filesystem::path& file,
                                     const target::Target& target) {
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return std::nullopt;
    const target::HostInfo host = target::detectHost();
    if (target.architecture() != host.architecture)
        return std::nullopt;
    try {
        const json::Value value = json::parseFile(file);
        const std::string& cpuName = value.at("cpu_name").asString();
        // A target without a CPU means this machine's.
        if (cpuName != host.cpuName || (!target.mcpu().empty() && target.mcpu() != cpuName))
            return std::nullopt;
        DevicePeaks peaks = fromJson(value, coresOf(target), host);
        peaks.timeMs = changedMs(file);
        if (peaks.bestFlopRate() <= 0 || peaks.memory.empty())
            return std::nullopt;
        return peaks;
    } catch (const base::UserError&) {
        return std::nullopt; // a cache: whoever needs it measures again
    }
}

double highestClock() {
    double kilohertz = 0;
    if (std::ifstream("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq") >> kilohertz &&
        kilohertz > 0)
        return kilohertz * 1e3;
    std::ifstream facts("/proc/cpuinfo");
    for (std::string line; std::getline(facts, line);) {
        const std::size_t colon = line.find(':');
        if (line.starts_with("cpu MHz") && colon != std::string::npos)
            return std::strtod(line.c_str() + colon + 1, nullptr) * 1e6;
    }
    return 0;
}

DevicePeaks theoreticalPeaks(const target::Target& target) {
    const target::HostInfo host = target::detectHost();
    const bool here = target.architecture() == host.architecture;
    const double known = here ? highestClock() : 0;
    const double clock = known > 0 ? known : kAssumedClock;
    const int bits = std::max(32, target::simdWidthBits(target, target::StaticCpuFeatures()));
    DevicePeaks peaks;
    peaks.origin = PeakOrigin::Theoretical;
    peaks.cpu = here ? host.cpuBrand : target.mcpu();
    peaks.cores = coresOf(target);
    const double cores = peaks.cores;
    peaks.compute.push_back({bits, true, clock * cores * 2 * 2 * bits / 32, false});
    addDerivedRoofs(peaks);
    const target::CacheSizes caches = target::cacheSizes(target, host);
    const double l1 = clock * cores * 2 * bits / 8;
    peaks.memory.push_back({"L1", caches.l1DataBytes, l1});
    peaks.memory.push_back({"L2", caches.l2Bytes, l1 / 2});
    if (here && host.l3Bytes > 0)
        peaks.memory.push_back({"L3", host.l3Bytes, l1 / 4});
    peaks.memory.push_back({"memory", 0, std::min(kMostMemoryRate, cores * kMemoryRateOfCore)});
    char text[160];
    std::snprintf(text, sizeof text,
                  "worked out: 2 multiply-adds a cycle at %.2f GHz%s, memory rate assumed",
                  clock / 1e9, known > 0 ? "" : " (assumed)");
    peaks.note = text;
    return peaks;
}

} // namespace tilewright::session
