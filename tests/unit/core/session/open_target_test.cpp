// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_writer.h>
#include <tilewright/database/tvm_files.h>
#include <tilewright/session/open_target.h>
#include <tilewright/session/session_list.h>

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <fstream>

using namespace tilewright;
namespace fs = std::filesystem;
using session::OpenKind;

namespace {

fs::path write(const QTemporaryDir& dir, const char* name, const std::string& text) {
    const fs::path file = fs::path(dir.path().toStdString()) / name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
}

const std::string kRecord =
    R"([0,[[[["GetSBlock",[],["C","main"],["b0"]]],[]],[0.001],{"kind":"llvm"},[]]])";

void commitSession(database::StoreWriter& writer, const std::string& state,
                   const std::string& result) {
    database::Session session;
    session.input = "net.onnx";
    session.target = "host";
    session.state = state;
    session.result = result;
    session.options = "{}";
    session.environment = "{}";
    session.budget = 8;
    session.startedMs = 1000;
    const auto id = writer.beginSession(session);
    session.id = id;
    writer.updateSession(session);
}

} // namespace

class OpenTargetTest : public QObject {
    Q_OBJECT

private slots:
    void recognisesByFirstBytes() {
        QTemporaryDir dir;
        const auto of = [](const fs::path& file) {
            return session::recogniseFiles({file})[0].kind;
        };
        QCOMPARE(of(write(dir, "a.onnx", "anything")), OpenKind::Model);
        QCOMPARE(of(write(dir, "renamed.bin", std::string("\x08\x07\x12\x04test", 8))),
                 OpenKind::Model);
        QCOMPARE(of(write(dir, "m.py", "@T.prim_func")), OpenKind::Module);
        QCOMPARE(of(write(dir, "empty.twdb", "")), OpenKind::Unknown);
        QCOMPARE(of(write(dir, "letter.txt", "Dear all")), OpenKind::Unknown);
        QCOMPARE(of(fs::path(dir.path().toStdString()) / "nowhere"), OpenKind::Missing);
        std::string foreign("SQLite format 3\0", 16);
        foreign.resize(100, '\0');
        QCOMPARE(of(write(dir, "foreign.twdb", foreign)), OpenKind::Unknown);
        foreign.replace(68, 4, "TWDB");
        QCOMPARE(of(write(dir, "mine.bin", foreign)), OpenKind::Results);
    }

    void pairsTvmFilesInEitherOrder() {
        QTemporaryDir dir;
        const fs::path workloads = write(dir, "one.json", "# made by hand\n[\"123\", \"e30=\"]\n");
        const fs::path records = write(dir, "two.json", kRecord + "\n");
        for (const auto& files :
             {std::vector{workloads, records}, std::vector{records, workloads}}) {
            const auto targets = session::recogniseFiles(files);
            QCOMPARE(targets.size(), std::size_t{1});
            QCOMPARE(targets[0].kind, OpenKind::TvmPair);
            QVERIFY(targets[0].path == workloads && targets[0].recordFile == records);
        }
        // Alone, and nothing beside it by name.
        QCOMPARE(session::recogniseFiles({records})[0].kind, OpenKind::Unknown);
        const fs::path named = write(dir, "x_tuning_record.json", kRecord + "\n");
        const fs::path partner = write(dir, "x_workload.json", "[\"123\", \"e30=\"]\n");
        const auto found = session::recogniseFiles({named});
        QCOMPARE(found[0].kind, OpenKind::TvmPair);
        QVERIFY(found[0].path == partner && found[0].recordFile == named);
    }

    void importGivesUpWithoutATrace() {
        QTemporaryDir dir;
        const fs::path workloads = write(dir, "w.json", "[\"123\", \"e30=\"]\n");
        const fs::path records = write(dir, "r.json", kRecord + "\nrubbish\n" + kRecord + "\n");
        const std::string store = dir.filePath("store").toStdString();
        database::StoreWriter writer(store);
        std::int64_t asked = 0;
        const auto given = database::importTvmPair(
            workloads, records, writer,
            [&](std::int64_t done, std::int64_t total) { return done <= total && ++asked < 2; });
        QVERIFY(!given);
        QCOMPARE(asked, std::int64_t{2});
        QCOMPARE(database::StoreReader(store).counts().records, std::int64_t{0});
        const auto report = database::importTvmPair(workloads, records, writer);
        QVERIFY(report.has_value());
        // What is wrong is named by file and line.
        QVERIFY(!report->skipped.empty());
        bool named = false;
        for (const auto& line : report->skipped)
            named = named || (line.file == "r.json" && line.line == 2);
        QVERIFY(named);
    }

    void overviewAddsUpTasksAndSeesInterruption() {
        QTemporaryDir dir;
        const std::string store = dir.filePath("store").toStdString();
        {
            database::StoreWriter writer(store);
            commitSession(writer, "finished",
                          R"({"tasks":[{"weight":2,"default_us":10,"best_us":5},)"
                          R"({"weight":1,"default_us":3,"best_us":null}]})");
            commitSession(writer, "running", "");
        }
        const auto overview = session::readOverview(store);
        QCOMPARE(overview->sessions.size(), std::size_t{2});
        QVERIFY(std::abs(*overview->sessions[0].defaultSeconds - 23e-6) < 1e-12);
        QVERIFY(std::abs(*overview->sessions[0].bestSeconds - 13e-6) < 1e-12);
        QCOMPARE(overview->sessions[1].state, std::string("interrupted"));
        QVERIFY(!overview->sessions[1].bestSeconds);
        QVERIFY(!overview->owner);
        QVERIFY_EXCEPTION_THROWN(session::readOverview(dir.filePath("no").toStdString()),
                                 base::UserError);
    }
};

QTEST_APPLESS_MAIN(OpenTargetTest)
#include "open_target_test.moc"
