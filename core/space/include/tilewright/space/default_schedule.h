// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/schedule.h>

namespace tilewright::space {

/// The schedule of a module that nobody tuned, without sampling: elementwise producers inlined,
/// reductions decomposed, the outer spatial loops of each block fused into one parallel loop, the
/// innermost contiguous spatial loop vectorized at `vectorBits`. It is what compiling falls back
/// to, what every speed-up is measured against, and it works for every module whose blocks are
/// schedulable; blocks that refuse a step keep their loops.
schedule::Schedule defaultSchedule(const ir::Module& module, int vectorBits);

} // namespace tilewright::space
