// SPDX-License-Identifier: Apache-2.0
#include <onnx/onnx_pb.h>

#include <tilewright/base/diagnostic.h>
#include <tilewright/base/random_state.h>
#include <tilewright/graph/evaluate.h>
#include <tilewright/onnx/import_model.h>

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <cstring>

using namespace tilewright;
namespace reader = tilewright::onnx; // beside the protobuf classes in ::onnx

namespace {

::onnx::ModelProto emptyModel(int opset = 13) {
    ::onnx::ModelProto model;
    model.set_ir_version(7);
    model.add_opset_import()->set_version(opset);
    model.mutable_graph()->set_name("g");
    return model;
}

void addInput(::onnx::ModelProto& model, const char* name, std::vector<std::string> dims) {
    auto* input = model.mutable_graph()->add_input();
    input->set_name(name);
    auto* type = input->mutable_type()->mutable_tensor_type();
    type->set_elem_type(::onnx::TensorProto::FLOAT);
    for (const std::string& dim : dims) {
        auto* added = type->mutable_shape()->add_dim();
        if (dim.find_first_not_of("0123456789") == std::string::npos)
            added->set_dim_value(std::stoi(dim));
        else
            added->set_dim_param(dim);
    }
}

::onnx::NodeProto* addNode(::onnx::ModelProto& model, const char* op,
                           std::vector<const char*> inputs, const char* output) {
    auto* node = model.mutable_graph()->add_node();
    node->set_op_type(op);
    node->set_name(std::string("n_") + output);
    for (const char* input : inputs)
        node->add_input(input);
    node->add_output(output);
    return node;
}

/// x [N, 3] → Relu → Mul by a weight → y.
::onnx::ModelProto smallModel() {
    auto model = emptyModel();
    addInput(model, "x", {"N", "3"});
    auto* weight = model.mutable_graph()->add_initializer();
    weight->set_name("w");
    weight->set_data_type(::onnx::TensorProto::FLOAT);
    weight->add_dims(3);
    for (const float v : {1.0F, 2.0F, 3.0F})
        weight->add_float_data(v);
    addNode(model, "Relu", {"x"}, "r");
    addNode(model, "Mul", {"r", "w"}, "y");
    model.mutable_graph()->add_output()->set_name("y");
    return model;
}

std::string kindOf(const std::string& bytes, const reader::ImportOptions& options = {}) {
    try {
        (void)reader::importModelBytes(bytes, "m.onnx", options);
    } catch (const base::UserError& error) {
        return error.diagnostic().kind;
    }
    return "none";
}

} // namespace

class OnnxImportTest : public QObject {
    Q_OBJECT

private slots:
    void bindsSymbolicShape();
    void namesMissingShape();
    void refusesContradictions();
    void refusesDamage();
    void foldsShapeArithmetic();
    void namesUnknownOperatorAndGoesOn();
    void keepsMalformedNodesFromOnnx();
    void infersBehindForeignOperators();
    void readsExternalData();
    void survivesRandomDamage();
};

void OnnxImportTest::bindsSymbolicShape() {
    const auto report =
        reader::importModelBytes(smallModel().SerializeAsString(), "m.onnx", {{{"x", {2, 3}}}});
    QVERIFY(report.skipped.empty());
    const auto& graph = report.graph;
    QCOMPARE(graph.value(graph.outputs[0]).type.shape, (graph::Dims{2, 3}));
    graph::NumericTensor x(graph.value(graph.inputs[0]).type);
    x.reals = {1, -1, 2, 3, 4, -5};
    QCOMPARE(graph::evaluateGraph(graph, {x})[0].reals, (std::vector<double>{1, 0, 6, 3, 8, 0}));
}

void OnnxImportTest::namesMissingShape() {
    try {
        (void)reader::importModelBytes(smallModel().SerializeAsString(), "m.onnx");
        QFAIL("no error");
    } catch (const base::UserError& error) {
        QCOMPARE(error.diagnostic().kind, std::string("missing-shape"));
        const std::string text = error.what();
        QVERIFY(text.find("m.onnx") == 0);
        QVERIFY(text.find("\"x\"") != std::string::npos);
        QVERIFY(text.find("N") != std::string::npos);
        QVERIFY(text.find('\n') == std::string::npos);
    }
}

