// SPDX-License-Identifier: Apache-2.0
#include "comparer.h"

#include <tilewright/ir/printer.h>

#include <tilewright/base/concat.h>

#include <cmath>

namespace tilewright::ir {

bool Comparer::at(bool ok, const char* step) {
    if (!ok && records_)
        path_.emplace_back(step);
    return ok;
}

bool Comparer::at(bool ok, const char* step, std::string_view name) {
    if (!ok && records_)
        path_.push_back(base::concat(step, " ", name));
    return ok;
}

void Comparer::excerpt(std::string left, std::string right) {
    if (!left_.empty() || !right_.empty())
        return;
    left_ = std::move(left);
    right_ = std::move(right);
}

bool Comparer::map(const Node* a, const Node* b) {
    if (const auto* known = leftToRight_.find(a); known && *known != b)
        return false;
    if (const auto* known = rightToLeft_.find(b); known && *known != a)
        return false;
    leftToRight_.set(a, b);
    rightToLeft_.set(b, a);
    isIdentity_ = isIdentity_ && a == b;
    return true;
}

bool Comparer::defineVar(const VarNode* a, const VarNode* b) {
    return a->dtype == b->dtype && a->pointee == b->pointee &&
           (a->scope == b->scope || !a->dtype.isHandle()) && map(a, b);
}

bool Comparer::useVar(const VarNode* a, const VarNode* b) {
    if (const auto* known = leftToRight_.find(a))
        return *known == b;
    if (rightToLeft_.find(b))
        return false;
    if (mapFreeVars_ || definesFree_)
        return defineVar(a, b);
    return a == b;
}

bool Comparer::bufferExprs(const Expr& a, const Expr& b, bool definesVars) {
    const bool outer = definesFree_;
    definesFree_ = definesFree_ || definesVars;
    const bool ok = exprs(a, b);
    definesFree_ = outer;
    return ok;
}

bool Comparer::bufferFields(const BufferNode& a, const BufferNode& b, bool definesVars) {
    const bool sameScope = a.scope == b.scope || ((a.scope.empty() || a.scope == "global") &&
                                                  (b.scope.empty() || b.scope == "global"));
    if (a.dtype != b.dtype || !sameScope || a.dataAlignment != b.dataAlignment ||
        a.offsetFactor != b.offsetFactor || a.axisSeparators != b.axisSeparators ||
        a.shape.size() != b.shape.size() || a.strides.size() != b.strides.size())
        return false;
    for (std::size_t i = 0; i < a.shape.size(); ++i) {
        if (!bufferExprs(a.shape[i], b.shape[i], definesVars))
            return false;
    }
    for (std::size_t i = 0; i < a.strides.size(); ++i) {
        if (!bufferExprs(a.strides[i], b.strides[i], definesVars))
            return false;
    }
    // An absent offset and a literal 0 are the same thing.
    const auto isZeroOffset = [](const Expr& offset) {
        const auto* imm = as<IntImmNode>(offset);
        return !offset || (imm && imm->value == 0);
    };
    if (isZeroOffset(a.elemOffset) || isZeroOffset(b.elemOffset))
        return isZeroOffset(a.elemOffset) && isZeroOffset(b.elemOffset);
    return bufferExprs(a.elemOffset, b.elemOffset, definesVars);
}

bool Comparer::defineBuffer(const BufferNode* a, const BufferNode* b, bool definesVars) {
    const bool ok = bufferFields(*a, *b, definesVars) && map(a, b);
    if (!ok && records_)
        excerpt(base::concat("buffer ", a->name), base::concat("buffer ", b->name));
    return ok;
}

bool Comparer::useBuffer(const BufferNode* a, const BufferNode* b) {
    if (const auto* known = leftToRight_.find(a))
        return *known == b;
    if (rightToLeft_.find(b))
        return false;
    if (mapFreeVars_)
        return defineBuffer(a, b, true);
    return a == b;
}

bool Comparer::optionalStmts(const Stmt& a, const Stmt& b) {
    if (!a || !b)
        return !a && !b;
    return stmts(a, b);
}

bool Comparer::optionalExprs(const Expr& a, const Expr& b) {
    if (!a || !b)
        return !a && !b;
    return exprs(a, b);
}

bool Comparer::exprLists(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!exprs(a[i], b[i]))
            return false;
    }
    return true;
}

