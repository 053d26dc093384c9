// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/base/random_state.h>
#include <tilewright/graph/evaluate.h>
#include <tilewright/graph/execution_plan.h>
#include <tilewright/graph/extract_tasks.h>
#include <tilewright/graph/fuse_ops.h>
#include <tilewright/ir/index_map.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/printer.h>

#include <QtTest/QTest>

#include <cmath>

using namespace tilewright;
using graph::Dims;
using graph::Graph;
using graph::NumericTensor;
using graph::ValueId;

namespace {

/// Builds graphs of float32 values in few words.
class Sketch {
public:
    Graph graph;

    ValueId input(const char* name, Dims shape) {
        const ValueId id = graph.addTyped(name, {graph::ElementType::Float32, std::move(shape)});
        graph.inputs.push_back(id);
        return id;
    }
    ValueId weight(Dims shape) {
        NumericTensor tensor({graph::ElementType::Float32, std::move(shape)});
        for (auto& x : tensor.reals)
            x = random_.sampleUnit() - 0.4;
        return graph.addConstant(
            "w", std::make_shared<const graph::ConstantTensor>(graph::toConstant(tensor)));
    }
    ValueId scalar(double value) {
        NumericTensor tensor({graph::ElementType::Float32, {}});
        tensor.reals[0] = value;
        return graph.addConstant(
            "s", std::make_shared<const graph::ConstantTensor>(graph::toConstant(tensor)));
    }
    ValueId add(const char* op, std::vector<ValueId> inputs, graph::Attributes attributes = {}) {
        graph::Node node;
        node.op = op;
        node.name = std::string(op) + std::to_string(graph.nodes().size());
        node.inputs = std::move(inputs);
        node.attributes = std::move(attributes);
        node.outputs = {graph.addValue({node.name, {}, false, nullptr})};
        const ValueId result = node.outputs[0];
        graph.addNode(std::move(node));
        graph::inferTypes(graph);
        return result;
    }
    void output(ValueId id) {
        graph.outputs.push_back(id);
        graph.outputNames.push_back("y" + std::to_string(graph.outputs.size()));
    }
    NumericTensor sample(ValueId id) {
        NumericTensor tensor(graph.value(id).type);
        for (auto& x : tensor.reals)
            x = random_.sampleUnit() * 2 - 1;
        return tensor;
    }

private:
    base::RandomState random_{3};
};

graph::Attributes pads(std::int64_t amount) {
    graph::Attributes attributes;
    attributes.set("pads", Dims{amount, amount, amount, amount});
    return attributes;
}

double difference(const NumericTensor& a, const NumericTensor& b) {
    if (a.type != b.type)
        return INFINITY;
    double worst = 0;
    for (std::int64_t i = 0; i < a.size(); ++i)
        worst = std::max(worst, std::fabs(a.real(i) - b.real(i)));
    return worst;
}

/// Conv → BatchNormalization → Relu, twice the same shape, joined with the input.
Sketch residualNetwork() {
    Sketch s;
    ValueId x = s.input("x", {1, 8, 6, 6});
    const ValueId start = x;
    for (int i = 0; i < 2; ++i) {
        ValueId y = s.add("Conv", {x, s.weight({8, 8, 3, 3})}, pads(1));
        const ValueId variance = s.add("Abs", {s.weight({8})});
        y = s.add("BatchNormalization", {y, s.weight({8}), s.weight({8}), s.weight({8}), variance});
        x = s.add("Relu", {y});
    }
    s.output(s.add("Add", {x, start}));
    return s;
}

} // namespace

class GraphTest : public QObject {
    Q_OBJECT

private slots:
    void halvesRoundTrip();
    void preparedGraphComputesTheSame();
    void foldsBatchNormAndScalesIntoWeights();
    void fusesAsFuseOps();
    void equalGroupsAreOneTask();
    void kernelsHaveTheWrittenForm();
    void marksWeightsLayoutFree();
    void unsupportedNodeIsNamed();
    void scratchIsSharedAndNeverOverlaps();
    void planSurvivesJson();
    void outputsAreSeparated();
    void rewritesLayouts();
    void resizeAndInstanceNormBecomeSimpleOperators();
};

void GraphTest::halvesRoundTrip() {
    for (const auto type : {graph::ElementType::Float16, graph::ElementType::BFloat16}) {
        graph::ConstantTensor all;
        all.type = {type, {65536}};
        all.bytes.resize(131072);
        for (std::size_t i = 0; i < 65536; ++i) {
            all.bytes[2 * i] = static_cast<std::byte>(i & 255);
            all.bytes[2 * i + 1] = static_cast<std::byte>(i >> 8);
        }
        const NumericTensor numbers = graph::toNumeric(all);
        const graph::ConstantTensor back = graph::toConstant(numbers);
        for (std::size_t i = 0; i < 65536; ++i)
            if (!std::isnan(numbers.reals[i]))
                QVERIFY(back.bytes[2 * i] == all.bytes[2 * i] &&
                        back.bytes[2 * i + 1] == all.bytes[2 * i + 1]);
    }
}

