// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/database.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/store_writer.h>
#include <tilewright/database/tvm_files.h>
#include <tilewright/json/base64.h>
#include <tilewright/json/line_reader.h>
#include <tilewright/json/parse.h>

#include <cstdlib>
#include <fstream>
#include <QtCore/QElapsedTimer>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <random>

using namespace tilewright;
using namespace tilewright::database;
namespace fs = std::filesystem;

namespace {

constexpr const char* kTrace =
    R"([[["GetBlock",[],["C","main"],["b0"]],["Split",["l1","v2"],[1],["l3"]]],[[1,[2,4]]]])";

void put(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

std::string workloadLine(int i) {
    const std::string graph = "{\"module\":" + std::to_string(i) + "}";
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(graph.size());
    return "[\"" + std::to_string(100 + i) + "\",\"" + json::encodeBase64(bytes + graph) + "\"]";
}

std::string recordLine(int workload, const std::string& seconds) {
    return "[" + std::to_string(workload) + ",[" + kTrace + "," + seconds +
           R"(,{"keys":["cpu"],"kind":"llvm","tag":""},[["TENSOR","float32",[8]]]]])";
}

fs::path shared() {
    const char* set = std::getenv("TW_SHARED");
    return set ? set : TW_SOURCE_DIR "/../shared";
}

struct Work {
    QTemporaryDir temporary;
    fs::path source;
    fs::path dir;
    Work() : source(temporary.path().toStdString()), dir(source / "work") {
        source /= "source";
        fs::create_directory(source);
    }
};

} // namespace

class TvmFilesTest : public QObject {
    Q_OBJECT
    static void compareQueries(const fs::path& source) {
        // The module's graph stands for the module: the questions are about records.
        ModuleCodec codec;
        codec.fromTvmGraph = [](std::string_view graph) { return std::string(graph); };
        codec.toTvmGraph = [](std::string_view module, bool) { return std::string(module); };
        Work work;
        fs::copy(source, work.dir);
        fs::permissions(work.dir, fs::perms::owner_all);
        const auto db = openJsonDatabase(work.dir, codec);
        const auto workloads = db->getAllWorkloads();
        std::vector<std::string> lines;
        json::LineReader recordLines(source / kTvmRecordFile);
        while (recordLines.next())
            lines.emplace_back(recordLines.line());
        const auto lineOf = [&](const TuningRecord& record) {
            return record.id.value - 1; // commits are numbered in the order of the file
        };
        int asked = 0;
        json::LineReader cases(shared() / "conformance/records.jsonl");
        while (cases.next()) {
            const json::Value c = json::parse(cases.line());
            const std::string& op = c.at("op").asString();
            if (op == "get_top_k") {
                const auto index = static_cast<std::size_t>(c.at("workload_index").asInt());
                const auto top =
                    db->getTopK(workloads[index].id, static_cast<int>(c.at("k").asInt()));
                std::vector<std::int64_t> got, wanted;
                for (const TuningRecord& record : top)
                    got.push_back(lineOf(record));
                for (const json::Value& line : c.at("lines").asArray())
                    wanted.push_back(line.asInt());
                QCOMPARE(got, wanted);
                ++asked;
            } else if (op == "summary") {
                QCOMPARE(db->size(), static_cast<std::size_t>(c.at("len").asInt()));
                const auto all = db->getAllTuningRecords();
                const json::Array& wanted = c.at("all_tuning_records_run_secs").asArray();
                QCOMPARE(all.size(), wanted.size());
                for (std::size_t i = 0; i < all.size(); ++i)
                    QCOMPARE(all[i].measurement.seconds.front(),
                             wanted[i].at(std::size_t{0}).asDouble());
                const auto pruned = makeMemoryDatabase(codec);
                db->dumpPruned(*pruned);
                QCOMPARE(pruned->size(), c.at("dump_pruned").size());
            }
        }
        QVERIFY(asked >= 15);
    }

private slots:
    void dirtyFilesLoadAsFarAsTheyGo() {
        Work work;
        put(work.source / kTvmWorkloadFile,
            workloadLine(0) + "\n" + "[\"1\",\"AAAA\"]\n" + workloadLine(2) + "\n");
        const std::vector<std::string> lines = {
            "\xEF\xBB\xBF# comment",
            "",
            recordLine(0, "[1e-05,3e-05,2e-05]") + recordLine(2, "[10000000000]"), // line 3
            "  " + recordLine(2, "null"),
            recordLine(0, "[]"),
            recordLine(0, "[\"x\"]"),                              // 6
            recordLine(7, "[1]"),                                  // 7
            recordLine(1, "[1]"),                                  // 8
            "[0,[" + std::string(kTrace) + ",[0.5,],null,null,]]", // 9: trailing commas
            "[0,[{\"a\":1},[1],null,null]]",                       // 10
            "\"a\"",                                               // 11
            std::string(100000, '['),                              // 12
            "[0,[" + std::string(kTrace) + "]]",                   // 13: the rest is missing
            recordLine(0, "[1,10000000000,10000000000]"),
            recordLine(0, "[1e-05]").substr(0, 60), // 15
        };
        std::string text;
        for (const std::string& line : lines)
            text += (text.empty() ? "" : "\r\n") + line;
        put(work.source / kTvmRecordFile, text);
        TvmImportReport report;
        {
            StoreWriter writer(work.dir);
            report = importTvm(work.source, writer);
        }
        std::vector<std::int64_t> skipped;
        for (const SkippedLine& line : report.skipped)
            if (line.file == kTvmRecordFile)
                skipped.push_back(line.line);
            else
                QCOMPARE(line.line, 2);
        QCOMPARE(skipped, (std::vector<std::int64_t>{6, 7, 8, 10, 11, 12, 15}));
        QCOMPARE(report.workloads, 2);
        QCOMPARE(report.records, 7);
        const StoreReader reader(work.dir);
        const auto first = reader.record(RecordId(1));
        QCOMPARE(first->measurement.median, std::optional(2e-05));
        QVERIFY(first->origin == RecordOrigin::Imported);
        QVERIFY(!first->trial);
        QCOMPARE(first->taskName, std::string("workload_0"));
        QVERIFY(reader.record(RecordId(2))->status == RecordStatus::Run);
        QVERIFY(!reader.record(RecordId(2))->measurement.median);
        QVERIFY(!reader.record(RecordId(3))->measurement.present);
        QVERIFY(reader.record(RecordId(7))->status == RecordStatus::Run);
        QCOMPARE(reader.record(RecordId(7))->measurement.seconds.size(), std::size_t{3});

        // What went in comes out, under the new numbers of the lines.
        const fs::path out = work.source / "out";
        const auto exported = exportTvm(reader, {}, out);
        QCOMPARE(exported.records, 7);
        QCOMPARE(json::readTextFile(out / kTvmWorkloadFile),
                 workloadLine(0) + "\n" + workloadLine(2) + "\n");
        json::LineReader back(out / kTvmRecordFile);
        QVERIFY(back.next());
        QVERIFY(json::parse(back.line()) == json::parse(recordLine(0, "[1e-05,3e-05,2e-05]")));
        QVERIFY(back.next());
        QCOMPARE(std::string(back.line()), recordLine(1, "[10000000000]"));
        QVERIFY_THROWS_EXCEPTION(base::UserError, exportTvm(reader, {}, out));

        TvmExportOptions options;
        options.era = "0.27";
        (void)exportTvm(reader, {}, work.source / "new", options);
        json::LineReader renamed(work.source / "new" / kTvmRecordFile);
        QVERIFY(renamed.next());
        QVERIFY(renamed.line().find("GetSBlock") != std::string_view::npos);
        QVERIFY(renamed.line().find("[1,0]") != std::string_view::npos);
        for (const char* unknown : {"0.11", "9.9", "0.99"}) {
            options.era = unknown;
            QVERIFY_THROWS_EXCEPTION(base::UserError,
                                     exportTvm(reader, {}, work.source / "old", options));
        }

        // The same again: all there before.
        StoreWriter writer(work.dir);
        const auto again = importTvm(work.source, writer);
        QCOMPARE(again.records, 0);
        QCOMPARE(again.duplicates, 7);
    }

