// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>
#include <tilewright/measure/child_process.h>
#include <tilewright/measure/cpu_plan.h>
#include <tilewright/measure/device_runner.h>
#include <tilewright/measure/local_builder.h>
#include <tilewright/measure/measure_batch.h>
#include <tilewright/measure/numeric_check.h>
#include <tilewright/measure/worker.h>

#include <QtTest/QTest>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::measure;
using Clock = std::chrono::steady_clock;

namespace {

const std::vector<ArgInfo> kAddArgs{
    {"float32", {4096}, false}, {"float32", {4096}, false}, {"float32", {4096}, true}};

Deadline in(double seconds) {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string fileBytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

std::shared_ptr<const Artifact> artifact(const std::string& function,
                                         const std::string& variant = {}) {
    return std::make_shared<const Artifact>(
        Artifact{fileBytes(base::concat(TW_TEST_KERNELS, variant, ".so")), function});
}

RunnerInput addInput(const std::string& function) {
    RunnerInput input;
    input.artifact = artifact(function);
    input.args = kAddArgs;
    return input;
}

RunnerSettings quickSettings() {
    RunnerSettings settings;
    settings.command = {TW_BIN_DIR "/tilewright-runner"};
    settings.evaluator.minRepeatMs = 2;
    settings.timeoutSeconds = 20;
    return settings;
}

std::shared_ptr<const NumericCheck> addCheck() {
    auto reference = NumericCheck::makeArguments(kAddArgs, 9);
    for (std::int64_t i = 0; i < 4096; ++i)
        (*reference)[2].setValueAt(i, (*reference)[0].valueAt(i) + (*reference)[1].valueAt(i));
    return std::make_shared<const NumericCheck>(kAddArgs, 9, std::move(*reference), 1);
}

RunnerResult runOne(Runner& runner, RunnerInput input, std::stop_token stop = {}) {
    std::vector<RunnerInput> inputs;
    inputs.push_back(std::move(input));
    return runner.run(std::move(inputs), std::move(stop)).front().result();
}

std::string statusOf(const RunnerResult& result) {
    return std::string(toString(result.failure ? result.failure->status : Status::Ok));
}

BuilderInput buildInput(const std::string& function) {
    const ir::Buffer buffer =
        ir::makeBuffer("A", ir::DataType::f(32), std::vector<std::int64_t>{4});
    auto* node = new ir::PrimFuncNode();
    node->params.push_back({ir::makePointer("a", ir::DataType::f(32)), buffer});
    node->body = ir::makeStore(buffer, ir::makeFloat(1), {ir::makeInt(0)});
    BuilderInput input;
    input.module = ir::Module::of(ir::PrimFunc(node), function);
    return input;
}

BuilderSettings fakeBuilder() {
    BuilderSettings settings;
    settings.command = {TW_TEST_DIR "/fake_builder"};
    settings.maxWorkers = 2;
    settings.timeoutSeconds = 20;
    return settings;
}

bool exists(int process) {
    return ::kill(process, 0) == 0;
}

bool vanishes(int process) {
    for (int i = 0; i < 300 && exists(process); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return !exists(process);
}

} // namespace

class WorkerTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { ::setenv("TW_FAKE_IMAGE", TW_TEST_KERNELS ".so", 1); }

    void talksToChildren() {
        SpawnOptions options;
        options.command = {"cat"};
        auto cat = ChildProcess::spawn(options);
        QVERIFY(cat);
        const std::string text(300000, 'x');
        std::string back;
        std::thread writer([&] { cat->write(text, in(10), {}); });
        while (back.size() < text.size() && cat->read(back, in(10), {}) == IoStatus::Done) {
        }
        writer.join();
        QCOMPARE(back, text);
        QCOMPARE(cat->read(back, in(0.05), {}), IoStatus::Timeout);
        cat->closeInput();
        QCOMPARE(cat->wait(in(5))->code, 0);
        QCOMPARE(cat->write("x", in(1), {}), IoStatus::Closed);
        options.command = {"/nonexistent/program"};
        QCOMPARE(ChildProcess::spawn(options).error().kind, std::string("spawn"));
    }

    void saysHowAChildEnded() {
        SpawnOptions options;
        options.command = {"sh", "-c", "echo oh dear >&2; kill -SEGV $$"};
        auto child = ChildProcess::spawn(options);
        QVERIFY(child);
        QCOMPARE(child->wait(in(5))->signal, SIGSEGV);
        QCOMPARE(child->errorTail(), std::string("oh dear"));
        options.command = {"sh", "-c", "sleep 100 & sleep 100"};
        auto group = ChildProcess::spawn(options);
        const auto start = Clock::now();
        QCOMPARE(group->kill().signal, SIGKILL);
        QVERIFY(secondsSince(start) < 5);
    }

    void doesNotLeakDescriptors() {
        const int extra = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        SpawnOptions options;
        options.command = {"sh", "-c", "ls /proc/self/fd | tr '\\n' ' '"};
        std::vector<ChildProcess> others;
        for (int i = 0; i < 3; ++i)
            others.push_back(std::move(*ChildProcess::spawn({{"cat"}, {}, {}, 0, false, true})));
        auto child = ChildProcess::spawn(options);
        std::string list;
        while (child->read(list, in(5), {}) == IoStatus::Done) {
        }
        QCOMPARE(list, std::string("0 1 2 3 "));
        ::close(extra);
    }

    void timesAndVerifies() {
        LocalRunner runner(quickSettings());
        RunnerInput input = addInput("add");
        input.check = addCheck();
        const RunnerResult result = runOne(runner, input);
        QVERIFY2(!result.failure, result.failure ? result.failure->message.c_str() : "");
        QCOMPARE(result.samples.size(), std::size_t{1});
        QVERIFY(result.fullMeasure && result.verified);
        QVERIFY(result.maxRelativeError >= 0 && result.maxRelativeError < 1e-6);
        QVERIFY(result.medianSeconds() > 0 && result.medianSeconds() < 1e-3);
        QCOMPARE(result.device, std::string("local"));
        for (const int threads : {1, 2}) {
            input.artifact = artifact("add_workspace");
            input.threads = threads;
            QCOMPARE(statusOf(runOne(runner, input)), std::string("ok"));
        }
    }

    void measuresClearlyWorseOnesShortly() {
        RunnerSettings settings = quickSettings();
        settings.evaluator.minRepeatMs = 100;
        settings.evaluator.repeat = 3;
        LocalRunner runner(settings);
        RunnerInput input = addInput("add_slow");
        input.bestSeconds = 1e-7;
        input.check = addCheck();
        input.checkBelowSeconds = 1e-7;
        const RunnerResult result = runOne(runner, input);
        QCOMPARE(statusOf(result), std::string("ok"));
        QVERIFY(!result.fullMeasure && !result.verified);
        QCOMPARE(result.samples.size(), std::size_t{1});
        QVERIFY(result.seconds < 1);
    }

    void typesEachFailureAndGoesOn_data() {
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("status");
        QTest::newRow("segmentation fault") << "crash"
                                            << "run-crash";
        QTest::newRow("illegal instruction") << "trap"
                                             << "run-crash";
        QTest::newRow("wild write") << "wild"
                                    << "run-crash";
        QTest::newRow("hang") << "hang"
                              << "run-timeout";
        QTest::newRow("memory") << "greedy"
                                << "run-oom";
        QTest::newRow("code") << "refuse"
                              << "run";
        QTest::newRow("no such kernel") << "absent"
                                        << "run";
        QTest::newRow("wrong") << "add_wrong"
                               << "wrong-result";
        QTest::newRow("unwritten") << "add_short"
                                   << "wrong-result";
    }
    void typesEachFailureAndGoesOn() {
        QFETCH(QString, function);
        QFETCH(QString, status);
        RunnerSettings settings = quickSettings();
        settings.timeoutSeconds = 0.7;
        LocalRunner runner(settings);
        std::vector<RunnerInput> inputs;
        for (const std::string& name :
             {std::string("add"), function.toStdString(), std::string("add"),
              function.toStdString(), std::string("add")}) {
            inputs.push_back(addInput(name));
            inputs.back().check = addCheck();
        }
        const auto futures = runner.run(std::move(inputs));
        for (std::size_t i = 0; i < futures.size(); ++i) {
            const RunnerResult result = futures[i].result();
            QCOMPARE(QString::fromStdString(statusOf(result)), i % 2 == 1 ? status : QString("ok"));
            QVERIFY(!result.failure || !result.failure->message.empty());
        }
    }

    void limitsMemory() {
        RunnerSettings settings = quickSettings();
        settings.memoryLimitBytes = std::uint64_t{512} << 20;
        LocalRunner runner(settings);
        RunnerInput input = addInput("add");
        input.args[1].shape = {std::int64_t{1} << 28};
        QCOMPARE(statusOf(runOne(runner, input)), std::string("run-oom"));
        QCOMPARE(statusOf(runOne(runner, addInput("add"))), std::string("ok"));
    }

    void cancelsAtOnceAndLeavesNoProcess() {
        std::vector<int> processes;
        {
            LocalRunner runner(quickSettings());
            QCOMPARE(statusOf(runOne(runner, addInput("add"))), std::string("ok"));
            processes = runner.workerProcesses();
            QCOMPARE(processes.size(), std::size_t{1});
            std::stop_source stop;
            std::vector<RunnerInput> inputs;
            for (int i = 0; i < 3; ++i)
                inputs.push_back(addInput("hang"));
            const auto futures = runner.run(std::move(inputs), stop.get_token());
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            const auto start = Clock::now();
            stop.request_stop();
            for (const RunnerFuture& future : futures)
                QCOMPARE(statusOf(future.result()), std::string("cancelled"));
            QVERIFY(secondsSince(start) < 2);
            QCOMPARE(statusOf(runOne(runner, addInput("add"))), std::string("ok"));
            processes.push_back(runner.workerProcesses().front());
        }
        for (const int process : processes)
            QVERIFY(vanishes(process));
    }

    void endsWithItsParentWhileAKernelHangs() {
        auto runner =
            ChildProcess::spawn({{TW_BIN_DIR "/tilewright-runner"}, {}, {}, 0, false, true});
        QVERIFY(runner);
        runtime::SetArguments arguments;
        arguments.arguments.push_back({{}, {16}, {}, {}});
        std::uint64_t id = 0;
        for (const runtime::Frame& frame :
             {runtime::toFrame(runtime::Hello{}, ++id),
              runtime::toFrame(runtime::LoadLibrary{"hang", artifact("hang")->image}, ++id),
              runtime::toFrame(arguments, ++id), runtime::toFrame(runtime::Measure{}, ++id)})
            QVERIFY(runner->write(runtime::encodeFrameHeader(frame) + frame.payload, in(5), {}) ==
                    IoStatus::Done);
        QVERIFY(!runner->wait(in(0.3)).has_value());
        // What the end of the engine looks like from there, without the system's help.
        runner->closeInput();
        QVERIFY(runner->wait(in(10)).has_value());
    }

    void retriesOnOtherDevicesAndGivesUp() {
        RunnerSettings settings = quickSettings();
        Device gone;
        gone.key = "gone";
        gone.command = "exit 255";
        settings.devices = {gone};
        DeviceRunner lost(settings);
        const RunnerResult result = runOne(lost, addInput("add"));
        QCOMPARE(statusOf(result), std::string("device-lost"));
        QVERIFY(result.failure->message.find("gone") != std::string::npos);
        Device good;
        good.key = "good";
        good.command = TW_BIN_DIR "/tilewright-runner";
        settings.devices = {gone, good};
        DeviceRunner mixed(settings);
        QCOMPARE(mixed.parallelism(), 2);
        std::vector<RunnerInput> inputs;
        for (int i = 0; i < 4; ++i)
            inputs.push_back(addInput("add"));
        int ok = 0;
        for (const RunnerFuture& future : mixed.run(std::move(inputs)))
            ok += future.result().device == "good";
        QVERIFY(ok >= 3);
        QCOMPARE(statusOf(runOne(mixed, addInput("crash"))), std::string("run-crash"));
    }

    void refusesWhatIsNoRunner() {
        RunnerSettings settings = quickSettings();
        settings.command = {"echo", "hello, I am no runner at all"};
        LocalRunner runner(settings);
        QCOMPARE(statusOf(runOne(runner, addInput("add"))), std::string("device-lost"));
    }

    void runsOnAnEmulatedRiscv() {
        const std::string image = fileBytes(TW_TEST_KERNELS "_riscv64.so");
        if (::access("/usr/bin/qemu-riscv64", X_OK) != 0 || image.empty())
            QSKIP("no qemu-riscv64 or no cross compiler");
        RunnerSettings settings = quickSettings();
        Device device;
        device.key = "riscv";
        device.command = "qemu-riscv64 -cpu rv64,v=true,vlen=256,vext_spec=v1.0 -L "
                         "/usr/riscv64-linux-gnu {runner-riscv64}";
        settings.devices = {device};
        DeviceRunner runner(settings);
        RunnerInput input = addInput("add");
        input.artifact = artifact("add", "_riscv64");
        input.check = addCheck();
        const RunnerResult result = runOne(runner, input);
        QVERIFY2(!result.failure, result.failure ? result.failure->message.c_str() : "");
        QVERIFY(result.verified);
        input.artifact = artifact("crash", "_riscv64");
        QCOMPARE(statusOf(runOne(runner, input)), std::string("run-crash"));
        input.artifact = artifact("add");
        const RunnerResult foreign = runOne(runner, input);
        QCOMPARE(statusOf(foreign), std::string("run"));
        QVERIFY(foreign.failure->message.find("architecture") != std::string::npos);
    }

    void buildsAndTypesFailures() {
        BuilderSettings settings = fakeBuilder();
        settings.timeoutSeconds = 0.5;
        LocalBuilder builder(settings);
        std::vector<BuilderInput> inputs;
        for (const char* name : {"add", "build_refuse", "add", "build_crash", "add", "build_hang",
                                 "add", "build_throw", "add"})
            inputs.push_back(buildInput(name));
        const auto results = static_cast<Builder&>(builder).build(inputs);
        const std::vector<std::string> expected{"", "build", "", "build", "", "build-timeout",
                                                "", "build", ""};
        for (std::size_t i = 0; i < results.size(); ++i) {
            const auto& failure = results[i].failure;
            QCOMPARE(failure ? std::string(toString(failure->status)) : std::string(), expected[i]);
            QCOMPARE(results[i].artifact != nullptr, expected[i].empty());
        }
        QVERIFY(results[3].failure->message.find("crashed") != std::string::npos);
        QCOMPARE(results[1].failure->message, std::string("no such instruction"));
    }

    void measuresABatch_data() {
        QTest::addColumn<bool>("overlap");
        QTest::newRow("overlapping") << true;
        QTest::newRow("in turns") << false;
    }
    void measuresABatch() {
        QFETCH(bool, overlap);
        LocalBuilder builder(fakeBuilder());
        LocalRunner runner(quickSettings());
        std::vector<BatchInput> inputs;
        for (const char* name : {"add", "crash", "build_refuse", "add_workspace", "add"}) {
            BatchInput input;
            input.build = buildInput(name);
            input.run.args = kAddArgs;
            inputs.push_back(std::move(input));
        }
        std::vector<int> reported(inputs.size());
        BatchOptions options;
        options.overlap = overlap;
        options.onResult = [&](std::size_t index, const BatchResult&) { ++reported[index]; };
        BatchTimes times;
        const auto results = measureBatch(builder, runner, inputs, options, {}, &times);
        QCOMPARE(reported, std::vector<int>(inputs.size(), 1));
        std::vector<std::string> statuses;
        for (const BatchResult& result : results)
            statuses.emplace_back(toString(result.status()));
        QCOMPARE(statuses, (std::vector<std::string>{"ok", "run-crash", "build", "ok", "ok"}));
        QVERIFY(times.run > 0);
    }

    void cancelsABatch() {
        LocalBuilder builder(fakeBuilder());
        LocalRunner runner(quickSettings());
        std::vector<BatchInput> inputs;
        for (const char* name : {"add", "hang", "build_hang", "add", "hang", "build_hang"}) {
            BatchInput input;
            input.build = buildInput(name);
            input.run.args = kAddArgs;
            inputs.push_back(std::move(input));
        }
        std::stop_source stop;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            stop.request_stop();
        });
        const auto start = Clock::now();
        const auto results = measureBatch(builder, runner, inputs, {}, stop.get_token());
        QVERIFY(secondsSince(start) < 3);
        QCOMPARE(results.size(), inputs.size());
        QVERIFY(results[1].status() == Status::Cancelled);
        QVERIFY(results[2].status() == Status::Cancelled);
    }

    void staysSmallAndQuick() {
        RunnerSettings settings = quickSettings();
        settings.evaluator.minRepeatMs = 0.1;
        settings.evaluator.number = 1;
        LocalRunner runner(settings);
        const auto residentOf = [](int process) {
            std::ifstream file(base::concat("/proc/", process, "/statm"));
            long total = 0, resident = 0;
            file >> total >> resident;
            return resident * ::sysconf(_SC_PAGESIZE);
        };
        long before = 0;
        const auto start = Clock::now();
        for (int i = 0; i < 600; ++i) {
            QCOMPARE(statusOf(runOne(runner, addInput(i % 2 ? "add" : "add_workspace"))),
                     std::string("ok"));
            if (i == 100)
                before = residentOf(runner.workerProcesses().front());
        }
        const double each = secondsSince(start) / 600;
        const long growth = residentOf(runner.workerProcesses().front()) - before;
        qInfo("%.2f ms a candidate, runner grew by %ld kB", each * 1e3, growth / 1024);
        QVERIFY(growth < 2 << 20);
    }
};

QTEST_GUILESS_MAIN(WorkerTest)
#include "worker_test.moc"
