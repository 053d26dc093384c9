// SPDX-License-Identifier: Apache-2.0
#include "../copy_by_index.h"
#include "../op_table.h"
#include "../window.h"

#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::graph {

namespace {

std::vector<TensorType> inferConv(const OpContext& context) {
    const bool last = isChannelsLast(context);
    const Window window = convolutionWindow(context);
    const Dims& data = context.shape(0);
    const Dims& weight = context.shape(1);
    const std::int64_t group = context.attributes().integer("group", 1);
    const std::int64_t out = last ? weight.back() : weight[0];
    const std::int64_t each = last ? weight[weight.size() - 2] : weight[1];
    if (group < 1 || channelsOf(data, last) != each * group || out % group != 0)
        context.fail(base::concat("data ", toString(data), ", weights ", toString(weight), " and ",
                                  group, " groups do not fit"));
    if (context.has(2) && context.shape(2) != Dims{out})
        context.fail(
            base::concat("the bias has shape ", toString(context.shape(2)), ", not [", out, "]"));
    return {{context.dtype(0), shapeOf(data[0], out, window.output, last)}};
}

/// Weights [spatial…, I, O] as [O, I, spatial…].
NumericTensor weightsFirst(const NumericTensor& weight) {
    const auto rank = static_cast<std::int64_t>(weight.type.shape.size());
    Dims perm{rank - 1, rank - 2};
    for (std::int64_t d = 0; d + 2 < rank; ++d)
        perm.push_back(d);
    return transposed(weight, perm);
}

/// Position of tap `k` for output `o`, or -1 when it falls into the padding.
std::int64_t tapPosition(const Window& window, std::size_t d, std::int64_t o, std::int64_t k) {
    const std::int64_t at = o * window.strides[d] + k * window.dilations[d] - window.padBefore[d];
    return at >= 0 && at < window.input[d] ? at : -1;
}

/// Offsets (tap, input) of the taps that touch data, for one output position.
void collectTaps(const Window& window, const Dims& position,
                 std::vector<std::pair<std::int64_t, std::int64_t>>& taps) {
    taps.clear();
    const Dims strides = rowMajorStrides(window.input);
    forEachIndex(window.kernel, [&](std::int64_t tap, const Dims& k) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < k.size(); ++d) {
            const std::int64_t p = tapPosition(window, d, position[d], k[d]);
            if (p < 0)
                return;
            at += p * strides[d];
        }
        taps.emplace_back(tap, at);
    });
}

std::vector<NumericTensor> evaluateConv(const OpContext& context,
                                        const std::vector<TensorType>& types) {
    const bool last = isChannelsLast(context);
    const Window window = convolutionWindow(context);
    const NumericTensor data = last ? toChannelsFirst(context.numeric(0)) : context.numeric(0);
    const NumericTensor weight = last ? weightsFirst(context.numeric(1)) : context.numeric(1);
    const std::int64_t batch = data.type.shape[0];
    const std::int64_t inChannels = data.type.shape[1];
    const std::int64_t outChannels = weight.type.shape[0];
    const std::int64_t each = weight.type.shape[1];
    const std::int64_t perGroup = outChannels / context.attributes().integer("group", 1);
    const std::int64_t inSize = elementCount(window.input);
    const std::int64_t outSize = elementCount(window.output);
    const std::int64_t tapCount = elementCount(window.kernel);
    NumericTensor out({types[0].dtype, shapeOf(batch, outChannels, window.output, false)});
    std::vector<std::pair<std::int64_t, std::int64_t>> taps;
    forEachIndex(window.output, [&](std::int64_t flat, const Dims& position) {
        collectTaps(window, position, taps);
        for (std::int64_t n = 0; n < batch; ++n)
            for (std::int64_t o = 0; o < outChannels; ++o) {
                double sum = context.has(2) ? context.numeric(2).real(o) : 0.0;
                for (std::int64_t i = 0; i < each; ++i) {
                    const std::int64_t channel = (o / perGroup) * each + i;
                    const std::int64_t from = (n * inChannels + channel) * inSize;
                    const std::int64_t row = (o * each + i) * tapCount;
                    for (const auto& [tap, at] : taps)
                        sum += data.real(from + at) * weight.real(row + tap);
                }
                out.set((n * outChannels + o) * outSize + flat, sum);
            }
    });
    return {last ? toChannelsLast(out) : std::move(out)};
}

std::vector<TensorType> inferConvTranspose(const OpContext& context) {
    const Window window = transposedWindow(context);
    const Dims& data = context.shape(0);
    const Dims& weight = context.shape(1);
    const std::int64_t group = context.attributes().integer("group", 1);
    if (isChannelsLast(context))
        context.fail("ConvTranspose is channels-first only");
    if (data[1] != weight[0] || group < 1 || data[1] % group != 0)
        context.fail(base::concat("data ", toString(data), ", weights ", toString(weight), " and ",
                                  group, " groups do not fit"));
    return {{context.dtype(0), shapeOf(data[0], weight[1] * group, window.output, false)}};
}

std::vector<NumericTensor> evaluateConvTranspose(const OpContext& context,
                                                 const std::vector<TensorType>& types) {
    const Window window = transposedWindow(context);
    const NumericTensor& data = context.numeric(0);
    const NumericTensor& weight = context.numeric(1);
    const std::int64_t group = context.attributes().integer("group", 1);
    const std::int64_t inChannels = data.type.shape[1];
    const std::int64_t perGroup = weight.type.shape[1];
    const std::int64_t outChannels = perGroup * group;
    const std::int64_t inSize = elementCount(window.input);
    const std::int64_t outSize = elementCount(window.output);
    const std::int64_t taps = elementCount(window.kernel);
    const Dims outStrides = rowMajorStrides(window.output);
    NumericTensor out(types[0]);
    const auto scatter = [&](std::int64_t n, std::int64_t i, std::int64_t flat, std::int64_t tap,
                             std::int64_t at) {
        const std::int64_t g = i / (inChannels / group);
        for (std::int64_t o = 0; o < perGroup; ++o) {
            const std::int64_t target = (n * outChannels + g * perGroup + o) * outSize + at;
            out.set(target, out.real(target) + data.real((n * inChannels + i) * inSize + flat) *
                                                   weight.real((i * perGroup + o) * taps + tap));
        }
    };
    forEachIndex(window.input, [&](std::int64_t flat, const Dims& p) {
        forEachIndex(window.kernel, [&](std::int64_t tap, const Dims& k) {
            std::int64_t at = 0;
            for (std::size_t d = 0; d < p.size(); ++d) {
                const std::int64_t x =
                    p[d] * window.strides[d] + k[d] * window.dilations[d] - window.padBefore[d];
                if (x < 0 || x >= window.output[d])
                    return;
                at += x * outStrides[d];
            }
            for (std::int64_t n = 0; n < data.type.shape[0]; ++n)
                for (std::int64_t i = 0; i < inChannels; ++i)
                    scatter(n, i, flat, tap, at);
        });
    });
    if (context.has(2))
        for (std::int64_t i = 0; i < out.size(); ++i)
            out.set(i, out.real(i) + context.numeric(2).real((i / outSize) % outChannels));
    return {std::move(out)};
}

} // namespace

void addConvolutionOps(OpTable& table) {
    table["Conv"] = {PatternKind::OutFusable, inferConv, evaluateConv};
    table["ConvTranspose"] = {PatternKind::OutFusable, inferConvTranspose, evaluateConvTranspose};
}

} // namespace tilewright::graph
