// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/session/record_view.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// A decision that somebody changed by hand, written as tables show it: `7·2·2·1` (also with blanks
/// or commas), `512`, `loop 2`, `root`, `inline`.
struct DecisionEdit {
    std::size_t instruction = 0; ///< of the record's trace
    std::string value;
};

/// What became of edits: the new schedule, or why it is refused.
struct EditedSchedule {
    bool legal = false;
    std::string message;                    ///< why not; empty when legal
    std::optional<std::size_t> instruction; ///< that the message is about
    std::string script;                     ///< the scheduled module; of legal ones only
    std::string trace;                      ///< TVM's file form, to be measured
    std::vector<std::string> adjusted;      ///< decisions that the schedule repaired, in words
};

/// Replays a record with other decisions: tiles must multiply to their loop's extent, choices be
/// among those offered, and the schedule must apply; then the target's postprocessors are applied
/// anew, as the search does. Never throws for what the edits ask; throws UserError for a record
/// that cannot be read.
EditedSchedule editDecisions(const RecordView& record, const std::vector<DecisionEdit>& edits);

} // namespace tilewright::session
