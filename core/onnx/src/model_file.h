// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>

namespace tilewright::onnx {

/// The bytes of a model's file. Throws UserError: `unreadable-file`, `not-a-model` (over 2 GiB).
std::string readModelFile(const std::string& path);

/// Reads a model; `path` names it in messages. Throws UserError `not-a-model`.
::onnx::ModelProto parseModel(std::string_view bytes, const std::string& path);

} // namespace tilewright::onnx
