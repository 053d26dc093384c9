// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/record.h>
#include <tilewright/json/value.h>

#include <optional>

namespace tilewright::session {

/// Seconds as microseconds; null when there are none.
json::Value microseconds(std::optional<double> seconds);

/// A record as `records --json` prints it: id, task, workload, target, status, error, median_us,
/// lo_us, hi_us, n, trial, time, session. median_us is null exactly when the status is not ok; n
/// counts samples.
json::Value recordToJson(const database::TuningRecord& record);

} // namespace tilewright::session
