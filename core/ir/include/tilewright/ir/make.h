// SPDX-License-Identifier: Apache-2.0
#pragma once

// Factories. The arithmetic ones (add … logicalOr) fold constants and drop neutral elements the way
// TVM's operators do (x + 0, x * 1, x * 0, …), and bring two scalar operands to one type (int32 with
// int64 gives int64; an integer with a float gives the float). makeBinary does neither.

#include <tilewright/ir/module.h>
#include <tilewright/ir/stmt.h>

namespace tilewright::ir {

Expr makeInt(std::int64_t value, DataType type = DataType::i(32));
Expr makeBool(bool value);
Expr makeFloat(double value, DataType type = DataType::f(32));
/// A constant of any scalar or vector type (vector: a Broadcast).
Expr makeConst(double value, DataType type);
Expr makeString(std::string value);
Var makeVar(std::string name, DataType type = DataType::i(32));
/// A handle variable pointing to elements.
Var makePointer(std::string name, DataType pointee, std::string scope = "global");
/// No folding, no type matching: both operands must have one dtype.
Expr makeBinary(NodeKind kind, Expr a, Expr b);
Expr makeCast(DataType type, Expr value);
Expr makeSelect(Expr condition, Expr trueValue, Expr falseValue);
Expr makeRamp(Expr base, Expr stride, int lanes);
Expr makeBroadcast(Expr value, int lanes);
Expr makeLet(Var var, Expr value, Expr body);
Expr makeCall(DataType type, Op op, std::vector<Expr> args, std::string callee = {});
Expr makeLoad(Buffer buffer, std::vector<Expr> indices, Expr predicate = nullptr);
Buffer makeBuffer(std::string name, DataType type, std::vector<Expr> shape,
                  std::string scope = "global");
/// Static shape, int32 extents.
Buffer makeBuffer(std::string name, DataType type, const std::vector<std::int64_t>& shape,
                  std::string scope = "global");
/// A copy with another storage scope, shape or name (a new identity).
Buffer copyBuffer(const Buffer& buffer, std::string name, std::string scope);

Expr add(const Expr& a, const Expr& b);
Expr sub(const Expr& a, const Expr& b);
Expr mul(const Expr& a, const Expr& b);
Expr truncDiv(const Expr& a, const Expr& b);
Expr truncMod(const Expr& a, const Expr& b);
Expr floorDiv(const Expr& a, const Expr& b);
Expr floorMod(const Expr& a, const Expr& b);
Expr minimum(const Expr& a, const Expr& b);
Expr maximum(const Expr& a, const Expr& b);
Expr equal(const Expr& a, const Expr& b);
Expr notEqual(const Expr& a, const Expr& b);
Expr less(const Expr& a, const Expr& b);
Expr lessEqual(const Expr& a, const Expr& b);
Expr greater(const Expr& a, const Expr& b);
Expr greaterEqual(const Expr& a, const Expr& b);
Expr logicalAnd(const Expr& a, const Expr& b);
Expr logicalOr(const Expr& a, const Expr& b);
Expr logicalNot(const Expr& a);
/// Any binary kind through the folding factories above.
Expr foldBinary(NodeKind kind, const Expr& a, const Expr& b);
/// Casts, folding constants; the same expression when the type is already right.
Expr cast(DataType type, const Expr& value);
inline Expr operator+(const Expr& a, const Expr& b) { return add(a, b); }
inline Expr operator-(const Expr& a, const Expr& b) { return sub(a, b); }
inline Expr operator*(const Expr& a, const Expr& b) { return mul(a, b); }

/// The value of an integer constant (also bool), or nullopt.
std::optional<std::int64_t> constInt(const Expr& expr);
bool isConstInt(const Expr& expr, std::int64_t value);
inline bool isZero(const Expr& expr) { return isConstInt(expr, 0); }
inline bool isOne(const Expr& expr) { return isConstInt(expr, 1); }

Stmt makeFor(Var loopVar, Expr min, Expr extent, ForKind kind, Stmt body,
             Annotations annotations = {}, std::string threadTag = {}, Expr step = nullptr);
/// Flattens nested sequences and drops no statement; one statement stands for itself.
Stmt makeSeq(std::vector<Stmt> statements);
Stmt makeStore(Buffer buffer, Expr value, std::vector<Expr> indices, Expr predicate = nullptr);
Stmt makeIf(Expr condition, Stmt thenCase, Stmt elseCase = nullptr);
Stmt makeEvaluate(Expr value);
/// `evaluate(0)`, a statement without effect.
Stmt makeNoOp();
Stmt makeBlockRealize(std::vector<Expr> iterValues, Expr predicate, Block block);

/// Copies a node, lets `edit` change the copy's fields, and freezes it:
/// `For f2 = edited(f, [&](ForNode& n) { n.forKind = ForKind::Parallel; });`
template <class T, class Fn> Ref<T> edited(const Ref<T>& node, Fn&& edit) {
    auto* copy = new T(*node);
    Ref<T> result(copy);
    edit(*copy);
    return result;
}
template <class T, class Fn> Ref<T> edited(const T* node, Fn&& edit) {
    return edited(Ref<T>(node), std::forward<Fn>(edit));
}
/// Makes a node of a class with a default constructor (ForNode, BlockNode, PrimFuncNode).
template <class T, class Fn> Ref<T> built(Fn&& fill) {
    auto* node = new T();
    Ref<T> result(node);
    fill(*node);
    return result;
}

} // namespace tilewright::ir
