// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/target/cpu_features.h>
#include <tilewright/target/host.h>
#include <tilewright/target/parse_target.h>

#include <QtTest/QTest>

using namespace tilewright;
using target::parseTarget;
using target::StaticCpuFeatures;

namespace {

std::string tvmForm(const std::string& text) {
    return json::dump(parseTarget(text).toJson(), json::Style::Tvm);
}

std::string refusal(const std::string& text) {
    try {
        (void)parseTarget(text);
    } catch (const base::UserError& error) {
        return error.diagnostic().message;
    }
    return "accepted";
}

bool says(const std::string& text, const std::string& part) {
    const std::string message = refusal(text);
    if (message.find(part) != std::string::npos)
        return true;
    qWarning("%s -> %s", text.c_str(), message.c_str());
    return false;
}

} // namespace

class TargetTest : public QObject {
    Q_OBJECT
private slots:
    void words() {
        const auto t = parseTarget("llvm -mcpu=znver4 -num-cores=16 -mattr=+avx2,-fma -fast-math");
        QCOMPARE(t.mcpu(), std::string("znver4"));
        QCOMPARE(t.numCores(), std::optional(16));
        QCOMPARE(t.mattr(), (std::vector<std::string>{"+avx2", "-fma"}));
        QCOMPARE(t.attribute("fast-math")->asBool(), true);
        QCOMPARE(parseTarget("llvm --mcpu znver4").mcpu(), std::string("znver4"));
        QCOMPARE(parseTarget(" llvm  -model=\"a b\" ").stringAttribute("model"),
                 std::string("a b"));
    }

    void tvmJson() {
        QCOMPARE(
            tvmForm("llvm -num-cores=4 -mcpu=core-avx2"),
            std::string(
                R"({"keys":["cpu"],"kind":"llvm","mcpu":"core-avx2","num-cores":4,"tag":""})"));
        QCOMPARE(
            tvmForm(R"({"kind":"cuda","arch":"sm_80","max_threads_per_block":1024})"),
            std::string(
                R"({"arch":"sm_80","keys":["cuda","gpu"],"kind":"cuda","max_num_threads":1024,"max_threads_per_block":1024,"tag":"","thread_warp_size":32})"));
        QCOMPARE(parseTarget("llvm -mtriple=aarch64-linux-gnu").keys(),
                 (std::vector<std::string>{"arm_cpu", "cpu"}));
        QCOMPARE(parseTarget("llvm -device=arm_cpu").keys(),
                 (std::vector<std::string>{"arm_cpu", "cpu"}));
        const auto t = parseTarget(
            R"({"kind":"cuda","arch":"sm_90a","host":{"kind":"llvm","mcpu":"haswell"}})");
        QCOMPARE(t.host()->mcpu(), std::string("haswell"));
        QCOMPARE(t.smVersion(), 90);
    }

    void recordsKeepTheirTarget() {
        const std::string text =
            R"({"feature.has_sve":false,"host":{"keys":["arm_cpu","cpu"],"kind":"llvm","tag":""},"keys":["metal","gpu"],"kind":"metal","odd":[1,2],"tag":"x"})";
        const auto t = target::Target::fromJson(json::parse(text));
        QCOMPARE(json::dump(t.toJson(), json::Style::Tvm), text);
        QVERIFY(t.isGpu());
        QVERIFY_THROWS_EXCEPTION(base::ParseError, target::Target::fromJson(json::parse("{}")));
        QVERIFY_THROWS_EXCEPTION(base::ParseError, target::Target::fromJson(json::parse("[1]")));
    }

    void textComesBack() {
        for (const char* text :
             {"llvm", "llvm -mcpu=znver4 -num-cores=16", "cuda -arch=sm_80", "hexagon -num-cores=4",
              "llvm -model=\"a b\"", "llvm -keys=x86,cpu -mcpu=skylake-avx512 -num-cores=18",
              "llvm -mattr=+neon -mcpu=cortex-a72 -mtriple=aarch64-linux-gnu -num-cores=4"})
            QCOMPARE(parseTarget(text).toText(), std::string(text));
        for (const auto& preset : target::presets()) {
            const auto t = parseTarget(preset.name);
            QVERIFY2(parseTarget(t.toText()) == t, preset.name.c_str());
            QVERIFY2(target::parseTargetJson(t.toJson()) == t, preset.name.c_str());
        }
    }

    void presetsTakeOverrides() {
        QCOMPARE(parseTarget("host -num-cores=1").numCores(), std::optional(1));
        QCOMPARE(parseTarget("riscv64-rvv256 -vector-width=512").vectorWidth(), std::optional(512));
        QCOMPARE(parseTarget("riscv64-rvv256").mabi(), std::string("lp64d"));
        QCOMPARE(parseTarget("nvidia/geforce-rtx-3090").maxSharedMemoryPerBlock(),
                 std::optional<std::int64_t>(49152));
        QCOMPARE(parseTarget("llvm-avx2 -mtriple=aarch64-linux-gnu").keys(),
                 (std::vector<std::string>{"arm_cpu", "cpu"}));
    }

