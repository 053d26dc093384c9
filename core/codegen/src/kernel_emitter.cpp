// SPDX-License-Identifier: Apache-2.0
#include "kernel_emitter.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::codegen {

using namespace tilewright::ir;
using llvm::BasicBlock;

namespace {

// Return codes and slot limit of runtime/kernel_abi.h, which the generated code must agree with.
constexpr int kOk = 0;
constexpr int kNoMemory = 1;
constexpr int kBadArgument = 2;
constexpr int kMaxSlots = 63; // the last one is the library entry point's

// Larger buffers come from the pool: worker threads may have small stacks.
constexpr std::int64_t kStackBuffer = 32 * 1024;
constexpr std::int64_t kStackFrame = 128 * 1024;

std::int64_t bytesOf(const BufferNode& buffer) {
    std::int64_t count = 1;
    for (const Expr& extent : buffer.shape) {
        const auto n = constInt(extent);
        if (!n)
            throw base::UserError("codegen", base::concat("buffer `", buffer.name,
                                                          "` has no constant size; every extent "
                                                          "must be known to compile"));
        count *= *n;
    }
    return count * std::max(1, buffer.dtype.elementBytes()) * buffer.dtype.lanes;
}

} // namespace

KernelEmitter::KernelEmitter(llvm::Module& module)
    : module_(module), context_(module.getContext()), b_(context_), math_(b_) {
    llvm::FastMathFlags flags;
    flags.setAllowContract(true);
    b_.setFastMathFlags(flags);
}

void KernelEmitter::unsupported(const std::string& what) {
    throw base::UserError("codegen", what);
}

void KernelEmitter::emitKernel(const std::string& symbol, const PrimFuncNode& function) {
    kernelName_ = symbol;
    bodies_ = 0;
    slots_ = 0;
    llvm::MDBuilder metadata(context_);
    scopeDomain_ = metadata.createAnonymousAliasScopeDomain(symbol);
    scopes_.clear();
    llvm::Type* pointer = b_.getPtrTy();
    auto* type = llvm::FunctionType::get(b_.getInt32Ty(), {pointer, pointer}, false);
    auto* kernel = llvm::Function::Create(type, llvm::Function::ExternalLinkage, symbol, module_);
    kernel->setDSOLocal(true);
    kernel->addFnAttr(llvm::Attribute::NoUnwind);
    // Its loads of data[] count as invariant, which holds for a call from outside but not once a
    // library's entry point, which writes that list just before, has the kernel inlined.
    kernel->addFnAttr(llvm::Attribute::NoInline);
    kernel->addParamAttr(0, llvm::Attribute::NoAlias);
    kernel->addParamAttr(0, llvm::Attribute::ReadOnly);
    Frame outer;
    std::swap(frame_, outer);
    beginFunction(kernel);
    frame_.pool = kernel->getArg(1);
    bindParameters(function, kernel->getArg(0));
    reserve(function.body);
    statement(function.body);
    finishFunction();
    std::swap(frame_, outer);
    tagAll();
}

void KernelEmitter::beginFunction(llvm::Function* function) {
    frame_.function = function;
    BasicBlock* entry = BasicBlock::Create(context_, "entry", function);
    BasicBlock* start = BasicBlock::Create(context_, "start", function);
    b_.SetInsertPoint(entry);
    frame_.allocaPoint = b_.CreateBr(start);
    b_.SetInsertPoint(start);
}

void KernelEmitter::finishFunction() {
    if (!b_.GetInsertBlock()->getTerminator())
        returnCode(kOk);
}

void KernelEmitter::returnCode(int code) {
    b_.CreateRet(b_.getInt32(static_cast<std::uint32_t>(code)));
}

void KernelEmitter::bindParameters(const PrimFuncNode& function, Value* data) {
    unsigned at = 0;
    for (const Param& param : function.params) {
        if (!param.buffer)
            unsupported(base::concat("parameter `", param.var->name,
                                     "` is no tensor; kernels take tensors only"));
        Value* slot = b_.CreateConstInBoundsGEP1_64(b_.getPtrTy(), data, at++);
        llvm::LoadInst* pointer = b_.CreateAlignedLoad(b_.getPtrTy(), slot, llvm::Align(8));
        pointer->setName(param.buffer->name);
        const auto number = [&](std::uint64_t n) {
            return llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(b_.getInt64(n)));
        };
        pointer->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context_, {}));
        pointer->setMetadata(llvm::LLVMContext::MD_align, number(64));
        if (const std::int64_t bytes = bytesOf(*param.buffer); bytes > 0)
            pointer->setMetadata(llvm::LLVMContext::MD_dereferenceable,
                                 number(static_cast<std::uint64_t>(bytes)));
        pointer->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
        frame_.buffers[param.buffer.get()] = bindingFor(*param.buffer, pointer);
        if (const auto stated = param.var.get())
            frame_.vars[stated] = pointer;
    }
}

