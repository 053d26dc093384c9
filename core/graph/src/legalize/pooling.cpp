// SPDX-License-Identifier: Apache-2.0
#include "../window.h"
#include "kernel_context.h"
#include "window_stages.h"

#include <tilewright/op/nn.h>

#include <algorithm>

namespace tilewright::graph {

namespace {

using ir::Expr;

Expr index(std::int64_t value) {
    return ir::makeInt(value);
}

/// Number of taps of each dimension that count in an average at one output position.
Expr countedTaps(const Window& window, std::size_t d, const Expr& out, bool countPadding) {
    const std::int64_t low = countPadding ? -window.padBefore[d] : 0;
    const std::int64_t high = window.input[d] + (countPadding ? window.padAfter[d] : 0);
    const std::int64_t dilation = window.dilations[d];
    const Expr start = out * index(window.strides[d]) - index(window.padBefore[d]);
    const Expr first =
        ir::maximum(index(0), ir::floorDiv(index(low + dilation - 1) - start, index(dilation)));
    const Expr end = ir::minimum(index(window.kernel[d]),
                                 ir::floorDiv(index(high - 1) - start, index(dilation)) + index(1));
    return end - first;
}

/// True when every window lies within what counts, so that the divisor is a constant.
bool alwaysFull(const Window& window, bool countPadding) {
    for (std::size_t d = 0; d < window.kernel.size(); ++d) {
        const std::int64_t reach = (window.output[d] - 1) * window.strides[d] +
                                   (window.kernel[d] - 1) * window.dilations[d] + 1;
        const std::int64_t extent =
            window.input[d] + window.padBefore[d] + (countPadding ? window.padAfter[d] : 0);
        if ((!countPadding && window.padBefore[d] > 0) || reach > extent)
            return false;
    }
    return true;
}

op::Tensor legalizePool(KernelContext& kernel) {
    const Window window = poolingWindow(kernel.rules());
    const bool last = isChannelsLast(kernel.rules());
    const bool greatest = kernel.node().op == "MaxPool";
    const op::Tensor data = kernel.input(0);
    const op::Reducer reducer = greatest ? op::Reducer::Max : op::Reducer::Sum;
    const op::Tensor padded =
        padWindow(kernel, data, window, last, op::identity(reducer, data.dtype()));
    const auto axes = windowAxes(kernel.outputShape(), last);
    const std::size_t offset = last ? 1 : 2;
    std::vector<op::Axis> taps = tapAxes(window);
    if (taps.empty())
        taps.push_back({"rw", 1});
    const op::Tensor pooled =
        kernel.builder().reduce(greatest ? "pool_max" : "pool_sum", axes, taps, reducer,
                                [&](const op::Axes& s, const op::Axes& r) {
                                    op::Axes at = s;
                                    const op::Axes all = allTaps(window, r);
                                    for (std::size_t d = 0; d < all.size(); ++d)
                                        at[d + offset] = tapIndex(window, d, s[d + offset], all[d]);
                                    return padded(at);
                                });
    if (greatest)
        return pooled;
    const bool countPadding = kernel.attributes().integer("count_include_pad", 0) != 0;
    const ir::DataType type = data.dtype();
    if (alwaysFull(window, countPadding)) {
        const double scale = 1.0 / static_cast<double>(elementCount(window.kernel));
        return kernel.builder().compute("pool_avg", axes, [&](const op::Axes& s) {
            return pooled(s) * ir::makeConst(scale, type);
        });
    }
    return kernel.builder().compute("pool_avg", axes, [&](const op::Axes& s) {
        Expr count = index(1);
        for (std::size_t d = 0; d < window.kernel.size(); ++d)
            count = count * countedTaps(window, d, s[d + offset], countPadding);
        return ir::truncDiv(pooled(s), ir::cast(type, ir::maximum(count, index(1))));
    });
}

} // namespace

void addPoolingRules(LegalizeTable& table) {
    table["MaxPool"] = legalizePool;
    table["AveragePool"] = legalizePool;
}

} // namespace tilewright::graph