void GraphTest::preparedGraphComputesTheSame() {
    for (const auto layout : {graph::DataLayout::ChannelsFirst, graph::DataLayout::ChannelsLast}) {
        Sketch s = residualNetwork();
        const NumericTensor x = s.sample(s.graph.inputs[0]);
        const auto before = graph::evaluateGraph(s.graph, {x});
        graph::preparePipeline(s.graph, {layout});
        const auto after = graph::evaluateGraph(s.graph, {x});
        QVERIFY(difference(before[0], after[0]) < 1e-5);
    }
}

void GraphTest::foldsBatchNormAndScalesIntoWeights() {
    Sketch s;
    const ValueId x = s.input("x", {1, 4, 5, 5});
    ValueId y = s.add("Conv", {x, s.weight({6, 4, 3, 3}), s.weight({6})});
    y = s.add("Mul", {y, s.scalar(3)});
    y = s.add("Sub", {y, s.weight({6, 1, 1})});
    y = s.add("Div", {y, s.scalar(2)});
    s.output(y);
    const NumericTensor in = s.sample(x);
    const auto before = graph::evaluateGraph(s.graph, {in});
    graph::foldBatchNorm(s.graph);
    QCOMPARE(s.graph.nodes().size(), std::size_t(1));
    QVERIFY(difference(before[0], graph::evaluateGraph(s.graph, {in})[0]) < 1e-5);
}

void GraphTest::fusesAsFuseOps() {
    Sketch s;
    const ValueId x = s.input("x", {4, 8});
    const ValueId product = s.add("MatMul", {x, s.weight({8, 16})});
    const ValueId biased = s.add("Add", {product, s.weight({16})});
    const ValueId active = s.add("Relu", {biased});
    const ValueId soft = s.add("Softmax", {active});
    const ValueId a = s.add("Exp", {soft});
    const ValueId b = s.add("Mul", {a, soft}); // a diamond: Exp and Mul join
    graph::Attributes perm;
    perm.set("perm", Dims{1, 0});
    s.output(s.add("Transpose", {b}, perm));
    const auto groups = graph::fuseOps(s.graph);
    QCOMPARE(groups.size(), std::size_t(2 + 0) + 1);
    QCOMPARE(groups[0].nodes, (std::vector<int>{0, 1, 2}));
    QCOMPARE(groups[0].anchor, 0);
    QCOMPARE(groups[1].nodes.front(), 3);
}

void GraphTest::equalGroupsAreOneTask() {
    const auto extraction = graph::extractTasks(residualNetwork().graph);
    QVERIFY(extraction.skipped.empty());
    int convolutions = 0;
    for (const auto& task : extraction.tasks) {
        QVERIFY(task.bytes > 0);
        if (task.name.find("conv") != std::string::npos) {
            ++convolutions;
            QVERIFY(task.flop > 2.0 * 8 * 8 * 9 * 36 - 1);
        }
    }
    QCOMPARE(convolutions, 2); // the second one adds the input
}

void GraphTest::kernelsHaveTheWrittenForm() {
    Sketch s;
    const ValueId x = s.input("x", {4, 8});
    s.output(s.add("Relu", {s.add("MatMul", {x, s.weight({8, 16})})}));
    const auto extraction = graph::extractTasks(s.graph);
    QCOMPARE(extraction.tasks.size(), std::size_t(1));
    QCOMPARE(extraction.tasks[0].name, std::string("fused_matmul_relu"));
    const std::string text = ir::print(extraction.tasks[0].module);
    QVERIFY(text.find("p0[v_i, v_k] * p1[v_k, v_j]") != std::string::npos);
    QVERIFY(text.find("T.max(matmul[v_i0, v_i1], T.float32(0") != std::string::npos);
}

void GraphTest::marksWeightsLayoutFree() {
    Sketch s;
    const ValueId x = s.input("x", {4, 8});
    s.output(s.add("MatMul", {x, s.weight({8, 16})}));
    const auto constant = graph::extractTasks(s.graph);
    QVERIFY(ir::print(constant.tasks[0].module).find("layout_free_buffers") != std::string::npos);
    Sketch t;
    const ValueId a = t.input("a", {4, 8});
    t.output(t.add("MatMul", {a, t.input("b", {8, 16})}));
    const auto free = graph::extractTasks(t.graph);
    QVERIFY(ir::print(free.tasks[0].module).find("layout_free_buffers") == std::string::npos);
}