BufferBinding KernelEmitter::bindingFor(const BufferNode& buffer, Value* pointer) {
    BufferBinding binding;
    binding.pointer = pointer;
    binding.element = buffer.dtype;
    binding.alignment = 64;
    llvm::MDBuilder metadata(context_);
    binding.scope = metadata.createAnonymousAliasScope(scopeDomain_, buffer.name);
    scopes_.push_back(binding.scope);
    return binding;
}

/// Makes room for everything that `body` allocates, except inside parallel loops, whose bodies are
/// functions of their own.
void KernelEmitter::reserve(const Stmt& body) {
    walk(body, [&](const Node& n) {
        if (n.kind() == NodeKind::AllocBuffer)
            reserveBuffer(*static_cast<const AllocBufferNode&>(n).buffer);
        const bool outlined = n.kind() == NodeKind::For && !frame_.parallel &&
                              static_cast<const ForNode&>(n).forKind == ForKind::Parallel;
        return StmtNode::classof(n.kind()) && !outlined;
    });
}

void KernelEmitter::reserveBuffer(const BufferNode& buffer) {
    if (frame_.buffers.contains(&buffer))
        return;
    const std::int64_t bytes = bytesOf(buffer);
    const bool isRegister = buffer.scope == "register";
    if (isRegister || (bytes <= kStackBuffer && frame_.stackBytes + bytes <= kStackFrame)) {
        llvm::Type* type = memoryType(buffer.dtype.element(), buffer.dtype.lanes);
        if (!isRegister)
            type = llvm::ArrayType::get(
                type, static_cast<std::uint64_t>(bytes / std::max(1, buffer.dtype.elementBytes())));
        llvm::IRBuilder<> entry(frame_.allocaPoint);
        llvm::AllocaInst* memory = entry.CreateAlloca(type, nullptr, buffer.name);
        BufferBinding binding;
        if (isRegister) {
            binding.pointer = memory;
            binding.element = buffer.dtype;
            binding.isRegister = true;
        } else {
            memory->setAlignment(llvm::Align(64));
            frame_.stackBytes += bytes;
            binding = bindingFor(buffer, memory);
        }
        frame_.buffers[&buffer] = binding;
        return;
    }
    if (slots_ >= kMaxSlots)
        unsupported(base::concat("more than ", kMaxSlots, " large buffers in one kernel"));
    Value* field = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), frame_.pool, 8);
    Value* workspace = b_.CreateAlignedLoad(b_.getPtrTy(), field, llvm::Align(8));
    auto* type = llvm::FunctionType::get(b_.getPtrTy(),
                                         {b_.getPtrTy(), b_.getInt64Ty(), b_.getInt32Ty()}, false);
    llvm::CallInst* memory =
        b_.CreateCall(type, workspace,
                      {frame_.pool, b_.getInt64(static_cast<std::uint64_t>(bytes)),
                       b_.getInt32(static_cast<std::uint32_t>(slots_++))},
                      buffer.name);
    memory->addRetAttr(llvm::Attribute::getWithAlignment(context_, llvm::Align(64)));
    BasicBlock* missing = BasicBlock::Create(context_, "no_memory", frame_.function);
    BasicBlock* present = BasicBlock::Create(context_, "memory", frame_.function);
    b_.CreateCondBr(b_.CreateIsNull(memory), missing, present);
    b_.SetInsertPoint(missing);
    returnCode(kNoMemory);
    b_.SetInsertPoint(present);
    frame_.buffers[&buffer] = bindingFor(buffer, memory);
}

void KernelEmitter::statement(const Stmt& stmt) {
    switch (stmt->kind()) {
    case NodeKind::For:
        return forLoop(*as<ForNode>(stmt));
    case NodeKind::SeqStmt:
        for (const Stmt& child : as<SeqStmtNode>(stmt)->seq)
            statement(child);
        return;
    case NodeKind::BufferStore:
        return store(*as<BufferStoreNode>(stmt));
    case NodeKind::IfThenElse:
        return branch(*as<IfThenElseNode>(stmt));
    case NodeKind::While:
        return whileLoop(*as<WhileNode>(stmt));
    case NodeKind::Evaluate:
        if (const auto* evaluate = as<EvaluateNode>(stmt); !constInt(evaluate->value))
            (void)value(evaluate->value);
        return;
    case NodeKind::AttrStmt:
        return statement(as<AttrStmtNode>(stmt)->body);
    case NodeKind::AssertStmt:
        return assertion(*as<AssertStmtNode>(stmt));
    case NodeKind::Bind: {
        const auto* bind = as<BindNode>(stmt);
        frame_.vars[bind->var.get()] = value(bind->value);
        return;
    }
    case NodeKind::AllocBuffer:
        return; // reserved at the function's start
    default:
        unsupported("a statement that cannot be compiled for a CPU");
    }
}

