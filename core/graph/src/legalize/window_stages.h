// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../window.h"
#include "kernel_context.h"

namespace tilewright::graph {

/// Data with a border of `value` where the window reaches outside; the data where it does not.
op::Tensor padWindow(KernelContext& kernel, const op::Tensor& data, const Window& window,
                     bool channelsLast, const ir::Expr& value);
/// Axes of a result of two spatial dimensions: n, h, w, c (or n, c, h, w).
std::vector<op::Axis> windowAxes(const op::Shape& shape, bool channelsLast);
/// Reduction axes over the window's taps; a dimension of one tap has none.
std::vector<op::Axis> tapAxes(const Window& window);
/// One tap position a dimension, from the axes of tapAxes.
op::Axes allTaps(const Window& window, const op::Axes& reduce);
/// Position in the padded data of tap `k` for output position `out`.
ir::Expr tapIndex(const Window& window, std::size_t d, const ir::Expr& out, const ir::Expr& k);

} // namespace tilewright::graph
