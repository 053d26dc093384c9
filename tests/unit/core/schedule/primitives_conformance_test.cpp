// SPDX-License-Identifier: Apache-2.0

// Cases recorded with TVM 0.27: every instruction gives TVM's module or TVM's error class.

#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/structural.h>
#include <tilewright/ir/tvm_json.h>
#include <tilewright/json/base64.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/schedule/apply_case.h>

#include <QtTest/QTest>

#include <fstream>
#include <map>
#include <set>
#include <string>

using namespace tilewright;

namespace {

const std::set<std::string> kKinds = {"GetSBlock",
                                      "GetLoops",
                                      "GetChildBlocks",
                                      "GetProducers",
                                      "GetConsumers",
                                      "GetOutputBlocks",
                                      "Split",
                                      "Fuse",
                                      "Reorder",
                                      "AddUnitLoop",
                                      "Parallel",
                                      "Vectorize",
                                      "Unroll",
                                      "CacheRead",
                                      "CacheWrite",
                                      "ComputeAt",
                                      "ReverseComputeAt",
                                      "ComputeInline",
                                      "DecomposeReduction",
                                      "RFactor",
                                      "ReverseComputeInline",
                                      "Annotate",
                                      "Unannotate",
                                      "TransformLayout",
                                      "SampleCategorical",
                                      "SamplePerfectTile",
                                      "SampleComputeLocation",
                                      "EnterPostproc"};

std::string sharedDir() {
    const QByteArray set = qgetenv("TW_SHARED");
    return set.isEmpty() ? std::string(TW_SOURCE_DIR "/../shared") : set.toStdString();
}

std::string text(const json::Value& value, const char* key) {
    const json::Value* found = value.find(key);
    return found && found->isString() ? found->asString() : std::string();
}

struct Workload {
    std::string script;
    std::string line;
};

std::map<std::string, Workload> readWorkloads() {
    std::map<std::string, Workload> result;
    std::ifstream file(sharedDir() + "/conformance/workloads.jsonl");
    for (std::string line; std::getline(file, line);) {
        const json::Value value = json::parse(line);
        result[text(value, "name")] = {text(value, "script"), text(value, "workload_line")};
    }
    return result;
}

ir::Module fromLine(const std::string& line) {
    const json::Value parsed = json::parse(line);
    const auto graph = json::decodeBase64(parsed.at(std::size_t{1}).asString());
    return ir::moduleFromTvmJson(std::string_view(*graph).substr(8));
}

/// Why a case fails, empty when it passes.
std::string judge(const json::Value& testCase, const ir::Module& module) {
    const auto result = schedule::applyTrace(module, *testCase.find("trace"));
    if (text(testCase, "expect") == "ok") {
        if (!result.ok())
            return "refused: " + result.error->toString();
        const std::string want = text(testCase, "script");
        if (ir::print(result.module) == want)
            return {};
        const auto difference = ir::firstDifference(ir::parseModule(want), result.module);
        return difference ? "script differs: " + *difference : std::string();
    }
    if (result.ok())
        return "accepted, TVM says " + text(testCase, "error_class");
    const bool exact =
        text(testCase, "judge") == "exact" && text(testCase, "error_type") == "ScheduleError";
    if (exact && result.error->kind != text(testCase, "error_class"))
        return "error " + result.error->toString() + ", TVM says " + text(testCase, "error_class");
    if (result.step != testCase.find("fail_index")->asInt())
        return "fails at step " + std::to_string(result.step) + ": " + result.error->toString();
    return {};
}

} // namespace

class PrimitivesConformanceTest : public QObject {
    Q_OBJECT
private slots:
    void casesOfTvm();
};

void PrimitivesConformanceTest::casesOfTvm() {
    std::ifstream file(sharedDir() + "/conformance/primitives.jsonl");
    if (!file)
        QSKIP("the recorded cases are not here");
    const auto workloads = readWorkloads();
    const std::string only = qgetenv("TW_ONLY").toStdString();
    int good = 0;
    int all = 0;
    std::map<std::string, std::pair<int, int>> byKind;
    for (std::string line; std::getline(file, line);) {
        const json::Value testCase = json::parse(line);
        bool chosen = text(testCase, "judge") != "informative";
        for (const auto& step : testCase.at("trace").at(std::size_t{0}).asArray())
            chosen = chosen && kKinds.count(step.at(std::size_t{0}).asString());
        const std::string name = text(testCase, "name");
        if (!chosen || (!only.empty() && name.find(only) == std::string::npos))
            continue;
        ++all;
        std::string why;
        try {
            const Workload& workload = workloads.at(text(testCase, "workload"));
            const bool byLine = text(testCase, "start") == "workload_line";
            why = judge(testCase,
                        byLine ? fromLine(workload.line) : ir::parseModule(workload.script));
        } catch (const std::exception& error) {
            why = std::string("exception: ") + error.what();
        }
        auto& row = byKind[text(testCase, "kind")];
        ++row.second;
        if (why.empty()) {
            ++row.first;
            ++good;
        } else {
            qInfo("%s: %s", name.c_str(), why.substr(0, 600).c_str());
        }
    }
    for (const auto& [kind, row] : byKind)
        qInfo("%-24s %d/%d", kind.c_str(), row.first, row.second);
    qInfo("%d of %d cases", good, all);
    QVERIFY2(good * 100 >= all * 99, "fewer than 99 of 100 cases agree with TVM");
}

QTEST_GUILESS_MAIN(PrimitivesConformanceTest)
#include "primitives_conformance_test.moc"
