// SPDX-License-Identifier: Apache-2.0
#include "window_stages.h"

#include <tilewright/op/nn.h>

#include <algorithm>

namespace tilewright::graph {

namespace {

const char* spatialName(std::size_t rank, std::size_t d) {
    static const char* const names[] = {"d", "h", "w"};
    return rank <= 3 ? names[3 - rank + d] : "x";
}

} // namespace

op::Tensor padWindow(KernelContext& kernel, const op::Tensor& data, const Window& window,
                     bool channelsLast, const ir::Expr& value) {
    const std::size_t rank = window.kernel.size();
    op::Shape before(rank + 2, 0);
    op::Shape after(rank + 2, 0);
    bool any = false;
    for (std::size_t d = 0; d < rank; ++d) {
        const std::size_t at = d + (channelsLast ? 1 : 2);
        // The last window may reach beyond the pads (ceil_mode), or end before them.
        const std::int64_t reach = (window.output[d] - 1) * window.strides[d] +
                                   (window.kernel[d] - 1) * window.dilations[d] + 1;
        before[at] = window.padBefore[d];
        after[at] = std::max<std::int64_t>(0, reach - window.input[d] - window.padBefore[d]);
        any = any || before[at] != 0 || after[at] != 0;
    }
    return any ? op::pad(kernel.builder(), data, before, after, value, "pad_temp") : data;
}

std::vector<op::Axis> windowAxes(const op::Shape& shape, bool channelsLast) {
    std::vector<op::Axis> axes{{"n", shape[0]}};
    const std::size_t rank = shape.size() - 2;
    if (!channelsLast)
        axes.push_back({"c", shape[1]});
    for (std::size_t d = 0; d < rank; ++d)
        axes.push_back({spatialName(rank, d), shape[d + (channelsLast ? 1 : 2)]});
    if (channelsLast)
        axes.push_back({"c", shape.back()});
    return axes;
}

std::vector<op::Axis> tapAxes(const Window& window) {
    std::vector<op::Axis> axes;
    for (std::size_t d = 0; d < window.kernel.size(); ++d)
        if (window.kernel[d] > 1)
            axes.push_back(
                {std::string("r") + spatialName(window.kernel.size(), d), window.kernel[d]});
    return axes;
}

op::Axes allTaps(const Window& window, const op::Axes& reduce) {
    op::Axes taps;
    std::size_t next = 0;
    for (const auto extent : window.kernel)
        taps.push_back(extent > 1 ? reduce[next++] : ir::makeInt(0));
    return taps;
}

ir::Expr tapIndex(const Window& window, std::size_t d, const ir::Expr& out, const ir::Expr& k) {
    return out * ir::makeInt(window.strides[d]) + k * ir::makeInt(window.dilations[d]);
}

} // namespace tilewright::graph
