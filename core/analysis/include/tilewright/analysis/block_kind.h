// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/analysis/dependence_graph.h>
#include <tilewright/analysis/scope_analysis.h>
#include <tilewright/ir/stmt.h>

#include <span>
#include <string_view>

namespace tilewright::analysis {

/// What keeps a block from being complete; the values are those TVM reports.
enum class CompleteViolation : std::uint8_t {
    None = 0,
    NotDataParallel = 1, ///< an iterator is not data-parallel
    NotDominant = 2,     ///< another block of the scope writes one of its buffers
    ReadsWhatItWrites = 3
};
/// What keeps a block from being a reduction block.
enum class ReductionViolation : std::uint8_t {
    None = 0,
    NoInit = 1,
    NotAffine = 2,
    OtherIterType = 3, ///< an iterator is neither data-parallel nor a reduction
    NotDominant = 4,
    ReductionIndexesOutput = 5 ///< a reduction iterator occurs in the output's indices
};
std::string_view describe(CompleteViolation violation);
std::string_view describe(ReductionViolation violation);

/// Every buffer the block writes has no other writer among those counted.
bool isDominant(const ir::BlockNode& block, const BufferWriters& writers);
CompleteViolation completeViolation(const ir::BlockNode& block, const BufferWriters& writers);
/// `affine` is the block's cached affine-binding flag.
ReductionViolation reductionViolation(const ir::BlockNode& block, const BufferWriters& writers,
                                      bool affine);
/// Conditions 3 and 5 only ("reduction iterators do not index the output").
bool reductionItersIndexOutput(const ir::BlockNode& block);

/// Writers that count for "local complete" and "local reduction" below a loop: those of the blocks
/// nested in the given children.
BufferWriters writersNestedIn(std::span<const ScopeChild> children);
/// Position of the first child that is neither complete nor a reduction block against `writers`, -1
/// when the dataflow is compact. `affine[i]` belongs to child i.
int compactDataflowViolation(std::span<const ScopeChild> children, std::span<const char> affine,
                             const BufferWriters& writers);

/// Writes some buffer that the scope block does not allocate.
bool isOutputBlock(const ir::BlockNode& block, const ir::BlockNode& scope);
/// All iterators are data-parallel.
bool isSpatial(const ir::BlockNode& block);
/// The iterator type a loop has for the child blocks below it: Opaque when a binding of another
/// type, or bindings of both types, mention it; CommReduce when only reduction bindings do; else
/// DataPar.
ir::IterType loopIterType(const ir::ForNode& loop);

} // namespace tilewright::analysis
