// SPDX-License-Identifier: Apache-2.0
#include "primitives/add_unit_loop.h"

namespace tilewright::schedule {

Outcome<SrefId> addUnitLoop(ScheduleState& state, SrefId target) {
    if (!state.parent(target).valid())
        return fail("ValueError", "A unit loop cannot be put around the root block");
    const ir::Stmt inner =
        state.isLoop(target) ? ir::Stmt(state.loop(target)) : ir::Stmt(state.realize(target));
    const ir::Stmt loop =
        ir::makeFor(ir::makeVar("u"), ir::makeInt(0), ir::makeInt(1), ir::ForKind::Serial, inner);
    state.replace(target, loop);
    return state.find(loop);
}

} // namespace tilewright::schedule
