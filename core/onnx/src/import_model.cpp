// SPDX-License-Identifier: Apache-2.0
#include <tilewright/onnx/import_model.h>

#include "foreign_shapes.h"
#include "graph_builder.h"
#include "input_shapes.h"
#include "model_file.h"

namespace tilewright::onnx {

namespace {

bool lacksShapes(const graph::Graph& graph) {
    for (const auto& node : graph.nodes())
        for (const auto id : node.outputs)
            if (!node.unsupported.empty() && id.valid() && !graph.value(id).known)
                return true;
    return false;
}

} // namespace

ImportReport importModelBytes(std::string_view bytes, const std::string& path,
                              const ImportOptions& options) {
    ::onnx::ModelProto model = parseModel(bytes, path);
    const auto inputs = inputTypes(model.graph(), path, options);
    ImportReport report;
    report.graph = buildGraph(model, path, inputs, report.warnings);
    graph::inferTypes(report.graph);
    // Each round knows more of what stands behind the operators that we have no rules for.
    while (lacksShapes(report.graph) && addForeignShapes(model, report.graph)) {
        report.warnings.clear();
        report.graph = buildGraph(model, path, inputs, report.warnings);
        graph::inferTypes(report.graph);
    }
    report.skipped = graph::skippedNodes(report.graph);
    return report;
}

ImportReport importModel(const std::string& path, const ImportOptions& options) {
    return importModelBytes(readModelFile(path), path, options);
}

} // namespace tilewright::onnx
