// SPDX-License-Identifier: Apache-2.0
// Expressions of TVMScript.
#include "literal_text.h"
#include "script_printer.h"
#include "typed_calls.h"

#include <tilewright/ir/make.h>

#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::ir {

namespace {

struct Spelling {
    std::string_view infix; ///< empty = function form only
    std::string_view function;
    Precedence precedence;
};

Spelling spellingOf(NodeKind kind) {
    using K = NodeKind;
    switch (kind) {
    case K::Add:
        return {"+", "T.Add", Precedence::Sum};
    case K::Sub:
        return {"-", "T.Sub", Precedence::Sum};
    case K::Mul:
        return {"*", "T.Mul", Precedence::Product};
    case K::Div:
        return {"/", "T.Div", Precedence::Product};
    case K::Mod:
        return {"", "T.truncmod", Precedence::Identity};
    case K::FloorDiv:
        return {"//", "T.FloorDiv", Precedence::Product};
    case K::FloorMod:
        return {"%", "T.FloorMod", Precedence::Product};
    case K::Min:
        return {"", "T.min", Precedence::Identity};
    case K::Max:
        return {"", "T.max", Precedence::Identity};
    case K::EQ:
        return {"==", "T.EQ", Precedence::Comparison};
    case K::NE:
        return {"!=", "T.NE", Precedence::Comparison};
    case K::LT:
        return {"<", "T.LT", Precedence::Comparison};
    case K::LE:
        return {"<=", "T.LE", Precedence::Comparison};
    case K::GT:
        return {">", "T.GT", Precedence::Comparison};
    case K::GE:
        return {">=", "T.GE", Precedence::Comparison};
    case K::And:
        return {"and", "T.And", Precedence::And};
    default:
        return {"or", "T.Or", Precedence::Or};
    }
}

bool isLiteral(const Expr& expr) {
    return expr->kind() == NodeKind::IntImm || expr->kind() == NodeKind::FloatImm;
}

/// True when the folding factory would rebuild this very node, so that the infix form reads back.
bool readsBackInfix(const BinaryNode& node) {
    if (!isLiteral(node.a) && !isLiteral(node.b))
        return true;
    const Expr again = foldBinary(node.kind(), node.a, node.b);
    if (again->kind() != node.kind())
        return false;
    const auto& binary = static_cast<const BinaryNode&>(*again);
    return binary.a == node.a && binary.b == node.b;
}

} // namespace

void ScriptPrinter::appendExpr(std::string& out, const Expr& expr) {
    appendTo(out, expr);
}

void ScriptPrinter::appendOperand(std::string& out, const Expr& expr, Precedence parent,
                                  bool strict) {
    const std::size_t start = out.size();
    const Precedence own = appendTo(out, expr);
    if (own < parent || (strict && own == parent)) {
        out.insert(start, 1, '(');
        out.push_back(')');
    }
}

Precedence ScriptPrinter::appendInfix(std::string& out, const Expr& a, std::string_view op,
                                      const Expr& b, Precedence precedence) {
    // Python chains comparisons, so both sides of one need parentheses.
    appendOperand(out, a, precedence, precedence == Precedence::Comparison);
    out.append(" ").append(op).append(" ");
    appendOperand(out, b, precedence, true);
    return precedence;
}

Precedence ScriptPrinter::appendBinary(std::string& out, const BinaryNode& node) {
    const Spelling spelling = spellingOf(node.kind());
    bool infix = !spelling.infix.empty() && readsBackInfix(node);
    if (node.kind() == NodeKind::Div && !node.dtype.isFloating())
        infix = false;
    if (infix)
        return appendInfix(out, node.a, spelling.infix, node.b, spelling.precedence);
    out.append(spelling.function).push_back('(');
    appendTo(out, node.a);
    out.append(", ");
    appendTo(out, node.b);
    out.push_back(')');
    return Precedence::Identity;
}

void ScriptPrinter::appendInt(std::string& out, const IntImmNode& imm) {
    if (imm.dtype.isBool()) {
        out.append(imm.value != 0 ? "T.bool(True)" : "T.bool(False)");
        return;
    }
    std::string digits = std::to_string(imm.value);
    if (imm.dtype == DataType::u(64) && imm.value < 0)
        digits = std::to_string(static_cast<std::uint64_t>(imm.value));
    if (imm.dtype == DataType::i(32))
        out.append(digits);
    else
        out.append("T.").append(toString(imm.dtype)).append("(").append(digits).append(")");
}

