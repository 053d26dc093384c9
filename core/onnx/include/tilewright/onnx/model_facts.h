// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::onnx {

/// A dimension as a model declares it.
struct DeclaredDim {
    std::int64_t extent = 0; ///< 0 = not fixed
    std::string symbol;      ///< name of one that is not fixed; may be empty
    bool operator==(const DeclaredDim&) const = default;
};

/// An input or output as a model declares it, before any shape is bound.
struct DeclaredTensor {
    std::string name;
    std::string dtype;  ///< `float32`; `?` for a type that is not supported
    bool ranked = true; ///< false: no shape is declared at all
    std::vector<DeclaredDim> dims;
    [[nodiscard]] bool isFixed() const;
    /// `N, 3, 224, 224`; `?` stands for a dimension without a name.
    [[nodiscard]] std::string shapeText() const;
};

/// A node as it stands in the file.
struct DeclaredNode {
    std::string name; ///< its first output's name when it has none
    std::string op;   ///< with the domain in front unless it is ONNX's own
    int opset = 0;    ///< version of the operator set it is from
};

/// What a file says about itself; nothing is inferred or bound.
struct ModelFacts {
    std::string graphName;
    std::string producer; ///< name and version
    int irVersion = 0;
    int opset = 0;                      ///< of ONNX's own operators
    std::vector<DeclaredTensor> inputs; ///< weights left out
    std::vector<DeclaredTensor> outputs;
    std::vector<DeclaredNode> nodes; ///< in the file's order
    std::int64_t parameters = 0;     ///< elements of all weights
    std::int64_t weightBytes = 0;
};

/// Reads a model's facts. Throws UserError: `unreadable-file`, `not-a-model`.
ModelFacts readModelFacts(const std::string& path);

} // namespace tilewright::onnx
