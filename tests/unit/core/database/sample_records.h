// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_writer.h>

#include <string>
#include <vector>

namespace tilewright::database {

inline std::string sampleTrace(int i) {
    return R"([[["GetSBlock",[],["C","main"],["b0"]],["SamplePerfectTile",["l1"],[4,64],["v2"]]],[[1,[)" +
           std::to_string(i) + ",1]]]]";
}

inline constexpr const char* kSampleTarget =
    R"({"keys":["cpu"],"kind":"llvm","mcpu":"core-avx2","num-cores":4,"tag":""})";

/// Record number i of a workload: 10 µs · (i % 97 + 1), every tenth one failed.
inline TuningRecord sampleRecord(WorkloadId workload, TaskId task, int i) {
    TuningRecord record;
    record.workload = workload;
    record.task = task;
    record.trace = sampleTrace(i);
    record.target = kSampleTarget;
    record.argsInfo = R"([["TENSOR","float32",[8]]])";
    record.trial = i + 1;
    record.device = "local";
    record.predicted = 0.5 * i;
    if (i % 10 == 9) {
        record.status = RecordStatus::Build;
        record.message = "undefined symbol f" + std::to_string(i);
    } else {
        const double us = 10e-6 * (i % 97 + 1);
        record.measurement = measurementOf({us, us * 1.01, us * 0.99});
    }
    return record;
}

/// A store with one workload, one task and `count` records.
inline void fillStore(StoreWriter& writer, int count) {
    const Workload workload = writer.commitWorkload("module one", "mm");
    Task task;
    task.name = "conv2d_1";
    task.workload = workload.id;
    task.target = kSampleTarget;
    const TaskId id = writer.commitTask(task);
    std::vector<TuningRecord> records;
    for (int i = 0; i < count; ++i)
        records.push_back(sampleRecord(workload.id, id, i));
    writer.commitRecords(records);
}

} // namespace tilewright::database
