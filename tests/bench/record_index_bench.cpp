// SPDX-License-Identifier: Apache-2.0
// A store with many records: first rows, filter, sort, memory. TW_MANY_RECORDS says how many
// (1,000,000 by default), TW_RECORDS_DIR where the store is kept for the next time.
#include "../support/many_records.h"

#include <tilewright/session/record_select.h>

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QTest>

#include <cstdlib>

using namespace tilewright;
using namespace tilewright::session;

namespace {

double residentMegabytes() {
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith("VmRSS:"))
            return line.mid(6).trimmed().split(' ').first().toDouble() / 1024;
    return 0;
}

} // namespace

class RecordIndexBench : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        const char* kept = std::getenv("TW_RECORDS_DIR");
        dir_ = kept ? QString::fromLocal8Bit(kept) : temporary_.path();
        const char* asked = std::getenv("TW_MANY_RECORDS");
        count_ = asked ? std::atoll(asked) : 1000000;
        QElapsedTimer timer;
        timer.start();
        if (!QFile::exists(dir_ + QStringLiteral("/tuning.twdb")))
            testing::makeManyRecords(dir_.toStdString(), count_);
        qInfo("store of %lld records made in %.1f s", static_cast<long long>(count_),
              static_cast<double>(timer.elapsed()) / 1000);
    }

    void aMillionRecords() {
        const double before = residentMegabytes();
        QElapsedTimer timer;
        timer.start();
        RecordIndexLoader loader(dir_.toStdString());
        const RecordIndexPtr first = loader.firstRows("");
        RecordChoice choice;
        choice.statuses = 1;
        choice.sort = {{RecordKey::Latency, false}};
        const RecordSelection page = selectRecords(*first, choice, &loader);
        const qint64 firstMs = timer.restart();
        QVERIFY(!page.rows.empty());
        const RecordIndexPtr index = loader.load();
        const qint64 loadMs = timer.restart();
        QCOMPARE(static_cast<qint64>(index->size()), count_);
        qInfo("first rows %lld ms, all %lld ms, columns %.0f MB, resident +%.0f MB",
              static_cast<long long>(firstMs), static_cast<long long>(loadMs),
              static_cast<double>(index->memoryBytes()) / 1e6, residentMegabytes() - before);
        for (const char* filter :
             {"", "task:conv2d* lat<120us status:ok", "status:failed", "best:5", "tag:best",
              "(session:3,4 or round>1000) not device:cpu0 predicted>0.5", "gflops>5 op:dense"}) {
            choice.filter = filter;
            choice.sort.clear();
            choice.statuses = ~0U;
            timer.restart();
            const RecordSelection some = selectRecords(*index, choice, &loader);
            const double filterMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
            choice.sort = {{RecordKey::Latency, false}, {RecordKey::Task, true}};
            timer.restart();
            const RecordSelection sorted = selectRecords(*index, choice, &loader);
            const double sortMs = static_cast<double>(timer.nsecsElapsed()) / 1e6 - filterMs;
            qInfo("%-60s %8zu rows, filter %6.1f ms, sort by two keys %6.1f ms", filter,
                  some.rows.size(), filterMs, sortMs);
            QCOMPARE(sorted.rows.size(), some.rows.size());
            QVERIFY(!some.problem);
        }
        timer.restart();
        const RecordCurve curve = recordCurve(*index, selectRecords(*index, {}), Statistic::Median);
        qInfo("curve of %zu points %lld ms", curve.points.size(),
              static_cast<long long>(timer.elapsed()));
        qInfo("resident at the end %.0f MB", residentMegabytes());
        QVERIFY(residentMegabytes() < 600);
    }

private:
    QTemporaryDir temporary_;
    QString dir_;
    qint64 count_ = 0;
};

QTEST_GUILESS_MAIN(RecordIndexBench)
#include "record_index_bench.moc"
