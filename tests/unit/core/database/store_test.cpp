// SPDX-License-Identifier: Apache-2.0
#include "sample_records.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/database/database.h>
#include <tilewright/database/maintenance.h>
#include <tilewright/database/metadata.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/store_writer.h>

#include <algorithm>
#include <cstdlib>
#include <QtCore/QElapsedTimer>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace tilewright;
using namespace tilewright::database;

namespace {

std::string refusalKind(const std::function<void()>& action) {
    try {
        action();
    } catch (const base::UserError& error) {
        return error.diagnostic().kind;
    }
    return "accepted";
}

std::int64_t count(const StoreReader& reader, const std::string& filter) {
    RecordQuery query;
    query.filter = filter;
    return reader.countRecords(query);
}

} // namespace

class StoreTest : public QObject {
    Q_OBJECT
    std::filesystem::path dir(const QTemporaryDir& temporary) {
        return temporary.path().toStdString();
    }
private slots:
    void recordsComeBack() {
        QTemporaryDir temporary;
        StoreWriter writer(dir(temporary));
        const Workload w = writer.commitWorkload("module", "mm");
        QCOMPARE(writer.commitWorkload("module", "other").id, w.id);
        QVERIFY(writer.commitWorkload("module 2").id != w.id);
        Session session;
        session.name = "first";
        session.state = "running";
        session.budget = 64;
        session.environment = R"({"cpu":"x"})";
        session.id = writer.beginSession(session);
        Task task;
        task.name = "t";
        task.workload = w.id;
        task.target = kSampleTarget;
        task.weight = 3;
        const TaskId t = writer.commitTask(task);
        task.flop = 7;
        QCOMPARE(writer.commitTask(task), t);

        TuningRecord record = sampleRecord(w.id, t, 4);
        record.session = session.id;
        record.round = 2;
        record.verified = true;
        record.buildSeconds = 0.25;
        record.measurement.otherCpu = {0, 0.1, 0};
        const RecordId id = writer.commitRecord(record);

        const StoreReader reader(dir(temporary));
        const auto back = reader.record(id);
        QVERIFY(back.has_value());
        QCOMPARE(back->trace, record.trace);
        QCOMPARE(back->target, record.target);
        QCOMPARE(back->argsInfo, record.argsInfo);
        QCOMPARE(back->measurement.seconds, record.measurement.seconds);
        QCOMPARE(back->measurement.otherCpu, record.measurement.otherCpu);
        QCOMPARE(back->measurement.median, record.measurement.median);
        QCOMPARE(back->trial, std::optional<std::int64_t>(5));
        QCOMPARE(back->round, std::optional(2));
        QCOMPARE(back->verified, std::optional(true));
        QCOMPARE(back->taskName, std::string("t"));
        QCOMPARE(back->workloadHash, w.hash);
        QVERIFY(back->timeMs > 1600000000000);
        QCOMPARE(reader.tasks().front().flop, 7.0);
        QCOMPARE(reader.sessions().front().environment, session.environment);
        QVERIFY(!reader.record(RecordId(99)));

        // Re-measuring replaces the measurement and keeps the row sound.
        TuningRecord again = *back;
        again.measurement = measurementOf({1e-6, 2e-6, 3e-6, 4e-6});
        writer.updateMeasurement(again);
        QCOMPARE(reader.record(id)->measurement.seconds.size(), std::size_t{4});
        again.status = RecordStatus::WrongResult;
        writer.updateMeasurement(again);
        QVERIFY(!reader.record(id)->measurement.median);
        QVERIFY(checkStore(dir(temporary)).empty());
    }

    void sessionsResume() {
        QTemporaryDir temporary;
        {
            StoreWriter writer(dir(temporary));
            Session session;
            session.state = "running";
            session.id = writer.beginSession(session);
            writer.saveState(session.id, "random", "123");
            writer.saveState(session.id, "random", std::string("4\0005", 3));
            writer.commitModel({session.id, TaskId(), "xgb", 0, "blob1", "{}"});
            writer.commitModel({session.id, TaskId(), "xgb", 0, "blob2", "{}"});
            writer.commitRound({session.id, TaskId(), 0, 0, 16, "{}"});
            writer.commitTaskEvent({session.id, TaskId(), 0, "boost", "{}"});
            writer.commitProfile({session.id, "model", 0, "{}"});
            writer.writeHeartbeat(ownHeartbeat());
            const StoreReader reader(dir(temporary));
            QCOMPARE(reader.effectiveState(reader.sessions().front()), std::string("running"));
        }
        const StoreReader reader(dir(temporary));
        const Session session = reader.sessions().front();
        QCOMPARE(reader.state(session.id, "random"), std::optional(std::string("4\0005", 3)));
        QVERIFY(!reader.state(session.id, "other"));
        QCOMPARE(reader.latestModel(session.id, TaskId(), "xgb")->data, std::string("blob2"));
        QCOMPARE(reader.rounds(session.id).size(), std::size_t{1});
        QCOMPARE(reader.taskEvents(session.id).front().kind, std::string("boost"));
        QCOMPARE(reader.profiles().size(), std::size_t{1});
        // No engine holds the directory any more.
        QCOMPARE(reader.effectiveState(session), std::string("interrupted"));
        QVERIFY(isAlive(*reader.heartbeat()));
        Heartbeat other = *reader.heartbeat();
        other.bootId = "another boot";
        QVERIFY(!isAlive(other));
    }