void ScriptPrinter::appendArgs(std::string& out, const std::vector<Expr>& args) {
    bool first = true;
    for (const Expr& arg : args) {
        if (!first)
            out.append(", ");
        first = false;
        appendTo(out, arg);
    }
}

void ScriptPrinter::appendTuple(std::string& out, const std::vector<Expr>& items) {
    out.push_back('(');
    appendArgs(out, items);
    out.append(items.size() == 1 ? ",)" : ")");
}

void ScriptPrinter::appendRange(std::string& out, const Range& range) {
    appendTo(out, range.min);
    if (isOne(range.extent))
        return;
    out.push_back(':');
    appendTo(out, add(range.min, range.extent));
}

void ScriptPrinter::appendRegion(std::string& out, const Buffer& buffer,
                                 const std::vector<Range>& region) {
    appendBuffer(out, buffer.get());
    out.push_back('[');
    if (region.empty())
        out.append("()");
    for (std::size_t i = 0; i < region.size(); ++i) {
        if (i != 0)
            out.append(", ");
        appendRange(out, region[i]);
    }
    out.push_back(']');
}

void ScriptPrinter::appendVar(std::string& out, const VarNode* var) {
    if (!names_.find(var))
        defineFree(var);
    out.append(*names_.find(var));
}

void ScriptPrinter::appendBuffer(std::string& out, const BufferNode* buffer) {
    if (!names_.find(buffer))
        defineFree(buffer);
    out.append(*names_.find(buffer));
}

Precedence ScriptPrinter::appendCall(std::string& out, const CallNode& call) {
    switch (call.op) {
    case Op::BitwiseAnd:
        return appendInfix(out, call.args.at(0), "&", call.args.at(1), Precedence::BitAnd);
    case Op::BitwiseOr:
        return appendInfix(out, call.args.at(0), "|", call.args.at(1), Precedence::BitOr);
    case Op::BitwiseXor:
        return appendInfix(out, call.args.at(0), "^", call.args.at(1), Precedence::BitXor);
    case Op::ShiftLeft:
        return appendInfix(out, call.args.at(0), "<<", call.args.at(1), Precedence::Shift);
    case Op::ShiftRight:
        return appendInfix(out, call.args.at(0), ">>", call.args.at(1), Precedence::Shift);
    case Op::BitwiseNot:
        out.push_back('~');
        appendOperand(out, call.args.at(0), Precedence::Identity, false);
        return Precedence::Identity;
    case Op::BufferData:
        appendTo(out, call.args.at(0));
        out.append(".data");
        return Precedence::Identity;
    case Op::CallGlobal:
        out.append(inModule_ ? "Module." : "cls.").append(call.callee);
        break;
    case Op::CallPacked:
        out.append("T.call_packed");
        break;
    case Op::Unknown:
        out.append("T.").append(call.callee);
        break;
    default:
        out.append("T.").append(spelling(call.op));
    }
    out.push_back('(');
    const std::string_view name = call.op == Op::Unknown ? call.callee : spelling(call.op);
    if (call.op != Op::CallGlobal && typeComesFirst(name)) {
        appendQuoted(out, toString(call.dtype));
        if (!call.args.empty())
            out.append(", ");
    }
    appendArgs(out, call.args);
    out.push_back(')');
    return Precedence::Identity;
}

