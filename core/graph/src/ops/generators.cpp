// SPDX-License-Identifier: Apache-2.0
#include "../op_table.h"

#include <algorithm>
#include <cmath>

namespace tilewright::graph {

namespace {

ConstantPtr constantValue(const OpContext& context) {
    const Attributes& attributes = context.attributes();
    if (const ConstantPtr tensor = attributes.tensor("value"))
        return tensor;
    NumericTensor value;
    if (attributes.has("value_float")) {
        value = NumericTensor({ElementType::Float32, {}});
        value.set(0, attributes.real("value_float", 0));
    } else if (attributes.has("value_int")) {
        value = NumericTensor({ElementType::Int64, {}});
        value.setInteger(0, attributes.integer("value_int", 0));
    } else if (attributes.has("value_ints")) {
        const auto list = attributes.integers("value_ints");
        value = NumericTensor({ElementType::Int64, {static_cast<std::int64_t>(list.size())}});
        value.integers = list;
    } else if (attributes.has("value_floats")) {
        const auto* list = std::get_if<std::vector<double>>(&attributes.all().at("value_floats"));
        if (list == nullptr)
            context.fail("value_floats is no list of floats");
        value = NumericTensor({ElementType::Float32, {static_cast<std::int64_t>(list->size())}});
        value.reals = *list;
    } else {
        context.fail("its value is missing or of a kind that is not supported (sparse, string)");
    }
    return std::make_shared<const ConstantTensor>(toConstant(value));
}

std::vector<TensorType> inferConstant(const OpContext& context) {
    return {constantValue(context)->type};
}

std::vector<NumericTensor> evaluateConstant(const OpContext& context,
                                            const std::vector<TensorType>&) {
    return {toNumeric(*constantValue(context))};
}

std::vector<TensorType> inferConstantOfShape(const OpContext& context) {
    const auto shape = context.integersOf("shape", 0);
    if (!shape)
        context.fail("the shape is missing");
    for (const auto extent : *shape)
        if (extent < 0)
            context.fail("the shape has a negative dimension");
    const ConstantPtr value = context.attributes().tensor("value");
    return {{value ? value->type.dtype : ElementType::Float32, *shape}};
}

std::vector<NumericTensor> evaluateConstantOfShape(const OpContext& context,
                                                   const std::vector<TensorType>& types) {
    NumericTensor out(types[0]);
    if (const ConstantPtr value = context.attributes().tensor("value")) {
        const NumericTensor fill = toNumeric(*value);
        for (std::int64_t i = 0; i < out.size() && fill.size() > 0; ++i) {
            if (fill.isReal())
                out.set(i, fill.real(0));
            else
                out.setInteger(i, fill.integer(0));
        }
    }
    return {std::move(out)};
}

Dims shapeSlice(const OpContext& context) {
    const Dims& in = context.shape(0);
    const auto rank = static_cast<std::int64_t>(in.size());
    const auto bound = [&](std::int64_t v) {
        return std::clamp<std::int64_t>(v < 0 ? v + rank : v, 0, rank);
    };
    const std::int64_t start = bound(context.attributes().integer("start", 0));
    const std::int64_t end = bound(context.attributes().integer("end", rank));
    return start < end ? Dims(in.begin() + start, in.begin() + end) : Dims{};
}

std::vector<TensorType> inferShape(const OpContext& context) {
    return {{ElementType::Int64, {static_cast<std::int64_t>(shapeSlice(context).size())}}};
}

std::vector<NumericTensor> evaluateShape(const OpContext& context,
                                         const std::vector<TensorType>& types) {
    NumericTensor out(types[0]);
    out.integers = shapeSlice(context);
    return {std::move(out)};
}

std::vector<TensorType> inferSize(const OpContext&) {
    return {{ElementType::Int64, {}}};
}

std::vector<NumericTensor> evaluateSize(const OpContext& context,
                                        const std::vector<TensorType>& types) {
    NumericTensor out(types[0]);
    out.setInteger(0, elementCount(context.shape(0)));
    return {std::move(out)};
}

std::vector<TensorType> inferRange(const OpContext& context) {
    std::optional<double> bounds[3];
    for (std::size_t k = 0; k < 3; ++k)
        bounds[k] = context.realOf("", k);
    if (!bounds[0] || !bounds[1] || !bounds[2] || *bounds[2] == 0)
        context.fail("start, limit and a delta other than 0 have to be constants");
    const double count = std::ceil((*bounds[1] - *bounds[0]) / *bounds[2]);
    if (count > 1e9)
        context.fail("more than a thousand million numbers");
    return {{context.dtype(0), {std::max<std::int64_t>(0, static_cast<std::int64_t>(count))}}};
}

std::vector<NumericTensor> evaluateRange(const OpContext& context,
                                         const std::vector<TensorType>& types) {
    NumericTensor out(types[0]);
    for (std::int64_t i = 0; i < out.size(); ++i) {
        if (out.isReal())
            out.set(i, context.numeric(0).real(0) +
                           static_cast<double>(i) * context.numeric(2).real(0));
        else
            out.setInteger(i, context.numeric(0).integer(0) + i * context.numeric(2).integer(0));
    }
    return {std::move(out)};
}

} // namespace

void addGeneratorOps(OpTable& table) {
    table["Constant"] = {PatternKind::Opaque, inferConstant, evaluateConstant};
    table["ConstantOfShape"] = {PatternKind::Opaque, inferConstantOfShape, evaluateConstantOfShape};
    table["Shape"] = {PatternKind::Opaque, inferShape, evaluateShape};
    table["Size"] = {PatternKind::Opaque, inferSize, evaluateSize};
    table["Range"] = {PatternKind::Opaque, inferRange, evaluateRange};
}

} // namespace tilewright::graph