void KernelEmitter::forLoop(const ForNode& loop) {
    if (loop.forKind == ForKind::ThreadBinding)
        unsupported(base::concat("loop `", loop.loopVar->name, "` is bound to ", loop.threadTag,
                                 "; the CPU has no such threads"));
    const auto extent = constInt(loop.extent);
    if (loop.forKind == ForKind::Parallel && !frame_.parallel && extent.value_or(2) > 1)
        return parallelLoop(loop);
    serialLoop(loop, b_.getInt64(0), index(loop.extent), extent.value_or(0) > 0);
}

void KernelEmitter::serialLoop(const ForNode& loop, Value* begin, Value* end, bool neverEmpty) {
    bool innermost = true;
    bool vectors = false;
    walk(loop.body, [&](const Node& n) {
        innermost = innermost && n.kind() != NodeKind::For;
        vectors = vectors ||
                  (ExprNode::classof(n.kind()) && static_cast<const ExprNode&>(n).dtype.lanes > 1);
        return innermost;
    });
    hasScalarLoops_ = hasScalarLoops_ || (innermost && !vectors);
    BasicBlock* body = BasicBlock::Create(context_, loop.loopVar->name, frame_.function);
    BasicBlock* done = BasicBlock::Create(context_, loop.loopVar->name + ".end", frame_.function);
    BasicBlock* before = b_.GetInsertBlock();
    if (neverEmpty)
        b_.CreateBr(body);
    else
        b_.CreateCondBr(b_.CreateICmpSLT(begin, end), body, done);
    b_.SetInsertPoint(body);
    llvm::PHINode* counter = b_.CreatePHI(b_.getInt64Ty(), 2, loop.loopVar->name);
    counter->addIncoming(begin, before);
    frame_.vars[loop.loopVar.get()] = counter;
    counters_.insert(loop.loopVar.get());
    statement(loop.body);
    Value* next = b_.CreateAdd(counter, b_.getInt64(1), "", true, true);
    counter->addIncoming(next, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpSLT(next, end), body, done);
    b_.SetInsertPoint(done);
}

void KernelEmitter::parallelLoop(const ForNode& loop) {
    // What the body uses of what is known here travels through the closure.
    std::vector<const VarNode*> vars;
    std::vector<const BufferNode*> buffers;
    walk(Stmt(loop.body), [&](const Node& n) {
        const auto note = [](auto& list, auto* item) {
            if (std::find(list.begin(), list.end(), item) == list.end())
                list.push_back(item);
        };
        const BufferNode* buffer = nullptr;
        if (n.kind() == NodeKind::BufferLoad)
            buffer = static_cast<const BufferLoadNode&>(n).buffer.get();
        if (n.kind() == NodeKind::BufferStore)
            buffer = static_cast<const BufferStoreNode&>(n).buffer.get();
        if (buffer && frame_.buffers.contains(buffer))
            note(buffers, buffer);
        if (n.kind() == NodeKind::Var && frame_.vars.contains(static_cast<const VarNode*>(&n)))
            note(vars, static_cast<const VarNode*>(&n));
        return true;
    });
    std::vector<llvm::Type*> fields{b_.getPtrTy()};
    for (const BufferNode* buffer : buffers)
        fields.push_back(frame_.buffers.at(buffer).pointer->getType());
    for (const VarNode* var : vars)
        fields.push_back(frame_.vars.at(var)->getType());
    auto* closureType = llvm::StructType::get(context_, fields);
    llvm::IRBuilder<> entry(frame_.allocaPoint);
    llvm::AllocaInst* closure = entry.CreateAlloca(closureType, nullptr, "closure");
    unsigned field = 0;
    const auto put = [&](Value* v) {
        b_.CreateStore(v, b_.CreateStructGEP(closureType, closure, field++));
    };
    put(frame_.pool);
    for (const BufferNode* buffer : buffers)
        put(frame_.buffers.at(buffer).pointer);
    for (const VarNode* var : vars)
        put(frame_.vars.at(var));

    auto* bodyType = llvm::FunctionType::get(
        b_.getInt32Ty(), {b_.getPtrTy(), b_.getInt64Ty(), b_.getInt64Ty()}, false);
    auto* body = llvm::Function::Create(bodyType, llvm::Function::InternalLinkage,
                                        base::concat(kernelName_, ".parallel", bodies_++), module_);
    body->addFnAttr(llvm::Attribute::NoUnwind);
    body->addParamAttr(0, llvm::Attribute::NoAlias);
    body->addParamAttr(0, llvm::Attribute::ReadOnly);

    Value* entryPoint = b_.CreateAlignedLoad(b_.getPtrTy(), frame_.pool, llvm::Align(8));
    auto* runType = llvm::FunctionType::get(
        b_.getInt32Ty(), {b_.getPtrTy(), b_.getPtrTy(), b_.getPtrTy(), b_.getInt64Ty()}, false);
    Value* code =
        b_.CreateCall(runType, entryPoint, {frame_.pool, body, closure, index(loop.extent)});
    BasicBlock* failed = BasicBlock::Create(context_, "failed", frame_.function);
    BasicBlock* done = BasicBlock::Create(context_, "done", frame_.function);
    b_.CreateCondBr(b_.CreateICmpNE(code, b_.getInt32(kOk)), failed, done);
    b_.SetInsertPoint(failed);
    b_.CreateRet(code);

    Frame inner;
    inner.parallel = true;
    std::swap(frame_, inner);
    beginFunction(body);
    field = 0;
    const auto take = [&](llvm::Type* type) {
        llvm::LoadInst* v =
            b_.CreateLoad(type, b_.CreateStructGEP(closureType, body->getArg(0), field++));
        v->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
        if (type->isPointerTy()) {
            v->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context_, {}));
        }
        return v;
    };
    frame_.pool = take(b_.getPtrTy());
    for (const BufferNode* buffer : buffers) {
        const BufferBinding& known = inner.buffers.at(buffer);
        BufferBinding binding = known;
        llvm::LoadInst* pointer = take(known.pointer->getType());
        pointer->setName(buffer->name);
        pointer->setMetadata(
            llvm::LLVMContext::MD_align,
            llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(b_.getInt64(64))));
        if (const std::int64_t bytes = bytesOf(*buffer); bytes > 0)
            pointer->setMetadata(
                llvm::LLVMContext::MD_dereferenceable,
                llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(
                                                b_.getInt64(static_cast<std::uint64_t>(bytes)))));
        binding.pointer = pointer;
        frame_.buffers[buffer] = binding;
    }
    for (const VarNode* var : vars)
        frame_.vars[var] = take(inner.vars.at(var)->getType());
    reserve(loop.body);
    serialLoop(loop, body->getArg(1), body->getArg(2), true);
    finishFunction();
    std::swap(frame_, inner);
    b_.SetInsertPoint(done);
}

