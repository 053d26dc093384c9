// SPDX-License-Identifier: Apache-2.0
// A measurement by hand as a request to the engine that owns the directory.
#include <tilewright/session/measure_record.h>

#include "event_reading.h"
#include "owned_store.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/session/module_codec.h>

namespace tilewright::session {

namespace {

json::Value evaluatorJson(const measure::EvaluatorConfig& evaluator) {
    json::Object object;
    object.set("number", evaluator.number);
    object.set("repeat", evaluator.repeat);
    object.set("min_repeat_ms", evaluator.minRepeatMs);
    object.set("cpu_cache_flush", evaluator.enableCpuCacheFlush);
    object.set("cold_caches", evaluator.coldCaches);
    return json::Value(std::move(object));
}

measure::EvaluatorConfig evaluatorFromJson(const json::Value& value) {
    measure::EvaluatorConfig evaluator;
    evaluator.number = static_cast<int>(integerIn(value, "number").value_or(evaluator.number));
    evaluator.repeat = static_cast<int>(integerIn(value, "repeat").value_or(10));
    evaluator.minRepeatMs = numberIn(value, "min_repeat_ms").value_or(evaluator.minRepeatMs);
    evaluator.enableCpuCacheFlush = flagIn(value, "cpu_cache_flush").value_or(false);
    evaluator.coldCaches = flagIn(value, "cold_caches").value_or(false);
    return evaluator;
}

} // namespace

json::Value toJson(const ManualMeasurement& request) {
    json::Object object;
    object.set("command", "measure");
    if (request.record)
        object.set("record", request.record->value);
    object.set("task", request.task);
    object.set("target", request.target);
    if (request.trace)
        object.set("trace", request.trace->toJson());
    object.set("evaluator", evaluatorJson(request.runner.evaluator));
    json::Array devices;
    for (const measure::Device& device : request.runner.devices) {
        json::Object row;
        row.set("key", device.key);
        row.set("command", device.command);
        row.set("target", device.target);
        row.set("runners", device.runners);
        devices.emplace_back(std::move(row));
    }
    object.set("devices", std::move(devices));
    return json::Value(std::move(object));
}

ManualMeasurement manualMeasurementFromJson(const json::Value& value) {
    ManualMeasurement request;
    if (const auto id = integerIn(value, "record"))
        request.record = database::RecordId(*id);
    request.task = textIn(value, "task");
    request.target = textIn(value, "target");
    if (const json::Value* trace = value.find("trace"))
        request.trace = schedule::Trace::fromJson(*trace);
    if (!request.record && (request.task.empty() || !request.trace))
        throw base::UserError("usage", "either a record, or a task with a trace, is required");
    if (const json::Value* evaluator = value.find("evaluator"))
        request.runner.evaluator = evaluatorFromJson(*evaluator);
    if (const json::Value* list = value.find("devices"); list && list->isArray())
        for (const json::Value& row : list->asArray()) {
            measure::Device device;
            device.key = textIn(row, "key");
            device.command = textIn(row, "command");
            device.target = textIn(row, "target");
            device.runners = static_cast<int>(integerIn(row, "runners").value_or(1));
            request.runner.devices.push_back(std::move(device));
        }
    if (request.runner.devices.empty())
        request.runner.devices = {measure::localDevice()};
    return request;
}

database::TuningRecord measureIn(const std::filesystem::path& workDir,
                                 const ManualMeasurement& request) {
    if (const auto answer = askOwner(workDir, toJson(request), std::chrono::hours(1))) {
        const database::StoreReader reader(workDir);
        const auto record =
            reader.record(database::RecordId(integerIn(*answer, "record").value_or(-1)));
        if (!record)
            throw base::UserError("database-record", "the measured record is gone");
        return *record;
    }
    database::StoreWriter store(workDir, makeModuleCodec());
    return measureManually(store, request);
}

} // namespace tilewright::session
