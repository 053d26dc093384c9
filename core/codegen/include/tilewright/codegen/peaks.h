// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::codegen {

/// What one core of this machine reaches, measured with kernels generated for it.
struct MachinePeaks {
    struct Compute {
        int vectorBits = 0;  ///< width of the vectors used
        double gflops = 0;   ///< float32 multiply-adds, 2 FLOP each, best window
    };
    struct Bandwidth {
        std::string level;      ///< `L1`, `L2`, `L3`, `memory`
        std::int64_t bytes = 0; ///< size of the array that was read
        double gigabytes = 0;   ///< read per second, best window
    };
    std::vector<Compute> compute; ///< by increasing width
    std::vector<Bandwidth> read;
    /// The widest vectors' rate may be the lower one; this is the best of all.
    [[nodiscard]] double bestGflops() const;
};

/// Measures on the calling thread for about `seconds` (at least 0.1); pin the thread first. Windows
/// of some milliseconds are timed and the best is kept, so that a busy machine spoils little.
/// Errors: as compileModule.
base::Result<MachinePeaks> measurePeaks(double seconds = 1.0);

} // namespace tilewright::codegen
