// SPDX-License-Identifier: Apache-2.0
#include "../op_table.h"
#include "../window.h"

#include <tilewright/base/concat.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::graph {

namespace {

std::vector<TensorType> inferPool(const OpContext& context) {
    const bool last = isChannelsLast(context);
    const Window window = poolingWindow(context);
    if (context.outputCount() > 1 && context.node().outputs[1].valid())
        context.fail("the indices output is not supported");
    const Dims& data = context.shape(0);
    return {{context.dtype(0), shapeOf(data[0], channelsOf(data, last), window.output, last)}};
}

/// Reduces the taps of one window; `from` is the flat index of the plane's first element.
double poolOne(const OpContext& context, const Window& window, const NumericTensor& data,
               std::int64_t from, const Dims& position) {
    const Dims strides = rowMajorStrides(window.input);
    const bool greatest = context.node().op == "MaxPool";
    const bool countPads = context.attributes().integer("count_include_pad", 0) != 0;
    const double power = static_cast<double>(context.attributes().integer("p", 2));
    double result = greatest ? -std::numeric_limits<double>::infinity() : 0.0;
    std::int64_t counted = 0;
    forEachIndex(window.kernel, [&](std::int64_t, const Dims& k) {
        std::int64_t at = from;
        bool inData = true;
        bool inPadded = true;
        for (std::size_t d = 0; d < k.size(); ++d) {
            const std::int64_t p =
                position[d] * window.strides[d] + k[d] * window.dilations[d] - window.padBefore[d];
            inData = inData && p >= 0 && p < window.input[d];
            inPadded = inPadded && p < window.input[d] + window.padAfter[d];
            at += p * strides[d];
        }
        counted += inData || (countPads && inPadded) ? 1 : 0;
        if (!inData)
            return;
        const double x = data.real(at);
        if (greatest)
            result = std::max(result, x);
        else
            result += context.node().op == "LpPool" ? std::pow(std::fabs(x), power) : x;
    });
    if (context.node().op == "LpPool")
        return std::pow(result, 1.0 / power);
    return greatest ? result : result / static_cast<double>(std::max<std::int64_t>(counted, 1));
}

std::vector<NumericTensor> evaluatePool(const OpContext& context,
                                        const std::vector<TensorType>& types) {
    const bool last = isChannelsLast(context);
    const Window window = poolingWindow(context);
    const NumericTensor data = last ? toChannelsFirst(context.numeric(0)) : context.numeric(0);
    const std::int64_t planes = data.type.shape[0] * data.type.shape[1];
    const std::int64_t inSize = elementCount(window.input);
    const std::int64_t outSize = elementCount(window.output);
    NumericTensor out(
        {types[0].dtype, shapeOf(data.type.shape[0], data.type.shape[1], window.output, false)});
    forEachIndex(window.output, [&](std::int64_t flat, const Dims& position) {
        for (std::int64_t c = 0; c < planes; ++c)
            out.set(c * outSize + flat, poolOne(context, window, data, c * inSize, position));
    });
    return {last ? toChannelsLast(out) : std::move(out)};
}

std::vector<TensorType> inferGlobalPool(const OpContext& context) {
    const bool last = isChannelsLast(context);
    const Dims& data = context.shape(0);
    if (data.size() < 3)
        context.fail(base::concat("data ", toString(data), " has no spatial dimensions"));
    return {{context.dtype(0),
             shapeOf(data[0], channelsOf(data, last), Dims(data.size() - 2, 1), last)}};
}

std::vector<NumericTensor> evaluateGlobalPool(const OpContext& context,
                                              const std::vector<TensorType>& types) {
    const NumericTensor data =
        isChannelsLast(context) ? toChannelsFirst(context.numeric(0)) : context.numeric(0);
    const bool greatest = context.node().op == "GlobalMaxPool";
    NumericTensor out(types[0]);
    const std::int64_t size = data.size() / std::max<std::int64_t>(out.size(), 1);
    for (std::int64_t c = 0; c < out.size(); ++c) {
        double sum = greatest ? -std::numeric_limits<double>::infinity() : 0.0;
        for (std::int64_t i = 0; i < size; ++i) {
            const double x = data.real(c * size + i);
            sum = greatest ? std::max(sum, x) : sum + x;
        }
        out.set(c, greatest ? sum : sum / static_cast<double>(size));
    }
    return {std::move(out)};
}

} // namespace

void addPoolingOps(OpTable& table) {
    for (const char* name : {"MaxPool", "AveragePool", "LpPool"})
        table[name] = {PatternKind::OutFusable, inferPool, evaluatePool};
    for (const char* name : {"GlobalAveragePool", "GlobalMaxPool"})
        table[name] = {PatternKind::OutFusable, inferGlobalPool, evaluateGlobalPool};
}

} // namespace tilewright::graph
