// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <tilewright/graph/constant_tensor.h>

#include <optional>
#include <string>

namespace tilewright::onnx {

/// Our element type for ONNX's number; nothing for strings, complex numbers and newer types.
std::optional<graph::ElementType> elementTypeOf(int onnxType);

/// Reads tensors of one model; external data are files beside it.
class TensorReader {
public:
    explicit TensorReader(std::string modelPath) : modelPath_(std::move(modelPath)) {}
    /// Throws UserError kind `not-a-model` when the tensor is damaged, null when its element
    /// type is not supported.
    [[nodiscard]] graph::ConstantPtr read(const ::onnx::TensorProto& tensor) const;

private:
    [[nodiscard]] std::string externalBytes(const ::onnx::TensorProto& tensor,
                                            std::size_t wanted) const;
    [[noreturn]] void fail(const ::onnx::TensorProto& tensor, const std::string& why) const;

    std::string modelPath_;
};

} // namespace tilewright::onnx
