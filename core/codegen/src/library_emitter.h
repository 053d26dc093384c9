// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/codegen/compile.h>

#include <llvm/IR/Module.h>

namespace tilewright::codegen {

/// Exports tw_library_abi and tw_library_features.
void emitLibraryFacts(llvm::Module& module, const std::string& features);
/// Puts the constants into read-only data.
void emitLibraryConstants(llvm::Module& module, const std::vector<LibraryConstant>& constants);
/// Writes the function that runs an entry point's calls; its kernels must exist already.
void emitLibraryEntry(llvm::Module& module, const Library& library, const LibraryEntry& entry);

} // namespace tilewright::codegen
