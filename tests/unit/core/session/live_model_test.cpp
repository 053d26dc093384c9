// SPDX-License-Identifier: Apache-2.0
#include <tilewright/database/store_writer.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/history_events.h>
#include <tilewright/session/live_curve.h>
#include <tilewright/session/live_model.h>
#include <tilewright/session/metadata_edit.h>
#include <tilewright/session/plan_session.h>
#include <tilewright/session/prediction_quality.h>

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <array>
#include <cmath>
#include <vector>

using namespace tilewright;
using session::LiveModel;
using session::LiveSnapshotPtr;

namespace {

constexpr std::int64_t kStart = 1'790'000'000'000;

json::Value eventOf(const std::string& text) {
    return json::parse(text);
}

std::string at(std::int64_t ms, const std::string& rest) {
    return "{\"time\":" + std::to_string(kStart + ms) + "," + rest + "}";
}

std::string record(std::int64_t ms, int id, const std::string& task, const std::string& trial,
                   const std::string& outcome) {
    return at(ms, R"("event":"record","task":")" + task + R"(","id":)" + std::to_string(id) +
                      ",\"task_id\":" + (task == "a" ? "1" : "2") + ",\"trial\":" + trial +
                      ",\"origin\":" + (trial == "null" ? "\"default\"" : "\"trial\"") + "," +
                      outcome);
}

std::string ok(double us) {
    return R"("status":"ok","n":5,"median_us":)" + std::to_string(us) +
           ",\"lo_us\":" + std::to_string(us - 1) + ",\"hi_us\":" + std::to_string(us + 1);
}

const std::string kFirst =
    at(0, R"("event":"session","state":"running","session":3,"budget":40,"input":"m.onnx",)"
          R"("target":"host","started_ms":1790000000000,"run_ms":1790000000000,"tasks":[)"
          R"({"name":"a","weight":2,"flop":1000,"bytes":10},{"name":"b","weight":1,"flop":10}])");

/// A session of two tasks: defaults 100 and 50 µs, a round of task a.
std::vector<std::string> smallSession() {
    return {kFirst,
            at(100, R"("event":"task","task":"a","state":"started","weight":2,"flop":1000)"),
            record(200, 1, "a", "null", ok(100)),
            at(1000, R"("event":"round","task":"a","state":"started","round":0)"),
            record(2000, 2, "a", "1", ok(80) + ",\"round\":0,\"predicted\":0.2"),
            record(3000, 3, "a", "2",
                   R"("status":"build","error":"no such symbol\nmore","round":0,"median_us":null)"),
            record(4000, 4, "a", "3", ok(40) + ",\"round\":0,\"predicted\":0.9"),
            at(5000, R"("event":"round","task":"a","state":"ended","round":0,"trials":3,)"
                     R"("task_id":1,"info":{"measure_s":3,"train_s":0.5,"search_s":0.5,)"
                     R"("candidates":90,"rejections":{"E at Split":6,"NotRegionCover":4}})")};
}

LiveModel modelOf(const std::vector<std::string>& events) {
    LiveModel model("dir");
    for (const std::string& text : events)
        model.consume(eventOf(text));
    return model;
}

class LiveModelTest : public QObject {
    Q_OBJECT

private slots:
    void countsTrialsAndBests() {
        LiveModel model = modelOf(smallSession());
        const LiveSnapshotPtr snapshot = model.snapshot();
        QCOMPARE(snapshot->state, std::string("running"));
        QCOMPARE(snapshot->session, std::int64_t{3});
        QCOMPARE(snapshot->trials, std::int64_t{3});
        QCOMPARE(snapshot->failed, std::int64_t{1});
        QCOMPARE(snapshot->elapsed, 5.0);
        const session::LiveTask& a = snapshot->tasks.at(0);
        QCOMPARE(a.id, std::int64_t{1});
        QCOMPARE(*a.defaultSeconds, 100e-6);
        QCOMPARE(*a.bestSeconds, 40e-6);
        QCOMPARE(*a.speedUp(), 2.5);
        QCOMPARE(a.bestRecord, std::int64_t{4});
        QCOMPARE(a.failedByKind.at("build"), std::int64_t{1});
        QCOMPARE(a.points->size(), std::size_t{4});
        QCOMPARE(a.best->size(), std::size_t{3});
        QVERIFY(!a.untuned);
        QVERIFY(a.state == session::LiveTaskState::Running);
    }

