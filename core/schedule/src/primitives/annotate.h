// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"

namespace tilewright::schedule {

/// Leaves an existing key as it is.
Outcome<void> annotate(ScheduleState& state, SrefId target, const std::string& key,
                       ir::AttrValue value);
Outcome<void> unannotate(ScheduleState& state, SrefId target, const std::string& key);

} // namespace tilewright::schedule
