// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "op_context.h"

namespace tilewright::graph {

/// How each dimension of a Resize maps output to input positions.
struct ResizeGeometry {
    Dims output;
    std::vector<double> scales;
    std::string mode;      ///< nearest or linear
    std::string transform; ///< coordinate_transformation_mode
    std::string nearest;   ///< nearest_mode
};

ResizeGeometry resizeGeometry(const OpContext& context);

/// Two source positions and the weight of the second, for one output position of a dimension.
struct ResizeTap {
    std::int64_t low = 0;
    std::int64_t high = 0;
    double weight = 0;
};

/// Taps of every output position of dimension d; nearest has weight 0.
std::vector<ResizeTap> resizeTaps(const ResizeGeometry& geometry, const Dims& input, std::size_t d);

} // namespace tilewright::graph
