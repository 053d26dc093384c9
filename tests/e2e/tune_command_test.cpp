// SPDX-License-Identifier: Apache-2.0
// Tuning as a person types it: budgets, resuming, control, kills.
#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

namespace {

const QString kProgram = QStringLiteral(TW_BIN_DIR "/tilewright");

QStringList tuneArguments(const QString& work, int trials) {
    return {"tune",
            "op:GMM:n=32,m=32,k=32",
            "--target",
            "host -num-cores=1",
            "--work-dir",
            work,
            "--max-trials-global",
            QString::number(trials),
            "--num-trials-per-iter",
            "4",
            "--evaluator",
            "min-repeat-ms=1",
            "--events",
            "--json"};
}

QList<QJsonObject> linesOf(const QByteArray& text) {
    QList<QJsonObject> rows;
    for (const QByteArray& line : text.split('\n'))
        if (!line.isEmpty())
            rows.push_back(QJsonDocument::fromJson(line).object());
    return rows;
}

QList<QJsonObject> runToEnd(const QStringList& arguments, int expected = 0) {
    QProcess process;
    process.start(kProgram, arguments);
    if (!process.waitForFinished(120000) || process.exitCode() != expected)
        qWarning() << process.exitCode() << process.readAllStandardError();
    return linesOf(process.readAllStandardOutput());
}

} // namespace

class TuneCommandTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir dir_;

private slots:
    void theBudgetIsMetExactlyAndRunningAgainEndsAtOnce() {
        const QString work = dir_.filePath("budget");
        const auto first = runToEnd(tuneArguments(work, 10));
        QVERIFY(!first.isEmpty());
        QCOMPARE(first.back()["trials"].toInt(), 10);
        QCOMPARE(first.back()["state"].toString(), QString("finished"));
        const QJsonObject task = first.back()["tasks"].toArray()[0].toObject();
        QVERIFY(task["verified"].toBool());
        QVERIFY(task["best_us"].toDouble() > 0);
        QVERIFY(task["default_us"].toDouble() > 0);
        int trials = 0;
        int defaultSamples = 0;
        for (const QJsonObject& event : first) {
            if (event["event"] != "record")
                continue;
            if (event["trial"].isDouble())
                trials = std::max(trials, event["trial"].toInt());
            else
                defaultSamples = event["n"].toInt();
        }
        QCOMPARE(trials, 10);
        QVERIFY(defaultSamples >= 2); // measured again beside the best
        const auto again = runToEnd(tuneArguments(work, 10));
        QCOMPARE(again.back()["trials"].toInt(), 10);
        const auto more = runToEnd(tuneArguments(work, 14));
        QCOMPARE(more.back()["trials"].toInt(), 14);
    }

    void aKilledRunLosesNothing() {
        const QString work = dir_.filePath("killed");
        QSet<int> seen;
        for (int kill = 0; kill < 3; ++kill) {
            QProcess process;
            process.start(kProgram, tuneArguments(work, 200));
            QByteArray output;
            QElapsedTimer timer;
            timer.start();
            int records = 0;
            while (records < 6 && timer.elapsed() < 60000 &&
                   process.state() != QProcess::NotRunning) {
                process.waitForReadyRead(1000);
                output += process.readAllStandardOutput();
                records = static_cast<int>(output.count("\"event\":\"record\""));
            }
            process.kill();
            process.waitForFinished();
            output += process.readAllStandardOutput();
            const auto end = output.lastIndexOf('\n');
            for (const QJsonObject& event : linesOf(output.left(end)))
                if (event["event"] == "record")
                    seen.insert(event["id"].toInt());
        }
        QVERIFY(seen.size() >= 12);
        QSet<int> kept;
        for (const QJsonObject& record : runToEnd({"records", work, "--json"}))
            kept.insert(record["id"].toInt());
        QVERIFY(kept.contains(seen));
        QVERIFY(!runToEnd({"db", "check", work, "--json"}).isEmpty());
    }

    void aSecondEngineIsRefused() {
        const QString work = dir_.filePath("second");
        QProcess first;
        first.start(kProgram, tuneArguments(work, 100000));
        QVERIFY(first.waitForReadyRead(60000));
        QProcess second;
        second.start(kProgram, tuneArguments(work, 10));
        QVERIFY(second.waitForFinished(60000));
        QCOMPARE(second.exitCode(), 6);
        QVERIFY(second.readAllStandardError().contains(QByteArray::number(first.processId())));
        QVERIFY(second.readAllStandardOutput().isEmpty());
        // Paused, resumed and stopped from outside, it ends in peace.
        for (const char* command : {"pause", "resume", "stop"}) {
            QProcess control;
            control.start(kProgram, {"session", command, work});
            QVERIFY(control.waitForFinished(30000));
            QVERIFY2(control.exitCode() == 0, control.readAllStandardError());
        }
        QVERIFY(first.waitForFinished(60000));
        QCOMPARE(first.exitCode(), 0);
        const auto lines = linesOf(first.readAllStandardOutput());
        QCOMPARE(lines.back()["state"].toString(), QString("stopped"));
        QProcess gone;
        gone.start(kProgram, {"session", "pause", work});
        QVERIFY(gone.waitForFinished(30000));
        QCOMPARE(gone.exitCode(), 5);
    }

    void anInterruptSavesWhatThereIs() {
        const QString work = dir_.filePath("interrupted");
        QProcess process;
        process.start(kProgram, tuneArguments(work, 100000));
        QVERIFY(process.waitForReadyRead(60000));
        process.terminate();
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 143);
        QCOMPARE(linesOf(process.readAllStandardOutput()).back()["state"].toString(),
                 QString("stopped"));
    }
};

QTEST_GUILESS_MAIN(TuneCommandTest)
#include "tune_command_test.moc"
