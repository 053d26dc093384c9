// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "op_context.h"

#include <tilewright/graph/pattern_kind.h>

#include <map>
#include <string_view>

namespace tilewright::graph {

/// Types of the outputs from operands and attributes; throws UserError.
using InferRule = std::vector<TensorType> (*)(const OpContext&);
/// Values of the outputs; the types are those that the inference rule gave.
using EvaluateRule = std::vector<NumericTensor> (*)(const OpContext&,
                                                    const std::vector<TensorType>&);

/// What the graph knows about one operator.
struct OpDefinition {
    PatternKind kind = PatternKind::Opaque;
    InferRule infer = nullptr;
    EvaluateRule evaluate = nullptr;
};

using OpTable = std::map<std::string, OpDefinition, std::less<>>;

/// Definition of an operator by ONNX name, or null.
const OpDefinition* findOp(std::string_view name);

// One function a family of operators; each adds its rows. See ADDING.md.
void addElementwiseOps(OpTable& table);
void addBroadcastOps(OpTable& table);
void addReshapeOps(OpTable& table);
void addDataMovementOps(OpTable& table);
void addGeneratorOps(OpTable& table);
void addReductionOps(OpTable& table);
void addConvolutionOps(OpTable& table);
void addPoolingOps(OpTable& table);
void addMatmulOps(OpTable& table);
void addNormalizationOps(OpTable& table);
void addResizeOps(OpTable& table);

} // namespace tilewright::graph
