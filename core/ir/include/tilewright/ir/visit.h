// SPDX-License-Identifier: Apache-2.0
#pragma once

// The three ways to go through IR: walk (a lambda), Visitor (a class), Rewriter (copy-on-write).

#include <tilewright/ir/module.h>
#include <tilewright/ir/stmt.h>

#include <functional>
#include <unordered_map>

namespace tilewright::ir {

/// Calls `pre` on every expression and statement below `root`, parents first, in textual order;
/// returning false prunes the children. Block iterator domains, bindings, predicates, regions, and
/// buffer shapes in match buffers are not entered unless they are children proper: what is entered
/// is loop min/extent, values, indices, conditions, iterValues, predicates, init and body.
void walk(const Stmt& root, const std::function<bool(const Node&)>& pre);
void walk(const Expr& root, const std::function<bool(const Node&)>& pre);
/// Calls `post` children first.
void walkPost(const Stmt& root, const std::function<void(const Node&)>& post);
void walkPost(const Expr& root, const std::function<void(const Node&)>& post);

/// Class visitor; each visit method's default enters the children. Override the cases you need.
class Visitor {
public:
    virtual ~Visitor() = default;
    void visit(const Expr& expr);
    void visit(const Stmt& stmt);

protected:
#define TW_EXPR_CLASSES(X)                                                                         \
    X(VarNode) X(IntImmNode) X(FloatImmNode) X(StringImmNode) X(CastNode) X(BinaryNode) X(NotNode) \
        X(SelectNode) X(BufferLoadNode) X(RampNode) X(BroadcastNode) X(ShuffleNode) X(LetNode)     \
            X(CallNode) X(RegionAccessNode)
#define TW_STMT_CLASSES(X)                                                                         \
    X(ForNode) X(SeqStmtNode) X(BufferStoreNode) X(IfThenElseNode) X(WhileNode) X(EvaluateNode)    \
        X(AttrStmtNode) X(AssertStmtNode) X(BindNode) X(AllocBufferNode) X(DeclBufferNode)         \
            X(BlockNode) X(BlockRealizeNode) X(ReturnNode) X(BreakNode) X(ContinueNode)
#define TW_DECLARE(Class) virtual void visitNode(const Class& node);
    TW_EXPR_CLASSES(TW_DECLARE)
    TW_STMT_CLASSES(TW_DECLARE)
#undef TW_DECLARE
};

/// Copy-on-write rewriter: a node whose children did not change is returned itself, so "did it
/// change" is an identity compare. Override the cases you need and call `Rewriter::rewriteNode(n)`
/// for the default. Buffers are mapped through `rewriteBuffer` wherever they occur (loads, stores,
/// regions, allocations, declarations); variables at their uses through rewriteNode(VarNode),
/// at their definitions (loop variables, block iterators) through rewriteDefinition.
class Rewriter {
public:
    virtual ~Rewriter() = default;
    Expr rewrite(const Expr& expr);
    Stmt rewrite(const Stmt& stmt);

protected:
    virtual Buffer rewriteBuffer(const Buffer& buffer) { return buffer; }
    virtual Var rewriteDefinition(const Var& var) { return var; }
#define TW_DECLARE(Class) virtual Expr rewriteNode(const Class& node);
    TW_EXPR_CLASSES(TW_DECLARE)
#undef TW_DECLARE
#define TW_DECLARE(Class) virtual Stmt rewriteNode(const Class& node);
    TW_STMT_CLASSES(TW_DECLARE)
#undef TW_DECLARE
    std::vector<Expr> rewriteAll(const std::vector<Expr>& exprs, bool& changed);
    Range rewriteRange(const Range& range, bool& changed);
    BufferRegion rewriteRegion(const BufferRegion& region, bool& changed);
    IterVar rewriteIterVar(const IterVar& iter, bool& changed);
};

using VarMap = std::unordered_map<const VarNode*, Expr>;
using BufferMap = std::unordered_map<const BufferNode*, Buffer>;

/// Replaces free variables; binary operators above a replaced variable are rebuilt with folding.
Expr substitute(const Expr& expr, const VarMap& values);
Stmt substitute(const Stmt& stmt, const VarMap& values);
Range substitute(const Range& range, const VarMap& values);
BufferRegion substitute(const BufferRegion& region, const VarMap& values);
/// Replaces buffers in loads, stores, regions, allocations and declarations.
Stmt substituteBuffers(const Stmt& stmt, const BufferMap& buffers);
/// Replaces variables and buffers at once.
Stmt substitute(const Stmt& stmt, const VarMap& values, const BufferMap& buffers);

/// True when the variable (or one satisfying the predicate) occurs.
bool usesVar(const Expr& expr, const VarNode* var);
bool usesVar(const Expr& expr, const std::function<bool(const VarNode*)>& predicate);
bool usesVar(const Stmt& stmt, const std::function<bool(const VarNode*)>& predicate);
/// Variables that occur in an expression, in order of first occurrence.
std::vector<Var> collectVars(const Expr& expr);

} // namespace tilewright::ir
