// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "op_context.h"

namespace tilewright::graph {

/// Geometry of a sliding window over the spatial dimensions; all lists have one entry each.
struct Window {
    Dims kernel;
    Dims strides;
    Dims dilations;
    Dims padBefore;
    Dims padAfter;
    Dims input;  ///< spatial extents in
    Dims output; ///< spatial extents out
};

/// True when the node works on channels-last data (attribute layout = "NHWC"): input
/// [N, spatial…, C], convolution weights [spatial…, I, O].
bool isChannelsLast(const OpContext& context);
/// Spatial extents of a tensor of the node's layout.
Dims spatialExtents(const Dims& shape, bool channelsLast);
/// Shape with the node's layout.
Dims shapeOf(std::int64_t batch, std::int64_t channels, const Dims& spatial, bool channelsLast);
std::int64_t channelsOf(const Dims& shape, bool channelsLast);

/// Geometry of a Conv: kernel extents from the weights.
Window convolutionWindow(const OpContext& context);
/// Geometry of a pooling node; honours ceil_mode and auto_pad.
Window poolingWindow(const OpContext& context);

/// Geometry of a ConvTranspose in terms of its input: output extents and pads.
Window transposedWindow(const OpContext& context);

/// Data permuted to channels-first, and back.
NumericTensor toChannelsFirst(const NumericTensor& tensor);
NumericTensor toChannelsLast(const NumericTensor& tensor);

} // namespace tilewright::graph