void OnnxImportTest::refusesContradictions() {
    const std::string bytes = smallModel().SerializeAsString();
    QCOMPARE(kindOf(bytes, {{{"x", {2, 4}}}}), std::string("shape-mismatch"));
    QCOMPARE(kindOf(bytes, {{{"x", {2}}}}), std::string("shape-mismatch"));
    QCOMPARE(kindOf(bytes, {{{"z", {2, 3}}}}), std::string("shape-mismatch"));
    QCOMPARE(kindOf(bytes, {{{"x", {-2, 3}}}}), std::string("shape-mismatch"));
}

void OnnxImportTest::refusesDamage() {
    const std::string bytes = smallModel().SerializeAsString();
    QCOMPARE(kindOf(""), std::string("not-a-model"));
    QCOMPARE(kindOf(bytes.substr(0, bytes.size() / 2)), std::string("not-a-model"));
    QCOMPARE(kindOf("import tvm\n"), std::string("not-a-model"));
    QCOMPARE(kindOf(std::string(1000, '\0')), std::string("not-a-model"));
    auto dangling = smallModel();
    dangling.mutable_graph()->mutable_node(1)->set_input(0, "nothing");
    QCOMPARE(kindOf(dangling.SerializeAsString(), {{{"x", {2, 3}}}}), std::string("not-a-model"));
    auto shortWeight = smallModel();
    shortWeight.mutable_graph()->mutable_initializer(0)->set_dims(0, 1000000000000);
    QCOMPARE(kindOf(shortWeight.SerializeAsString(), {{{"x", {2, 3}}}}),
             std::string("not-a-model"));
    QVERIFY_EXCEPTION_THROWN((void)reader::importModel("/no/such/file"), base::UserError);
    QVERIFY_EXCEPTION_THROWN((void)reader::importModel("/"), base::UserError);
}

void OnnxImportTest::foldsShapeArithmetic() {
    auto model = emptyModel();
    addInput(model, "x", {"2", "3", "4"});
    addNode(model, "Shape", {"x"}, "s");
    auto* index = model.mutable_graph()->add_initializer();
    index->set_name("i");
    index->set_data_type(::onnx::TensorProto::INT64);
    index->add_dims(1);
    index->add_int64_data(0);
    addNode(model, "Gather", {"s", "i"}, "b");
    auto* rest = model.mutable_graph()->add_initializer();
    rest->set_name("m");
    rest->set_data_type(::onnx::TensorProto::INT64);
    rest->add_dims(1);
    rest->add_int64_data(-1);
    auto* concat = addNode(model, "Concat", {"b", "m"}, "c");
    auto* axis = concat->add_attribute();
    axis->set_name("axis");
    axis->set_type(::onnx::AttributeProto::INT);
    axis->set_i(0);
    addNode(model, "Reshape", {"x", "c"}, "y");
    model.mutable_graph()->add_output()->set_name("y");
    const auto report = reader::importModelBytes(model.SerializeAsString(), "m.onnx");
    QCOMPARE(report.graph.nodes().size(), std::size_t(1));
    QCOMPARE(report.graph.value(report.graph.outputs[0]).type.shape, (graph::Dims{2, 12}));
}

void OnnxImportTest::namesUnknownOperatorAndGoesOn() {
    auto model = emptyModel();
    addInput(model, "x", {"2", "3"});
    addNode(model, "Relu", {"x"}, "a");
    addNode(model, "Hardmax", {"a"}, "b");
    addNode(model, "Exp", {"b"}, "y");
    model.mutable_graph()->add_output()->set_name("y");
    const auto report = reader::importModelBytes(model.SerializeAsString(), "m.onnx");
    QCOMPARE(report.skipped.size(), std::size_t(1));
    QCOMPARE(report.skipped[0].op, std::string("Hardmax"));
    QCOMPARE(report.skipped[0].node, std::string("n_b"));
    QVERIFY(report.graph.value(report.graph.outputs[0]).known);
}

