// SPDX-License-Identifier: Apache-2.0
#include "../../../support/sample_session.h"

#include <tilewright/database/store_reader.h>
#include <tilewright/ir/parser.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/compare_records.h>
#include <tilewright/session/compare_sessions.h>
#include <tilewright/session/edit_decision.h>
#include <tilewright/session/record_details.h>
#include <tilewright/session/side_by_side.h>

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::session;
using testing::scaleTrace;

namespace {

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

} // namespace

class WorkbenchCompareTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { testing::makeSampleSessions(dir()); }

    void decisionsStandBesideEachOther() {
        const ir::Module module = ir::parseModule(testing::kScaleModule, "test");
        const DecisionTable table = decisionTable({scaleTrace(8, 1), scaleTrace(16, 2)}, &module);
        QCOMPARE(table.rows.size(), std::size_t{2});
        QCOMPARE(table.changed, std::size_t{2});
        QVERIFY(table.productsFit);
        QVERIFY(table.structures.empty());
        const DecisionRow& tile = table.rows[0];
        QCOMPARE(text(tile.name), QString("i"));
        QCOMPARE(tile.extent.value_or(0), 64);
        QCOMPARE(text(tile.cells[0].text), QString("8·8"));
        QCOMPARE(text(tile.cells[1].text), QString("16·4"));
        QVERIFY(tile.cells[1].changed[0] && tile.cells[1].changed[1]);
        QCOMPARE(text(tile.effects[1].text()), QString("inner tile 8 → 4"));
        QCOMPARE(text(table.rows[1].name), QString("unroll"));
        QCOMPARE(text(table.rows[1].effects[1].text()), QString("unroll 16 → 64"));
        QCOMPARE(table.rows[1].choices, (std::vector<std::int64_t>{0, 16, 64}));
    }

    void renamedVariablesAreNoChange() {
        const schedule::Trace renamed = schedule::Trace::parsePython(
            R"(b9 = sch.get_sblock(name="B", func_name="main")
l7, l6 = sch.get_loops(block=b9)
v33, v44 = sch.sample_perfect_tile(loop=l7, n=2, max_innermost_factor=64, decision=[8, 8])
l50, l60 = sch.split(loop=l7, factors=[v33, v44])
v70 = sch.sample_categorical(candidates=[0, 16, 64], probs=[0.4, 0.3, 0.3], decision=1)
sch.annotate(block_or_loop=b9, ann_key="unroll", ann_val=v70)
)");
        const DecisionTable table = decisionTable({scaleTrace(8, 1), renamed}, nullptr);
        QCOMPARE(table.changed, std::size_t{0});
        QVERIFY(diffTraces(scaleTrace(8, 1), renamed).equal());
    }

    void otherStructuresAreNamed() {
        const DecisionTable table = decisionTable({scaleTrace(8, 1), scaleTrace(8, 1, 8)}, nullptr);
        QCOMPARE(table.structures.size(), std::size_t{1});
        QVERIFY(text(table.structures[0]).contains("vectorize"));
        const QString diff =
            text(traceDiffText(diffTraces(scaleTrace(8, 1), scaleTrace(16, 1, 8)), true));
        QVERIFY(diff.contains(QStringLiteral("≠ ")));
        QVERIFY(diff.contains("+ "));
    }

    void editedDecisionsAreCheckedBeforeTheyRun_data() {
        QTest::addColumn<int>("instruction");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("problem");
        QTest::newRow("legal") << 2 << "4·16"
                               << "";
        QTest::newRow("blanks") << 2 << "4 16"
                                << "";
        QTest::newRow("product") << 2 << "4·8"
                                 << "multiply to 32";
        QTest::newRow("count") << 2 << "64"
                               << "takes 2 factors";
        QTest::newRow("zero") << 2 << "0·64"
                              << "at least 1";
        QTest::newRow("words") << 2 << "many"
                               << "no list of factors";
        QTest::newRow("choice") << 4 << "64"
                                << "";
        QTest::newRow("no choice") << 4 << "17"
                                   << "none of 0, 16, 64";
        QTest::newRow("nothing there") << 0 << "1"
                                       << "decides nothing";
        QTest::newRow("outside") << 99 << "1"
                                 << "decides nothing";
    }
    void editedDecisionsAreCheckedBeforeTheyRun() {
        QFETCH(int, instruction);
        QFETCH(QString, value);
        QFETCH(QString, problem);
        const database::StoreReader reader(dir());
        const RecordView view(reader, database::RecordId(2));
        const EditedSchedule edited =
            editDecisions(view, {{static_cast<std::size_t>(instruction), value.toStdString()}});
        QCOMPARE(edited.legal, problem.isEmpty());
        if (edited.legal) {
            QVERIFY(text(edited.script).contains("def main"));
            const schedule::Trace trace = schedule::Trace::fromJson(
                json::parse(edited.trace, {.dialect = json::Dialect::Tvm}));
            QVERIFY(!(trace == view.trace()));
        } else {
            QVERIFY2(text(edited.message).contains(problem), edited.message.c_str());
        }
    }

    void linesAndWordsAreAligned() {
        const SideBySide sides =
            alignTexts("a\nfor i in range(8):\nb\nc\n", "a\nfor i in range(16):\nx\nb\nc\n");
        QCOMPARE(sides.differences, 1 + 0);
        QCOMPARE(sides.rows[1].change, LineChange::Changed);
        QCOMPARE(sides.rows[1].leftSpans, (std::vector<TextSpan>{{15, 1}}));
        QCOMPARE(sides.rows[1].rightSpans, (std::vector<TextSpan>{{15, 2}}));
        QCOMPARE(sides.rows[2].change, LineChange::OnlyRight);
    }

    void equalRegionsFold() {
        std::string left = "x\n";
        std::string right = "y\n";
        for (int i = 0; i < 20; ++i) {
            left += std::to_string(i) + "\n";
            right += std::to_string(i) + "\n";
        }
        const SideBySide sides = alignTexts(left, right, 2);
        QCOMPARE(sides.rows.size(), std::size_t{4});
        QCOMPARE(sides.rows[3].change, LineChange::Folded);
        QCOMPARE(sides.rows[3].folded, 18);
    }

    void normalisersTakeNamesAwayOnBothSides() {
        NormalizeOptions all;
        QVERIFY(
            compareCode(
                "define void @f() {\nentry:\n  %3 = add i32 %1, 2 ; x\n  br label %l7\nl7:\n}\n",
                "define void @f() {\nbegin:\n  %a = add i32 %b, 2\n  br label %q\nq:\n}\n",
                CodeKind::Llvm, all)
                .equal());
        QVERIFY(compareCode(".LBB0_1:\n\tjmp .LBB0_1 # loop\n", ".LBB7_3:\n\tjmp .LBB7_3\n",
                            CodeKind::Assembly, all)
                    .equal());
        all.labels = false;
        QVERIFY(!compareCode(".LBB0_1:\n", ".LBB7_3:\n", CodeKind::Assembly, all).equal());
        NormalizeOptions none{false, false, false, false, false};
        QVERIFY(!compareCode("  %3 = add\n", "  %a = add\n", CodeKind::Llvm, none).equal());
        QCOMPARE(text(normalizedCode("for ax0_3 in x: # why\n", CodeKind::Script, {})),
                 QString("for ax0_0 in x:\n"));
    }

    void sessionsAreComparedOperatorByOperator() {
        const SessionComparison comparison = compareSessions({dir(), 1, false}, {dir(), 2, false});
        QCOMPARE(comparison.operators.size(), std::size_t{2});
        QCOMPARE(comparison.faster, 2);
        QVERIFY(comparison.total.verdict == Verdict::Faster);
        const OperatorComparison& first = comparison.operators.front();
        QCOMPARE(text(first.name), QString("scale"));
        QVERIFY(first.match == MatchKind::Hash);
        QVERIFY(*first.weightedDelta < 0);
        QVERIFY(first.decisions.has_value());
        double sum = comparison.left.total;
        for (const WaterfallStep& step : comparison.steps)
            sum += step.seconds;
        QVERIFY(std::abs(sum - comparison.right.total) < 1e-12);
    }

    void defaultsAreABaseline() {
        const SessionComparison comparison = compareSessions({dir(), -1, true}, {dir(), -1, false});
        QCOMPARE(text(comparison.left.label), QString("default schedules"));
        QVERIFY(qAbs(*comparison.operators.front().left - 120e-6) < 1e-6);
        QVERIFY(comparison.total.verdict == Verdict::Faster);
    }

    void thresholdTurnsSmallChangesIntoNoise() {
        const std::vector<double> a{1.00, 1.00, 1.00, 1.00, 1.00, 1.00};
        const std::vector<double> b{0.98, 0.98, 0.98, 0.98, 0.98, 0.98};
        QVERIFY(judgeSamples(a, b, 0.01).verdict == Verdict::Faster);
        QVERIFY(judgeSamples(a, b, 0.03).verdict == Verdict::Same);
        QVERIFY(judgeSamples(b, a, 0.01).verdict == Verdict::Slower);
        QVERIFY(judgeSamples({1.0}, {0.98}, 0.01).assumedNoise);
        QVERIFY(judgeSamples({}, b, 0.01).verdict == Verdict::OnlyRight);
    }

    void operatorsOfOneSideAreListed() {
        QTemporaryDir other;
        {
            database::StoreWriter store(other.path().toStdString(), {},
                                        database::Durability::Normal);
            database::Task task;
            task.name = "extra";
            task.workload = store.commitWorkload("no module", "extra").id;
            store.commitTask(task);
        }
        const SessionComparison comparison =
            compareSessions({other.path().toStdString(), -1, false}, {dir(), 2, false});
        QCOMPARE(comparison.operators.size(), std::size_t{3});
        QCOMPARE(comparison.notComparable, 3);
        for (const OperatorComparison& row : comparison.operators)
            QVERIFY(!row.reason.empty());
    }

    void otherMachinesDoNotCompare() {
        QTemporaryDir other;
        testing::makeSampleSessions(other.path().toStdString(), "Xeon");
        const std::filesystem::path path = other.path().toStdString();
        const SessionComparison comparison = compareSessions({path, 1, false}, {path, 2, false});
        QCOMPARE(comparison.comparable, 0);
        QVERIFY(comparison.operators.front().judgement.verdict == Verdict::NotComparable);
        QVERIFY(text(comparison.operators.front().reason).contains("cpu differs"));
    }

    void recordsAreCompared() {
        const RecordComparison comparison = compareRecords({{dir(), 2}, {dir(), 3}, {dir(), 4}});
        QVERIFY(comparison.refusal.empty());
        QCOMPARE(comparison.records.size(), std::size_t{3});
        QCOMPARE(comparison.decisions.rows.front().cells.size(), std::size_t{3});
        QCOMPARE(comparison.instructions.size(), comparison.trace.rows.size());
        QVERIFY(comparison.judgements[1].verdict == Verdict::Faster);
    }

    void detailsHoldWhatAnInspectorShows() {
        const auto details = readRecordDetails(dir(), 3, RecordRef{dir(), 2});
        QCOMPARE(details->samples.size(), std::size_t{6});
        QCOMPARE(details->decisions.rows.front().cells.size(), std::size_t{2});
        QVERIFY(details->judgement.verdict == Verdict::Faster);
        QVERIFY(!details->environment.empty());
        QVERIFY(text(details->python).contains("sample_perfect_tile"));
        QVERIFY(!readRecordFeatures(dir(), 3).stores.empty());
        const auto seconds = baselineSeconds(dir(), dir(), -1, 2, Statistic::Median);
        QVERIFY(!seconds.empty());
    }

private:
    std::string dir() const { return temporary_.path().toStdString(); }
    QTemporaryDir temporary_;
};

QTEST_GUILESS_MAIN(WorkbenchCompareTest)
#include "workbench_compare_test.moc"
