// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/runtime/tensor.h>

#include <cstdint>
#include <string>

namespace tilewright::runtime {

/// An element passes when |actual − expected| ≤ absolute + relative · |expected|.
struct Tolerance {
    double relative = 1e-5;
    double absolute = 1e-6;
};

/// What a comparison found. Errors are the largest over all elements; `worstIndex` is the row-major
/// index of the element that misses its tolerance most, -1 when none does.
struct Comparison {
    bool equal = true;
    std::int64_t mismatches = 0;
    std::int64_t worstIndex = -1;
    double worstActual = 0;
    double worstExpected = 0;
    double maxAbsolute = 0;
    /// max |actual − expected| / (|expected| + rms(expected)).
    double maxRelative = 0;
    /// One line for the user; empty when equal.
    std::string message;
};

/// Compares element by element. A NaN equals only a NaN, an infinity only the same one; different
/// types or shapes are a mismatch with a message.
Comparison compareTensors(const Tensor& actual, const Tensor& expected, Tolerance tolerance);

} // namespace tilewright::runtime