    void transactionsAreAllOrNothing() {
        QTemporaryDir temporary;
        StoreWriter writer(dir(temporary));
        fillStore(writer, 3);
        {
            StoreWriter::Transaction transaction(writer);
            const Workload w = writer.commitWorkload("new", "");
            TuningRecord record = sampleRecord(w.id, TaskId(), 1);
            record.target = R"({"kind":"llvm","keys":["cpu"],"tag":"x"})";
            writer.commitRecord(record);
        }
        QCOMPARE(StoreReader(writer.connection()).counts().records, 3);
        const RecordId next = writer.commitRecord(sampleRecord(WorkloadId(1), TaskId(1), 8));
        QCOMPARE(next.value, 4);
        QVERIFY(checkStore(dir(temporary)).empty());
    }

    void oneWriter() {
        QTemporaryDir temporary;
        StoreWriter writer(dir(temporary));
        try {
            DirectoryLock second(dir(temporary), std::chrono::milliseconds(50));
            QFAIL("a second writer got the lock");
        } catch (const base::UserError& error) {
            QCOMPARE(error.diagnostic().kind, std::string("database-locked"));
            const std::string pid = std::to_string(getpid());
            QVERIFY2(error.diagnostic().message.find(pid) != std::string::npos, error.what());
        }
        QVERIFY(DirectoryLock::owner(dir(temporary)).has_value());
        { const StoreWriter moved(std::move(writer)); }
        QVERIFY(!DirectoryLock::owner(dir(temporary)).has_value());
        const DirectoryLock free(dir(temporary));
        QVERIFY(isNetworkFileSystem(0x6969));
        QVERIFY(isNetworkFileSystem(static_cast<std::int32_t>(0xFF534D42)));
        QVERIFY(!isNetworkFileSystem(0xEF53));
    }

    void readersSeeCommits() {
        QTemporaryDir temporary;
        StoreWriter writer(dir(temporary));
        fillStore(writer, 20);
        const StoreReader reader(dir(temporary));
        QCOMPARE(reader.counts().records, 20);
        QCOMPARE(reader.counts().byStatus[0], 18);
        QCOMPARE(reader.counts().byStatus[int(RecordStatus::Build)], 2);
        writer.commitRecord(sampleRecord(WorkloadId(1), TaskId(1), 20));
        QCOMPARE(reader.counts().records, 21);
    }

    void filters() {
        QTemporaryDir temporary;
        StoreWriter writer(dir(temporary));
        fillStore(writer, 200);
        MetadataEditor editor(writer);
        const std::vector<RecordId> some{RecordId(1), RecordId(2)};
        editor.addTag(some, "best");
        editor.setDeleted(std::vector{RecordId(3)}, true);
        const StoreReader reader(writer.connection());
        QCOMPARE(count(reader, ""), 199);
        QCOMPARE(count(reader, "status=ok"), 179);
        QCOMPARE(count(reader, "status:failed"), 20);
        QCOMPARE(count(reader, "status!=ok"), 20);
        QCOMPARE(count(reader, "status:build,run"), 20);
        // i = 0, 1, 97, 98, 194 and 195; none of them failed or deleted.
        QCOMPARE(count(reader, "median_us<=20.001"), 6);
        QCOMPARE(count(reader, "status=ok and median_us<100 and task~conv"),
                 count(reader, "task:conv2d* lat<0.1ms status:ok"));
        QCOMPARE(count(reader, "tag:best"), 2);
        QCOMPARE(count(reader, "tag:b*"), 2);
        QCOMPARE(count(reader, "not tag:best"), 197);
        QCOMPARE(count(reader, "deleted:yes"), 1);
        QCOMPARE(count(reader, "id<=3"), 2);
        QCOMPARE(count(reader, "id=1,5,7"), 3);
        QCOMPARE(count(reader, "id=1 or id=5 id=7 or (id=9 and id>8)"), 2);
        QCOMPARE(count(reader, "age<1d"), 199);
        QCOMPARE(count(reader, "age>1d"), 0);
        QCOMPARE(count(reader, "trace~\\[19[0-9],1\\]"), 10);
        QCOMPARE(count(reader, "trace~sampleperfecttile"), 199);
        QCOMPARE(count(reader, "error~\"symbol f1?9$\""), 2);
        QCOMPARE(count(reader, "error~\"f(19|29)$\""), 2);
        QCOMPARE(count(reader, "conv"), 199);
        QCOMPARE(count(reader, "nothing"), 0);
        QCOMPARE(count(reader, "target:*core-avx2*"), 199);
        QCOMPARE(count(reader, "device!=local"), 0);
        QCOMPARE(count(reader, "full:yes origin:trial n=3"), 179);
        QCOMPARE(count(reader, "trial>=190 and trial<=199"), 10);
        QCOMPARE(count(reader, "NOT (status=ok)"), 20);
    }

