// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/visit.h>

#include <tilewright/base/check.h>

namespace tilewright::ir {

#define TW_VISIT_CASE(Kind, Class)                                                                 \
    case NodeKind::Kind:                                                                           \
        return visitNode(static_cast<const Class&>(*node));

void Visitor::visit(const Expr& expr) {
    const ExprNode* node = expr.get();
    switch (node->kind()) {
#define TW_EXPR(Kind, Class) TW_VISIT_CASE(Kind, Class)
#include <tilewright/ir/node_kinds.def>
    default:
        TW_CHECK(false) << "no expression";
    }
}

void Visitor::visit(const Stmt& stmt) {
    const StmtNode* node = stmt.get();
    switch (node->kind()) {
#define TW_STMT(Kind, Class) TW_VISIT_CASE(Kind, Class)
#include <tilewright/ir/node_kinds.def>
    default:
        TW_CHECK(false) << "no statement";
    }
}

void Visitor::visitNode(const VarNode&) {}
void Visitor::visitNode(const IntImmNode&) {}
void Visitor::visitNode(const FloatImmNode&) {}
void Visitor::visitNode(const StringImmNode&) {}
void Visitor::visitNode(const CastNode& node) {
    visit(node.value);
}
void Visitor::visitNode(const BinaryNode& node) {
    visit(node.a);
    visit(node.b);
}
void Visitor::visitNode(const NotNode& node) {
    visit(node.a);
}
void Visitor::visitNode(const SelectNode& node) {
    visit(node.condition);
    visit(node.trueValue);
    visit(node.falseValue);
}
void Visitor::visitNode(const BufferLoadNode& node) {
    for (const Expr& index : node.indices)
        visit(index);
    if (node.predicate)
        visit(node.predicate);
}
void Visitor::visitNode(const RampNode& node) {
    visit(node.base);
    visit(node.stride);
    visit(node.lanes);
}
void Visitor::visitNode(const BroadcastNode& node) {
    visit(node.value);
    visit(node.lanes);
}
void Visitor::visitNode(const ShuffleNode& node) {
    for (const Expr& item : node.vectors)
        visit(item);
    for (const Expr& item : node.indices)
        visit(item);
}
void Visitor::visitNode(const LetNode& node) {
    visit(node.value);
    visit(node.body);
}
void Visitor::visitNode(const CallNode& node) {
    for (const Expr& arg : node.args)
        visit(arg);
}
void Visitor::visitNode(const RegionAccessNode& node) {
    for (const Range& range : node.region) {
        visit(range.min);
        visit(range.extent);
    }
}

void Visitor::visitNode(const ForNode& node) {
    visit(node.min);
    visit(node.extent);
    if (node.step)
        visit(node.step);
    visit(node.body);
}
void Visitor::visitNode(const SeqStmtNode& node) {
    for (const Stmt& stmt : node.seq)
        visit(stmt);
}
void Visitor::visitNode(const BufferStoreNode& node) {
    visit(node.value);
    for (const Expr& index : node.indices)
        visit(index);
    if (node.predicate)
        visit(node.predicate);
}
void Visitor::visitNode(const IfThenElseNode& node) {
    visit(node.condition);
    visit(node.thenCase);
    if (node.elseCase)
        visit(node.elseCase);
}
void Visitor::visitNode(const WhileNode& node) {
    visit(node.condition);
    visit(node.body);
}
void Visitor::visitNode(const EvaluateNode& node) {
    visit(node.value);
}
void Visitor::visitNode(const AttrStmtNode& node) {
    visit(node.value);
    visit(node.body);
}
void Visitor::visitNode(const AssertStmtNode& node) {
    visit(node.condition);
}
void Visitor::visitNode(const BindNode& node) {
    visit(node.value);
}
void Visitor::visitNode(const AllocBufferNode&) {}
void Visitor::visitNode(const DeclBufferNode& node) {
    if (node.data)
        visit(node.data);
}
void Visitor::visitNode(const BlockNode& node) {
    if (node.init)
        visit(node.init);
    visit(node.body);
}
void Visitor::visitNode(const BlockRealizeNode& node) {
    for (const Expr& value : node.iterValues)
        visit(value);
    visit(node.predicate);
    visitNode(*node.block);
}
void Visitor::visitNode(const ReturnNode& node) {
    if (node.value)
        visit(node.value);
}
void Visitor::visitNode(const BreakNode&) {}
void Visitor::visitNode(const ContinueNode&) {}

namespace {

class Walker final : public Visitor {
public:
    Walker(const std::function<bool(const Node&)>* pre,
           const std::function<void(const Node&)>* post)
        : pre_(pre), post_(post) {}

protected:
#define TW_WALK(Class)                                                                             \
    void visitNode(const Class& node) override {                                                   \
        if (pre_ && !(*pre_)(node))                                                                \
            return;                                                                                \
        Visitor::visitNode(node);                                                                  \
        if (post_)                                                                                 \
            (*post_)(node);                                                                        \
    }
    TW_EXPR_CLASSES(TW_WALK)
    TW_STMT_CLASSES(TW_WALK)
#undef TW_WALK

private:
    const std::function<bool(const Node&)>* pre_;
    const std::function<void(const Node&)>* post_;
};

} // namespace

void walk(const Stmt& root, const std::function<bool(const Node&)>& pre) {
    Walker(&pre, nullptr).visit(root);
}
void walk(const Expr& root, const std::function<bool(const Node&)>& pre) {
    Walker(&pre, nullptr).visit(root);
}
void walkPost(const Stmt& root, const std::function<void(const Node&)>& post) {
    Walker(nullptr, &post).visit(root);
}
void walkPost(const Expr& root, const std::function<void(const Node&)>& post) {
    Walker(nullptr, &post).visit(root);
}

namespace {

class VarSearch final : public Visitor {
public:
    explicit VarSearch(const std::function<bool(const VarNode*)>& predicate)
        : predicate_(predicate) {}
    bool found = false;

protected:
    void visitNode(const VarNode& node) override { found = found || predicate_(&node); }
    void visitNode(const BinaryNode& node) override {
        if (!found)
            Visitor::visitNode(node);
    }

private:
    const std::function<bool(const VarNode*)>& predicate_;
};

} // namespace

bool usesVar(const Expr& expr, const VarNode* var) {
    return usesVar(expr, [var](const VarNode* other) { return other == var; });
}
bool usesVar(const Expr& expr, const std::function<bool(const VarNode*)>& predicate) {
    VarSearch search(predicate);
    search.visit(expr);
    return search.found;
}
bool usesVar(const Stmt& stmt, const std::function<bool(const VarNode*)>& predicate) {
    VarSearch search(predicate);
    search.visit(stmt);
    return search.found;
}

std::vector<Var> collectVars(const Expr& expr) {
    std::vector<Var> vars;
    walk(expr, [&](const Node& node) {
        if (const auto* var = as<VarNode>(&node)) {
            bool known = false;
            for (const Var& seen : vars)
                known = known || seen.get() == var;
            if (!known)
                vars.emplace_back(var);
        }
        return true;
    });
    return vars;
}

} // namespace tilewright::ir
