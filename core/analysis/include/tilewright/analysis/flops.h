// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>

namespace tilewright::analysis {

/// Arithmetic operations (add, subtract, multiply, divide, modulo, minimum, maximum of any type; an
/// intrinsic call counts one) that running every function once performs: loop extents multiply,
/// branches count the larger side, indices count nothing. The function attribute `estimated_flops`
/// overrides. Loops of unknown extent count as one iteration.
double estimateFlops(const ir::Module& module);
double estimateFlops(const ir::PrimFuncNode& function);
double estimateFlops(const ir::Stmt& stmt);

/// Bytes of all tensor parameters, each counted once; 0 for a symbolic shape.
std::int64_t parameterBytes(const ir::PrimFuncNode& function);
/// Bytes of a buffer with constant shape, else 0.
std::int64_t bufferBytes(const ir::BufferNode& buffer);

} // namespace tilewright::analysis
