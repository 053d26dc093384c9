// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/make.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/structural.h>
#include <tilewright/schedule/sampling.h>
#include <tilewright/schedule/schedule.h>

#include <QtTest/QTest>

#include <numeric>

using namespace tilewright;
using namespace tilewright::schedule;

namespace {

/// C[i, j] += A[i, k] * B[k, j], then D = C + 1.
ir::Module matmul(std::int64_t n) {
    using namespace ir;
    const auto f32 = DataType::f(32);
    const std::vector<std::int64_t> shape{n, n};
    const Buffer a = makeBuffer("A", f32, shape);
    const Buffer b = makeBuffer("B", f32, shape);
    const Buffer c = makeBuffer("C", f32, shape);
    const Buffer d = makeBuffer("D", f32, shape);
    const auto region = [](const Buffer& buffer, const Expr& x, const Expr& y) {
        return BufferRegion{buffer, {Range::point(x), Range::point(y)}};
    };
    const auto iter = [&](const Var& var, IterType type) {
        return IterVar{Range::fromExtent(makeInt(n)), var, type};
    };
    const Var i = makeVar("i"), j = makeVar("j"), k = makeVar("k");
    const Var vi = makeVar("vi"), vj = makeVar("vj"), vk = makeVar("vk");
    const Block mm = built<BlockNode>([&](BlockNode& block) {
        block.name = "mm";
        block.iterVars = {iter(vi, IterType::DataPar), iter(vj, IterType::DataPar),
                          iter(vk, IterType::CommReduce)};
        block.reads = {region(a, vi, vk), region(b, vk, vj)};
        block.writes = {region(c, vi, vj)};
        block.init = makeStore(c, makeFloat(0), {vi, vj});
        block.body = makeStore(
            c, add(makeLoad(c, {vi, vj}), mul(makeLoad(a, {vi, vk}), makeLoad(b, {vk, vj}))),
            {vi, vj});
    });
    Stmt first = makeBlockRealize({i, j, k}, makeBool(true), mm);
    for (const Var& var : {k, j, i})
        first = makeFor(var, makeInt(0), makeInt(n), ForKind::Serial, first);
    const Var i1 = makeVar("i1"), j1 = makeVar("j1"), wi = makeVar("wi"), wj = makeVar("wj");
    const Block addOne = built<BlockNode>([&](BlockNode& block) {
        block.name = "add";
        block.iterVars = {iter(wi, IterType::DataPar), iter(wj, IterType::DataPar)};
        block.reads = {region(c, wi, wj)};
        block.writes = {region(d, wi, wj)};
        block.body = makeStore(d, add(makeLoad(c, {wi, wj}), makeFloat(1)), {wi, wj});
    });
    Stmt second = makeBlockRealize({i1, j1}, makeBool(true), addOne);
    for (const Var& var : {j1, i1})
        second = makeFor(var, makeInt(0), makeInt(n), ForKind::Serial, second);
    const Block root = built<BlockNode>([&](BlockNode& block) {
        block.name = "root";
        block.allocBuffers = {c};
        block.body = makeSeq({first, second});
    });
    return Module::of(built<PrimFuncNode>([&](PrimFuncNode& function) {
        for (const Buffer& buffer : {a, b, d})
            function.params.push_back({makePointer(buffer->name + "_h", f32), buffer});
        function.body = makeBlockRealize({}, makeBool(true), root);
        function.attrs.set("global_symbol", "main");
    }));
}

} // namespace

class ScheduleTest : public QObject {
    Q_OBJECT
private slots:
    void queries() {
        Schedule sch(matmul(16));
        const BlockRV mm = sch.getSBlock("mm");
        QCOMPARE(sch.getLoops(mm).size(), std::size_t(3));
        const auto consumers = sch.getConsumers(mm);
        QCOMPARE(consumers.size(), std::size_t(1));
        QCOMPARE(sch.get(consumers[0])->name, std::string("add"));
        QCOMPARE(sch.getChildBlocks(sch.getSBlock("root")).size(), std::size_t(2));
        const BlockFlags flags = sch.state().flags(sch.sref(mm));
        QVERIFY(flags.affineBinding && flags.regionCover);
        QVERIFY(sch.state().flags(sch.sref(sch.getSBlock("root"))).stagePipeline);
    }

    void tilesAndKeepsTheTable() {
        Schedule sch(matmul(16));
        const BlockRV mm = sch.getSBlock("mm");
        const auto loops = sch.getLoops(mm);
        const auto i = sch.split(loops[0], {Value(), 4});
        const auto j = sch.split(loops[1], {Value(), 8});
        sch.reorder({i[0], j[0], loops[2], i[1], j[1]});
        sch.state().verify();
        sch.parallel(i[0]);
        sch.vectorize(j[1]);
        sch.unroll(i[1]);
        sch.annotate(mm, "note", "x");
        sch.annotate(mm, "note", "y");
        const LoopRV fused = sch.fuse({i[1], j[1]});
        QCOMPARE(sch.get(fused)->loopVar->name, std::string("i_1_j_1_fused"));
        const LoopRV unit = sch.addUnitLoop(mm);
        QCOMPARE(sch.getLoops(mm).back().id + 1 > unit.id, true);
        sch.state().verify();
        QCOMPARE(*sch.get(mm)->annotations.find("note")->asString(), std::string("x"));
        QVERIFY(!sch.has(loops[0]));
        QVERIFY(sch.has(loops[2]));
        Schedule again(matmul(16));
        QVERIFY(replay(sch.trace(), again).has_value());
        QVERIFY(ir::structuralEqual(again.module(), sch.module()));
        QVERIFY(again.trace() == sch.trace());
    }