    void refusals() {
        QVERIFY(says("", "empty"));
        QVERIFY(says("lvm", "'llvm'"));
        QVERIFY(says("hots", "'host'"));
        QVERIFY(says("riscv64-rvv255", "'riscv64-rvv256'"));
        QVERIFY(says("quantum", "is not known"));
        QVERIFY(says("llvm -mcu=x", "'mcpu'"));
        QVERIFY(says("llvm -num-cores=four", "takes an integer"));
        QVERIFY(says("llvm -num-cores=0", "positive"));
        QVERIFY(says("llvm -num-cores", "needs a value"));
        QVERIFY(says("llvm mcpu=x", "expected an option"));
        QVERIFY(says("llvm -mcpu=\"x", "never closed"));
        QVERIFY(says("{\"kind\":\"llvm\",", "no valid JSON"));
        QVERIFY(says("{\"kid\":\"llvm\"}", "no \"kind\""));
        QVERIFY(says("{\"kind\":\"llvn\"}", "'llvm'"));
        QVERIFY(says("{\"kind\":\"llvm\",\"num_cores\":4}", "'num-cores'"));
        QVERIFY(says("{\"kind\":\"llvm\",\"num-cores\":\"4\"}", "an integer"));
        QVERIFY(says("{\"kind\":\"llvm\",\"keys\":3}", "expected an array"));
    }

    void features() {
        const StaticCpuFeatures table;
        const auto has = [&](const char* text, const char* feature) {
            return table.hasFeature(parseTarget(text), feature);
        };
        QVERIFY(has("llvm -mcpu=znver5", "avx512vnni"));
        QVERIFY(has("llvm -mcpu=cascadelake", "avx512vnni"));
        QVERIFY(!has("llvm -mcpu=skylake-avx512", "avx512vnni"));
        QVERIFY(has("llvm -mcpu=skylake-avx512", "avx512bw"));
        QVERIFY(!has("llvm -mcpu=core-avx2", "avx512f"));
        QVERIFY(has("llvm -mcpu=core-avx2", "fma"));
        QVERIFY(has("llvm -mcpu=alderlake", "avxvnni"));
        QVERIFY(!has("llvm -mcpu=znver4 -mattr=-avx512f", "avx512vnni"));
        QVERIFY(has("llvm -mattr=+avx512vnni -mcpu=x86-64", "avx2"));
        QVERIFY(has("aarch64-dotprod", "dotprod"));
        QVERIFY(has("aarch64-neon", "neon"));
        QVERIFY(!has("aarch64-neon", "dotprod"));
        QVERIFY(has("llvm -mtriple=aarch64-linux-gnu -mattr=+v8.2a,+dotprod", "dotprod"));
        QVERIFY(has("riscv64-rvv256", "v"));
        QVERIFY(!has("riscv64", "v"));
        QVERIFY(!has("cuda", "v"));
        const auto width = [&](const char* text) {
            return target::simdWidthBits(parseTarget(text), table);
        };
        QCOMPARE(width("llvm-avx512"), 512);
        QCOMPARE(width("llvm-avx2"), 256);
        QCOMPARE(width("llvm -mcpu=x86-64"), 128);
        QCOMPARE(width("aarch64-neon"), 128);
        QCOMPARE(width("riscv64-rvv256"), 256);
        QCOMPARE(width("riscv64-rvv256 -vector-width=1024"), 1024);
        QCOMPARE(width("riscv64"), 0);
        QCOMPARE(width("cuda"), 0);
    }

    void host() {
        const auto info = target::detectHost();
        QVERIFY(info.physicalCores >= 1 && info.physicalCores <= info.logicalCores);
        const auto t = parseTarget("host");
        QCOMPARE(t.mcpu(), info.cpuName);
        QCOMPARE(t.numCores(), std::optional(info.physicalCores));
        qInfo("%s; %s; L1 %lld L2 %lld", t.toText().c_str(), info.cpuBrand.c_str(),
              static_cast<long long>(info.l1DataBytes), static_cast<long long>(info.l2Bytes));
#if defined(__x86_64__)
        QVERIFY(StaticCpuFeatures::knowsCpu(info.cpuName));
        // What the target promises is what the machine has.
        for (const char* feature : {"avx2", "fma", "avx512f", "avx512vnni", "avxvnni"})
            QCOMPARE(StaticCpuFeatures().hasFeature(t, feature), info.features.contains(feature));
#endif
        QVERIFY(target::cacheSizes(t, info).l1DataBytes >= 8 * 1024);
        QCOMPARE(target::cacheSizes(parseTarget("riscv64"), info).l2Bytes,
                 std::int64_t{512 * 1024});
    }
};

QTEST_GUILESS_MAIN(TargetTest)
#include "target_test.moc"
