// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/passes.h>

#include <algorithm>

namespace tilewright::graph {

void eliminateDeadCode(Graph& graph) {
    std::vector<bool> live(graph.valueCount(), false);
    const auto mark = [&](ValueId id) {
        if (id.valid())
            live[static_cast<std::size_t>(id.value)] = true;
    };
    for (const ValueId id : graph.outputs)
        mark(id);
    std::vector<Node> kept;
    auto& nodes = graph.nodes();
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
        const bool used = std::any_of(node->outputs.begin(), node->outputs.end(), [&](ValueId id) {
            return id.valid() && live[static_cast<std::size_t>(id.value)];
        });
        if (!used)
            continue;
        for (const ValueId id : node->inputs)
            mark(id);
        kept.push_back(std::move(*node));
    }
    std::reverse(kept.begin(), kept.end());
    nodes = std::move(kept);
}

} // namespace tilewright::graph
