// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "op_context.h"

namespace tilewright::graph {

/// Shapes of a MatMul with vectors seen as matrices: batch… × [m, k] × [k, n].
struct MatmulGeometry {
    Dims batch;  ///< broadcast of both operands' leading dimensions
    Dims batchA; ///< leading dimensions of each operand
    Dims batchB;
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    Dims output; ///< shape of the result, vectors' dimensions dropped
};

MatmulGeometry matmulGeometry(const OpContext& context);

} // namespace tilewright::graph
