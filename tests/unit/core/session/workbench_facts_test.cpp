// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/store_writer.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/bottlenecks.h>
#include <tilewright/session/device_overview.h>
#include <tilewright/session/graph_layout.h>
#include <tilewright/session/model_overview.h>
#include <tilewright/session/module_codec.h>
#include <tilewright/session/profile_report.h>
#include <tilewright/session/statistic.h>
#include <tilewright/session/task_text.h>
#include <tilewright/target/parse_target.h>

#include <QtCore/QElapsedTimer>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <cmath>
#include <fstream>
#include <numeric>

using namespace tilewright;

namespace {

const char* kModule = R"(from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
    for i, j in T.grid(64, 64):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
)";

std::string sampleModel() {
    return std::string(TW_SOURCE_DIR) + "/resources/samples/small_cnn.onnx";
}

session::DevicePeaks plainPeaks() {
    session::DevicePeaks peaks;
    peaks.origin = session::PeakOrigin::Measured;
    peaks.compute.push_back({256, true, 100e9, false});
    peaks.memory.push_back({"L1", 32 << 10, 80e9});
    peaks.memory.push_back({"memory", 0, 10e9});
    return peaks;
}

session::OperatorRow row(std::int64_t task, double weight, double flop, double bytes,
                         std::optional<double> best, std::optional<double> fallback) {
    session::OperatorRow row;
    row.task = task;
    row.name = "op" + std::to_string(task);
    row.weight = weight;
    row.flop = flop;
    row.bytes = bytes;
    row.bestSeconds = best;
    row.defaultSeconds = fallback;
    row.tuned = best != fallback;
    row.record = task;
    return row;
}

std::unique_ptr<database::StoreWriter> makeStore(const QTemporaryDir& dir) {
    auto store = std::make_unique<database::StoreWriter>(dir.path().toStdString(),
                                                         session::makeModuleCodec());
    database::Task task;
    task.name = "scale";
    task.workload = store->commitWorkload(kModule, "scale").id;
    task.target = R"({"kind":"llvm","keys":["cpu"],"num-cores":1,"tag":""})";
    task.weight = 3;
    task.flop = 4096;
    task.bytes = 32768;
    task.id = store->commitTask(task);
    database::Session session;
    session.input = "scale.py";
    session.target = "llvm -num-cores=1";
    session.state = "finished";
    session.result =
        R"({"wall_s":10,"seconds":{"search":4,"build":3,"run":2,"train":0.5,"other":0.5}})";
    session.id = store->beginSession(session);
    database::Round round;
    round.session = session.id;
    round.task = task.id;
    round.trials = 8;
    round.info = R"({"search_s":4,"measure_s":5,"train_s":0.5,"candidates":90})";
    store->commitRound(round);
    const auto add = [&](std::optional<std::int64_t> trial, std::vector<double> seconds,
                         database::RecordStatus status) {
        database::TuningRecord record;
        record.task = task.id;
        record.workload = task.workload;
        record.session = session.id;
        record.target = task.target;
        record.trial = trial;
        record.origin = trial ? database::RecordOrigin::Trial : database::RecordOrigin::Default;
        record.status = status;
        record.device = "local";
        record.trace = "[[],[]]";
        record.measurement = database::measurementOf(std::move(seconds));
        record.measurement.present = true;
        store->commitRecord(record);
    };
    add(std::nullopt, {8e-6, 8e-6, 8e-6}, database::RecordStatus::Ok);
    add(1, {4e-6, 4e-6, 6e-6}, database::RecordStatus::Ok);
    add(2, {}, database::RecordStatus::Build);
    add(3, {2e-6, 2e-6, 5e-6}, database::RecordStatus::Ok);
    return store;
}

} // namespace

