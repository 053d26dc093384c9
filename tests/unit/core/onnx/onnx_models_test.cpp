// SPDX-License-Identifier: Apache-2.0
// Real files: ONNX's own node tests, and three models whose outputs are known.
#include <onnx/onnx_pb.h>

#include <tilewright/base/diagnostic.h>
#include <tilewright/graph/compile_model.h>
#include <tilewright/graph/evaluate.h>
#include <tilewright/graph/extract_tasks.h>
#include <tilewright/graph/model_library.h>
#include <tilewright/ir/printer.h>
#include <tilewright/onnx/import_model.h>
#include <tilewright/target/host.h>

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <cmath>
#include <cstring>
#include <fstream>

using namespace tilewright;
namespace reader = tilewright::onnx; // beside the protobuf classes in ::onnx
using graph::NumericTensor;

namespace {

QString sharedFolder() {
    const QString fromEnvironment = qEnvironmentVariable("TW_SHARED");
    return fromEnvironment.isEmpty() ? QStringLiteral(TW_SOURCE_DIR "/../shared") : fromEnvironment;
}

NumericTensor pseudoRandom(const graph::TensorType& type, std::uint32_t seed) {
    NumericTensor out(type);
    std::uint32_t x = seed * 2654435761U + 12345U;
    for (std::int64_t i = 0; i < out.size(); ++i) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        out.set(i, static_cast<float>(x / 2147483648.0 - 1.0));
    }
    return out;
}

/// Reads a test tensor by way of a model whose only node is a Constant.
std::optional<NumericTensor> readTensor(const QString& path) {
    std::ifstream file(path.toStdString(), std::ios::binary);
    ::onnx::TensorProto tensor;
    if (!tensor.ParseFromIstream(&file))
        return std::nullopt;
    ::onnx::ModelProto model;
    model.set_ir_version(8);
    model.add_opset_import()->set_version(13);
    auto* node = model.mutable_graph()->add_node();
    node->set_op_type("Constant");
    node->add_output("y");
    auto* attribute = node->add_attribute();
    attribute->set_name("value");
    attribute->set_type(::onnx::AttributeProto::TENSOR);
    *attribute->mutable_t() = tensor;
    model.mutable_graph()->add_output()->set_name("y");
    const auto report = reader::importModelBytes(model.SerializeAsString(), path.toStdString());
    if (!report.skipped.empty())
        return std::nullopt;
    return graph::evaluateGraph(report.graph, {}).front();
}

double worstError(const NumericTensor& y, const NumericTensor& r) {
    if (y.type != r.type)
        return INFINITY;
    double squares = 0;
    for (std::int64_t i = 0; i < r.size(); ++i)
        squares += std::isfinite(r.real(i)) ? r.real(i) * r.real(i) : 0;
    const double rms = std::sqrt(squares / std::max<double>(1, double(r.size())));
    double worst = 0;
    for (std::int64_t i = 0; i < r.size(); ++i) {
        const double a = static_cast<float>(y.real(i));
        const double b = static_cast<float>(r.real(i));
        if (a == b || (std::isnan(a) && std::isnan(b)))
            continue;
        const double error = std::fabs(a - b) / (std::fabs(b) + rms);
        worst = std::isnan(error) ? INFINITY : std::max(worst, error);
    }
    return worst;
}

/// Compiles without schedules, loads, runs. The error says what went wrong.
base::Result<std::vector<NumericTensor>, std::string>
compileAndRun(const graph::Extraction& extraction, const std::vector<NumericTensor>& numbers) {
    graph::ModelSource source{&extraction, {}, "naive"};
    for (const auto& task : extraction.tasks)
        source.schedules.push_back(task.module);
    const auto bytes = graph::compileModel(source, target::hostTarget());
    if (!bytes)
        return base::Unexpected(bytes.error().toString());
    const QTemporaryDir scratch;
    const std::string path = scratch.filePath("model.so").toStdString();
    std::ofstream(path, std::ios::binary) << *bytes;
    auto model = graph::ModelLibrary::open(path);
    if (!model)
        return base::Unexpected(model.error().toString());
    std::vector<runtime::Tensor> inputs;
    for (const NumericTensor& number : numbers) {
        const auto type = runtime::parseElementType(graph::toString(number.type.dtype));
        inputs.push_back(std::move(*runtime::Tensor::allocate(*type, number.type.shape)));
        for (std::int64_t i = 0; i < number.size(); ++i)
            inputs.back().setValueAt(i, number.real(i));
    }
    runtime::KernelPool pool(1);
    auto outputs = std::move(*model->makeOutputs());
    auto timed = std::move(*model->makeOutputs());
    std::vector<double> seconds;
    if (!model->checkInputs(inputs) || !model->run(inputs, outputs, pool) ||
        !model->runTimed(inputs, timed, pool, seconds))
        return base::Unexpected(std::string("it does not run"));
    std::vector<NumericTensor> results;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        results.emplace_back(model->plan().outputs[i].type);
        for (std::int64_t k = 0; k < results.back().size(); ++k) {
            results.back().set(k, outputs[i].valueAt(k));
            const double other = timed[i].valueAt(k);
            if (other != outputs[i].valueAt(k) && !std::isnan(other))
                return base::Unexpected(std::string("call by call it gives something else"));
        }
    }
    return results;
}

