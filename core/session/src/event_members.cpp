// SPDX-License-Identifier: Apache-2.0
#include "event_members.h"

#include <tilewright/session/record_json.h>

namespace tilewright::session {

std::string_view toString(search::TaskOrder order) {
    constexpr std::string_view words[] = {"resume", "skip", "freeze", "boost"};
    return words[static_cast<std::size_t>(order)];
}

void addRecordMembers(json::Object& event, const database::TuningRecord& record) {
    const bool ok = record.status == database::RecordStatus::Ok;
    const database::Measurement& measured = record.measurement;
    const auto orNull = [](const auto& value) {
        return value ? json::Value(*value) : json::Value();
    };
    event.set("id", record.id.value);
    event.set("task_id", record.task.value);
    event.set("trial", orNull(record.trial));
    event.set("status", database::toString(record.status));
    event.set("origin", database::toString(record.origin));
    event.set("median_us", microseconds(ok ? measured.median : std::nullopt));
    event.set("lo_us", microseconds(ok ? measured.low : std::nullopt));
    event.set("hi_us", microseconds(ok ? measured.high : std::nullopt));
    event.set("n", static_cast<std::int64_t>(measured.median ? measured.seconds.size() : 0));
    event.set("full", measured.full);
    event.set("round", orNull(record.round));
    event.set("predicted", orNull(record.predicted));
    event.set("device", record.device);
    event.set("build_s", orNull(record.buildSeconds));
    event.set("run_s", orNull(record.runSeconds));
    event.set("verified", orNull(record.verified));
    if (!record.message.empty())
        event.set("error", record.message);
}

void addSessionMembers(json::Object& event, const database::Session& session) {
    event.set("session", session.id.value);
    event.set("name", session.name);
    event.set("input", session.input);
    event.set("target", session.target);
    event.set("seed", session.seed);
    event.set("budget", session.budget);
    event.set("options", session.options);
    event.set("environment", session.environment);
    event.set("started_ms", session.startedMs);
}

} // namespace tilewright::session