void KernelEmitter::branch(const IfThenElseNode& node) {
    Value* condition = value(node.condition);
    BasicBlock* yes = BasicBlock::Create(context_, "then", frame_.function);
    BasicBlock* no =
        node.elseCase ? BasicBlock::Create(context_, "else", frame_.function) : nullptr;
    BasicBlock* done = BasicBlock::Create(context_, "endif", frame_.function);
    b_.CreateCondBr(condition, yes, no ? no : done);
    b_.SetInsertPoint(yes);
    statement(node.thenCase);
    b_.CreateBr(done);
    if (no) {
        b_.SetInsertPoint(no);
        statement(node.elseCase);
        b_.CreateBr(done);
    }
    b_.SetInsertPoint(done);
}

void KernelEmitter::whileLoop(const WhileNode& node) {
    BasicBlock* test = BasicBlock::Create(context_, "while", frame_.function);
    BasicBlock* body = BasicBlock::Create(context_, "while.body", frame_.function);
    BasicBlock* done = BasicBlock::Create(context_, "while.end", frame_.function);
    b_.CreateBr(test);
    b_.SetInsertPoint(test);
    b_.CreateCondBr(value(node.condition), body, done);
    b_.SetInsertPoint(body);
    statement(node.body);
    b_.CreateBr(test);
    b_.SetInsertPoint(done);
}

void KernelEmitter::assertion(const AssertStmtNode& node) {
    BasicBlock* failed = BasicBlock::Create(context_, "assert.failed", frame_.function);
    BasicBlock* held = BasicBlock::Create(context_, "assert.held", frame_.function);
    b_.CreateCondBr(value(node.condition), held, failed);
    b_.SetInsertPoint(failed);
    returnCode(kBadArgument);
    b_.SetInsertPoint(held);
}

void KernelEmitter::tagAll() {
    // Every buffer is apart from every other, so an access aliases only its own scope.
    std::unordered_map<llvm::MDNode*, std::pair<llvm::MDNode*, llvm::MDNode*>> lists;
    for (const PendingTag& tag : pendingTags_) {
        auto& [own, others] = lists[tag.scope];
        if (!own) {
            own = llvm::MDNode::get(context_, {tag.scope});
            llvm::SmallVector<llvm::Metadata*, 8> rest;
            for (llvm::Metadata* scope : scopes_)
                if (scope != tag.scope)
                    rest.push_back(scope);
            others = llvm::MDNode::get(context_, rest);
        }
        tag.access->setMetadata(llvm::LLVMContext::MD_alias_scope, own);
        tag.access->setMetadata(llvm::LLVMContext::MD_noalias, others);
    }
    pendingTags_.clear();
}

} // namespace tilewright::codegen
