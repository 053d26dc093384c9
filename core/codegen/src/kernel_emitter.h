// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vector_math.h"

#include <tilewright/ir/module.h>
#include <tilewright/ir/stmt.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tilewright::codegen {

/// Where a buffer's elements are while a function is emitted.
struct BufferBinding {
    llvm::Value* pointer = nullptr;
    ir::DataType element;
    unsigned alignment = 64; ///< bytes, of element 0
    llvm::MDNode* scope = nullptr;
    bool isRegister = false;
};

/// Emits lowered functions (lower::lowerFunction) as kernels of runtime/kernel_abi.h into one LLVM
/// module. Throws base::UserError (kind `codegen`) for what has no machine code.
class KernelEmitter {
public:
    explicit KernelEmitter(llvm::Module& module);

    /// Adds `int32_t symbol(void** data, tw_pool* pool)`.
    void emitKernel(const std::string& symbol, const ir::PrimFuncNode& function);

    /// True once a loop was emitted whose innermost body works on scalars, so that LLVM's own loop
    /// vectoriser may find something to do.
    [[nodiscard]] bool hasScalarLoops() const { return hasScalarLoops_; }

private:
    using Value = llvm::Value;

    /// What is known while one LLVM function is being filled.
    struct Frame {
        llvm::Function* function = nullptr;
        Value* pool = nullptr;
        llvm::Instruction* allocaPoint = nullptr;
        std::unordered_map<const ir::VarNode*, Value*> vars; ///< loop variables as i64
        std::unordered_map<const ir::BufferNode*, BufferBinding> buffers;
        std::int64_t stackBytes = 0;
        bool parallel = false;
    };

    // kernel_emitter.cpp
    void beginFunction(llvm::Function* function);
    void finishFunction();
    void bindParameters(const ir::PrimFuncNode& function, Value* data);
    void reserve(const ir::Stmt& body);
    void reserveBuffer(const ir::BufferNode& buffer);
    BufferBinding bindingFor(const ir::BufferNode& buffer, Value* pointer);
    void returnCode(int code);
    void statement(const ir::Stmt& stmt);
    void forLoop(const ir::ForNode& loop);
    void serialLoop(const ir::ForNode& loop, Value* begin, Value* end, bool neverEmpty);
    void parallelLoop(const ir::ForNode& loop);
    void branch(const ir::IfThenElseNode& node);
    void whileLoop(const ir::WhileNode& node);
    void assertion(const ir::AssertStmtNode& node);

    // memory_access.cpp
    void store(const ir::BufferStoreNode& node);
    Value* load(const ir::BufferLoadNode& node);
    Value* loadLinear(const BufferBinding& buffer, Value* address, unsigned alignment, int lanes,
                      Value* mask);
    Value* loadStrided(const BufferBinding& buffer, const ir::RampNode& index, int lanes);
    Value* loadGathered(const BufferBinding& buffer, Value* index, int lanes, Value* mask);
    void storeLinear(const BufferBinding& buffer, Value* value, Value* address, unsigned alignment,
                     int lanes, Value* mask);
    void storeScattered(const BufferBinding& buffer, Value* value, Value* index, int lanes,
                        Value* mask);
    Value* addressOf(const BufferBinding& buffer, const ir::Expr& index);
    unsigned alignmentOf(const BufferBinding& buffer, const ir::Expr& index) const;
    const BufferBinding& bindingOf(const ir::BufferNode& buffer) const;
    template <class Instruction> Instruction* tagged(Instruction* access, const BufferBinding& b);
    void tagAll();
    Value* fromMemory(Value* value, ir::DataType type);
    Value* toMemory(Value* value, ir::DataType type);
    llvm::Type* memoryType(ir::DataType element, int lanes) const;

    // value_emitter.cpp
    Value* value(const ir::Expr& expr);
    Value* binary(const ir::BinaryNode& node);
    Value* arithmetic(ir::NodeKind kind, Value* a, Value* b, ir::DataType type);
    Value* floatArithmetic(ir::NodeKind kind, Value* a, Value* b);
    Value* intArithmetic(ir::NodeKind kind, Value* a, Value* b, bool isSigned);
    Value* compare(ir::NodeKind kind, Value* a, Value* b, ir::DataType type);
    Value* castTo(Value* value, ir::DataType from, ir::DataType to);
    Value* widened(Value* value, ir::DataType type);
    Value* narrowed(Value* value, ir::DataType type);
    Value* call(const ir::CallNode& node);
    Value* integerCall(const ir::CallNode& node);
    Value* ifThenElse(const ir::CallNode& node);
    Value* loadOrConstant(const ir::CallNode& node, Value* condition);
    Value* llvmIntrinsic(const ir::CallNode& node);
    Value* limitOf(const ir::CallNode& node);
    Value* immediate(ir::DataType type, double number);
    /// An index expression in 64 bits.
    Value* index(const ir::Expr& expr);
    Value* indexDivision(const ir::BinaryNode& node);
    [[nodiscard]] bool isNonNegative(const ir::Expr& expr) const;

    llvm::Type* typeOf(ir::DataType type) const;
    [[noreturn]] static void unsupported(const std::string& what);

    llvm::Module& module_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> b_;
    VectorMath math_;
    llvm::MDNode* scopeDomain_ = nullptr;
    std::vector<llvm::Metadata*> scopes_;
    struct PendingTag {
        llvm::Instruction* access;
        llvm::MDNode* scope;
    };
    std::vector<PendingTag> pendingTags_;
    Frame frame_;
    std::unordered_set<const ir::VarNode*> counters_;
    std::string kernelName_;
    int bodies_ = 0;
    int slots_ = 0;
    bool hasScalarLoops_ = false;
};

} // namespace tilewright::codegen
