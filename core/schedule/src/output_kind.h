// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/instruction.h>

namespace tilewright::schedule {

/// The kind of variable an instruction gives: by its name, for names of variables carry no meaning.
inline RvKind outputKind(const InstructionKind& kind) {
    const std::string_view name = kind.name;
    if (name == "SampleCategorical" || name == "SamplePerfectTile" ||
        name == "SamplePartitionedTile")
        return RvKind::Expr;
    if (name == "SampleComputeLocation" || name == "GetLoops" || name == "Merge" ||
        name == "Fuse" || name == "Split" || name == "LoopPartition" || name == "AddUnitLoop")
        return RvKind::Loop;
    return RvKind::Block;
}

} // namespace tilewright::schedule
