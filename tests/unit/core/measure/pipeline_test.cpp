// SPDX-License-Identifier: Apache-2.0
// The whole way of a candidate: script, build worker, runner, numeric check.
#include <tilewright/base/concat.h>
#include <tilewright/ir/parser.h>
#include <tilewright/measure/cpu_plan.h>
#include <tilewright/measure/device_runner.h>
#include <tilewright/measure/local_builder.h>
#include <tilewright/measure/measure_batch.h>
#include <tilewright/measure/numeric_check.h>
#include <tilewright/target/parse_target.h>

#include <QtTest/QTest>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::measure;

namespace {

/// A matmul of n³ with a 4 × 16 register tile, as a schedule leaves it.
std::string matmulScript(int n) {
    const std::string shape = base::concat("T.Buffer((", n, ", ", n, "), \"float32\")");
    return base::concat(
        "@T.prim_func\n"
        "def main(A: ",
        shape, ", B: ", shape, ", C: ", shape,
        "):\n"
        "    T.func_attr({\"tirx.noalias\": True})\n"
        "    for i0 in T.parallel(",
        n / 4,
        "):\n"
        "        for j0 in range(",
        n / 16,
        "):\n"
        "            for i1 in range(4):\n"
        "                for j1 in T.vectorized(16):\n"
        "                    with T.sblock(\"C_init\"):\n"
        "                        vi = T.axis.spatial(",
        n,
        ", i0 * 4 + i1)\n"
        "                        vj = T.axis.spatial(",
        n,
        ", j0 * 16 + j1)\n"
        "                        C[vi, vj] = T.float32(0)\n"
        "            for k in range(",
        n,
        "):\n"
        "                for i1 in range(4):\n"
        "                    for j1 in T.vectorized(16):\n"
        "                        with T.sblock(\"C_update\"):\n"
        "                            vi = T.axis.spatial(",
        n,
        ", i0 * 4 + i1)\n"
        "                            vj = T.axis.spatial(",
        n,
        ", j0 * 16 + j1)\n"
        "                            vk = T.axis.reduce(",
        n,
        ", k)\n"
        "                            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n");
}

std::shared_ptr<const NumericCheck> matmulCheck(const std::vector<ArgInfo>& args) {
    auto tensors = std::move(NumericCheck::makeArguments(args, 3).value());
    const std::int64_t n = args[0].shape[0];
    const auto a = tensors[0].as<float>();
    const auto b = tensors[1].as<float>();
    std::vector<double> sums(static_cast<std::size_t>(n * n));
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t k = 0; k < n; ++k)
            for (std::int64_t j = 0; j < n; ++j)
                sums[static_cast<std::size_t>(i * n + j)] +=
                    double{a[static_cast<std::size_t>(i * n + k)]} *
                    b[static_cast<std::size_t>(k * n + j)];
    for (std::int64_t i = 0; i < n * n; ++i)
        tensors[2].setValueAt(i, sums[static_cast<std::size_t>(i)]);
    return std::make_shared<const NumericCheck>(args, 3, std::move(tensors), n);
}

BatchInput matmul(int n, const std::string& target, int threads) {
    BatchInput input;
    input.build.module = ir::parseModule(matmulScript(n), "matmul.py");
    input.build.target = target::parseTarget(target);
    input.run.args = argInfosOf(input.build.module).value();
    input.run.threads = threads;
    return input;
}

BuilderSettings builderSettings() {
    BuilderSettings settings;
    settings.command = {TW_BIN_DIR "/tilewright-builder"};
    settings.maxWorkers = 1;
    return settings;
}

RunnerSettings runnerSettings() {
    RunnerSettings settings;
    settings.command = {TW_BIN_DIR "/tilewright-runner"};
    settings.evaluator.minRepeatMs = 2;
    return settings;
}

long residentOf(int process) {
    std::ifstream file(base::concat("/proc/", process, "/statm"));
    long total = 0;
    long resident = 0;
    file >> total >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

} // namespace

class PipelineTest : public QObject {
    Q_OBJECT
private slots:
    void buildsRunsAndVerifiesAMatmul_data() {
        QTest::addColumn<int>("threads");
        QTest::newRow("1 thread") << 1;
        QTest::newRow("2 threads") << 2;
    }
    void buildsRunsAndVerifiesAMatmul() {
        QFETCH(int, threads);
        LocalBuilder builder(builderSettings());
        LocalRunner runner(runnerSettings());
        BatchInput input = matmul(64, "host", threads);
        input.run.check = matmulCheck(input.run.args);
        const auto results = measureBatch(builder, runner, {input}, {});
        const auto& failure = results[0].run.failure;
        QVERIFY2(!failure, failure ? failure->message.c_str() : "");
        QVERIFY(results[0].run.verified);
    }

