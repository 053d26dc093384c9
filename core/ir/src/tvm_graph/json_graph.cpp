// SPDX-License-Identifier: Apache-2.0
#include "json_graph.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/base64.h>
#include <tilewright/json/parse.h>

#include <charconv>

namespace tilewright::ir {

namespace {

[[noreturn]] void refuse(std::string message) {
    throw base::ParseError("tvm-json", std::move(message));
}

/// A workload's payload has the length in front, 8 bytes.
std::string_view withoutLength(std::string_view text) {
    constexpr std::size_t kPrefix = 8;
    if (text.size() > kPrefix && text[0] != '{' && text[kPrefix] == '{')
        return text.substr(kPrefix);
    return text;
}

std::int64_t parseInteger(std::string_view text) {
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size())
        refuse(base::concat("expected an integer, found \"", text.substr(0, 40), "\""));
    return value;
}

/// Major and minor of `0.27.0.post1`.
std::pair<int, int> versionOf(std::string_view text) {
    int major = 0;
    int minor = 0;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, major);
    if (first.ec == std::errc() && first.ptr != end && *first.ptr == '.')
        std::from_chars(first.ptr + 1, end, minor);
    return {major, minor};
}

} // namespace

JsonGraph::JsonGraph(std::string_view text) {
    json::ParseOptions options;
    options.dialect = json::Dialect::Tvm;
    document_ = json::parse(withoutLength(text), options);
    const json::Value* nodes = document_.find("nodes");
    if (!nodes || !nodes->isArray() || nodes->size() == 0)
        refuse("this is no graph of TVM: it has no \"nodes\"");
    nodes_ = &nodes->asArray();
    const json::Value* legacyRoot = document_.find("root");
    const json::Value* root = legacyRoot ? legacyRoot : document_.find("root_index");
    if (!root || !root->isInteger())
        refuse("this is no graph of TVM: it has neither \"root\" nor \"root_index\"");
    isLegacy_ = legacyRoot != nullptr;
    root_ = checked(root->asInt());
    if (isLegacy_)
        return;
    const json::Value* metadata = document_.find("metadata");
    const json::Value* version = metadata ? metadata->find("tvm_version") : nullptr;
    const auto [major, minor] =
        version && version->isString() ? versionOf(version->asString()) : std::pair(1, 0);
    hasBoxedInts_ = major > 0 || minor >= 27;
    for (std::size_t i = 0; i < nodes_->size() && !isEraD_; ++i) {
        const std::string_view key = typeKey(i);
        isEraD_ = key == "ir.Var" || key == "tirx.BufferType" || key == "ir.Call";
    }
    hasBoxedInts_ = hasBoxedInts_ && isEraD_;
}

void JsonGraph::fail(std::size_t node, std::string message) const {
    refuse(base::concat("node ", node, " (", typeKey(node), "): ", message));
}

std::size_t JsonGraph::checked(std::int64_t node) const {
    if (node < 0 || static_cast<std::size_t>(node) >= nodes_->size())
        refuse(base::concat("there is no node ", node, "; the graph has ", nodes_->size()));
    return static_cast<std::size_t>(node);
}

const json::Value& JsonGraph::at(std::size_t node) const {
    return (*nodes_)[node];
}

std::string_view JsonGraph::typeKey(std::size_t node) const {
    const json::Value* key = at(node).find(isLegacy_ ? "type_key" : "type");
    return key && key->isString() ? std::string_view(key->asString()) : std::string_view();
}

std::string_view JsonGraph::kind(std::size_t node) const {
    std::string_view key = typeKey(node);
    if (const auto dot = key.rfind('.'); dot != std::string_view::npos)
        key.remove_prefix(dot + 1);
    return key;
}

bool JsonGraph::isNull(std::size_t node) const {
    const std::string_view key = typeKey(node);
    return key.empty() || key == "None";
}

const json::Value* JsonGraph::field(std::size_t node, std::string_view name) const {
    const json::Value* fields = at(node).find(isLegacy_ ? "attrs" : "data");
    return fields ? fields->find(name) : nullptr;
}

bool JsonGraph::hasField(std::size_t node, std::string_view name) const {
    return field(node, name) != nullptr;
}