bool Comparer::ranges(const Range& a, const Range& b) {
    return exprs(a.min, b.min) && exprs(a.extent, b.extent);
}

bool Comparer::regions(const std::vector<Range>& a, const std::vector<Range>& b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!ranges(a[i], b[i]))
            return false;
    }
    return true;
}

bool Comparer::bufferRegions(const std::vector<BufferRegion>& a,
                             const std::vector<BufferRegion>& b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!useBuffer(a[i].buffer.get(), b[i].buffer.get()) ||
            !regions(a[i].region, b[i].region)) {
            if (records_)
                excerpt(print(a[i]), print(b[i]));
            return false;
        }
    }
    return true;
}

bool Comparer::exprs(const Expr& a, const Expr& b) {
    if (a == b && isIdentity_ && !mapFreeVars_ && !definesFree_)
        return true;
    if (a->kind() == b->kind() && a->dtype == b->dtype && exprFields(*a, *b))
        return true;
    if (records_)
        excerpt(base::concat(print(a), " (", toString(a->dtype), ")"),
                base::concat(print(b), " (", toString(b->dtype), ")"));
    return false;
}

bool Comparer::exprFields(const ExprNode& a, const ExprNode& b) {
    switch (a.kind()) {
    case NodeKind::Var:
        return useVar(static_cast<const VarNode*>(&a), static_cast<const VarNode*>(&b));
    case NodeKind::IntImm:
        return static_cast<const IntImmNode&>(a).value == static_cast<const IntImmNode&>(b).value;
    case NodeKind::FloatImm: {
        const double x = static_cast<const FloatImmNode&>(a).value;
        const double y = static_cast<const FloatImmNode&>(b).value;
        return (x == y && std::signbit(x) == std::signbit(y)) || (std::isnan(x) && std::isnan(y));
    }
    case NodeKind::StringImm:
        return static_cast<const StringImmNode&>(a).value ==
               static_cast<const StringImmNode&>(b).value;
    case NodeKind::Cast:
        return exprs(static_cast<const CastNode&>(a).value, static_cast<const CastNode&>(b).value);
    case NodeKind::Not:
        return exprs(static_cast<const NotNode&>(a).a, static_cast<const NotNode&>(b).a);
    case NodeKind::Select: {
        const auto& x = static_cast<const SelectNode&>(a);
        const auto& y = static_cast<const SelectNode&>(b);
        return exprs(x.condition, y.condition) && exprs(x.trueValue, y.trueValue) &&
               exprs(x.falseValue, y.falseValue);
    }
    case NodeKind::BufferLoad: {
        const auto& x = static_cast<const BufferLoadNode&>(a);
        const auto& y = static_cast<const BufferLoadNode&>(b);
        return useBuffer(x.buffer.get(), y.buffer.get()) && exprLists(x.indices, y.indices) &&
               optionalExprs(x.predicate, y.predicate);
    }
    case NodeKind::Ramp: {
        const auto& x = static_cast<const RampNode&>(a);
        const auto& y = static_cast<const RampNode&>(b);
        return exprs(x.base, y.base) && exprs(x.stride, y.stride) && exprs(x.lanes, y.lanes);
    }
    case NodeKind::Broadcast: {
        const auto& x = static_cast<const BroadcastNode&>(a);
        const auto& y = static_cast<const BroadcastNode&>(b);
        return exprs(x.value, y.value) && exprs(x.lanes, y.lanes);
    }
    case NodeKind::Shuffle: {
        const auto& x = static_cast<const ShuffleNode&>(a);
        const auto& y = static_cast<const ShuffleNode&>(b);
        return exprLists(x.vectors, y.vectors) && exprLists(x.indices, y.indices);
    }
    case NodeKind::Let: {
        const auto& x = static_cast<const LetNode&>(a);
        const auto& y = static_cast<const LetNode&>(b);
        return exprs(x.value, y.value) && defineVar(x.var.get(), y.var.get()) &&
               exprs(x.body, y.body);
    }
    case NodeKind::Call: {
        const auto& x = static_cast<const CallNode&>(a);
        const auto& y = static_cast<const CallNode&>(b);
        return x.op == y.op && x.callee == y.callee && exprLists(x.args, y.args);
    }
    case NodeKind::RegionAccess: {
        const auto& x = static_cast<const RegionAccessNode&>(a);
        const auto& y = static_cast<const RegionAccessNode&>(b);
        return useBuffer(x.buffer.get(), y.buffer.get()) && regions(x.region, y.region);
    }
    default: {
        const auto& x = static_cast<const BinaryNode&>(a);
        const auto& y = static_cast<const BinaryNode&>(b);
        return exprs(x.a, y.a) && exprs(x.b, y.b);
    }
    }
}

