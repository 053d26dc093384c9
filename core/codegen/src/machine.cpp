// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <tilewright/base/concat.h>

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <array>
#include <mutex>

namespace tilewright::codegen {

namespace {

void initializeLlvm() {
    static std::once_flag once;
    std::call_once(once, [] {
        // The architectures that targets may name; PTX and others come with their own kinds.
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmPrinter();
        LLVMInitializeAArch64TargetInfo();
        LLVMInitializeAArch64Target();
        LLVMInitializeAArch64TargetMC();
        LLVMInitializeAArch64AsmPrinter();
        LLVMInitializeRISCVTargetInfo();
        LLVMInitializeRISCVTarget();
        LLVMInitializeRISCVTargetMC();
        LLVMInitializeRISCVAsmPrinter();
    });
}

// What decides how kernels are written, per architecture; the rest follows from the CPU's name.
constexpr std::array kReported{"sse4.2",  "avx",        "avx2",       "fma",      "f16c",
                               "avx512f", "avx512bw",   "avx512dq",   "avx512vl", "avx512vnni",
                               "avxvnni", "avx512bf16", "avx512fp16", "v",        "neon",
                               "sve",     "dotprod",    "fullfp16"};

/// LLVM itself warns on standard error and goes on without the feature.
void checkFeatures(const target::Target& target, const llvm::MCSubtargetInfo& subtarget) {
    for (const std::string& attribute : target.mattr()) {
        const std::string_view name = attribute.starts_with('+') || attribute.starts_with('-')
                                          ? std::string_view(attribute).substr(1)
                                          : std::string_view(attribute);
        const auto& known = subtarget.getAllProcessorFeatures();
        if (std::none_of(known.begin(), known.end(), [&](const llvm::SubtargetFeatureKV& feature) {
                return std::string_view(feature.Key) == name;
            }))
            throw base::UserError("target",
                                  base::concat("-mattr: feature `", name, "` is not known for ",
                                               subtarget.getTargetTriple().getArchName().str()));
    }
}

} // namespace

Machine::Machine(const target::Target& target, Effort effort) {
    if (target.kind() != "llvm")
        throw base::UserError("target", base::concat("target kind `", target.kind(),
                                                     "` has no code generator; accepted: llvm"));
    initializeLlvm();
    triple_ = target.mtriple();
    if (triple_.empty()) {
        const std::string arch = target.architecture();
        triple_ = arch.empty() || arch == "x86_64" ? llvm::sys::getDefaultTargetTriple()
                                                   : arch + "-unknown-linux-gnu";
    }
    cpu_ = target.mcpu();
    features_ = base::join(target.mattr(), ",");
    abi_ = target.mabi();
    statedVectorBits_ = target.vectorWidth().value_or(0);
    const llvm::Triple triple(llvm::Triple::normalize(triple_));
    triple_ = triple.str();
    if (cpu_.empty())
        cpu_ = triple.isRISCV() ? "generic-rv64" : triple.isX86() ? "x86-64" : "generic";
    std::string error;
    const llvm::Target* backend = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!backend)
        throw base::UserError("target", base::concat("triple `", triple_, "`: ", error,
                                                     "; accepted are x86_64, aarch64, riscv64"));
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
    if (triple.isRISCV() && abi_.empty())
        abi_ = "lp64d";
    options.MCOptions.ABIName = abi_;
    std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
        backend->createMCSubtargetInfo(triple, "", "")); // asking with the name would print
    if (!subtarget || !subtarget->isCPUStringValid(cpu_))
        throw base::UserError("target", base::concat("CPU `", cpu_, "` is not known for ",
                                                     triple.getArchName().str()));
    checkFeatures(target, *subtarget);
    machine_.reset(backend->createTargetMachine(
        triple, cpu_, features_, options, llvm::Reloc::PIC_, std::nullopt,
        effort == Effort::Full ? llvm::CodeGenOptLevel::Aggressive
                               : llvm::CodeGenOptLevel::Default));
    if (!machine_)
        throw base::UserError("target", base::concat("no code can be made for `", triple_, "`"));
}

bool Machine::hasFeature(std::string_view feature) const {
    return machine_->getMCSubtargetInfo()->checkFeatures(base::concat("+", feature));
}

std::string Machine::requiredFeatures() const {
    std::string result;
    const auto& subtarget = *machine_->getMCSubtargetInfo();
    for (const char* feature : kReported) {
        const bool known = std::any_of(subtarget.getAllProcessorFeatures().begin(),
                                       subtarget.getAllProcessorFeatures().end(),
                                       [&](const llvm::SubtargetFeatureKV& kv) {
                                           return std::string_view(kv.Key) == feature;
                                       });
        if (known && hasFeature(feature))
            result += (result.empty() ? "" : ",") + std::string(feature);
    }
    return result;
}

lower::LowerOptions Machine::lowering() const {
    lower::LowerOptions options;
    const llvm::Triple& triple = machine_->getTargetTriple();
    options.vectorBits = 128;
    options.vectorRegisters = 16;
    if (triple.isX86()) {
        if (hasFeature("avx512f")) {
            options.vectorBits = 512;
            options.vectorRegisters = 32;
        } else if (hasFeature("avx")) {
            options.vectorBits = 256;
        }
        options.maskedMemory = hasFeature("avx");
    } else if (triple.isRISCV()) {
        options.vectorRegisters = 32;
        options.maskedMemory = hasFeature("v");
        for (int bits = 128; bits <= 1024; bits *= 2)
            if (features_.find(base::concat("+zvl", bits, "b")) != std::string::npos)
                options.vectorBits = bits;
    } else {
        options.vectorRegisters = 32;
        options.maskedMemory = false;
    }
    if (statedVectorBits_ > 0)
        options.vectorBits = statedVectorBits_;
    return options;
}

void Machine::prepare(llvm::Module& module) const {
    module.setTargetTriple(machine_->getTargetTriple());
    module.setDataLayout(machine_->createDataLayout());
    module.setPICLevel(llvm::PICLevel::BigPIC);
    if (machine_->getTargetTriple().isRISCV())
        module.addModuleFlag(llvm::Module::Error, "target-abi",
                             llvm::MDString::get(module.getContext(), abi_));
}

void Machine::mark(llvm::Module& module) const {
    const lower::LowerOptions options = lowering();
    for (llvm::Function& function : module) {
        if (function.isDeclaration())
            continue;
        function.addFnAttr("target-cpu", cpu_);
        if (!features_.empty())
            function.addFnAttr("target-features", features_);
        if (machine_->getTargetTriple().isX86()) {
            // Intel targets would otherwise keep to 256 bits.
            const std::string width = std::to_string(options.vectorBits);
            function.addFnAttr("prefer-vector-width", width);
            function.addFnAttr("min-legal-vector-width", width);
        }
    }
}

std::string Machine::emit(llvm::Module& module, llvm::CodeGenFileType kind) const {
    llvm::SmallVector<char, 0> buffer;
    llvm::raw_svector_ostream stream(buffer);
    llvm::legacy::PassManager passes;
    if (machine_->addPassesToEmitFile(passes, stream, nullptr, kind))
        throw base::UserError("target", "this target cannot write that kind of file");
    passes.run(module);
    return {buffer.begin(), buffer.end()};
}

} // namespace tilewright::codegen
