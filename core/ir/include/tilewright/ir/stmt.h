// SPDX-License-Identifier: Apache-2.0
#pragma once

// Statements of TensorIR, blocks included. Bind, AllocBuffer and DeclBuffer are flat: they scope over
// the statements that follow in the same sequence.

#include <tilewright/ir/attr_value.h>
#include <tilewright/ir/expr.h>

#include <string>
#include <vector>

namespace tilewright::ir {

class StmtNode : public Node {
public:
    static bool classof(NodeKind k) { return k >= NodeKind::For && k <= NodeKind::Continue; }

protected:
    using Node::Node;
};
using Stmt = Ref<StmtNode>;

enum class ForKind : std::uint8_t { Serial, Parallel, Vectorized, Unrolled, ThreadBinding };

/// `for i in range(min, min + extent): body`.
class ForNode final : public StmtNode {
public:
    Var loopVar;
    Expr min;
    Expr extent;
    ForKind forKind = ForKind::Serial;
    Stmt body;
    std::string threadTag; ///< `threadIdx.x` for ThreadBinding, else empty
    Annotations annotations;
    Expr step; ///< null = 1
    static bool classof(NodeKind k) { return k == NodeKind::For; }
    ForNode() : StmtNode(NodeKind::For) {}
    ForNode(const ForNode& o)
        : StmtNode(NodeKind::For), loopVar(o.loopVar), min(o.min), extent(o.extent),
          forKind(o.forKind), body(o.body), threadTag(o.threadTag), annotations(o.annotations),
          step(o.step) {}
};
using For = Ref<ForNode>;

/// Two or more statements in order; never nested directly in another SeqStmt.
class SeqStmtNode final : public StmtNode {
public:
    std::vector<Stmt> seq;
    static bool classof(NodeKind k) { return k == NodeKind::SeqStmt; }
    explicit SeqStmtNode(std::vector<Stmt> s) : StmtNode(NodeKind::SeqStmt), seq(std::move(s)) {}
};

/// `A[i, j] = value`.
class BufferStoreNode final : public StmtNode {
public:
    Buffer buffer;
    Expr value;
    std::vector<Expr> indices;
    Expr predicate; ///< null = all lanes
    static bool classof(NodeKind k) { return k == NodeKind::BufferStore; }
    BufferStoreNode(Buffer b, Expr v, std::vector<Expr> i, Expr p = nullptr)
        : StmtNode(NodeKind::BufferStore), buffer(std::move(b)), value(std::move(v)),
          indices(std::move(i)), predicate(std::move(p)) {}
};

/// `if condition: thenCase else: elseCase`.
class IfThenElseNode final : public StmtNode {
public:
    Expr condition;
    Stmt thenCase;
    Stmt elseCase; ///< null = none
    static bool classof(NodeKind k) { return k == NodeKind::IfThenElse; }
    IfThenElseNode(Expr c, Stmt t, Stmt e)
        : StmtNode(NodeKind::IfThenElse), condition(std::move(c)), thenCase(std::move(t)),
          elseCase(std::move(e)) {}
};

/// `while condition: body`.
class WhileNode final : public StmtNode {
public:
    Expr condition;
    Stmt body;
    static bool classof(NodeKind k) { return k == NodeKind::While; }
    WhileNode(Expr c, Stmt b)
        : StmtNode(NodeKind::While), condition(std::move(c)), body(std::move(b)) {}
};

/// `T.evaluate(value)`.
class EvaluateNode final : public StmtNode {
public:
    Expr value;
    static bool classof(NodeKind k) { return k == NodeKind::Evaluate; }
    explicit EvaluateNode(Expr v) : StmtNode(NodeKind::Evaluate), value(std::move(v)) {}
};

/// `with T.attr(node, key, value): body`.
class AttrStmtNode final : public StmtNode {
public:
    AttrValue node;
    std::string key;
    Expr value;
    Stmt body;
    static bool classof(NodeKind k) { return k == NodeKind::AttrStmt; }
    AttrStmtNode(AttrValue n, std::string k, Expr v, Stmt b)
        : StmtNode(NodeKind::AttrStmt), node(std::move(n)), key(std::move(k)), value(std::move(v)),
          body(std::move(b)) {}
};

/// `assert condition, message`.
class AssertStmtNode final : public StmtNode {
public:
    Expr condition;
    std::string errorKind;
    std::vector<std::string> messageParts;
    static bool classof(NodeKind k) { return k == NodeKind::AssertStmt; }
    AssertStmtNode(Expr c, std::string kindName, std::vector<std::string> parts)
        : StmtNode(NodeKind::AssertStmt), condition(std::move(c)), errorKind(std::move(kindName)),
          messageParts(std::move(parts)) {}
};

/// `x: T.int32 = value` for the statements that follow.
class BindNode final : public StmtNode {
public:
    Var var;
    Expr value;
    static bool classof(NodeKind k) { return k == NodeKind::Bind; }
    BindNode(Var x, Expr v) : StmtNode(NodeKind::Bind), var(std::move(x)), value(std::move(v)) {}
};

/// `A = T.alloc_buffer(shape, dtype)` for the statements that follow.
class AllocBufferNode final : public StmtNode {
public:
    Buffer buffer;
    Annotations annotations;
    static bool classof(NodeKind k) { return k == NodeKind::AllocBuffer; }
    AllocBufferNode(Buffer b, Annotations a)
        : StmtNode(NodeKind::AllocBuffer), buffer(std::move(b)), annotations(std::move(a)) {}
};

/// `B = T.decl_buffer(shape, dtype, data=A.data)`: an alias for the statements that follow.
class DeclBufferNode final : public StmtNode {
public:
    Buffer buffer;
    Expr data; ///< null = fresh
    static bool classof(NodeKind k) { return k == NodeKind::DeclBuffer; }
    DeclBufferNode(Buffer b, Expr d)
        : StmtNode(NodeKind::DeclBuffer), buffer(std::move(b)), data(std::move(d)) {}
};

enum class IterType : std::uint8_t {
    DataPar = 0,
    ThreadIndex = 1,
    CommReduce = 2,
    Ordered = 3,
    Opaque = 4
};

/// An iterator of a block: `vi = T.axis.spatial(extent, binding)`.
struct IterVar {
    Range dom;
    Var var;
    IterType type = IterType::DataPar;
};

/// `A[lo:hi, …]` in T.reads / T.writes.
struct BufferRegion {
    Buffer buffer;
    std::vector<Range> region;
};

/// `B = T.match_buffer(A[region], …)` inside a block.
struct MatchBufferRegion {
    Buffer buffer;
    BufferRegion source;
};

/// `with T.sblock("C"): …`.
class BlockNode final : public StmtNode {
public:
    std::vector<IterVar> iterVars;
    std::vector<BufferRegion> reads;
    std::vector<BufferRegion> writes;
    std::string name;
    std::vector<Buffer> allocBuffers;
    std::vector<MatchBufferRegion> matchBuffers;
    Annotations annotations;
    Stmt init; ///< null = none; runs on the first iteration of all reduction iterators
    Stmt body;
    static bool classof(NodeKind k) { return k == NodeKind::Block; }
    BlockNode() : StmtNode(NodeKind::Block) {}
    BlockNode(const BlockNode& o)
        : StmtNode(NodeKind::Block), iterVars(o.iterVars), reads(o.reads), writes(o.writes),
          name(o.name), allocBuffers(o.allocBuffers), matchBuffers(o.matchBuffers),
          annotations(o.annotations), init(o.init), body(o.body) {}
};
using Block = Ref<BlockNode>;

/// A block with the values of its iterators and its predicate (`T.where`).
class BlockRealizeNode final : public StmtNode {
public:
    std::vector<Expr> iterValues;
    Expr predicate; ///< bool, `True` when there is none
    Block block;
    static bool classof(NodeKind k) { return k == NodeKind::BlockRealize; }
    BlockRealizeNode(std::vector<Expr> values, Expr p, Block b)
        : StmtNode(NodeKind::BlockRealize), iterValues(std::move(values)), predicate(std::move(p)),
          block(std::move(b)) {}
};
using BlockRealize = Ref<BlockRealizeNode>;

class ReturnNode final : public StmtNode {
public:
    Expr value; ///< null = none
    static bool classof(NodeKind k) { return k == NodeKind::Return; }
    explicit ReturnNode(Expr v) : StmtNode(NodeKind::Return), value(std::move(v)) {}
};

class BreakNode final : public StmtNode {
public:
    static bool classof(NodeKind k) { return k == NodeKind::Break; }
    BreakNode() : StmtNode(NodeKind::Break) {}
};

class ContinueNode final : public StmtNode {
public:
    static bool classof(NodeKind k) { return k == NodeKind::Continue; }
    ContinueNode() : StmtNode(NodeKind::Continue) {}
};

} // namespace tilewright::ir
