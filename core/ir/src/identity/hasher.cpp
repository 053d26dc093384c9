// SPDX-License-Identifier: Apache-2.0
#include "hasher.h"

#include <tilewright/base/hash.h>

#include <bit>
#include <cmath>

namespace tilewright::ir {

namespace {

// Marks what has no definition in reach.
constexpr std::uint64_t kFree = 0x66726565;
constexpr std::uint64_t kAbsent = 0x6e756c6c;
constexpr std::uint64_t kFloat = 0x666c6f;

std::uint64_t bitsOf(double value) {
    return std::isnan(value) ? 0x7ff8000000000000ULL : std::bit_cast<std::uint64_t>(value);
}

} // namespace

void Hasher::number(std::uint64_t value) {
    state_ = base::hashCombine(state_, value);
}

void Hasher::text(std::string_view text) {
    number(base::hashBytes(text));
}

void Hasher::define(const Node* node) {
    if (!order_.find(node))
        order_.set(node, static_cast<std::uint32_t>(order_.size()));
}

void Hasher::defineVar(const VarNode* var) {
    define(var);
    number(var->dtype.key());
    if (var->dtype.isHandle()) {
        number(var->pointee.key());
        text(var->scope);
    }
}

void Hasher::useVar(const VarNode* var) {
    if (!order_.find(var) && (mapFreeVars_ || definesFree_))
        defineVar(var);
    const std::uint32_t* order = order_.find(var);
    number(order ? *order : kFree);
}

void Hasher::bufferFields(const BufferNode& buffer) {
    const bool outer = definesFree_;
    definesFree_ = true;
    number(buffer.dtype.key());
    text(buffer.scope.empty() ? "global" : buffer.scope);
    number(static_cast<std::uint64_t>(buffer.dataAlignment));
    number(static_cast<std::uint64_t>(buffer.offsetFactor));
    for (const int separator : buffer.axisSeparators)
        number(static_cast<std::uint64_t>(separator));
    exprList(buffer.shape);
    exprList(buffer.strides);
    const auto* offset = as<IntImmNode>(buffer.elemOffset);
    if (!buffer.elemOffset || (offset && offset->value == 0))
        number(kAbsent);
    else
        expr(buffer.elemOffset);
    definesFree_ = outer;
}

void Hasher::defineBuffer(const BufferNode* buffer) {
    bufferFields(*buffer);
    define(buffer);
}

void Hasher::useBuffer(const BufferNode* buffer) {
    if (!order_.find(buffer) && mapFreeVars_)
        defineBuffer(buffer);
    const std::uint32_t* order = order_.find(buffer);
    number(order ? *order : kFree);
}

void Hasher::optionalStmt(const Stmt& node) {
    if (node)
        stmt(node);
    else
        number(kAbsent);
}

void Hasher::optionalExpr(const Expr& node) {
    if (node)
        expr(node);
    else
        number(kAbsent);
}

void Hasher::exprList(const std::vector<Expr>& exprs) {
    number(exprs.size());
    for (const Expr& item : exprs)
        expr(item);
}

void Hasher::range(const Range& range) {
    expr(range.min);
    expr(range.extent);
}

void Hasher::region(const std::vector<Range>& region) {
    number(region.size());
    for (const Range& item : region)
        range(item);
}

void Hasher::bufferRegions(const std::vector<BufferRegion>& regions) {
    number(regions.size());
    for (const BufferRegion& item : regions) {
        useBuffer(item.buffer.get());
        region(item.region);
    }
}

void Hasher::expr(const Expr& node) {
    number(static_cast<std::uint64_t>(node->kind()) << 32 | node->dtype.key());
    switch (node->kind()) {
    case NodeKind::Var:
        return useVar(as<VarNode>(node));
    case NodeKind::IntImm:
        return number(static_cast<std::uint64_t>(as<IntImmNode>(node)->value));
    case NodeKind::FloatImm:
        return number(bitsOf(as<FloatImmNode>(node)->value));
    case NodeKind::StringImm:
        return text(as<StringImmNode>(node)->value);
    case NodeKind::Cast:
        return expr(as<CastNode>(node)->value);
    case NodeKind::Not:
        return expr(as<NotNode>(node)->a);
    case NodeKind::Select: {
        const auto* select = as<SelectNode>(node);
        expr(select->condition);
        expr(select->trueValue);
        return expr(select->falseValue);
    }
    case NodeKind::BufferLoad: {
        const auto* load = as<BufferLoadNode>(node);
        useBuffer(load->buffer.get());
        exprList(load->indices);
        return optionalExpr(load->predicate);
    }
    case NodeKind::Ramp: {
        const auto* ramp = as<RampNode>(node);
        expr(ramp->base);
        expr(ramp->stride);
        return expr(ramp->lanes);
    }
    case NodeKind::Broadcast:
        expr(as<BroadcastNode>(node)->value);
        return expr(as<BroadcastNode>(node)->lanes);
    case NodeKind::Shuffle:
        exprList(as<ShuffleNode>(node)->vectors);
        return exprList(as<ShuffleNode>(node)->indices);
    case NodeKind::Let: {
        const auto* let = as<LetNode>(node);
        expr(let->value);
        defineVar(let->var.get());
        return expr(let->body);
    }
    case NodeKind::Call: {
        const auto* call = as<CallNode>(node);
        // The spelling, not the number: the list of intrinsics grows.
        text(spelling(call->op));
        text(call->callee);
        return exprList(call->args);
    }
    case NodeKind::RegionAccess:
        useBuffer(as<RegionAccessNode>(node)->buffer.get());
        return region(as<RegionAccessNode>(node)->region);
    default: {
        const auto& binary = static_cast<const BinaryNode&>(*node);
        expr(binary.a);
        return expr(binary.b);
    }
    }
}

void Hasher::loop(const ForNode& node) {
    number(static_cast<std::uint64_t>(node.forKind));
    text(node.threadTag);
    expr(node.min);
    expr(node.extent);
    optionalExpr(node.step);
    annotations(node.annotations);
    defineVar(node.loopVar.get());
    stmt(node.body);
}

void Hasher::block(const BlockNode& node) {
    number(node.iterVars.size());
    for (const IterVar& iter : node.iterVars) {
        number(static_cast<std::uint64_t>(iter.type));
        range(iter.dom);
        defineVar(iter.var.get());
    }
    for (const Buffer& buffer : node.allocBuffers)
        defineBuffer(buffer.get());
    for (const MatchBufferRegion& match : node.matchBuffers) {
        useBuffer(match.source.buffer.get());
        region(match.source.region);
        defineBuffer(match.buffer.get());
    }
    bufferRegions(node.reads);
    bufferRegions(node.writes);
    annotations(node.annotations);
    optionalStmt(node.init);
    stmt(node.body);
}

void Hasher::stmt(const Stmt& node) {
    number(static_cast<std::uint64_t>(node->kind()));
    switch (node->kind()) {
    case NodeKind::For:
        return loop(*as<ForNode>(node));
    case NodeKind::SeqStmt: {
        const auto& seq = as<SeqStmtNode>(node)->seq;
        number(seq.size());
        for (const Stmt& item : seq)
            stmt(item);
        return;
    }
    case NodeKind::BufferStore: {
        const auto* store = as<BufferStoreNode>(node);
        useBuffer(store->buffer.get());
        exprList(store->indices);
        expr(store->value);
        return optionalExpr(store->predicate);
    }
    case NodeKind::IfThenElse: {
        const auto* branch = as<IfThenElseNode>(node);
        expr(branch->condition);
        stmt(branch->thenCase);
        return optionalStmt(branch->elseCase);
    }
    case NodeKind::While:
        expr(as<WhileNode>(node)->condition);
        return stmt(as<WhileNode>(node)->body);
    case NodeKind::Evaluate:
        return expr(as<EvaluateNode>(node)->value);
    case NodeKind::AttrStmt: {
        const auto* attribute = as<AttrStmtNode>(node);
        text(attribute->key);
        const AttrValue::List* list = attribute->node.asList();
        const bool isThread =
            attribute->key == "thread_extent" || attribute->key == "virtual_thread";
        if (isThread && list && list->size() == 2 && list->front().asExpr() &&
            as<VarNode>(*list->front().asExpr())) {
            defineVar(as<VarNode>(*list->front().asExpr()));
            attr((*list)[1]);
        } else {
            attr(attribute->node);
        }
        expr(attribute->value);
        return stmt(attribute->body);
    }
    case NodeKind::AssertStmt: {
        const auto* assertion = as<AssertStmtNode>(node);
        expr(assertion->condition);
        text(assertion->errorKind);
        for (const std::string& part : assertion->messageParts)
            text(part);
        return;
    }
    case NodeKind::Bind:
        expr(as<BindNode>(node)->value);
        return defineVar(as<BindNode>(node)->var.get());
    case NodeKind::AllocBuffer:
        annotations(as<AllocBufferNode>(node)->annotations);
        return defineBuffer(as<AllocBufferNode>(node)->buffer.get());
    case NodeKind::DeclBuffer:
        optionalExpr(as<DeclBufferNode>(node)->data);
        return defineBuffer(as<DeclBufferNode>(node)->buffer.get());
    case NodeKind::Block:
        return block(*as<BlockNode>(node));
    case NodeKind::BlockRealize: {
        const auto* realize = as<BlockRealizeNode>(node);
        exprList(realize->iterValues);
        expr(realize->predicate);
        return block(*realize->block);
    }
    case NodeKind::Return:
        return optionalExpr(as<ReturnNode>(node)->value);
    default:
        return;
    }
}

void Hasher::attr(const AttrValue& value) {
    if (value.isNull()) {
        number(kAbsent);
    } else if (const bool* flag = value.asBool()) {
        number(*flag ? 3 : 2);
    } else if (const std::int64_t* whole = value.asInt()) {
        number(static_cast<std::uint64_t>(*whole) ^ kFree << 32);
    } else if (const double* real = value.asFloat()) {
        number(kFloat);
        number(bitsOf(*real == 0 ? 0.0 : *real));
    } else if (const std::string* string = value.asString()) {
        text(*string);
    } else if (const Expr* node = value.asExpr()) {
        expr(*node);
    } else if (const AttrValue::List* list = value.asList()) {
        number(list->size());
        for (const AttrValue& item : *list)
            attr(item);
    } else if (const AttrValue::Dict* dict = value.asDict()) {
        Annotations sorted;
        for (const auto& [key, item] : *dict)
            sorted.set(key, item);
        annotations(sorted);
    }
}

void Hasher::annotations(const Annotations& annotations) {
    number(annotations.size());
    for (const auto& [key, value] : annotations) {
        text(key);
        attr(value);
    }
}

void Hasher::function(const PrimFunc& function) {
    annotations(function->attrs);
    number(function->params.size());
    number(function->returnType.key());
    for (const Param& param : function->params) {
        if (param.buffer) {
            defineBuffer(param.buffer.get());
            define(param.var.get());
        } else {
            defineVar(param.var.get());
        }
    }
    stmt(function->body);
}

} // namespace tilewright::ir
