// SPDX-License-Identifier: Apache-2.0
// What TVM's schedules mean: every scheduled script gives what its workload gives.
#include <tilewright/base/diagnostic.h>
#include <tilewright/base/random_state.h>
#include <tilewright/interp/interpreter.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/parser.h>
#include <tilewright/json/line_reader.h>
#include <tilewright/json/parse.h>

#include <QtTest/QTest>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

using namespace tilewright;

namespace {

std::filesystem::path collection() {
    const char* named = std::getenv("TW_SHARED");
    return named ? std::filesystem::path(named)
                 : std::filesystem::path(TW_SOURCE_DIR).parent_path() / "shared";
}

constexpr std::int64_t kMaxIterations = 400000;

/// Arguments for a function of static shapes, filled alike each time; empty when it has none such.
std::vector<runtime::Tensor> makeArguments(const ir::PrimFunc& function) {
    std::vector<runtime::Tensor> out;
    std::uint64_t seed = 12345;
    for (const ir::Param& param : function->params) {
        if (!param.buffer)
            return {};
        runtime::TensorShape shape;
        for (const ir::Expr& extent : param.buffer->shape) {
            const auto value = ir::constInt(extent);
            if (!value)
                return {};
            shape.push_back(*value);
        }
        const auto type = runtime::parseElementType(toString(param.buffer->dtype));
        if (!type)
            return {};
        auto tensor = runtime::Tensor::allocate(*type, shape);
        for (std::int64_t i = 0; i < tensor->elements(); ++i) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            const auto value = static_cast<double>(seed >> 40 & 0xff) / 64.0 - 2.0;
            tensor->setValueAt(i, type->isFloating() ? value : std::trunc(value * 2 + 5));
        }
        out.push_back(std::move(*tensor));
    }
    return out;
}

/// Runs a function; the arguments afterwards, or nothing when it is not interpreted.
std::vector<runtime::Tensor> outcome(const ir::PrimFunc& function, std::string& reason) {
    std::vector<runtime::Tensor> tensors = makeArguments(function);
    std::vector<runtime::Tensor*> pointers;
    for (runtime::Tensor& tensor : tensors)
        pointers.push_back(&tensor);
    try {
        interp::run(function, pointers, {}, {kMaxIterations});
    } catch (const base::UserError& error) {
        reason = error.what();
        return {};
    }
    return tensors;
}

double worstError(const std::vector<runtime::Tensor>& a, const std::vector<runtime::Tensor>& b) {
    double worst = 0;
    for (std::size_t t = 0; t < a.size(); ++t) {
        for (std::int64_t i = 0; i < a[t].elements(); ++i) {
            const double x = a[t].valueAt(i);
            const double y = b[t].valueAt(i);
            if (x == y || (std::isnan(x) && std::isnan(y)))
                continue;
            worst = std::max(worst, std::abs(x - y) / (1 + std::abs(x)));
        }
    }
    return worst;
}

} // namespace

class TvmSemanticsTest : public QObject {
    Q_OBJECT
private slots:
    void schedulesKeepTheMeaning() {
        const auto folder = collection() / "conformance";
        if (!std::filesystem::exists(folder))
            QSKIP("the collection is not present");
        std::map<std::string, std::vector<runtime::Tensor>> references;
        std::map<std::string, ir::PrimFunc> functions;
        json::LineReader workloads(folder / "workloads.jsonl");
        while (workloads.next()) {
            const json::Value entry = json::parse(workloads.line());
            const ir::Module module = ir::parseModule(entry.at("script").asString());
            std::string reason;
            const std::string name = entry.at("name").asString();
            functions[name] = module.find(module.entryName());
            references[name] = outcome(functions[name], reason);
        }
        int same = 0;
        int skipped = 0;
        std::vector<std::string> wrong;
        const auto only = qEnvironmentVariable("TW_CASE").toStdString();
        json::LineReader cases(folder / "primitives.jsonl");
        while (cases.next()) {
            const json::Value entry = json::parse(cases.line());
            const std::string name = entry.at("name").asString();
            if (entry.at("expect").asString() != "ok" || (!only.empty() && name != only))
                continue;
            // These change the meaning on purpose.
            const std::string kind = entry.at("kind").asString();
            if (kind == "UnsafeSetDType" || kind == "UnsafeHideBufferAccess")
                continue;
            const auto& reference = references[entry.at("workload").asString()];
            const ir::Module module = ir::parseModule(entry.at("script").asString());
            std::string reason;
            const auto after = outcome(module.find(module.entryName()), reason);
            if (reference.empty() || after.size() != reference.size()) {
                ++skipped;
                if (reason.find("outside") != std::string::npos)
                    wrong.push_back(name + ": " + reason);
                continue;
            }
            bool sameShapes = true;
            for (std::size_t i = 0; i < after.size(); ++i)
                sameShapes = sameShapes && after[i].shape() == reference[i].shape();
            if (!sameShapes) {
                ++skipped; // A layout was changed at the interface.
                continue;
            }
            const double error = worstError(reference, after);
            if (error < 2e-3)
                ++same;
            else
                wrong.push_back(name + ": " + std::to_string(error));
        }
        qInfo("%d schedules keep the meaning, %d are not interpreted, %zu differ", same, skipped,
              wrong.size());
        for (const std::string& text : wrong)
            qInfo("%s", text.c_str());
        QVERIFY(only.empty() ? same > 500 : true);
        // TVM's loop partition, fused epilogues, disabled predicates and reindexed reads change the
        // meaning in these.
        QVERIFY(wrong.size() <= 14);
    }
};

QTEST_GUILESS_MAIN(TvmSemanticsTest)
#include "tvm_semantics_test.moc"
