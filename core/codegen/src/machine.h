// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/codegen/compile.h>

#include <tilewright/lower/lower.h>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace tilewright::codegen {

/// LLVM's view of a target, made for one compilation (LLVM's machines are not thread-safe).
class Machine {
public:
    /// Throws base::UserError (kind `target`) for kinds, CPUs and triples that LLVM does not know.
    explicit Machine(const target::Target& target, Effort effort = Effort::Quick);

    [[nodiscard]] lower::LowerOptions lowering() const;
    /// Names the target in the module.
    void prepare(llvm::Module& module) const;
    /// Gives every function with a body its CPU, features and vector width.
    void mark(llvm::Module& module) const;
    /// `loops`: also run LLVM's loop vectoriser.
    void optimize(llvm::Module& module, Effort effort, bool loops) const;
    [[nodiscard]] std::string emit(llvm::Module& module, llvm::CodeGenFileType kind) const;

    [[nodiscard]] bool hasFeature(std::string_view feature) const;
    /// Features beyond the architecture's baseline that the code may use, `avx2,fma`.
    [[nodiscard]] std::string requiredFeatures() const;

private:
    std::string triple_;
    std::string cpu_;
    std::string features_;
    std::string abi_;
    int statedVectorBits_ = 0;
    std::unique_ptr<llvm::TargetMachine> machine_;
};

/// Links one relocatable object into a shared object. Throws base::UserError (kind `link`).
std::string linkShared(const std::string& object);

} // namespace tilewright::codegen
