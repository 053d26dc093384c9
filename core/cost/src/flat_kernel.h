// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>

#include <vector>

namespace tilewright::cost {

/// A store below its loops: no blocks, indices in terms of loop variables.
struct FlatStore {
    std::vector<const ir::ForNode*> loops; ///< outermost first
    ir::Buffer buffer;
    std::vector<ir::Expr> indices;
    ir::Expr value;
};

/// An allocated buffer, shrunk to what is used of it, and the loops outside its allocation.
struct FlatAllocation {
    ir::Buffer buffer;
    std::vector<const ir::ForNode*> loops;
};

/// What the features see of a function: its stores in order and its buffers. The original function
/// must outlive it (loops are its nodes).
struct FlatKernel {
    std::vector<FlatStore> stores;
    std::vector<FlatAllocation> allocations; ///< parameters included, with no loops
};

/// Brings a scheduled function into the form that the published features are defined on: serial
/// loops of one iteration are gone, block iterators replaced by their values, allocated buffers
/// stand at the innermost loop with every use and have the shape used there, expressions are
/// simplified.
FlatKernel flattenKernel(const ir::PrimFuncNode& function);

} // namespace tilewright::cost
