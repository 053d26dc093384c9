// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a measurement becomes the fields of a tuning record.

#include <tilewright/database/record.h>
#include <tilewright/measure/arg_info.h>
#include <tilewright/measure/measure_batch.h>

#include <string>
#include <vector>

namespace tilewright::search {

/// Marks a record as failed: its samples are MetaSchedule's kFailedSeconds.
void putFailure(database::TuningRecord& record, measure::Status status, std::string message);

/// Status, message, samples, device, seconds spent and verification of one candidate.
void putResult(database::TuningRecord& record, const measure::BatchResult& result);

/// JSON of the arguments as TVM has them: a list of `["TENSOR","float32",[2,3]]`.
std::string argsInfoJson(const std::vector<measure::ArgInfo>& args);

} // namespace tilewright::search
