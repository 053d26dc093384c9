// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every primitive includes. A primitive is a function of the state: it checks first and edits
// last, through ScheduleState::replace, so that a refusal leaves the state as it was. It returns
// the new loops or blocks.

#include <tilewright/ir/make.h>
#include <tilewright/schedule/failure.h>
#include <tilewright/schedule/schedule_state.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::schedule {

/// Which buffer of a block: one it reads or one it writes.
enum class BufferIndexType : std::uint8_t { Read = 0, Write = 1 };

} // namespace tilewright::schedule
