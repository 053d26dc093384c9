// SPDX-License-Identifier: Apache-2.0
#include <tilewright/database/metadata.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/store_writer.h>
#include <tilewright/json/dump.h>
#include <tilewright/session/compare.h>
#include <tilewright/session/module_codec.h>
#include <tilewright/session/record_view.h>
#include <tilewright/session/report.h>
#include <tilewright/session/text_diff.h>
#include <tilewright/session/trace_diff.h>

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace tilewright;
using session::TraceChange;

namespace {

const char* kModule = R"(from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
    for i, j in T.grid(64, 64):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
)";

schedule::Trace script(const char* text) {
    return schedule::Trace::parsePython(text);
}

const char* kTiled = R"(b0 = sch.get_sblock(name="B", func_name="main")
l1, l2 = sch.get_loops(block=b0)
v3, v4 = sch.sample_perfect_tile(loop=l1, n=2, max_innermost_factor=64, decision=[8, 8])
l5, l6 = sch.split(loop=l1, factors=[v3, v4])
v7 = sch.sample_categorical(candidates=[0, 16, 64], probs=[0.4, 0.3, 0.3], decision=1)
sch.annotate(block_or_loop=b0, ann_key="unroll", ann_val=v7)
)";

void addRecord(database::StoreWriter& store, const char* task, const schedule::Trace& trace,
               std::vector<double> seconds) {
    database::Task row;
    row.name = task;
    row.workload = store.commitWorkload(kModule, task).id;
    row.target = R"({"kind":"llvm","keys":["cpu"],"num-cores":1,"tag":""})";
    database::TuningRecord record;
    record.task = store.commitTask(row);
    record.workload = row.workload;
    record.target = row.target;
    record.trace = json::dump(trace.toJson(), json::Style::Tvm);
    record.measurement = database::measurementOf(std::move(seconds));
    record.measurement.present = true;
    record.trial = 1;
    store.commitRecord(record);
}

} // namespace

class RecordComparisonTest : public QObject {
    Q_OBJECT

private slots:
    void equalTracesHaveNoDifference() {
        const auto diff = session::diffTraces(script(kTiled), script(kTiled));
        QVERIFY(diff.equal());
        QVERIFY(diff.sameSketch);
        QCOMPARE(diff.decisions, std::size_t{0});
    }

    void decisionsAreNamed() {
        std::string other = kTiled;
        other.replace(other.find("[8, 8]"), 6, "[4, 16]");
        other.replace(other.find("decision=1"), 10, "decision=2");
        const auto diff = session::diffTraces(script(kTiled), script(other.c_str()));
        QCOMPARE(diff.decisions, std::size_t{2});
        QVERIFY(diff.sameSketch);
        QVERIFY(!diff.equal());
        const auto& tile = diff.rows[2];
        QVERIFY(tile.change == TraceChange::Decision);
        QCOMPARE(QString::fromStdString(tile.leftDecision), QString("[8, 8]"));
        QCOMPARE(QString::fromStdString(tile.rightDecision), QString("[4, 16]"));
        QCOMPARE(QString::fromStdString(tile.subject), QString("tile of B, loop 0"));
        QCOMPARE(QString::fromStdString(diff.rows[4].leftDecision), QString("16"));
        QCOMPARE(QString::fromStdString(diff.rows[4].rightDecision), QString("64"));
        QCOMPARE(QString::fromStdString(diff.rows[4].subject), QString("unroll of B"));
    }