bool Comparer::stmts(const Stmt& a, const Stmt& b) {
    if (a == b && isIdentity_ && !mapFreeVars_)
        return true;
    if (a->kind() == b->kind() && stmtFields(*a, *b))
        return true;
    if (records_)
        excerpt(print(a), print(b));
    return false;
}

bool Comparer::loops(const ForNode& a, const ForNode& b) {
    if (a.forKind != b.forKind || a.threadTag != b.threadTag)
        return at(false, "kind");
    if (!at(exprs(a.min, b.min), "min") || !at(exprs(a.extent, b.extent), "extent") ||
        !at(optionalExprs(a.step, b.step), "step"))
        return false;
    if (!at(annotations(a.annotations, b.annotations), "annotations"))
        return false;
    if (!defineVar(a.loopVar.get(), b.loopVar.get()))
        return at(false, "loop variable");
    return stmts(a.body, b.body);
}

bool Comparer::blocks(const BlockNode& a, const BlockNode& b) {
    if (a.iterVars.size() != b.iterVars.size() || a.allocBuffers.size() != b.allocBuffers.size() ||
        a.matchBuffers.size() != b.matchBuffers.size())
        return at(false, "number of iterators, allocations or matched buffers");
    for (std::size_t i = 0; i < a.iterVars.size(); ++i) {
        const IterVar& x = a.iterVars[i];
        const IterVar& y = b.iterVars[i];
        if (!at(x.type == y.type && ranges(x.dom, y.dom) && defineVar(x.var.get(), y.var.get()),
                "iterator", x.var->name))
            return false;
    }
    for (std::size_t i = 0; i < a.allocBuffers.size(); ++i) {
        if (!at(defineBuffer(a.allocBuffers[i].get(), b.allocBuffers[i].get(), true),
                "allocation of", a.allocBuffers[i]->name))
            return false;
    }
    for (std::size_t i = 0; i < a.matchBuffers.size(); ++i) {
        const MatchBufferRegion& x = a.matchBuffers[i];
        const MatchBufferRegion& y = b.matchBuffers[i];
        if (!at(useBuffer(x.source.buffer.get(), y.source.buffer.get()) &&
                    regions(x.source.region, y.source.region) &&
                    defineBuffer(x.buffer.get(), y.buffer.get(), true),
                "match_buffer of", x.buffer->name))
            return false;
    }
    return at(bufferRegions(a.reads, b.reads), "reads") &&
           at(bufferRegions(a.writes, b.writes), "writes") &&
           at(annotations(a.annotations, b.annotations), "annotations") &&
           at(optionalStmts(a.init, b.init), "init") && stmts(a.body, b.body);
}

