// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/target/target.h>

#include <cstdint>
#include <set>
#include <string>

namespace tilewright::target {

/// This machine, as read by cpuid, the affinity mask and /sys. Sizes in bytes, 0 = not known.
struct HostInfo {
    std::string cpuName;  ///< LLVM's name: `znver4`, `skylake-avx512`, `generic`
    std::string cpuBrand; ///< what the CPU calls itself
    std::string architecture;
    std::set<std::string, std::less<>> features; ///< LLVM's names, usable under this system
    int physicalCores = 1;                       ///< in the process's affinity mask
    int logicalCores = 1;                        ///< in the process's affinity mask
    std::int64_t l1DataBytes = 0;
    std::int64_t l2Bytes = 0;
    std::int64_t l3Bytes = 0;
    int cacheLineBytes = 64;
};

/// Looks at the machine; takes about a millisecond.
HostInfo detectHost();

/// The `host` preset: this CPU's name, `mattr` where its features differ from that name's, and
/// `num-cores` = the physical cores of the affinity mask.
Target hostTarget(const HostInfo& info);
Target hostTarget();

/// Cache sizes to plan tiles for. The host's own when the target is this machine's CPU, else
/// common sizes of the architecture (32 KiB and 512 KiB).
struct CacheSizes {
    std::int64_t l1DataBytes = 32 * 1024;
    std::int64_t l2Bytes = 512 * 1024;
};
CacheSizes cacheSizes(const Target& target, const HostInfo& host);

} // namespace tilewright::target
