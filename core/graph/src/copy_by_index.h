// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "op_context.h"

namespace tilewright::graph {

/// Copies one element, keeping integers exact.
inline void copyElement(const NumericTensor& from, std::int64_t source, NumericTensor& to,
                        std::int64_t target) {
    if (from.isReal())
        to.set(target, from.real(source));
    else
        to.setInteger(target, from.integer(source));
}

/// Fills an output whose every element is one of the input's: source(index) is a flat index.
template <class Source>
NumericTensor copyByIndex(const NumericTensor& input, const TensorType& type, Source&& source) {
    NumericTensor out(type);
    forEachIndex(type.shape, [&](std::int64_t flat, const Dims& index) {
        copyElement(input, source(index), out, flat);
    });
    return out;
}

/// Permutes dimensions: output dimension d is input dimension perm[d].
NumericTensor transposed(const NumericTensor& input, const Dims& perm);

} // namespace tilewright::graph
