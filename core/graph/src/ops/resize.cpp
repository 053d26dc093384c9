// SPDX-License-Identifier: Apache-2.0
#include "../copy_by_index.h"
#include "../op_table.h"
#include "../resize_geometry.h"

#include <tilewright/base/concat.h>

#include <algorithm>
#include <cmath>

namespace tilewright::graph {

ResizeGeometry resizeGeometry(const OpContext& context) {
    const Dims& in = context.shape(0);
    const Attributes& attributes = context.attributes();
    ResizeGeometry g;
    g.mode = attributes.text("mode", "nearest");
    g.transform = attributes.text("coordinate_transformation_mode", "half_pixel");
    g.nearest = attributes.text("nearest_mode", "round_prefer_floor");
    if (g.mode != "nearest" && g.mode != "linear")
        context.fail(base::concat("mode ", g.mode, " is not supported; nearest and linear are"));
    if (g.transform == "tf_crop_and_resize" || attributes.integer("antialias", 0) != 0 ||
        attributes.has("axes"))
        context.fail("crop, antialias and axes are not supported");
    const bool sized = context.has(3);
    auto scales = context.reals(2);
    const auto sizes = context.integers(3);
    if (!sized && (!scales || scales->size() != in.size()))
        context.fail("scales or sizes have to be constants, one a dimension");
    if (sized && (!sizes || sizes->size() != in.size()))
        context.fail("sizes have to be constants, one a dimension");
    for (std::size_t d = 0; d < in.size(); ++d) {
        const double extent = static_cast<double>(in[d]);
        g.output.push_back(sized ? (*sizes)[d]
                                 : static_cast<std::int64_t>(std::floor(extent * (*scales)[d])));
        g.scales.push_back(sized ? static_cast<double>(g.output[d]) / extent : (*scales)[d]);
        if (g.output[d] < 1)
            context.fail("an output dimension is empty");
    }
    return g;
}

namespace {

double sourcePosition(const ResizeGeometry& g, const Dims& input, std::size_t d, std::int64_t o) {
    const double x = static_cast<double>(o);
    const double scale = g.scales[d];
    if (g.transform == "asymmetric")
        return x / scale;
    if (g.transform == "align_corners")
        return g.output[d] == 1
                   ? 0.0
                   : x * static_cast<double>(input[d] - 1) / static_cast<double>(g.output[d] - 1);
    if (g.transform == "pytorch_half_pixel" && g.output[d] == 1)
        return 0.0;
    if (g.transform == "tf_half_pixel_for_nn")
        return (x + 0.5) / scale;
    return (x + 0.5) / scale - 0.5;
}

double nearestOf(const ResizeGeometry& g, double x) {
    if (g.nearest == "floor")
        return std::floor(x);
    if (g.nearest == "ceil")
        return std::ceil(x);
    if (g.nearest == "round_prefer_ceil")
        return std::floor(x + 0.5);
    return std::ceil(x - 0.5);
}

} // namespace

std::vector<ResizeTap> resizeTaps(const ResizeGeometry& geometry, const Dims& input,
                                  std::size_t d) {
    std::vector<ResizeTap> taps;
    const std::int64_t last = input[d] - 1;
    for (std::int64_t o = 0; o < geometry.output[d]; ++o) {
        const double x = sourcePosition(geometry, input, d, o);
        if (geometry.mode == "nearest" || geometry.scales[d] == 1.0) {
            const double chosen = geometry.mode == "nearest" ? nearestOf(geometry, x) : x;
            const auto at = std::clamp<std::int64_t>(static_cast<std::int64_t>(chosen), 0, last);
            taps.push_back({at, at, 0.0});
            continue;
        }
        const double floor = std::floor(x);
        const auto low = static_cast<std::int64_t>(floor);
        taps.push_back({std::clamp<std::int64_t>(low, 0, last),
                        std::clamp<std::int64_t>(low + 1, 0, last), x - floor});
    }
    return taps;
}

namespace {

std::vector<TensorType> inferResize(const OpContext& context) {
    return {{context.dtype(0), resizeGeometry(context).output}};
}

std::vector<NumericTensor> evaluateResize(const OpContext& context,
                                          const std::vector<TensorType>& types) {
    const ResizeGeometry g = resizeGeometry(context);
    NumericTensor current = context.numeric(0);
    for (std::size_t d = 0; d < g.output.size(); ++d) {
        if (g.output[d] == current.type.shape[d] && g.scales[d] == 1.0)
            continue;
        const auto taps = resizeTaps(g, context.shape(0), d);
        TensorType type = current.type;
        type.shape[d] = g.output[d];
        const Dims strides = rowMajorStrides(current.type.shape);
        NumericTensor next(type);
        forEachIndex(type.shape, [&](std::int64_t flat, const Dims& index) {
            std::int64_t base = 0;
            for (std::size_t k = 0; k < index.size(); ++k)
                base += k == d ? 0 : index[k] * strides[k];
            const ResizeTap& tap = taps[static_cast<std::size_t>(index[d])];
            const double low = current.real(base + tap.low * strides[d]);
            const double high = current.real(base + tap.high * strides[d]);
            next.set(flat, tap.weight == 0 ? low : low + (high - low) * tap.weight);
        });
        current = std::move(next);
    }
    current.type = types[0];
    return {std::move(current)};
}

} // namespace

void addResizeOps(OpTable& table) {
    table["Resize"] = {PatternKind::Injective, inferResize, evaluateResize};
}

} // namespace tilewright::graph
