// SPDX-License-Identifier: Apache-2.0
#include "engine_events.h"

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
    json::Object object = taskEvent("record", task);
    object.set("id", record.id.value);
    object.set("trial", record.trial ? json::Value(*record.trial) : json::Value());
    object.set("status", database::toString(record.status));
    object.set("median_us",
               microseconds(record.status == database::RecordStatus::Ok ? record.measurement.median
                                                                        : std::nullopt));
    object.set("n", static_cast<std::int64_t>(
                        record.measurement.median ? record.measurement.seconds.size() : 0));
    object.set("verified", record.verified ? json::Value(*record.verified) : json::Value());
    if (!record.message.empty())
        object.set("error", record.message);
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
