// SPDX-License-Identifier: Apache-2.0
#include <tilewright/onnx/import_model.h>

#include "graph_builder.h"
#include "input_shapes.h"
#include "model_file.h"

#include <onnx/shape_inference/implementation.h>

namespace tilewright::onnx {

namespace {

/// Lets the ONNX library infer what follows an operator that we do not know.
void addOnnxShapes(::onnx::ModelProto& model,
                   const std::map<std::string, graph::TensorType>& inputs) {
    for (auto& input : *model.mutable_graph()->mutable_input()) {
        const auto type = inputs.find(input.name());
        if (type == inputs.end())
            continue;
        auto* shape = input.mutable_type()->mutable_tensor_type()->mutable_shape();
        shape->clear_dim();
        for (const auto extent : type->second.shape)
            shape->add_dim()->set_dim_value(extent);
    }
    try {
        ::onnx::shape_inference::InferShapes(model);
    } catch (const std::exception&) {
        // Only hints are lost: what depends on the operator is skipped with it.
    }
}

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
    if (lacksShapes(report.graph)) {
        addOnnxShapes(model, inputs);
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
