// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/graph.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::graph {

ValueId Graph::addValue(Value value) {
    values_.push_back(std::move(value));
    return ValueId(static_cast<std::int32_t>(values_.size() - 1));
}

ValueId Graph::addTyped(std::string valueName, TensorType type) {
    return addValue({std::move(valueName), std::move(type), true, nullptr});
}

ValueId Graph::addConstant(std::string valueName, ConstantPtr tensor) {
    TW_CHECK(tensor != nullptr);
    TensorType type = tensor->type;
    return addValue({std::move(valueName), std::move(type), true, std::move(tensor)});
}

NodeId Graph::addNode(Node node) {
    nodes_.push_back(std::move(node));
    return NodeId(static_cast<std::int32_t>(nodes_.size() - 1));
}

const Value& Graph::value(ValueId id) const {
    TW_CHECK(id.valid() && static_cast<std::size_t>(id.value) < values_.size());
    return values_[static_cast<std::size_t>(id.value)];
}

Value& Graph::value(ValueId id) {
    TW_CHECK(id.valid() && static_cast<std::size_t>(id.value) < values_.size());
    return values_[static_cast<std::size_t>(id.value)];
}

std::vector<int> Graph::producers() const {
    std::vector<int> result(values_.size(), -1);
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        for (const ValueId out : nodes_[n].outputs)
            if (out.valid())
                result[static_cast<std::size_t>(out.value)] = static_cast<int>(n);
    return result;
}

std::vector<std::vector<int>> Graph::readers() const {
    std::vector<std::vector<int>> result(values_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        for (const ValueId in : nodes_[n].inputs) {
            if (!in.valid())
                continue;
            auto& list = result[static_cast<std::size_t>(in.value)];
            if (list.empty() || list.back() != static_cast<int>(n))
                list.push_back(static_cast<int>(n));
        }
    return result;
}

bool Graph::isOutput(ValueId id) const {
    return std::find(outputs.begin(), outputs.end(), id) != outputs.end();
}

void Graph::replaceUses(ValueId from, ValueId to) {
    for (Node& node : nodes_)
        std::replace(node.inputs.begin(), node.inputs.end(), from, to);
    std::replace(outputs.begin(), outputs.end(), from, to);
}

namespace {

std::string describe(const Graph& graph, ValueId id) {
    if (!id.valid())
        return "_";
    const Value& value = graph.value(id);
    std::string text = base::concat(value.constant ? "$" : "%", id.value);
    return value.known ? base::concat(text, ":", toString(value.type)) : text;
}

std::string describe(const AttributeValue& value) {
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return base::concat(*i);
    if (const auto* d = std::get_if<double>(&value))
        return base::concat(*d);
    if (const auto* s = std::get_if<std::string>(&value))
        return base::concat('"', *s, '"');
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value))
        return base::concat("[", base::join(*list, ", "), "]");
    if (const auto* list = std::get_if<std::vector<double>>(&value))
        return base::concat("[", base::join(*list, ", "), "]");
    if (const auto* tensor = std::get_if<ConstantPtr>(&value))
        return *tensor ? toString((*tensor)->type) : std::string("none");
    return "[…]";
}

} // namespace

std::string toString(const Graph& graph) {
    std::string text = base::concat("graph ", graph.name, "\n");
    for (const ValueId id : graph.inputs)
        text += base::concat("  input ", graph.value(id).name, " = ", describe(graph, id), "\n");
    for (const Node& node : graph.nodes()) {
        std::vector<std::string> outs;
        std::vector<std::string> ins;
        for (const ValueId id : node.outputs)
            outs.push_back(describe(graph, id));
        for (const ValueId id : node.inputs)
            ins.push_back(describe(graph, id));
        text += base::concat("  ", base::join(outs, ", "), " = ", node.op, "(",
                             base::join(ins, ", "), ")");
        for (const auto& [key, value] : node.attributes.all())
            text += base::concat(" ", key, "=", describe(value));
        if (!node.unsupported.empty())
            text += base::concat("  # unsupported: ", node.unsupported);
        text += "\n";
    }
    for (std::size_t i = 0; i < graph.outputs.size(); ++i)
        text += base::concat("  output ", graph.outputNames.size() > i ? graph.outputNames[i] : "",
                             " = ", describe(graph, graph.outputs[i]), "\n");
    return text;
}

} // namespace tilewright::graph
