// SPDX-License-Identifier: Apache-2.0
#include "../matmul_geometry.h"
#include "../window.h"
#include "kernel_context.h"
#include "window_stages.h"

#include <tilewright/op/nn.h>

namespace tilewright::graph {

namespace {

using ir::Expr;

op::Window toOp(const Window& window) {
    return {window.kernel, window.strides, window.padBefore, window.padAfter, window.dilations};
}

/// Channels-last convolution. Weights are [spatial…, in / groups, out]: the innermost dimension
/// of result, weights and (for depthwise) data is the channel, which vectors run along.
op::Tensor legalizeConvLast(KernelContext& kernel, const Window& window) {
    const op::Tensor data = kernel.input(0);
    const op::Tensor weight = kernel.input(1);
    const op::Shape outShape = kernel.outputShape();
    const op::Shape weightShape = weight.shape();
    const std::int64_t groups = kernel.attributes().integer("group", 1);
    const std::int64_t each = weightShape[weightShape.size() - 2];
    const std::int64_t perGroup = outShape.back() / groups;
    const op::Tensor padded = padWindow(kernel, data, window, true, ir::makeConst(0, data.dtype()));
    std::vector<op::Axis> reduce = tapAxes(window);
    const bool overChannels = each > 1 || reduce.empty();
    if (overChannels)
        reduce.push_back({"rc", each});
    return kernel.builder().reduce("conv2d_nhwc", windowAxes(outShape, true), reduce,
                                   op::Reducer::Sum, [&](const op::Axes& s, const op::Axes& r) {
                                       const Expr inner = overChannels ? r.back() : ir::makeInt(0);
                                       const Expr group =
                                           groups > 1
                                               ? ir::floorDiv(s.back(), ir::makeInt(perGroup))
                                               : ir::makeInt(0);
                                       const op::Axes taps = allTaps(window, r);
                                       op::Axes at{s[0]};
                                       op::Axes w;
                                       for (std::size_t d = 0; d < taps.size(); ++d) {
                                           at.push_back(tapIndex(window, d, s[d + 1], taps[d]));
                                           w.push_back(taps[d]);
                                       }
                                       at.push_back(group * ir::makeInt(each) + inner);
                                       w.push_back(inner);
                                       w.push_back(s.back());
                                       return padded(at) * weight(w);
                                   });
}

op::Tensor legalizeConv(KernelContext& kernel) {
    const Window window = convolutionWindow(kernel.rules());
    if (kernel.has(2))
        kernel.fail("the bias was not detached");
    if (isChannelsLast(kernel.rules()))
        return legalizeConvLast(kernel, window);
    return op::conv(kernel.builder(), kernel.input(0), kernel.input(1), toOp(window),
                    kernel.attributes().integer("group", 1), "conv");
}

op::Tensor legalizeConvTranspose(KernelContext& kernel) {
    const Window window = transposedWindow(kernel.rules());
    if (kernel.attributes().integer("group", 1) != 1)
        kernel.fail("ConvTranspose with groups is not supported");
    for (const auto pad : window.padBefore)
        if (pad < 0)
            kernel.fail("ConvTranspose with negative pads is not supported");
    Dims extra;
    for (std::size_t d = 0; d < window.input.size(); ++d) {
        const std::int64_t plain = (window.input[d] - 1) * window.strides[d] - window.padBefore[d] -
                                   window.padAfter[d] +
                                   (window.kernel[d] - 1) * window.dilations[d] + 1;
        extra.push_back(window.output[d] - plain);
        if (extra.back() < 0)
            kernel.fail("ConvTranspose to this output shape is not supported");
    }
    return op::convTranspose(kernel.builder(), kernel.input(0), kernel.input(1), toOp(window),
                             extra);
}

/// Index of an operand's matrix within the broadcast batch.
op::Axes batchIndex(const op::Axes& s, const Dims& own, std::size_t batchRank) {
    op::Axes at;
    for (std::size_t d = 0; d < own.size(); ++d)
        at.push_back(own[d] == 1 ? ir::makeInt(0) : s[batchRank - own.size() + d]);
    return at;
}

op::Tensor legalizeMatmul(KernelContext& kernel) {
    const MatmulGeometry g = matmulGeometry(kernel.rules());
    const op::Tensor a = kernel.input(0);
    const op::Tensor b = kernel.input(1);
    const bool vectorA = kernel.rules().rank(0) == 1;
    const bool vectorB = kernel.rules().rank(1) == 1;
    std::vector<op::Axis> spatial;
    for (std::size_t d = 0; d < g.batch.size(); ++d)
        spatial.push_back({"b" + std::to_string(d), g.batch[d]});
    if (!vectorA)
        spatial.push_back({"i", g.m});
    if (!vectorB)
        spatial.push_back({"j", g.n});
    if (spatial.empty())
        spatial.push_back({"i", 1});
    const std::size_t batch = g.batch.size();
    return kernel.builder().reduce("matmul", spatial, {{"k", g.k}}, op::Reducer::Sum,
                                   [&](const op::Axes& s, const op::Axes& r) {
                                       op::Axes left = batchIndex(s, g.batchA, batch);
                                       op::Axes right = batchIndex(s, g.batchB, batch);
                                       if (!vectorA)
                                           left.push_back(s[batch]);
                                       left.push_back(r[0]);
                                       right.push_back(r[0]);
                                       if (!vectorB)
                                           right.push_back(s.back());
                                       return a(left) * b(right);
                                   });
}

} // namespace

void addContractionRules(LegalizeTable& table) {
    table["Conv"] = legalizeConv;
    table["ConvTranspose"] = legalizeConvTranspose;
    table["MatMul"] = legalizeMatmul;
}

} // namespace tilewright::graph