    void numberingDoesNotShow() {
        // An extra instruction at the front shifts every variable behind it.
        const std::string shifted =
            std::string("b0 = sch.get_sblock(name=\"root\", func_name=\"main\")\n") + R"(
b1 = sch.get_sblock(name="B", func_name="main")
l2, l3 = sch.get_loops(block=b1)
v4, v5 = sch.sample_perfect_tile(loop=l2, n=2, max_innermost_factor=64, decision=[8, 8])
l6, l7 = sch.split(loop=l2, factors=[v4, v5])
v8 = sch.sample_categorical(candidates=[0, 16, 64], probs=[0.4, 0.3, 0.3], decision=1)
sch.annotate(block_or_loop=b1, ann_key="unroll", ann_val=v8)
)";
        const auto diff = session::diffTraces(script(kTiled), script(shifted.c_str()));
        QCOMPARE(diff.rows.size(), std::size_t{7});
        QVERIFY(diff.rows[0].change == TraceChange::OnlyRight);
        for (std::size_t i = 1; i < diff.rows.size(); ++i)
            QVERIFY(diff.rows[i].change == TraceChange::Equal);
        QVERIFY(!diff.sameSketch);
        QCOMPARE(QString::fromStdString(diff.structure), QString("right has get_sblock"));
    }

    void linesAreDiffedShortest() {
        const auto lines = session::diffLines("a\nb\nc\nd\ne", "a\nc\nd\nx\ne");
        std::string marks;
        for (const auto& line : lines)
            marks.push_back(line.mark);
        QCOMPARE(QString::fromStdString(marks), QString(" -  + "));
        QCOMPARE(session::unifiedDiff("same\n", "same\n", "l", "r"), std::string());
        const std::string unified = session::unifiedDiff("a\nb\n", "a\nc\n", "l", "r");
        QVERIFY(unified.find("@@ -1,2 +1,2 @@\n a\n-b\n+c\n") != std::string::npos);
    }

    void lineDiffRebuildsBothTexts() {
        std::uint32_t seed = 7;
        for (int round = 0; round < 200; ++round) {
            std::string texts[2];
            for (std::string& text : texts)
                for (int i = 0; i < round % 23; ++i) {
                    seed = seed * 1664525u + 1013904223u;
                    text += std::string(1, static_cast<char>('a' + (seed >> 24) % 4)) + "\n";
                }
            std::string rebuilt[2];
            for (const auto& line : session::diffLines(texts[0], texts[1])) {
                if (line.mark != '+')
                    rebuilt[0] += line.text + "\n";
                if (line.mark != '-')
                    rebuilt[1] += line.text + "\n";
            }
            QCOMPARE(rebuilt[0], texts[0]);
            QCOMPARE(rebuilt[1], texts[1]);
        }
    }

    void labelsAndCommentsOfAssemblyVanish() {
        const std::string left =
            session::normalizedAssembly("\t.text\nmain:\n.LBB0_7: # loop\n\tjne .LBB0_7 # again\n");
        const std::string right =
            session::normalizedAssembly("\t.text\nmain:\n.LBB2_1:\n\tjne .LBB2_1\n");
        QCOMPARE(left, right);
        QCOMPARE(left, std::string("main:\n.L0:\n\tjne .L0\n"));
    }

    void storesAreComparedWithTheirNoise() {
        QTemporaryDir before;
        QTemporaryDir after;
        {
            database::StoreWriter left(before.path().toStdString(), session::makeModuleCodec());
            addRecord(left, "slow", script(kTiled),
                      {1.0e-3, 1.01e-3, 0.99e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3});
        }
        {
            database::StoreWriter right(after.path().toStdString(), session::makeModuleCodec());
            addRecord(right, "slow", script(kTiled),
                      {1.2e-3, 1.21e-3, 1.19e-3, 1.2e-3, 1.2e-3, 1.2e-3, 1.2e-3});
        }
        const database::StoreReader left(before.path().toStdString());
        const database::StoreReader right(after.path().toStdString());
        const auto compared = session::compareStores(left, right);
        QCOMPARE(compared.tasks.size(), std::size_t{1});
        QVERIFY(compared.tasks[0].verdict == session::CompareVerdict::Slower);
        QVERIFY(std::abs(compared.tasks[0].ratio - 1.2) < 1e-9);
        QCOMPARE(compared.slowerBy(0.03).size(), std::size_t{1});
        QCOMPARE(compared.slowerBy(0.25).size(), std::size_t{0});
        const auto same = session::compareStores(left, left);
        QVERIFY(same.tasks[0].verdict == session::CompareVerdict::Same);
    }

    void recordsCanBeLookedAtInEveryForm() {
        QTemporaryDir dir;
        {
            database::StoreWriter store(dir.path().toStdString(), session::makeModuleCodec());
            addRecord(store, "<double>", script(kTiled), {1e-6, 2e-6});
        }
        const database::StoreReader reader(dir.path().toStdString());
        const session::RecordView view(reader, database::RecordId{1});
        QVERIFY(view.text(session::RecordForm::Trace).starts_with("[[[\"GetSBlock\""));
        QVERIFY(view.text(session::RecordForm::Python).find("sample_perfect_tile") !=
                std::string::npos);
        QVERIFY(view.text(session::RecordForm::Tir).find("\"unroll\": 16") != std::string::npos);
        QVERIFY(view.text(session::RecordForm::Llvm).find("define") != std::string::npos);
        QVERIFY(view.text(session::RecordForm::Asm).find("ret") != std::string::npos);
        QCOMPARE(view.toJson().at("samples_us").size(), std::size_t{2});
        try {
            const session::RecordView missing(reader, database::RecordId{99});
            QFAIL("record 99 does not exist");
        } catch (const base::UserError& error) {
            QCOMPARE(error.diagnostic().kind, std::string("database-record"));
        }
        const std::string html = session::htmlReport(reader);
        QVERIFY(html.find("&lt;double&gt;") != std::string::npos);
        QVERIFY(html.find("<double>") == std::string::npos);
        QVERIFY(html.find("<svg") != std::string::npos);
        QVERIFY(html.find("http") == std::string::npos); // needs nothing from elsewhere
        QVERIFY(html.find("aria-sort") != std::string::npos);
        QVERIFY(html.find("sample_perfect_tile") != std::string::npos); // the best schedule
    }
};

QTEST_GUILESS_MAIN(RecordComparisonTest)
#include "record_comparison_test.moc"
