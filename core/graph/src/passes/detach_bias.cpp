// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/passes.h>

#include "../node_appender.h"
#include "../numeric_constant.h"

namespace tilewright::graph {

void detachBias(Graph& graph) {
    NodeAppender out(graph);
    auto nodes = std::move(graph.nodes());
    std::vector<std::pair<ValueId, ValueId>> replaced;
    for (Node& node : nodes) {
        for (const auto& [from, to] : replaced)
            for (ValueId& id : node.inputs)
                if (id == from)
                    id = to;
        const bool convolution = node.op == "Conv" || node.op == "ConvTranspose";
        if (!convolution || node.inputs.size() < 3 || !node.unsupported.empty()) {
            out.keep(std::move(node));
            continue;
        }
        const ValueId bias = node.inputs[2];
        node.inputs.resize(2);
        const ValueId sum = node.outputs[0];
        const ValueId product = out.append(node.op, node.inputs, node.attributes, node.name);
        if (isZeros(graph, bias)) {
            replaced.emplace_back(sum, product);
            continue;
        }
        Dims shape(graph.value(product).type.shape.size(), 1);
        shape[1] = elementCount(graph.value(bias).type.shape);
        Attributes reshape;
        reshape.set("shape", shape);
        const ValueId spread = out.append("Reshape", {bias}, reshape, node.name + "_bias");
        Node add;
        add.op = "Add";
        add.name = node.name;
        add.inputs = {product, spread};
        add.outputs = {sum};
        out.keep(std::move(add));
    }
    for (const auto& [from, to] : replaced)
        for (ValueId& id : graph.outputs)
            if (id == from)
                id = to;
    out.finish();
}

} // namespace tilewright::graph