    void brokenPairsImportNothing() {
        Work work;
        StoreWriter writer(work.dir);
        QVERIFY_THROWS_EXCEPTION(base::UserError, importTvm(work.source / "no", writer));
        QVERIFY_THROWS_EXCEPTION(base::UserError, importTvm(work.source, writer));
        put(work.source / kTvmWorkloadFile, workloadLine(0) + "\n");
        QVERIFY_THROWS_EXCEPTION(base::UserError, importTvm(work.source, writer));
        fs::create_directory(work.source / kTvmRecordFile);
        QVERIFY_THROWS_EXCEPTION(base::UserError, importTvm(work.source, writer));
        QCOMPARE(StoreReader(writer.connection()).counts().workloads, 0);
        fs::remove(work.source / kTvmRecordFile);
        put(work.source / kTvmRecordFile, "");
        QCOMPARE(importTvm(work.source, writer).records, 0);
    }

    void mirrorFollowsTheStore() {
        Work work;
        put(work.source / kTvmWorkloadFile, workloadLine(0) + "\n");
        put(work.source / kTvmRecordFile, recordLine(0, "[0.5]") + "\n");
        StoreWriter writer(work.dir);
        importTvm(work.source, writer);
        TvmPairMirror mirror(writer);
        QCOMPARE(json::readTextFile(work.dir / kTvmRecordFile), recordLine(0, "[0.5]") + "\n");
        TuningRecord record = *StoreReader(writer.connection()).record(RecordId(1));
        record.measurement = measurementOf({0.25});
        writer.commitRecord(record);
        mirror.update();
        mirror.update();
        QCOMPARE(json::readTextFile(work.dir / kTvmRecordFile),
                 recordLine(0, "[0.5]") + "\n" + recordLine(0, "[0.25]") + "\n");
        const auto pair = openJsonDatabase(work.dir, {});
        QCOMPARE(pair->size(), std::size_t{2});
    }

