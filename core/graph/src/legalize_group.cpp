// SPDX-License-Identifier: Apache-2.0
#include "legalize_group.h"

#include "legalize/kernel_context.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

namespace tilewright::graph {

LegalizedGroup legalizeGroup(const Graph& graph, const FusedGroup& group) {
    KernelContext kernel(graph, group.anchor);
    for (const int index : group.nodes) {
        const Node& node = graph.nodes()[static_cast<std::size_t>(index)];
        const LegalizeRule rule = findLegalizeRule(node.op);
        if (rule == nullptr)
            throw base::UserError("unsupported-operator",
                                  base::concat("operator ", node.op, " has no kernel"));
        for (const ValueId id : node.outputs)
            if (id.valid() && elementCount(graph.value(id).type.shape) == 0)
                throw base::UserError("unsupported-operator", "its result is empty");
        if (node.outputs.size() != 1)
            throw base::UserError("unsupported-operator",
                                  base::concat("operator ", node.op, " with ", node.outputs.size(),
                                               " results has no kernel"));
        kernel.enter(index);
        kernel.leave(rule(kernel));
    }
    LegalizedGroup result;
    result.output = graph.nodes()[static_cast<std::size_t>(group.nodes.back())].outputs[0];
    result.function = kernel.builder().finish({kernel.result(result.output)});
    result.inputs = kernel.parameters();
    return result;
}

} // namespace tilewright::graph
