// SPDX-License-Identifier: Apache-2.0
#include "numeric_constant.h"

#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::graph {

ValueId addNumeric(Graph& graph, const NumericTensor& tensor, const std::string& name) {
    return graph.addConstant(name, std::make_shared<const ConstantTensor>(toConstant(tensor)));
}

ValueId addScalar(Graph& graph, double value, ElementType dtype) {
    NumericTensor scalar({dtype, {}});
    scalar.set(0, value);
    return addNumeric(graph, scalar, base::concat(value));
}

bool isZeros(const Graph& graph, ValueId id) {
    const Value& value = graph.value(id);
    return value.constant != nullptr &&
           std::all_of(value.constant->bytes.begin(), value.constant->bytes.end(),
                       [](std::byte b) { return b == std::byte{0}; });
}

std::optional<double> scalarOf(const Graph& graph, ValueId id) {
    const Value& value = graph.value(id);
    if (value.constant == nullptr || elementCount(value.type.shape) != 1)
        return std::nullopt;
    return toNumeric(*value.constant).real(0);
}

} // namespace tilewright::graph
