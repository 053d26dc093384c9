// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilewright::graph {

/// How an operator may be fused, weakest first. The order matters: a path between two operators
/// is described by the greatest kind on it.
enum class PatternKind : std::uint8_t {
    ElementWise, ///< output index = input index
    Broadcast,   ///< as element-wise, an input may be repeated along axes
    Injective,   ///< each output element reads one element of each input: reshape, transpose
    Reduction,   ///< commutative reduction of an input
    OutFusable,  ///< complex (convolution, product); element-wise results may be fused after it
    Opaque,      ///< never fused
};

} // namespace tilewright::graph
