// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/device_overview.h>

#include <tilewright/base/concat.h>
#include <tilewright/session/device_peaks.h>
#include <tilewright/target/host.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace tilewright::session {

namespace {

template <class... Values> std::string printed(const char* format, Values... values) {
    char text[160];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

std::string firstLine(const char* file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

std::string sizeText(std::int64_t bytes) {
    if (bytes >= std::int64_t{1} << 30)
        return printed("%.1f GB", static_cast<double>(bytes) / (1 << 30));
    if (bytes >= std::int64_t{1} << 20)
        return printed("%.0f MB", static_cast<double>(bytes) / (1 << 20));
    return printed("%.0f KB", static_cast<double>(bytes) / (1 << 10));
}

/// A line of /proc/meminfo in bytes.
std::int64_t memoryLine(std::string_view key) {
    std::ifstream stream("/proc/meminfo");
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with(key))
            return std::strtoll(line.c_str() + key.size(), nullptr, 10) * 1024;
    return 0;
}

DeviceFact processorFact(const target::HostInfo& host) {
    return {DeviceFactKind::Processor,
            base::concat(host.cpuBrand, " (", host.cpuName, ")"),
            {},
            false,
            {}};
}

DeviceFact featuresFact(const target::HostInfo& host) {
    std::vector<std::string> found;
    for (const char* feature : {"avx512f", "avx2", "fma", "avx", "neon", "sve", "v"})
        if (host.features.contains(feature))
            found.emplace_back(feature);
    DeviceFact fact{DeviceFactKind::Features, base::join(found, ", "), {}, false, {}};
    if (fact.value.empty())
        fact.reason = "no vector extension that is used here";
    return fact;
}

DeviceFact cachesFact(const target::HostInfo& host) {
    std::vector<std::string> sizes;
    for (const std::int64_t bytes : {host.l1DataBytes, host.l2Bytes, host.l3Bytes})
        if (bytes > 0)
            sizes.push_back(sizeText(bytes));
    DeviceFact fact{DeviceFactKind::Caches, base::join(sizes, " · "), {}, false, {}};
    if (fact.value.empty())
        fact.reason = "/sys does not tell";
    return fact;
}

DeviceFact memoryFact() {
    const std::int64_t total = memoryLine("MemTotal:");
    const std::int64_t free = memoryLine("MemAvailable:");
    DeviceFact fact;
    fact.kind = DeviceFactKind::Memory;
    if (total > 0)
        fact.value = base::concat(sizeText(total), ", ", sizeText(free), " free");
    else
        fact.reason = "/proc/meminfo does not tell";
    fact.warn = total > 0 && free < std::int64_t{256} << 20;
    if (fact.warn)
        fact.advice = "builds may fail for want of memory";
    return fact;
}

DeviceFact governorFact() {
    DeviceFact fact;
    fact.kind = DeviceFactKind::Governor;
    fact.value = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (fact.value.empty()) {
        fact.reason = "no cpufreq here: a virtual machine or a fixed clock";
        return fact;
    }
    fact.warn = fact.value != "performance";
    if (fact.warn)
        fact.advice = "timings may drift; performance is recommended: sudo cpupower frequency-set "
                      "-g performance";
    return fact;
}

DeviceFact temperatureFact() {
    DeviceFact fact;
    fact.kind = DeviceFactKind::Temperature;
    std::error_code error;
    double hottest = 0;
    for (const auto& zone : std::filesystem::directory_iterator("/sys/class/thermal", error)) {
        double milli = 0;
        if (std::ifstream(zone.path() / "temp") >> milli)
            hottest = std::max(hottest, milli / 1000);
    }
    if (hottest > 0)
        fact.value = printed("%.0f °C", hottest);
    else
        fact.reason = "no sensor can be read";
    fact.warn = hottest >= 85;
    if (fact.warn)
        fact.advice = "the clock may be lowered by heat";
    return fact;
}

DeviceFact clockFact() {
    DeviceFact fact;
    fact.kind = DeviceFactKind::Clock;
    const double hertz = highestClock();
    if (hertz > 0)
        fact.value = printed("%.2f GHz", hertz / 1e9);
    else
        fact.reason = "neither /sys nor /proc tells";
    return fact;
}

} // namespace

std::vector<DeviceFact> localDeviceFacts() {
    const target::HostInfo host = target::detectHost();
    DeviceFact cores{DeviceFactKind::Cores,
                     base::concat(host.physicalCores, " cores, ", host.logicalCores, " threads"),
                     {},
                     false,
                     {}};
    return {processorFact(host), featuresFact(host), cachesFact(host),  std::move(cores),
            memoryFact(),        governorFact(),     temperatureFact(), clockFact()};
}

} // namespace tilewright::session
