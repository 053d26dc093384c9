// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/target/cpu_features.h>

#include <memory>

namespace tilewright::codegen {

/// CPU features from LLVM's own tables, which know every CPU name that code can be made for.
std::unique_ptr<target::CpuFeatureSource> llvmCpuFeatures();

/// Throws UserError kind `target` when no code can be made for the target: another kind, or a
/// triple, CPU or feature that LLVM does not know.
void checkTarget(const target::Target& target);

} // namespace tilewright::codegen
