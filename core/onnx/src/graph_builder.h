// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <tilewright/graph/graph.h>

#include <map>
#include <string>
#include <vector>

namespace tilewright::onnx {

/// Makes our graph of a parsed model; the inputs' types are bound already. Types that the model
/// states for intermediate values are kept as hints for operators that we cannot infer.
graph::Graph buildGraph(const ::onnx::ModelProto& model, const std::string& path,
                        const std::map<std::string, graph::TensorType>& inputs,
                        std::vector<std::string>& warnings);

} // namespace tilewright::onnx
