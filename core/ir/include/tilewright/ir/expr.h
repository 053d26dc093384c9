// SPDX-License-Identifier: Apache-2.0
#pragma once

// Expressions of TensorIR.
//
// Semantics. Integer arithmetic wraps at the type's width; index arithmetic must not overflow.
// FloorDiv/FloorMod round towards minus infinity, Div/Mod truncate. And/Or/Select/if_then_else:
// `if_then_else` evaluates lazily, Select may evaluate both sides. A BufferLoad outside its
// buffer's shape is undefined. Vectors (lanes > 1) are element-wise. Evaluation order of operands is
// unspecified: expressions have no side effects except Opaque calls.
//
// Nodes are made by the factories in <tilewright/ir/make.h>.

#include <tilewright/ir/data_type.h>
#include <tilewright/ir/node.h>

#include <string>
#include <vector>

namespace tilewright::ir {

class ExprNode : public Node {
public:
    DataType dtype;
    static bool classof(NodeKind k) { return k <= NodeKind::RegionAccess; }

protected:
    ExprNode(NodeKind kind, DataType type) : Node(kind), dtype(type) {}
};
using Expr = Ref<ExprNode>;

/// `i`. Identified by the node; the name is a hint.
class VarNode final : public ExprNode {
public:
    std::string name;
    /// For `handle` variables: element type and storage scope of the pointer; Void = untyped.
    DataType pointee;
    std::string scope;
    static bool classof(NodeKind k) { return k == NodeKind::Var; }
    VarNode(std::string nameHint, DataType type)
        : ExprNode(NodeKind::Var, type), name(std::move(nameHint)) {}
};
using Var = Ref<VarNode>;

/// `3`, `T.int64(3)`, `T.bool(True)`.
class IntImmNode final : public ExprNode {
public:
    std::int64_t value;
    static bool classof(NodeKind k) { return k == NodeKind::IntImm; }
    IntImmNode(DataType type, std::int64_t v) : ExprNode(NodeKind::IntImm, type), value(v) {}
};

/// `T.float32(0.5)`.
class FloatImmNode final : public ExprNode {
public:
    double value;
    static bool classof(NodeKind k) { return k == NodeKind::FloatImm; }
    FloatImmNode(DataType type, double v) : ExprNode(NodeKind::FloatImm, type), value(v) {}
};

/// `"text"` (an argument of some calls).
class StringImmNode final : public ExprNode {
public:
    std::string value;
    static bool classof(NodeKind k) { return k == NodeKind::StringImm; }
    explicit StringImmNode(std::string v)
        : ExprNode(NodeKind::StringImm, DataType::handle()), value(std::move(v)) {}
};

/// `T.Cast("int32", x)`.
class CastNode final : public ExprNode {
public:
    Expr value;
    static bool classof(NodeKind k) { return k == NodeKind::Cast; }
    CastNode(DataType type, Expr v) : ExprNode(NodeKind::Cast, type), value(std::move(v)) {}
};

/// `a + b` and every other binary operator; `kind()` tells which.
class BinaryNode final : public ExprNode {
public:
    Expr a;
    Expr b;
    static bool classof(NodeKind k) { return k >= NodeKind::Add && k <= NodeKind::Or; }
    BinaryNode(NodeKind kind, DataType type, Expr left, Expr right)
        : ExprNode(kind, type), a(std::move(left)), b(std::move(right)) {}
};

/// `not a`.
class NotNode final : public ExprNode {
public:
    Expr a;
    static bool classof(NodeKind k) { return k == NodeKind::Not; }
    NotNode(DataType type, Expr v) : ExprNode(NodeKind::Not, type), a(std::move(v)) {}
};

/// `T.Select(condition, trueValue, falseValue)`.
class SelectNode final : public ExprNode {
public:
    Expr condition;
    Expr trueValue;
    Expr falseValue;
    static bool classof(NodeKind k) { return k == NodeKind::Select; }
    SelectNode(DataType type, Expr c, Expr t, Expr f)
        : ExprNode(NodeKind::Select, type), condition(std::move(c)), trueValue(std::move(t)),
          falseValue(std::move(f)) {}
};

/// `T.Ramp(base, stride, lanes)`: base, base + stride, …
class RampNode final : public ExprNode {
public:
    Expr base;
    Expr stride;
    Expr lanes; ///< int32; a constant, or `T.vscale() * n`
    static bool classof(NodeKind k) { return k == NodeKind::Ramp; }
    RampNode(DataType type, Expr b, Expr s, Expr l)
        : ExprNode(NodeKind::Ramp, type), base(std::move(b)), stride(std::move(s)),
          lanes(std::move(l)) {}
};

/// `T.Broadcast(value, lanes)`.
class BroadcastNode final : public ExprNode {
public:
    Expr value;
    Expr lanes;
    static bool classof(NodeKind k) { return k == NodeKind::Broadcast; }
    BroadcastNode(DataType type, Expr v, Expr l)
        : ExprNode(NodeKind::Broadcast, type), value(std::move(v)), lanes(std::move(l)) {}
};

/// `T.Shuffle([a, b], [0, 1])`.
class ShuffleNode final : public ExprNode {
public:
    std::vector<Expr> vectors;
    std::vector<Expr> indices;
    static bool classof(NodeKind k) { return k == NodeKind::Shuffle; }
    ShuffleNode(DataType type, std::vector<Expr> v, std::vector<Expr> i)
        : ExprNode(NodeKind::Shuffle, type), vectors(std::move(v)), indices(std::move(i)) {}
};

/// `T.Let(body, where={var: value})`.
class LetNode final : public ExprNode {
public:
    Var var;
    Expr value;
    Expr body;
    static bool classof(NodeKind k) { return k == NodeKind::Let; }
    LetNode(Var x, Expr v, Expr b)
        : ExprNode(NodeKind::Let, b->dtype), var(std::move(x)), value(std::move(v)),
          body(std::move(b)) {}
};

/// Intrinsics, listed once in ops.def.
enum class Op : std::uint16_t {
#define TW_OP(Name, spelling, purity) Name,
#include <tilewright/ir/ops.def>
};
enum class Purity : std::uint8_t { Pure, Read, Opaque };
std::string_view spelling(Op op);
Purity purity(Op op);
std::optional<Op> opFromSpelling(std::string_view spelling);

/// `T.exp(x)`, `cls.other(a, b)`. For Op::CallGlobal, `callee` is the function's name in the module;
/// for Op::Unknown (an intrinsic of TVM that we do not know) it is the intrinsic's spelling.
class CallNode final : public ExprNode {
public:
    Op op;
    std::string callee;
    std::vector<Expr> args;
    static bool classof(NodeKind k) { return k == NodeKind::Call; }
    CallNode(DataType type, Op o, std::vector<Expr> a, std::string name)
        : ExprNode(NodeKind::Call, type), op(o), callee(std::move(name)), args(std::move(a)) {}
};

class BufferNode;
using Buffer = Ref<BufferNode>;

/// `A[i, j]`; the value's lanes come from a vector index in the last place.
class BufferLoadNode final : public ExprNode {
public:
    Buffer buffer;
    std::vector<Expr> indices;
    Expr predicate; ///< null = all lanes
    static bool classof(NodeKind k) { return k == NodeKind::BufferLoad; }
    BufferLoadNode(DataType type, Buffer b, std::vector<Expr> i, Expr p);
    ~BufferLoadNode() override;
};

/// Half-open range `[min, min + extent)`.
struct Range {
    Expr min;
    Expr extent;
    static Range fromExtent(Expr extent);
    static Range point(Expr index);
};

/// A slice `A[0:16, j]` passed as an argument of a call (never evaluated).
class RegionAccessNode final : public ExprNode {
public:
    Buffer buffer;
    std::vector<Range> region;
    static bool classof(NodeKind k) { return k == NodeKind::RegionAccess; }
    RegionAccessNode(Buffer b, std::vector<Range> r);
    ~RegionAccessNode() override;
};

/// Storage of a tensor. Identified by the node; the name is a hint.
class BufferNode final : public Node {
public:
    std::string name;
    DataType dtype;
    std::vector<Expr> shape;
    std::vector<Expr> strides; ///< empty = compact row-major
    Expr elemOffset;           ///< null = 0
    std::string scope;         ///< storage scope, open set; `global` by default
    int dataAlignment = 64;    ///< bytes
    int offsetFactor = 1;
    std::vector<int> axisSeparators;
    static bool classof(NodeKind k) { return k == NodeKind::Buffer; }
    BufferNode(std::string nameHint, DataType type, std::vector<Expr> extents, std::string storage)
        : Node(NodeKind::Buffer), name(std::move(nameHint)), dtype(type), shape(std::move(extents)),
          scope(std::move(storage)) {}
    /// dtype of indices: that of shape[0], int32 for rank 0.
    [[nodiscard]] DataType indexType() const {
        return shape.empty() ? DataType::i(32) : shape[0]->dtype;
    }
};

} // namespace tilewright::ir
