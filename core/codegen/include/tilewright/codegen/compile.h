// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/diagnostic.h>
#include <tilewright/base/result.h>
#include <tilewright/ir/module.h>
#include <tilewright/target/target.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::codegen {

/// How much time the optimiser may take.
enum class Effort : std::uint8_t {
    Quick, ///< a few passes, 5 to 10 ms a kernel: for candidates
    Full   ///< LLVM's O2 on top: for a final check
};

struct CodegenOptions {
    Effort effort = Effort::Quick;
    /// Run LLVM's verifier; a failure is an internal error.
    bool verify = false;
};

/// A linked ELF shared object.
struct SharedObject {
    std::string bytes;
    /// Symbol of the entry function (module compilation only).
    std::string entry;
};

/// A kernel of a library: the function and its exported symbol.
struct LibraryKernel {
    std::string symbol;
    ir::PrimFunc function;
};

/// Read-only data of a library, such as weights; 64-byte aligned, exported when `exported`.
struct LibraryConstant {
    std::string symbol;
    std::string_view bytes;
    bool exported = false;
};

/// Where an argument of a kernel call in an entry point is.
struct CallArgument {
    enum class Kind : std::uint8_t {
        Parameter, ///< data[index] of the entry point
        Constant,  ///< the library's constants[index]
        Scratch    ///< `offset` bytes (a multiple of 64) into the entry point's scratch memory
    };
    Kind kind = Kind::Parameter;
    std::int64_t index = 0;
    std::int64_t offset = 0;
};

struct KernelCall {
    std::string kernel; ///< symbol of a LibraryKernel
    std::vector<CallArgument> arguments;
};

/// `int32_t symbol(void** data, tw_pool* pool)` that runs kernels one after the other. Its scratch
/// memory comes from the pool.
struct LibraryEntry {
    std::string symbol;
    std::vector<KernelCall> calls;
    std::int64_t scratchBytes = 0;
};

/// What one shared object holds. It also exports tw_library_abi and tw_library_features.
struct Library {
    std::vector<LibraryKernel> kernels;
    std::vector<LibraryConstant> constants;
    std::vector<LibraryEntry> entries;
};

/// Compiles every function of a module; `entry` is the module's entry function. Errors: `target`
/// for a target without CPU code, `lower` and `codegen` for what has no machine code, `link`.
/// Never throws for these; thread-safe (linking is serialised).
base::Result<SharedObject> compileModule(const ir::Module& module, const target::Target& target,
                                         const CodegenOptions& options = {});

/// Compiles and links a library; errors as compileModule.
base::Result<SharedObject> compileLibrary(const Library& library, const target::Target& target,
                                          const CodegenOptions& options = {});

/// The module's LLVM IR after optimisation; errors as compileModule.
base::Result<std::string> emitLlvmIr(const ir::Module& module, const target::Target& target,
                                     const CodegenOptions& options = {});
/// The module's assembly text.
base::Result<std::string> emitAssembly(const ir::Module& module, const target::Target& target,
                                       const CodegenOptions& options = {});

/// LLVM's version, `22.1.8`.
std::string llvmVersion();

} // namespace tilewright::codegen
