// SPDX-License-Identifier: Apache-2.0
// What goes wrong ends in one line that names it, with the documented exit code.
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

namespace {

struct Done {
    int code = -1; ///< -2: ended by a signal
    QByteArray out;
    QByteArray err;
};

constexpr const char* kModule = R"(from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi + %1, vj %2] * T.float32(2)
)";

} // namespace

class BadInputTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir dir_;

    static Done run(const QStringList& arguments, const QString& output = {}) {
        QProcess process;
        if (!output.isEmpty())
            process.setStandardOutputFile(output);
        process.start(QStringLiteral(TW_BIN_DIR "/tilewright"), arguments);
        if (!process.waitForFinished(120000))
            return {};
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
                process.readAllStandardOutput(), process.readAllStandardError()};
    }
    [[nodiscard]] QString path(const char* name) const { return dir_.filePath(name); }
    QString write(const char* name, const QByteArray& text) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            return {};
        return file.fileName();
    }
    QString module(const char* name, const char* row, const char* column) const {
        return write(name, QString(kModule).arg(row, column).toUtf8());
    }
    void refuses(const Done& done, int code, const char* words) const {
        QVERIFY2(done.code == code, done.err + " exit " + QByteArray::number(done.code));
        QVERIFY2(done.err.contains(words), done.err);
        QCOMPARE(done.err.count('\n'), 1);
        QVERIFY(done.out.isEmpty());
    }

private slots:
    void outputReplacesNoDevice() {
        const QString link = path("null.so");
        QVERIFY(QFile::link("/dev/null", link));
        QVERIFY(QDir().mkdir(path("empty")));
        refuses(run({"compile", "op:GMM:n=4,m=4,k=4", "--work-dir", path("empty"), "-o", link}), 8,
                "no regular file");
        QVERIFY(QFileInfo(link).isSymLink());
        refuses(run({"compile", "op:GMM:n=4,m=4,k=4", "--work-dir", path("empty"), "-o",
                     path("gmm.h")}),
                2, "beside the library");
    }

    void fullOutputIsSaid() {
        const Done done = run({"extract", "op:GMM", "--json"}, "/dev/full");
        QCOMPARE(done.code, 8);
        QVERIFY(done.err.contains("standard output"));
    }

    void divisionByZeroCompiles() {
        // The code is dead or traps when it runs; compiling it must not end the process.
        const QString file = module("div.py", "vj % 0", "// 0");
        const Done done = run({"compile", file, "--work-dir", path("empty"), "-o", path("d.so")});
        QVERIFY2(done.code == 0 || done.code == 4, done.err);
    }

    void endlessAndFoldersAreNoTexts() {
        const QString good = module("good.py", "0", "");
        refuses(run({"apply", good, "--script", dir_.path()}), 4, "folder");
        refuses(run({"apply", "--batch", dir_.path()}), 4, "folder");
        refuses(run({"equal", good, "/dev/zero"}), 4, "1 GiB");
    }

    void tracesAreNamedAndBounded() {
        const QString good = module("good.py", "0", "");
        refuses(run({"apply", good, "--trace", write("t.json", "[[[\"Frob\",[],[],[]]],[]]")}), 4,
                "t.json");
        refuses(run({"apply", good, "--func", "other", "--trace", write("e.json", "[[],[]]")}), 2,
                "no function 'other'");
        const QByteArray deep =
            "b0 = sch.get_sblock(name=" + QByteArray(100000, '[') + QByteArray(100000, ']') + ")";
        refuses(run({"apply", good, "--script", write("deep.txt", deep)}), 4, "nested too deep");
        refuses(run({"apply", good, "--script",
                     write("parts.txt", "b0 = sch.get_sblock(name=\"B\", func_name=\"main\")\n"
                                        "l1, l2 = sch.get_loops(block=b0)\n"
                                        "v1, v2 = sch.sample_perfect_tile(loop=l1, n=1000000000, "
                                        "max_innermost_factor=16)\n")}),
                1, "1000000000 parts");
    }

    void featuresAnswerEveryLine() {
        const Done done = run({"features", "--batch", write("cases.jsonl", "{\n[]\n{}\n")});
        QCOMPARE(done.code, 0);
        QCOMPARE(done.out.count('\n'), 3);
        QCOMPARE(done.out.count("\"error\""), 3);
    }

    void unknownCpusAreRefused() {
        for (const char* command : {"space", "tune"}) {
            QStringList arguments{command, "op:GMM:n=4,m=4,k=4", "--target",
                                  "llvm -mcpu=zzz -num-cores=1"};
            if (arguments.first() == "tune")
                arguments << "--work-dir" << path("cpu");
            refuses(run(arguments), 2, "`zzz` is not known");
            arguments[3] = "llvm -mcpu=haswell -mattr=+zzz -num-cores=1";
            refuses(run(arguments), 2, "feature `zzz`");
        }
    }

    void operatorsSayWhatTheyTake() {
        refuses(run({"extract", "op:SFM:dtype=int8"}), 2, "no floating-point type");
        refuses(run({"extract", "op:GMM:dtype=float7"}), 2, "no element type");
        refuses(run({"extract", "op:C2D:h=268435456,w=268435456"}), 2, "elements");
    }

    void hopelessTasksSayWhy() {
        const Done done =
            run({"tune", module("far.py", "100000000", ""), "--target", "host -num-cores=1",
                 "--work-dir", path("far"), "--max-trials-global", "2", "--json"});
        QCOMPARE(done.code, 3);
        QVERIFY2(done.err.contains("task far: nothing ran: run-crash"), done.err);
        const auto result = QJsonDocument::fromJson(done.out.trimmed().split('\n').last());
        QVERIFY(result.object()["tasks"].toArray()[0].toObject()["reason"].toString().startsWith(
            "run-crash"));
    }

    void unwritableFoldersAreTold() {
        refuses(run({"tune", "op:GMM", "--work-dir", "/proc/nowhere"}), 8, "cannot be made");
        refuses(run({"tune", "op:GMM", "--work-dir", path("w"), "--post-optimization", "maybe"}), 2,
                "on or off");
        refuses(run({"tune", "op:GMM", "--work-dir", path("w"), "--time-limit", "-1"}), 2,
                "at least 0");
    }
};

QTEST_GUILESS_MAIN(BadInputTest)
#include "bad_input_test.moc"
