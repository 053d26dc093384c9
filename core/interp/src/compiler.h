// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program.h"

#include <tilewright/ir/stmt.h>

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilewright::interp {

/// Turns IR into trees of code. Variables and buffers get numbered slots of the frame.
class Compiler {
public:
    StmtPtr stmt(const ir::Stmt& stmt);
    IntPtr ints(const ir::Expr& expr);
    RealPtr reals(const ir::Expr& expr);

    /// Slot of a variable that is defined here: integer or real, one place a lane.
    int defineVar(const ir::VarNode* var);
    int defineBuffer(const ir::BufferNode* buffer);
    [[nodiscard]] bool isDefined(const ir::VarNode* var) const { return vars_.contains(var); }
    int memorySlot() { return memories_++; }

    [[nodiscard]] int intSlots() const { return ints_; }
    [[nodiscard]] int realSlots() const { return reals_; }
    [[nodiscard]] int bufferSlots() const { return buffers_; }
    [[nodiscard]] int memorySlots() const { return memories_; }

private:
    using Prepare = std::function<void(Frame&)>;

    // Expressions (compile_expr.cpp).
    IntPtr intBinary(const ir::BinaryNode& node);
    IntPtr intCompare(const ir::BinaryNode& node);
    RealPtr realBinary(const ir::BinaryNode& node);
    int varSlot(const ir::VarNode* var) const;

    // Intrinsics (compile_call.cpp).
    IntPtr intCall(const ir::CallNode& call);
    RealPtr realCall(const ir::CallNode& call);
    RealPtr realFunction(const ir::CallNode& call);
    IntPtr integerFunction(const ir::CallNode& call);
    /// Fills `bytes` with all lanes of an expression.
    std::function<void(Frame&, std::vector<std::uint8_t>&)> bytesOfLanes(const ir::Expr& expr);
    IntPtr reinterpretAsInt(const ir::CallNode& call);
    RealPtr reinterpretAsReal(const ir::CallNode& call);
    IntPtr dotProduct(const ir::CallNode& call);
    StmtPtr evaluate(const ir::Expr& expr);

    // Accesses (compile_access.cpp).
    /// Gives the address of an element and checks it.
    std::function<std::uint8_t*(Frame&, int)> address(const ir::Buffer& buffer,
                                                      const std::vector<ir::Expr>& indices);
    int bufferSlot(const ir::BufferNode* buffer) const;
    Prepare allocation(const ir::Buffer& buffer);
    Prepare alias(const ir::Buffer& buffer, const ir::Expr& data);
    Prepare match(const ir::MatchBufferRegion& match);
    Prepare bindOrCheck(const ir::Expr& expr, std::function<std::int64_t(const Frame&)> value);
    StmtPtr store(const ir::BufferStoreNode& node);

    // Statements (compile_stmt.cpp).
    StmtPtr loop(const ir::Var& var, const ir::Expr& min, const ir::Expr& extent,
                 const ir::Expr& step, const ir::Stmt& body);
    StmtPtr sequence(const std::vector<ir::Stmt>& stmts);
    StmtPtr realize(const ir::BlockRealizeNode& node);
    StmtPtr bind(const ir::Var& var, const ir::Expr& value);

    std::unordered_map<const ir::VarNode*, int> vars_;
    std::unordered_map<const ir::BufferNode*, int> bufferSlots_;
    std::unordered_map<const ir::VarNode*, const ir::BufferNode*> pointers_;
    int ints_ = 0;
    int reals_ = 0;
    int buffers_ = 0;
    int memories_ = 0;
};

} // namespace tilewright::interp
