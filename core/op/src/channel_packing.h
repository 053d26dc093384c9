// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/op/operator.h>

namespace tilewright::op {

/// Output channels kept together innermost: the largest of 16, 8, 4 that divides; 1 = none does.
/// 16 floats are one AVX-512 register or two of AVX2: both make full register tiles of it.
std::int64_t channelBlock(std::int64_t channels);
/// [O, C, …] → [O/c, C, …, c].
Shape packedShape(const Shape& weights, std::int64_t block);
ParamPacking packOutputChannels(std::size_t param, const Shape& weights, std::int64_t block);

} // namespace tilewright::op
