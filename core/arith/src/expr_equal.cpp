// SPDX-License-Identifier: Apache-2.0
#include <tilewright/arith/expr_equal.h>

namespace tilewright::arith {

using namespace ir;

namespace {

bool equalLists(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!exprEqual(a[i], b[i]))
            return false;
    return true;
}

bool equalOptional(const Expr& a, const Expr& b) {
    if (!a || !b)
        return !a && !b;
    return exprEqual(a, b);
}

bool equalRare(const ExprNode* a, const ExprNode* b) {
    switch (a->kind()) {
    case NodeKind::Ramp: {
        const auto* x = static_cast<const RampNode*>(a);
        const auto* y = static_cast<const RampNode*>(b);
        return exprEqual(x->base, y->base) && exprEqual(x->stride, y->stride);
    }
    case NodeKind::Broadcast:
        return exprEqual(static_cast<const BroadcastNode*>(a)->value,
                         static_cast<const BroadcastNode*>(b)->value);
    case NodeKind::Shuffle: {
        const auto* x = static_cast<const ShuffleNode*>(a);
        const auto* y = static_cast<const ShuffleNode*>(b);
        return equalLists(x->vectors, y->vectors) && equalLists(x->indices, y->indices);
    }
    case NodeKind::Let: {
        const auto* x = static_cast<const LetNode*>(a);
        const auto* y = static_cast<const LetNode*>(b);
        return x->var == y->var && exprEqual(x->value, y->value) && exprEqual(x->body, y->body);
    }
    case NodeKind::RegionAccess: {
        const auto* x = static_cast<const RegionAccessNode*>(a);
        const auto* y = static_cast<const RegionAccessNode*>(b);
        if (x->buffer != y->buffer || x->region.size() != y->region.size())
            return false;
        for (std::size_t i = 0; i < x->region.size(); ++i)
            if (!exprEqual(x->region[i].min, y->region[i].min) ||
                !exprEqual(x->region[i].extent, y->region[i].extent))
                return false;
        return true;
    }
    default:
        return false;
    }
}

} // namespace

bool exprEqual(const Expr& left, const Expr& right) {
    const ExprNode* a = left.get();
    const ExprNode* b = right.get();
    if (a == b)
        return true;
    if (!a || !b || a->kind() != b->kind() || a->dtype != b->dtype)
        return false;
    switch (a->kind()) {
    case NodeKind::Var:
        return false;
    case NodeKind::IntImm:
        return static_cast<const IntImmNode*>(a)->value == static_cast<const IntImmNode*>(b)->value;
    case NodeKind::FloatImm:
        return static_cast<const FloatImmNode*>(a)->value ==
               static_cast<const FloatImmNode*>(b)->value;
    case NodeKind::StringImm:
        return static_cast<const StringImmNode*>(a)->value ==
               static_cast<const StringImmNode*>(b)->value;
    case NodeKind::Cast:
        return exprEqual(static_cast<const CastNode*>(a)->value,
                         static_cast<const CastNode*>(b)->value);
    case NodeKind::Not:
        return exprEqual(static_cast<const NotNode*>(a)->a, static_cast<const NotNode*>(b)->a);
    case NodeKind::Select: {
        const auto* x = static_cast<const SelectNode*>(a);
        const auto* y = static_cast<const SelectNode*>(b);
        return exprEqual(x->condition, y->condition) && exprEqual(x->trueValue, y->trueValue) &&
               exprEqual(x->falseValue, y->falseValue);
    }
    case NodeKind::BufferLoad: {
        const auto* x = static_cast<const BufferLoadNode*>(a);
        const auto* y = static_cast<const BufferLoadNode*>(b);
        return x->buffer == y->buffer && equalLists(x->indices, y->indices) &&
               equalOptional(x->predicate, y->predicate);
    }
    case NodeKind::Call: {
        const auto* x = static_cast<const CallNode*>(a);
        const auto* y = static_cast<const CallNode*>(b);
        return x->op == y->op && x->callee == y->callee && equalLists(x->args, y->args);
    }
    default:
        if (const auto* x = as<BinaryNode>(a)) {
            const auto* y = static_cast<const BinaryNode*>(b);
            return exprEqual(x->a, y->a) && exprEqual(x->b, y->b);
        }
        return equalRare(a, b);
    }
}

} // namespace tilewright::arith
