// SPDX-License-Identifier: Apache-2.0
#include "sample_records.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/database/maintenance.h>
#include <tilewright/database/schema.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/store_writer.h>
#include <tilewright/json/line_reader.h>

#include <csignal>
#include <fstream>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <random>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::database;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

/// `kind` of the error, which must name the file; `ok` when there is none.
std::string outcome(const fs::path& file, const std::function<void()>& action) {
    try {
        action();
        return "ok";
    } catch (const base::UserError& error) {
        const std::string text = error.what();
        return text.find(file.filename().string()) != std::string::npos
                   ? error.diagnostic().kind
                   : "does not name the file: " + text;
    } catch (const std::exception& error) {
        return std::string("a bug: ") + error.what();
    }
}

/// What a reader prints about a store, to compare.
std::string listing(const fs::path& dir, std::size_t& damaged) {
    const StoreReader reader(dir);
    RecordQuery query;
    query.withTrace = true;
    query.withSamples = true;
    const RecordPage page = reader.records(query);
    damaged = page.damaged.size();
    std::string text;
    for (const TuningRecord& r : page.records)
        text += std::to_string(r.id.value) + r.trace + r.target + r.taskName + r.message +
                std::to_string(r.measurement.median.value_or(-1)) +
                std::to_string(r.trial.value_or(-1)) + "\n";
    return text;
}

} // namespace

