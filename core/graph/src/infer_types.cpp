// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/infer_types.h>

#include "node_appender.h"
#include "op_table.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <algorithm>

namespace tilewright::graph {

namespace {

/// A tensor of more elements than this is a broken model, not a constant.
constexpr std::int64_t kLargestTensor = std::int64_t(1) << 33;
/// Folding makes constants of at most this many elements; larger ones are computed at run time.
constexpr std::int64_t kLargestFolded = std::int64_t(1) << 27;

void checkSize(const OpContext& context, const TensorType& type) {
    double count = 1;
    for (const auto extent : type.shape) {
        if (extent < 0)
            context.fail(base::concat("its result would have the shape ", toString(type.shape)));
        count *= static_cast<double>(extent);
    }
    if (count > static_cast<double>(kLargestTensor))
        context.fail(base::concat("its result would have the shape ", toString(type.shape)));
}

bool isFoldable(const Graph& graph, const Node& node) {
    if (node.op == "Shape" || node.op == "Size")
        return true;
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
        return !id.valid() || graph.value(id).constant != nullptr;
    });
}

void fold(Graph& graph, const Node& node, const OpDefinition& definition,
          const std::vector<TensorType>& types) {
    std::vector<NumericTensor> inputs(node.inputs.size());
    std::vector<Operand> operands(node.inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!node.inputs[i].valid())
            continue;
        const Value& value = graph.value(node.inputs[i]);
        if (value.constant)
            inputs[i] = toNumeric(*value.constant);
        operands[i] = {true, value.type, value.constant.get(), &inputs[i]};
    }
    const auto outs = definition.evaluate(OpContext(node, std::move(operands)), types);
    for (std::size_t i = 0; i < outs.size() && i < node.outputs.size(); ++i)
        if (node.outputs[i].valid())
            graph.value(node.outputs[i]).constant =
                std::make_shared<const ConstantTensor>(toConstant(outs[i]));
}

} // namespace

bool inferNode(Graph& graph, Node& node) {
    const OpDefinition* definition = findOp(node.op);
    if (definition == nullptr) {
        node.unsupported = base::concat("operator ", node.op, " is not supported");
        return false;
    }
    try {
        const OpContext context(graph, node);
        const auto types = definition->infer(context);
        for (const TensorType& type : types)
            checkSize(context, type);
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            if (!node.outputs[i].valid())
                continue;
            if (i >= types.size())
                context.fail(base::concat("output ", i, " is not supported"));
            Value& value = graph.value(node.outputs[i]);
            value.type = types[i];
            value.known = true;
        }
        if (!isFoldable(graph, node))
            return false;
        std::int64_t count = 0;
        for (const TensorType& type : types)
            count += elementCount(type.shape);
        if (count > kLargestFolded)
            context.fail("its constant result is too large");
        fold(graph, node, *definition, types);
        return true;
    } catch (const base::UserError& error) {
        node.unsupported = error.diagnostic().message;
        return false;
    }
}

ValueId NodeAppender::append(std::string op, std::vector<ValueId> inputs, Attributes attributes,
                             const std::string& name) {
    Node node;
    node.op = std::move(op);
    node.name = name;
    node.inputs = std::move(inputs);
    node.attributes = std::move(attributes);
    const ValueId result = graph_.addValue({name, {}, false, nullptr});
    node.outputs = {result};
    if (!inferNode(graph_, node)) {
        TW_CHECK(node.unsupported.empty()) << node.op << " made by a pass: " << node.unsupported;
        nodes_.push_back(std::move(node));
    }
    return result;
}

void NodeAppender::finish() {
    graph_.nodes() = std::move(nodes_);
}

void inferTypes(Graph& graph) {
    std::vector<Node> kept;
    auto nodes = std::move(graph.nodes());
    for (Node& node : nodes) {
        // Kept as they are: the reader knows why.
        const bool gone = node.unsupported.empty() && inferNode(graph, node);
        if (!gone)
            kept.push_back(std::move(node));
    }
    graph.nodes() = std::move(kept);
}

std::vector<SkippedNode> skippedNodes(const Graph& graph) {
    std::vector<SkippedNode> skipped;
    for (const Node& node : graph.nodes())
        if (!node.unsupported.empty())
            skipped.push_back({node.name, node.op, node.unsupported});
    return skipped;
}

} // namespace tilewright::graph
