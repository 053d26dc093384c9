// SPDX-License-Identifier: Apache-2.0
// Modules, functions and statements of a JSON graph; reading entry points of tvm_json.h.
#include "graph_reader.h"

#include "graph_depth.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/tvm_json.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

namespace tilewright::ir {

namespace {

/// Attribute keys in the newest spelling.
std::string newestKey(std::string key) {
    if (key.starts_with("tir."))
        key.insert(3, "x");
    return key;
}

} // namespace

GraphReader::GraphReader(const JsonGraph& graph)
    : graph_(graph), exprs_(graph.size()), sizes_(graph.size()), vars_(graph.size()),
      buffers_(graph.size()) {
    if (graph_.isEraD())
        return;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
        if (graph_.kind(i) != "Buffer")
            continue;
        if (const auto data = graph_.child(i, "data"))
            bufferOfPointer_.emplace(*data, i);
    }
}

AttrValue GraphReader::target(std::size_t node) {
    Annotations fields;
    if (const auto attrs = graph_.child(node, "attrs")) {
        for (const JsonGraph::Entry& entry : graph_.entries(*attrs))
            fields.set(entry.key, attr(entry.value));
    }
    fields.set("kind", graph_.text(graph_.need(node, "kind")));
    fields.set("tag", graph_.string(node, "tag"));
    if (const auto keys = graph_.child(node, "keys"))
        fields.set("keys", attr(*keys));
    if (const auto host = graph_.child(node, "host"))
        fields.set("host", attr(*host));
    AttrValue::Dict dict;
    for (const auto& [key, value] : fields)
        dict.emplace_back(key, value);
    return dict;
}

AttrValue GraphReader::attr(std::size_t node) {
    const Depth depth(*this, depth_, node);
    const std::string_view key = graph_.typeKey(node);
    const std::string_view kind = graph_.kind(node);
    if (graph_.isNull(node))
        return {};
    if (graph_.isString(node))
        return graph_.text(node);
    if (!graph_.isLegacy() && (key == "int" || key == "bool" || key == "float")) {
        const json::Value* value = graph_.payload(node);
        if (!value)
            graph_.fail(node, "the value is missing");
        if (key == "bool")
            return value->isBool() ? value->asBool() : value->asInt() != 0;
        if (key == "float")
            return value->asDouble();
        return value->asInt();
    }
    if (kind == "BoxInt" || (graph_.isLegacy() && key == "int"))
        return key == "int" ? graph_.inlineInt(node, "v_int64", 0)
                            : static_cast<std::int64_t>(
                                  std::strtoll(graph_.text(node).c_str(), nullptr, 10));
    if (kind == "BoxBool")
        return graph_.text(node) == "true" || graph_.text(node) == "1";
    if (key == "bool")
        return graph_.inlineInt(node, "v_int64", 0) != 0;
    if (key == "float")
        return graph_.inlineFloat(node, "v_float64");
    if (kind == "BoxFloat")
        return std::strtod(graph_.text(node).c_str(), nullptr);
    if (kind == "Array" || kind == "List") {
        AttrValue::List list;
        for (const std::size_t item : graph_.items(node))
            list.push_back(attr(item));
        return list;
    }
    if (kind == "Map" || kind == "Dict" || kind == "StrMap") {
        AttrValue::Dict dict;
        for (const JsonGraph::Entry& entry : graph_.entries(node))
            dict.emplace_back(entry.key, attr(entry.value));
        return dict;
    }
    if (kind == "Target")
        return target(node);
    if (kind == "DictAttrs")
        return attr(graph_.need(node, "__dict__"));
    if (kind == "IterVar")
        return AttrValue::List{Expr(var(graph_.need(node, "var"))),
                               graph_.string(node, "thread_tag")};
    if (isBuffer(node) && graph_.kind(node) == "Buffer")
        return Expr(new RegionAccessNode(buffer(node), std::vector<Range>{}));
    const Expr value = expr(node);
    // Older eras box plain values as constants.
    if (!graph_.isEraD() || value->dtype.isBool()) {
        if (const auto* imm = as<IntImmNode>(value)) {
            if (imm->dtype.isBool())
                return imm->value != 0;
            return imm->value;
        }
    }
    if (!graph_.isEraD()) {
        if (const auto* imm = as<FloatImmNode>(value))
            return imm->value;
        if (const auto* imm = as<StringImmNode>(value))
            return imm->value;
    }
    return value;
}

