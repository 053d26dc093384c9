// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>

namespace tilewright::lower {

/// What the lowering needs to know of the machine.
struct LowerOptions {
    int vectorBits = 256;     ///< width of a vector register
    int vectorRegisters = 16; ///< architectural vector registers
    bool maskedMemory = true; ///< lane-masked loads and stores exist
    /// Keep a reduction's accumulators in registers and unroll the loops that address them.
    bool promoteAccumulators = true;
    /// Largest number of statements that unrolling may make of one loop.
    int unrollLimit = 512;
};

/// TensorIR to a loop nest without blocks, before vectorisation and unrolling: block iterators are
/// replaced by their values, predicates and reduction inits are `if`s, buffers that the function
/// allocates stand as AllocBuffer at the innermost place that holds every use and are shrunk to the
/// region used there; loops of extent 1 without annotations are gone and indices are simplified.
/// Buffers keep their dimensions. Throws base::UserError (kind `lower`) for what cannot be lowered.
ir::PrimFunc lowerToLoops(const ir::PrimFunc& function);

/// lowerToLoops, then everything up to what code generation emits: one-dimensional buffers, no
/// vectorised loops (vector expressions instead), accumulators in `register` buffers (one vector an
/// element, constant indices), unrolled loops replicated. Throws like lowerToLoops.
ir::PrimFunc lowerFunction(const ir::PrimFunc& function, const LowerOptions& options);

} // namespace tilewright::lower
