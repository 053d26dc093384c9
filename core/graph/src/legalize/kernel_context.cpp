// SPDX-License-Identifier: Apache-2.0
#include "kernel_context.h"

#include <tilewright/base/check.h>

#include <cctype>
#include <cmath>

namespace tilewright::graph {

ir::DataType toIr(ElementType type) {
    const auto dtype = ir::parseDataType(toString(type));
    TW_CHECK(dtype.has_value()) << toString(type);
    return *dtype;
}

namespace {

op::Shape bufferShape(const Dims& shape) {
    return shape.empty() ? op::Shape{1} : shape;
}

} // namespace

void KernelContext::enter(int nodeIndex) {
    current_ = nodeIndex;
    rules_.emplace(graph_, node());
}

void KernelContext::leave(const op::Tensor& result) {
    TW_CHECK(result.shape() == outputShape()) << node().op << " gave another shape";
    tensors_[node().outputs[0]] = result;
}

const Node& KernelContext::node() const {
    return graph_.nodes()[static_cast<std::size_t>(current_)];
}

op::Shape KernelContext::outputShape() const {
    return bufferShape(graph_.value(node().outputs[0]).type.shape);
}

ir::DataType KernelContext::outputType() const {
    return toIr(graph_.value(node().outputs[0]).type.dtype);
}

op::Tensor KernelContext::input(std::size_t i) {
    const ValueId id = node().inputs.at(i);
    const auto made = tensors_.find(id);
    if (made != tensors_.end())
        return made->second;
    const Value& value = graph_.value(id);
    const std::string name = "p" + std::to_string(parameters_.size());
    const op::Tensor tensor =
        builder_.input(name, bufferShape(value.type.shape), toIr(value.type.dtype));
    if (value.constant && current_ == anchor_ && i == 1 &&
        (node().op == "Conv" || node().op == "MatMul"))
        builder_.markLayoutFree(tensor);
    parameters_.push_back(id);
    tensors_[id] = tensor;
    return tensor;
}

ir::Expr KernelContext::element(std::size_t i, const op::Axes& at) {
    if (const auto value = literal(i)) {
        const ir::DataType type = toIr(graph_.value(node().inputs[i]).type.dtype);
        return type.isFloating() ? ir::makeFloat(*value, type)
                                 : ir::makeInt(static_cast<std::int64_t>(*value), type);
    }
    const op::Tensor tensor = input(i);
    const op::Shape shape = tensor.shape();
    const op::Shape result = outputShape();
    const std::size_t offset = result.size() - shape.size();
    op::Axes index;
    for (std::size_t d = 0; d < shape.size(); ++d)
        index.push_back(shape[d] == result[d + offset] ? at[d + offset] : ir::makeInt(0));
    return tensor(index);
}

std::optional<double> KernelContext::scalar(std::size_t i) const {
    const Value& value = graph_.value(node().inputs.at(i));
    if (!value.constant || elementCount(value.type.shape) != 1)
        return std::nullopt;
    return toNumeric(*value.constant).real(0);
}

std::optional<double> KernelContext::literal(std::size_t i) const {
    const auto value = scalar(i);
    if (!value)
        return std::nullopt;
    const TensorType& type = graph_.value(node().inputs.at(i)).type;
    const bool simple = std::fabs(*value) <= 16 && *value * 2 == std::floor(*value * 2);
    return type.shape.empty() || !isReal(type.dtype) || simple ? value : std::nullopt;
}

std::string KernelContext::stageName() const {
    std::string name;
    for (const char c : node().op) {
        const bool upper = std::isupper(static_cast<unsigned char>(c)) != 0;
        if (upper && !name.empty() && std::islower(static_cast<unsigned char>(name.back())) != 0)
            name += '_';
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return name;
}

LegalizeRule findLegalizeRule(std::string_view op) {
    static const LegalizeTable table = [] {
        LegalizeTable rules;
        addElementwiseRules(rules);
        addMovementRules(rules);
        addReductionRules(rules);
        addContractionRules(rules);
        addPoolingRules(rules);
        return rules;
    }();
    const auto it = table.find(op);
    return it == table.end() ? nullptr : it->second;
}

} // namespace tilewright::graph