Annotations GraphReader::annotations(std::size_t node) {
    Annotations out;
    for (const JsonGraph::Entry& entry : graph_.entries(node))
        out.set(newestKey(entry.key), attr(entry.value));
    return out;
}

Annotations GraphReader::annotationField(std::size_t node, std::string_view name) {
    const auto map = graph_.child(node, name);
    return map ? annotations(*map) : Annotations();
}

IterVar GraphReader::iterVar(std::size_t node) {
    IterVar out;
    out.dom = range(graph_.need(node, "dom"));
    out.var = var(graph_.need(node, "var"));
    const std::int64_t code = graph_.inlineInt(node, "iter_type", 0);
    if (code < 0 || code > 4)
        graph_.fail(node, base::concat("iterators of type ", code, " are not supported"));
    out.type = static_cast<IterType>(code);
    return out;
}

Stmt GraphReader::forLoop(std::size_t node) {
    const std::int64_t kind = graph_.inlineInt(node, "kind", 0);
    if (kind < 0 || kind > 4)
        graph_.fail(node, base::concat("loops of kind ", kind, " are not supported"));
    std::string tag;
    if (const auto binding = graph_.child(node, "thread_binding"))
        tag = graph_.string(*binding, "thread_tag");
    Expr step = optionalExpr(node, "step");
    if (step && isOne(step))
        step = nullptr;
    return makeFor(var(graph_.need(node, "loop_var")), field(node, "min"), field(node, "extent"),
                   static_cast<ForKind>(kind), stmt(graph_.need(node, "body")),
                   annotationField(node, "annotations"), tag, step);
}

Stmt GraphReader::block(std::size_t node) {
    auto* out = new BlockNode();
    const Block result(out);
    if (const auto iters = graph_.child(node, "iter_vars")) {
        for (const std::size_t item : graph_.items(*iters))
            out->iterVars.push_back(iterVar(item));
    }
    if (const auto buffers = graph_.child(node, "alloc_buffers")) {
        for (const std::size_t item : graph_.items(*buffers))
            out->allocBuffers.push_back(buffer(item));
    }
    if (const auto matches = graph_.child(node, "match_buffers")) {
        for (const std::size_t item : graph_.items(*matches)) {
            MatchBufferRegion match;
            match.source = bufferRegion(graph_.need(item, "source"));
            match.buffer = buffer(graph_.need(item, "buffer"));
            out->matchBuffers.push_back(std::move(match));
        }
    }
    if (const auto regions = graph_.child(node, "reads"))
        out->reads = bufferRegions(*regions);
    if (const auto regions = graph_.child(node, "writes"))
        out->writes = bufferRegions(*regions);
    out->name = graph_.string(node, "name_hint");
    out->annotations = annotationField(node, "annotations");
    if (const auto init = graph_.child(node, "init"))
        out->init = stmt(*init);
    out->body = stmt(graph_.need(node, "body"));
    return result;
}

Stmt GraphReader::realize(std::size_t node) {
    const Stmt inner = block(graph_.need(node, "block"));
    std::vector<Expr> values = listField(node, "iter_values");
    const Block read(as<BlockNode>(inner));
    if (values.size() != read->iterVars.size())
        graph_.fail(node, "there are as many values as iterators");
    const Expr predicate = optionalExpr(node, "predicate");
    return makeBlockRealize(std::move(values), predicate ? predicate : makeBool(true), read);
}

Stmt GraphReader::attrStmt(std::size_t node) {
    const auto hangsOn = graph_.child(node, "node");
    const std::string key = newestKey(graph_.string(node, "attr_key"));
    AttrValue value = hangsOn ? attr(*hangsOn) : AttrValue(0);
    // `0` stands for nothing in particular, whatever its box.
    if (const Expr* expression = value.asExpr(); expression && isZero(*expression))
        value = 0;
    return Stmt(new AttrStmtNode(std::move(value), key, field(node, "value"),
                                 stmt(graph_.need(node, "body"))));
}

