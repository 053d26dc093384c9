// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/passes.h>

#include <tilewright/base/concat.h>

#include <algorithm>
#include <set>

namespace tilewright::graph {

void separateOutputs(Graph& graph) {
    const auto producers = graph.producers();
    // The value whose memory a chain of reshapes shows.
    const auto origin = [&](ValueId id) {
        int node = producers[static_cast<std::size_t>(id.value)];
        while (node >= 0 && graph.nodes()[static_cast<std::size_t>(node)].op == "Reshape") {
            id = graph.nodes()[static_cast<std::size_t>(node)].inputs[0];
            node = producers[static_cast<std::size_t>(id.value)];
        }
        return id;
    };
    std::set<ValueId> taken(graph.inputs.begin(), graph.inputs.end());
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
        const ValueId id = graph.outputs[i];
        if (!graph.value(id).known)
            continue;
        const ValueId from = origin(id);
        if (!graph.value(from).constant && taken.insert(from).second)
            continue;
        Node copy;
        copy.op = "Identity";
        copy.name = base::concat("copy_of_", graph.value(id).name);
        copy.inputs = {id};
        copy.outputs = {graph.addTyped(copy.name, graph.value(id).type)};
        graph.outputs[i] = copy.outputs[0];
        graph.addNode(std::move(copy));
    }
}

} // namespace tilewright::graph
