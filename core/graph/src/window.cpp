// SPDX-License-Identifier: Apache-2.0
#include "window.h"

#include "copy_by_index.h"

#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::graph {

bool isChannelsLast(const OpContext& context) {
    return context.attributes().text("layout", "NCHW") == "NHWC";
}

Dims spatialExtents(const Dims& shape, bool channelsLast) {
    return channelsLast ? Dims(shape.begin() + 1, shape.end() - 1)
                        : Dims(shape.begin() + 2, shape.end());
}

Dims shapeOf(std::int64_t batch, std::int64_t channels, const Dims& spatial, bool channelsLast) {
    Dims shape{batch};
    if (!channelsLast)
        shape.push_back(channels);
    shape.insert(shape.end(), spatial.begin(), spatial.end());
    if (channelsLast)
        shape.push_back(channels);
    return shape;
}

std::int64_t channelsOf(const Dims& shape, bool channelsLast) {
    return channelsLast ? shape.back() : shape.at(1);
}

namespace {

Dims listOf(const OpContext& context, const char* name, std::size_t length, std::int64_t fill) {
    Dims list = context.attributes().integers(name);
    if (list.empty())
        list.assign(length, fill);
    if (list.size() != length)
        context.fail(base::concat(name, " has ", list.size(), " numbers, not ", length));
    return list;
}

void checkWindow(const OpContext& context, const Window& window) {
    for (std::size_t d = 0; d < window.kernel.size(); ++d)
        if (window.kernel[d] < 1 || window.strides[d] < 1 || window.dilations[d] < 1)
            context.fail("kernel, strides and dilations have to be at least 1");
}

/// Pads and output extents by the node's auto_pad, pads and ceil_mode.
void placeWindow(const OpContext& context, Window& window, bool ceilMode) {
    const std::size_t rank = window.input.size();
    checkWindow(context, window);
    const std::string automatic = context.attributes().text("auto_pad", "NOTSET");
    const Dims pads = listOf(context, "pads", 2 * rank, 0);
    for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t reach = (window.kernel[d] - 1) * window.dilations[d] + 1;
        std::int64_t before = pads[d];
        std::int64_t after = pads[d + rank];
        if (automatic == "VALID") {
            before = after = 0;
        } else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
            const std::int64_t out = (window.input[d] + window.strides[d] - 1) / window.strides[d];
            const std::int64_t total =
                std::max<std::int64_t>(0, (out - 1) * window.strides[d] + reach - window.input[d]);
            before = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
            after = total - before;
        } else if (automatic != "NOTSET" && !automatic.empty()) {
            context.fail(base::concat("auto_pad ", automatic, " is not known"));
        }
        const std::int64_t span = window.input[d] + before + after - reach;
        if (span < 0)
            context.fail(base::concat("a window of ", reach, " does not fit an extent of ",
                                      window.input[d] + before + after));
        std::int64_t out = (ceilMode ? span + window.strides[d] - 1 : span) / window.strides[d] + 1;
        // A window that would start in the padding after the data does not count.
        if (ceilMode && (out - 1) * window.strides[d] >= window.input[d] + before)
            --out;
        window.padBefore.push_back(before);
        window.padAfter.push_back(after);
        window.output.push_back(out);
    }
}

/// Data, kernel and steps of a convolution or its transpose, not placed yet.
Window weightedWindow(const OpContext& context) {
    const bool last = isChannelsLast(context);
    const Dims& data = context.shape(0);
    const Dims& weight = context.shape(1);
    if (data.size() < 3 || data.size() != weight.size())
        context.fail(base::concat("data ", toString(data), " and weights ", toString(weight),
                                  " are no convolution"));
    Window window;
    window.input = spatialExtents(data, last);
    const std::size_t rank = window.input.size();
    window.kernel =
        last ? Dims(weight.begin(), weight.end() - 2) : Dims(weight.begin() + 2, weight.end());
    window.strides = listOf(context, "strides", rank, 1);
    window.dilations = listOf(context, "dilations", rank, 1);
    return window;
}

} // namespace

Window convolutionWindow(const OpContext& context) {
    Window window = weightedWindow(context);
    placeWindow(context, window, false);
    return window;
}

Window poolingWindow(const OpContext& context) {
    const Dims& data = context.shape(0);
    if (data.size() < 3)
        context.fail(base::concat("data ", toString(data), " has no spatial dimensions"));
    Window window;
    window.input = spatialExtents(data, isChannelsLast(context));
    const std::size_t rank = window.input.size();
    if (!context.attributes().has("kernel_shape"))
        context.fail("kernel_shape is missing");
    window.kernel = listOf(context, "kernel_shape", rank, 1);
    window.strides = listOf(context, "strides", rank, 1);
    window.dilations = listOf(context, "dilations", rank, 1);
    placeWindow(context, window, context.attributes().integer("ceil_mode", 0) != 0);
    return window;
}

Window transposedWindow(const OpContext& context) {
    Window window = weightedWindow(context);
    const std::size_t rank = window.input.size();
    checkWindow(context, window);
    const Dims extra = listOf(context, "output_padding", rank, 0);
    const Dims pads = listOf(context, "pads", 2 * rank, 0);
    const Dims wanted = context.attributes().integers("output_shape");
    const std::string automatic = context.attributes().text("auto_pad", "NOTSET");
    for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t full = window.strides[d] * (window.input[d] - 1) + extra[d] +
                                  (window.kernel[d] - 1) * window.dilations[d] + 1;
        std::int64_t before = pads[d];
        std::int64_t after = pads[d + rank];
        const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
        if (!wanted.empty() || same) {
            const std::int64_t target = !wanted.empty() ? wanted.at(wanted.size() - rank + d)
                                                        : window.input[d] * window.strides[d];
            const std::int64_t total = full - target;
            after = automatic == "SAME_UPPER" ? total - total / 2 : total / 2;
            before = total - after;
            if (total < 0) { // a larger output than the windows reach: its end stays empty
                before = 0;
                after = total;
            }
        }
        window.padBefore.push_back(before);
        window.padAfter.push_back(after);
        window.output.push_back(full - before - after);
        if (window.output.back() < 1)
            context.fail("pads leave no output");
    }
    return window;
}

NumericTensor toChannelsFirst(const NumericTensor& tensor) {
    const auto rank = static_cast<std::int64_t>(tensor.type.shape.size());
    Dims perm{0, rank - 1};
    for (std::int64_t d = 1; d + 1 < rank; ++d)
        perm.push_back(d);
    return transposed(tensor, perm);
}

NumericTensor toChannelsLast(const NumericTensor& tensor) {
    const auto rank = static_cast<std::int64_t>(tensor.type.shape.size());
    Dims perm{0};
    for (std::int64_t d = 2; d < rank; ++d)
        perm.push_back(d);
    perm.push_back(1);
    return transposed(tensor, perm);
}

} // namespace tilewright::graph