/// ONNX's own inference divides by the stride and indexes by the rank unseen.
void OnnxImportTest::keepsMalformedNodesFromOnnx() {
    for (const bool zeroStride : {true, false}) {
        auto model = emptyModel();
        if (zeroStride)
            addInput(model, "x", {"1", "3", "8", "8"});
        else
            addInput(model, "x", {"3", "8"});
        auto* weight = model.mutable_graph()->add_initializer();
        weight->set_name("w");
        weight->set_data_type(::onnx::TensorProto::FLOAT);
        for (const int extent : {4, 3, 3, 3})
            weight->add_dims(extent);
        weight->mutable_raw_data()->assign(432, '\0');
        auto* conv = addNode(model, "Conv", {"x", "w"}, "c");
        if (zeroStride) {
            auto* strides = conv->add_attribute();
            strides->set_name("strides");
            strides->set_type(::onnx::AttributeProto::INTS);
            strides->add_ints(0);
            strides->add_ints(0);
        }
        addNode(model, "Frobnicate", {"x"}, "y");
        model.mutable_graph()->add_output()->set_name("c");
        model.mutable_graph()->add_output()->set_name("y");
        const auto report = reader::importModelBytes(model.SerializeAsString(), "m.onnx");
        QCOMPARE(report.skipped.size(), std::size_t(2));
        QCOMPARE(report.skipped[0].op, std::string("Conv"));
    }
}

/// Relu and Sigmoid are ours, Shrink is not: its type comes from ONNX, twice in one chain.
void OnnxImportTest::infersBehindForeignOperators() {
    auto model = emptyModel(18);
    addInput(model, "x", {"1", "3"});
    addNode(model, "Shrink", {"x"}, "a");
    addNode(model, "Relu", {"a"}, "b");
    addNode(model, "Shrink", {"b"}, "c");
    addNode(model, "Sigmoid", {"c"}, "y");
    model.mutable_graph()->add_output()->set_name("y");
    const auto report = reader::importModelBytes(model.SerializeAsString(), "m.onnx");
    QCOMPARE(report.skipped.size(), std::size_t(2));
    for (const auto& node : report.skipped)
        QCOMPARE(node.op, std::string("Shrink"));
}

void OnnxImportTest::readsExternalData() {
    const QTemporaryDir folder;
    auto model = smallModel();
    auto* weight = model.mutable_graph()->mutable_initializer(0);
    weight->clear_float_data();
    weight->set_data_location(::onnx::TensorProto::EXTERNAL);
    auto* location = weight->add_external_data();
    location->set_key("location");
    location->set_value("weights.bin");
    QFile data(folder.filePath("weights.bin"));
    QVERIFY(data.open(QIODevice::WriteOnly));
    const float values[3] = {5, 6, 7};
    data.write(reinterpret_cast<const char*>(values), sizeof values);
    data.close();
    const std::string path = folder.filePath("m.onnx").toStdString();
    const auto report =
        reader::importModelBytes(model.SerializeAsString(), path, {{{"x", {1, 3}}}});
    graph::NumericTensor x(report.graph.value(report.graph.inputs[0]).type);
    x.reals = {1, 1, 1};
    QCOMPARE(graph::evaluateGraph(report.graph, {x})[0].reals, (std::vector<double>{5, 6, 7}));
    location->set_value("../weights.bin");
    QCOMPARE(kindOf(model.SerializeAsString(), {{{"x", {1, 3}}}}), std::string("not-a-model"));
}

void OnnxImportTest::survivesRandomDamage() {
    const std::string good = smallModel().SerializeAsString();
    base::RandomState random(7);
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = good;
        const auto changes = random.sampleInt(1, 6);
        for (int k = 0; k < changes; ++k)
            bytes[static_cast<std::size_t>(
                random.sampleInt(0, static_cast<std::int64_t>(bytes.size())))] =
                static_cast<char>(random.sampleInt(0, 256));
        try {
            (void)reader::importModelBytes(bytes, "m.onnx", {{{"x", {2, 3}}}});
        } catch (const base::UserError&) {
        }
    }
}

QTEST_GUILESS_MAIN(OnnxImportTest)
#include "onnx_import_test.moc"
