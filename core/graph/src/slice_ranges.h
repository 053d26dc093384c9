// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "op_context.h"

namespace tilewright::graph {

/// What a Slice takes of each dimension: element begin + i * step for i in 0..extent-1.
struct SliceRanges {
    Dims begin;
    Dims step;
    Dims extent;
};

/// Clamped ranges of a Slice node; UserError when they are not constant or inconsistent.
SliceRanges sliceRanges(const OpContext& context);

/// Amounts of a Pad node: before and after for each dimension (negative values crop).
struct PadAmounts {
    Dims before;
    Dims after;
    double value = 0;
    std::string mode;
};
PadAmounts padAmounts(const OpContext& context);

} // namespace tilewright::graph
