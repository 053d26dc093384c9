// SPDX-License-Identifier: Apache-2.0
// Expressions, variables and buffers of a JSON graph.
#include "graph_depth.h"
#include "graph_reader.h"

#include <tilewright/ir/make.h>

#include <tilewright/base/concat.h>

namespace tilewright::ir {

namespace {

constexpr double kMaxSize = 2.0e7;

std::optional<NodeKind> binaryKind(std::string_view name) {
    static constexpr std::string_view kNames[] = {
        "Add", "Sub", "Mul", "Div", "Mod", "FloorDiv", "FloorMod", "Min", "Max",
        "EQ",  "NE",  "LT",  "LE",  "GT",  "GE",       "And",      "Or"};
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
        if (name == kNames[i])
            return static_cast<NodeKind>(static_cast<std::size_t>(NodeKind::Add) + i);
    }
    return std::nullopt;
}

} // namespace

DataType GraphReader::dtypeText(std::string_view text, std::size_t node) const {
    if (text.empty() || text == "void")
        return DataType::voidType();
    if (text == "uint1")
        return DataType::boolean();
    if (text.starts_with("uint1x")) {
        DataType out = DataType::boolean();
        if (const auto parsed = parseDataType(base::concat("int8", text.substr(5))))
            out.lanes = parsed->lanes;
        return out;
    }
    const auto parsed = parseDataType(text);
    if (!parsed)
        graph_.fail(node, base::concat("unknown data type \"", text.substr(0, 40), "\""));
    return *parsed;
}

DataType GraphReader::typeObject(std::size_t node) const {
    const std::string_view kind = graph_.kind(node);
    if (kind == "PrimType")
        return dtypeText(graph_.inlineText(node, "dtype"), node);
    if (kind == "PointerType" || kind == "StringType")
        return DataType::handle();
    return DataType::voidType();
}

DataType GraphReader::type(std::size_t node) const {
    if (const auto ty = graph_.child(node, "ty"))
        return typeObject(*ty);
    if (graph_.hasField(node, "dtype"))
        return dtypeText(graph_.inlineText(node, "dtype"), node);
    return DataType::voidType();
}

bool GraphReader::isBuffer(std::size_t node) const {
    const std::string_view kind = graph_.kind(node);
    if (kind == "Buffer")
        return true;
    if (kind != "Var")
        return false;
    const auto ty = graph_.child(node, "ty");
    return ty && graph_.kind(*ty) == "BufferType";
}

Var GraphReader::var(std::size_t node) {
    if (vars_[node])
        return vars_[node];
    const std::string_view kind = graph_.kind(node);
    if (kind != "Var" && kind != "SizeVar")
        graph_.fail(node, "expected a variable");
    const std::string name = graph_.string(node, "name");
    const DataType dtype = type(node);
    auto pointer = graph_.child(node, "ty");
    if (!pointer)
        pointer = graph_.child(node, "type_annotation");
    if (dtype.isHandle()) {
        DataType pointee = DataType::voidType();
        std::string scope = "global";
        if (pointer && graph_.kind(*pointer) == "PointerType") {
            if (const auto element = graph_.child(*pointer, "element_type"))
                pointee = typeObject(*element);
            scope = graph_.string(*pointer, "storage_scope");
            if (scope.empty())
                scope = "global";
        }
        if (pointee.isHandle())
            pointee = DataType::voidType();
        vars_[node] = makePointer(name, pointee, scope);
    } else {
        vars_[node] = makeVar(name, dtype);
    }
    return vars_[node];
}

