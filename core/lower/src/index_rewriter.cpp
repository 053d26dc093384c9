// SPDX-License-Identifier: Apache-2.0
#include "index_rewriter.h"

#include <tilewright/arith/expr_equal.h>
#include <tilewright/ir/make.h>

#include <algorithm>

namespace tilewright::lower {

using namespace tilewright::ir;

bool isNoOp(const Stmt& stmt) {
    const auto* evaluate = as<EvaluateNode>(stmt);
    return evaluate && constInt(evaluate->value).has_value();
}

Expr IndexRewriter::rewriteNode(const VarNode& node) {
    const Expr self(&node);
    if (!isIndexExpr(self))
        return self;
    const IndexForm form = indices_.form(self);
    if (form.terms.size() == 1 && form.terms[0].atom == self && form.constant == 0)
        return self;
    return indices_.toExpr(form, node.dtype);
}

Expr IndexRewriter::rewriteNode(const CastNode& node) {
    const Expr self(&node);
    if (isIndexExpr(self))
        return indices_.toExpr(indices_.form(self), node.dtype);
    return Rewriter::rewriteNode(node);
}

Expr IndexRewriter::rewriteNode(const BinaryNode& node) {
    const Expr self(&node);
    if (isIndexExpr(self)) {
        Expr result = indices_.toExpr(indices_.form(self), node.dtype);
        return arith::exprEqual(result, self) ? self : result;
    }
    const Expr result = Rewriter::rewriteNode(node);
    if (result->dtype.isBool() && result->dtype.isScalar())
        if (const auto known = indices_.prove(result))
            return makeBool(*known);
    return result;
}

Expr IndexRewriter::rewriteNode(const NotNode& node) {
    const Expr result = Rewriter::rewriteNode(node);
    const auto known = indices_.prove(result);
    return known ? makeBool(*known) : result;
}

Expr IndexRewriter::rewriteNode(const SelectNode& node) {
    const Expr condition = rewrite(node.condition);
    if (const auto known = constInt(condition))
        return rewrite(*known ? node.trueValue : node.falseValue);
    return makeSelect(condition, rewrite(node.trueValue), rewrite(node.falseValue));
}

Expr IndexRewriter::rewriteNode(const CallNode& node) {
    if (node.op == Op::Likely && node.args.size() == 1)
        return rewrite(node.args[0]);
    if (node.op == Op::IfThenElse && node.args.size() == 3) {
        const Expr condition = rewrite(node.args[0]);
        if (const auto known = constInt(condition))
            return rewrite(node.args[*known ? 1 : 2]);
        return makeCall(node.dtype, node.op,
                        {condition, rewrite(node.args[1]), rewrite(node.args[2])});
    }
    return Rewriter::rewriteNode(node);
}

Stmt IndexRewriter::rewriteNode(const IfThenElseNode& node) {
    const Expr condition = rewrite(node.condition);
    if (const auto known = constInt(condition)) {
        if (*known)
            return rewrite(node.thenCase);
        return node.elseCase ? rewrite(node.elseCase) : makeNoOp();
    }
    const Stmt thenCase = rewrite(node.thenCase);
    const Stmt elseCase = node.elseCase ? rewrite(node.elseCase) : nullptr;
    if (isNoOp(thenCase) && (!elseCase || isNoOp(elseCase)))
        return makeNoOp();
    return makeIf(condition, thenCase, elseCase && isNoOp(elseCase) ? nullptr : elseCase);
}

Stmt IndexRewriter::rewriteNode(const SeqStmtNode& node) {
    std::vector<Stmt> seq;
    for (const Stmt& stmt : node.seq) {
        Stmt result = rewrite(stmt);
        if (!isNoOp(result))
            seq.push_back(std::move(result));
    }
    return seq.empty() ? makeNoOp() : makeSeq(std::move(seq));
}

namespace {

bool keepsUnitLoop(const ForNode& loop) {
    return loop.forKind == ForKind::ThreadBinding ||
           std::any_of(loop.annotations.begin(), loop.annotations.end(),
                       [](const auto& entry) { return entry.first.rfind("pragma_", 0) == 0; });
}

} // namespace

Stmt IndexRewriter::rewriteNode(const ForNode& node) {
    const Expr min = rewrite(node.min);
    const Expr extent = rewrite(node.extent);
    const Expr step = node.step ? rewrite(node.step) : nullptr;
    if (constInt(extent).value_or(1) <= 0)
        return makeNoOp();
    Var var = node.loopVar;
    Expr count = extent;
    if (!isZero(min) || (step && !isOne(step))) {
        // i = min + step * j, where j counts iterations.
        const Expr stride = step ? step : makeInt(1, var->dtype);
        var = makeVar(node.loopVar->name, node.loopVar->dtype);
        count = step ? floorDiv(extent + stride - makeInt(1, stride->dtype), stride) : extent;
        count = rewrite(count);
        indices_.bind(var, {0, std::max<std::int64_t>(indices_.range(count).hi - 1, 0)});
        indices_.define(node.loopVar,
                        indices_.form(makeBinary(NodeKind::Add, cast(var->dtype, min),
                                                 mul(Expr(var), cast(var->dtype, stride)))));
    } else {
        indices_.bind(var, {0, std::max<std::int64_t>(indices_.range(count).hi - 1, 0)});
    }
    const bool unit = isOne(count);
    const Stmt body = rewrite(node.body);
    indices_.unbind(var.get());
    indices_.unbind(node.loopVar.get());
    if (isNoOp(body))
        return makeNoOp();
    if (unit && !keepsUnitLoop(node))
        return body;
    if (body == node.body && count == node.extent && var == node.loopVar && !node.step)
        return Stmt(&node);
    return makeFor(var, makeInt(0, var->dtype), count, node.forKind, body, node.annotations,
                   node.threadTag);
}

Stmt IndexRewriter::replicate(const ForNode& node, std::int64_t extent) {
    std::vector<Stmt> seq;
    for (std::int64_t i = 0; i < extent; ++i) {
        IndexForm value;
        value.constant = i;
        indices_.define(node.loopVar, value);
        seq.push_back(rewrite(node.body));
    }
    indices_.unbind(node.loopVar.get());
    return makeSeq(std::move(seq));
}

} // namespace tilewright::lower
