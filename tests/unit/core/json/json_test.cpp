// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/base64.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/line_reader.h>
#include <tilewright/json/line_writer.h>
#include <tilewright/json/parse.h>
#include <tilewright/json/scan.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <random>

using namespace tilewright;
using json::Style;
using json::Value;

namespace {

std::string again(const std::string& text, Style style, json::Dialect dialect = {}) {
    return json::dump(json::parse(text, {.dialect = dialect}), style);
}

std::string refusal(const std::string& text, json::ParseOptions options = {}) {
    const auto value = json::tryParse(text, options);
    return value ? std::string("accepted") : value.error().toString();
}

std::string sharedDir() {
    const char* set = std::getenv("TW_SHARED");
    return set ? set : TW_SOURCE_DIR "/../shared";
}

} // namespace

class JsonTest : public QObject {
    Q_OBJECT
private slots:
    void values() {
        Value v;
        v["b"] = 1;
        v["a"] = Value::array(std::vector<int>{1, 2});
        v["b"] = "x";
        QCOMPARE(json::dump(v), std::string(R"({"b":"x","a":[1,2]})"));
        QCOMPARE(v.at("a").at(1).asInt(), std::int64_t{2});
        QVERIFY(!v.find("c"));
        QVERIFY(!Value(3).find("c"));
        QVERIFY_THROWS_EXCEPTION(base::ParseError, (void)v.at("c"));
        QVERIFY_THROWS_EXCEPTION(base::ParseError, (void)v.at("a").at(2));
        QVERIFY_THROWS_EXCEPTION(base::ParseError, (void)v.at("a").asInt());
        QVERIFY(json::parse("[1,2.5]") == json::parse("[1.0, 2.5]"));
        QVERIFY(json::parse(R"({"a":1,"b":2})") == json::parse(R"({"b":2,"a":1})"));
        QVERIFY(!(json::parse(R"({"a":1,"b":2})") == json::parse(R"({"b":2,"a":2})")));
    }

