// SPDX-License-Identifier: Apache-2.0
#pragma once

// What instructions do: each reads its arguments, calls its primitive and makes the outputs.

#include <tilewright/schedule/instruction.h>

namespace tilewright::schedule {

using Outputs = Outcome<std::vector<Rv>>;

#define TW_INSTRUCTION(Name)                                                                       \
    Outputs apply##Name(Schedule& schedule, const InstructionArguments& arguments);
TW_INSTRUCTION(SampleCategorical)
TW_INSTRUCTION(SamplePerfectTile)
TW_INSTRUCTION(SamplePartitionedTile)
TW_INSTRUCTION(SampleComputeLocation)
TW_INSTRUCTION(GetSBlock)
TW_INSTRUCTION(GetLoops)
TW_INSTRUCTION(GetChildBlocks)
TW_INSTRUCTION(GetProducers)
TW_INSTRUCTION(GetConsumers)
TW_INSTRUCTION(GetOutputBlocks)
TW_INSTRUCTION(Fuse)
TW_INSTRUCTION(Split)
TW_INSTRUCTION(Reorder)
TW_INSTRUCTION(ReorderBlockIterVar)
TW_INSTRUCTION(AddUnitLoop)
TW_INSTRUCTION(Parallel)
TW_INSTRUCTION(Vectorize)
TW_INSTRUCTION(Unroll)
TW_INSTRUCTION(Bind)
TW_INSTRUCTION(CacheRead)
TW_INSTRUCTION(CacheWrite)
TW_INSTRUCTION(ComputeAt)
TW_INSTRUCTION(ReverseComputeAt)
TW_INSTRUCTION(ComputeInline)
TW_INSTRUCTION(ReverseComputeInline)
TW_INSTRUCTION(DecomposeReduction)
TW_INSTRUCTION(RFactor)
TW_INSTRUCTION(Annotate)
TW_INSTRUCTION(Unannotate)
TW_INSTRUCTION(TransformLayout)
TW_INSTRUCTION(EnterPostproc)
#undef TW_INSTRUCTION

} // namespace tilewright::schedule