    // Complaint 5: what is not known is said, what is not tuned counts at its default.
    void totalsNeverDropTasks() {
        LiveModel model = modelOf(smallSession());
        QCOMPARE(model.snapshot()->missingTasks, 1);
        QCOMPARE(*model.snapshot()->bestTotal, 2 * 40e-6);
        model.consume(eventOf(record(6000, 5, "b", "null", ok(50))));
        const LiveSnapshotPtr snapshot = model.snapshot();
        QCOMPARE(snapshot->missingTasks, 0);
        QCOMPARE(snapshot->untunedTasks, 1);
        QVERIFY(std::abs(*snapshot->defaultTotal - 250e-6) < 1e-12);
        QVERIFY(std::abs(*snapshot->bestTotal - 130e-6) < 1e-12);
        QVERIFY(std::abs(snapshot->bestTotalError - std::hypot(2e-6, 1e-6)) < 1e-12);
        const session::ModelTotal& total = snapshot->total;
        QVERIFY(std::abs(total.total.front() - 250e-6) < 1e-12);
        QVERIFY(std::abs(total.total.back() - 130e-6) < 1e-12);
        QVERIFY(total.series.back().untuned);
        QVERIFY(std::abs(total.series.back().seconds.front() - 250e-6) < 1e-12);
        QVERIFY(std::abs(total.series.back().seconds.back() - 50e-6) < 1e-12);
        for (std::size_t i = 0; i < total.times.size(); ++i) {
            double sum = 0;
            for (const auto& series : total.series)
                sum += series.seconds.at(i);
            QVERIFY(std::abs(sum - total.total[i]) < 1e-12);
        }
    }

    void replayedEventsChangeNothing() {
        LiveModel model = modelOf(smallSession());
        const LiveSnapshotPtr before = model.snapshot();
        for (const std::string& text : smallSession())
            model.consume(eventOf(text));
        const LiveSnapshotPtr after = model.snapshot();
        QCOMPARE(after->trials, before->trials);
        QCOMPARE(after->failed, before->failed);
        QCOMPARE(after->elapsed, before->elapsed);
        QCOMPARE(after->rounds.size(), before->rounds.size());
        QCOMPARE(after->phases.search, before->phases.search);
        QCOMPARE(after->funnel.stages.front().count, before->funnel.stages.front().count);
        QCOMPARE(after->tasks[0].best->size(), before->tasks[0].best->size());
    }

    // A record that is confirmed is told again with what the store holds now.
    void confirmedRecordsMoveTheBest() {
        LiveModel model = modelOf(smallSession());
        model.consume(eventOf(record(7000, 4, "a", "3", ok(90) + ",\"round\":0")));
        const session::LiveTask& a = model.snapshot()->tasks.at(0);
        QCOMPARE(a.bestRecord, std::int64_t{2});
        QCOMPARE(*a.bestSeconds, 80e-6);
        model.consume(
            eventOf(record(8000, 2, "a", "1", R"("status":"wrong-result","error":"off")")));
        const LiveSnapshotPtr last = model.snapshot();
        QCOMPARE(last->tasks[0].bestRecord, std::int64_t{4});
        QCOMPARE(last->failed, std::int64_t{2});
        QCOMPARE(last->events.back().kind, std::string("wrong-result"));
        QCOMPARE(last->trials, std::int64_t{3});
    }

    void screenedCandidatesDoNotLead() {
        LiveModel model = modelOf(smallSession());
        model.consume(eventOf(record(7000, 9, "a", "4", ok(10) + ",\"full\":false")));
        QCOMPARE(*model.snapshot()->tasks[0].bestSeconds, 40e-6);
    }

