// SPDX-License-Identifier: Apache-2.0
#pragma once

// What events of an engine and events made from a store have in common.

#include <tilewright/database/record.h>
#include <tilewright/database/session_rows.h>
#include <tilewright/json/value.h>
#include <tilewright/search/tune.h>

#include <string_view>

namespace tilewright::session {

/// `resume`, `skip`, `freeze`, `boost`: the words of the control socket.
std::string_view toString(search::TaskOrder order);
/// Everything of a record that watchers need: id, task_id, trial, status, origin, median_us, lo_us,
/// hi_us, n, full, round, predicted, device, build_s, run_s, verified, error.
void addRecordMembers(json::Object& event, const database::TuningRecord& record);
/// Id, name, input, target, seed, budget, options, environment, started_ms.
void addSessionMembers(json::Object& event, const database::Session& session);

} // namespace tilewright::session