    void damagedPairsNeverCrash() {
        Work work;
        const std::string workloads = workloadLine(0) + "\n" + workloadLine(1) + "\n";
        std::string records;
        for (int i = 0; i < 20; ++i)
            records += recordLine(i % 2, "[1e-05]") + "\n";
        std::mt19937 random(3);
        StoreWriter writer(work.dir, {}, Durability::Normal);
        for (int round = 0; round < 200; ++round) {
            std::string w = workloads;
            std::string r = records;
            for (unsigned i = random() % 6; i > 0; --i)
                w[random() % w.size()] ^= static_cast<char>(1 << random() % 8);
            for (unsigned i = random() % 30; i > 0; --i)
                r[random() % r.size()] ^= static_cast<char>(1 << random() % 8);
            put(work.source / kTvmWorkloadFile, w.substr(0, w.size() - random() % 40));
            put(work.source / kTvmRecordFile, r.substr(0, r.size() - random() % 400));
            const auto report = importTvm(work.source, writer);
            QVERIFY(report.records + report.duplicates +
                        static_cast<std::int64_t>(report.skipped.size()) >=
                    10);
        }
    }

    void conformanceDatabase() {
        const fs::path source = shared() / "conformance/database_small";
        if (!fs::exists(source))
            QSKIP("the conformance data is not here");
        Work work;
        StoreWriter writer(work.dir);
        const auto report = importTvm(source, writer);
        QCOMPARE(report.records, 33);
        QCOMPARE(report.workloads, 3);
        const StoreReader reader(writer.connection());
        exportTvm(reader, {}, work.source);
        for (const char* name : {kTvmWorkloadFile, kTvmRecordFile})
            QVERIFY2(json::readTextFile(work.source / name) == json::readTextFile(source / name),
                     name);
        compareQueries(source);
    }

    void foldersOfTvmUsers() {
        const fs::path logs = shared() / "tvm-logs";
        if (!fs::exists(logs))
            QSKIP("the logs are not here");
        for (const char* name : {"resnet18-avx2-first12", "web-llm-metal-19"}) {
            Work work;
            QElapsedTimer timer;
            timer.start();
            StoreWriter writer(work.dir, {}, Durability::Normal);
            const auto report = importTvm(logs / name, writer);
            qInfo("%s: %lld records in %lld ms", name, static_cast<long long>(report.records),
                  static_cast<long long>(timer.elapsed()));
            QVERIFY(report.skipped.empty());
            const StoreReader reader(writer.connection());
            exportTvm(reader, {}, work.source);
            for (const char* file : {kTvmWorkloadFile, kTvmRecordFile}) {
                json::LineReader ours(work.source / file);
                json::LineReader theirs(logs / name / file);
                while (theirs.next()) {
                    QVERIFY(ours.next());
                    QVERIFY(json::parse(ours.line(), {.dialect = json::Dialect::Tvm}) ==
                            json::parse(theirs.line(), {.dialect = json::Dialect::Tvm}));
                }
                QVERIFY(!ours.next());
            }
            if (!fs::exists(logs / name / "database_workload.sqlite"))
                continue;
            Work tables;
            for (const char* file : {"database_workload.sqlite", "database_tuning_record.sqlite"})
                fs::copy(logs / name / file, tables.source / file);
            StoreWriter second(tables.dir);
            const auto same = importTvm(tables.source, second);
            QCOMPARE(same.records, report.records);
            QCOMPARE(same.workloads, report.workloads);
            QVERIFY(same.skipped.empty());
            QCOMPARE(std::distance(fs::directory_iterator(tables.source), fs::directory_iterator()),
                     std::ptrdiff_t{2});
        }
    }
};

QTEST_GUILESS_MAIN(TvmFilesTest)
#include "tvm_files_test.moc"