Buffer GraphReader::buffer(std::size_t node) {
    if (buffers_[node])
        return buffers_[node];
    const Depth depth(*this, depth_, node);
    if (!isBuffer(node))
        graph_.fail(node, "expected a buffer");
    const bool isVar = graph_.kind(node) == "Var";
    const std::size_t fields = isVar ? graph_.need(node, "ty") : node;
    const DataType dtype = isVar ? typeObject(graph_.need(fields, "dtype"))
                                 : dtypeText(graph_.inlineText(node, "dtype"), node);
    std::string scope;
    if (isVar) {
        scope = graph_.string(fields, "storage_scope");
    } else if (const auto data = graph_.child(node, "data")) {
        scope = var(*data)->scope;
    }
    auto* out = new BufferNode(graph_.string(node, "name"), dtype, listField(fields, "shape"),
                               scope.empty() ? "global" : scope);
    const Buffer result(out);
    out->strides = listField(fields, "strides");
    if (const Expr offset = optionalExpr(fields, "elem_offset"); offset && !isZero(offset))
        out->elemOffset = offset;
    out->dataAlignment = static_cast<int>(graph_.inlineInt(fields, "data_alignment", 64));
    out->offsetFactor = static_cast<int>(graph_.inlineInt(fields, "offset_factor", 1));
    if (const auto separators = graph_.child(fields, "axis_separators")) {
        for (const std::size_t item : graph_.items(*separators))
            out->axisSeparators.push_back(static_cast<int>(constInt(expr(item)).value_or(0)));
    }
    buffers_[node] = result;
    return result;
}

std::vector<Expr> GraphReader::exprList(std::size_t node) {
    std::vector<Expr> out;
    for (const std::size_t item : graph_.items(node))
        out.push_back(expr(item));
    return out;
}

std::vector<Expr> GraphReader::listField(std::size_t node, std::string_view name) {
    const auto list = graph_.child(node, name);
    return list ? exprList(*list) : std::vector<Expr>{};
}

Expr GraphReader::optionalExpr(std::size_t node, std::string_view name) {
    const auto index = graph_.child(node, name);
    return index ? expr(*index) : Expr();
}

Expr GraphReader::expr(std::size_t node) {
    if (exprs_[node]) {
        size_ += sizes_[node];
    } else {
        const Depth depth(*this, depth_, node);
        const double outer = std::exchange(size_, 1);
        exprs_[node] = buildExpr(node);
        sizes_[node] = size_;
        size_ += outer;
    }
    if (size_ > kMaxSize)
        graph_.fail(node, "the expanded expressions are too large");
    return exprs_[node];
}

Expr GraphReader::constant(std::size_t node, DataType dtype) {
    if (graph_.kind(node) == "FloatImm")
        return Expr(new FloatImmNode(dtype, graph_.inlineFloat(node, "value")));
    if (!graph_.hasBoxedInts())
        return makeInt(graph_.inlineInt(node, "value", 0), dtype);
    const std::size_t boxed = graph_.need(node, "value");
    const json::Value* value = graph_.payload(boxed);
    if (!value || !value->isInteger())
        graph_.fail(boxed, "expected an integer");
    return makeInt(value->kind() == json::Kind::Uint ? static_cast<std::int64_t>(value->asUint())
                                                     : value->asInt(),
                   dtype);
}

/// Lanes of a Ramp or Broadcast: a number before 0.16, an expression since.
Expr GraphReader::lanes(std::size_t node) {
    const DataType own = type(node);
    if (graph_.isLegacy()) {
        const auto index = static_cast<std::size_t>(graph_.inlineInt(node, "lanes", 1));
        if (index < graph_.size() && graph_.kind(index) == "IntImm") {
            const Expr value = expr(index);
            if (constInt(value) == own.lanes)
                return value;
        }
        return makeInt(own.lanes);
    }
    return field(node, "lanes");
}

Expr GraphReader::call(std::size_t node, DataType dtype) {
    const std::size_t op = graph_.need(node, "op");
    std::vector<Expr> args;
    if (const auto list = graph_.child(node, "args")) {
        for (const std::size_t item : graph_.items(*list))
            args.push_back(isBuffer(item)
                               ? Expr(new RegionAccessNode(buffer(item), std::vector<Range>{}))
                               : expr(item));
    }
    if (graph_.kind(op) == "GlobalVar")
        return makeCall(dtype, Op::CallGlobal, std::move(args), graph_.string(op, "name_hint"));
    if (graph_.kind(op) != "Op")
        graph_.fail(op, "this cannot be called");
    std::string name = graph_.text(op);
    if (const auto dot = name.find('.'); dot != std::string::npos)
        name.erase(0, dot + 1);
    const auto known = opFromSpelling(name);
    if (known)
        return makeCall(dtype, *known, std::move(args));
    return makeCall(dtype, Op::Unknown, std::move(args), name);
}

