// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <tilewright/graph/graph.h>

namespace tilewright::onnx {

/// Lets the ONNX library infer the types of what operators give that we have no rules for, and
/// notes them as value_info of the model. It sees only those operators, between values whose types
/// we know: it does not check what it reads, and a malformed node would end the process.
/// False when nothing new was found.
bool addForeignShapes(::onnx::ModelProto& model, const graph::Graph& graph);

} // namespace tilewright::onnx
