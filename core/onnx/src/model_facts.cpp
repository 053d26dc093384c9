// SPDX-License-Identifier: Apache-2.0
#include <tilewright/onnx/model_facts.h>

#include "model_file.h"
#include "tensor_reader.h"

#include <tilewright/base/concat.h>

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::onnx {

namespace {

bool isOnnxDomain(const std::string& domain) {
    return domain.empty() || domain == "ai.onnx";
}

DeclaredTensor declared(const ::onnx::ValueInfoProto& info) {
    DeclaredTensor tensor;
    tensor.name = info.name();
    tensor.dtype = "?";
    tensor.ranked = false;
    if (!info.type().has_tensor_type())
        return tensor;
    const auto& type = info.type().tensor_type();
    if (const auto element = elementTypeOf(type.elem_type()))
        tensor.dtype = graph::toString(*element);
    tensor.ranked = type.has_shape();
    for (const auto& dim : type.shape().dim()) {
        DeclaredDim& added = tensor.dims.emplace_back();
        if (dim.has_dim_value() && dim.dim_value() > 0)
            added.extent = dim.dim_value();
        added.symbol = dim.dim_param();
    }
    return tensor;
}

void countWeights(const ::onnx::GraphProto& graph, ModelFacts& facts) {
    for (const auto& tensor : graph.initializer()) {
        std::int64_t elements = 1;
        for (const std::int64_t dim : tensor.dims())
            elements *= dim;
        facts.parameters += elements;
        const auto element = elementTypeOf(tensor.data_type());
        if (element)
            facts.weightBytes +=
                static_cast<std::int64_t>(graph::byteSize(graph::TensorType{*element, {elements}}));
    }
}

} // namespace

bool DeclaredTensor::isFixed() const {
    return ranked &&
           std::all_of(dims.begin(), dims.end(), [](const DeclaredDim& d) { return d.extent > 0; });
}

std::string DeclaredTensor::shapeText() const {
    if (!ranked)
        return "?";
    std::vector<std::string> words;
    for (const DeclaredDim& dim : dims)
        words.push_back(dim.extent > 0       ? base::concat(dim.extent)
                        : dim.symbol.empty() ? "?"
                                             : dim.symbol);
    return base::join(words, ", ");
}

ModelFacts readModelFacts(const std::string& path) {
    const ::onnx::ModelProto model = parseModel(readModelFile(path), path);
    ModelFacts facts;
    facts.graphName = model.graph().name();
    facts.producer = model.producer_name();
    if (!model.producer_version().empty())
        facts.producer += " " + model.producer_version();
    facts.irVersion = static_cast<int>(model.ir_version());
    std::map<std::string, int> opsets;
    for (const auto& set : model.opset_import())
        opsets[isOnnxDomain(set.domain()) ? std::string() : set.domain()] =
            static_cast<int>(set.version());
    facts.opset = opsets[std::string()];
    std::set<std::string> weights;
    for (const auto& tensor : model.graph().initializer())
        weights.insert(tensor.name());
    for (const auto& input : model.graph().input())
        if (!weights.contains(input.name()))
            facts.inputs.push_back(declared(input));
    for (const auto& output : model.graph().output())
        facts.outputs.push_back(declared(output));
    for (const auto& node : model.graph().node()) {
        DeclaredNode& added = facts.nodes.emplace_back();
        added.name = !node.name().empty()     ? node.name()
                     : node.output_size() > 0 ? node.output(0)
                                              : node.op_type();
        const bool own = isOnnxDomain(node.domain());
        added.op = own ? node.op_type() : base::concat(node.domain(), ".", node.op_type());
        added.opset = opsets[own ? std::string() : node.domain()];
    }
    countWeights(model.graph(), facts);
    return facts;
}

} // namespace tilewright::onnx
