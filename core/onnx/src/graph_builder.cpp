// SPDX-License-Identifier: Apache-2.0
#include "graph_builder.h"

#include "tensor_reader.h"
#include "upgrade_node.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <set>

namespace tilewright::onnx {

namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

class GraphBuilder {
public:
    GraphBuilder(const ::onnx::ModelProto& model, const std::string& path,
                 std::vector<std::string>& warnings)
        : model_(model), path_(path), warnings_(warnings), tensors_(path) {
        for (const auto& set : model.opset_import())
            if (set.domain().empty() || set.domain() == "ai.onnx")
                opset_ = static_cast<int>(set.version());
    }

    Graph build(const std::map<std::string, graph::TensorType>& inputs) {
        const auto& proto = model_.graph();
        graph_.name = proto.name();
        for (const auto& tensor : proto.initializer())
            addInitializer(tensor);
        for (const auto& input : proto.input()) {
            const auto type = inputs.find(input.name());
            if (type == inputs.end() || names_.contains(input.name()))
                continue;
            names_[input.name()] = graph_.addTyped(input.name(), type->second);
            graph_.inputs.push_back(names_[input.name()]);
        }
        for (const auto& info : proto.value_info())
            noteHint(info);
        for (const auto& info : proto.output())
            noteHint(info);
        addNodes();
        for (const auto& output : proto.output()) {
            const auto id = names_.find(output.name());
            if (id == names_.end())
                fail(base::concat("output \"", output.name(), "\" is computed by no node"));
            graph_.outputs.push_back(id->second);
            graph_.outputNames.push_back(output.name());
        }
        return std::move(graph_);
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw base::UserError("not-a-model", base::concat(path_, ": ", why));
    }

    void addInitializer(const ::onnx::TensorProto& tensor) {
        const auto constant = tensors_.read(tensor);
        if (constant) {
            names_[tensor.name()] = graph_.addConstant(tensor.name(), constant);
            return;
        }
        warnings_.push_back(base::concat("tensor ", tensor.name(), " has ONNX element type ",
                                         tensor.data_type(), ", which is not supported"));
        names_[tensor.name()] = graph_.addValue({tensor.name(), {}, false, nullptr});
    }

    void noteHint(const ::onnx::ValueInfoProto& info) {
        if (!info.type().has_tensor_type() || !info.type().tensor_type().has_shape())
            return;
        const auto dtype = elementTypeOf(info.type().tensor_type().elem_type());
        if (!dtype)
            return;
        graph::TensorType type{*dtype, {}};
        for (const auto& dim : info.type().tensor_type().shape().dim()) {
            if (!dim.has_dim_value() || dim.dim_value() < 1)
                return;
            type.shape.push_back(dim.dim_value());
        }
        hints_[info.name()] = type;
    }

    bool isReady(const ::onnx::NodeProto& node) const {
        for (const auto& input : node.input())
            if (!input.empty() && !names_.contains(input))
                return false;
        return true;
    }

    /// Nodes come sorted; files that are not are sorted here.
    void addNodes() {
        std::vector<const ::onnx::NodeProto*> waiting;
        for (const auto& node : model_.graph().node())
            waiting.push_back(&node);
        while (!waiting.empty()) {
            std::vector<const ::onnx::NodeProto*> later;
            for (const auto* node : waiting) {
                if (isReady(*node))
                    addNode(*node);
                else
                    later.push_back(node);
            }
            if (later.size() == waiting.size())
                failUnready(*later.front());
            waiting = std::move(later);
        }
    }

    [[noreturn]] void failUnready(const ::onnx::NodeProto& node) const {
        for (const auto& input : node.input())
            if (!input.empty() && !names_.contains(input))
                fail(base::concat("node ", nameOf(node), " (", node.op_type(), ") reads \"", input,
                                  "\", which nothing before it computes"));
        fail("the graph has a cycle");
    }

    static std::string nameOf(const ::onnx::NodeProto& node) {
        if (!node.name().empty())
            return node.name();
        return node.output_size() > 0 ? node.output(0) : node.op_type();
    }

    void addNode(const ::onnx::NodeProto& proto) {
        Node node;
        node.op = proto.op_type();
        node.name = nameOf(proto);
        for (const auto& input : proto.input())
            node.inputs.push_back(input.empty() ? ValueId() : names_.at(input));
        while (!node.inputs.empty() && !node.inputs.back().valid())
            node.inputs.pop_back();
        for (const auto& output : proto.output())
            node.outputs.push_back(output.empty() ? ValueId() : addOutput(output, node.name));
        while (!node.outputs.empty() && !node.outputs.back().valid())
            node.outputs.pop_back();
        for (const auto& attribute : proto.attribute())
            addAttribute(node, attribute);
        if (!proto.domain().empty() && proto.domain() != "ai.onnx") {
            node.op = base::concat(proto.domain(), ".", proto.op_type());
            node.unsupported = base::concat("operator ", node.op, " is not supported");
        }
        upgradeNode(node, opset_);
        graph_.addNode(std::move(node));
    }

    ValueId addOutput(const std::string& name, const std::string& node) {
        if (names_.contains(name))
            fail(base::concat("node ", node, " computes \"", name, "\", which exists already"));
        const auto hint = hints_.find(name);
        const bool known = hint != hints_.end();
        const ValueId id =
            graph_.addValue({name, known ? hint->second : graph::TensorType{}, known, nullptr});
        names_[name] = id;
        return id;
    }

    void addAttribute(Node& node, const ::onnx::AttributeProto& a) const {
        using Proto = ::onnx::AttributeProto;
        switch (a.type()) {
        case Proto::INT:
            node.attributes.set(a.name(), static_cast<std::int64_t>(a.i()));
            break;
        case Proto::FLOAT:
            node.attributes.set(a.name(), static_cast<double>(a.f()));
            break;
        case Proto::STRING:
            node.attributes.set(a.name(), a.s());
            break;
        case Proto::INTS:
            node.attributes.set(a.name(),
                                std::vector<std::int64_t>(a.ints().begin(), a.ints().end()));
            break;
        case Proto::FLOATS:
            node.attributes.set(a.name(),
                                std::vector<double>(a.floats().begin(), a.floats().end()));
            break;
        case Proto::STRINGS:
            node.attributes.set(a.name(),
                                std::vector<std::string>(a.strings().begin(), a.strings().end()));
            break;
        case Proto::TENSOR:
            if (const auto tensor = tensors_.read(a.t()))
                node.attributes.set(a.name(), tensor);
            else
                node.unsupported = base::concat("attribute ", a.name(), " has ONNX element type ",
                                                a.t().data_type(), ", which is not supported");
            break;
        default:
            node.unsupported = base::concat("operator ", node.op, " with the attribute ", a.name(),
                                            " (a graph or sparse tensor) is not supported");
        }
    }

    const ::onnx::ModelProto& model_;
    const std::string& path_;
    std::vector<std::string>& warnings_;
    TensorReader tensors_;
    int opset_ = 1;
    Graph graph_;
    std::map<std::string, ValueId> names_;
    std::map<std::string, graph::TensorType> hints_;
};

} // namespace

Graph buildGraph(const ::onnx::ModelProto& model, const std::string& path,
                 const std::map<std::string, graph::TensorType>& inputs,
                 std::vector<std::string>& warnings) {
    return GraphBuilder(model, path, warnings).build(inputs);
}

} // namespace tilewright::onnx
