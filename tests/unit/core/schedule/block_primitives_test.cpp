// SPDX-License-Identifier: Apache-2.0

// Block primitives: golden results, refusals, and the property that schedules keep the meaning.

#include <tilewright/analysis/block_kind.h>
#include <tilewright/interp/interpreter.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/structural.h>
#include <tilewright/runtime/tensor.h>
#include <tilewright/schedule/schedule.h>

#include <QtTest/QTest>

#include <random>

using namespace tilewright;
using namespace tilewright::schedule;

namespace {

ir::Module moduleOf(const std::string& signature, const std::string& body) {
    return ir::parseModule("from tvm.script import ir as I\nfrom tvm.script import tirx as T\n\n"
                           "@I.ir_module\nclass Module:\n    @T.prim_func(s_tir=True)\n"
                           "    def main(" +
                           signature + "):\n" + body);
}

constexpr const char* kMatmulBody = R"(
        C = T.sblock_alloc_buffer((12, 10))
        D = T.sblock_alloc_buffer((12, 10))
        for i, j, k in T.grid(12, 10, 8):
            with T.sblock("mm"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
        for i, j in T.grid(12, 10):
            with T.sblock("bias"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(C[vi, vj], b[vj])
                T.writes(D[vi, vj])
                D[vi, vj] = C[vi, vj] + b[vj]
        for i, j in T.grid(12, 10):
            with T.sblock("relu"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(D[vi, vj])
                T.writes(E[vi, vj])
                E[vi, vj] = T.max(D[vi, vj], T.float32(0.0))
)";

ir::Module matmul() {
    return moduleOf("A: T.Buffer((12, 8), \"float32\"), B: T.Buffer((8, 10), \"float32\"), "
                    "b: T.Buffer((10,), \"float32\"), E: T.Buffer((12, 10), \"float32\")",
                    kMatmulBody);
}

ir::Module convolution() {
    return moduleOf("X: T.Buffer((14, 3), \"float32\"), W: T.Buffer((3, 3, 6), \"float32\"), "
                    "Y: T.Buffer((14, 6), \"float32\")",
                    R"(
        P = T.sblock_alloc_buffer((16, 3))
        Q = T.sblock_alloc_buffer((14, 6))
        for i, c in T.grid(16, 3):
            with T.sblock("pad"):
                vi, vc = T.axis.remap("SS", [i, c])
                T.reads(X[vi - 1, vc])
                T.writes(P[vi, vc])
                P[vi, vc] = T.if_then_else(1 <= vi and vi < 15, X[vi - 1, vc], T.float32(0.0))
        for i, f, r, c in T.grid(14, 6, 3, 3):
            with T.sblock("conv"):
                vi, vf, vr, vc = T.axis.remap("SSRR", [i, f, r, c])
                T.reads(P[vi + vr, vc], W[vr, vc, vf])
                T.writes(Q[vi, vf])
                with T.init():
                    Q[vi, vf] = T.float32(0.0)
                Q[vi, vf] = Q[vi, vf] + P[vi + vr, vc] * W[vr, vc, vf]
        for i, f in T.grid(14, 6):
            with T.sblock("scale"):
                vi, vf = T.axis.remap("SS", [i, f])
                T.reads(Q[vi, vf])
                T.writes(Y[vi, vf])
                Y[vi, vf] = Q[vi, vf] * T.float32(2.0)
)");
}

ir::Module normalise() {
    return moduleOf("X: T.Buffer((9, 12), \"float32\"), O: T.Buffer((9, 12), \"float32\")", R"(
        T2 = T.sblock_alloc_buffer((9, 12))
        S = T.sblock_alloc_buffer((9,))
        for i, j in T.grid(9, 12):
            with T.sblock("twice"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj])
                T.writes(T2[vi, vj])
                T2[vi, vj] = X[vi, vj] * T.float32(2.0)
        for i, k in T.grid(9, 12):
            with T.sblock("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(T2[vi, vk])
                T.writes(S[vi])
                with T.init():
                    S[vi] = T.float32(0.0)
                S[vi] = S[vi] + T2[vi, vk]
        for i, j in T.grid(9, 12):
            with T.sblock("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(T2[vi, vj], S[vi])
                T.writes(O[vi, vj])
                O[vi, vj] = T2[vi, vj] - S[vi]
)");
}

using Engine = std::minstd_rand;
int draw(Engine& engine, int below) {
    return static_cast<int>(engine() % static_cast<unsigned>(below));
}

/// The last parameter after a run on small whole numbers, with which float arithmetic is exact.
std::vector<float> interpret(const ir::Module& module) {
    const ir::PrimFunc function = module.find("main");
    std::vector<runtime::Tensor> tensors;
    Engine engine(7);
    for (const auto& param : function->params) {
        runtime::TensorShape shape;
        for (const auto& extent : param.buffer->shape)
            shape.push_back(*ir::constInt(extent));
        tensors.push_back(*runtime::Tensor::allocate({runtime::TypeCode::Float, 32}, shape));
        for (float& value : tensors.back().as<float>())
            value = static_cast<float>(draw(engine, 5) - 2);
    }
    std::vector<runtime::Tensor*> pointers;
    for (auto& tensor : tensors)
        pointers.push_back(&tensor);
    interp::run(function, pointers);
    const auto values = tensors.back().as<float>();
    return {values.begin(), values.end()};
}

ir::IndexMap tiledMap(int rank, int factor) {
    return ir::IndexMap::of(rank, [&](const std::vector<ir::Var>& vars) {
        const ir::Expr f = ir::makeInt(factor);
        std::vector<ir::Expr> result;
        result.push_back(ir::floorDiv(vars[0], f));
        for (std::size_t i = 1; i < vars.size(); ++i)
            result.push_back(vars[i]);
        result.push_back(ir::floorMod(vars[0], f));
        return result;
    });
}

/// One random instruction; refusals are fine.
void randomStep(Schedule& sch, const std::vector<std::string>& names, Engine& engine) {
    const BlockRV block = sch.getSBlock(
        names[static_cast<std::size_t>(draw(engine, static_cast<int>(names.size())))]);
    const auto loops = sch.getLoops(block);
    const auto anyLoop = [&](const std::vector<LoopRV>& all) {
        return all[static_cast<std::size_t>(draw(engine, static_cast<int>(all.size())))];
    };
    if (loops.empty())
        return;
    const BlockRV other = sch.getSBlock(
        names[static_cast<std::size_t>(draw(engine, static_cast<int>(names.size())))]);
    const auto otherLoops = sch.getLoops(other);
    switch (draw(engine, 12)) {
    case 0:
        sch.split(anyLoop(loops), {Factor(), Factor(draw(engine, 4) + 2)});
        break;
    case 1:
        sch.reorder({anyLoop(loops), anyLoop(loops)});
        break;
    case 2:
        if (!otherLoops.empty())
            sch.computeAt(block, anyLoop(otherLoops), draw(engine, 2) == 0);
        break;
    case 3:
        // As in TVM a block without producers may move anywhere, even behind its readers, and a
        // border that no producer feeds (of "pad") is lost; under a reduction loop it would read
        // unfinished sums.
        if (const LoopRV loop = otherLoops.empty() ? LoopRV() : anyLoop(otherLoops);
            loop.valid() && !sch.getProducers(block).empty() && sch.get(block)->name != "pad" &&
            analysis::loopIterType(*sch.get(loop)) == ir::IterType::DataPar)
            sch.reverseComputeAt(block, loop, draw(engine, 2) == 0);
        break;
    case 4:
        sch.computeInline(block);
        break;
    case 5: {
        // As in TVM other readers of the inlined buffer are forgotten.
        const auto producers = sch.getProducers(block);
        if (producers.size() == 1 && sch.getConsumers(producers[0]).size() == 1)
            sch.reverseComputeInline(block);
        break;
    }
    case 6:
        sch.cacheRead(block, draw(engine, 2), "global");
        break;
    case 7:
        sch.cacheWrite(block, 0, "global");
        break;
    case 8: {
        // As in TVM a reduction that is computed several times must not be decomposed outside of
        // the repetition.
        const auto& values = sch.state().realize(sch.sref(block))->iterValues;
        if (loops.size() == values.size() &&
            std::all_of(values.begin(), values.end(),
                        [](const ir::Expr& value) { return value->kind() == ir::NodeKind::Var; }))
            sch.decomposeReduction(block, anyLoop(loops));
        break;
    }
    case 9:
        // As in TVM slices that a guard skips are never initialised.
        if (ir::isOne(sch.state().realize(sch.sref(block))->predicate))
            sch.rfactor(anyLoop(loops), draw(engine, 2));
        break;
    case 10: {
        const auto& buffer = sch.get(block)->writes.at(0).buffer;
        if (ir::as<ir::BlockRealizeNode>(sch.module().find("main")->body)
                ->block->allocBuffers.empty() ||
            sch.state().functionNode(sch.sref(block))->params.back().buffer == buffer)
            break;
        sch.transformLayout(block, BufferRole::Write, 0,
                            tiledMap(static_cast<int>(buffer->shape.size()), 3), {}, false);
        break;
    }
    default:
        // Fused with a reduction, spatial loops may later be reordered so that init comes late.
        if (loops.size() >= 2 && !sch.get(block)->init)
            sch.fuse({loops[0], loops[1]});
    }
}

} // namespace

class BlockPrimitivesTest : public QObject {
    Q_OBJECT
private slots:
    void schedulesKeepTheMeaning_data();
    void schedulesKeepTheMeaning();
    void refusalsLeaveTheModule_data();
    void refusalsLeaveTheModule();
    void computeAtLoopsOverWhatIsNeeded();
    void computeAtGuardsTheTail();
    void rfactorNamesAndShapes();
    void paddedLayoutIsFilled();
    void inliningDropsTheBuffer();
};

void BlockPrimitivesTest::schedulesKeepTheMeaning_data() {
    QTest::addColumn<int>("workload");
    QTest::newRow("matmul") << 0;
    QTest::newRow("convolution") << 1;
    QTest::newRow("normalise") << 2;
}

void BlockPrimitivesTest::schedulesKeepTheMeaning() {
    QFETCH(int, workload);
    const ir::Module module = workload == 0   ? matmul()
                              : workload == 1 ? convolution()
                                              : normalise();
    const std::vector<float> expected = interpret(module);
    int applied = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        Engine engine(seed * 7919);
        Schedule sch(module);
        for (int step = 0; step < 8; ++step) {
            std::vector<std::string> names;
            for (const SrefId id : sch.state().childBlocks(sch.state().root("main")))
                if (sch.state().blocksNamed(sch.state().block(id)->name, "main").size() == 1)
                    names.push_back(sch.state().block(id)->name);
            const ir::PrimFunc before = sch.module().find("main");
            try {
                randomStep(sch, names, engine);
                ++applied;
            } catch (const ScheduleError&) {
                QVERIFY2(sch.module().find("main") == before, "a refusal changed the module");
            }
            sch.state().verify();
        }
        std::string why;
        std::vector<float> found;
        try {
            found = interpret(sch.module());
        } catch (const std::exception& error) {
            why = error.what();
        }
        if (found != expected)
            qWarning("seed %u %s\n%s\n%s", seed, why.c_str(), sch.trace().toPython().c_str(),
                     ir::print(sch.module()).c_str());
        QVERIFY(found == expected);
    }
    QVERIFY(applied > 100);
}

void BlockPrimitivesTest::refusalsLeaveTheModule_data() {
    QTest::addColumn<QString>("step");
    QTest::addColumn<QString>("kind");
    QTest::newRow("output") << "compute_inline relu"
                            << "OutputBlockError";
    QTest::newRow("init") << "compute_inline mm"
                          << "HasInitBlock";
    QTest::newRow("not below") << "compute_at mm"
                               << "NotInSameScopeError";
    QTest::newRow("index") << "cache_read mm"
                           << "BufferIndexOutOfRangeError";
    QTest::newRow("scope") << "cache_write mm"
                           << "InvalidStorageScopeError";
    QTest::newRow("spatial loop") << "rfactor mm"
                                  << "LoopPropertyError";
    QTest::newRow("no reduction") << "decompose relu"
                                  << "NotReductionBlockError";
    QTest::newRow("padding") << "transform mm"
                             << "TransformationIntroducesPaddingError";
}

void BlockPrimitivesTest::refusalsLeaveTheModule() {
    QFETCH(QString, step);
    QFETCH(QString, kind);
    Schedule sch(matmul());
    const BlockRV block = sch.getSBlock(step.section(' ', 1).toStdString());
    const auto loops = sch.getLoops(block);
    const ir::PrimFunc before = sch.module().find("main");
    const std::size_t length = sch.trace().size();
    try {
        if (step.startsWith("compute_inline"))
            sch.computeInline(block);
        else if (step.startsWith("compute_at"))
            sch.computeAt(block, loops[0]);
        else if (step.startsWith("cache_read"))
            sch.cacheRead(block, 2, "global");
        else if (step.startsWith("cache_write"))
            sch.cacheWrite(block, 0, "nowhere");
        else if (step.startsWith("rfactor"))
            sch.rfactor(loops[0], 0);
        else if (step.startsWith("decompose"))
            sch.decomposeReduction(block, loops[0]);
        else
            sch.transformLayout(block, BufferRole::Write, 0, tiledMap(2, 5));
        QFAIL("accepted");
    } catch (const ScheduleError& error) {
        QCOMPARE(QString::fromStdString(error.failure().kind), kind);
    }
    QVERIFY(sch.module().find("main") == before);
    QCOMPARE(sch.trace().size(), length);
}

void BlockPrimitivesTest::computeAtLoopsOverWhatIsNeeded() {
    Schedule sch(convolution());
    const BlockRV conv = sch.getSBlock("conv");
    const BlockRV pad = sch.getSBlock("pad");
    const auto tiles = sch.split(sch.getLoops(conv)[0], {Factor(7), Factor(2)});
    sch.computeAt(pad, tiles[0]);
    const auto loops = sch.getLoops(pad);
    QCOMPARE(loops.size(), std::size_t(3));
    QCOMPARE(ir::constInt(sch.get(loops[1])->extent), std::optional<std::int64_t>(4));
    QVERIFY(interpret(sch.module()) == interpret(convolution()));
}

void BlockPrimitivesTest::computeAtGuardsTheTail() {
    Schedule sch(matmul());
    const BlockRV relu = sch.getSBlock("relu");
    const BlockRV bias = sch.getSBlock("bias");
    const auto tiles = sch.split(sch.getLoops(relu)[0], {Factor(), Factor(5)});
    sch.computeAt(bias, tiles[0]);
    // 12 rows in tiles of 5: the last tile must not go beyond row 11.
    QVERIFY(!ir::isOne(sch.state().realize(sch.sref(bias))->predicate));
    QVERIFY(interpret(sch.module()) == interpret(matmul()));
}

void BlockPrimitivesTest::rfactorNamesAndShapes() {
    Schedule sch(normalise());
    const auto loops = sch.getLoops(sch.getSBlock("sum"));
    const auto parts = sch.split(loops[1], {Factor(3), Factor(4)});
    const BlockRV rf = sch.rfactor(parts[0], 1);
    QCOMPARE(sch.get(rf)->name, std::string("sum_rf"));
    const auto& buffer = sch.get(rf)->writes.at(0).buffer;
    QCOMPARE(buffer->name, std::string("S.rf"));
    QCOMPARE(ir::constInt(buffer->shape.at(1)), std::optional<std::int64_t>(3));
    QVERIFY(interpret(sch.module()) == interpret(normalise()));
}

void BlockPrimitivesTest::paddedLayoutIsFilled() {
    Schedule sch(matmul());
    const BlockRV bias = sch.getSBlock("bias");
    const ir::IndexMap zero = ir::IndexMap::of(
        3, [](const std::vector<ir::Var>&) { return std::vector<ir::Expr>{ir::makeFloat(0)}; });
    sch.transformLayout(bias, BufferRole::Write, 0, tiledMap(2, 5), zero);
    QCOMPARE(ir::constInt(sch.get(bias)->writes.at(0).buffer->shape.at(0)),
             std::optional<std::int64_t>(3));
    QVERIFY(interpret(sch.module()) == interpret(matmul()));
}

void BlockPrimitivesTest::inliningDropsTheBuffer() {
    Schedule sch(matmul());
    sch.computeInline(sch.getSBlock("bias"));
    const BlockRV relu = sch.getSBlock("relu");
    QCOMPARE(sch.get(relu)->reads.size(), std::size_t(2));
    const auto* root = sch.state().block(sch.state().root("main"));
    QCOMPARE(root->allocBuffers.size(), std::size_t(1));
    QVERIFY(interpret(sch.module()) == interpret(matmul()));
}

QTEST_GUILESS_MAIN(BlockPrimitivesTest)
#include "block_primitives_test.moc"