    void row27_funnelCountsEveryStage() {
        LiveModel model = modelOf(smallSession());
        const LiveSnapshotPtr snapshot = model.snapshot();
        const auto& stages = snapshot->funnel.stages;
        const std::vector<std::pair<std::string, std::int64_t>> expected{
            {"sampled", 100}, {"applied", 94}, {"postproc", 90}, {"chosen", 3},
            {"built", 2},     {"ran", 2},      {"correct", 2}};
        QCOMPARE(stages.size(), expected.size());
        for (std::size_t i = 0; i < stages.size(); ++i) {
            QCOMPARE(stages[i].name, expected[i].first);
            QCOMPARE(stages[i].count, expected[i].second);
        }
        QCOMPARE(snapshot->funnel.reasons.front().message, std::string("no such symbol"));
        QCOMPARE(snapshot->funnel.reasons.front().record, std::int64_t{3});
    }

    void row26_timeLeftOnlyAfterSixteenTrials() {
        LiveModel model = modelOf(smallSession());
        for (int i = 4; i <= 15; ++i)
            model.consume(eventOf(record(5000 + 1000 * i, 10 + i, "a", std::to_string(i), ok(60))));
        QVERIFY(!model.snapshot()->timeLeft);
        for (int i = 16; i <= 20; ++i)
            model.consume(eventOf(record(5000 + 1000 * i, 10 + i, "a", std::to_string(i), ok(60))));
        const auto left = model.snapshot()->timeLeft;
        QVERIFY(left.has_value());
        QVERIFY(left->low <= left->seconds && left->seconds <= left->high);
        QVERIFY(left->low >= 19 && left->high <= 45); // 20 trials of a second or a little more
        const session::PhaseSeconds phases = model.snapshot()->phases;
        QCOMPARE(phases.search, 0.5);
        QCOMPARE(phases.train, 0.5);
        QCOMPARE(phases.build + phases.run, 3.0);
        QVERIFY(std::abs(phases.sum() - model.snapshot()->elapsed) < 1e-9);
    }

    void pausesDoNotCountAsWork() {
        LiveModel model = modelOf(smallSession());
        model.consume(eventOf(at(6000, R"("event":"session","asked":"pause")")));
        QCOMPARE(model.snapshot()->asked, std::string("pause"));
        model.consume(eventOf(at(7000, R"("event":"session","state":"paused")")));
        QVERIFY(model.snapshot()->asked.empty());
        model.consume(eventOf(at(107000, R"("event":"session","state":"running")")));
        model.consume(eventOf(record(108000, 7, "a", "4", ok(60))));
        QCOMPARE(model.snapshot()->elapsed, 8.0);
        model.engineLost();
        QCOMPARE(model.snapshot()->state, std::string("interrupted"));
    }

    void row5_ordersShowAtOnceAndWhenCarriedOut() {
        LiveModel model = modelOf(smallSession());
        model.consume(
            eventOf(at(6000, R"("event":"order","task":"b","order":"freeze","asked":true)")));
        QCOMPARE(model.snapshot()->tasks[1].ordered, std::string("freeze"));
        QVERIFY(model.snapshot()->tasks[1].state == session::LiveTaskState::Waiting);
        model.consume(eventOf(at(7000, R"("event":"order","task":"b","order":"freeze")")));
        QVERIFY(model.snapshot()->tasks[1].state == session::LiveTaskState::Frozen);
        QCOMPARE(model.snapshot()->events.back().kind, std::string("order"));
    }

    void oddEventsAreTaken() {
        LiveModel model;
        for (const char* text :
             {"{}", "[]", R"({"event":"record"})", R"({"event":7})", R"({"event":"new-kind"})",
              R"({"event":"round","task":"x","state":"ended","info":7})",
              R"({"event":"session","tasks":[3,{"name":"q","weight":"heavy"}]})"})
            model.consume(eventOf(text));
        QVERIFY(model.snapshot() != nullptr);
        QVERIFY(!model.snapshot()->bestTotal);
        QVERIFY(!model.snapshot()->speedUp());
    }

