// SPDX-License-Identifier: Apache-2.0
#include "../op_table.h"

#include <tilewright/base/concat.h>

#include <algorithm>
#include <cmath>

namespace tilewright::graph {

namespace {

/// Softmax before opset 13 works on the data seen as a matrix: everything from the axis on is
/// one row. The reader marks such nodes with the attribute flatten.
std::vector<TensorType> inferSoftmax(const OpContext& context) {
    (void)context.axis(context.attributes().integer("axis", -1), context.rank(0));
    return {context.type(0)};
}

std::vector<NumericTensor> evaluateSoftmax(const OpContext& context,
                                           const std::vector<TensorType>& types) {
    const NumericTensor& in = context.numeric(0);
    const Dims& shape = in.type.shape;
    const auto axis = context.axis(context.attributes().integer("axis", -1), shape.size());
    const bool flatten = context.attributes().integer("flatten", 0) != 0;
    const std::int64_t outer = elementCount(Dims(shape.begin(), shape.begin() + axis));
    const std::int64_t rest = in.size() / std::max<std::int64_t>(outer, 1);
    const std::int64_t extent = flatten ? rest : shape[static_cast<std::size_t>(axis)];
    const std::int64_t inner = rest / std::max<std::int64_t>(extent, 1);
    const bool logarithm = context.node().op == "LogSoftmax";
    NumericTensor out(types[0]);
    for (std::int64_t o = 0; o < outer * inner; ++o) {
        const std::int64_t base = (o / inner) * rest + o % inner;
        double greatest = in.real(base);
        for (std::int64_t i = 1; i < extent; ++i)
            greatest = std::max(greatest, in.real(base + i * inner));
        double sum = 0;
        for (std::int64_t i = 0; i < extent; ++i)
            sum += std::exp(in.real(base + i * inner) - greatest);
        for (std::int64_t i = 0; i < extent; ++i) {
            const double x = in.real(base + i * inner) - greatest;
            out.set(base + i * inner, logarithm ? x - std::log(sum) : std::exp(x) / sum);
        }
    }
    return {std::move(out)};
}

std::vector<TensorType> inferBatchNorm(const OpContext& context) {
    if (context.rank(0) < 2)
        context.fail("data has no channels");
    for (std::size_t i = 1; i < 5; ++i)
        if (context.shape(i) != Dims{context.shape(0)[1]})
            context.fail(base::concat("input ", i, " has shape ", toString(context.shape(i)),
                                      ", not one number a channel"));
    if (context.attributes().integer("training_mode", 0) != 0)
        context.fail("training mode is not supported");
    std::vector<TensorType> types{context.type(0)};
    for (std::size_t i = 1; i < context.outputCount(); ++i)
        types.push_back(context.type(std::min<std::size_t>(i + 2, 4)));
    return types;
}

std::vector<NumericTensor> evaluateBatchNorm(const OpContext& context,
                                             const std::vector<TensorType>& types) {
    const double epsilon = context.attributes().real("epsilon", 1e-5);
    const NumericTensor& in = context.numeric(0);
    const std::int64_t channels = in.type.shape[1];
    const std::int64_t size = elementCount(Dims(in.type.shape.begin() + 2, in.type.shape.end()));
    NumericTensor out(types[0]);
    for (std::int64_t i = 0; i < in.size(); ++i) {
        const std::int64_t c = (i / size) % channels;
        const double scale =
            context.numeric(1).real(c) / std::sqrt(context.numeric(4).real(c) + epsilon);
        out.set(i, (in.real(i) - context.numeric(3).real(c)) * scale + context.numeric(2).real(c));
    }
    std::vector<NumericTensor> outs{std::move(out)};
    for (std::size_t i = 1; i < types.size(); ++i)
        outs.push_back(context.numeric(std::min<std::size_t>(i + 2, 4)));
    return outs;
}

/// Normalises `count` runs of `size` elements in place; returns means and inverse deviations.
void normaliseRuns(const NumericTensor& in, NumericTensor& out, std::int64_t size, double epsilon,
                   std::vector<double>& means, std::vector<double>& inverses) {
    for (std::int64_t base = 0; base < in.size(); base += size) {
        double mean = 0;
        for (std::int64_t i = 0; i < size; ++i)
            mean += in.real(base + i);
        mean /= static_cast<double>(size);
        double variance = 0;
        for (std::int64_t i = 0; i < size; ++i)
            variance += (in.real(base + i) - mean) * (in.real(base + i) - mean);
        variance /= static_cast<double>(size);
        const double inverse = 1.0 / std::sqrt(variance + epsilon);
        for (std::int64_t i = 0; i < size; ++i)
            out.set(base + i, (in.real(base + i) - mean) * inverse);
        means.push_back(mean);
        inverses.push_back(inverse);
    }
}

std::vector<TensorType> inferLayerNorm(const OpContext& context) {
    const Dims& in = context.shape(0);
    const auto axis = context.axis(context.attributes().integer("axis", -1), in.size());
    std::vector<TensorType> types{context.type(0)};
    Dims rest = in;
    std::fill(rest.begin() + axis, rest.end(), 1);
    for (std::size_t i = 1; i < context.outputCount(); ++i)
        types.push_back({ElementType::Float32, rest});
    return types;
}

std::vector<NumericTensor> evaluateLayerNorm(const OpContext& context,
                                             const std::vector<TensorType>& types) {
    const Dims& shape = context.shape(0);
    const auto axis = context.axis(context.attributes().integer("axis", -1), shape.size());
    const std::int64_t size = elementCount(Dims(shape.begin() + axis, shape.end()));
    NumericTensor out(types[0]);
    std::vector<double> means;
    std::vector<double> inverses;
    normaliseRuns(context.numeric(0), out, size, context.attributes().real("epsilon", 1e-5), means,
                  inverses);
    const Dims scale = broadcastStrides(context.shape(1), shape);
    const Dims bias = context.has(2) ? broadcastStrides(context.shape(2), shape) : scale;
    forEachIndex(shape, [&](std::int64_t flat, const Dims& index) {
        std::int64_t s = 0;
        std::int64_t b = 0;
        for (std::size_t d = 0; d < index.size(); ++d) {
            s += index[d] * scale[d];
            b += index[d] * bias[d];
        }
        const double shift = context.has(2) ? context.numeric(2).real(b) : 0.0;
        out.set(flat, out.real(flat) * context.numeric(1).real(s) + shift);
    });
    std::vector<NumericTensor> outs{std::move(out)};
    for (std::size_t i = 1; i < types.size(); ++i) {
        outs.emplace_back(types[i]);
        outs.back().reals = i == 1 ? means : inverses;
    }
    return outs;
}

std::vector<TensorType> inferInstanceNorm(const OpContext& context) {
    if (context.rank(0) < 3 || context.shape(1) != Dims{context.shape(0)[1]} ||
        context.shape(2) != context.shape(1))
        context.fail("scale and bias are not one number a channel");
    return {context.type(0)};
}

std::vector<NumericTensor> evaluateInstanceNorm(const OpContext& context,
                                                const std::vector<TensorType>& types) {
    const Dims& shape = context.shape(0);
    const std::int64_t size = elementCount(Dims(shape.begin() + 2, shape.end()));
    NumericTensor out(types[0]);
    std::vector<double> means;
    std::vector<double> inverses;
    normaliseRuns(context.numeric(0), out, size, context.attributes().real("epsilon", 1e-5), means,
                  inverses);
    for (std::int64_t i = 0; i < out.size(); ++i) {
        const std::int64_t c = (i / size) % shape[1];
        out.set(i, out.real(i) * context.numeric(1).real(c) + context.numeric(2).real(c));
    }
    return {std::move(out)};
}

} // namespace

void addNormalizationOps(OpTable& table) {
    table["Softmax"] = {PatternKind::OutFusable, inferSoftmax, evaluateSoftmax};
    table["LogSoftmax"] = {PatternKind::OutFusable, inferSoftmax, evaluateSoftmax};
    table["BatchNormalization"] = {PatternKind::Broadcast, inferBatchNorm, evaluateBatchNorm};
    table["LayerNormalization"] = {PatternKind::OutFusable, inferLayerNorm, evaluateLayerNorm};
    table["InstanceNormalization"] = {PatternKind::OutFusable, inferInstanceNorm,
                                      evaluateInstanceNorm};
}

} // namespace tilewright::graph