Expr GraphReader::buildExpr(std::size_t node) {
    const std::string_view kind = graph_.kind(node);
    if (kind == "Var" || kind == "SizeVar") {
        if (isBuffer(node))
            return Expr(new RegionAccessNode(buffer(node), std::vector<Range>{}));
        // The data pointer of a buffer stands for the buffer.
        if (const auto owner = bufferOfPointer_.find(node); owner != bufferOfPointer_.end())
            return makeCall(
                DataType::handle(), Op::BufferData,
                {Expr(new RegionAccessNode(buffer(owner->second), std::vector<Range>{}))});
        return var(node);
    }
    const DataType dtype = type(node);
    if (kind == "IntImm" || kind == "FloatImm")
        return constant(node, dtype);
    if (kind == "StringImm")
        return makeString(graph_.string(node, "value"));
    if (graph_.isString(node))
        return makeString(graph_.text(node));
    if (kind == "Cast")
        return Expr(new CastNode(dtype, field(node, "value")));
    if (const auto binary = binaryKind(kind))
        return Expr(new BinaryNode(*binary, dtype, field(node, "a"), field(node, "b")));
    if (kind == "Not")
        return Expr(new NotNode(dtype, field(node, "a")));
    if (kind == "Select")
        return Expr(new SelectNode(dtype, field(node, "condition"), field(node, "true_value"),
                                   field(node, "false_value")));
    if (kind == "TensorLoad" || kind == "BufferLoad") {
        const std::size_t source = graph_.need(node, kind == "TensorLoad" ? "source" : "buffer");
        return Expr(new BufferLoadNode(dtype, buffer(source), listField(node, "indices"),
                                       optionalExpr(node, "predicate")));
    }
    if (kind == "Ramp")
        return Expr(new RampNode(dtype, field(node, "base"), field(node, "stride"), lanes(node)));
    if (kind == "Broadcast")
        return Expr(new BroadcastNode(dtype, field(node, "value"), lanes(node)));
    if (kind == "Shuffle")
        return Expr(new ShuffleNode(dtype, listField(node, "vectors"), listField(node, "indices")));
    if (kind == "Let")
        return Expr(
            new LetNode(var(graph_.need(node, "var")), field(node, "value"), field(node, "body")));
    if (kind == "Call")
        return call(node, dtype);
    if (kind == "TensorRegion" || kind == "BufferRegion") {
        BufferRegion region = bufferRegion(node);
        return Expr(new RegionAccessNode(std::move(region.buffer), std::move(region.region)));
    }
    if (kind == "IterVar")
        return var(graph_.need(node, "var"));
    graph_.fail(node, "expressions of this kind are not supported");
}

Range GraphReader::range(std::size_t node) {
    return {field(node, "min"), field(node, "extent")};
}

BufferRegion GraphReader::bufferRegion(std::size_t node) {
    const bool isTensor = graph_.kind(node) == "TensorRegion";
    BufferRegion out{buffer(graph_.need(node, isTensor ? "source" : "buffer")), {}};
    if (const auto region = graph_.child(node, "region")) {
        for (const std::size_t item : graph_.items(*region))
            out.region.push_back(range(item));
    }
    return out;
}

std::vector<BufferRegion> GraphReader::bufferRegions(std::size_t node) {
    std::vector<BufferRegion> out;
    for (const std::size_t item : graph_.items(node))
        out.push_back(bufferRegion(item));
    return out;
}

} // namespace tilewright::ir