    void row21_curvesHaveUnits() {
        LiveModel model = modelOf(smallSession());
        const LiveSnapshotPtr snapshot = model.snapshot();
        const session::LiveCurve latency =
            session::curveOf(*snapshot, 0, session::CurveX::Trial, session::CurveY::Latency);
        QCOMPARE(latency.yUnit.name, std::string("µs"));
        QCOMPARE(latency.trials.size(), std::size_t{2});
        QCOMPARE(latency.failures.size(), std::size_t{1});
        QCOMPARE(latency.failures[0].x, 2.0);
        QVERIFY(std::abs(*latency.defaultY - 100) < 1e-9);
        QVERIFY(std::abs(latency.bestError - 1) < 1e-9);
        const session::LiveCurve rate =
            session::curveOf(*snapshot, 0, session::CurveX::Time, session::CurveY::Rate);
        QVERIFY(std::abs(*rate.bestY - 1000 / 40e-6 / 1e9) < 1e-9);
        QCOMPARE(rate.trials.back().x, 4.0);
        const session::LiveCurve round =
            session::curveOf(*snapshot, 0, session::CurveX::Round, session::CurveY::Latency);
        QCOMPARE(round.trials.back().x, 1.0);
        QVERIFY(session::curveOf(*snapshot, 9, session::CurveX::Round, session::CurveY::Latency)
                    .trials.empty());
    }

    void row67_ranksPredictions() {
        const std::array<double, 5> predicted{1, 2, 3, 4, 5};
        const std::array<double, 5> same{10, 20, 30, 40, 50};
        const std::array<double, 5> reversed{5, 4, 3, 2, 1};
        QCOMPARE(*session::spearman(predicted, same), 1.0);
        QCOMPARE(*session::spearman(predicted, reversed), -1.0);
        const auto good = session::predictionQuality(predicted, same);
        QCOMPARE(*good.recall, 1.0);
        QCOMPARE(*good.regret, 0.0);
        QCOMPARE(*session::predictionQuality(predicted, reversed).regret, 0.8);
        std::vector<double> a;
        std::vector<double> b;
        for (int i = 0; i < 64; ++i) {
            a.push_back(i * 37 % 64);
            b.push_back(i * 23 % 61);
        }
        QVERIFY(session::predictionQuality(a, b).noBetterThanRandom);
        QVERIFY(!session::predictionQuality(a, a).noBetterThanRandom);
        LiveModel model = modelOf(smallSession());
        QCOMPARE(model.snapshot()->predictions->size(), std::size_t{2});
        QCOMPARE(model.snapshot()->quality.size(), std::size_t{1});
    }