class StoreDamageTest : public QObject {
    Q_OBJECT
private slots:
    void damagedFilesAreRefusedAndLeftAlone_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("this is not a database\n").repeated(100);
        QByteArray noise;
        std::mt19937 random(5);
        for (int i = 0; i < 20000; ++i)
            noise.append(static_cast<char>(random()));
        QTest::newRow("binary") << noise;
        QTest::newRow("brackets") << QByteArray(3000000, '[');
        QTest::newRow("header only") << QByteArray("SQLite format 3\0", 16);
    }

    void damagedFilesAreRefusedAndLeftAlone() {
        QFETCH(QByteArray, bytes);
        QTemporaryDir temporary;
        const fs::path dir = temporary.path().toStdString();
        const fs::path file = dir / kStoreFileName;
        put(file, bytes.toStdString());
        QCOMPARE(outcome(file, [&] { StoreReader reader(dir); }), std::string("database-corrupt"));
        QCOMPARE(outcome(file, [&] { StoreWriter writer(dir); }), std::string("database-corrupt"));
        QCOMPARE(outcome(file, [&] { (void)checkStore(dir); }), std::string("database-corrupt"));
        QVERIFY(json::readTextFile(file) == bytes.toStdString());
    }

    void otherFilesAreRefused() {
        QTemporaryDir temporary;
        const fs::path dir = temporary.path().toStdString();
        const fs::path file = dir / kStoreFileName;
        QCOMPARE(outcome(file, [&] { StoreReader reader(dir); }), std::string("database-missing"));
        QCOMPARE(outcome(file, [&] { StoreReader reader(dir / "no"); }),
                 std::string("database-missing"));
        fs::create_directory(file);
        QCOMPARE(outcome(file, [&] { StoreReader reader(dir); }), std::string("database-corrupt"));
        QCOMPARE(outcome(file, [&] { StoreWriter writer(dir); }), std::string("database-corrupt"));
        fs::remove(file);
        { StoreWriter writer(dir); }
        std::string bytes = json::readTextFile(file);
        bytes[71] ^= 1; // the application id
        put(file, bytes);
        QCOMPARE(outcome(file, [&] { StoreReader reader(dir); }), std::string("database-foreign"));
        bytes[71] ^= 1;
        bytes[63] = 99; // user_version
        put(file, bytes);
        QCOMPARE(outcome(file, [&] { StoreReader reader(dir); }), std::string("database-newer"));
        QCOMPARE(outcome(file, [&] { StoreWriter writer(dir); }), std::string("database-newer"));
        QVERIFY(json::readTextFile(file) == bytes);
        if (geteuid() != 0) {
            ::chmod(file.c_str(), 0);
            QCOMPARE(outcome(file, [&] { StoreReader reader(dir); }),
                     std::string("database-unreadable"));
        }
    }

    void flippedBitsAreNeverTakenForData() {
        QTemporaryDir temporary;
        const fs::path dir = temporary.path().toStdString();
        const fs::path file = dir / kStoreFileName;
        {
            StoreWriter writer(dir);
            fillStore(writer, 150);
        }
        std::size_t damaged = 0;
        const std::string good = listing(dir, damaged);
        QCOMPARE(damaged, std::size_t{0});
        const std::string bytes = json::readTextFile(file);
        std::mt19937 random(1);
        int unchanged = 0, skipped = 0, refused = 0;
        for (int round = 0; round < 150; ++round) {
            std::string bad = bytes;
            const int flips = round % 3 == 0 ? 1 : round % 3 == 1 ? 10 : 200;
            for (int i = 0; i < flips; ++i)
                bad[random() % bad.size()] ^= static_cast<char>(1 << random() % 8);
            put(file, bad);
            std::string text;
            const std::string result = outcome(file, [&] { text = listing(dir, damaged); });
            if (result != "ok") {
                QVERIFY2(result.starts_with("database-"), result.c_str());
                ++refused;
            } else if (damaged > 0) {
                ++skipped;
            } else {
                QVERIFY2(text == good, "other data without a word");
                ++unchanged;
            }
            const std::string checked = outcome(file, [&] { (void)checkStore(dir); });
            QVERIFY2(checked == "ok" || checked.starts_with("database-"), checked.c_str());
            QVERIFY(json::readTextFile(file) == bad);
        }
        qInfo("unchanged %d, rows skipped %d, refused %d", unchanged, skipped, refused);
        for (const std::size_t size : {bytes.size() / 2, bytes.size() - 1234, std::size_t{100}}) {
            put(file, bytes.substr(0, size));
            QVERIFY(outcome(file, [&] { StoreReader reader(dir); }).starts_with("database-"));
            QVERIFY(outcome(file, [&] { StoreWriter writer(dir); }).starts_with("database-"));
            QVERIFY(json::readTextFile(file) == bytes.substr(0, size));
        }
    }

    void checkFindsAFlippedSample() {
        QTemporaryDir temporary;
        const fs::path dir = temporary.path().toStdString();
        {
            StoreWriter writer(dir);
            fillStore(writer, 3);
        }
        QVERIFY(checkStore(dir).empty());
        std::string bytes = json::readTextFile(dir / kStoreFileName);
        const std::size_t at = bytes.find("SamplePerfectTile");
        QVERIFY(at != std::string::npos);
        bytes[at] = 's';
        put(dir / kStoreFileName, bytes);
        const auto problems = checkStore(dir);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].table, std::string("traces"));
    }

    void killsLoseNothingThatWasReported() {
        QTemporaryDir temporary;
        const fs::path dir = temporary.path().toStdString();
        std::mt19937 random(2);
        std::int64_t reported = 0;
        for (int round = 0; round < 12; ++round) {
            int ends[2];
            QCOMPARE(::pipe(ends), 0);
            const pid_t child = ::fork();
            if (child == 0) {
                ::close(ends[0]);
                try {
                    StoreWriter writer(dir);
                    const Workload w = writer.commitWorkload("m");
                    for (int i = 0;; ++i) {
                        const RecordId id = writer.commitRecord(sampleRecord(w.id, TaskId(), i));
                        if (::write(ends[1], &id.value, sizeof id.value) != sizeof id.value)
                            ::_exit(1);
                    }
                } catch (...) {
                    ::_exit(2);
                }
            }
            ::close(ends[1]);
            // Killed while it starts, or after some commits and a moment.
            if (round < 3)
                ::usleep(500 + 4000 * static_cast<unsigned>(round));
            std::int64_t id = 0;
            for (unsigned wait = round < 3 ? 0 : 1 + random() % 20; wait > 0; --wait)
                if (::read(ends[0], &id, sizeof id) == sizeof id)
                    reported = std::max(reported, id);
            ::usleep(random() % 3000);
            ::kill(child, SIGKILL);
            while (::read(ends[0], &id, sizeof id) == sizeof id)
                reported = std::max(reported, id);
            ::close(ends[0]);
            int status = 0;
            ::waitpid(child, &status, 0);
            QVERIFY(WIFSIGNALED(status));
            if (!fs::exists(dir / kStoreFileName)) {
                QCOMPARE(reported, 0);
                continue;
            }
            const StoreReader reader(dir);
            const auto ids = reader.recordIds({});
            QVERIFY(static_cast<std::int64_t>(ids.size()) >= reported);
            for (std::size_t i = 0; i < ids.size(); ++i)
                QCOMPARE(ids[i], static_cast<std::int64_t>(i) + 1);
        }
        QVERIFY(reported > 0);
        { StoreWriter writer(dir); }
        QVERIFY(checkStore(dir).empty());
        // Nothing but the database outlives the runs.
        for (const auto& entry : fs::directory_iterator(dir))
            QVERIFY2(entry.path().filename().string().starts_with("tuning.twdb") &&
                         entry.path().filename().string().find("new") == std::string::npos,
                     entry.path().c_str());
    }

    void olderSchemasAreUpgradedAfterACopy() {
        QTemporaryDir temporary;
        const fs::path dir = temporary.path().toStdString();
        const fs::path file = dir / kStoreFileName;
        {
            StoreWriter writer(dir);
            fillStore(writer, 5);
        }
        std::vector<std::string_view> migrations(schemaMigrations().begin(),
                                                 schemaMigrations().end());
        migrations.emplace_back("CREATE TABLE extra(id INTEGER PRIMARY KEY) STRICT");
        migrations.emplace_back("CREATE TABLE broken(");
        const std::string before = json::readTextFile(file);
        try {
            upgradeStore(file, migrations);
            QFAIL("a broken migration passed");
        } catch (const std::exception&) {
        }
        QCOMPARE(StoreReader(dir).counts().records, 5);
        migrations.pop_back();
        upgradeStore(file, migrations);
        upgradeStore(file, migrations);
        QVERIFY(fs::exists(dir / "tuning.twdb.v1.bak"));
        QCOMPARE(outcome(file, [&] { StoreReader reader(dir); }), std::string("database-newer"));
        fs::remove(file);
        fs::rename(dir / "tuning.twdb.v1.bak", file);
        QCOMPARE(StoreReader(dir).counts().records, 5);
    }

    void readOnlyDirectories() {
        QTemporaryDir temporary;
        const fs::path dir = temporary.path().toStdString();
        {
            StoreWriter writer(dir);
            fillStore(writer, 5);
        }
        if (geteuid() == 0) {
            // Root may write anywhere: another user looks.
            ::chmod(dir.c_str(), 0755);
            const pid_t child = ::fork();
            if (child == 0) {
                if (::setuid(65534) != 0)
                    ::_exit(0);
                try {
                    const StoreReader reader(dir);
                    const bool ok =
                        reader.counts().records == 5 && outcome(dir / kStoreFileName, [&] {
                                                            StoreWriter writer(dir);
                                                        }).starts_with("database-");
                    ::_exit(ok ? 0 : 1);
                } catch (...) {
                    ::_exit(2);
                }
            }
            int status = 0;
            ::waitpid(child, &status, 0);
            QCOMPARE(WEXITSTATUS(status), 0);
        } else {
            ::chmod(dir.c_str(), 0555);
            QCOMPARE(StoreReader(dir).counts().records, 5);
            ::chmod(dir.c_str(), 0755);
        }
    }

    void otherEqualityIsRefused() {
        QTemporaryDir temporary;
        const fs::path dir = temporary.path().toStdString();
        { StoreWriter writer(dir); }
        ModuleCodec codec;
        codec.equality = "anchor-block";
        QCOMPARE(outcome(dir / kStoreFileName, [&] { StoreWriter writer(dir, codec); }),
                 std::string("database-equality"));
    }
};

QTEST_GUILESS_MAIN(StoreDamageTest)
#include "store_damage_test.moc"
