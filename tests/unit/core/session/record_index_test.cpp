// SPDX-License-Identifier: Apache-2.0
#include "../../../support/many_records.h"

#include <tilewright/database/metadata.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/session/record_select.h>

#include <QDateTime>
#include <QTemporaryDir>
#include <QtTest/QTest>

#include <cmath>

using namespace tilewright;
using namespace tilewright::session;

namespace {

std::vector<std::int64_t> idsOf(const RecordIndex& index, const RecordSelection& selection) {
    std::vector<std::int64_t> ids;
    for (const std::uint32_t row : selection.rows)
        ids.push_back(index.id(row));
    return ids;
}

} // namespace

class RecordIndexTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        testing::makeManyRecords(dir(), 4000);
        database::StoreWriter writer(dir(), {}, database::Durability::Normal);
        database::MetadataEditor editor(writer);
        const std::vector<database::RecordId> some{database::RecordId(3), database::RecordId(10)};
        editor.addTag(some, "keep");
        editor.setStarred(some, true);
        editor.setNote(database::RecordId(7), "noisy machine");
        editor.setPin("base", database::RecordId(10));
        const std::vector<database::RecordId> gone{database::RecordId(12)};
        editor.setDeleted(gone, true);
    }

    void filtersAsTheStoreDoes_data() {
        QTest::addColumn<QString>("filter");
        for (const char* filter : {"",
                                   "task:*conv2d* lat<120us status:ok",
                                   "status:failed",
                                   "status!=ok,build",
                                   "tag:keep",
                                   "tag!=keep",
                                   "tag:best",
                                   "starred",
                                   "not starred",
                                   "pinned",
                                   "deleted",
                                   "note~noisy",
                                   "error~symbol",
                                   "trace~Tile",
                                   "age<100000d",
                                   "session:3,4",
                                   "round>10 or trial<5",
                                   "device:cpu0",
                                   "device!=cpu0",
                                   "n=3",
                                   "n<3",
                                   "gflops>5",
                                   "op:dense",
                                   "predicted>=0.5",
                                   "id=1,2,3",
                                   "id!=1,2,3",
                                   "target:*",
                                   "workload:scale",
                                   "origin:trial",
                                   "origin:default",
                                   "full:yes",
                                   "verified",
                                   "median_us>500 not dense",
                                   "best:3",
                                   "best:1 task:dense*",
                                   "(status:run,build or n<3) not tag:noise"})
            QTest::newRow(filter) << QString::fromUtf8(filter);
    }
    void filtersAsTheStoreDoes() {
        QFETCH(QString, filter);
        RecordIndexLoader loader(dir());
        const RecordIndexPtr index = loader.load();
        RecordChoice choice;
        choice.filter = filter.toStdString();
        choice.nowMs = QDateTime::currentMSecsSinceEpoch();
        const RecordSelection selection = selectRecords(*index, choice, &loader);
        QVERIFY2(!selection.problem, selection.problem ? selection.problem->message.c_str() : "");
        database::RecordQuery query;
        query.filter = choice.filter;
        QCOMPARE(idsOf(*index, selection), loader.store().recordIds(query));
    }

    void sortsWithMissingValuesLast() {
        RecordIndexLoader loader(dir());
        const RecordIndexPtr index = loader.load();
        for (const bool descending : {false, true}) {
            RecordChoice choice;
            choice.sort = {{RecordKey::Latency, descending}};
            const RecordSelection selection = selectRecords(*index, choice);
            double before = descending ? INFINITY : 0;
            bool ended = false;
            for (const std::uint32_t row : selection.rows) {
                const double value = index->seconds(row, Statistic::Median);
                if (std::isnan(value)) {
                    ended = true;
                    continue;
                }
                QVERIFY(!ended);
                QVERIFY(descending ? value <= before : value >= before);
                before = value;
            }
            QVERIFY(ended);
        }
    }

    void sortsByTheSecondKeyWithinTheFirst() {
        RecordIndexLoader loader(dir());
        const RecordIndexPtr index = loader.load();
        RecordChoice choice;
        choice.sort = {{RecordKey::Task, false}, {RecordKey::Id, true}};
        const RecordSelection selection = selectRecords(*index, choice);
        for (std::size_t i = 1; i < selection.rows.size(); ++i) {
            const auto a = selection.rows[i - 1];
            const auto b = selection.rows[i];
            QVERIFY(index->taskName(a) <= index->taskName(b));
            if (index->taskName(a) == index->taskName(b))
                QVERIFY(index->id(a) > index->id(b));
        }
    }

    void countsStatesWhateverIsShown() {
        RecordIndexLoader loader(dir());
        const RecordIndexPtr index = loader.load();
        RecordChoice choice;
        choice.statuses = 1;
        const RecordSelection selection = selectRecords(*index, choice);
        QCOMPARE(selection.total, 3999);
        QCOMPARE(selection.matched, 3999);
        QCOMPARE(static_cast<std::int64_t>(selection.rows.size()), selection.byStatus[0]);
        QVERIFY(selection.byStatus[0] < selection.matched);
    }

    void firstRowsAreTheBest() {
        RecordIndexLoader loader(dir());
        const RecordIndexPtr first = loader.firstRows("task:dense*", 50);
        QVERIFY(!first->complete());
        QCOMPARE(first->size(), std::size_t{50});
        RecordChoice choice;
        choice.filter = "task:dense*";
        choice.statuses = 1;
        choice.sort = {{RecordKey::Latency, false}};
        const RecordIndexPtr all = loader.load();
        std::vector<std::int64_t> ids = idsOf(*all, selectRecords(*all, choice));
        ids.resize(50);
        QCOMPARE(idsOf(*first, selectRecords(*first, choice)), ids);
    }

    void refreshTakesWhatWasAdded() {
        QTemporaryDir other;
        const std::string path = other.path().toStdString();
        testing::makeSampleSessions(path);
        RecordIndexLoader loader(path);
        const RecordIndexPtr before = loader.load();
        QCOMPARE(loader.refresh(before), before);
        {
            database::StoreWriter writer(path, {}, database::Durability::Normal);
            const database::StoreReader reader(writer.connection());
            database::TuningRecord record = *reader.record(database::RecordId(2));
            record.trial = 9999;
            record.session = database::SessionId(2);
            record.measurement = database::measurementOf({1e-6, 1e-6, 1e-6});
            record.measurement.present = true;
            writer.commitRecord(record);
            database::MetadataEditor editor(writer);
            const std::vector<database::RecordId> some{database::RecordId(1)};
            editor.setStarred(some, true);
        }
        const RecordIndexPtr after = loader.refresh(before);
        QCOMPARE(after->size(), before->size() + 1);
        QVERIFY((after->marks(0) & kMarkStarred) != 0);
        QVERIFY((before->marks(0) & kMarkStarred) == 0);
        QVERIFY((after->marks(static_cast<std::uint32_t>(after->size() - 1)) & kMarkBest) != 0);
    }

    void readsOtherStatistics() {
        RecordIndexLoader loader(dir());
        RecordIndexPtr index = loader.load();
        QVERIFY(!index->hasStatistic(Statistic::Min));
        QVERIFY(std::isnan(index->seconds(0, Statistic::Min)));
        index = loader.withStatistic(index, Statistic::Min);
        index = loader.withStatistic(index, Statistic::P95);
        const auto record = loader.store().record(database::RecordId(index->id(0)));
        QCOMPARE(index->seconds(0, Statistic::Min),
                 *statisticOf(record->measurement.seconds, Statistic::Min));
        QCOMPARE(index->seconds(0, Statistic::P95),
                 *statisticOf(record->measurement.seconds, Statistic::P95));
    }

    void curveHasEveryImprovement() {
        RecordIndexLoader loader(dir());
        const RecordIndexPtr index = loader.load();
        const RecordSelection selection = selectRecords(*index, {});
        const RecordCurve all = recordCurve(*index, selection, Statistic::Median);
        const RecordCurve some = recordCurve(*index, selection, Statistic::Median, 100);
        QCOMPARE(all.best.size(), some.best.size());
        QVERIFY(some.points.size() < 200);
        QVERIFY(!all.failures.empty());
    }

    void saysWhereAFilterIsWrong_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<int>("offset");
        QTest::addColumn<int>("length");
        QTest::newRow("unit") << "status:ok lat<12parsec" << 14 << 8;
        QTest::newRow("field") << "speed>3" << 0 << 5;
        QTest::newRow("value") << "task:conv lat<" << 14 << 0;
        QTest::newRow("pattern") << "task~(a" << 5 << 2;
        QTest::newRow("best in or") << "best:5 or tag:x" << 0 << 4;
        QTest::newRow("best of none") << "best:0" << 5 << 1;
        QTest::newRow("quote") << "task:\"conv" << 5 << 5;
    }
    void saysWhereAFilterIsWrong() {
        QFETCH(QString, filter);
        QFETCH(int, offset);
        QFETCH(int, length);
        const auto parsed = database::parseFilter(filter.toStdString(), 0);
        QVERIFY(!parsed);
        QCOMPARE(static_cast<int>(parsed.error().offset), offset);
        QCOMPARE(static_cast<int>(parsed.error().length), length);
    }

    void splitsIntoChipsAndBack() {
        using database::filterChips;
        const auto texts = [](const char* filter) {
            QStringList out;
            for (const auto& chip : filterChips(filter))
                out << QString::fromStdString(chip.text) + (chip.valid ? "" : "!");
            return out.join(QLatin1Char('|'));
        };
        QCOMPARE(texts(""), QString());
        QCOMPARE(texts("task:conv2d* and lat<120us best:5"),
                 QString("task:conv2d*|lat<120us|best:5"));
        QCOMPARE(texts("not tag:x (a or b)"), QString("not tag:x|(a or b)"));
        QCOMPARE(texts("a or b"), QString("a or b"));
        QCOMPARE(texts("status:ok lat<12parsec"), QString("status:ok|lat<12parsec!"));
        QCOMPARE(
            QString::fromStdString(database::withoutFilterChip("task:conv2d* lat<120us best:5", 1)),
            QString("task:conv2d* best:5"));
        const std::vector<std::string> chips{"a or b", "starred"};
        QCOMPARE(QString::fromStdString(database::joinFilterChips(chips)),
                 QString("(a or b) starred"));
    }

private:
    std::string dir() const { return temporary_.path().toStdString(); }
    QTemporaryDir temporary_;
};

QTEST_GUILESS_MAIN(RecordIndexTest)
#include "record_index_test.moc"