Stmt GraphReader::assertStmt(std::size_t node) {
    std::string kind = "RuntimeError";
    std::vector<std::string> parts;
    if (graph_.hasField(node, "error_kind")) {
        kind = graph_.string(node, "error_kind");
        for (const std::size_t item : graph_.items(graph_.need(node, "message_parts")))
            parts.push_back(graph_.kind(item) == "StringImm" ? graph_.string(item, "value")
                                                             : graph_.text(item));
    } else {
        parts.push_back(graph_.string(node, "message"));
    }
    return withBody(Stmt(new AssertStmtNode(field(node, "condition"), kind, std::move(parts))),
                    node);
}

/// A statement that scoped over a body in old eras and scopes over its followers now.
Stmt GraphReader::withBody(Stmt first, std::size_t node) {
    const auto body = graph_.child(node, "body");
    if (!body)
        return first;
    return makeSeq({std::move(first), stmt(*body)});
}

Stmt GraphReader::stmt(std::size_t node) {
    const Depth depth(*this, depth_, node);
    const std::string_view kind = graph_.kind(node);
    if (kind == "For")
        return forLoop(node);
    if (kind == "SeqStmt") {
        std::vector<Stmt> seq;
        for (const std::size_t item : graph_.items(graph_.need(node, "seq")))
            seq.push_back(stmt(item));
        return seq.empty() ? makeNoOp() : makeSeq(std::move(seq));
    }
    if (kind == "BufferStore")
        return makeStore(buffer(graph_.need(node, "buffer")), field(node, "value"),
                         listField(node, "indices"), optionalExpr(node, "predicate"));
    if (kind == "SBlockRealize" || kind == "BlockRealize")
        return realize(node);
    if (kind == "SBlock" || kind == "Block")
        return block(node);
    if (kind == "IfThenElse") {
        const auto other = graph_.child(node, "else_case");
        return makeIf(field(node, "condition"), stmt(graph_.need(node, "then_case")),
                      other ? stmt(*other) : Stmt());
    }
    if (kind == "While")
        return Stmt(new WhileNode(field(node, "condition"), stmt(graph_.need(node, "body"))));
    if (kind == "Evaluate") {
        const Expr value = field(node, "value");
        const auto* call = as<CallNode>(value);
        if (call && call->op == Op::Ret && call->args.size() == 1)
            return Stmt(new ReturnNode(call->args[0]));
        return makeEvaluate(value);
    }
    if (kind == "AttrStmt")
        return attrStmt(node);
    if (kind == "AssertStmt")
        return assertStmt(node);
    if (kind == "Bind" || kind == "LetStmt")
        return withBody(Stmt(new BindNode(var(graph_.need(node, "var")), field(node, "value"))),
                        node);
    if (kind == "AllocBuffer")
        return Stmt(new AllocBufferNode(buffer(graph_.need(node, "buffer")),
                                        annotationField(node, "annotations")));
    if (kind == "DeclBuffer")
        return withBody(Stmt(new DeclBufferNode(buffer(graph_.need(node, "buffer")),
                                                optionalExpr(node, "data"))),
                        node);
    if (kind == "Allocate") {
        const std::size_t pointer = graph_.need(node, "buffer_var");
        const Var named = var(pointer);
        const Buffer allocated =
            makeBuffer(named->name, dtypeText(graph_.inlineText(node, "dtype"), node),
                       listField(node, "extents"), named->scope.empty() ? "global" : named->scope);
        exprs_[pointer] = makeCall(DataType::handle(), Op::BufferData,
                                   {Expr(new RegionAccessNode(allocated, std::vector<Range>{}))});
        return withBody(Stmt(new AllocBufferNode(allocated, annotationField(node, "annotations"))),
                        node);
    }
    if (kind == "Return")
        return Stmt(new ReturnNode(optionalExpr(node, "value")));
    if (kind == "Break")
        return Stmt(new BreakNode());
    if (kind == "Continue")
        return Stmt(new ContinueNode());
    graph_.fail(node, "statements of this kind are not supported");
}

