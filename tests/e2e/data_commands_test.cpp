// SPDX-License-Identifier: Apache-2.0
// The commands about records, as a person types them, on a small store that tuning made.
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

namespace {

struct Done {
    int code = -1;
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    [[nodiscard]] QList<QJsonObject> lines() const {
        QList<QJsonObject> rows;
        for (const QByteArray& line : out.split('\n'))
            if (!line.isEmpty())
                rows.push_back(QJsonDocument::fromJson(line).object());
        return rows;
    }
};

} // namespace

class DataCommandsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir dir_;
    QString work_;

    static Done run(const QStringList& arguments) {
        QProcess process;
        process.start(QStringLiteral(TW_BIN_DIR "/tilewright"), arguments);
        if (!process.waitForFinished(120000))
            return {};
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
                process.readAllStandardOutput(), process.readAllStandardError()};
    }
    [[nodiscard]] QString path(const char* name) const { return dir_.filePath(name); }

private slots:
    void initTestCase() {
        work_ = path("work");
        const Done tuned = run({"tune", "op:GMM:n=16,m=16,k=16", "--target", "host -num-cores=1",
                                "--work-dir", work_, "--max-trials-global", "6", "--cost-model",
                                "random", "--evaluator", "min-repeat-ms=1,repeat=3", "--json"});
        QVERIFY2(tuned.code == 0, tuned.err);
    }

    void recordsAreListedAndFiltered() {
        const Done all = run({"records", work_, "--json"});
        QCOMPARE(all.code, 0);
        QVERIFY(all.lines().size() >= 7); // six trials and the default schedule
        for (const QJsonObject& record : all.lines())
            QCOMPARE(record["median_us"].isNull(), record["status"].toString() != "ok");
        QCOMPARE(run({"records", work_, "--top-k", "1", "--json"}).lines().size(), 1);
        QCOMPARE(run({"records", work_, "--filter", "trial=1", "--json"}).lines().size(), 1);
        const Done wrong = run({"records", work_, "--filter", "median_us <", "--json"});
        QCOMPARE(wrong.code, 2);
        QVERIFY(wrong.out.isEmpty());
        QCOMPARE(run({"records", work_, "--workload", "no-such"}).code, 2);
    }

    void recordsShowInEveryForm() {
        const QString id = QString::number(
            run({"records", work_, "--top-k", "1", "--json"}).lines()[0]["id"].toInt());
        for (const char* form : {"trace", "python", "tir", "llvm", "asm", "json"}) {
            const Done shown = run({"show", work_, id, "--as", form});
            QVERIFY2(shown.code == 0, shown.err);
            QVERIFY(shown.out.size() > 40);
        }
        QCOMPARE(run({"show", work_, "9999"}).code, 2);
        QCOMPARE(run({"show", work_, id, "--as", "poem"}).code, 2);
    }

    void recordsAreDiffed() {
        const auto records = run({"records", work_, "--filter", "trial>0", "--json"}).lines();
        const QString a = QString::number(records[0]["id"].toInt());
        const QString b = QString::number(records[1]["id"].toInt());
        QCOMPARE(run({"diff", work_, a, a}).code, 0);
        for (const char* form : {"decisions", "trace", "tir", "asm"}) {
            const Done diff = run({"diff", work_, a, b, "--as", form, "--json"});
            QVERIFY2(diff.code == 1, diff.err);
            QCOMPARE(diff.json()["as"].toString(), QString(form));
        }
    }

    void metadataIsEditedAndUndone() {
        QCOMPARE(run({"records", "edit", work_, "1", "--tag", "mine", "--note", "slow"}).code, 0);
        QCOMPARE(run({"records", work_, "--filter", "tag:mine", "--json"}).lines().size(), 1);
        QCOMPARE(run({"records", "edit", work_, "1", "--delete"}).code, 0);
        const auto left = run({"records", work_, "--json"}).lines().size();
        QCOMPARE(run({"records", "edit", work_, "--undo"}).code, 0);
        QCOMPARE(run({"records", work_, "--json"}).lines().size(), left + 1);
        QCOMPARE(run({"records", "edit", work_, "1"}).code, 2);
        QCOMPARE(run({"records", "edit", work_, "777", "--star"}).code, 2);
        QCOMPARE(run({"records", "edit", path("nowhere"), "1", "--star"}).code, 6);
        QVERIFY(!QDir(path("nowhere")).exists());
    }

    void recordsAreMeasuredAgain() {
        const QString id = QString::number(
            run({"records", work_, "--top-k", "1", "--json"}).lines()[0]["id"].toInt());
        const Done again =
            run({"measure", work_, id, "--evaluator", "min-repeat-ms=1,repeat=7", "--json"});
        QVERIFY2(again.code == 0, again.err + again.out);
        QCOMPARE(again.json()["origin"].toString(), QString("manual"));
        QCOMPARE(again.json()["n"].toInt(), 7);
        QCOMPARE(again.json()["verified"].toBool(), true);
        // A schedule edited by hand, as text.
        const Done python = run({"show", work_, id, "--as", "python"});
        QFile file(path("edited.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(python.out);
        file.close();
        const Done edited = run({"measure", work_, "--task", "GMM", "--trace", file.fileName(),
                                 "--evaluator", "min-repeat-ms=1,repeat=2", "--json"});
        QVERIFY2(edited.code == 0, edited.err + edited.out);
        QCOMPARE(run({"measure", work_, "--task", "none", "--trace", file.fileName()}).code, 2);
    }

    void storesAreCompared() {
        const Done compared = run({"compare", work_, work_, "--fail-above", "3%", "--json"});
        QCOMPARE(compared.code, 0);
        QCOMPARE(compared.json()["tasks"].toArray()[0].toObject()["verdict"].toString(),
                 QString("same"));
        QCOMPARE(run({"compare", work_, work_, "--fail-above", "much"}).code, 2);
    }

    void databasesAreKept() {
        const Done exported = run({"db", "export", work_, "--format", "tvm", "-o", path("pair")});
        QVERIFY2(exported.code == 0, exported.err);
        const Done imported =
            run({"db", "import", path("pair"), "--work-dir", path("imported"), "--json"});
        QVERIFY2(imported.code == 0, imported.err);
        const auto count = run({"records", work_, "--json"}).lines().size();
        QCOMPARE(imported.json()["records"].toInt(), count);
        QCOMPARE(run({"records", path("imported"), "--json"}).lines().size(), count);
        QCOMPARE(run({"db", "check", work_, "--json"}).json()["ok"].toBool(), true);
        QCOMPARE(run({"db", "backup", work_, "-o", path("copy.twdb")}).code, 0);
        QVERIFY(run({"db", "backup", work_, "-o", path("copy.twdb")}).code != 0);
        QCOMPARE(run({"records", path("copy.twdb"), "--json"}).lines().size(), count);
        const Done merged = run({"db", "merge", path("merged"), work_, work_, "--json"});
        QVERIFY2(merged.code == 0, merged.err);
        QCOMPARE(merged.json()["records"].toInt(), count);
        const Done dry = run({"db", "prune", path("merged"), "--dry-run", "--json"});
        QVERIFY2(dry.code == 0, dry.err);
        QCOMPARE(run({"records", path("merged"), "--json"}).lines().size(), count);
        const Done pruned = run({"db", "prune", path("merged"), "--json"});
        QCOMPARE(pruned.json()["removed"].toInt(), dry.json()["removed"].toInt());
        QCOMPARE(run({"db", "check", path("nowhere")}).code, 6);
    }

    void reportStandsAlone() {
        const Done report = run({"report", work_, "-o", path("report.html")});
        QVERIFY2(report.code == 0, report.err);
        QFile file(path("report.html"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray html = file.readAll();
        QVERIFY(html.contains("<svg"));
        QVERIFY(!html.contains("http"));
    }

    void devicesAreAddedAndTested() {
        const QString list = path("devices.json");
        QCOMPARE(run({"device", "add", "here", "--command", "{runner}", "--target",
                      "host -num-cores=1", "--device-list", list})
                     .code,
                 0);
        QCOMPARE(run({"device", "add", "here", "--command", "x", "--device-list", list}).code, 2);
        QCOMPARE(run({"device", "list", "--device-list", list, "--json"}).lines().size(), 2);
        const Done good = run({"device", "test", "here", "--device-list", list, "--json"});
        QVERIFY2(good.code == 0, good.err + good.out);
        QCOMPARE(good.json()["verified"].toBool(), true);
        QCOMPARE(run({"device", "add", "gone", "--command", "false", "--target", "host",
                      "--device-list", list})
                     .code,
                 0);
        QCOMPARE(run({"device", "test", "gone", "--device-list", list}).code, 5);
        QCOMPARE(run({"device", "test", "unknown", "--device-list", list}).code, 2);
    }

    void shellTextsComeFromTheTable() {
        for (const char* shell : {"bash", "zsh", "fish"}) {
            const Done script = run({"--completion", shell});
            QCOMPARE(script.code, 0);
            QVERIFY(script.out.contains("records"));
            QVERIFY(script.out.contains("max-trials-global"));
        }
        QCOMPARE(run({"--completion", "tcsh"}).code, 2);
        const Done page = run({"--man"});
        QVERIFY(page.out.startsWith(".TH TILEWRIGHT 1"));
        QVERIFY(page.out.contains("db import"));
    }
};

QTEST_GUILESS_MAIN(DataCommandsTest)
#include "data_commands_test.moc"
