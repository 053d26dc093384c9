// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/evaluate.h>

#include "op_table.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

namespace tilewright::graph {

namespace {

using Environment = std::vector<NumericTensor>;

NumericTensor& slot(Environment& values, ValueId id) {
    return values[static_cast<std::size_t>(id.value)];
}

void evaluateNode(const Graph& graph, const Node& node, Environment& values) {
    const OpDefinition* definition = findOp(node.op);
    if (definition == nullptr || !node.unsupported.empty())
        throw base::UserError(
            "unsupported-operator",
            base::concat("node ", node.name, " (", node.op, ") cannot be run: ", node.unsupported));
    std::vector<Operand> operands(node.inputs.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!node.inputs[i].valid())
            continue;
        const Value& value = graph.value(node.inputs[i]);
        NumericTensor& numeric = slot(values, node.inputs[i]);
        if (numeric.size() == 0 && value.constant)
            numeric = toNumeric(*value.constant);
        operands[i] = {true, numeric.type, value.constant.get(), &numeric};
    }
    const OpContext context(node, std::move(operands));
    auto outs = definition->evaluate(context, definition->infer(context));
    for (std::size_t i = 0; i < outs.size() && i < node.outputs.size(); ++i)
        if (node.outputs[i].valid())
            slot(values, node.outputs[i]) = std::move(outs[i]);
}

} // namespace

std::vector<NumericTensor> evaluateGraph(const Graph& graph,
                                         const std::vector<NumericTensor>& inputs) {
    TW_CHECK(inputs.size() == graph.inputs.size())
        << inputs.size() << " inputs for " << graph.inputs.size();
    Environment values(graph.valueCount());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        TW_CHECK(inputs[i].type == graph.value(graph.inputs[i]).type)
            << toString(inputs[i].type) << " for " << graph.value(graph.inputs[i]).name;
        slot(values, graph.inputs[i]) = inputs[i];
    }
    for (const Node& node : graph.nodes())
        evaluateNode(graph, node, values);
    std::vector<NumericTensor> outs;
    for (const ValueId id : graph.outputs) {
        const Value& value = graph.value(id);
        outs.push_back(value.constant ? toNumeric(*value.constant) : slot(values, id));
    }
    return outs;
}

} // namespace tilewright::graph
