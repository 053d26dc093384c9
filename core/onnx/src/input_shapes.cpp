// SPDX-License-Identifier: Apache-2.0
#include "input_shapes.h"

#include "tensor_reader.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <set>
#include <vector>

namespace tilewright::onnx {

std::string describeShape(const ::onnx::TensorShapeProto& shape) {
    std::vector<std::string> dims;
    for (const auto& dim : shape.dim()) {
        if (dim.has_dim_value() && dim.dim_value() > 0)
            dims.push_back(base::concat(dim.dim_value()));
        else
            dims.push_back(dim.dim_param().empty() ? "?" : dim.dim_param());
    }
    return base::concat("[", base::join(dims, ", "), "]");
}

namespace {

class ShapeBinder {
public:
    ShapeBinder(const ::onnx::GraphProto& graph, const std::string& path,
                const ImportOptions& options)
        : path_(path), options_(options) {
        std::set<std::string> constants;
        for (const auto& tensor : graph.initializer())
            constants.insert(tensor.name());
        for (const auto& input : graph.input())
            if (!constants.contains(input.name()))
                inputs_.push_back(&input);
    }

    std::map<std::string, graph::TensorType> bind() {
        checkNames();
        for (const auto* input : inputs_)
            bindGiven(*input);
        std::map<std::string, graph::TensorType> types;
        for (const auto* input : inputs_)
            types[input->name()] = {elementType(*input), resolve(*input)};
        return types;
    }

private:
    [[noreturn]] void fail(const char* kind, const std::string& why) const {
        throw base::UserError(kind, base::concat(path_, ": ", why));
    }

    void checkNames() const {
        for (const auto& [name, shape] : options_.shapes) {
            bool found = false;
            std::vector<std::string> names;
            for (const auto* input : inputs_) {
                found = found || input->name() == name;
                names.push_back(input->name());
            }
            if (!found)
                fail("shape-mismatch", base::concat("a shape is given for \"", name,
                                                    "\", which is no input; the inputs are ",
                                                    base::join(names, ", ")));
            for (const auto extent : shape)
                if (extent < 1)
                    fail("shape-mismatch",
                         base::concat("the shape given for \"", name, "\" is ",
                                      graph::toString(shape), "; dimensions are at least 1"));
        }
    }

    graph::ElementType elementType(const ::onnx::ValueInfoProto& input) const {
        if (!input.type().has_tensor_type())
            fail("not-a-model", base::concat("input \"", input.name(), "\" is no tensor"));
        const auto type = elementTypeOf(input.type().tensor_type().elem_type());
        if (!type)
            fail("not-a-model",
                 base::concat("input \"", input.name(), "\" has ONNX element type ",
                              input.type().tensor_type().elem_type(), ", which is not supported"));
        return *type;
    }

    void bindGiven(const ::onnx::ValueInfoProto& input) {
        const auto given = options_.shapes.find(input.name());
        const auto& type = input.type().tensor_type();
        if (given == options_.shapes.end() || !type.has_shape())
            return;
        const auto& shape = type.shape();
        const auto mismatch = [&] {
            fail("shape-mismatch", base::concat("the shape given for \"", input.name(), "\" is ",
                                                graph::toString(given->second), ", the model has ",
                                                describeShape(shape)));
        };
        if (static_cast<std::size_t>(shape.dim_size()) != given->second.size())
            mismatch();
        for (int d = 0; d < shape.dim_size(); ++d) {
            const auto& dim = shape.dim(d);
            const std::int64_t extent = given->second[static_cast<std::size_t>(d)];
            if (dim.has_dim_value() && dim.dim_value() > 0 && dim.dim_value() != extent)
                mismatch();
            if (dim.dim_param().empty())
                continue;
            const auto [it, added] = symbols_.emplace(dim.dim_param(), extent);
            if (!added && it->second != extent)
                fail("shape-mismatch", base::concat("dimension ", dim.dim_param(), " is given as ",
                                                    it->second, " and as ", extent));
        }
    }

    graph::Dims resolve(const ::onnx::ValueInfoProto& input) const {
        const auto given = options_.shapes.find(input.name());
        if (given != options_.shapes.end())
            return given->second;
        const auto& type = input.type().tensor_type();
        if (!type.has_shape())
            fail("missing-shape",
                 base::concat("input \"", input.name(), "\" has no shape; give --shape ",
                              input.name(), "=D0,D1,…"));
        graph::Dims shape;
        std::vector<std::string> open;
        for (int d = 0; d < type.shape().dim_size(); ++d) {
            const auto& dim = type.shape().dim(d);
            const auto symbol = symbols_.find(dim.dim_param());
            if (dim.has_dim_value() && dim.dim_value() > 0)
                shape.push_back(dim.dim_value());
            else if (!dim.dim_param().empty() && symbol != symbols_.end())
                shape.push_back(symbol->second);
            else
                open.push_back(base::concat(d, dim.dim_param().empty()
                                                   ? std::string()
                                                   : base::concat(" (", dim.dim_param(), ")")));
        }
        if (!open.empty())
            fail("missing-shape",
                 base::concat("input \"", input.name(), "\" has the shape ",
                              describeShape(type.shape()), ": dimension ", base::join(open, ", "),
                              " is not fixed; give --shape ", input.name(), "=N,N,…"));
        return shape;
    }

    const std::string& path_;
    const ImportOptions& options_;
    std::vector<const ::onnx::ValueInfoProto*> inputs_;
    std::map<std::string, std::int64_t> symbols_;
};

} // namespace

std::map<std::string, graph::TensorType>
inputTypes(const ::onnx::GraphProto& graph, const std::string& path, const ImportOptions& options) {
    return ShapeBinder(graph, path, options).bind();
}

} // namespace tilewright::onnx
