// SPDX-License-Identifier: Apache-2.0
#include "op_context.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <algorithm>

namespace tilewright::graph {

OpContext::OpContext(const Graph& graph, const Node& node) : node_(node) {
    for (const ValueId id : node.inputs) {
        Operand operand;
        if (id.valid()) {
            const Value& value = graph.value(id);
            if (!value.known)
                throw base::UserError("unknown-shape", base::concat("the shape of its input ",
                                                                    value.name, " is not known"));
            operand = {true, value.type, value.constant.get(), nullptr};
        }
        operands_.push_back(operand);
    }
}

void OpContext::fail(const std::string& reason) const {
    throw base::UserError("invalid-node", reason);
}

const TensorType& OpContext::type(std::size_t i) const {
    if (!has(i))
        fail(base::concat("input ", i, " is missing"));
    return operands_[i].type;
}

const NumericTensor& OpContext::numeric(std::size_t i) const {
    TW_CHECK(has(i) && operands_[i].numeric != nullptr) << "input " << i << " has no value";
    return *operands_[i].numeric;
}

namespace {

/// The elements of an operand, when its value is known.
template <class T, class Element>
std::optional<std::vector<T>> elementsOf(const Operand& operand, Element&& element) {
    if (operand.numeric == nullptr && operand.constant == nullptr)
        return std::nullopt;
    const NumericTensor widened =
        operand.numeric != nullptr ? *operand.numeric : toNumeric(*operand.constant);
    std::vector<T> values;
    for (std::int64_t k = 0; k < widened.size(); ++k)
        values.push_back(element(widened, k));
    return values;
}

} // namespace

std::optional<std::vector<std::int64_t>> OpContext::integers(std::size_t i) const {
    if (!has(i))
        return std::nullopt;
    return elementsOf<std::int64_t>(
        operands_[i], [](const NumericTensor& tensor, auto k) { return tensor.integer(k); });
}

std::optional<std::vector<double>> OpContext::reals(std::size_t i) const {
    if (!has(i))
        return std::nullopt;
    return elementsOf<double>(operands_[i],
                              [](const NumericTensor& tensor, auto k) { return tensor.real(k); });
}

std::optional<std::vector<std::int64_t>> OpContext::integersOf(const char* attribute,
                                                               std::size_t input) const {
    if (attributes().has(attribute)) {
        const auto list = attributes().integers(attribute);
        if (list.empty() && std::holds_alternative<std::int64_t>(attributes().all().at(attribute)))
            return std::vector<std::int64_t>{attributes().integer(attribute, 0)};
        return list;
    }
    if (!has(input))
        return std::nullopt;
    auto values = integers(input);
    if (!values)
        fail(base::concat(attribute, " (input ", input,
                          ") is computed at run time; only constants are accepted here"));
    return values;
}

std::optional<double> OpContext::realOf(const char* attribute, std::size_t input) const {
    if (attributes().has(attribute))
        return attributes().real(attribute, 0);
    if (!has(input))
        return std::nullopt;
    const auto values = reals(input);
    if (!values || values->size() != 1)
        fail(base::concat(attribute, " (input ", input, ") has to be a constant scalar"));
    return values->front();
}

std::int64_t OpContext::axis(std::int64_t value, std::size_t rank) const {
    const auto n = static_cast<std::int64_t>(rank);
    if (value < -n || value >= std::max<std::int64_t>(n, 1))
        fail(base::concat("axis ", value, " is outside a tensor of ", n, " dimensions"));
    return value < 0 ? value + n : value;
}

Dims broadcastShapes(const OpContext& context, const Dims& a, const Dims& b) {
    const std::size_t rank = std::max(a.size(), b.size());
    Dims out(rank);
    for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t x = d + a.size() >= rank ? a[d + a.size() - rank] : 1;
        const std::int64_t y = d + b.size() >= rank ? b[d + b.size() - rank] : 1;
        if (x != y && x != 1 && y != 1)
            context.fail(
                base::concat("shapes ", toString(a), " and ", toString(b), " do not broadcast"));
        out[d] = x == 1 ? y : x;
    }
    return out;
}

Dims rowMajorStrides(const Dims& shape) {
    Dims strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = strides[d] * shape[d];
    return strides;
}

Dims broadcastStrides(const Dims& operand, const Dims& output) {
    const Dims own = rowMajorStrides(operand);
    Dims strides(output.size(), 0);
    const std::size_t offset = output.size() - operand.size();
    for (std::size_t d = 0; d < operand.size(); ++d)
        strides[d + offset] = operand[d] == 1 ? 0 : own[d];
    return strides;
}

} // namespace tilewright::graph