bool Comparer::stmtFields(const StmtNode& a, const StmtNode& b) {
    switch (a.kind()) {
    case NodeKind::For: {
        const auto& x = static_cast<const ForNode&>(a);
        return at(loops(x, static_cast<const ForNode&>(b)), "loop", x.loopVar->name);
    }
    case NodeKind::SeqStmt: {
        const auto& x = static_cast<const SeqStmtNode&>(a).seq;
        const auto& y = static_cast<const SeqStmtNode&>(b).seq;
        if (x.size() != y.size())
            return at(false, "number of statements");
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!stmts(x[i], y[i]))
                return records_ ? at(false, "statement", std::to_string(i)) : false;
        }
        return true;
    }
    case NodeKind::BufferStore: {
        const auto& x = static_cast<const BufferStoreNode&>(a);
        const auto& y = static_cast<const BufferStoreNode&>(b);
        return at(useBuffer(x.buffer.get(), y.buffer.get()), "stored buffer") &&
               at(exprLists(x.indices, y.indices), "index of the store") &&
               at(exprs(x.value, y.value), "stored value") &&
               at(optionalExprs(x.predicate, y.predicate), "predicate");
    }
    case NodeKind::IfThenElse: {
        const auto& x = static_cast<const IfThenElseNode&>(a);
        const auto& y = static_cast<const IfThenElseNode&>(b);
        return at(exprs(x.condition, y.condition), "condition") &&
               at(stmts(x.thenCase, y.thenCase), "then") &&
               at(optionalStmts(x.elseCase, y.elseCase), "else");
    }
    case NodeKind::While: {
        const auto& x = static_cast<const WhileNode&>(a);
        const auto& y = static_cast<const WhileNode&>(b);
        return at(exprs(x.condition, y.condition), "condition") &&
               at(stmts(x.body, y.body), "while");
    }
    case NodeKind::Evaluate:
        return exprs(static_cast<const EvaluateNode&>(a).value,
                     static_cast<const EvaluateNode&>(b).value);
    case NodeKind::AttrStmt: {
        const auto& x = static_cast<const AttrStmtNode&>(a);
        const auto& y = static_cast<const AttrStmtNode&>(b);
        if (x.key != y.key)
            return at(false, "attribute key");
        const AttrValue::List* left = x.node.asList();
        const AttrValue::List* right = y.node.asList();
        const bool isThread = x.key == "thread_extent" || x.key == "virtual_thread";
        if (isThread && left && right && left->size() == 2 && right->size() == 2) {
            const auto* p = as<VarNode>(left->front().asExpr() ? *left->front().asExpr() : Expr());
            const auto* q =
                as<VarNode>(right->front().asExpr() ? *right->front().asExpr() : Expr());
            // The thread variable is defined here, unless an outer statement did.
            if (!p || !q || !attrs((*left)[1], (*right)[1]))
                return at(false, "thread");
            const auto* known = leftToRight_.find(p);
            if (!(known ? *known == q : defineVar(p, q)))
                return at(false, "thread");
        } else if (!attrs(x.node, y.node)) {
            return at(false, "attribute node");
        }
        return at(exprs(x.value, y.value), "attribute value") && stmts(x.body, y.body);
    }
    case NodeKind::AssertStmt: {
        const auto& x = static_cast<const AssertStmtNode&>(a);
        const auto& y = static_cast<const AssertStmtNode&>(b);
        return exprs(x.condition, y.condition) && x.errorKind == y.errorKind &&
               x.messageParts == y.messageParts;
    }
    case NodeKind::Bind: {
        const auto& x = static_cast<const BindNode&>(a);
        const auto& y = static_cast<const BindNode&>(b);
        return exprs(x.value, y.value) && defineVar(x.var.get(), y.var.get());
    }
    case NodeKind::AllocBuffer: {
        const auto& x = static_cast<const AllocBufferNode&>(a);
        const auto& y = static_cast<const AllocBufferNode&>(b);
        return annotations(x.annotations, y.annotations) &&
               defineBuffer(x.buffer.get(), y.buffer.get(), true);
    }
    case NodeKind::DeclBuffer: {
        const auto& x = static_cast<const DeclBufferNode&>(a);
        const auto& y = static_cast<const DeclBufferNode&>(b);
        return optionalExprs(x.data, y.data) && defineBuffer(x.buffer.get(), y.buffer.get(), true);
    }
    case NodeKind::Block: {
        const auto& x = static_cast<const BlockNode&>(a);
        return at(blocks(x, static_cast<const BlockNode&>(b)), "block", x.name);
    }
    case NodeKind::BlockRealize: {
        const auto& x = static_cast<const BlockRealizeNode&>(a);
        const auto& y = static_cast<const BlockRealizeNode&>(b);
        return at(exprLists(x.iterValues, y.iterValues), "bindings of block", x.block->name) &&
               at(exprs(x.predicate, y.predicate), "predicate of block", x.block->name) &&
               stmts(x.block, y.block);
    }
    case NodeKind::Return:
        return optionalExprs(static_cast<const ReturnNode&>(a).value,
                             static_cast<const ReturnNode&>(b).value);
    default:
        return true;
    }
}

