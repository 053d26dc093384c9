// SPDX-License-Identifier: Apache-2.0
// From a model to a library that runs, as a person types it: compile, run, profile, verify, bench.
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <cmath>
#include <cstring>

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

Done execute(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(240000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

Done run(const QStringList& arguments) {
    return execute(QStringLiteral(TW_BIN_DIR "/tilewright"), arguments);
}

/// A float32 tensor as NumPy writes it.
QByteArray npy(const QByteArray& shape, const std::vector<float>& values) {
    QByteArray header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
    while ((header.size() + 11) % 64 != 0)
        header += ' ';
    header += '\n';
    QByteArray bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    bytes += QByteArray(reinterpret_cast<const char*>(values.data()),
                        static_cast<qsizetype>(values.size() * sizeof(float)));
    return bytes;
}

std::vector<float> npyValues(const QString& path, std::size_t count) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray bytes = file.readAll();
    std::vector<float> values(count);
    const auto size = static_cast<qsizetype>(count * sizeof(float));
    if (bytes.size() < size)
        return {};
    std::memcpy(values.data(), bytes.constData() + bytes.size() - size, count * sizeof(float));
    return values;
}

constexpr int kSize = 24;

} // namespace

class ModelCommandsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir dir_;
    QString work_;
    std::vector<float> a_;
    std::vector<float> b_;

    [[nodiscard]] QString path(const QString& name) const { return dir_.filePath(name); }

    void write(const QString& name, const QByteArray& bytes) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

    /// Largest difference of an output file from A·B.
    [[nodiscard]] double errorOf(const QString& file) const {
        const std::vector<float> c = npyValues(file, kSize * kSize);
        if (c.empty())
            return HUGE_VAL;
        double worst = 0;
        for (int i = 0; i < kSize; ++i)
            for (int j = 0; j < kSize; ++j) {
                double sum = 0;
                for (int k = 0; k < kSize; ++k)
                    sum += static_cast<double>(a_[i * kSize + k]) * b_[k * kSize + j];
                worst = std::max(worst, std::fabs(sum - c[i * kSize + j]));
            }
        return worst;
    }

    static QString gmm() { return QStringLiteral("op:GMM:n=24,m=24,k=24"); }

