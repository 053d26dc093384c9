// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/snapshot.h>

#include <tilewright/database/store_reader.h>

namespace tilewright::session {

std::shared_ptr<const Snapshot> readSnapshot(const std::filesystem::path& workDir) {
    const database::StoreReader reader(workDir);
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->workDir = workDir;
    for (const database::Session& session : reader.sessions())
        snapshot->state = reader.effectiveState(session);
    for (const database::TaskSummary& summary : reader.taskSummaries()) {
        TaskRow& row = snapshot->tasks.emplace_back();
        row.id = summary.task.id.value;
        row.name = summary.task.name;
        row.weight = summary.task.weight;
        row.flop = summary.task.flop;
        row.defaultSeconds = summary.defaultMedian;
        row.bestSeconds = summary.bestMedian;
        row.trials = summary.trials;
        row.failed = summary.failed;
    }
    database::RecordQuery query;
    query.withSamples = true;
    reader.forEachRecord(query, [&](const database::TuningRecord& record) {
        RecordRow& row = snapshot->records.emplace_back();
        row.id = record.id.value;
        row.task = record.task.value;
        row.taskName = record.taskName;
        row.status = database::toString(record.status);
        row.message = record.message;
        row.medianSeconds = record.measurement.median;
        row.lowSeconds = record.measurement.low;
        row.highSeconds = record.measurement.high;
        row.samples = static_cast<std::int64_t>(record.measurement.seconds.size());
        row.trial = record.trial;
        row.timeMs = record.timeMs;
        return true;
    });
    return snapshot;
}

} // namespace tilewright::session