void GraphTest::unsupportedNodeIsNamed() {
    Sketch s;
    const ValueId x = s.input("x", {4, 8});
    const ValueId y = s.add("Relu", {x});
    s.output(s.add("NonMaxSuppression", {y}));
    const auto extraction = graph::extractTasks(s.graph);
    QCOMPARE(extraction.skipped.size(), std::size_t(1));
    QCOMPARE(extraction.skipped[0].op, std::string("NonMaxSuppression"));
    QCOMPARE(extraction.tasks.size(), std::size_t(1));
    QVERIFY_EXCEPTION_THROWN(
        (void)graph::planExecution(extraction, std::vector<graph::KernelInterface>(1)),
        base::UserError);
}

namespace {

graph::PlannedModel planOf(const graph::Extraction& extraction) {
    std::vector<graph::KernelInterface> kernels;
    for (const auto& task : extraction.tasks)
        kernels.push_back({task.name, {}});
    return graph::planExecution(extraction, kernels);
}

} // namespace

void GraphTest::scratchIsSharedAndNeverOverlaps() {
    Sketch s;
    ValueId x = s.input("x", {16, 64});
    for (int i = 0; i < 6; ++i)
        x = s.add("MatMul", {x, s.weight({64, 64})});
    s.output(x);
    const auto extraction = graph::extractTasks(s.graph);
    const auto planned = planOf(extraction);
    QCOMPARE(planned.plan.calls.size(), std::size_t(6));
    QCOMPARE(planned.plan.scratchBytes, std::int64_t(2 * 16 * 64 * 4));
    QCOMPARE(planned.constants.size(), std::size_t(6));
    for (const auto& call : planned.plan.calls)
        QVERIFY(!(call.arguments.front() == call.arguments.back()));
}

void GraphTest::planSurvivesJson() {
    const auto planned = planOf(graph::extractTasks(residualNetwork().graph));
    const std::string text = graph::planToJson(planned.plan, "note");
    QVERIFY(graph::planFromJson(text, "m.so") == planned.plan);
    QVERIFY_EXCEPTION_THROWN((void)graph::planFromJson("{}", "m.so"), base::UserError);
    std::string damaged = text;
    damaged.replace(damaged.find("\"constant\",0"), 12, "\"constant\",7777");
    QVERIFY_EXCEPTION_THROWN((void)graph::planFromJson(damaged, "m.so"), base::UserError);
}

void GraphTest::outputsAreSeparated() {
    Sketch s;
    const ValueId x = s.input("x", {4, 8});
    graph::Attributes flat;
    flat.set("shape", Dims{32});
    const ValueId y = s.add("Relu", {x});
    s.output(y);
    s.output(s.add("Reshape", {y}, flat));
    s.output(x);
    const auto extraction = graph::extractTasks(s.graph);
    const auto planned = planOf(extraction);
    QCOMPARE(planned.plan.calls.size(), std::size_t(3));
    QCOMPARE(planned.plan.outputs.size(), std::size_t(3));
}

void GraphTest::rewritesLayouts() {
    NumericTensor tensor({graph::ElementType::Float32, {4, 6}});
    for (std::size_t i = 0; i < 24; ++i)
        tensor.reals[i] = static_cast<double>(i);
    const auto map = ir::IndexMap::of(2, [](const std::vector<ir::Var>& v) {
        return std::vector<ir::Expr>{ir::floorDiv(v[1], ir::makeInt(3)), v[0],
                                     ir::floorMod(v[1], ir::makeInt(3))};
    });
    const auto moved = graph::rewriteLayout(graph::toConstant(tensor), map, {2, 4, 3});
    const NumericTensor out = graph::toNumeric(*moved);
    QCOMPARE(out.real(0), 0.0);
    QCOMPARE(out.real(3), 6.0);  // [0, 1, 0] is [1, 0]
    QCOMPARE(out.real(12), 3.0); // [1, 0, 0] is [0, 3]
}

void GraphTest::resizeAndInstanceNormBecomeSimpleOperators() {
    Sketch s;
    const ValueId x = s.input("x", {1, 2, 4, 4});
    const ValueId n = s.add("InstanceNormalization", {x, s.weight({2}), s.weight({2})});
    NumericTensor scales({graph::ElementType::Float32, {4}});
    scales.reals = {1, 1, 2, 2};
    const ValueId factors = s.graph.addConstant(
        "scales", std::make_shared<const graph::ConstantTensor>(graph::toConstant(scales)));
    graph::Attributes linear;
    linear.set("mode", std::string("linear"));
    s.output(s.add("Resize", {n, ValueId(), factors}, linear));
    const NumericTensor in = s.sample(x);
    const auto before = graph::evaluateGraph(s.graph, {in});
    const auto extraction = graph::extractTasks(s.graph);
    QVERIFY(extraction.skipped.empty());
    QVERIFY(difference(before[0], graph::evaluateGraph(extraction.graph, {in})[0]) < 1e-5);
}

QTEST_GUILESS_MAIN(GraphTest)
#include "graph_test.moc"
