// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "name_table.h"

#include <tilewright/ir/module.h>
#include <tilewright/ir/stmt.h>

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace tilewright::ir {

/// Python's operator precedences, loosest first.
enum class Precedence : std::uint8_t {
    Or = 1,
    And,
    Not,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Identity
};

/// Writes TVMScript. One object prints one unit (module, function or fragment).
class ScriptPrinter {
public:
    /// A fragment names what it does not define by its hints, without declaring it.
    explicit ScriptPrinter(bool isFragment) : isFragment_(isFragment) {}

    void printModule(const Module& module);
    void printFunction(const PrimFunc& function, const std::string& name);
    void printStmt(const Stmt& stmt);
    void appendExpr(std::string& out, const Expr& expr);
    void appendAttr(std::string& out, const AttrValue& value);
    void appendRegion(std::string& out, const Buffer& buffer, const std::vector<Range>& region);
    /// Everything printed so far, without the last line break.
    std::string take();
    [[nodiscard]] const std::set<std::string>& typeVars() const { return typeVars_; }
    NameTable& names() { return names_; }

private:
    enum class BufferForm : std::uint8_t { Parameter, Declaration };

    // Functions (print_function.cpp).
    void printParams(std::string& line, const PrimFuncNode& function);
    void appendParamShape(std::string& out, const BufferNode& buffer,
                          const std::unordered_set<const VarNode*>& laterParams);
    void printFunctionAttrs(const PrimFuncNode& function, const std::string& name);
    void printFunctionBody(const PrimFuncNode& function, bool isSchedulable);
    void printBlockContents(const BlockNode& block);

    // Statements (print_stmt.cpp).
    void printBody(const Stmt& stmt);
    void printNested(const Stmt& stmt);
    void printSequence(std::span<const Stmt> statements);
    void printStmtIn(const Stmt& stmt, bool isLast);
    void printFor(const ForNode& loop);
    std::string forHeader(const ForNode& loop);
    void printBlock(const BlockNode& block, const BlockRealizeNode* realize);
    void printIterVars(const BlockNode& block, const BlockRealizeNode* realize);
    void printStore(const BufferStoreNode& store);
    void printAttrStmt(const AttrStmtNode& stmt, bool isLast);
    void printLaunchThread(const AttrStmtNode& stmt, const Var& var, const std::string& tag,
                           bool isLast);
    void printAlloc(const AllocBufferNode& alloc);
    bool printAsScalar(const AllocBufferNode& alloc, const Stmt* next);
    void appendBufferOptions(std::string& out, const BufferNode& buffer);
    void appendBufferDeclaration(std::string& out, const BufferNode& buffer, const Expr* data,
                                 bool withScope = true);
    [[nodiscard]] bool isSimpleRemap(const IterVar& iter, const Expr& value) const;

    // Expressions (print_expr.cpp).
    Precedence appendTo(std::string& out, const Expr& expr);
    void appendOperand(std::string& out, const Expr& expr, Precedence parent, bool strict);
    Precedence appendBinary(std::string& out, const BinaryNode& node);
    Precedence appendInfix(std::string& out, const Expr& a, std::string_view op, const Expr& b,
                           Precedence precedence);
    Precedence appendCall(std::string& out, const CallNode& call);
    void appendArgs(std::string& out, const std::vector<Expr>& args);
    void appendVar(std::string& out, const VarNode* var);
    void appendBuffer(std::string& out, const BufferNode* buffer);
    void appendInt(std::string& out, const IntImmNode& imm);
    void appendTuple(std::string& out, const std::vector<Expr>& items);
    void appendDict(std::string& out, const Annotations& annotations);
    void appendRange(std::string& out, const Range& range);
    void appendVarType(std::string& out, const VarNode& var);

    void line(std::string_view text);
    void defineFree(const VarNode* var);
    void defineFree(const BufferNode* buffer);

    NameTable names_;
    std::string out_;
    int indent_ = 0;
    bool isFragment_;
    bool inModule_ = false;
    std::set<std::string> typeVars_;
    std::vector<const ForNode*> loops_;
    std::unordered_set<const BufferNode*> scalars_;
};

} // namespace tilewright::ir