    void storedSessionsGiveTheSameSnapshot();
    void row11_plansAndCommandLines();
    void editsAreOneStepEach();
};

void LiveModelTest::storedSessionsGiveTheSameSnapshot() {
    using namespace database;
    const QTemporaryDir temporary;
    const std::filesystem::path dir = temporary.path().toStdString();
    {
        StoreWriter store(dir);
        Session session;
        session.state = "running";
        session.input = "m.onnx";
        session.budget = 40;
        session.startedMs = kStart;
        session.options = R"({"tasks":["a","b"]})";
        session.id = store.beginSession(session);
        const Workload workload = store.commitTvmWorkload("line", "");
        Task task;
        task.workload = workload.id;
        task.name = "a";
        task.weight = 2;
        const TaskId a = store.commitTask(task);
        TuningRecord record;
        record.workload = workload.id;
        record.task = a;
        record.session = session.id;
        record.trace = "[[],[]]";
        record.origin = RecordOrigin::Default;
        record.timeMs = kStart + 500;
        record.measurement = measurementOf({100e-6, 100e-6, 100e-6});
        store.commitRecord(record);
        record.origin = RecordOrigin::Trial;
        for (int i = 1; i <= 3; ++i) {
            record.trial = i;
            record.round = 0;
            record.timeMs = kStart + 1000 * i;
            record.measurement = measurementOf({(100 - 10 * i) * 1e-6});
            store.commitRecord(record);
        }
        store.commitRound({session.id, a, 0, kStart + 3500, 3,
                           R"({"search_s":1,"train_s":1,"measure_s":1,"candidates":9})"});
    }
    LiveModel model = session::loadLiveModel(dir);
    const LiveSnapshotPtr snapshot = model.snapshot();
    QCOMPARE(snapshot->state, std::string("interrupted")); // nobody runs it
    QCOMPARE(snapshot->tasks.size(), std::size_t{2});
    QCOMPARE(snapshot->trials, std::int64_t{3});
    QVERIFY(std::abs(*snapshot->tasks[0].bestSeconds - 70e-6) < 1e-12);
    QCOMPARE(snapshot->elapsed, 3.5);
    QCOMPARE(snapshot->rounds.size(), std::size_t{1});
    QCOMPARE(snapshot->phases.search, 1.0);
    QCOMPARE(snapshot->missingTasks, 1);
    // Replaying the events gives the same.
    LiveModel again;
    const StoreReader reader(dir);
    for (const json::Value& one : session::historyEvents(reader))
        again.consume(one);
    QCOMPARE(again.snapshot()->trials, snapshot->trials);
    QCOMPARE(again.snapshot()->elapsed, snapshot->elapsed);
}

void LiveModelTest::row11_plansAndCommandLines() {
    session::SessionPlan plan;
    plan.input = "my model's.onnx";
    plan.workDir = "/tmp/w";
    plan.target = "host -num-cores=1";
    session::applyEffort(plan, session::Effort::Quick, 9);
    QCOMPARE(plan.trials, std::int64_t{144});
    plan.tasks = {"conv*"};
    plan.shapes["x"] = {1, 3};
    QCOMPARE(session::commandLine(plan),
             std::string("tilewright tune 'my model'\\''s.onnx' --target 'host -num-cores=1' "
                         "--work-dir /tmp/w --max-trials-global 144 --time-limit 24 "
                         "--task 'conv*' --shape x=1,3"));
    // Kept with the session and read back.
    session::TuningSpeed speed;
    const session::PlanEstimate estimate = session::estimatePlan(plan, speed);
    QVERIFY(estimate.limited && estimate.seconds <= 30);
    plan.timeLimitSeconds = 0;
    QVERIFY(!session::estimatePlan(plan, speed).limited);
    database::Session stored;
    stored.input = plan.input;
    stored.target = plan.target;
    stored.budget = 7;
    stored.seed = 5;
    stored.options = R"({"max_trials_global":99,"task_globs":["conv*"],"shapes":{"x":[1,3]},)"
                     R"("evaluator":"repeat=3","directory":"/srv"})";
    const session::SessionPlan back = session::planOfSession(stored, "/tmp/w");
    QCOMPARE(back.trials, std::int64_t{99});
    QCOMPARE(back.shapes, plan.shapes);
    QCOMPARE(back.seed, std::int64_t{5});
    QCOMPARE(back.directory.string(), std::string("/srv"));
    const QTemporaryDir temporary;
    const std::filesystem::path file = (temporary.path() + "/deep/speed.json").toStdString();
    session::LiveSnapshot snapshot;
    snapshot.trials = 20;
    snapshot.elapsed = 10;
    QVERIFY(!session::readTuningSpeed(file).measured);
    QVERIFY(session::keepTuningSpeed(snapshot, file));
    QCOMPARE(session::readTuningSpeed(file).secondsPerTrial, 0.5);
}

void LiveModelTest::editsAreOneStepEach() {
    using namespace database;
    const QTemporaryDir temporary;
    const std::filesystem::path dir = temporary.path().toStdString();
    RecordId id;
    {
        StoreWriter store(dir);
        TuningRecord record;
        record.workload = store.commitTvmWorkload("line", "").id;
        Task task;
        task.name = "a";
        task.workload = record.workload;
        record.task = store.commitTask(task);
        record.trace = "[[],[]]";
        record.measurement = measurementOf({1e-6});
        id = store.commitRecord(record);
    }
    session::MetadataEdit edit;
    edit.records = {id};
    edit.addTags = {"fine"};
    edit.note = "look";
    edit.starred = true;
    edit.pin = "base";
    edit = session::metadataEditFromJson(session::toJson(edit));
    QCOMPARE(session::editMetadata(dir, edit).size(), std::size_t{4});
    const StoreReader reader(dir);
    QCOMPARE(reader.marks(id).note, std::string("look"));
    QVERIFY(reader.marks(id).starred);
    QCOMPARE(reader.pins().size(), std::size_t{1});
    session::MetadataEdit undo;
    undo.undo = true;
    QCOMPARE(session::editMetadata(dir, undo).size(), std::size_t{1});
    QVERIFY(reader.pins().empty());
    QVERIFY_EXCEPTION_THROWN(session::editMetadata(dir, {}), std::exception);
}

} // namespace

QTEST_APPLESS_MAIN(LiveModelTest)
#include "live_model_test.moc"
