// SPDX-License-Identifier: Apache-2.0
#include "cpuid.h"

#include <tilewright/base/concat.h>
#include <tilewright/target/cpu_features.h>
#include <tilewright/target/host.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace tilewright::target {
namespace {

std::string firstLine(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

int toInt(const std::string& text, int otherwise) {
    int number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    return end.ec == std::errc() ? number : otherwise;
}

std::vector<int> affinityCpus() {
    // A mask of fixed size is refused on machines with more CPUs than it has bits.
    for (std::size_t count = 1024; count <= (std::size_t{1} << 18); count *= 4) {
        cpu_set_t* set = CPU_ALLOC(count);
        const std::size_t size = CPU_ALLOC_SIZE(count);
        std::vector<int> cpus;
        const bool ok = sched_getaffinity(0, size, set) == 0;
        for (std::size_t cpu = 0; ok && cpu < count; ++cpu)
            if (CPU_ISSET_S(cpu, size, set))
                cpus.push_back(static_cast<int>(cpu));
        CPU_FREE(set);
        if (ok)
            return cpus;
    }
    return {};
}

std::string cpuDir(int cpu) {
    return base::concat("/sys/devices/system/cpu/cpu", cpu);
}

int countPhysicalCores(const std::vector<int>& cpus) {
    std::set<std::pair<int, int>> cores;
    for (const int cpu : cpus) {
        const int package = toInt(firstLine(cpuDir(cpu) + "/topology/physical_package_id"), -1);
        const int core = toInt(firstLine(cpuDir(cpu) + "/topology/core_id"), -1);
        // Without the topology every CPU counts as a core of its own.
        cores.emplace(package, core < 0 ? 1000000 + cpu : core);
    }
    return std::max<int>(1, static_cast<int>(cores.size()));
}

std::int64_t sizeInBytes(const std::string& text) {
    const std::int64_t number = toInt(text, 0);
    return text.ends_with('K') ? number * 1024 : text.ends_with('M') ? number << 20 : number;
}

void readCaches(HostInfo& info, int cpu) {
    for (int index = 0; index < 8; ++index) {
        const std::string dir = base::concat(cpuDir(cpu), "/cache/index", index);
        const int level = toInt(firstLine(dir + "/level"), 0);
        if (level == 0)
            break;
        if (firstLine(dir + "/type") == "Instruction")
            continue;
        const std::int64_t size = sizeInBytes(firstLine(dir + "/size"));
        (level == 1 ? info.l1DataBytes : level == 2 ? info.l2Bytes : info.l3Bytes) = size;
        info.cacheLineBytes = toInt(firstLine(dir + "/coherency_line_size"), info.cacheLineBytes);
    }
    const auto fillIn = [](std::int64_t& size, int name) {
        if (size <= 0)
            size = std::max<std::int64_t>(0, sysconf(name));
    };
    fillIn(info.l1DataBytes, _SC_LEVEL1_DCACHE_SIZE);
    fillIn(info.l2Bytes, _SC_LEVEL2_CACHE_SIZE);
    fillIn(info.l3Bytes, _SC_LEVEL3_CACHE_SIZE);
}

std::string ownArchitecture() {
    return Target().architecture();
}

/// Features that decide which code may run; others (system instructions and the like) would only
/// make the target's text long.
bool decidesCode(std::string_view feature) {
    return feature.starts_with("avx") || feature.starts_with("amx") || feature == "fma" ||
           feature == "f16c" || feature == "bmi" || feature == "bmi2" || feature == "sse4.2";
}

} // namespace

HostInfo detectHost() {
    HostInfo info;
    info.architecture = ownArchitecture();
    info.cpuName = info.architecture == "riscv64" ? "generic-rv64" : "generic";
    readCpuid(info);
    if (info.architecture == "aarch64")
        info.features = {"neon", "fp-armv8"};
    const std::vector<int> cpus = affinityCpus();
    info.logicalCores = std::max<int>(1, static_cast<int>(cpus.size()));
    info.physicalCores = countPhysicalCores(cpus);
    readCaches(info, cpus.empty() ? 0 : cpus.front());
    return info;
}

Target hostTarget(const HostInfo& info) {
    Target target("llvm", {"cpu"});
    target = target.with("mcpu", info.cpuName).with("num-cores", info.physicalCores);
    if (info.architecture != "x86_64")
        return target;
    const auto nominal = StaticCpuFeatures::features(target);
    std::vector<std::string> changes;
    for (const std::string& feature : info.features)
        if (decidesCode(feature) && !nominal.contains(feature))
            changes.push_back("+" + feature);
    for (const std::string& feature : nominal)
        if (decidesCode(feature) && !info.features.contains(feature))
            changes.push_back("-" + feature);
    return changes.empty() ? target : target.with("mattr", json::Value::array(changes));
}

Target hostTarget() {
    return hostTarget(detectHost());
}

CacheSizes cacheSizes(const Target& target, const HostInfo& host) {
    CacheSizes sizes;
    const auto take = [](std::int64_t& size, std::int64_t known) {
        if (known > 0)
            size = known;
    };
    if (target.isCpu() && target.mcpu() == host.cpuName &&
        target.architecture() == host.architecture) {
        take(sizes.l1DataBytes, host.l1DataBytes);
        take(sizes.l2Bytes, host.l2Bytes);
    }
    take(sizes.l1DataBytes, target.intAttribute("l1-data-bytes").value_or(0));
    take(sizes.l2Bytes, target.intAttribute("l2-bytes").value_or(0));
    return sizes;
}

} // namespace tilewright::target