bool Comparer::attrs(const AttrValue& a, const AttrValue& b) {
    if (a.isNull() || b.isNull())
        return a.isNull() && b.isNull();
    if (const bool* x = a.asBool())
        return b.asBool() && *x == *b.asBool();
    if (const std::int64_t* x = a.asInt())
        return b.asInt() && *x == *b.asInt();
    if (const double* x = a.asFloat())
        return b.asFloat() && (*x == *b.asFloat() || (std::isnan(*x) && std::isnan(*b.asFloat())));
    if (const std::string* x = a.asString())
        return b.asString() && *x == *b.asString();
    if (const Expr* x = a.asExpr())
        return b.asExpr() && exprs(*x, *b.asExpr());
    if (const AttrValue::List* x = a.asList()) {
        const AttrValue::List* y = b.asList();
        if (!y || x->size() != y->size())
            return false;
        for (std::size_t i = 0; i < x->size(); ++i) {
            if (!attrs((*x)[i], (*y)[i]))
                return false;
        }
        return true;
    }
    const AttrValue::Dict* x = a.asDict();
    const AttrValue::Dict* y = b.asDict();
    if (!x || !y || x->size() != y->size())
        return false;
    // Order of keys does not count.
    for (const auto& [key, value] : *x) {
        bool found = false;
        for (const auto& [otherKey, otherValue] : *y) {
            if (key == otherKey) {
                found = attrs(value, otherValue);
                break;
            }
        }
        if (!found)
            return false;
    }
    return true;
}

bool Comparer::annotations(const Annotations& a, const Annotations& b) {
    if (a.size() != b.size())
        return false;
    auto other = b.begin();
    for (const auto& [key, value] : a) {
        if (key != other->first || !attrs(value, other->second)) {
            if (records_)
                excerpt(base::concat(key, ": ", print(value)),
                        base::concat(other->first, ": ", print(other->second)));
            return false;
        }
        ++other;
    }
    return true;
}

bool Comparer::functions(const PrimFunc& a, const PrimFunc& b) {
    if (a == b && isIdentity_ && !mapFreeVars_)
        return true;
    if (!at(annotations(a->attrs, b->attrs), "attributes"))
        return false;
    if (a->params.size() != b->params.size())
        return at(false, "number of parameters");
    if (a->returnType != b->returnType)
        return at(false, "return type");
    for (std::size_t i = 0; i < a->params.size(); ++i) {
        const Param& x = a->params[i];
        const Param& y = b->params[i];
        const std::string_view name = x.buffer ? x.buffer->name : x.var->name;
        if (!x.buffer != !y.buffer)
            return at(false, "parameter", name);
        // The handle of a tensor is defined by its buffer; its own type says nothing more.
        if (x.buffer ? !defineBuffer(x.buffer.get(), y.buffer.get(), true) ||
                           !map(x.var.get(), y.var.get())
                     : !defineVar(x.var.get(), y.var.get()))
            return at(false, "parameter", name);
    }
    return stmts(a->body, b->body);
}

} // namespace tilewright::ir
