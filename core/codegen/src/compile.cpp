// SPDX-License-Identifier: Apache-2.0
#include <tilewright/codegen/compile.h>
#include <tilewright/codegen/llvm_cpu_features.h>

#include "kernel_emitter.h"
#include "library_emitter.h"
#include "machine.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <functional>

namespace tilewright::codegen {

namespace {

/// A module of LLVM's together with what owns its types.
struct Compilation {
    explicit Compilation(const Machine& machine) : module("tilewright", context) {
        machine.prepare(module);
    }
    llvm::LLVMContext context;
    llvm::Module module;
};

void finish(Compilation& compilation, const Machine& machine, const CodegenOptions& options,
            bool loops) {
    machine.mark(compilation.module);
    const auto verify = [&](const char* when) {
        if (!options.verify)
            return;
        std::string text;
        llvm::raw_string_ostream stream(text);
        TW_CHECK(!llvm::verifyModule(compilation.module, &stream)) << when << text;
    };
    verify("emitted: ");
    machine.optimize(compilation.module, options.effort, loops);
    verify("optimised: ");
}

void emitModule(Compilation& compilation, const ir::Module& module, const Machine& machine,
                const CodegenOptions& options) {
    KernelEmitter emitter(compilation.module);
    for (const auto& [name, function] : module.functions()) {
        const ir::PrimFunc lowered = lower::lowerFunction(function, machine.lowering());
        emitter.emitKernel(name, *lowered);
    }
    emitLibraryFacts(compilation.module, machine.requiredFeatures());
    finish(compilation, machine, options, emitter.hasScalarLoops());
}

/// Turns the exceptions for a user's problem into values.
template <class T> base::Result<T> guarded(const std::function<T()>& work) {
    try {
        return work();
    } catch (const base::UserError& error) {
        return base::Unexpected(error.diagnostic());
    }
}

class LlvmCpuFeatures final : public target::CpuFeatureSource {
public:
    [[nodiscard]] bool hasFeature(const target::Target& target,
                                  std::string_view feature) const override {
        try {
            return Machine(target).hasFeature(feature);
        } catch (const base::UserError&) {
            return false;
        }
    }
};

} // namespace

void checkTarget(const target::Target& target) {
    static_cast<void>(Machine(target));
}

base::Result<SharedObject> compileModule(const ir::Module& module, const target::Target& target,
                                         const CodegenOptions& options) {
    return guarded<SharedObject>([&] {
        const Machine machine(target, options.effort);
        Compilation compilation(machine);
        emitModule(compilation, module, machine, options);
        const std::string object =
            machine.emit(compilation.module, llvm::CodeGenFileType::ObjectFile);
        return SharedObject{linkShared(object), module.entryName()};
    });
}

base::Result<SharedObject> compileLibrary(const Library& library, const target::Target& target,
                                          const CodegenOptions& options) {
    return guarded<SharedObject>([&] {
        const Machine machine(target, options.effort);
        Compilation compilation(machine);
        KernelEmitter emitter(compilation.module);
        for (const LibraryKernel& kernel : library.kernels)
            emitter.emitKernel(kernel.symbol,
                               *lower::lowerFunction(kernel.function, machine.lowering()));
        emitLibraryConstants(compilation.module, library.constants);
        for (const LibraryEntry& entry : library.entries)
            emitLibraryEntry(compilation.module, library, entry);
        emitLibraryFacts(compilation.module, machine.requiredFeatures());
        finish(compilation, machine, options, emitter.hasScalarLoops());
        const std::string object =
            machine.emit(compilation.module, llvm::CodeGenFileType::ObjectFile);
        return SharedObject{linkShared(object), ""};
    });
}

base::Result<std::string> emitLlvmIr(const ir::Module& module, const target::Target& target,
                                     const CodegenOptions& options) {
    return guarded<std::string>([&] {
        const Machine machine(target, options.effort);
        Compilation compilation(machine);
        emitModule(compilation, module, machine, options);
        std::string text;
        llvm::raw_string_ostream stream(text);
        compilation.module.print(stream, nullptr);
        return text;
    });
}

base::Result<std::string> emitAssembly(const ir::Module& module, const target::Target& target,
                                       const CodegenOptions& options) {
    return guarded<std::string>([&] {
        const Machine machine(target, options.effort);
        Compilation compilation(machine);
        emitModule(compilation, module, machine, options);
        return machine.emit(compilation.module, llvm::CodeGenFileType::AssemblyFile);
    });
}

std::string llvmVersion() {
    return LLVM_VERSION_STRING;
}

std::unique_ptr<target::CpuFeatureSource> llvmCpuFeatures() {
    return std::make_unique<LlvmCpuFeatures>();
}

} // namespace tilewright::codegen