Precedence ScriptPrinter::appendTo(std::string& out, const Expr& expr) {
    switch (expr->kind()) {
    case NodeKind::Var:
        appendVar(out, as<VarNode>(expr));
        break;
    case NodeKind::IntImm:
        appendInt(out, *as<IntImmNode>(expr));
        break;
    case NodeKind::FloatImm:
        out.append("T.").append(toString(expr->dtype)).push_back('(');
        appendFloat(out, as<FloatImmNode>(expr)->value);
        out.push_back(')');
        break;
    case NodeKind::StringImm:
        appendQuoted(out, as<StringImmNode>(expr)->value);
        break;
    case NodeKind::Cast:
        out.append("T.Cast(");
        appendQuoted(out, toString(expr->dtype));
        out.append(", ");
        appendTo(out, as<CastNode>(expr)->value);
        out.push_back(')');
        break;
    case NodeKind::Not:
        out.append("not ");
        appendOperand(out, as<NotNode>(expr)->a, Precedence::Not, false);
        return Precedence::Not;
    case NodeKind::Select: {
        const auto* node = as<SelectNode>(expr);
        out.append("T.Select(");
        appendArgs(out, {node->condition, node->trueValue, node->falseValue});
        out.push_back(')');
        break;
    }
    case NodeKind::Ramp: {
        const auto* node = as<RampNode>(expr);
        out.append("T.Ramp(");
        appendArgs(out, {node->base, node->stride, node->lanes});
        out.push_back(')');
        break;
    }
    case NodeKind::Broadcast: {
        const auto* node = as<BroadcastNode>(expr);
        out.append("T.Broadcast(");
        appendArgs(out, {node->value, node->lanes});
        out.push_back(')');
        break;
    }
    case NodeKind::Shuffle: {
        const auto* node = as<ShuffleNode>(expr);
        out.append("T.Shuffle([");
        appendArgs(out, node->vectors);
        out.append("], [");
        appendArgs(out, node->indices);
        out.append("])");
        break;
    }
    case NodeKind::Let: {
        const auto* node = as<LetNode>(expr);
        names_.pushFrame();
        std::string where;
        appendTo(where, node->value);
        const std::string name = names_.define(node->var.get(), node->var->name, "v");
        out.append("T.Let(");
        appendTo(out, node->body);
        out.append(", where={").append(name).append(": ").append(where).append("})");
        names_.popFrame();
        break;
    }
    case NodeKind::Call:
        return appendCall(out, *as<CallNode>(expr));
    case NodeKind::BufferLoad: {
        const auto* node = as<BufferLoadNode>(expr);
        appendBuffer(out, node->buffer.get());
        if (node->predicate) {
            out.append(".vload([");
            appendArgs(out, node->indices);
            out.append("], predicate=");
            appendTo(out, node->predicate);
            out.push_back(')');
        } else if (!scalars_.contains(node->buffer.get())) {
            out.push_back('[');
            if (node->indices.empty())
                out.append("()");
            appendArgs(out, node->indices);
            out.push_back(']');
        }
        break;
    }
    case NodeKind::RegionAccess: {
        const auto* node = as<RegionAccessNode>(expr);
        if (node->region.empty())
            appendBuffer(out, node->buffer.get());
        else
            appendRegion(out, node->buffer, node->region);
        break;
    }
    default:
        return appendBinary(out, static_cast<const BinaryNode&>(*expr));
    }
    return Precedence::Identity;
}

void ScriptPrinter::appendAttr(std::string& out, const AttrValue& value) {
    if (value.isNull()) {
        out.append("None");
    } else if (const bool* flag = value.asBool()) {
        out.append(*flag ? "True" : "False");
    } else if (const std::int64_t* number = value.asInt()) {
        out.append(std::to_string(*number));
    } else if (const double* real = value.asFloat()) {
        appendFloat(out, *real);
    } else if (const std::string* text = value.asString()) {
        appendQuoted(out, *text);
    } else if (const Expr* expr = value.asExpr()) {
        appendTo(out, *expr);
    } else if (const AttrValue::List* list = value.asList()) {
        out.push_back('[');
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (i != 0)
                out.append(", ");
            appendAttr(out, (*list)[i]);
        }
        out.push_back(']');
    } else if (const AttrValue::Dict* dict = value.asDict()) {
        Annotations sorted;
        for (const auto& [key, item] : *dict)
            sorted.set(key, item);
        appendDict(out, sorted);
    }
}

void ScriptPrinter::appendDict(std::string& out, const Annotations& annotations) {
    out.push_back('{');
    bool first = true;
    for (const auto& [key, value] : annotations) {
        if (!first)
            out.append(", ");
        first = false;
        appendQuoted(out, key);
        out.append(": ");
        appendAttr(out, value);
    }
    out.push_back('}');
}

void ScriptPrinter::appendVarType(std::string& out, const VarNode& var) {
    if (!var.dtype.isHandle()) {
        out.append("T.").append(toString(var.dtype));
    } else if (var.pointee.isVoid()) {
        out.append("T.handle");
    } else {
        out.append("T.handle(");
        appendQuoted(out, toString(var.pointee));
        out.append(", ");
        appendQuoted(out, var.scope.empty() ? "global" : var.scope);
        out.push_back(')');
    }
}

} // namespace tilewright::ir
