// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// `factors`: null handle = inferred. New loops, outermost first.
Outcome<std::vector<SrefId>> split(ScheduleState& state, SrefId loop,
                                   const std::vector<ir::Expr>& factors, bool preserveUnitIters,
                                   bool disablePredication);

} // namespace tilewright::schedule
