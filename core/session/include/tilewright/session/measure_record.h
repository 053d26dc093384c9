// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_writer.h>
#include <tilewright/json/value.h>
#include <tilewright/measure/device_runner.h>
#include <tilewright/schedule/trace.h>
#include <tilewright/target/target.h>

#include <filesystem>
#include <optional>
#include <string>

namespace tilewright::session {

/// Something to measure by hand: a stored record again, or a trace that somebody edited.
struct ManualMeasurement {
    std::optional<database::RecordId> record; ///< measure this one's trace again
    std::string task;                         ///< else: the task's name
    std::optional<schedule::Trace> trace;     ///< and the trace
    std::string target;                       ///< of the task, when several have that name
    measure::RunnerSettings runner;           ///< evaluator, devices
};

/// Builds, runs and verifies it in processes of their own and stores the outcome as a new record of
/// origin `manual`, whatever it is. Returns the stored record, names filled in. Throws UserError:
/// `database-record`, `database-module`, `option` for a task that is not there.
database::TuningRecord measureManually(database::StoreWriter& store,
                                       const ManualMeasurement& request);

/// The same in a work directory: by its engine between two rounds while one owns it, else with the
/// directory's lock. The engine's answer is waited for up to an hour.
database::TuningRecord measureIn(const std::filesystem::path& workDir,
                                 const ManualMeasurement& request);

json::Value toJson(const ManualMeasurement& request);
/// Throws UserError for what does not fit.
ManualMeasurement manualMeasurementFromJson(const json::Value& value);

} // namespace tilewright::session