class WorkbenchFactsTest : public QObject {
    Q_OBJECT

private slots:
    void statisticsOfSamples() {
        const std::vector<double> samples{3, 1, 2, 10};
        QCOMPARE(*session::statisticOf(samples, session::Statistic::Min), 1.0);
        QCOMPARE(*session::statisticOf(samples, session::Statistic::Median), 2.5);
        QCOMPARE(*session::statisticOf(samples, session::Statistic::Mean), 4.0);
        QVERIFY(*session::statisticOf(samples, session::Statistic::P95) > 8);
        QVERIFY(!session::statisticOf({}, session::Statistic::Mean));
        const std::vector<double> failed{1e10};
        QVERIFY(!session::statisticOf(failed, session::Statistic::Min));
    }

    void tagsAndMovement() {
        QCOMPARE(session::opTag("fused_conv_add_relu2"), std::string("conv+add+relu"));
        QCOMPARE(session::opTag("softmax"), std::string("softmax"));
        QCOMPARE(session::opTag("42"), std::string("42"));
        QVERIFY(session::isDataMovement("transpose"));
        QVERIFY(session::isDataMovement("transpose+reshape"));
        QVERIFY(!session::isDataMovement("conv+transpose"));
        QVERIFY(!session::isDataMovement(""));
    }

    void extentsAreRead() {
        QCOMPARE(*session::parseExtents("1, 3,224 ,224"),
                 (std::vector<std::int64_t>{1, 3, 224, 224}));
        QCOMPARE(*session::parseExtents("1×3×8"), (std::vector<std::int64_t>{1, 3, 8}));
        for (const char* bad : {"", "1,", "0, 3", "a", "1,,2", "-1"})
            QVERIFY2(!session::parseExtents(bad), bad);
    }

    /// The sample: tasks with shares that add up, what became of its nodes, its graph.
    void modelIsDescribed() {
        session::OverviewOptions options;
        options.target = "host -num-cores=1";
        options.peaksFile = "/nonexistent";
        const auto model = session::openOverview(sampleModel(), options);
        QCOMPARE(model->name, std::string("small_cnn"));
        QVERIFY(!model->needsShapes);
        QVERIFY(!model->tasks.empty());
        double share = 0;
        for (const session::OverviewTask& task : model->tasks) {
            share += task.estimatedShare;
            QVERIFY(!task.shape.empty());
            QVERIFY(!task.tuned());
        }
        QVERIFY(std::abs(share - 1) < 1e-9);
        QVERIFY(model->estimateOrigin == session::PeakOrigin::Theoretical);
        const session::ImportSummary& import = model->import;
        QCOMPARE(import.nodes, import.compute + import.folded + import.skipped);
        QVERIFY(import.opset > 0 && import.parameters > 0 && import.weightBytes > 0);
        QVERIFY(model->graph);
        for (std::size_t t = 0; t < model->tasks.size(); ++t)
            QVERIFY(model->graph->nodeOfTask(static_cast<int>(t)) >= 0);
        QVERIFY(!model->graph->find("conv").empty());
        QVERIFY(session::mappingCsv(*model).find("node,count,op") == 0);
        QVERIFY(session::toDot(*model->graph).find("digraph") == 0);
    }

    void shapesAreOverridden() {
        session::OverviewOptions options;
        options.target = "host -num-cores=1";
        const auto plain = session::openOverview(sampleModel(), options);
        QVERIFY(!plain->inputs.empty());
        const session::OverviewInput input = plain->inputs.front();
        std::vector<std::int64_t> shape = input.shape;
        if (shape.empty())
            return;
        shape.push_back(1);
        options.input.shapes[input.name] = shape;
        const auto refused = session::openOverview(sampleModel(), options);
        QVERIFY(refused->needsShapes);
        QVERIFY(refused->problem.find(input.name) != std::string::npos);
        QVERIFY(refused->import.nodes > 0);
    }