    void numbers() {
        QCOMPARE(again("[0,-1,9223372036854775807,18446744073709551615]", Style::Compact),
                 std::string("[0,-1,9223372036854775807,18446744073709551615]"));
        QCOMPARE(again("[1.0,0.1,1e300,1E-7,-0.0,123456789012345678901234567890]", Style::Compact),
                 std::string("[1.0,0.1,1e+300,1e-07,-0.0,1.2345678901234568e+29]"));
        QCOMPARE(again("[1e999,-1e999,1e-999]", Style::Compact), std::string("[null,null,0.0]"));
        QCOMPARE(json::parse("18446744073709551615").asUint(), ~std::uint64_t{0});
        QVERIFY_THROWS_EXCEPTION(base::ParseError,
                                 (void)json::parse("18446744073709551615").asInt());
        std::mt19937_64 random(7);
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t bits = random();
            double d = 0;
            std::memcpy(&d, &bits, sizeof d);
            if (std::isfinite(d)) {
                QCOMPARE(json::parse(json::dump(Value(d))).asDouble(), d);
                QCOMPARE(json::parse(json::dump(Value(d), Style::Tvm)).asDouble(), d);
            }
        }
    }

    void strings() {
        QCOMPARE(json::parse(R"("\u00e9\ud83d\ude00\ud800x\n\/")").asString(),
                 std::string("\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBDx\n/"));
        QCOMPARE(json::dump(Value(std::string("\x01\xff\"\\\x7f\xC3\xA9", 7))),
                 std::string("\"\\u0001\xEF\xBF\xBD\\\"\\\\\x7f\xC3\xA9\""));
        QCOMPARE(json::dump(Value(std::string("a\xC3\xA9\x01\"")), Style::Tvm),
                 std::string("\"a\\xC3\\xA9\\x01\\\"\""));
        QCOMPARE(json::parse(R"("a\xC3\xA9")", {.dialect = json::Dialect::Tvm}).asString(),
                 std::string("a\xC3\xA9"));
    }

    void styles() {
        const std::string text = R"({"z":[1,{"a":null}],"b":true,"c":[],"d":{}})";
        QCOMPARE(again(text, Style::Compact), text);
        QCOMPARE(again(text, Style::Spaced),
                 std::string(R"({"z": [1, {"a": null}], "b": true, "c": [], "d": {}})"));
        QCOMPARE(again(text, Style::Tvm),
                 std::string(R"({"b":true,"c":[],"d":{},"z":[1,{"a":null}]})"));
        QCOMPARE(again("[1.0,0.05,{\"a\":[2]}]", Style::Tvm),
                 std::string("[1,0.050000000000000002776,{\"a\":[2]}]"));
        QCOMPARE(again("{\"a\":[1],\"b\":[]}", Style::Pretty),
                 std::string("{\n  \"a\": [\n    1\n  ],\n  \"b\": []\n}"));
    }

    void refusals() {
        QCOMPARE(refusal("[1,\n 2,]", {.fileName = "f.json", .firstLine = 4}),
                 std::string("f.json:5:4: expected a value, found ']' [json-syntax]"));
        for (const char* bad : {"",         " ",
                                "{",        "[",
                                "[1",       "[1 2]",
                                "{\"a\"}",  "{\"a\":}",
                                "{a:1}",    "\"abc",
                                "\"\\q\"",  "\"\\u12\"",
                                "01",       "1.",
                                "-",        "1e",
                                "tru",      "nul",
                                "NaN",      "1 2",
                                "\"\xff\"", "\"\xed\xa0\x80\"",
                                "\"a\nb\"", "'a'",
                                "[1]]"})
            QVERIFY2(refusal(bad) != "accepted", bad);
        QVERIFY(refusal(std::string(3000000, '[')).find("nested deeper") != std::string::npos);
        QVERIFY(refusal(std::string(512, '[') + std::string(512, ']')) == "accepted");
        for (const char* good : {"[1,]", "{\"a\":1,}", "[NaN,-Infinity,Infinity]", "\"\\x41\"",
                                 "\"\xff\"", "\xEF\xBB\xBF[1]"})
            QVERIFY2(refusal(good, {.dialect = json::Dialect::Tvm}) == "accepted", good);
    }

    void severalValuesInARow() {
        std::size_t offset = 0;
        const std::string text = "[1] [2]\t[3";
        QCOMPARE(json::tryParsePrefix(text, offset)->at(0).asInt(), std::int64_t{1});
        QCOMPARE(json::tryParsePrefix(text, offset)->at(0).asInt(), std::int64_t{2});
        QCOMPARE(offset, std::size_t{8});
        QVERIFY(!json::tryParsePrefix(text, offset));
    }

    void damagedTexts() {
        // Whatever the bytes, the reader answers or refuses; sanitizer builds watch it.
        const std::string good =
            R"([0,[[["Split",["l1",null],[1,0],["a\n\u00e9"]]],{"k":-1.5e3}]])";
        std::mt19937 random(3);
        for (int i = 0; i < 20000; ++i) {
            std::string text = good.substr(0, random() % (good.size() + 1));
            for (unsigned k = random() % 4; k > 0 && !text.empty(); --k)
                text[random() % text.size()] = static_cast<char>(random());
            for (const auto dialect : {json::Dialect::Strict, json::Dialect::Tvm})
                if (const auto value = json::tryParse(text, {.dialect = dialect}))
                    QVERIFY(json::tryParse(json::dump(*value)));
            std::size_t end = 0;
            // Bytes that are not UTF-8 are the one thing that a scan does not look at.
            if (json::tryParsePrefix(text, end))
                QVERIFY(json::scanValue(text, 0));
            else if (std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; }))
                QVERIFY(!json::scanValue(text, 0));
        }
    }

    void lines() {
        QTemporaryDir dir;
        const std::string file = dir.filePath("x.jsonl").toStdString();
        const std::string big(3000000, 'x');
        std::ofstream(file, std::ios::binary) << "\xEF\xBB\xBF[1]\r\n\n" << big << "\nlast";
        json::LineReader reader(file);
        QVERIFY(reader.next());
        QCOMPARE(std::string(reader.line()), std::string("[1]"));
        QVERIFY(reader.next());
        QVERIFY(reader.line().empty());
        json::LineReader moved(std::move(reader));
        QVERIFY(moved.next());
        QVERIFY(moved.line() == big);
        QVERIFY(moved.complete());
        QVERIFY(moved.next());
        QCOMPARE(std::string(moved.line()), std::string("last"));
        QCOMPARE(moved.number(), std::int64_t{4});
        QVERIFY(!moved.complete());
        QVERIFY(!moved.next());
        QVERIFY_THROWS_EXCEPTION(base::UserError,
                                 json::LineReader(dir.filePath("no").toStdString()));
        QVERIFY_THROWS_EXCEPTION(base::UserError, json::LineReader(dir.path().toStdString()));
        {
            json::LineWriter writer(file, json::LineWriter::Mode::Truncate);
            writer.write(json::parse("[1, 2]"));
            writer.writeText("{}");
        }
        json::LineWriter(file, json::LineWriter::Mode::Append).write(Value(3));
        QCOMPARE(json::readTextFile(file), std::string("[1,2]\n{}\n3\n"));
    }

    void base64() {
        QCOMPARE(json::encodeBase64("any carnal pleas"), std::string("YW55IGNhcm5hbCBwbGVhcw=="));
        for (std::size_t n = 0; n < 40; ++n) {
            std::string bytes(n, '\0');
            for (std::size_t i = 0; i < n; ++i)
                bytes[i] = static_cast<char>(i * 37 + n);
            QCOMPARE(json::decodeBase64(json::encodeBase64(bytes)), std::optional(bytes));
        }
        QVERIFY(!json::decodeBase64("abc"));
        QVERIFY(!json::decodeBase64("ab=c"));
    }

    void recordFilesOfTvmAreWrittenBack() {
        const std::string dir = sharedDir() + "/conformance/database_small";
        if (!std::filesystem::exists(dir))
            QSKIP("the conformance data is not here");
        for (const char* name : {"/database_tuning_record.json", "/database_workload.json"}) {
            json::LineReader reader(dir + name);
            int count = 0;
            for (; reader.next(); ++count)
                QCOMPARE(again(std::string(reader.line()), Style::Tvm, json::Dialect::Tvm),
                         std::string(reader.line()));
            QVERIFY(count >= 3);
        }
    }
};

QTEST_GUILESS_MAIN(JsonTest)
#include "json_test.moc"