private slots:
    void initTestCase() {
        work_ = path("work");
        QVERIFY(QDir().mkpath(path("empty")));
        for (int i = 0; i < kSize * kSize; ++i) {
            a_.push_back(static_cast<float>((i * 7 % 13) - 6) / 8);
            b_.push_back(static_cast<float>((i * 5 % 11) - 5) / 8);
        }
        write("a.npy", npy("1, 24, 24", a_));
        write("b.npy", npy("1, 24, 24", b_));
        const Done tuned = run({"tune", gmm(), "--target", "host -num-cores=1", "--work-dir", work_,
                                "--max-trials-global", "6", "--cost-model", "random", "--evaluator",
                                "min-repeat-ms=1,repeat=3", "--json"});
        QVERIFY2(tuned.code == 0, tuned.err);
    }

    void compiledOperatorsRun_data() {
        QTest::addColumn<QString>("workDir");
        QTest::addColumn<int>("tuned");
        QTest::newRow("untuned") << path("empty") << 0;
        QTest::newRow("tuned") << work_ << 1;
    }

    void compiledOperatorsRun() {
        QFETCH(QString, workDir);
        QFETCH(int, tuned);
        const QString library = path("gmm.so");
        const Done compiled = run({"compile", gmm(), "--target", "host -num-cores=1", "--work-dir",
                                   workDir, "-o", library, "--json"});
        QVERIFY2(compiled.code == 0, compiled.err);
        QCOMPARE(compiled.json()["tuned"].toInt(), tuned);
        QCOMPARE(compiled.json()["fallback"].toInt(), 1 - tuned);
        const QJsonObject row = compiled.json()["operators"].toArray()[0].toObject();
        QCOMPARE(row["source"].toString(), tuned ? QString("record") : QString("default"));
        QVERIFY(QFile::exists(path("gmm.h")));
        const Done ran =
            run({"run", library, "--input", "X=" + path("a.npy"), "--input", "Y=" + path("b.npy"),
                 "--output-dir", path("out"), "--repeat", "5", "--threads", "1", "--json"});
        QVERIFY2(ran.code == 0, ran.err);
        QCOMPARE(ran.json()["samples_ms"].toArray().size(), 5);
        const QJsonObject output = ran.json()["outputs"].toArray()[0].toObject();
        QVERIFY(errorOf(path("out/" + output["file"].toString())) < 1e-3);
    }

    void headersAreEnoughForC() {
        const QString compiler = QStringLiteral("/usr/bin/cc");
        if (!QFile::exists(compiler))
            QSKIP("no C compiler");
        QCOMPARE(run({"compile", gmm(), "-o", path("plain.so")}).code, 0);
        write("main.c", "#include \"plain.h\"\n"
                        "static float a[576] __attribute__((aligned(64)));\n"
                        "static float b[576] __attribute__((aligned(64)));\n"
                        "static float c[576] __attribute__((aligned(64)));\n"
                        "int main(void) {\n"
                        "    struct tw_serial_pool pool;\n"
                        "    void* data[] = {a, b, c};\n"
                        "    for (int i = 0; i < 24; ++i) a[i * 25] = b[i * 25] = 2;\n"
                        "    tw_serial_pool_init(&pool);\n"
                        "    if (tw_model_run(data, &pool.base) != 0) return 1;\n"
                        "    tw_serial_pool_free(&pool);\n"
                        "    return c[0] == 4 && c[1] == 0 && tw_library_abi == 1 ? 0 : 2;\n"
                        "}\n");
        const Done built = execute(compiler, {"-std=c11", "-Wall", "-Werror", path("main.c"),
                                              path("plain.so"), "-o", path("main")});
        QVERIFY2(built.code == 0, built.err);
        QCOMPARE(execute(path("main"), {}).code, 0);
    }

    void wholeModelsRunAndProfile() {
        const QString model = QStringLiteral(TW_SOURCE_DIR "/resources/samples/small_cnn.onnx");
        if (!QFile::exists(model))
            QSKIP("no sample model");
        const Done profile = run({"profile", model, "--work-dir", path("empty"), "--threads", "1",
                                  "--seconds", "0.2", "--target", "host -num-cores=1", "--json"});
        QVERIFY2(profile.code == 0, profile.err);
        const QJsonObject json = profile.json();
        double parts = json["overhead_us"].toDouble();
        for (const QJsonValue& row : json["rows"].toArray())
            parts += row["median_us"].toDouble() * row["calls"].toInt();
        const double whole = json["end_to_end"].toObject()["median_us"].toDouble();
        QVERIFY2(parts > 0.7 * whole && parts < 1.3 * whole, profile.out);
        const Done bench =
            run({"bench", model, "--work-dir", path("empty"), "--wait", "0", "--json"});
        QVERIFY2(bench.code == 0, bench.err + bench.out);
        QVERIFY(bench.lines().at(0)["median_ms"].toDouble() > 0);
    }

    void recordsAreVerified() {
        const Done verified = run({"verify", work_, "--json"});
        QVERIFY2(verified.code == 0, verified.err + verified.out);
        QCOMPARE(verified.json()["right"].toInt(), 1);
        QCOMPARE(verified.json()["wrong"].toInt(), 0);
    }

    void benchesFollowTheProtocol() {
        const Done bench = run({"bench", "suite:sfm_256x256,gmm_128*", "--work-dir", path("empty"),
                                "--threads", "1", "--cache", "warm,cold", "--wait", "0", "--json"});
        QVERIFY2(bench.code == 0, bench.err + bench.out);
        for (const QJsonObject& line : bench.lines()) {
            QCOMPARE(line["peer"].toString(), QString("tilewright"));
            QVERIFY(line["median_us"].toDouble() >= line["min_us"].toDouble());
            QVERIFY(line["flops"].toDouble() > 0 && line["bytes"].toDouble() > 0);
            QVERIFY(line["ok"].toBool() && line["max_rel_err"].toDouble() <= 1e-4);
        }
        const Done tuned = run({"bench", gmm(), "--work-dir", work_, "--wait", "0", "--json"});
        QVERIFY2(tuned.code == 0, tuned.err + tuned.out);
        QVERIFY(tuned.lines().at(0)["note"].toString().startsWith("record"));
    }

    void badInputIsNamed() {
        const QString library = path("bad.so");
        QCOMPARE(run({"compile", gmm(), "-o", library}).code, 0);
        const QString out = path("out");
        QCOMPARE(run({"run", path("missing.so"), "--output-dir", out}).code, 4);
        QCOMPARE(run({"run", path("a.npy"), "--output-dir", out}).code, 4);
        const Done missing =
            run({"run", library, "--input", "X=" + path("a.npy"), "--output-dir", out});
        QCOMPARE(missing.code, 2);
        QVERIFY(missing.err.contains("--input Y"));
        QCOMPARE(run({"run", library, "--input", "Z=" + path("a.npy"), "--output-dir", out}).code,
                 2);
        write("small.npy", npy("2, 2", {1, 2, 3, 4}));
        QCOMPARE(run({"run", library, "--input", "X=" + path("small.npy"), "--input",
                      "Y=" + path("b.npy"), "--output-dir", out})
                     .code,
                 2);
        QCOMPARE(run({"compile", gmm(), "--work-dir", path("nowhere"), "-o", library}).code, 6);
        QCOMPARE(run({"compile", gmm(), "--target", "nonsense", "-o", library}).code, 2);
        QCOMPARE(run({"compile", path("missing.onnx"), "-o", library}).code, 4);
        QCOMPARE(run({"compile", gmm(), "-o", path("no/such/folder.so")}).code, 8);
        QCOMPARE(run({"verify", path("empty")}).code, 6);
        QCOMPARE(run({"bench", gmm(), "--work-dir", path("empty"), "--cache", "hot"}).code, 2);
    }
};

QTEST_GUILESS_MAIN(ModelCommandsTest)
#include "model_commands_test.moc"
