// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/target/host.h>
#include <tilewright/target/target.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// Where the roofs of a roofline come from.
enum class PeakOrigin : std::uint8_t {
    None,        ///< nothing is known
    Measured,    ///< `tilewright peaks` on this machine
    Theoretical, ///< worked out from clock, vectors and cores
};
/// `none`, `measured`, `theoretical`.
std::string_view toString(PeakOrigin origin);

/// A rate that arithmetic cannot pass.
struct ComputeRoof {
    int vectorBits = 0;   ///< 32 = one float32 at a time
    bool fused = true;    ///< multiply and add in one instruction
    double flopRate = 0;  ///< FLOP per second, float32
    bool derived = false; ///< follows from another roof instead of being measured itself
};

/// A rate at which memory can be read.
struct MemoryRoof {
    std::string level;      ///< `L1`, `L2`, `L3`, `memory`
    std::int64_t bytes = 0; ///< what fits: the level's size, or 0 for memory
    double byteRate = 0;    ///< bytes per second
};

/// What a device reaches at most, with all cores that the target may use.
struct DevicePeaks {
    PeakOrigin origin = PeakOrigin::None;
    std::string cpu;                  ///< brand
    int cores = 1;                    ///< that the rates are for
    std::int64_t timeMs = 0;          ///< when it was measured, since 1970 UTC; 0 = not
    std::string note;                 ///< how it was scaled or what was assumed, one sentence
    std::vector<ComputeRoof> compute; ///< by falling rate
    std::vector<MemoryRoof> memory;   ///< from the smallest level to memory
    [[nodiscard]] bool known() const { return origin != PeakOrigin::None; }
    /// The highest rate of arithmetic; 0 when nothing is known.
    [[nodiscard]] double bestFlopRate() const;
    /// The roof of data of this size that is read again and again: that of the smallest level it
    /// fits into. Null when nothing is known.
    [[nodiscard]] const MemoryRoof* memoryRoof(double bytes) const;
};

/// The peaks that `tilewright peaks` kept in a file, for a target: only when the target's code runs
/// on the CPU that was measured. Rates of arithmetic and of caches that a core has for itself are
/// those of one core times the target's cores; that of memory stays. Nothing when the file is
/// missing, unreadable or of another CPU.
std::optional<DevicePeaks> readPeaks(const std::filesystem::path& file,
                                     const target::Target& target);

/// Peaks worked out for a target: two multiply-adds a cycle at the CPU's highest known clock, two
/// loads a cycle from L1, half of it from L2, a quarter from L3, and 12.8 GB/s a core, at most 51.2
/// GB/s, from memory.
DevicePeaks theoreticalPeaks(const target::Target& target);

/// Highest clock of this machine's first core in hertz, from /sys or /proc; 0 when not known.
double highestClock();

} // namespace tilewright::session
