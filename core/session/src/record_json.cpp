// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/record_json.h>

namespace tilewright::session {

json::Value microseconds(std::optional<double> seconds) {
    return seconds ? json::Value(*seconds * 1e6) : json::Value();
}

json::Value recordToJson(const database::TuningRecord& record) {
    const bool ok = record.status == database::RecordStatus::Ok;
    const database::Measurement& measured = record.measurement;
    json::Object object;
    object.set("schema", "tilewright/record/1");
    object.set("id", record.id.value);
    object.set("task", record.taskName.empty() ? json::Value() : json::Value(record.taskName));
    object.set("workload", record.workload.value);
    object.set("target", record.target.empty() ? json::Value() : json::Value(record.target));
    object.set("status", database::toString(record.status));
    object.set("error", record.message.empty() ? json::Value() : json::Value(record.message));
    object.set("median_us", microseconds(ok ? measured.median : std::nullopt));
    object.set("lo_us", microseconds(ok ? measured.low : std::nullopt));
    object.set("hi_us", microseconds(ok ? measured.high : std::nullopt));
    object.set("n", static_cast<std::int64_t>(measured.seconds.size()));
    object.set("trial", record.trial ? json::Value(*record.trial) : json::Value());
    object.set("origin", database::toString(record.origin));
    object.set("verified", record.verified ? json::Value(*record.verified) : json::Value());
    object.set("time", record.timeMs);
    object.set("session",
               record.session.valid() ? json::Value(record.session.value) : json::Value());
    return json::Value(std::move(object));
}

} // namespace tilewright::session