    void refusalsChangeNothing() {
        Schedule sch(matmul(16));
        const auto loops = sch.getLoops(sch.getSBlock("mm"));
        const ir::Module before = sch.module();
        const std::size_t recorded = sch.trace().size();
        const auto kindOf = [&](auto&& action) {
            try {
                action();
            } catch (const ScheduleError& error) {
                return error.diagnostic().kind;
            }
            return std::string("accepted");
        };
        QCOMPARE(kindOf([&] { sch.split(loops[0], {2, 4}); }), std::string("WrongFactorError"));
        QCOMPARE(kindOf([&] {
                     sch.split(loops[0], {Value(), Value()});
                 }),
                 std::string("NotSingleInferFactorError"));
        QCOMPARE(kindOf([&] {
                     sch.split(loops[0], {0, 4});
                 }),
                 std::string("NonPositiveFactorError"));
        QCOMPARE(kindOf([&] {
                     sch.fuse({loops[0], loops[2]});
                 }),
                 std::string("OuterNotInnerParent"));
        QCOMPARE(kindOf([&] {
                     sch.reorder({loops[0], loops[0]});
                 }),
                 std::string("LoopMultiAppearanceError"));
        QCOMPARE(kindOf([&] { sch.parallel(loops[2]); }), std::string("WrongBlockIterTypeError"));
        QCOMPARE(kindOf([&] { sch.getSBlock("none"); }), std::string("NotSingleResult"));
        QCOMPARE(kindOf([&] { sch.unannotate(loops[0], "none"); }), std::string("IndexError"));
        QCOMPARE(kindOf([&] { sch.storageAlign(sch.getSBlock("mm"), 0, 0, 8, 0); }).substr(0, 11),
                 std::string("unsupported"));
        QCOMPARE(sch.trace().size(), recorded + 1);
        QVERIFY(ir::structuralEqual(sch.module(), before));
    }

    void copiesAreSnapshots() {
        Schedule sch(matmul(64), 7);
        const auto loops = sch.getLoops(sch.getSBlock("mm"));
        const Schedule kept = sch;
        const auto factors = sch.samplePerfectTile(loops[0], 4, 16);
        std::int64_t product = 1;
        for (const ExprRV factor : factors)
            product *= sch.get(factor);
        QCOMPARE(product, std::int64_t(64));
        sch.split(loops[0], {factors[0], factors[1], factors[2], factors[3]});
        Schedule other = kept;
        const Trace mutated =
            sch.trace().withDecision(2, Value::list(std::vector<std::int64_t>{2, 2, 2, 8}), false);
        QVERIFY(replayRange(mutated, 2, mutated.size(), other).has_value());
        other.state().verify();
        sch.state().verify();
        kept.state().verify();
        QCOMPARE(other.getLoops(other.getSBlock("mm")).size(), std::size_t(6));
        Schedule sameSeed = kept;
        QVERIFY(sameSeed.samplePerfectTile(loops[0], 4, 16).size() == 4);
        QVERIFY(sameSeed.trace().decision(2) == sch.trace().decision(2));
    }

    void tilesAreRepaired() {
        Schedule sch(matmul(48));
        const auto loops = sch.getLoops(sch.getSBlock("mm"));
        const auto tile =
            sch.samplePerfectTile(loops[0], 3, 16, std::vector<std::int64_t>{9, 5, 4});
        QCOMPARE(sch.get(tile[0]), std::int64_t(1));
        QCOMPARE(sch.get(tile[1]), std::int64_t(12));
        QCOMPARE(sch.get(tile[2]), std::int64_t(4));
    }

    void tilesMultiplyUp() {
        base::RandomState random(3);
        for (const std::int64_t extent : {1, 2, 7, 64, 360, 802816, 65537 * 2, 131071})
            for (int n = 1; n <= 5; ++n) {
                const auto tile = drawPerfectTile(random, extent, n);
                QCOMPARE(static_cast<int>(tile.size()), n);
                QCOMPARE(
                    std::accumulate(tile.begin(), tile.end(), std::int64_t{1}, std::multiplies<>()),
                    extent);
            }
    }

    void brokenTracesAreRejected() {
        Schedule sch(matmul(16));
        const Trace trace = Trace::parsePython("b0 = sch.get_sblock(\"mm\")\n"
                                               "l1, l2, l3 = sch.get_loops(b0)\n"
                                               "sch.vectorize(l3)\n");
        const auto outcome = replay(trace, sch);
        QVERIFY(!outcome.has_value());
        QCOMPARE(outcome.error().instruction, 2);
        QCOMPARE(outcome.error().instructionName, std::string("Vectorize"));
        QCOMPARE(outcome.error().failure.kind, std::string("WrongBlockIterTypeError"));
    }
};

QTEST_GUILESS_MAIN(ScheduleTest)
#include "schedule_test.moc"
