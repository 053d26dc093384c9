// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sample_session.h"

#include <algorithm>
#include <cstdint>

namespace tilewright::testing {

/// Fills a work directory with `count` records of 20 tasks in 10 sessions: log-normal-like
/// latencies, one in eight failed. Made for a million of them in some ten seconds.
inline void makeManyRecords(const std::string& dir, std::int64_t count) {
    using namespace database;
    StoreWriter store(dir, {}, Durability::Normal);
    const Workload workload = store.commitWorkload(kScaleModule, "scale");
    std::vector<TaskId> tasks;
    for (int i = 0; i < 20; ++i) {
        Task task;
        task.name = (i % 2 == 0 ? "fused_conv2d_add_relu" : "dense") + std::to_string(i);
        task.workload = workload.id;
        task.target = kOneCore;
        task.flop = 1e6 * (i + 1);
        task.bytes = 1e4 * (i + 1);
        tasks.push_back(store.commitTask(task));
    }
    std::vector<SessionId> sessions;
    for (int i = 0; i < 10; ++i) {
        Session session;
        session.state = "finished";
        session.startedMs = 1'790'000'000'000 + i;
        sessions.push_back(store.beginSession(session));
    }
    std::vector<std::string> traces;
    for (int i = 0; i < 21; ++i)
        traces.push_back(traceText(scaleTrace(1 << (i % 7), i % 3)));
    std::uint64_t random = 88172645463325252ULL;
    const auto draw = [&] {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return static_cast<double>(random % 1000003) / 1000003.0;
    };
    constexpr std::int64_t batch = 20000;
    for (std::int64_t begin = 0; begin < count; begin += batch) {
        std::vector<TuningRecord> records;
        records.reserve(batch);
        for (std::int64_t i = begin; i < std::min(count, begin + batch); ++i) {
            TuningRecord& record = records.emplace_back();
            record.workload = workload.id;
            record.task = tasks[static_cast<std::size_t>(i) % tasks.size()];
            record.session = sessions[static_cast<std::size_t>(i * 10 / count)];
            record.target = kOneCore;
            record.device = i % 3 == 0 ? "cpu0" : "vf2-a";
            record.timeMs = 1'790'000'000'000 + i * 50;
            record.trial = i + 1;
            record.round = static_cast<int>(i / 64);
            record.predicted = draw();
            record.trace = traces[static_cast<std::size_t>(i) % traces.size()];
            if (i % 8 == 5) {
                record.status = static_cast<RecordStatus>(1 + i % 9);
                record.message = "undefined symbol";
                continue;
            }
            const double seconds = 1e-4 * (1 + 20 * draw() * draw() * draw());
            record.measurement = measurementOf({seconds, seconds * 1.01, seconds * 0.99});
            record.measurement.present = true;
        }
        store.commitRecords(records);
    }
}

} // namespace tilewright::testing
