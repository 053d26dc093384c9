// SPDX-License-Identifier: Apache-2.0
// Every script and every workload that TVM printed, where the collection is present.
#include <tilewright/ir/index_map.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/structural.h>
#include <tilewright/ir/tvm_json.h>
#include <tilewright/json/base64.h>
#include <tilewright/json/line_reader.h>
#include <tilewright/json/parse.h>

#include <QtTest/QTest>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

using namespace tilewright;

namespace {

std::filesystem::path collection() {
    const char* named = std::getenv("TW_SHARED");
    return named ? std::filesystem::path(named)
                 : std::filesystem::path(TW_SOURCE_DIR).parent_path() / "shared";
}

void collect(const json::Value& value, std::set<std::string>& scripts,
             std::set<std::string>& maps) {
    if (value.isString()) {
        const std::string& text = value.asString();
        if (text.find("@T.prim_func") != std::string::npos)
            scripts.insert(text);
        else if (text.starts_with("{") && text.find("IndexMap") != std::string::npos)
            maps.insert(text);
    } else if (value.isArray()) {
        for (const json::Value& item : value.asArray())
            collect(item, scripts, maps);
    } else if (value.isObject()) {
        for (const json::Member& member : value.asObject())
            collect(member.value, scripts, maps);
    }
}

/// Workload lines: hash and payload.
ir::Module moduleOfLine(const std::string& line) {
    const json::Value value = json::parse(line);
    const auto bytes = json::decodeBase64(value.at(std::size_t{1}).asString());
    if (!bytes)
        throw base::ParseError("tvm-json", "the payload is no base64");
    return ir::moduleFromTvmJson(*bytes);
}

} // namespace

class TvmCorpusTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!std::filesystem::exists(collection() / "conformance"))
            QSKIP("the collection is not present");
        for (const auto& entry :
             std::filesystem::directory_iterator(collection() / "conformance")) {
            if (entry.path().extension() != ".jsonl")
                continue;
            json::LineReader reader(entry.path());
            while (reader.next())
                collect(json::parse(reader.line()), scripts_, maps_);
        }
        QVERIFY(scripts_.size() > 1000);
    }

    void scriptsPrintAsTheyWere() {
        int different = 0;
        int unequal = 0;
        for (const std::string& script : scripts_) {
            const ir::Module module = ir::parseModule(script);
            const bool isModule = script.find("@I.ir_module") != std::string::npos;
            const std::string printed =
                isModule ? ir::print(module)
                         : ir::print(module.functions()[0].second, module.functions()[0].first);
            different += printed != script;
            const ir::Module again = ir::parseModule(printed);
            const bool isEqual = ir::structuralEqual(module, again);
            unequal += !isEqual;
            if (isEqual)
                QCOMPARE(ir::structuralHash(module), ir::structuralHash(again));
        }
        // A few of TVM's own outputs are not well formed: variables outside of any loop.
        qInfo("%zu scripts, %d print differently, %d differ after reading again", scripts_.size(),
              different, unequal);
        QVERIFY(different <= 20);
        QVERIFY(unequal <= 12);
    }

    void workloadsEqualTheirScripts() {
        json::LineReader reader(collection() / "conformance" / "workloads.jsonl");
        int count = 0;
        while (reader.next()) {
            const json::Value entry = json::parse(reader.line());
            const std::string name = entry.at("name").asString();
            const ir::Module module = moduleOfLine(entry.at("workload_line").asString());
            // TVM's own script of this one reads back differently.
            if (name != "mm_i64_index") {
                const auto difference =
                    ir::firstDifference(module, ir::parseModule(entry.at("script").asString()));
                QVERIFY2(!difference, (name + ": " + difference.value_or("")).c_str());
            }
            const ir::Module again = ir::moduleFromTvmJson(ir::moduleToTvmJson(module));
            const auto difference = ir::firstDifference(module, again);
            QVERIFY2(!difference, (name + ": " + difference.value_or("")).c_str());
            const ir::Block anchor = ir::findAnchorBlock(module);
            const json::Value& expected = entry.at("anchor_block");
            QCOMPARE(anchor ? anchor->name : "null",
                     expected.isNull() ? "null" : expected.asString());
            // One workload holds a pointer whose element type the IR does not keep.
            const std::string hash = std::to_string(ir::tvmStructuralHash(module));
            if (name != "tir_opaque")
                QVERIFY2(hash == entry.at("shash").asString(), name.c_str());
            ++count;
        }
        QVERIFY(count > 50);
    }

    void publishedDatabasesLoad() {
        int count = 0;
        for (const char* folder : {"resnet18-avx2-first12", "web-llm-metal-19"}) {
            json::LineReader reader(collection() / "tvm-logs" / folder / "database_workload.json");
            while (reader.next()) {
                const ir::Module module = moduleOfLine(std::string(reader.line()));
                const ir::Module again = ir::moduleFromTvmJson(ir::moduleToTvmJson(module));
                QVERIFY(ir::structuralEqual(module, again));
                ir::parseModule(ir::print(module));
                ++count;
            }
        }
        QCOMPARE(count, 31);
    }

    void indexMapsComeBack() {
        int sameBytes = 0;
        for (const std::string& text : maps_) {
            const ir::IndexMap map = ir::indexMapFromTvmJson(text);
            const bool isCompact = text.find('\n') == std::string::npos;
            const std::string written = ir::indexMapToTvmJson(
                map, isCompact ? ir::JsonLayout::Compact : ir::JsonLayout::Indented);
            sameBytes += written == text;
            QVERIFY(ir::structuralEqual(map, ir::indexMapFromTvmJson(written)) ||
                    text.find("\"v27\"") != std::string::npos ||
                    text.find("\"v28\"") != std::string::npos);
        }
        QVERIFY(sameBytes * 100 >= static_cast<int>(maps_.size()) * 95);
    }

private:
    std::set<std::string> scripts_;
    std::set<std::string> maps_;
};

QTEST_GUILESS_MAIN(TvmCorpusTest)
#include "tvm_corpus_test.moc"
