// SPDX-License-Identifier: Apache-2.0
// What a newcomer meets: help, typing errors, settings, targets that records are for, and answers
// that say enough.
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
};

} // namespace

class CommandMannersTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir dir_;
    QString work_;
    QProcessEnvironment environment_ = QProcessEnvironment::systemEnvironment();

    [[nodiscard]] Done run(const QStringList& arguments) const {
        QProcess process;
        process.setProcessEnvironment(environment_);
        process.start(QStringLiteral(TW_BIN_DIR "/tilewright"), arguments);
        if (!process.waitForFinished(180000))
            return {};
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
                process.readAllStandardOutput(), process.readAllStandardError()};
    }
    [[nodiscard]] QString path(const char* name) const { return dir_.filePath(name); }
    [[nodiscard]] Done tune(const QString& op, const QStringList& more = {}) const {
        return run(QStringList{"tune", op, "--target", "host -num-cores=1", "--work-dir", work_,
                               "--max-trials-global", "3", "--cost-model", "random", "--evaluator",
                               "min-repeat-ms=1,repeat=3"} +
                   more);
    }
    static void put(const QString& file, const QByteArray& text) {
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    }

private slots:
    void initTestCase() {
        work_ = path("work");
        environment_.insert("XDG_CONFIG_HOME", path("config"));
        environment_.remove("DISPLAY");
        environment_.remove("WAYLAND_DISPLAY");
        environment_.remove("QT_QPA_PLATFORM");
        const Done tuned = tune("op:GMM:n=16,m=16,k=16");
        QVERIFY2(tuned.code == 0, tuned.err);
        QVERIFY2(tuned.out.contains("3 of them in this run"), tuned.out);
    }

    void helpIsFoundInEveryWay() {
        QCOMPARE(run({"help"}).code, 0);
        QCOMPARE(run({"help", "tune"}).out, run({"tune", "--help"}).out);
        QVERIFY(run({"compile", "--help"}).out.contains("(required)"));
        QVERIFY(run({"records", "--help"}).out.contains("starred"));
        QVERIFY(run({"--man"}).out.contains("SEE ALSO"));
    }

    void typingErrorsNameTheCommandAndWhatWasMeant() {
        const Done option = run({"tune", "op:GMM", "--max-trial-global", "4"});
        QCOMPARE(option.code, 2);
        QVERIFY2(option.err.contains("did you mean --max-trials-global?"), option.err);
        QVERIFY2(option.err.contains("Try 'tilewright tune --help'"), option.err);
        const Done command = run({"recods"});
        QCOMPARE(command.code, 2);
        QVERIFY2(command.err.contains("did you mean records?"), command.err);
        const Done missing = run({"compile", "op:GMM"});
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.err.startsWith("tilewright compile: --output is required"), missing.err);
    }

    void operatorsAreListed() {
        const Done one = run({"operators", "GMM", "--json"});
        QCOMPARE(one.code, 0);
        QCOMPARE(one.json()["name"].toString(), QStringLiteral("GMM"));
        QVERIFY(!one.json()["params"].toArray().isEmpty());
        QCOMPARE(run({"operators", "NOPE"}).code, 2);
        QVERIFY(run({"operators"}).out.contains("op:T2D"));
    }

    void compilingTakesTheTargetOfTheRecords() {
        const QString library = path("gmm.so");
        const QStringList words{
            "compile", "op:GMM:n=16,m=16,k=16", "--work-dir", work_, "-o", library, "--json"};
        const Done found = run(words);
        QVERIFY2(found.code == 0, found.err);
        QCOMPARE(found.json()["tuned"].toInt(), 1);
        const Done other = run(words + QStringList{"--target", "host -num-cores=3"});
        QCOMPARE(other.code, 0);
        QCOMPARE(other.json()["tuned"].toInt(), 0);
        QVERIFY2(other.err.contains("warning: no record in") && other.err.contains("num-cores=1"),
                 other.err);
        QCOMPARE(run({"extract", "op:GMM", "--target", "llvm -mcpu=foo"}).code, 2);
    }

    void finishedBudgetsSaySo() {
        const Done again = tune("op:GMM:n=16,m=16,k=16");
        QCOMPARE(again.code, 0);
        QVERIFY2(again.out.contains("nothing left to do"), again.out);
    }

    void workloadsOfOneNameAreToldApart() {
        QCOMPARE(tune("op:GMM:n=16,m=16,k=8").code, 0);
        const Done ambiguous = run({"records", work_, "--workload", "GMM"});
        QCOMPARE(ambiguous.code, 2);
        QVERIFY2(ambiguous.err.contains("ambiguous"), ambiguous.err);
        QCOMPARE(run({"records", work_, "--workload", "2"}).code, 0);
        QVERIFY(run({"verify", work_}).out.contains("GMM (workload 2)"));
    }

    void importingTwiceDoublesNothing() {
        const QString pair = path("pair");
        const QString fresh = path("fresh");
        const Done written = run({"db", "export", work_, "-o", pair, "--json"});
        QVERIFY2(written.code == 0, written.err);
        const int records = written.json()["records"].toInt();
        QCOMPARE(run({"db", "import", pair, "--work-dir", fresh, "--json"}).json()["records"],
                 QJsonValue(records));
        const Done again = run({"db", "import", pair, "--work-dir", fresh, "--json"});
        QCOMPARE(again.json()["records"].toInt(), 0);
        QCOMPARE(again.json()["duplicates"].toInt(), records);
    }

    void exportsThatCannotBeAreRefused() {
        QCOMPARE(run({"db", "export", work_, "-o", path("era"), "--era", "9.9"}).code, 2);
        const Done old = run({"db", "export", work_, "-o", path("old"), "--era", "0.16"});
        if (old.code == 0) // this build writes it
            return;
        QCOMPARE(old.code, 4);
        QVERIFY(!QFile::exists(path("old") + "/database_workload.json"));
    }

    void placesAreNotMade() {
        const Done doctor = run({"doctor", "--work-dir", path("nowhere"), "--json"});
        QVERIFY(!QFile::exists(path("nowhere")));
        QVERIFY(!doctor.json()["ok"].toBool());
    }

    void absentEnginesAndDisplaysAreSaid() {
        const Done pause = run({"session", "pause", work_});
        QCOMPARE(pause.code, 5);
        QVERIFY2(!pause.err.contains(".sock"), pause.err);
        QCOMPARE(run({"session", "stop", path("nowhere")}).code, 6);
        const Done gui = run({"gui"});
        QCOMPARE(gui.code, 5);
        QVERIFY2(gui.err.contains("no display"), gui.err);
    }

    void settingsComeFromTheirPlacesInOrder() {
        const QString place = path("place");
        QVERIFY(QDir().mkpath(place) && QDir().mkpath(path("config/tilewright")));
        put(path("config/tilewright/tilewright.toml"), "[tune]\nseed = 5\nstrategy = \"a\"\n");
        put(place + "/tilewright.ini", "[tune]\nstrategy=replay-trace\nbuilder=b\nspace=c\n");
        const QProcessEnvironment before = environment_;
        environment_.insert("TILEWRIGHT_BUILDER", "local");
        environment_.insert("TILEWRIGHT_SPACE", "llvm");
        const Done printed =
            run({"tune", "op:GMM:n=8,m=8,k=8", "--work-dir", place, "--space", "post-order-apply",
                 "--target", "host -num-cores=1", "--print-config"});
        environment_ = before;
        QVERIFY2(printed.code == 0, printed.err);
        for (const char* line :
             {"space = \"post-order-apply\"  # flag", "builder = \"local\"  # TILEWRIGHT_BUILDER",
              "strategy = \"replay-trace\"  # ", "seed = \"5\"  # ",
              "runner = \"local\"  # default", "# num-trials-per-iter is not set",
              "input = \"op:GMM:n=8,m=8,k=8\"  # flag", "target = \"host -num-cores=1\"  # flag"})
            QVERIFY2(printed.out.contains(line), line + QByteArray(" in ") + printed.out);
        put(path("run.toml"), printed.out);
        const Done back = run({"tune", "--config", path("run.toml"), "--print-config"});
        const auto values = [](const QByteArray& text) {
            QList<QByteArray> lines;
            for (const QByteArray& line : text.split('\n'))
                lines.push_back(line.left(line.indexOf("  # ")));
            return lines;
        };
        QCOMPARE(values(back.out), values(printed.out));
        put(path("wrong.toml"), "[tune]\nseeed = 1\n");
        const Done wrong = run({"tune", "--config", path("wrong.toml"), "--print-config"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("did you mean seed?"), wrong.err);
    }
};

QTEST_GUILESS_MAIN(CommandMannersTest)
#include "command_manners_test.moc"