void listTasks(const graph::Extraction& extraction) {
    std::fputs(graph::toString(extraction.graph).c_str(), stdout);
    for (const auto& task : extraction.tasks) {
        std::printf("%s x%d flop %.3g bytes %lld\n", task.name.c_str(), task.weight, task.flop,
                    static_cast<long long>(task.bytes));
        std::fputs(ir::print(task.module).c_str(), stdout);
    }
    std::printf("%zu tasks, %zu steps\n", extraction.tasks.size(), extraction.steps.size());
}

} // namespace

class OnnxModelsTest : public QObject {
    Q_OBJECT

private slots:
    void knownModels_data();
    void knownModels();
    void nodeTests();
    void compiledModels_data() { knownModels_data(); }
    void compiledModels();
    void compiledNodeTests();
};

void OnnxModelsTest::knownModels_data() {
    QTest::addColumn<QString>("file");
    for (const char* name :
         {"speech_embedding.onnx", "ppocrv4_rec.onnx", "blazeface_front_128.onnx"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void OnnxModelsTest::knownModels() {
    QFETCH(QString, file);
    const QString folder = sharedFolder() + "/models/";
    QFile expectedFile(folder + "expected.json");
    if (!expectedFile.open(QIODevice::ReadOnly))
        QSKIP("the models are not here");
    const QJsonObject expected =
        QJsonDocument::fromJson(expectedFile.readAll()).object().value(file).toObject();
    reader::ImportOptions options;
    const QJsonObject shapes = expected.value("inputs").toObject();
    for (const QString& name : shapes.keys())
        for (const auto& extent : shapes.value(name).toArray())
            options.shapes[name.toStdString()].push_back(extent.toInt());
    const auto report = reader::importModel((folder + file).toStdString(), options);
    for (const auto& skipped : report.skipped)
        qWarning() << skipped.node.c_str() << skipped.op.c_str() << skipped.reason.c_str();
    QVERIFY(report.skipped.empty());
    std::vector<NumericTensor> inputs;
    for (const auto id : report.graph.inputs)
        inputs.push_back(pseudoRandom(report.graph.value(id).type,
                                      static_cast<std::uint32_t>(inputs.size() + 1)));
    const auto outputs = graph::evaluateGraph(report.graph, inputs);
    const auto extraction = graph::extractTasks(report.graph);
    for (const auto& skipped : extraction.skipped)
        qWarning() << skipped.node.c_str() << skipped.op.c_str() << skipped.reason.c_str();
    QVERIFY(extraction.skipped.empty());
    if (qEnvironmentVariableIsSet("TW_LIST_TASKS"))
        listTasks(extraction);
    const auto prepared = graph::evaluateGraph(extraction.graph, inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        QVERIFY(worstError(prepared[i], outputs[i]) < 1e-4);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const QJsonObject want = expected.value("outputs")
                                     .toObject()
                                     .value(QString::fromStdString(report.graph.outputNames[i]))
                                     .toObject();
        double sum = 0;
        double magnitude = 0;
        for (std::int64_t k = 0; k < outputs[i].size(); ++k) {
            sum += outputs[i].real(k);
            magnitude += std::fabs(outputs[i].real(k));
        }
        const double scale = want.value("abs").toDouble();
        QVERIFY(scale > 0);
        QVERIFY(std::fabs(sum - want.value("sum").toDouble()) < 1e-4 * scale);
        QVERIFY(std::fabs(magnitude - scale) < 1e-4 * scale);
        const QJsonArray first = want.value("first").toArray();
        for (int k = 0; k < first.size(); ++k)
            QVERIFY(std::fabs(outputs[i].real(k) - first[k].toDouble()) <
                    1e-3 * (std::fabs(first[k].toDouble()) + 1e-3));
    }
}

/// Every node test whose operator we know has to give the recorded outputs.
void OnnxModelsTest::nodeTests() {
    const QDir root("/usr/share/libonnx-testdata/data");
    if (!root.exists())
        QSKIP("libonnx-testdata is not installed");
    int right = 0;
    int unsupported = 0;
    QStringList wrong;
    QStringList refused;
    for (const QString group : {"node", "pytorch-converted", "pytorch-operator", "simple"})
        for (const QString& name :
             QDir(root.filePath(group)).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QDir test(root.filePath(group + "/" + name));
            if (name.contains("BFLOAT16"))
                continue; // the recorded tensors are of another type than the model says
            const QDir set(test.filePath("test_data_set_0"));
            try {
                const auto report = reader::importModel(test.filePath("model.onnx").toStdString());
                if (!report.skipped.empty()) {
                    ++unsupported;
                    refused << name + ": " + report.skipped[0].reason.c_str();
                    continue;
                }
                std::vector<NumericTensor> inputs;
                for (std::size_t i = 0; i < report.graph.inputs.size(); ++i)
                    inputs.push_back(
                        readTensor(set.filePath(QString("input_%1.pb").arg(i))).value());
                const auto outputs = graph::evaluateGraph(report.graph, inputs);
                double error = 0;
                for (std::size_t i = 0; i < outputs.size(); ++i)
                    error = std::max(
                        error,
                        worstError(
                            outputs[i],
                            readTensor(set.filePath(QString("output_%1.pb").arg(i))).value()));
                if (error < 1e-3)
                    ++right;
                else
                    wrong << QString("%1: error %2").arg(name).arg(error);
            } catch (const base::UserError& problem) {
                ++unsupported;
                refused << name + ": " + problem.what();
            } catch (const std::exception& problem) {
                wrong << name + ": " + problem.what();
            }
        }
    qInfo() << right << "right," << unsupported << "not supported," << wrong.size() << "wrong";
    for (const QString& line : wrong)
        qWarning() << qPrintable(line);
    if (qEnvironmentVariableIsSet("TW_LIST_REFUSED"))
        for (const QString& line : refused)
            qInfo() << qPrintable(line);
    QVERIFY(wrong.isEmpty());
    QVERIFY(right > 500);
}

/// The whole way to machine code: every kernel as imported, without a schedule.
void OnnxModelsTest::compiledModels() {
    QFETCH(QString, file);
    const QString folder = sharedFolder() + "/models/";
    QFile expectedFile(folder + "expected.json");
    if (!expectedFile.open(QIODevice::ReadOnly))
        QSKIP("the models are not here");
    const QJsonObject expected =
        QJsonDocument::fromJson(expectedFile.readAll()).object().value(file).toObject();
    reader::ImportOptions options;
    const QJsonObject shapes = expected.value("inputs").toObject();
    for (const QString& name : shapes.keys())
        for (const auto& extent : shapes.value(name).toArray())
            options.shapes[name.toStdString()].push_back(extent.toInt());
    const auto report = reader::importModel((folder + file).toStdString(), options);
    const auto extraction = graph::extractTasks(report.graph);
    std::vector<NumericTensor> inputs;
    for (const auto id : report.graph.inputs)
        inputs.push_back(pseudoRandom(report.graph.value(id).type,
                                      static_cast<std::uint32_t>(inputs.size() + 1)));
    const auto outputs = compileAndRun(extraction, inputs);
    if (!outputs)
        QFAIL(outputs.error().c_str());
    const auto wanted = graph::evaluateGraph(report.graph, inputs);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double error = worstError((*outputs)[i], wanted[i]);
        qInfo() << file << "output" << i << "error" << error;
        QVERIFY(error < 1e-3);
    }
}

/// The node tests again, as machine code.
void OnnxModelsTest::compiledNodeTests() {
    const QDir root("/usr/share/libonnx-testdata/data");
    if (!root.exists())
        QSKIP("libonnx-testdata is not installed");
    int right = 0;
    QStringList wrong;
    QStringList refused;
    for (const QString group : {"node", "pytorch-operator", "simple"})
        for (const QString& name :
             QDir(root.filePath(group)).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QDir test(root.filePath(group + "/" + name));
            const QDir set(test.filePath("test_data_set_0"));
            try {
                const auto report = reader::importModel(test.filePath("model.onnx").toStdString());
                if (!report.skipped.empty() || name.contains("BFLOAT16"))
                    continue;
                const auto extraction = graph::extractTasks(report.graph);
                if (!extraction.skipped.empty()) {
                    refused << name + ": " + extraction.skipped[0].reason.c_str();
                    continue;
                }
                std::vector<NumericTensor> inputs;
                for (std::size_t i = 0; i < report.graph.inputs.size(); ++i)
                    inputs.push_back(
                        readTensor(set.filePath(QString("input_%1.pb").arg(i))).value());
                const auto outputs = compileAndRun(extraction, inputs);
                if (!outputs) {
                    refused << name + ": " + outputs.error().c_str();
                    continue;
                }
                const auto wanted = graph::evaluateGraph(report.graph, inputs);
                double error = 0;
                for (std::size_t i = 0; i < wanted.size(); ++i)
                    error = std::max(error, worstError((*outputs)[i], wanted[i]));
                if (error < 1e-3)
                    ++right;
                else
                    wrong << QString("%1: error %2").arg(name).arg(error);
            } catch (const base::UserError&) {
                // The reader's own tests name what it refuses.
            } catch (const std::exception& problem) {
                wrong << name + ": " + problem.what();
            }
        }
    qInfo() << right << "right," << refused.size() << "without code," << wrong.size() << "wrong";
    for (const QString& line : wrong + refused)
        qWarning() << qPrintable(line);
    QVERIFY(wrong.isEmpty());
    QVERIFY(right > 300);
}

QTEST_GUILESS_MAIN(OnnxModelsTest)
#include "onnx_models_test.moc"
