// SPDX-License-Identifier: Apache-2.0
#include "engine_events.h"

#include "event_members.h"

#include <tilewright/json/parse.h>
#include <tilewright/session/record_json.h>

namespace tilewright::session {

void EngineEvents::send(json::Object event) {
    const json::Value complete = log_.append(std::move(event));
    if (sink_)
        sink_(complete);
    if (afterEvent)
        afterEvent();
}

json::Object EngineEvents::event(std::string_view kind) const {
    json::Object object;
    object.set("event", kind);
    return object;
}

json::Object EngineEvents::taskEvent(std::string_view kind, std::size_t task) const {
    json::Object object = event(kind);
    object.set("task", tasks_[task].name);
    return object;
}

void EngineEvents::taskStarted(std::size_t task) {
    json::Object object = taskEvent("task", task);
    object.set("state", "started");
    object.set("weight", tasks_[task].weight);
    object.set("flop", tasks_[task].flop);
    send(std::move(object));
}

void EngineEvents::taskEnded(std::size_t task, const std::string& reason) {
    json::Object object = taskEvent("task", task);
    object.set("state", "ended");
    object.set("reason", reason);
    send(std::move(object));
}

void EngineEvents::roundStarted(std::size_t task, int round, int candidates) {
    json::Object object = taskEvent("round", task);
    object.set("state", "started");
    object.set("round", round);
    object.set("candidates", candidates);
    send(std::move(object));
}

void EngineEvents::roundEnded(std::size_t task, const database::Round& round) {
    json::Object object = taskEvent("round", task);
    object.set("state", "ended");
    object.set("task_id", round.task.value);
    object.set("round", round.round);
    object.set("trials", round.trials);
    object.set("info", json::parse(round.info));
    send(std::move(object));
}

void EngineEvents::recordCommitted(std::size_t task, const database::TuningRecord& record) {
    if (record.predicted) {
        json::Object prediction = taskEvent("prediction", task);
        prediction.set("id", record.id.value);
        prediction.set("score", *record.predicted);
        send(std::move(prediction));
    }
    if (onRecord)
        onRecord(tasks_[task].name, record);
    sendRecord(taskEvent("record", task), record);
}

void EngineEvents::recordMade(const database::TuningRecord& record) {
    json::Object object = event("record");
    object.set("task", record.taskName);
    sendRecord(std::move(object), record);
}

void EngineEvents::sendRecord(json::Object object, const database::TuningRecord& record) {
    addRecordMembers(object, record);
    send(std::move(object));
}

void EngineEvents::metadataChanged() {
    send(event("metadata"));
}

void EngineEvents::sessionStarted(const database::Session& session, std::int64_t runMs) {
    json::Object object = event("session");
    object.set("state", session.state);
    addSessionMembers(object, session);
    object.set("run_ms", runMs);
    json::Array tasks;
    for (const search::TuneTask& task : tasks_) {
        json::Object row;
        row.set("name", task.name);
        row.set("weight", task.weight);
        row.set("flop", task.flop);
        row.set("bytes", task.bytes);
        tasks.emplace_back(std::move(row));
    }
    object.set("tasks", std::move(tasks));
    send(std::move(object));
}

void EngineEvents::taskOrdered(const std::string& task, search::TaskOrder order) {
    json::Object object = event("order");
    object.set("task", task);
    object.set("order", toString(order));
    send(std::move(object));
}

void EngineEvents::phaseChanged(std::string_view phase) {
    if (phase == phase_)
        return;
    phase_ = phase;
    json::Object object = event("phase");
    object.set("phase", phase);
    send(std::move(object));
}

void EngineEvents::sessionChanged(std::string_view state) {
    json::Object object = event("session");
    object.set("state", state);
    send(std::move(object));
}

void EngineEvents::error(std::string_view message) {
    json::Object object = event("error");
    object.set("message", message);
    send(std::move(object));
}

} // namespace tilewright::session
