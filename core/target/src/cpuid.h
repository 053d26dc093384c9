// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/target/host.h>

namespace tilewright::target {

/// Fills in name, brand, features and the cache line from cpuid; leaves `info` alone on other
/// architectures.
void readCpuid(HostInfo& info);

/// LLVM's name of an x86 CPU from its vendor, family and model and the features it has.
std::string x86CpuName(const std::string& vendor, unsigned family, unsigned model,
                       const std::set<std::string, std::less<>>& features);

} // namespace tilewright::target