    void layoutIsLayered() {
        // A diamond with a way back and a loop.
        const std::vector<session::LayoutNode> nodes(4, {100, 40});
        const std::vector<session::LayoutEdge> edges{{0, 1}, {0, 2}, {1, 3},
                                                     {2, 3}, {3, 1}, {2, 2}};
        const auto layout = session::layoutGraph(nodes, edges);
        QVERIFY(layout);
        QCOMPARE(layout->layers, (std::vector<int>{0, 1, 1, 2}));
        QCOMPARE(layout->crossings, std::int64_t(0));
        QVERIFY(layout->reversed[4] && layout->reversed[5] && !layout->reversed[0]);
        QVERIFY(std::abs(layout->centers[1].x - layout->centers[2].x) >= 124 - 1e-9);
        QVERIFY(std::abs(layout->centers[0].x - (layout->centers[1].x + layout->centers[2].x) / 2) <
                1e-6);
        for (const session::LayoutPoint& center : layout->centers) {
            QVERIFY(center.x >= 50 - 1e-9 && center.x <= layout->width - 50 + 1e-9);
            QVERIFY(center.y >= 20 - 1e-9 && center.y <= layout->height - 20 + 1e-9);
        }
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!session::layoutGraph(nodes, edges, {}, stop.get_token()));
        QVERIFY(session::layoutGraph({}, {}));
    }

    void crossingsAreReduced() {
        const std::vector<session::LayoutNode> nodes(4, {10, 10});
        const auto layout = session::layoutGraph(nodes, {{0, 3}, {1, 2}});
        QCOMPARE(layout->crossings, std::int64_t(0));
    }

    void largeGraphsAreQuick() {
        constexpr int kNodes = 8000;
        std::vector<session::LayoutNode> nodes(kNodes, {120, 36});
        std::vector<session::LayoutEdge> edges;
        for (int n = 1; n < kNodes; ++n) {
            edges.push_back({n - 1 - (n % 3), n});
            if (n >= 6 && n % 5 == 0)
                edges.push_back({n - 6, n});
        }
        edges.front().from = 0;
        for (session::LayoutEdge& edge : edges)
            edge.from = std::max(0, edge.from);
        QElapsedTimer timer;
        timer.start();
        const auto layout = session::layoutGraph(nodes, edges);
        QVERIFY(layout);
        qInfo("8000 nodes in %lld ms, %lld crossings", static_cast<long long>(timer.elapsed()),
              static_cast<long long>(layout->crossings));
        QVERIFY(timer.elapsed() < 5000);
    }

    void operatorsAreRanked() {
        session::BottleneckReport report;
        report.peaks = plainPeaks();
        // 1 MFLOP at 100 GFLOPS is 10 µs, three calls; 100 kB from memory are 10 µs.
        report.rows = {row(1, 3, 1e6, 16e3, 20e-6, 60e-6), row(2, 1, 1e3, 100e3, 40e-6, 40e-6),
                       row(3, 1, 1e3, 1e3, std::nullopt, std::nullopt)};
        session::rankOperators(report);
        QCOMPARE(report.rows[0].task, std::int64_t(1));
        QVERIFY(report.rows[0].bound == session::Bound::Compute);
        QCOMPARE(*report.rows[0].roofSeconds, 10e-6);
        QCOMPARE(*report.rows[0].roofShare, 0.5);
        QCOMPARE(*report.rows[0].headroomSeconds, 30e-6);
        QCOMPARE(*report.rows[0].speedup, 3.0);
        QVERIFY(report.rows[0].flopRate);
        QVERIFY(report.rows[1].bound == session::Bound::Memory);
        QVERIFY(!report.rows[1].flopRate);
        QCOMPARE(*report.rows[1].byteRate, 2.5e9);
        QCOMPARE(report.rows[1].roofName, std::string("memory"));
        QCOMPARE(*report.totals.seconds, 100e-6);
        QCOMPARE(*report.totals.headroomSeconds, 60e-6);
        QCOMPARE(report.totals.missing, std::int64_t(1));
        QCOMPARE(report.totals.untuned, std::int64_t(1));
        double share = 0;
        for (const session::OperatorRow& r : report.rows)
            share += r.share;
        QCOMPARE(share, 1.0);
        QCOMPARE(report.rows[1].cumulative, 1.0);
        QCOMPARE(report.points.size(), std::size_t(2));
        QCOMPARE(*session::secondsIfRoofShare(report, 1, 1.0), 70e-6);
        QVERIFY(!session::secondsIfRoofShare(report, 3, 1.0));
    }

    void withoutPeaksNothingIsInvented() {
        session::BottleneckReport report;
        report.rows = {row(1, 1, 1e6, 16e3, 20e-6, 60e-6)};
        session::rankOperators(report);
        QVERIFY(!report.rows[0].roofShare && !report.rows[0].headroomSeconds);
        QVERIFY(report.rows[0].bound == session::Bound::Unknown);
        QVERIFY(!report.totals.headroomSeconds && report.totals.seconds);
    }

    void storesAreReported() {
        QTemporaryDir dir;
        const auto store = makeStore(dir);
        session::BottleneckOptions options;
        options.peaksFile = "/nonexistent";
        options.advice = false;
        const auto report = session::readBottlenecks(dir.path().toStdString(), options);
        QCOMPARE(report->rows.size(), std::size_t(1));
        const session::OperatorRow& row = report->rows.front();
        QCOMPARE(*row.bestSeconds, 2e-6);
        QCOMPARE(*row.defaultSeconds, 8e-6);
        QCOMPARE(row.trials, std::int64_t(3));
        QCOMPARE(row.failed, std::int64_t(1));
        QCOMPARE(row.samples, std::int64_t(3));
        QCOMPARE(*row.totalSeconds, 6e-6);
        QVERIFY(row.tuned && !row.shape.empty());
        QVERIFY(!report->peaks.known());
        options.theoretical = true;
        options.statistic = session::Statistic::Mean;
        const auto other = session::readBottlenecks(dir.path().toStdString(), options);
        QVERIFY(other->peaks.origin == session::PeakOrigin::Theoretical);
        QCOMPARE(*other->rows.front().bestSeconds, 3e-6);
        QVERIFY(other->rows.front().headroomSeconds);
    }

    void profilesAreReconciled() {
        const json::Value profile = json::parse(R"({"schema":"tilewright/profile/1","rows":[
            {"name":"scale","calls":3,"median_us":2.0,"lo_us":1.9,"hi_us":2.1,"gflops":2.0,
             "record":7,"nodes":["a"]},
            {"name":"other","calls":1,"median_us":3.0,"gflops":0.0,"record":null,"nodes":[]}],
            "timeline":[{"name":"other","start_us":0,"duration_us":3},
                        {"name":"scale","start_us":3,"duration_us":2}],
            "overhead_us":1.0,"end_to_end":{"median_us":10.0,"lo_us":9.9,"hi_us":10.1,"n":50},
            "threads":1})");
        session::ProfileReport report = session::parseProfile(profile);
        QCOMPARE(report.rows.front().name, std::string("scale"));
        QCOMPARE(report.rows.front().seconds, 6e-6);
        QCOMPARE(report.rows.front().first, 2);
        QCOMPARE(report.sumSeconds, 9e-6);
        QCOMPARE(report.reconciliation, session::Reconciliation::Closed);
        QVERIFY(report.sentence.find("10 µs end to end") != std::string::npos);
        QCOMPARE(session::chromeTrace(report).at("traceEvents").size(), std::size_t(2));
        QTemporaryDir dir;
        {
            const auto store = makeStore(dir);
            QVERIFY(!session::storeProfile(dir.path().toStdString(), "scale", profile));
        }
        QVERIFY(session::storeProfile(dir.path().toStdString(), "scale", profile));
        const auto stored = session::storedProfiles(dir.path().toStdString());
        QCOMPARE(stored.size(), std::size_t(1));
        QCOMPARE(stored.front().runs, std::int64_t(50));
        session::completeProfile(report, dir.path().toStdString(), "/nonexistent");
        QVERIFY(report.rows.front().task > 0 && report.rows.front().hash.size() == 8);
        const auto search = session::readSearchProfile(dir.path().toStdString());
        QVERIFY(search);
        QCOMPARE(search->totalSeconds, 10.0);
        QCOMPARE(search->phases.front().name, std::string("search"));
        QCOMPARE(search->phases.front().share, 0.4);
    }

    void surplusIsSaid() {
        const json::Value profile = json::parse(R"({"rows":[{"name":"a","calls":1,
            "median_us":12.0}],"overhead_us":0,"end_to_end":{"median_us":10.0}})");
        const session::ProfileReport report = session::parseProfile(profile);
        QCOMPARE(report.reconciliation, session::Reconciliation::Surplus);
        QVERIFY(std::abs(report.gapShare - 0.2) < 1e-9);
    }

    void devicesAreKept() {
        QTemporaryDir dir;
        session::DeviceFiles files;
        files.list = dir.filePath("devices.json").toStdString();
        files.tests = dir.filePath("tests.json").toStdString();
        QCOMPARE(session::readDevices(files).size(), std::size_t(1));
        measure::Device board;
        board.key = "vf2";
        board.command = "ssh -T vf2 tilewright-runner";
        board.target = "riscv64-rvv256 -num-cores=1";
        QVERIFY(!session::checkDevice(board, files, false));
        session::saveDevice(board, files, false);
        QCOMPARE(session::checkDevice(board, files, false)->field, std::string("key"));
        QVERIFY(!session::checkDevice(board, files, true));
        measure::Device bad = board;
        bad.key = "other";
        bad.target = "no such target";
        QCOMPARE(session::checkDevice(bad, files, false)->field, std::string("target"));
        bad.key = "local";
        QCOMPARE(session::checkDevice(bad, files, false)->field, std::string("key"));
        session::storeDeviceTest(json::parse(R"({"key":"vf2","status":"ok","error":null,
            "verified":true,"median_us":38.2,"round_trip_ms":184})"),
                                 files);
        const auto rows = session::readDevices(files);
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[1].kind, session::DeviceKind::Ssh);
        QVERIFY(rows[1].test && rows[1].test->ok && rows[1].lastSeenMs);
        QVERIFY(session::addDeviceCommand(board).find("--command 'ssh -T vf2") !=
                std::string::npos);
        QVERIFY(session::removeDevice("vf2", files));
        QVERIFY(!session::removeDevice("vf2", files));
        QCOMPARE(session::readDevices(files).size(), std::size_t(1));
        QVERIFY(session::localDeviceFacts().size() >= 6);
    }

    void damagedTestsAreForgotten() {
        QTemporaryDir dir;
        session::DeviceFiles files;
        files.list = dir.filePath("devices.json").toStdString();
        files.tests = dir.filePath("tests.json").toStdString();
        std::ofstream(files.tests) << "{\"tests\": {\"local\": {\"status\": 3}}";
        QVERIFY(!session::readDevices(files).front().test);
        std::ofstream(files.list) << "{";
        QVERIFY_EXCEPTION_THROWN(session::readDevices(files), base::UserError);
    }

    void peaksAreOfTheMeasuredMachine() {
        QTemporaryDir dir;
        const std::string file = dir.filePath("peaks.json").toStdString();
        const target::HostInfo host = target::detectHost();
        // Quotes right before a raw string's end confuse moc.
        std::string text = R"({"cpu":"x","cpu_name":"NAME","compute":[
            {"vector_bits":128,"gflops":50}],"read":[
            {"level":"L1","bytes":16384,"gb_per_s":100},
            {"level":"memory","bytes":134217728,"gb_per_s":7}]})";
        text.replace(text.find("NAME"), 4, host.cpuName);
        std::ofstream(file) << text;
        const auto peaks = session::readPeaks(file, target::parseTarget("host -num-cores=2"));
        QVERIFY(peaks);
        QCOMPARE(peaks->bestFlopRate(), 100e9);
        QCOMPARE(peaks->memoryRoof(1000)->level, std::string("L1"));
        QCOMPARE(peaks->memoryRoof(1e9)->byteRate, 7e9);
        QVERIFY(peaks->timeMs > 0);
        QVERIFY(!session::readPeaks(file, target::parseTarget("riscv64-rvv256 -num-cores=1")));
        QVERIFY(!session::readPeaks("/nonexistent", target::hostTarget()));
        std::ofstream(file) << "broken";
        QVERIFY(!session::readPeaks(file, target::hostTarget()));
    }
};

QTEST_GUILESS_MAIN(WorkbenchFactsTest)
#include "workbench_facts_test.moc"