    void filterErrorsSayWhere_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("part");
        QTest::newRow("field") << "status=ok and colour=red" << 15 << "colour";
        QTest::newRow("status") << "status=fine" << 8 << "accepted: ok";
        QTest::newRow("unit") << "lat<5lightyears" << 5 << "ns, us";
        QTest::newRow("number") << "id=x" << 4 << "integer";
        QTest::newRow("open") << "(id=1" << 1 << "without ')'";
        QTest::newRow("close") << "id=1)" << 5 << "without '('";
        QTest::newRow("missing") << "id=1 and" << 9 << "missing";
        QTest::newRow("value") << "id=" << 4 << "missing";
        QTest::newRow("pattern") << "trace~[a" << 7 << "without ']'";
        QTest::newRow("quote") << "trace~\"a" << 7 << "never closed";
        QTest::newRow("order") << "task<b" << 6 << "is a text";
        QTest::newRow("search") << "id~5" << 4 << "is a number";
        QTest::newRow("switch") << "full=maybe" << 6 << "yes or no";
    }

    void filterErrorsSayWhere() {
        QFETCH(QString, filter);
        QFETCH(int, column);
        QFETCH(QString, part);
        const auto compiled = compileFilter(filter.toStdString(), 0);
        QVERIFY(!compiled);
        const auto& place = std::get<base::TextLocation>(compiled.error().locations.front());
        QCOMPARE(place.column, column);
        QVERIFY2(QString::fromStdString(compiled.error().message).contains(part),
                 compiled.error().message.c_str());
    }

    void anyFilterTextIsAnswered() {
        QTemporaryDir temporary;
        StoreWriter writer(dir(temporary));
        fillStore(writer, 5);
        const StoreReader reader(writer.connection());
        const std::string alphabet = "id=<>:~()[]*+?|\\\"'%;- ,1us aorntd";
        std::uint32_t state = 1;
        for (int i = 0; i < 3000; ++i) {
            std::string text;
            for (int k = 0; k < 12; ++k) {
                state = state * 1664525u + 1013904223u;
                text += alphabet[(state >> 16) % alphabet.size()];
            }
            if (compileFilter(text, 0))
                (void)count(reader, text);
        }
        QCOMPARE(refusalKind([&] { count(reader, std::string(5000, '(')); }),
                 std::string("filter"));
        std::string nots;
        for (int i = 0; i < 5000; ++i)
            nots += "not ";
        QCOMPARE(refusalKind([&] { count(reader, nots + "id=1"); }), std::string("filter"));
    }

    void ordersAndPages() {
        QTemporaryDir temporary;
        StoreWriter writer(dir(temporary));
        fillStore(writer, 100);
        const StoreReader reader(writer.connection());
        RecordQuery query;
        query.order = RecordOrder::Median;
        query.limit = 5;
        query.withTrace = true;
        auto page = reader.records(query);
        QCOMPARE(page.records.size(), std::size_t{5});
        QCOMPARE(page.records[0].id.value, 1);
        QCOMPARE(page.records[1].id.value, 98); // equal median, later
        QCOMPARE(page.records[0].trace, sampleTrace(0));
        query.offset = 98;
        QCOMPARE(reader.records(query).records.size(), std::size_t{2});
        QVERIFY(!reader.records(query).records[0].measurement.median);
        query = {};
        query.topK = 2;
        QCOMPARE(reader.recordIds(query), (std::vector<std::int64_t>{1, 98}));
        query.descending = true;
        QCOMPARE(reader.recordIds(query), (std::vector<std::int64_t>{98, 1}));
        for (const auto order : {RecordOrder::Trial, RecordOrder::Time, RecordOrder::Task,
                                 RecordOrder::Status, RecordOrder::Predicted}) {
            query = {};
            query.order = order;
            QCOMPARE(reader.recordIds(query).size(), std::size_t{100});
        }
        const auto summary = reader.taskSummaries().front();
        QCOMPARE(summary.ok, 90);
        QCOMPARE(summary.failed, 10);
        QCOMPARE(summary.best, std::optional(RecordId(1)));
        QCOMPARE(reader.bestRecord(WorkloadId(1), kSampleTarget)->id.value, 1);
        QCOMPARE(reader.bestRecord(WorkloadId(1), "")->id.value, 1);
        QVERIFY(!reader.bestRecord(WorkloadId(1), R"({"kind":"cuda"})"));
    }

    void metadataIsUndone() {
        QTemporaryDir temporary;
        StoreWriter writer(dir(temporary));
        fillStore(writer, 10);
        MetadataEditor editor(writer);
        const StoreReader reader(writer.connection());
        const std::vector<RecordId> some{RecordId(1), RecordId(2)};
        editor.addTag(some, "best");
        editor.setNote(RecordId(1), "look here");
        editor.setNote(RecordId(1), "look there");
        editor.setStarred(some, true);
        editor.setPin("baseline", RecordId(2));
        editor.setDeleted(some, true);
        QCOMPARE(reader.countRecords({}), 8);
        QCOMPARE(editor.undoLabel(), std::string("delete 2 records"));
        QVERIFY(editor.undo());
        QCOMPARE(reader.countRecords({}), 10);
        QCOMPARE(reader.pins().size(), std::size_t{1});
        QVERIFY(editor.undo());
        QVERIFY(reader.pins().empty());
        QVERIFY(editor.undo());
        QVERIFY(!reader.marks(RecordId(1)).starred);
        QVERIFY(editor.undo());
        QCOMPARE(reader.marks(RecordId(1)).note, std::string("look here"));
        QCOMPARE(editor.redoLabel(), std::string("note on record 1"));
        QVERIFY(editor.redo());
        QCOMPARE(reader.marks(RecordId(1)).note, std::string("look there"));
        QCOMPARE(reader.marks(RecordId(1)).tags, std::vector<std::string>{"best"});
        editor.removeTag(some, "best");
        QVERIFY(!editor.redo());
        while (editor.undo()) {
        }
        QVERIFY(reader.marks(RecordId(1)).tags.empty());
        QVERIFY(reader.marks(RecordId(1)).note.empty());
        QCOMPARE(refusalKind([&] { editor.setNote(RecordId(77), "x"); }),
                 std::string("database-row"));
        QVERIFY(checkStore(dir(temporary)).empty());
    }

    void mergeBackupPrune() {
        QTemporaryDir temporary;
        const auto a = dir(temporary) / "a";
        const auto b = dir(temporary) / "b";
        {
            StoreWriter writer(a);
            fillStore(writer, 50);
        }
        StoreWriter writer(b);
        MergeReport report = mergeStore(a, writer);
        QCOMPARE(report.records, 50);
        QCOMPARE(report.workloads, 1);
        report = mergeStore(a, writer);
        QCOMPARE(report.records, 0);
        QCOMPARE(report.duplicates, 50);
        QCOMPARE(refusalKind([&] { mergeStore(b, writer); }), std::string("database-merge"));

        const auto copy = dir(temporary) / "copy.twdb";
        backupStore(b, copy);
        QCOMPARE(StoreReader(copy).counts().records, 50);
        QCOMPARE(refusalKind([&] { backupStore(b, copy); }), std::string("file-exists"));

        MetadataEditor(writer).setStarred(std::vector{RecordId(20)}, true);
        QCOMPARE(pruneStore(writer, {}), 50 - 2);
        const StoreReader reader(writer.connection());
        QCOMPARE(reader.recordIds({}), (std::vector<std::int64_t>{1, 20}));
        QVERIFY(checkStore(b).empty());
        // A number is never given twice.
        QVERIFY(writer.commitRecord(sampleRecord(WorkloadId(1), TaskId(1), 1)).value > 50);
        QVERIFY(checkStore(b).empty());
    }

    void kindsAnswerAlike() {
        QTemporaryDir temporary;
        const DatabaseRegistry registry;
        DatabaseOptions options;
        options.codec.toTvmGraph = [](std::string_view m, bool) {
            return "{\"module\":\"" + std::string(m) + "\"}";
        };
        options.codec.fromTvmGraph = [](std::string_view g) {
            return std::string(g.substr(11, g.size() - 13));
        };
        for (const char* kind : {"memory", "json", "sqlite"}) {
            options.workDir = dir(temporary) / kind;
            const auto fill = [&](Database& db) {
                const Workload w = db.commitWorkload("m1");
                QCOMPARE(db.commitWorkload("m1").id, w.id);
                for (int i = 0; i < 20; ++i)
                    db.commitTuningRecord(sampleRecord(w.id, TaskId(), i));
                QVERIFY(db.hasWorkload("m1"));
                QVERIFY(!db.hasWorkload("m2"));
                const auto top = db.getTopK(w.id, 3);
                QCOMPARE(top.size(), std::size_t{3});
                QCOMPARE(top[0].trace, sampleTrace(0));
                QCOMPARE(top[2].trace, sampleTrace(2));
                QVERIFY(db.getTopK(w.id, 0).empty());
                QCOMPARE(refusalKind([&] { (void)db.getTopK(w.id, -1); }), std::string("top-k"));
                QCOMPARE(db.size(), std::size_t{20});
                QCOMPARE(db.getAllTuningRecords().size(), std::size_t{20});
                QCOMPARE(db.queryTuningRecord("m1", kSampleTarget, "main")->trace, sampleTrace(0));
                QVERIFY(!db.queryTuningRecord("m1", R"({"kind":"cuda"})", "main"));
                QVERIFY(!db.queryTuningRecord("m2", "", "main"));
                const auto pruned = makeMemoryDatabase();
                db.dumpPruned(*pruned);
                QCOMPARE(pruned->size(), std::size_t{1});
            };
            fill(*registry.create(kind, options));
            if (std::string(kind) != "memory")
                QCOMPARE(registry.create(kind, options)->size(), std::size_t{20});
        }
        const std::shared_ptr<Database> first = makeMemoryDatabase();
        const std::shared_ptr<Database> second = makeMemoryDatabase();
        first->commitTuningRecord(sampleRecord(first->commitWorkload("m").id, TaskId(), 5));
        second->commitTuningRecord(sampleRecord(second->commitWorkload("m").id, TaskId(), 1));
        options.members = {first, second};
        const auto all = registry.create("union", options);
        const auto ordered = registry.create("ordered-union", options);
        QCOMPARE(all->queryTuningRecord("m", "", "")->trace, sampleTrace(1));
        QCOMPARE(ordered->queryTuningRecord("m", "", "")->trace, sampleTrace(5));
        QCOMPARE(refusalKind([&] { all->size(); }), std::string("database-kind"));
        QCOMPARE(refusalKind([&] { (void)registry.create("oracle", options); }),
                 std::string("database-kind"));
        const auto scripted =
            makeScheduleFnDatabase([](auto module, auto, auto) -> std::optional<std::string> {
                return module == "m" ? std::optional<std::string>("[[],[]]") : std::nullopt;
            });
        QVERIFY(scripted->queryTuningRecord("m", "", ""));
        QVERIFY(!scripted->queryTuningRecord("n", "", ""));
    }

    void manyRecords() {
        QTemporaryDir temporary;
        StoreWriter writer(dir(temporary), {}, Durability::Normal);
        fillStore(writer, 1);
        std::vector<TuningRecord> records;
        // TW_MANY_RECORDS=1000000 measures the sizes that the window is made for.
        const char* asked = std::getenv("TW_MANY_RECORDS");
        const int n = asked ? std::atoi(asked) : 40000;
        for (int i = 1; i < n; ++i)
            records.push_back(sampleRecord(WorkloadId(1), TaskId(1), i));
        QElapsedTimer timer;
        timer.start();
        writer.commitRecords(records);
        qInfo("%.0f rows/s", 1e3 * n / double(std::max<qint64>(1, timer.elapsed())));
        timer.start();
        const StoreReader reader(dir(temporary));
        QCOMPARE(reader.counts().records, n);
        const qint64 opened = timer.restart();
        RecordQuery query;
        query.order = RecordOrder::Median;
        query.limit = 100;
        QCOMPARE(reader.records(query).records.size(), std::size_t{100});
        const qint64 first = timer.restart();
        query.limit = -1;
        QCOMPARE(reader.recordIds(query).size(), std::size_t(n));
        const qint64 ids = timer.restart();
        query.filter = "status=ok and median_us<100 and task~conv";
        QVERIFY(reader.countRecords(query) > 0);
        qInfo("open %lld ms, first page %lld ms, all ids %lld ms, filter %lld ms", opened, first,
              ids, timer.elapsed());
    }
};

QTEST_GUILESS_MAIN(StoreTest)
#include "store_test.moc"
