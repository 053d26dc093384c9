// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_writer.h>
#include <tilewright/json/dump.h>
#include <tilewright/schedule/trace.h>

#include <string>
#include <vector>

namespace tilewright::testing {

inline constexpr const char* kScaleModule = R"(from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
    for i, j in T.grid(64, 64):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
)";

inline constexpr const char* kOneCore = R"({"kind":"llvm","keys":["cpu"],"num-cores":1,"tag":""})";

/// A schedule of kScaleModule: the rows tiled by two factors, then an unroll choice (0, 16, 64) and
/// the inner columns vectorised when `lanes` is above 1.
inline schedule::Trace scaleTrace(int outer, int unrollChoice, int lanes = 1) {
    const std::string inner = std::to_string(64 / outer);
    std::string text = R"(b0 = sch.get_sblock(name="B", func_name="main")
l1, l2 = sch.get_loops(block=b0)
v3, v4 = sch.sample_perfect_tile(loop=l1, n=2, max_innermost_factor=64, decision=[)" +
                       std::to_string(outer) + ", " + inner + R"(])
l5, l6 = sch.split(loop=l1, factors=[v3, v4])
v7 = sch.sample_categorical(candidates=[0, 16, 64], probs=[0.4, 0.3, 0.3], decision=)" +
                       std::to_string(unrollChoice) + R"()
sch.annotate(block_or_loop=b0, ann_key="unroll", ann_val=v7)
)";
    if (lanes > 1)
        text += "l8, l9 = sch.split(loop=l2, factors=[None, " + std::to_string(lanes) +
                "])\nsch.vectorize(loop=l9)\n";
    return schedule::Trace::parsePython(text);
}

inline std::string traceText(const schedule::Trace& trace) {
    return json::dump(trace.toJson(), json::Style::Tvm);
}

/// Two sessions of two tasks of kScaleModule: session 1 with 20 trials, session 2 with 40, of which
/// every seventh failed to build and one gave a wrong result. Best of `scale` in session 2: 50 µs.
/// Also its default schedule (120 µs). Times are six samples within 1 %.
inline void makeSampleSessions(const std::string& dir, const char* secondCpu = "EPYC") {
    using namespace database;
    StoreWriter store(dir, {}, Durability::Normal);
    const Workload workload = store.commitWorkload(kScaleModule, "scale");
    std::vector<TaskId> tasks;
    for (const char* name : {"scale", "fused_scale_relu"}) {
        Task task;
        task.name = name;
        task.workload = workload.id;
        task.target = kOneCore;
        task.weight = tasks.empty() ? 3 : 1;
        task.flop = 4096e3;
        task.bytes = 32768;
        tasks.push_back(store.commitTask(task));
    }
    const auto measured = [](double seconds) {
        return measurementOf(
            {seconds, seconds * 1.004, seconds * 0.996, seconds, seconds * 1.002, seconds * 0.998});
    };
    int id = 0;
    for (int s = 1; s <= 2; ++s) {
        Session session;
        session.state = "finished";
        session.input = "model.onnx";
        session.target = "host";
        session.startedMs = 1'790'000'000'000 + s * 3'600'000;
        session.endedMs = session.startedMs + 60'000;
        session.environment =
            std::string(R"({"cpu":")") + (s == 1 ? "EPYC" : secondCpu) + R"(","llvm":"22.1.8"})";
        session.id = store.beginSession(session);
        store.updateSession(session);
        std::vector<TuningRecord> records;
        for (std::size_t t = 0; t < tasks.size(); ++t) {
            const int trials = s == 1 ? 20 : 40;
            for (int trial = s == 1 ? 0 : 1; trial <= trials; ++trial) {
                TuningRecord record;
                record.workload = workload.id;
                record.task = tasks[t];
                record.session = session.id;
                record.target = kOneCore;
                record.device = "cpu0";
                record.timeMs = session.startedMs + 1000 * trial;
                record.trace =
                    traceText(scaleTrace(1 << (trial % 7), trial % 3, trial % 2 == 0 ? 8 : 1));
                const double base = t == 0 ? 1 : 0.2;
                if (trial == 0) {
                    record.origin = RecordOrigin::Default;
                    record.measurement = measured(120e-6 * base);
                } else {
                    record.trial = ++id;
                    record.round = trial / 8;
                    record.predicted = 0.01 * trial;
                    if (s == 2 && trial % 7 == 0) {
                        record.status = RecordStatus::Build;
                        record.message = "undefined symbol expf_wide";
                    } else if (s == 2 && trial == 9 && t == 0) {
                        record.status = RecordStatus::WrongResult;
                        record.message = "largest relative error 0.5";
                    } else {
                        record.measurement = measured((110.0 - 1.5 * trial) * 1e-6 * base);
                    }
                }
                record.measurement.present = record.status == RecordStatus::Ok;
                records.push_back(std::move(record));
            }
        }
        store.commitRecords(records);
    }
}

} // namespace tilewright::testing
