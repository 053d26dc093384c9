// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/target/cpu_features.h>

#include <memory>

namespace tilewright::codegen {

/// CPU features from LLVM's own tables, which know every CPU name that code can be made for.
std::unique_ptr<target::CpuFeatureSource> llvmCpuFeatures();

} // namespace tilewright::codegen
