// SPDX-License-Identifier: Apache-2.0
// Expressions, variables and buffers as JSON graph.
#include "graph_fields.h"

#include <tilewright/ir/make.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>

namespace tilewright::ir {

namespace {

std::string_view binaryName(NodeKind kind) {
    static constexpr std::string_view kNames[] = {
        "prim.Add",      "prim.Sub", "prim.Mul", "prim.Div", "prim.Mod", "prim.FloorDiv",
        "prim.FloorMod", "prim.Min", "prim.Max", "prim.EQ",  "prim.NE",  "prim.LT",
        "prim.LE",       "prim.GT",  "prim.GE",  "prim.And", "prim.Or"};
    return kNames[static_cast<std::size_t>(kind) - static_cast<std::size_t>(NodeKind::Add)];
}

/// The intrinsics that live in the namespace of primitive expressions.
bool isPrimitive(std::string_view name) {
    return name == "if_then_else" || name == "vscale" || name == "log2" || name == "likely" ||
           name == "clz" || name == "ceil";
}

} // namespace

GraphWriter::Index GraphWriter::var(const VarNode& node) {
    if (const auto it = objects_.find(&node); it != objects_.end())
        return it->second;
    Fields fields(*this, node.dtype.isHandle() ? pointerType(node.pointee, node.scope)
                                               : primType(node.dtype));
    fields.set("name", string(node.name));
    const Index index = add("ir.Var", fields.take());
    objects_.emplace(&node, index);
    return index;
}

GraphWriter::Index GraphWriter::buffer(const BufferNode& node) {
    if (const auto it = objects_.find(&node); it != objects_.end())
        return it->second;
    Fields type(*this);
    type.set("dtype", primType(node.dtype));
    type.set("storage_scope", string(node.scope.empty() ? "global" : node.scope));
    type.set("shape", exprList(node.shape));
    type.set("strides", exprList(node.strides));
    type.set("elem_offset",
             node.elemOffset ? expr(node.elemOffset)
                             : intImm(0, node.shape.empty() ? DataType::i(64) : node.indexType()));
    type.set("data_alignment", node.dataAlignment);
    type.set("offset_factor", node.offsetFactor);
    type.set("layout", none());
    type.set("allocated_addr", array({}));
    const Index typeIndex = add("tirx.BufferType", type.take());
    Fields fields(*this, typeIndex);
    fields.set("name", string(node.name));
    const Index index = add("ir.Var", fields.take());
    objects_.emplace(&node, index);
    return index;
}

GraphWriter::Index GraphWriter::intImm(std::int64_t value, DataType type) {
    Fields fields(*this, primType(type));
    fields.set("value", boxedInt(value));
    return add("ir.IntImm", fields.take());
}

GraphWriter::Index GraphWriter::optionalExpr(const Expr& node) {
    return node ? expr(node) : none();
}

GraphWriter::Index GraphWriter::exprList(const std::vector<Expr>& exprs) {
    std::vector<Index> items;
    for (const Expr& item : exprs)
        items.push_back(expr(item));
    return array(items);
}

/// The pointer type that a call of type `handle` has, or the plain type of any other.
GraphWriter::Index GraphWriter::callType(const CallNode& call) {
    if (!call.dtype.isHandle())
        return primType(call.dtype);
    const Expr* first = call.args.empty() ? nullptr : &call.args[0];
    if (call.op == Op::BufferData && first) {
        const auto* access = as<RegionAccessNode>(*first);
        return pointerType(access->buffer->dtype, access->buffer->scope);
    }
    if (call.op == Op::AddressOf && first) {
        if (const auto* load = as<BufferLoadNode>(*first))
            return pointerType(load->buffer->dtype, load->buffer->scope);
    }
    if (call.op == Op::AccessPtr && call.args.size() > 1) {
        const auto* data = as<CallNode>(call.args[1]);
        std::string scope = "global";
        if (data && data->op == Op::BufferData)
            scope = as<RegionAccessNode>(data->args[0])->buffer->scope;
        return pointerType((*first)->dtype, scope);
    }
    return pointerType(DataType::voidType(), "global");
}

GraphWriter::Index GraphWriter::call(const CallNode& node) {
    Fields fields(*this, callType(node));
    if (node.op == Op::CallGlobal) {
        fields.set("op", globalVar(node.callee));
    } else {
        const std::string name(node.op == Op::Unknown ? std::string_view(node.callee)
                                                      : spelling(node.op));
        const std::string full = base::concat(isPrimitive(name) ? "prim." : "tirx.", name);
        fields.set("op", shared("ir.Op", full, full));
    }
    std::vector<Index> args;
    for (const Expr& arg : node.args)
        args.push_back(expr(arg));
    fields.set("args", array(args));
    fields.set("attrs", none());
    fields.set("ty_args", array({}));
    return add("ir.Call", fields.take());
}

GraphWriter::Index GraphWriter::range(const Range& item) {
    json::Object data;
    data.append("min", expr(item.min));
    data.append("extent", expr(item.extent));
    data.append("span", none());
    return add("ir.Range", std::move(data));
}

GraphWriter::Index GraphWriter::ranges(const std::vector<Range>& region) {
    std::vector<Index> items;
    for (const Range& item : region)
        items.push_back(range(item));
    return array(items);
}

GraphWriter::Index GraphWriter::region(const Buffer& source, const std::vector<Range>& region) {
    Fields type(*this);
    Fields fields(*this, shared("tirx.BufferRegionType", type.take(), ""));
    fields.set("source", buffer(*source));
    fields.set("region", ranges(region));
    return add("ir.TensorRegion", fields.take());
}

GraphWriter::Index GraphWriter::regions(const std::vector<BufferRegion>& list) {
    std::vector<Index> items;
    for (const BufferRegion& item : list)
        items.push_back(region(item.buffer, item.region));
    return array(items);
}

GraphWriter::Index GraphWriter::expr(const Expr& node) {
    switch (node->kind()) {
    case NodeKind::Var:
        return var(*as<VarNode>(node));
    case NodeKind::IntImm:
        return intImm(as<IntImmNode>(node)->value, node->dtype);
    case NodeKind::StringImm: {
        Fields type(*this);
        Fields fields(*this, shared("ir.StringType", type.take(), ""));
        fields.set("value", string(as<StringImmNode>(node)->value));
        return add("ir.StringImm", fields.take());
    }
    case NodeKind::Call:
        return call(*as<CallNode>(node));
    case NodeKind::RegionAccess: {
        const auto* access = as<RegionAccessNode>(node);
        return access->region.empty() && !access->buffer->shape.empty()
                   ? buffer(*access->buffer)
                   : region(access->buffer, access->region);
    }
    default:
        break;
    }
    Fields fields(*this, primType(node->dtype));
    switch (node->kind()) {
    case NodeKind::FloatImm:
        fields.set("value", realNumber(as<FloatImmNode>(node)->value));
        return add("ir.FloatImm", fields.take());
    case NodeKind::Cast:
        fields.set("value", expr(as<CastNode>(node)->value));
        return add("prim.Cast", fields.take());
    case NodeKind::Not:
        fields.set("a", expr(as<NotNode>(node)->a));
        return add("prim.Not", fields.take());
    case NodeKind::Select:
        fields.set("condition", expr(as<SelectNode>(node)->condition));
        fields.set("true_value", expr(as<SelectNode>(node)->trueValue));
        fields.set("false_value", expr(as<SelectNode>(node)->falseValue));
        return add("prim.Select", fields.take());
    case NodeKind::BufferLoad:
        fields.set("source", buffer(*as<BufferLoadNode>(node)->buffer));
        fields.set("indices", exprList(as<BufferLoadNode>(node)->indices));
        return add("ir.TensorLoad", fields.take());
    case NodeKind::Ramp:
        fields.set("base", expr(as<RampNode>(node)->base));
        fields.set("stride", expr(as<RampNode>(node)->stride));
        fields.set("lanes", expr(as<RampNode>(node)->lanes));
        return add("prim.Ramp", fields.take());
    case NodeKind::Broadcast:
        fields.set("value", expr(as<BroadcastNode>(node)->value));
        fields.set("lanes", expr(as<BroadcastNode>(node)->lanes));
        return add("prim.Broadcast", fields.take());
    case NodeKind::Shuffle:
        fields.set("vectors", exprList(as<ShuffleNode>(node)->vectors));
        fields.set("indices", exprList(as<ShuffleNode>(node)->indices));
        return add("prim.Shuffle", fields.take());
    case NodeKind::Let:
        fields.set("var", var(*as<LetNode>(node)->var));
        fields.set("value", expr(as<LetNode>(node)->value));
        fields.set("body", expr(as<LetNode>(node)->body));
        return add("prim.Let", fields.take());
    default:
        break;
    }
    const auto& binary = static_cast<const BinaryNode&>(*node);
    fields.set("a", expr(binary.a));
    fields.set("b", expr(binary.b));
    return add(binaryName(node->kind()), fields.take());
}

} // namespace tilewright::ir
