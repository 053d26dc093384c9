// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <tilewright/base/check.h>

namespace tilewright::ir {

#define TW_REWRITE_CASE(Kind, Class)                                                               \
    case NodeKind::Kind:                                                                           \
        return rewriteNode(static_cast<const Class&>(*node));

Expr Rewriter::rewrite(const Expr& expr) {
    const ExprNode* node = expr.get();
    switch (node->kind()) {
#define TW_EXPR(Kind, Class) TW_REWRITE_CASE(Kind, Class)
#include <tilewright/ir/node_kinds.def>
    default:
        TW_CHECK(false) << "no expression";
    }
    return expr;
}

Stmt Rewriter::rewrite(const Stmt& stmt) {
    const StmtNode* node = stmt.get();
    switch (node->kind()) {
#define TW_STMT(Kind, Class) TW_REWRITE_CASE(Kind, Class)
#include <tilewright/ir/node_kinds.def>
    default:
        TW_CHECK(false) << "no statement";
    }
    return stmt;
}

std::vector<Expr> Rewriter::rewriteAll(const std::vector<Expr>& exprs, bool& changed) {
    std::vector<Expr> result;
    result.reserve(exprs.size());
    for (const Expr& expr : exprs) {
        result.push_back(rewrite(expr));
        changed = changed || !(result.back() == expr);
    }
    return result;
}

Range Rewriter::rewriteRange(const Range& range, bool& changed) {
    Range result{rewrite(range.min), rewrite(range.extent)};
    changed = changed || !(result.min == range.min) || !(result.extent == range.extent);
    return result;
}

BufferRegion Rewriter::rewriteRegion(const BufferRegion& region, bool& changed) {
    BufferRegion result;
    result.buffer = rewriteBuffer(region.buffer);
    changed = changed || !(result.buffer == region.buffer);
    result.region.reserve(region.region.size());
    for (const Range& range : region.region)
        result.region.push_back(rewriteRange(range, changed));
    return result;
}

IterVar Rewriter::rewriteIterVar(const IterVar& iter, bool& changed) {
    IterVar result{rewriteRange(iter.dom, changed), rewriteDefinition(iter.var), iter.type};
    changed = changed || !(result.var == iter.var);
    return result;
}

namespace {

/// A handle to the node a const method was called on.
template <class T> Expr self(const T& node) {
    return Expr(static_cast<const ExprNode*>(&node));
}
template <class T> Stmt selfStmt(const T& node) {
    return Stmt(static_cast<const StmtNode*>(&node));
}

} // namespace

Expr Rewriter::rewriteNode(const VarNode& node) {
    return self(node);
}
Expr Rewriter::rewriteNode(const IntImmNode& node) {
    return self(node);
}
Expr Rewriter::rewriteNode(const FloatImmNode& node) {
    return self(node);
}
Expr Rewriter::rewriteNode(const StringImmNode& node) {
    return self(node);
}

Expr Rewriter::rewriteNode(const CastNode& node) {
    Expr value = rewrite(node.value);
    return value == node.value ? self(node) : cast(node.dtype, value);
}
Expr Rewriter::rewriteNode(const BinaryNode& node) {
    Expr a = rewrite(node.a);
    Expr b = rewrite(node.b);
    if (a == node.a && b == node.b)
        return self(node);
    return foldBinary(node.kind(), a, b);
}
Expr Rewriter::rewriteNode(const NotNode& node) {
    Expr a = rewrite(node.a);
    return a == node.a ? self(node) : logicalNot(a);
}
Expr Rewriter::rewriteNode(const SelectNode& node) {
    Expr c = rewrite(node.condition);
    Expr t = rewrite(node.trueValue);
    Expr f = rewrite(node.falseValue);
    if (c == node.condition && t == node.trueValue && f == node.falseValue)
        return self(node);
    return makeSelect(std::move(c), std::move(t), std::move(f));
}
Expr Rewriter::rewriteNode(const BufferLoadNode& node) {
    bool changed = false;
    Buffer buffer = rewriteBuffer(node.buffer);
    std::vector<Expr> indices = rewriteAll(node.indices, changed);
    Expr predicate = node.predicate ? rewrite(node.predicate) : nullptr;
    if (!changed && buffer == node.buffer && predicate == node.predicate)
        return self(node);
    return makeLoad(std::move(buffer), std::move(indices), std::move(predicate));
}
Expr Rewriter::rewriteNode(const RampNode& node) {
    Expr base = rewrite(node.base);
    Expr stride = rewrite(node.stride);
    if (base == node.base && stride == node.stride)
        return self(node);
    return Expr(new RampNode(node.dtype, std::move(base), std::move(stride), node.lanes));
}
Expr Rewriter::rewriteNode(const BroadcastNode& node) {
    Expr value = rewrite(node.value);
    if (value == node.value)
        return self(node);
    return Expr(new BroadcastNode(node.dtype, std::move(value), node.lanes));
}
Expr Rewriter::rewriteNode(const ShuffleNode& node) {
    bool changed = false;
    std::vector<Expr> vectors = rewriteAll(node.vectors, changed);
    std::vector<Expr> indices = rewriteAll(node.indices, changed);
    if (!changed)
        return self(node);
    return Expr(new ShuffleNode(node.dtype, std::move(vectors), std::move(indices)));
}
Expr Rewriter::rewriteNode(const LetNode& node) {
    Var var = rewriteDefinition(node.var);
    Expr value = rewrite(node.value);
    Expr body = rewrite(node.body);
    if (var == node.var && value == node.value && body == node.body)
        return self(node);
    return makeLet(std::move(var), std::move(value), std::move(body));
}
Expr Rewriter::rewriteNode(const CallNode& node) {
    bool changed = false;
    std::vector<Expr> args = rewriteAll(node.args, changed);
    return changed ? makeCall(node.dtype, node.op, std::move(args), node.callee) : self(node);
}
Expr Rewriter::rewriteNode(const RegionAccessNode& node) {
    bool changed = false;
    BufferRegion region = rewriteRegion({node.buffer, node.region}, changed);
    if (!changed)
        return self(node);
    return Expr(new RegionAccessNode(std::move(region.buffer), std::move(region.region)));
}

Stmt Rewriter::rewriteNode(const ForNode& node) {
    Expr min = rewrite(node.min);
    Expr extent = rewrite(node.extent);
    Expr step = node.step ? rewrite(node.step) : nullptr;
    Var loopVar = rewriteDefinition(node.loopVar);
    Stmt body = rewrite(node.body);
    if (min == node.min && extent == node.extent && step == node.step && loopVar == node.loopVar &&
        body == node.body)
        return selfStmt(node);
    return edited(&node, [&](ForNode& n) {
        n.min = std::move(min);
        n.extent = std::move(extent);
        n.step = std::move(step);
        n.loopVar = std::move(loopVar);
        n.body = std::move(body);
    });
}
Stmt Rewriter::rewriteNode(const SeqStmtNode& node) {
    bool changed = false;
    std::vector<Stmt> seq;
    seq.reserve(node.seq.size());
    for (const Stmt& stmt : node.seq) {
        seq.push_back(rewrite(stmt));
        changed = changed || !(seq.back() == stmt);
    }
    return changed ? makeSeq(std::move(seq)) : selfStmt(node);
}
Stmt Rewriter::rewriteNode(const BufferStoreNode& node) {
    bool changed = false;
    Buffer buffer = rewriteBuffer(node.buffer);
    Expr value = rewrite(node.value);
    std::vector<Expr> indices = rewriteAll(node.indices, changed);
    Expr predicate = node.predicate ? rewrite(node.predicate) : nullptr;
    if (!changed && buffer == node.buffer && value == node.value && predicate == node.predicate)
        return selfStmt(node);
    return makeStore(std::move(buffer), std::move(value), std::move(indices), std::move(predicate));
}
Stmt Rewriter::rewriteNode(const IfThenElseNode& node) {
    Expr condition = rewrite(node.condition);
    Stmt thenCase = rewrite(node.thenCase);
    Stmt elseCase = node.elseCase ? rewrite(node.elseCase) : nullptr;
    if (condition == node.condition && thenCase == node.thenCase && elseCase == node.elseCase)
        return selfStmt(node);
    return makeIf(std::move(condition), std::move(thenCase), std::move(elseCase));
}
Stmt Rewriter::rewriteNode(const WhileNode& node) {
    Expr condition = rewrite(node.condition);
    Stmt body = rewrite(node.body);
    if (condition == node.condition && body == node.body)
        return selfStmt(node);
    return Stmt(new WhileNode(std::move(condition), std::move(body)));
}
Stmt Rewriter::rewriteNode(const EvaluateNode& node) {
    Expr value = rewrite(node.value);
    return value == node.value ? selfStmt(node) : makeEvaluate(std::move(value));
}
Stmt Rewriter::rewriteNode(const AttrStmtNode& node) {
    Expr value = rewrite(node.value);
    Stmt body = rewrite(node.body);
    if (value == node.value && body == node.body)
        return selfStmt(node);
    return Stmt(new AttrStmtNode(node.node, node.key, std::move(value), std::move(body)));
}
Stmt Rewriter::rewriteNode(const AssertStmtNode& node) {
    Expr condition = rewrite(node.condition);
    if (condition == node.condition)
        return selfStmt(node);
    return Stmt(new AssertStmtNode(std::move(condition), node.errorKind, node.messageParts));
}
Stmt Rewriter::rewriteNode(const BindNode& node) {
    Expr value = rewrite(node.value);
    Var var = rewriteDefinition(node.var);
    if (value == node.value && var == node.var)
        return selfStmt(node);
    return Stmt(new BindNode(std::move(var), std::move(value)));
}
Stmt Rewriter::rewriteNode(const AllocBufferNode& node) {
    Buffer buffer = rewriteBuffer(node.buffer);
    if (buffer == node.buffer)
        return selfStmt(node);
    return Stmt(new AllocBufferNode(std::move(buffer), node.annotations));
}
Stmt Rewriter::rewriteNode(const DeclBufferNode& node) {
    Buffer buffer = rewriteBuffer(node.buffer);
    Expr data = node.data ? rewrite(node.data) : nullptr;
    if (buffer == node.buffer && data == node.data)
        return selfStmt(node);
    return Stmt(new DeclBufferNode(std::move(buffer), std::move(data)));
}
Stmt Rewriter::rewriteNode(const BlockNode& node) {
    bool changed = false;
    std::vector<IterVar> iterVars;
    iterVars.reserve(node.iterVars.size());
    for (const IterVar& iter : node.iterVars)
        iterVars.push_back(rewriteIterVar(iter, changed));
    const auto rewriteRegions = [&](const std::vector<BufferRegion>& regions) {
        std::vector<BufferRegion> result;
        result.reserve(regions.size());
        for (const BufferRegion& region : regions)
            result.push_back(rewriteRegion(region, changed));
        return result;
    };
    std::vector<Buffer> allocBuffers;
    allocBuffers.reserve(node.allocBuffers.size());
    for (const Buffer& buffer : node.allocBuffers) {
        allocBuffers.push_back(rewriteBuffer(buffer));
        changed = changed || !(allocBuffers.back() == buffer);
    }
    std::vector<MatchBufferRegion> matchBuffers;
    matchBuffers.reserve(node.matchBuffers.size());
    for (const MatchBufferRegion& match : node.matchBuffers) {
        matchBuffers.push_back({rewriteBuffer(match.buffer), rewriteRegion(match.source, changed)});
        changed = changed || !(matchBuffers.back().buffer == match.buffer);
    }
    std::vector<BufferRegion> reads = rewriteRegions(node.reads);
    std::vector<BufferRegion> writes = rewriteRegions(node.writes);
    Stmt init = node.init ? rewrite(node.init) : nullptr;
    Stmt body = rewrite(node.body);
    if (!changed && init == node.init && body == node.body)
        return selfStmt(node);
    return edited(&node, [&](BlockNode& n) {
        n.iterVars = std::move(iterVars);
        n.reads = std::move(reads);
        n.writes = std::move(writes);
        n.allocBuffers = std::move(allocBuffers);
        n.matchBuffers = std::move(matchBuffers);
        n.init = std::move(init);
        n.body = std::move(body);
    });
}
Stmt Rewriter::rewriteNode(const BlockRealizeNode& node) {
    bool changed = false;
    std::vector<Expr> values = rewriteAll(node.iterValues, changed);
    Expr predicate = rewrite(node.predicate);
    Stmt block = rewrite(Stmt(node.block));
    if (!changed && predicate == node.predicate && block.get() == node.block.get())
        return selfStmt(node);
    TW_CHECK(BlockNode::classof(block->kind()));
    return makeBlockRealize(std::move(values), std::move(predicate), refAs<BlockNode>(block));
}
Stmt Rewriter::rewriteNode(const ReturnNode& node) {
    Expr value = node.value ? rewrite(node.value) : nullptr;
    return value == node.value ? selfStmt(node) : Stmt(new ReturnNode(std::move(value)));
}
Stmt Rewriter::rewriteNode(const BreakNode& node) {
    return selfStmt(node);
}
Stmt Rewriter::rewriteNode(const ContinueNode& node) {
    return selfStmt(node);
}

} // namespace tilewright::ir
