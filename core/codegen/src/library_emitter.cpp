// SPDX-License-Identifier: Apache-2.0
#include "library_emitter.h"

#include <tilewright/base/concat.h>

#include <llvm/IR/IRBuilder.h>

namespace tilewright::codegen {

namespace {

// Of runtime/kernel_abi.h.
constexpr std::uint32_t kAbi = 1;
constexpr int kEntrySlot = 63; // the last one: kernels number theirs from 0

} // namespace

void emitLibraryFacts(llvm::Module& module, const std::string& features) {
    llvm::LLVMContext& context = module.getContext();
    auto* word = llvm::Type::getInt32Ty(context);
    new llvm::GlobalVariable(module, word, true, llvm::GlobalValue::ExternalLinkage,
                             llvm::ConstantInt::get(word, kAbi), "tw_library_abi");
    llvm::Constant* text = llvm::ConstantDataArray::getString(context, features);
    new llvm::GlobalVariable(module, text->getType(), true, llvm::GlobalValue::ExternalLinkage,
                             text, "tw_library_features");
}

void emitLibraryConstants(llvm::Module& module, const std::vector<LibraryConstant>& constants) {
    llvm::LLVMContext& context = module.getContext();
    for (const LibraryConstant& constant : constants) {
        llvm::Constant* bytes = llvm::ConstantDataArray::getRaw(
            llvm::StringRef(constant.bytes.data(), constant.bytes.size()), constant.bytes.size(),
            llvm::Type::getInt8Ty(context));
        auto* global =
            new llvm::GlobalVariable(module, bytes->getType(), true,
                                     constant.exported ? llvm::GlobalValue::ExternalLinkage
                                                       : llvm::GlobalValue::InternalLinkage,
                                     bytes, constant.symbol);
        global->setAlignment(llvm::Align(64));
    }
}

void emitLibraryEntry(llvm::Module& module, const Library& library, const LibraryEntry& entry) {
    llvm::LLVMContext& context = module.getContext();
    llvm::IRBuilder<> b(context);
    llvm::Type* pointer = b.getPtrTy();
    auto* type = llvm::FunctionType::get(b.getInt32Ty(), {pointer, pointer}, false);
    auto* function =
        llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry.symbol, module);
    b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
    llvm::Value* data = function->getArg(0);
    llvm::Value* pool = function->getArg(1);
    const auto returnIf = [&](llvm::Value* failed, llvm::Value* code) {
        auto* stop = llvm::BasicBlock::Create(context, "stop", function);
        auto* go = llvm::BasicBlock::Create(context, "go", function);
        b.CreateCondBr(failed, stop, go);
        b.SetInsertPoint(stop);
        b.CreateRet(code);
        b.SetInsertPoint(go);
    };
    llvm::Value* scratch = nullptr;
    if (entry.scratchBytes > 0) {
        llvm::Value* workspace = b.CreateAlignedLoad(
            pointer, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), pool, 8), llvm::Align(8));
        auto* workspaceType =
            llvm::FunctionType::get(pointer, {pointer, b.getInt64Ty(), b.getInt32Ty()}, false);
        scratch = b.CreateCall(workspaceType, workspace,
                               {pool, b.getInt64(static_cast<std::uint64_t>(entry.scratchBytes)),
                                b.getInt32(kEntrySlot)});
        returnIf(b.CreateIsNull(scratch), b.getInt32(1));
    }
    llvm::IRBuilder<> top(&function->getEntryBlock(), function->getEntryBlock().begin());
    for (const KernelCall& call : entry.calls) {
        llvm::Function* kernel = module.getFunction(call.kernel);
        if (!kernel)
            throw base::UserError("codegen",
                                  base::concat("entry `", entry.symbol,
                                               "` calls the unknown kernel `", call.kernel, "`"));
        auto* listType = llvm::ArrayType::get(pointer, call.arguments.size());
        llvm::Value* list = top.CreateAlloca(listType, nullptr, "arguments");
        unsigned at = 0;
        for (const CallArgument& argument : call.arguments) {
            llvm::Value* address = nullptr;
            switch (argument.kind) {
            case CallArgument::Kind::Parameter:
                address = b.CreateAlignedLoad(
                    pointer,
                    b.CreateConstInBoundsGEP1_64(pointer, data,
                                                 static_cast<std::uint64_t>(argument.index)),
                    llvm::Align(8));
                break;
            case CallArgument::Kind::Constant:
                address = module.getNamedGlobal(
                    library.constants.at(static_cast<std::size_t>(argument.index)).symbol);
                break;
            case CallArgument::Kind::Scratch:
                address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scratch,
                                                       static_cast<std::uint64_t>(argument.offset));
                break;
            }
            b.CreateStore(address, b.CreateConstInBoundsGEP1_64(pointer, list, at++));
        }
        llvm::Value* code = b.CreateCall(type, kernel, {list, pool});
        returnIf(b.CreateICmpNE(code, b.getInt32(0)), code);
    }
    b.CreateRet(b.getInt32(0));
}

} // namespace tilewright::codegen
