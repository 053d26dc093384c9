// SPDX-License-Identifier: Apache-2.0
#include "loaded_kernel.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/parser.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/runtime/tensor_compare.h>
#include <tilewright/runtime/tensor_fill.h>
#include <tilewright/target/host.h>

#include <QtTest/QTest>

#include <fstream>
#include <map>

namespace {

using namespace tilewright;

/// Compiles a module and runs it on fixed arguments; gives all of them back.
std::vector<runtime::Tensor> outcome(const ir::Module& module) {
    const auto object = codegen::compileModule(module, target::hostTarget(), {});
    if (!object)
        throw std::runtime_error(object.error().toString());
    std::vector<runtime::Tensor> tensors;
    std::uint64_t seed = 1;
    for (const ir::Param& param : module.find(module.entryName())->params) {
        runtime::TensorShape shape;
        for (const ir::Expr& extent : param.buffer->shape)
            shape.push_back(ir::constInt(extent).value());
        const auto type = runtime::parseElementType(ir::toString(param.buffer->dtype)).value();
        tensors.push_back(std::move(*runtime::Tensor::allocate(type, shape)));
        runtime::fillTensor(tensors.back(), runtime::checkFill(type, seed++));
    }
    std::vector<void*> data;
    for (runtime::Tensor& tensor : tensors)
        data.push_back(tensor.data());
    test::LoadedKernel kernel(*object);
    if (kernel.run(data) != 0)
        throw std::runtime_error("kernel failed");
    return tensors;
}

class ScheduledModulesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        const char* stated = std::getenv("TW_SHARED");
        folder_ = (stated ? std::string(stated) : std::string(TW_SOURCE_DIR) + "/../shared") +
                  "/conformance/";
        if (!std::ifstream(folder_ + "workloads.jsonl"))
            QSKIP("no ../shared");
        forEachCase("workloads", [&](const json::Value& c) {
            workloads_[c.at("name").asString()] = c.at("script").asString();
        });
    }

    void featuresModules() { compareAll("features", "script"); }
    void postprocessedModules() { compareAll("postprocs", "script_after"); }

private:
    void forEachCase(const std::string& file, const std::function<void(const json::Value&)>& use) {
        std::ifstream stream(folder_ + file + ".jsonl");
        std::string line;
        while (std::getline(stream, line))
            use(json::parse(line, file));
    }

    void compareAll(const std::string& file, const char* key) {
        int checked = 0;
        int wrong = 0;
        std::map<std::string, std::vector<runtime::Tensor>> references;
        forEachCase(file, [&](const json::Value& c) {
            const json::Value* script = c.find(key);
            const std::string name = c.at("name").asString();
            const std::string target =
                c.find("target_name") ? c.at("target_name").asString() : "llvm";
            if (!script || !script->isString() || (target != "llvm" && target != "avx512"))
                return;
            // TVM's own schedule of this one accumulates a sum several times.
            if (name.find("attention_1h") != std::string::npos)
                return;
            const std::string workload = c.at("workload").asString();
            try {
                if (!references.contains(workload))
                    references[workload] = outcome(ir::parseModule(workloads_.at(workload)));
                const auto actual = outcome(ir::parseModule(script->asString()));
                ++checked;
                for (std::size_t i = 0; i < actual.size(); ++i) {
                    const auto comparison =
                        runtime::compareTensors(actual[i], references[workload][i], {2e-4, 2e-5});
                    if (comparison.equal)
                        continue;
                    ++wrong;
                    qWarning("%s: argument %zu: %s", name.c_str(), i, comparison.message.c_str());
                    break;
                }
            } catch (const std::exception& error) {
                ++wrong;
                qWarning("%s: %s", name.c_str(), error.what());
            }
        });
        qInfo("%s: %d modules compared", file.c_str(), checked);
        QCOMPARE(wrong, 0);
        QVERIFY(checked > 20);
    }

    std::string folder_;
    std::map<std::string, std::string> workloads_;
};

} // namespace

QTEST_GUILESS_MAIN(ScheduledModulesTest)
#include "scheduled_modules_test.moc"