Param GraphReader::param(std::size_t node,
                         const std::unordered_map<std::size_t, std::size_t>& buffers) {
    Param out;
    if (isBuffer(node)) {
        out.buffer = buffer(node);
    } else if (const auto mapped = buffers.find(node); mapped != buffers.end()) {
        out.buffer = buffer(mapped->second);
        out.var = var(node);
        return out;
    } else {
        out.var = var(node);
        return out;
    }
    out.var = makePointer(out.buffer->name, out.buffer->dtype, out.buffer->scope);
    return out;
}

PrimFunc GraphReader::function(std::size_t node) {
    auto* out = new PrimFuncNode();
    const PrimFunc result(out);
    std::unordered_map<std::size_t, std::size_t> buffers;
    if (const auto map = graph_.child(node, "buffer_map")) {
        for (const JsonGraph::Entry& entry : graph_.entries(*map)) {
            if (entry.keyNode)
                buffers.emplace(*entry.keyNode, entry.value);
        }
    }
    if (const auto attrs = graph_.child(node, "attrs")) {
        const AttrValue value = attr(*attrs);
        if (const AttrValue::Dict* dict = value.asDict()) {
            for (const auto& [key, item] : *dict)
                out->attrs.set(newestKey(key), item);
        }
    }
    for (const std::size_t item : graph_.items(graph_.need(node, "params")))
        out->params.push_back(param(item, buffers));
    if (const auto returned = graph_.child(node, "ret_type"))
        out->returnType = typeObject(*returned);
    out->body = stmt(graph_.need(node, "body"));
    // Every function of an old era follows the rules that the newest one marks.
    const bool isOld = graph_.isLegacy() || graph_.typeKey(node).starts_with("tir.");
    const bool isMarked = out->attrs.contains("s_tir");
    if (isOld || (!graph_.isEraD() && !isMarked))
        out->attrs.set("s_tir", true);
    return result;
}

Module GraphReader::readModule() {
    const std::size_t root = graph_.root();
    Module module;
    if (graph_.kind(root) == "PrimFunc") {
        const PrimFunc only = function(root);
        const AttrValue* symbol = only->attrs.find("global_symbol");
        module.set(symbol && symbol->asString() ? *symbol->asString() : "main", only);
        return module;
    }
    if (graph_.kind(root) != "IRModule")
        graph_.fail(root, "expected a module");
    for (const JsonGraph::Entry& entry : graph_.entries(graph_.need(root, "functions"))) {
        const std::string name =
            entry.keyNode ? graph_.string(*entry.keyNode, "name_hint") : entry.key;
        if (graph_.kind(entry.value) != "PrimFunc")
            graph_.fail(entry.value, "only functions of TensorIR are supported");
        module.set(name, function(entry.value));
    }
    if (const auto attrs = graph_.child(root, "attrs")) {
        const AttrValue value = attr(*attrs);
        if (const AttrValue::Dict* dict = value.asDict()) {
            for (const auto& [key, item] : *dict)
                module.attrs.set(key, item);
        }
    }
    return module;
}

IndexMap GraphReader::readIndexMap(std::size_t node) {
    const Depth depth(*this, depth_, node);
    if (graph_.kind(node) != "IndexMap")
        graph_.fail(node, "expected an index map");
    IndexMap map;
    for (const std::size_t item : graph_.items(graph_.need(node, "initial_indices")))
        map.initialIndices.push_back(var(item));
    map.finalIndices = listField(node, "final_indices");
    if (const auto inverse = graph_.child(node, "inverse_index_map"))
        map.inverse = std::make_shared<const IndexMap>(readIndexMap(*inverse));
    return map;
}

namespace {

template <class Fn> auto guarded(Fn&& read) {
    try {
        return read();
    } catch (const base::InternalError& error) {
        throw base::ParseError("tvm-json",
                               base::concat("the graph has no meaning: ", error.what()));
    }
}

} // namespace

Module moduleFromTvmJson(std::string_view json) {
    const JsonGraph graph(json);
    return guarded([&] { return GraphReader(graph).readModule(); });
}

IndexMap indexMapFromTvmJson(std::string_view json) {
    const JsonGraph graph(json);
    return guarded([&] { return GraphReader(graph).readIndexMap(); });
}

} // namespace tilewright::ir
