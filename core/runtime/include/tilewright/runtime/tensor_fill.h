// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/runtime/tensor.h>

#include <cstdint>

namespace tilewright::runtime {

enum class FillKind : std::uint8_t {
    Zero = 0,
    /// Every byte 0xff: NaN for floating types, so that an element left unwritten shows.
    Poison = 1,
    /// Uniform in [low, high).
    Uniform = 2,
};

/// How to fill a tensor. The same fill gives the same elements on every machine and in every
/// thread count, because element i depends on (seed, i) alone.
struct Fill {
    FillKind kind = FillKind::Uniform;
    std::uint64_t seed = 1;
    double low = 0;
    double high = 0;
    bool operator==(const Fill&) const = default;
};

/// The fill for timing: floating types uniform in [1, 10), as MetaSchedule fills arguments;
/// 8-bit integers in [0, 10), bool in {0, 1}. Wider integers are 0 or 1, because they may be
/// indices into another argument.
Fill timingFill(ElementType type, std::uint64_t seed);

/// The fill for numeric checks: floating types uniform in [-1, 1), signed integers of 8 and 16 bits
/// in [-8, 8), unsigned in [0, 16), wider integers 0 or 1.
Fill checkFill(ElementType type, std::uint64_t seed);

/// Fills `tensor`; linear in its size, about 1 ns an element.
void fillTensor(Tensor& tensor, const Fill& fill);

/// A 64-bit hash of contents, type and shape, equal on every machine.
std::uint64_t hashTensor(const Tensor& tensor);

} // namespace tilewright::runtime
