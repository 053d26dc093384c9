// SPDX-License-Identifier: Apache-2.0
// Operators as TensorIR compute what their plain references compute, on small shapes.
#include <tilewright/base/diagnostic.h>
#include <tilewright/interp/interpreter.h>
#include <tilewright/ir/printer.h>
#include <tilewright/measure/arg_info.h>
#include <tilewright/measure/pack_argument.h>
#include <tilewright/op/operator.h>
#include <tilewright/op/suite.h>

#include <QtTest/QTest>

#include <algorithm>
#include <cstring>

using namespace tilewright;

namespace {

runtime::Tensor tensorOf(const op::Shape& shape, const std::vector<float>& values) {
    auto tensor = runtime::Tensor::allocate(*runtime::parseElementType("float32"), shape);
    std::memcpy(tensor->data(), values.data(), values.size() * sizeof(float));
    return std::move(*tensor);
}

/// Interprets an operator on the suite's inputs; the largest error against the reference.
double errorOf(const op::SuiteOperator& op) {
    const op::Operator program = op::buildSuite(op);
    const auto args = measure::argInfosOf(program.module);
    std::vector<std::vector<float>> inputs;
    std::vector<runtime::Tensor> tensors;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        inputs.push_back(op::suiteInput(op, i));
        runtime::Tensor tensor = tensorOf(op.inputs[i], inputs.back());
        for (const op::ParamPacking& packing : program.packings)
            if (packing.param == i)
                tensor = measure::packTensor(tensor, packing.map, (*args)[i].shape);
        tensors.push_back(std::move(tensor));
    }
    const std::vector<double> reference = op::suiteReference(op, inputs);
    tensors.push_back(tensorOf(op.output, std::vector<float>(reference.size(), -7.0F)));
    std::vector<runtime::Tensor*> pointers;
    for (runtime::Tensor& tensor : tensors)
        pointers.push_back(&tensor);
    interp::run(program.module.find("main"), pointers);
    return op::maxRelativeError(tensors.back().as<float>(), reference);
}

/// A suite operator of the same kind with smaller extents.
op::SuiteOperator shrunk(op::SuiteOperator op) {
    const auto small = [](std::int64_t value, std::int64_t limit) {
        return std::min(value, limit);
    };
    if (op.kind == "gemm" || op.kind == "mbg" || op.kind == "bmm" || op.kind == "tbg") {
        op.batch = small(op.batch, 2);
        op.m = small(op.m, 6);
        op.n = op.kind == "tbg" ? op.m : small(op.n, 10);
        op.k = small(op.k, 7);
        if (op.kind == "tbg") {
            op.inputs = {{1, op.m, op.batch, op.k}, {1, op.m, op.batch, op.k}};
            op.output = {1, op.batch, op.m, op.m};
        } else if (op.kind == "bmm") {
            op.inputs = {{op.batch, op.m, op.k}, {op.batch, op.k, op.n}};
            op.output = {op.batch, op.m, op.n};
        } else {
            op.inputs[0] = {op.m, op.k};
            op.inputs[1] = {op.k, op.n};
            if (op.kind == "mbg")
                op.inputs[2] = {op.n};
            op.output = {op.m, op.n};
        }
        return op;
    }
    if (op.rows > 0) {
        op.rows = small(op.rows, 5);
        op.cols = small(op.cols, 9);
        for (op::Shape& shape : op.inputs)
            for (std::int64_t& extent : shape)
                extent = extent == 1 ? 1 : shape.size() == 1 ? op.cols : 0;
        for (op::Shape& shape : op.inputs)
            if (shape.size() > 1) {
                shape[shape.size() - 2] = op.rows;
                shape[shape.size() - 1] = op.cols;
            }
        if (op.kind == "sumrows")
            op.output = {op.rows};
        else if (op.kind == "sumcols")
            op.output = {op.cols};
        else if (op.kind != "l2norm")
            op.output = {op.rows, op.cols};
        return op;
    }
    // Convolutions and pools: fewer channels, smaller images, the same window.
    const std::int64_t channels = op.groups > 4 ? 4 : op.groups > 1 ? 2 * op.groups : 3;
    op.groups = op.groups > 4 ? 4 : op.groups;
    op.inChannels = channels;
    op.outChannels = op.groups > 1 || op.kind == "maxpool" || op.kind == "avgpool" ? channels : 16;
    for (std::size_t i = 0; i < op.extent.size(); ++i) {
        op.extent[i] = small(op.extent[i], 6);
        op.inputs[0][i + 2] = op.extent[i];
        op.output[i + 2] = op.kind == "deconv"
                               ? (op.extent[i] - 1) * op.window.strides[i] -
                                     2 * op.window.padBefore[i] + op.window.kernel[i]
                               : op.window.outputExtent(i, op.extent[i]);
    }
    op.inputs[0][1] = op.inChannels;
    op.output[1] = op.outChannels;
    if (op.inputs.size() > 1) {
        op.inputs[1][0] = op.kind == "deconv" ? op.inChannels : op.outChannels;
        op.inputs[1][1] = op.kind == "deconv" ? op.outChannels : op.inChannels / op.groups;
    }
    for (std::size_t i = 2; i < op.inputs.size(); ++i)
        op.inputs[i] = {op.outChannels};
    return op;
}

} // namespace

class SuiteTest : public QObject {
    Q_OBJECT

private slots:
    void everyOperatorComputesItsReference_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < op::suite().size(); ++i)
            QTest::newRow(op::suite()[i].name.c_str()) << static_cast<int>(i);
    }
    void everyOperatorComputesItsReference() {
        QFETCH(int, index);
        const op::SuiteOperator op = shrunk(op::suite()[static_cast<std::size_t>(index)]);
        const double error = errorOf(op);
        QVERIFY2(error < 1e-4, qPrintable(QString::number(error)));
    }

    void globsSelectInSuiteOrder() {
        const auto selected = op::selectSuite("sfm_*,gmm_512*");
        QCOMPARE(selected.front().name, std::string("gmm_512x512x512"));
        QCOMPARE(selected.size(), std::size_t{4});
        QVERIFY_EXCEPTION_THROWN(op::selectSuite("gmm_*,nosuch"), base::UserError);
    }

    void namedOperatorsBuildWithTheirDefaults() {
        for (const op::NamedOperator& op : op::namedOperators()) {
            const op::Operator program = op::buildNamed(op.name);
            QVERIFY2(program.module.find("main"), op.name.c_str());
        }
    }

    void wrongParametersAreNamed() {
        for (const char* text : {"NOSUCH", "GMM:q=1", "GMM:n=0", "GMM:n=x", "GMM:dtype=what",
                                 "C2D:h=2,w=2,kernel=5,pad=0"}) {
            try {
                op::buildNamed(text);
                QFAIL(text);
            } catch (const base::UserError& error) {
                QVERIFY(!error.diagnostic().message.empty());
            }
        }
    }

    void matmulPrintsAsPublished() {
        const std::string text = ir::print(op::buildNamed("MATMUL:n=4,m=6,k=5").module);
        QVERIFY2(text.find("for i, j, k in T.grid(4, 6, 5):") != std::string::npos, text.c_str());
        QVERIFY2(text.find("C[v_i, v_j] = C[v_i, v_j] + A[v_i, v_k] * B[v_k, v_j]") !=
                     std::string::npos,
                 text.c_str());
        QVERIFY(text.find("\"layout_free_buffers\": [1]") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(SuiteTest)
#include "suite_test.moc"
