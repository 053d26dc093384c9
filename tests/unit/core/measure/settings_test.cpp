// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/make.h>
#include <tilewright/measure/arg_info.h>
#include <tilewright/measure/cpu_plan.h>
#include <tilewright/measure/device_list.h>
#include <tilewright/measure/evaluator_config.h>
#include <tilewright/measure/numeric_check.h>
#include <tilewright/measure/registry.h>
#include <tilewright/measure/status.h>

#include <QtTest/QTest>

#include <cmath>

using namespace tilewright;
using namespace tilewright::measure;

namespace {

template <class Action> std::string refusal(const Action& action) {
    try {
        action();
    } catch (const base::UserError& error) {
        return error.diagnostic().toString();
    }
    return {};
}

/// C[0, 0] = A[0] of three parameters.
ir::Module copyModule(const ir::Expr& extent) {
    const auto type = ir::DataType::f(32);
    auto* node = new ir::PrimFuncNode();
    for (const char* name : {"A", "B"})
        node->params.push_back(
            {ir::makePointer(name, type), ir::makeBuffer(name, type, std::vector{extent})});
    const ir::Buffer c = ir::makeBuffer("C", type, std::vector<std::int64_t>{16, 4});
    node->params.push_back({ir::makePointer("C", type), c});
    node->body = ir::makeStore(c, ir::makeLoad(node->params[0].buffer, {ir::makeInt(0)}),
                               {ir::makeInt(0), ir::makeInt(0)});
    return ir::Module::of(ir::PrimFunc(node));
}

} // namespace

class SettingsTest : public QObject {
    Q_OBJECT
private slots:
    void namesStatuses() {
        for (const Status status : kAllStatuses)
            QVERIFY(*parseStatus(toString(status)) == status);
        QVERIFY(!parseStatus("bad"));
    }

    void readsEvaluatorSettings() {
        const EvaluatorConfig config = parseEvaluatorConfig(
            "number=5,repeat=2,min-repeat-ms=12.5,cpu-cache-flush,adaptive=off");
        QCOMPARE(config.number, 5);
        QCOMPARE(config.repeat, 2);
        QCOMPARE(config.minRepeatMs, 12.5);
        QVERIFY(config.enableCpuCacheFlush);
        QVERIFY(!config.adaptive);
        QCOMPARE(parseEvaluatorConfig(""), EvaluatorConfig{});
        QVERIFY(refusal([] { parseEvaluatorConfig("number=0"); }).find("from 1") !=
                std::string::npos);
        QVERIFY(refusal([] { parseEvaluatorConfig("min-repeat-ms=nan"); }) != "");
        QVERIFY(refusal([] { parseEvaluatorConfig("speed=9"); }).find("accepted are number") !=
                std::string::npos);
    }

    void plansCpus() {
        QCOMPARE(planCpus(1, {0, 1}), (CpuPlan{{1}, {0}, true}));
        QCOMPARE(planCpus(2, {0, 1}), (CpuPlan{{0, 1}, {0, 1}, false}));
        QCOMPARE(planCpus(2, {4, 5, 6}), (CpuPlan{{5, 6}, {4}, true}));
        QCOMPARE(planCpus(8, {0}), (CpuPlan{{0}, {0}, false}));
    }

    void keepsDeviceLists() {
        Device board;
        board.key = "board";
        board.command = "ssh board tilewright-runner";
        board.target = "llvm -mcpu=sifive-u74";
        board.runners = 2;
        const auto back = parseDeviceList(printDeviceList({localDevice(), board}), "devices.json");
        QCOMPARE(back.size(), std::size_t{1});
        QCOMPARE(back[0], board);
        QCOMPARE(selectDevices({localDevice(), board}, "board,local").size(), std::size_t{2});
        QVERIFY(refusal([&] {
                    selectDevices({localDevice(), board}, "bord");
                }).find("known are local, board") != std::string::npos);
    }

    void refusesDamagedDeviceLists() {
        for (const char* text :
             {"", "[]", "{\"devices\": {}}", "{\"devices\": [{\"key\": \"a\"}]}",
              "{\"devices\": [{\"key\": \"local\", \"command\": \"x\"}]}",
              "{\"devices\": [{\"key\": \"a\", \"command\": \"x\", \"runners\": 0}]}",
              "{\"devices\": [{\"key\": \"a\", \"command\": \"x\", \"color\": 1}]}",
              "{\"schema\": \"other\", \"devices\": []}",
              "{\"devices\": [{\"key\": \"a\", \"command\": \"x\"}, {\"key\": \"a\", "
              "\"command\": \"y\"}]}"})
            QVERIFY2(refusal([&] { parseDeviceList(text, "d.json"); }).starts_with("d.json"), text);
        QVERIFY(refusal([] { loadDevices("/nonexistent/devices.json"); }) != "");
    }

    void findsArgumentsAndOutputs() {
        const auto infos = argInfosOf(copyModule(ir::makeInt(8)));
        QVERIFY2(infos, infos ? "" : infos.error().toString().c_str());
        QCOMPARE(infos->size(), std::size_t{3});
        QCOMPARE((*infos)[1], (ArgInfo{"float32", {8}, false}));
        QCOMPARE((*infos)[2], (ArgInfo{"float32", {16, 4}, true}));
        const auto symbolic = argInfosOf(copyModule(ir::Expr(ir::makeVar("n"))));
        QVERIFY(!symbolic);
        QVERIFY(symbolic.error().message.find("(A) has a symbolic extent") != std::string::npos);
        QVERIFY(!argInfosOf(ir::Module()));
    }

    void checksNumbers() {
        const std::vector<ArgInfo> args{{"float32", {64}, false}, {"float32", {64}, true}};
        auto reference = NumericCheck::makeArguments(args, 5);
        QVERIFY(reference);
        QVERIFY(std::isnan((*reference)[1].valueAt(0)));
        for (std::int64_t i = 0; i < 64; ++i)
            (*reference)[1].setValueAt(i, (*reference)[0].valueAt(i) * 2);
        std::string right(static_cast<const char*>((*reference)[1].data()), 256);
        const NumericCheck check(args, 5, std::move(*reference), 1);
        QVERIFY(check.compare({right}).passed);
        std::string wrong = right;
        wrong[3] = static_cast<char>(wrong[3] ^ 1);
        const auto verdict = check.compare({wrong});
        QVERIFY(!verdict.passed);
        QVERIFY(verdict.message.starts_with("argument 1: 1 of 64"));
        QVERIFY(!check.compare({right.substr(4)}).passed);
        QVERIFY(!check.compare({}).passed);
        const runtime::ElementType float32{};
        QVERIFY(relativeTolerance(float32, 512) < 5e-5);
        QVERIFY(relativeTolerance(float32, 1) > 1e-6);
        QCOMPARE(relativeTolerance({runtime::TypeCode::Int, 32}, 512), 0.0);
    }

    void listsKinds() {
        QCOMPARE(builtinRunners().create("local", {})->kind(), std::string("local"));
        QCOMPARE(builtinRunners().create("rpc", {})->kind(), std::string("rpc"));
        QVERIFY(refusal([] {
                    static_cast<void>(builtinBuilders().create("cloud", {}));
                }).find("accepted: local") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(SettingsTest)
#include "settings_test.moc"