std::optional<std::size_t> JsonGraph::child(std::size_t node, std::string_view name) const {
    const json::Value* value = field(node, name);
    if (!value)
        return std::nullopt;
    std::size_t index = 0;
    if (isLegacy_) {
        if (value->asString() == "null")
            return std::nullopt;
        index = checked(parseInteger(value->asString()));
    } else {
        index = checked(value->asInt());
    }
    if (isNull(index))
        return std::nullopt;
    return index;
}

std::size_t JsonGraph::need(std::size_t node, std::string_view name) const {
    const auto index = child(node, name);
    if (!index)
        fail(node, base::concat("the field ", name, " is missing"));
    return *index;
}

std::int64_t JsonGraph::inlineInt(std::size_t node, std::string_view name,
                                  std::int64_t otherwise) const {
    const json::Value* value = field(node, name);
    if (!value)
        return otherwise;
    if (value->isString())
        return parseInteger(value->asString());
    if (value->isBool())
        return value->asBool() ? 1 : 0;
    if (value->kind() == json::Kind::Uint)
        return static_cast<std::int64_t>(value->asUint());
    return value->asInt();
}

double JsonGraph::inlineFloat(std::size_t node, std::string_view name) const {
    const json::Value* value = field(node, name);
    if (!value)
        fail(node, base::concat("the field ", name, " is missing"));
    if (!value->isString())
        return value->asDouble();
    const std::string& text = value->asString();
    double number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (result.ec != std::errc())
        fail(node, base::concat("expected a number, found \"", text.substr(0, 40), "\""));
    return number;
}

std::string JsonGraph::inlineText(std::size_t node, std::string_view name) const {
    const json::Value* value = field(node, name);
    return value && value->isString() ? value->asString() : std::string();
}

std::vector<std::size_t> JsonGraph::items(std::size_t node) const {
    std::vector<std::size_t> out;
    const std::string_view type = kind(node);
    if (type != "Array" && type != "List")
        fail(node, "expected an array");
    const json::Value* data = at(node).find("data");
    if (!data)
        return out;
    for (const json::Value& item : data->asArray())
        out.push_back(checked(item.asInt()));
    return out;
}

std::vector<JsonGraph::Entry> JsonGraph::entries(std::size_t node) const {
    std::vector<Entry> out;
    const std::string_view type = kind(node);
    if (type != "Map" && type != "Dict" && type != "StrMap")
        fail(node, "expected a map");
    const json::Value* data = at(node).find("data");
    if (!data)
        return out;
    const json::Array& values = data->asArray();
    if (const json::Value* keys = isLegacy_ ? at(node).find("keys") : nullptr) {
        if (keys->size() != values.size())
            fail(node, "there are as many keys as values");
        for (std::size_t i = 0; i < values.size(); ++i)
            out.push_back({keys->at(i).asString(), std::nullopt, checked(values[i].asInt())});
        return out;
    }
    if (values.size() % 2 != 0)
        fail(node, "a map has an even number of items");
    for (std::size_t i = 0; i < values.size(); i += 2) {
        Entry entry;
        const std::size_t key = checked(values[i].asInt());
        entry.value = checked(values[i + 1].asInt());
        if (isString(key))
            entry.key = text(key);
        else
            entry.keyNode = key;
        out.push_back(std::move(entry));
    }
    return out;
}

bool JsonGraph::isString(std::size_t node) const {
    const std::string_view key = typeKey(node);
    return key == "ffi.String" || key == "runtime.String" || key == "ffi.SmallStr";
}

std::string JsonGraph::text(std::size_t node) const {
    if (!isLegacy_) {
        const json::Value* data = at(node).find("data");
        if (!data || !data->isString())
            fail(node, "expected a string");
        return data->asString();
    }
    if (const json::Value* repr = at(node).find("repr_str"))
        return repr->asString();
    if (const json::Value* packed = at(node).find("repr_b64")) {
        const auto bytes = json::decodeBase64(packed->asString());
        if (!bytes || bytes->size() < 8)
            fail(node, "the base64 text is broken");
        return bytes->substr(8);
    }
    return {};
}

std::string JsonGraph::string(std::size_t node, std::string_view name) const {
    const json::Value* value = field(node, name);
    if (!value)
        return {};
    if (!isLegacy_ && value->isString())
        return value->asString();
    const auto index = child(node, name);
    if (!index)
        return {};
    if (kind(*index) == "StringImm")
        return string(*index, "value");
    return text(*index);
}

const json::Value* JsonGraph::payload(std::size_t node) const {
    return at(node).find("data");
}

} // namespace tilewright::ir
