// SPDX-License-Identifier: Apache-2.0
#include "arith_count.h"

#include <tilewright/ir/visit.h>

namespace tilewright::cost {

using namespace ir;

namespace {

class Counter final : public Visitor {
public:
    ArithCounts counts;

protected:
    void visitNode(const BinaryNode& node) override {
        const bool isFloat = node.dtype.code == TypeCode::Float;
        OpCounts& kind = isFloat ? counts.floating : counts.integer;
        switch (node.kind()) {
        case NodeKind::Add:
        case NodeKind::Sub:
            ++kind.addSub;
            break;
        case NodeKind::Mul:
            ++kind.mul;
            break;
        case NodeKind::Div:
        case NodeKind::Mod:
        case NodeKind::FloorDiv:
        case NodeKind::FloorMod:
            ++kind.divMod;
            break;
        case NodeKind::And:
        case NodeKind::Or:
            ++counts.logical;
            break;
        default:
            ++kind.compare;
        }
        Visitor::visitNode(node);
    }
    void visitNode(const NotNode& node) override {
        ++counts.logical;
        Visitor::visitNode(node);
    }
    void visitNode(const SelectNode& node) override {
        if (!hasLoad(node))
            return; // counts as a constant
        ++counts.select;
        Visitor::visitNode(node);
    }
    void visitNode(const CallNode& node) override {
        OpCounts& kind = node.dtype.code == TypeCode::Float ? counts.floating : counts.integer;
        if (purity(node.op) == Purity::Pure)
            ++kind.math;
        else
            ++kind.other;
        Visitor::visitNode(node);
    }

private:
    static bool hasLoad(const SelectNode& node) {
        bool found = false;
        const auto look = [&](const Node& part) {
            found = found || part.kind() == NodeKind::BufferLoad;
            return !found;
        };
        walk(node.condition, look);
        walk(node.trueValue, look);
        walk(node.falseValue, look);
        return found;
    }
};

} // namespace

ArithCounts countArithmetic(const Expr& value) {
    Counter counter;
    counter.visit(value);
    return counter.counts;
}

} // namespace tilewright::cost
