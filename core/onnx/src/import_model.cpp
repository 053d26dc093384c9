// SPDX-License-Identifier: Apache-2.0
#include <tilewright/onnx/import_model.h>

#include "graph_builder.h"
#include "input_shapes.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <filesystem>
#include <fstream>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <limits>
#include <onnx/shape_inference/implementation.h>

namespace tilewright::onnx {

namespace {

[[noreturn]] void fail(const char* kind, const std::string& path, const std::string& why) {
    throw base::UserError(kind, base::concat(path, ": ", why));
}

::onnx::ModelProto parse(std::string_view bytes, const std::string& path) {
    if (bytes.empty())
        fail("not-a-model", path, "the file is empty; an ONNX model is wanted");
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        fail("not-a-model", path,
             base::concat("the file has ", bytes.size(),
                          " bytes; over 2 GiB the weights have to be external data files"));
    const google::protobuf::LogSilencer quiet;
    google::protobuf::io::ArrayInputStream array(bytes.data(), static_cast<int>(bytes.size()));
    google::protobuf::io::CodedInputStream stream(&array);
    stream.SetTotalBytesLimit(std::numeric_limits<int>::max());
    ::onnx::ModelProto model;
    if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
        fail("not-a-model", path, "this is no ONNX model, or it is truncated");
    if (!model.has_graph() || model.opset_import_size() == 0 || model.graph().output_size() == 0)
        fail("not-a-model", path, "this is no ONNX model: it has no graph, operator set or output");
    return model;
}

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
    ::onnx::ModelProto model = parse(bytes, path);
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
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        fail("unreadable-file", path, "no such file");
    if (!std::filesystem::is_regular_file(status))
        fail("unreadable-file", path, "this is no regular file; an ONNX model is wanted");
    const auto size = std::filesystem::file_size(path, error);
    if (!error && size > static_cast<std::uintmax_t>(std::numeric_limits<int>::max()))
        fail("not-a-model", path,
             base::concat("the file has ", size,
                          " bytes; over 2 GiB the weights have to be external data files"));
    std::ifstream file(path, std::ios::binary);
    std::string bytes;
    if (file && !error) {
        bytes.resize(size);
        file.read(bytes.data(), static_cast<std::streamsize>(size));
    }
    if (error || !file)
        fail("unreadable-file", path, "the file cannot be read");
    return importModelBytes(bytes, path, options);
}

} // namespace tilewright::onnx
