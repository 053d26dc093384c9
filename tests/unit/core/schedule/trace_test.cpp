// SPDX-License-Identifier: Apache-2.0
#include "trace_samples.h"

#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/schedule/schedule.h>
#include <tilewright/schedule/trace.h>

#include <QtTest/QTest>

#include <fstream>
#include <string>

using namespace tilewright;
using schedule::Trace;

namespace {

Trace fileTrace(const std::string& text) {
    return Trace::fromJson(json::parse(text));
}

std::string dumped(const Trace& trace) {
    return json::dump(trace.toJson(), json::Style::Tvm);
}

} // namespace

class TraceTest : public QObject {
    Q_OBJECT
private slots:
    void fileFormComesBack() { QCOMPARE(dumped(fileTrace(kFile)), std::string(kFile)); }

    void textForm() { QCOMPARE(fileTrace(kFile).toPython(), std::string(kText)); }

    void textFormIsRead() {
        const Trace trace = Trace::parsePython(kText);
        QVERIFY(trace == fileTrace(kFile));
        QCOMPARE(dumped(trace), std::string(kFile));
    }

    void scriptsAreShort() {
        const Trace trace = Trace::parsePython("b = sch.get_block(\"mm\")\n"
                                               "i, j, k = sch.get_loops(b)  # the nest\n"
                                               "sch.split(i, [None, 8])\n"
                                               "sch.reorder(k,\n            j)\n"
                                               "f = sch.fuse(j, k)\n");
        QCOMPARE(trace.size(), std::size_t(5));
        QCOMPARE(trace[2].outputs.size(), std::size_t(2));
        QCOMPARE(trace[4].outputs[0].id, 6);
        QVERIFY(*trace[2].attrs[0].asBool());
    }

    void badScriptsSayWhere_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("place");
        QTest::newRow("method") << "b0 = sch.get_blok(\"C\")"
                                << "s:1:10";
        QTest::newRow("variable") << "sch.vectorize(l3)"
                                  << "s:1:15";
        QTest::newRow("argument") << "b0 = sch.get_sblock(nam=\"C\")"
                                  << "s:1:21";
        QTest::newRow("open") << "\nb0 = sch.get_sblock(\"C\""
                              << "s:2:";
        QTest::newRow("names") << "a, b = sch.get_sblock(\"C\")"
                               << "s:1:1";
        QTest::newRow("missing") << "b0 = sch.get_sblock()"
                                 << "s:1:1";
    }
    void badScriptsSayWhere() {
        QFETCH(QString, text);
        QFETCH(QString, place);
        try {
            (void)Trace::parsePython(text.toStdString(), "s");
            QFAIL("accepted");
        } catch (const base::ParseError& error) {
            QVERIFY2(QString(error.what()).startsWith(place), error.what());
        }
    }

    void olderErasAreRead() {
        const Trace trace =
            fileTrace(R"([[["GetBlock",[],["C","main"],["b"]],["GetLoops",["b"],[],["x","y"]],)"
                      R"(["Split",["x","None",4],[],["p","q"]],["ComputeAt",["b","q"],[1],[]],)"
                      R"(["CacheRead",["b"],[0,"global"],["c"]]],[]])");
        QCOMPARE(trace[0].kind->name, std::string_view("GetSBlock"));
        QCOMPARE(dumped(trace), std::string(R"([[["GetSBlock",[],["C","main"],["b0"]],)"
                                            R"(["GetLoops",["b0"],[],["l1","l2"]],)"
                                            R"(["Split",["l1","None",4],[1,0],["l3","l4"]],)"
                                            R"(["ComputeAt",["b0","l4"],[1,-1],[]],)"
                                            R"(["CacheRead",["b0",[]],[0,"global"],["b5"]]],[]])"));
        QVERIFY(json::dump(trace.toJson(true)).find("\"GetBlock\"") != std::string::npos);
    }

    void badFilesSayWhere() {
        for (const char* text :
             {R"([[["GetSBlock",[],["C","main"],["b0"]],["Nonsense",[],[],[]]],[]])",
              R"([[["GetSBlock",[],["C","main"],["b0"]],["GetLoops",["b7"],[],[]]],[]])",
              R"([[["GetSBlock",[],["C","main"],["b0"]],["GetLoops",[""],[],[]]],[]])",
              R"([[["GetSBlock",[],["C","main"],["b0"]],["Bind",["b0"],[],[]]],[]])"})
            try {
                (void)fileTrace(text);
                QFAIL("accepted");
            } catch (const base::ParseError& error) {
                QVERIFY2(QString(error.what()).startsWith("instruction 1:"), error.what());
            }
        QVERIFY_THROWS_EXCEPTION(base::ParseError, (void)fileTrace("[]"));
        QVERIFY_THROWS_EXCEPTION(base::ParseError, (void)fileTrace("[[],[[0,1]]]"));
    }

    void deadCodeGoes() {
        const Trace trace = fileTrace(
            R"([[["GetSBlock",[],["A","main"],["b0"]],["GetSBlock",[],["B","main"],["b1"]],)"
            R"(["GetLoops",["b1"],[],["l2"]],["Parallel",["l2"],[],[]],)"
            R"(["EnterPostproc",[],[],[]],["Unroll",["l2"],[],[]]],[]])");
        QCOMPARE(dumped(trace.simplified(true)),
                 std::string(R"([[["GetSBlock",[],["B","main"],["b0"]],)"
                             R"(["GetLoops",["b0"],[],["l1"]],["Parallel",["l1"],[],[]]],[]])"));
        QCOMPARE(trace.withoutPostproc().size(), std::size_t(4));
        QCOMPARE(trace.simplified(false).size(), std::size_t(5));
    }

    void decisionsChange() {
        const Trace trace = fileTrace(kFile);
        const Trace changed = trace.withDecision(7, 1, true);
        QCOMPARE(changed.size(), std::size_t(10));
        QCOMPARE(changed.decision(7).toInt(-1), std::int64_t(1));
        QCOMPARE(trace.decision(7).toInt(-1), std::int64_t(2));
        QVERIFY(!(changed == trace));
    }

    void tracesOfTvm();
};

/// The text of every recorded trace is TVM's, and reads back as the same trace.
void TraceTest::tracesOfTvm() {
    std::ifstream file(std::string(TW_SOURCE_DIR) + "/../shared/conformance/primitives.jsonl");
    if (!file)
        QSKIP("the recorded cases are not here");
    int texts = 0;
    int bad = 0;
    for (std::string line; std::getline(file, line);) {
        const json::Value testCase = json::parse(line);
        const auto* python = testCase.find("python");
        if (!python || !python->isString() || testCase.at("expect").asString() != "ok")
            continue;
        ++texts;
        const std::string name = testCase.at("name").asString();
        try {
            const Trace trace = Trace::fromJson(testCase.at("trace"));
            if (const std::string text = trace.toPython(); text != python->asString()) {
                ++bad;
                qInfo("%s prints\n%s\nTVM\n%s", name.c_str(), text.c_str(),
                      python->asString().c_str());
                continue;
            }
            const Trace back = Trace::parsePython(python->asString());
            if (back.toPython() != python->asString()) {
                ++bad;
                qInfo("%s reads back as\n%s", name.c_str(), back.toPython().c_str());
            }
        } catch (const std::exception& error) {
            ++bad;
            qInfo("%s: %s", name.c_str(), error.what());
        }
    }
    qInfo("%d of %d texts", texts - bad, texts);
    QVERIFY(bad == 0);
}

QTEST_GUILESS_MAIN(TraceTest)
#include "trace_test.moc"
