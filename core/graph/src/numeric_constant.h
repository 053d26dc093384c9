// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/graph.h>
#include <tilewright/graph/numeric_tensor.h>

#include <optional>

namespace tilewright::graph {

/// Adds a constant from numbers.
ValueId addNumeric(Graph& graph, const NumericTensor& tensor, const std::string& name);
/// Adds a constant of rank 0.
ValueId addScalar(Graph& graph, double value, ElementType dtype);
/// True for a constant all of whose elements are zero.
bool isZeros(const Graph& graph, ValueId id);
/// The one element of a constant of one element.
std::optional<double> scalarOf(const Graph& graph, ValueId id);

} // namespace tilewright::graph
