// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/graph.h>
#include <tilewright/graph/infer_types.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::onnx {

/// What the user says about a model.
struct ImportOptions {
    /// Shapes of inputs by name; they bind the symbolic dimensions.
    std::map<std::string, graph::Dims> shapes;
};

/// A model that was read: types inferred, constant parts folded.
struct ImportReport {
    graph::Graph graph;
    std::vector<std::string> warnings;
    std::vector<graph::SkippedNode> skipped; ///< nodes that cannot be compiled, with reasons
};

/// Reads an ONNX file; external weights are looked for beside it. Throws UserError whose message
/// begins with the path, of kind
/// - `unreadable-file` when it is missing, a folder, or cannot be read,
/// - `not-a-model` when it is empty, truncated, or not an ONNX model,
/// - `missing-shape` when a dimension of an input is not fixed and not given,
/// - `shape-mismatch` when a given shape contradicts the model or names no input.
ImportReport importModel(const std::string& path, const ImportOptions& options = {});

/// The same for bytes in memory; `path` names them in messages and locates external weights.
ImportReport importModelBytes(std::string_view bytes, const std::string& path,
                              const ImportOptions& options = {});

} // namespace tilewright::onnx
