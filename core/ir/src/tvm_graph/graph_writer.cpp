// SPDX-License-Identifier: Apache-2.0
// Writing entry points of tvm_json.h and index_map.h; modules, functions and statements.
#include "graph_writer.h"

#include "graph_fields.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/tvm_json.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/dump.h>

#include <cmath>

namespace tilewright::ir {

namespace {

// What the graphs say wrote them.
constexpr const char* kVersion = "0.27.0.post1";

constexpr std::string_view kMarks[] = {"\"@number:Infinity\"", "\"@number:-Infinity\"",
                                       "\"@number:NaN\""};

} // namespace

json::Value realNumber(double value) {
    if (std::isfinite(value))
        return value;
    const std::string_view mark = kMarks[std::isnan(value) ? 2 : value > 0 ? 0 : 1];
    return std::string(mark.substr(1, mark.size() - 2));
}

std::string withRealNumbers(std::string text) {
    for (const std::string_view mark : kMarks) {
        const std::size_t colon = mark.find(':');
        const std::string_view number = mark.substr(colon + 1, mark.size() - colon - 2);
        for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
            text.replace(at, mark.size(), number);
    }
    return text;
}

GraphWriter::Index GraphWriter::add(std::string_view type, json::Value data) {
    json::Object node;
    node.append("type", std::string(type));
    node.append("data", std::move(data));
    nodes_.emplace_back(std::move(node));
    return nodes_.size() - 1;
}

GraphWriter::Index GraphWriter::shared(std::string_view type, json::Value data,
                                       const std::string& key) {
    const std::string full = base::concat(type, "\n", key);
    if (const auto it = shared_.find(full); it != shared_.end())
        return it->second;
    const Index index = add(type, std::move(data));
    shared_.emplace(full, index);
    return index;
}

GraphWriter::Index GraphWriter::none() {
    if (const auto it = shared_.find("None"); it != shared_.end())
        return it->second;
    json::Object node;
    node.append("type", "None");
    nodes_.emplace_back(std::move(node));
    shared_.emplace("None", nodes_.size() - 1);
    return nodes_.size() - 1;
}

GraphWriter::Index GraphWriter::string(std::string_view text) {
    return shared("ffi.String", std::string(text), std::string(text));
}

GraphWriter::Index GraphWriter::boxedInt(std::int64_t value) {
    return shared("int", value, std::to_string(value));
}

GraphWriter::Index GraphWriter::array(const std::vector<Index>& items) {
    json::Array data;
    for (const Index item : items)
        data.emplace_back(item);
    return add("ffi.Array", std::move(data));
}

GraphWriter::Index GraphWriter::missingType() {
    const Index span = none();
    json::Object data;
    data.append("span", span);
    return shared("ir.Type", std::move(data), "");
}

GraphWriter::Index GraphWriter::primType(DataType type) {
    const std::string text = type.isVoid() ? std::string() : toString(type);
    Fields fields(*this);
    fields.set("dtype", text);
    return shared("ir.PrimType", fields.take(), text);
}

GraphWriter::Index GraphWriter::pointerType(DataType element, std::string_view scope) {
    const std::string key =
        base::concat(element.isVoid() ? std::string() : toString(element), "|", scope);
    if (const auto it = shared_.find("ir.PointerType\n" + key); it != shared_.end())
        return it->second;
    Fields fields(*this);
    fields.set("element_type", primType(element));
    fields.set("storage_scope", string(scope.empty() ? "global" : scope));
    return shared("ir.PointerType", fields.take(), key);
}

GraphWriter::Index GraphWriter::attr(const AttrValue& value) {
    if (value.isNull())
        return none();
    if (const bool* flag = value.asBool())
        return shared("bool", *flag, *flag ? "1" : "0");
    if (const std::int64_t* number = value.asInt())
        return boxedInt(*number);
    if (const double* real = value.asFloat())
        return shared("float", realNumber(*real), base::concat(*real));
    if (const std::string* text = value.asString())
        return string(*text);
    if (const Expr* node = value.asExpr())
        return expr(*node);
    if (const AttrValue::List* list = value.asList()) {
        std::vector<Index> items;
        for (const AttrValue& item : *list)
            items.push_back(attr(item));
        return array(items);
    }
    Annotations sorted;
    for (const auto& [key, item] : *value.asDict())
        sorted.set(key, item);
    return annotations(sorted);
}

GraphWriter::Index GraphWriter::annotations(const Annotations& values) {
    json::Array data;
    for (const auto& [key, value] : values) {
        data.emplace_back(string(key));
        data.emplace_back(attr(value));
    }
    return add("ffi.Map", std::move(data));
}

GraphWriter::Index GraphWriter::target(const AttrValue::Dict& dict) {
    std::string kind;
    std::string tag;
    AttrValue keys = AttrValue::List{};
    AttrValue host;
    Annotations rest;
    for (const auto& [key, value] : dict) {
        if (key == "kind" && value.asString())
            kind = *value.asString();
        else if (key == "tag" && value.asString())
            tag = *value.asString();
        else if (key == "keys")
            keys = value;
        else if (key == "host")
            host = value;
        else
            rest.set(key, value);
    }
    json::Object data;
    data.append("kind", shared("target.TargetKind", kind, kind));
    data.append("tag", string(tag));
    data.append("keys", attr(keys));
    data.append("attrs", annotations(rest));
    data.append("host", host.asDict() ? target(*host.asDict()) : none());
    return add("target.Target", std::move(data));
}

GraphWriter::Index GraphWriter::dictAttrs(const Annotations& values) {
    json::Array map;
    for (const auto& [key, value] : values) {
        map.emplace_back(string(key));
        const bool isTarget = key == "target" && value.asDict();
        map.emplace_back(isTarget ? target(*value.asDict()) : attr(value));
    }
    json::Object data;
    data.append("__dict__", add("ffi.Map", std::move(map)));
    return add("ir.DictAttrs", std::move(data));
}

GraphWriter::Index GraphWriter::iterVar(const IterVar& iter) {
    json::Object data;
    data.append("dom", range(iter.dom));
    data.append("var", var(*iter.var));
    data.append("iter_type", static_cast<int>(iter.type));
    data.append("thread_tag", string(""));
    data.append("span", none());
    return add("tirx.IterVar", std::move(data));
}

GraphWriter::Index GraphWriter::threadIter(Index dom, const VarNode* known, std::string_view name,
                                           DataType type, std::string_view tag) {
    json::Object data;
    data.append("dom", dom);
    if (known) {
        data.append("var", var(*known));
    } else {
        Fields fields(*this, primType(type));
        fields.set("name", string(name));
        data.append("var", add("ir.Var", fields.take()));
    }
    data.append("iter_type", static_cast<int>(IterType::ThreadIndex));
    data.append("thread_tag", string(tag));
    data.append("span", none());
    return add("tirx.IterVar", std::move(data));
}

GraphWriter::Index GraphWriter::loop(const ForNode& node) {
    Fields fields(*this);
    fields.set("loop_var", var(*node.loopVar));
    fields.set("min", expr(node.min));
    fields.set("extent", expr(node.extent));
    fields.set("kind", static_cast<int>(node.forKind));
    fields.set("body", stmt(node.body));
    fields.set("thread_binding", node.forKind == ForKind::ThreadBinding
                                     ? threadIter(none(), nullptr, node.threadTag,
                                                  node.loopVar->dtype, node.threadTag)
                                     : none());
    fields.set("annotations", annotations(node.annotations));
    fields.set("step", optionalExpr(node.step));
    return add("tirx.For", fields.take());
}

GraphWriter::Index GraphWriter::block(const BlockNode& node) {
    Fields fields(*this);
    std::vector<Index> items;
    for (const IterVar& iter : node.iterVars)
        items.push_back(iterVar(iter));
    fields.set("iter_vars", array(items));
    fields.set("reads", regions(node.reads));
    fields.set("writes", regions(node.writes));
    fields.set("name_hint", string(node.name));
    items.clear();
    for (const Buffer& item : node.allocBuffers)
        items.push_back(buffer(*item));
    fields.set("alloc_buffers", array(items));
    items.clear();
    for (const MatchBufferRegion& match : node.matchBuffers) {
        json::Object data;
        data.append("buffer", buffer(*match.buffer));
        data.append("source", region(match.source.buffer, match.source.region));
        items.push_back(add("s_tir.MatchBufferRegion", std::move(data)));
    }
    fields.set("match_buffers", array(items));
    fields.set("annotations", annotations(node.annotations));
    fields.set("init", optionalStmt(node.init));
    fields.set("body", stmt(node.body));
    return add("s_tir.SBlock", fields.take());
}

GraphWriter::Index GraphWriter::attrStmt(const AttrStmtNode& node) {
    Fields fields(*this);
    const AttrValue::List* list = node.node.asList();
    const bool isThread = list && list->size() == 2 && list->front().asExpr() &&
                          as<VarNode>(*list->front().asExpr()) && list->back().asString();
    if (isThread) {
        json::Object dom;
        dom.append("min", expr(makeInt(0, node.value->dtype)));
        dom.append("extent", expr(node.value));
        dom.append("span", none());
        const Index domIndex = add("ir.Range", std::move(dom));
        const auto* threadVar = as<VarNode>(*list->front().asExpr());
        fields.set("node", threadIter(domIndex, threadVar, threadVar->name, threadVar->dtype,
                                      *list->back().asString()));
    } else {
        fields.set("node", attr(node.node));
    }
    fields.set("attr_key", string(node.key));
    fields.set("value", expr(node.value));
    fields.set("body", stmt(node.body));
    return add("tirx.AttrStmt", fields.take());
}

GraphWriter::Index GraphWriter::optionalStmt(const Stmt& node) {
    return node ? stmt(node) : none();
}

GraphWriter::Index GraphWriter::stmt(const Stmt& node) {
    Fields fields(*this);
    switch (node->kind()) {
    case NodeKind::For:
        return loop(*as<ForNode>(node));
    case NodeKind::Block:
        return block(*as<BlockNode>(node));
    case NodeKind::AttrStmt:
        return attrStmt(*as<AttrStmtNode>(node));
    case NodeKind::BlockRealize: {
        const auto* realize = as<BlockRealizeNode>(node);
        fields.set("iter_values", exprList(realize->iterValues));
        fields.set("predicate", expr(realize->predicate));
        fields.set("block", block(*realize->block));
        return add("s_tir.SBlockRealize", fields.take());
    }
    case NodeKind::SeqStmt: {
        std::vector<Index> items;
        for (const Stmt& item : as<SeqStmtNode>(node)->seq)
            items.push_back(stmt(item));
        fields.set("seq", array(items));
        return add("tirx.SeqStmt", fields.take());
    }
    case NodeKind::BufferStore: {
        const auto* store = as<BufferStoreNode>(node);
        fields.set("buffer", buffer(*store->buffer));
        fields.set("value", expr(store->value));
        fields.set("indices", exprList(store->indices));
        return add("tirx.BufferStore", fields.take());
    }
    case NodeKind::IfThenElse: {
        const auto* branch = as<IfThenElseNode>(node);
        fields.set("condition", expr(branch->condition));
        fields.set("then_case", stmt(branch->thenCase));
        fields.set("else_case", optionalStmt(branch->elseCase));
        return add("tirx.IfThenElse", fields.take());
    }
    case NodeKind::While:
        fields.set("condition", expr(as<WhileNode>(node)->condition));
        fields.set("body", stmt(as<WhileNode>(node)->body));
        return add("tirx.While", fields.take());
    case NodeKind::Evaluate:
        fields.set("value", expr(as<EvaluateNode>(node)->value));
        return add("tirx.Evaluate", fields.take());
    case NodeKind::AssertStmt: {
        const auto* assertion = as<AssertStmtNode>(node);
        fields.set("condition", expr(assertion->condition));
        fields.set("error_kind", expr(makeString(assertion->errorKind)));
        std::vector<Index> parts;
        for (const std::string& part : assertion->messageParts)
            parts.push_back(expr(makeString(part)));
        fields.set("message_parts", array(parts));
        return add("tirx.AssertStmt", fields.take());
    }
    case NodeKind::Bind:
        fields.set("var", var(*as<BindNode>(node)->var));
        fields.set("value", expr(as<BindNode>(node)->value));
        return add("tirx.Bind", fields.take());
    case NodeKind::AllocBuffer:
        fields.set("buffer", buffer(*as<AllocBufferNode>(node)->buffer));
        fields.set("annotations", annotations(as<AllocBufferNode>(node)->annotations));
        return add("tirx.AllocBuffer", fields.take());
    case NodeKind::DeclBuffer:
        fields.set("buffer", buffer(*as<DeclBufferNode>(node)->buffer));
        fields.set("data", optionalExpr(as<DeclBufferNode>(node)->data));
        return add("tirx.DeclBuffer", fields.take());
    case NodeKind::Return:
        fields.set("value", optionalExpr(as<ReturnNode>(node)->value));
        return add("tirx.Return", fields.take());
    case NodeKind::Break:
        return add("tirx.Break", fields.take());
    case NodeKind::Continue:
        return add("tirx.Continue", fields.take());
    default:
        TW_CHECK(false) << "no statement";
    }
    return 0;
}

/// The type of a function; readers compute it anew, so the result stands alone.
GraphWriter::Index GraphWriter::signature(const PrimFuncNode&) {
    return missingType();
}

GraphWriter::Index GraphWriter::function(const PrimFunc& function) {
    json::Object data;
    data.append("span", none());
    data.append("ty", signature(*function));
    data.append("attrs", dictAttrs(function->attrs));
    std::vector<Index> params;
    for (const Param& param : function->params)
        params.push_back(param.buffer ? buffer(*param.buffer) : var(*param.var));
    data.append("params", array(params));
    if (function->returnType.isVoid()) {
        Fields tuple(*this);
        tuple.set("fields", array({}));
        data.append("ret_type", add("ir.TupleType", tuple.take()));
    } else {
        data.append("ret_type", primType(function->returnType));
    }
    data.append("body", stmt(function->body));
    return add("tirx.PrimFunc", std::move(data));
}

GraphWriter::Index GraphWriter::globalVar(const std::string& name) {
    const std::string key = "ir.GlobalVar\n" + name;
    if (const auto it = shared_.find(key); it != shared_.end())
        return it->second;
    Fields fields(*this, missingType());
    fields.set("name_hint", string(name));
    return shared("ir.GlobalVar", fields.take(), name);
}

GraphWriter::Index GraphWriter::module(const Module& module) {
    none();
    json::Object data;
    json::Array functions;
    for (const auto& [name, item] : module.functions()) {
        const Index global = globalVar(name);
        functions.emplace_back(global);
        functions.emplace_back(function(item));
    }
    data.append("functions", add("ffi.Map", std::move(functions)));
    json::Array names;
    for (const auto& [name, item] : module.functions()) {
        names.emplace_back(string(name));
        names.emplace_back(globalVar(name));
    }
    data.append("global_var_map_", add("ffi.Map", std::move(names)));
    json::Object sources;
    sources.append("source_map", add("ffi.Map", json::Array()));
    data.append("source_map", add("ir.SourceMap", std::move(sources)));
    data.append("attrs", dictAttrs(module.attrs));
    data.append("global_infos", add("ffi.Map", json::Array()));
    return add("ir.IRModule", std::move(data));
}

GraphWriter::Index GraphWriter::indexMap(const IndexMap& map) {
    none();
    json::Object data;
    std::vector<Index> initial;
    for (const Var& item : map.initialIndices)
        initial.push_back(var(*item));
    data.append("initial_indices", array(initial));
    data.append("final_indices", exprList(map.finalIndices));
    data.append("inverse_index_map", map.inverse ? indexMap(*map.inverse) : none());
    return add("tirx.IndexMap", std::move(data));
}

json::Value GraphWriter::finish(std::size_t root) {
    json::Object metadata;
    metadata.append("tvm_version", kVersion);
    json::Object document;
    document.append("root_index", root);
    document.append("nodes", std::move(nodes_));
    document.append("metadata", std::move(metadata));
    return document;
}

std::string moduleToTvmJson(const Module& module, TvmJsonEra era) {
    if (era == TvmJsonEra::Legacy)
        throw base::UserError("tvm-json",
                              "modules are written in the format of TVM 0.22 and newer only");
    GraphWriter writer;
    const std::size_t root = writer.module(module);
    return withRealNumbers(json::dump(writer.finish(root), json::Style::Compact));
}

std::string indexMapToTvmJson(const IndexMap& map, JsonLayout layout) {
    GraphWriter writer;
    const std::size_t root = writer.indexMap(map);
    const bool isCompact = layout == JsonLayout::Compact;
    return withRealNumbers(
        json::dump(writer.finish(root), isCompact ? json::Style::Compact : json::Style::Pretty));
}

} // namespace tilewright::ir
