// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <tilewright/graph/constant_tensor.h>
#include <tilewright/onnx/import_model.h>

#include <map>
#include <string>

namespace tilewright::onnx {

/// Types of the model's inputs (those without an initializer), with every dimension bound by
/// the file, by the user's shapes, or by a symbol that another input's shape has bound.
/// Throws UserError as importModel documents.
std::map<std::string, graph::TensorType>
inputTypes(const ::onnx::GraphProto& graph, const std::string& path, const ImportOptions& options);

/// `[batch, 3, ?, 320]`.
std::string describeShape(const ::onnx::TensorShapeProto& shape);

} // namespace tilewright::onnx
