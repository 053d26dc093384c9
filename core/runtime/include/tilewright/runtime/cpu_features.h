// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::runtime {

/// The architecture this program was compiled for: `x86_64`, `riscv64`, `aarch64`.
std::string_view hostArchitecture();

/// Features of this CPU that kernels may need, in LLVM's names (`avx2`, `fma`, `avx512f`, `v`, …),
/// sorted. Features that the architecture's baseline has (`sse2`) are listed where cpuid tells
/// them.
std::vector<std::string> hostCpuFeatures();

/// The entries of a comma-separated feature list that `available` lacks. A leading `+` is accepted;
/// entries with a leading `-`, tuning flags and names this runtime does not check (see source) are
/// not asked for.
std::vector<std::string> missingFeatures(std::string_view needed,
                                         const std::vector<std::string>& available);

} // namespace tilewright::runtime