    void verifiesOnAnEmulatedRiscv() {
        if (::access("/usr/bin/qemu-riscv64", X_OK) != 0 ||
            ::access(TW_BIN_DIR "/tilewright-runner-riscv64", X_OK) != 0)
            QSKIP("no qemu-riscv64 or no cross-built runner");
        RunnerSettings settings = runnerSettings();
        Device device;
        device.key = "riscv";
        device.command = "qemu-riscv64 -cpu rv64,v=true,vlen=256,vext_spec=v1.0 -L "
                         "/usr/riscv64-linux-gnu {runner-riscv64}";
        settings.devices = {device};
        LocalBuilder builder(builderSettings());
        DeviceRunner runner(settings);
        BatchInput input = matmul(32, "riscv64-rvv256", 1);
        input.run.check = matmulCheck(input.run.args);
        const auto results = measureBatch(builder, runner, {input}, {});
        const auto& failure = results[0].run.failure;
        QVERIFY2(!failure, failure ? failure->message.c_str() : "");
        QVERIFY(results[0].run.verified);
    }

    void namesWhatCannotBeBuilt() {
        LocalBuilder builder(builderSettings());
        BuilderInput input = matmul(32, "host", 1).build;
        input.target = input.target.with("mcpu", json::Value("no-such-cpu"));
        const std::vector<BuilderInput> inputs{input};
        const auto results = static_cast<Builder&>(builder).build(inputs);
        QVERIFY(results[0].failure.has_value());
        QVERIFY(results[0].failure->status == Status::Build);
        qInfo("%s", results[0].failure->message.c_str());
    }

    /// TW_TRIALS sets how many; the default only shows that the path is quick.
    void measuresManyTrialsASecond() {
        const char* wanted = std::getenv("TW_TRIALS");
        const int trials = wanted != nullptr ? std::atoi(wanted) : 24;
        const CpuPlan plan = planCpus(1, allowedCpus());
        BuilderSettings building = builderSettings();
        building.cpus = plan.builderCpus;
        RunnerSettings running = runnerSettings();
        running.cpus = plan.runnerCpus;
        running.evaluator.minRepeatMs = 100;
        LocalBuilder builder(building);
        LocalRunner runner(running);
        double best = 0;
        BatchTimes times;
        double buildSeconds = 0;
        double runSeconds = 0;
        int full = 0;
        long builderBefore = 0;
        long runnerBefore = 0;
        const auto start = std::chrono::steady_clock::now();
        for (int done = 0; done < trials;) {
            std::vector<BatchInput> inputs;
            for (int i = 0; i < 8 && done < trials; ++i, ++done)
                inputs.push_back(matmul(512, "host -num-cores=1", 1));
            BatchOptions options;
            options.overlap = plan.overlap;
            // One in eight is as good as the best, the others are clearly worse.
            options.beforeRun = [&](std::size_t index, RunnerInput& input) {
                input.bestSeconds = index == 0 ? 0 : best / 2;
            };
            options.onResult = [&](std::size_t, const BatchResult& result) {
                QVERIFY(!result.run.failure);
                buildSeconds += result.buildSeconds;
                runSeconds += result.run.seconds;
                full += result.run.fullMeasure;
                if (best == 0 || result.run.medianSeconds() < best)
                    best = result.run.medianSeconds();
            };
            measureBatch(builder, runner, std::move(inputs), options, {}, &times);
            if (done >= trials / 6 && builderBefore == 0) {
                builderBefore = residentOf(builder.workerProcesses().front());
                runnerBefore = residentOf(runner.workerProcesses().front());
            }
        }
        const double wall =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        qInfo(
            "%.1f trials a second; a build %.1f ms, a run %.1f ms, %d full measures, best %.0f us; "
            "waited %.2f s for builds, %.2f s for runs; builder grew %.1f MB to %.0f, runner %.1f "
            "MB to %.0f",
            trials / wall, buildSeconds / trials * 1e3, runSeconds / trials * 1e3, full, best * 1e6,
            times.build, times.run,
            static_cast<double>(residentOf(builder.workerProcesses().front()) - builderBefore) /
                1e6,
            static_cast<double>(residentOf(builder.workerProcesses().front())) / 1e6,
            static_cast<double>(residentOf(runner.workerProcesses().front()) - runnerBefore) / 1e6,
            static_cast<double>(residentOf(runner.workerProcesses().front())) / 1e6);
    }
};

QTEST_GUILESS_MAIN(PipelineTest)
#include "pipeline_test.moc"
