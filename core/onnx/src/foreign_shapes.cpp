// SPDX-License-Identifier: Apache-2.0
#include "foreign_shapes.h"

#include "tensor_reader.h"

#include <tilewright/base/concat.h>

#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <set>

namespace tilewright::onnx {

namespace {

/// ONNX's number of an element type of ours.
int onnxTypeOf(graph::ElementType type) {
    for (int number = 1; number <= ::onnx::TensorProto::BFLOAT16; ++number)
        if (elementTypeOf(number) == type)
            return number;
    return ::onnx::TensorProto::UNDEFINED;
}

bool isForeign(const graph::Node& node) {
    return node.unsupported == base::concat("operator ", node.op, " is not supported");
}

bool isComplete(const ::onnx::ValueInfoProto& info) {
    const auto& type = info.type().tensor_type();
    return type.has_shape() && std::all_of(type.shape().dim().begin(), type.shape().dim().end(),
                                           [](const auto& dim) { return dim.has_dim_value(); });
}

/// A model of the foreign nodes alone, and the types of what they read.
class ForeignPart {
public:
    ForeignPart(const ::onnx::ModelProto& model, const graph::Graph& graph) {
        part_.set_ir_version(model.ir_version());
        *part_.mutable_opset_import() = model.opset_import();
        part_.mutable_graph()->set_name(model.graph().name());
        std::set<std::string> outputs;
        for (const graph::Node& node : graph.nodes()) {
            if (!isForeign(node))
                continue;
            for (const auto id : node.outputs)
                if (id.valid())
                    outputs.insert(graph.value(id).name);
            for (const auto id : node.inputs)
                if (id.valid() && graph.value(id).known)
                    addType(graph.value(id));
        }
        for (const auto& node : model.graph().node())
            if (node.output_size() > 0 && outputs.contains(node.output(0)))
                *part_.mutable_graph()->add_node() = node;
        for (const auto& tensor : model.graph().initializer())
            if (typed_.contains(tensor.name()))
                *part_.mutable_graph()->add_initializer() = tensor;
    }

    ::onnx::ModelProto& model() { return part_; }

private:
    void addType(const graph::Value& value) {
        if (!typed_.insert(value.name).second)
            return;
        auto* input = part_.mutable_graph()->add_input();
        input->set_name(value.name);
        auto* type = input->mutable_type()->mutable_tensor_type();
        type->set_elem_type(onnxTypeOf(value.type.dtype));
        auto* shape = type->mutable_shape(); // present also without dimensions
        for (const auto extent : value.type.shape)
            shape->add_dim()->set_dim_value(extent);
    }

    std::set<std::string> typed_;
    ::onnx::ModelProto part_;
};

} // namespace

bool addForeignShapes(::onnx::ModelProto& model, const graph::Graph& graph) {
    ForeignPart part(model, graph);
    try {
        ::onnx::shape_inference::InferShapes(part.model());
    } catch (const std::exception&) {
        // Only hints are lost: what depends on the operators is skipped with them.
    }
    std::set<std::string> noted;
    for (const auto& info : model.graph().value_info())
        if (isComplete(info))
            noted.insert(info.name());
    bool found = false;
    for (const auto& info : part.model().graph().value_info())
        if (isComplete(info) && noted.insert(info.name()).second) {
            *model.mutable_graph()->add_value_info() = info;
            found = true;
        }
    return found;
}

} // namespace tilewright::onnx
