// SPDX-License-Identifier: Apache-2.0
#include <tilewright/analysis/block_access.h>
#include <tilewright/analysis/block_kind.h>
#include <tilewright/analysis/block_predicates.h>
#include <tilewright/analysis/flops.h>
#include <tilewright/analysis/region_bounds.h>
#include <tilewright/analysis/scope_analysis.h>
#include <tilewright/arith/analyzer.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/parser.h>

#include <QtTest/QTest>

using namespace tilewright;

namespace {

/// A function with the given lines as its body, indented by eight blanks.
ir::PrimFunc functionOf(const std::string& body) {
    return ir::parseFunction(R"(from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    with T.sblock("root"):
)" + body);
}

const ir::BlockNode& rootOf(const ir::PrimFunc& function) {
    return *ir::as<ir::BlockRealizeNode>(function->body)->block;
}

/// Two blocks: B = A + 1 over `extent` rows, C = B * 2 over 16.
ir::PrimFunc chain(const std::string& extent) {
    return functionOf(R"(        B = T.sblock_alloc_buffer((16, 16))
        for i, j in T.grid()" +
                      extent + R"(, 16):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] + T.float32(1.0)
        for i, j in T.grid(16, 16):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vi, vj] * T.float32(2.0)
)");
}

} // namespace

class AnalysisTest : public QObject {
    Q_OBJECT
private slots:
    void chainIsAStagePipeline();
    void missingRowsAreNotCovered();
    void dependencesHaveKinds();
    void blocksHaveKinds();
    void storageScopesShareThreads();
    void accessOfInnerLoopsIsRelaxed();
    void flopsCountBranchesOnce();
};

void AnalysisTest::chainIsAStagePipeline() {
    const ir::PrimFunc function = chain("16");
    const auto children = analysis::collectChildren(rootOf(function).body);
    QCOMPARE(children.size(), std::size_t(2));
    arith::Analyzer analyzer;
    const auto facts = analysis::analyzeScope(children, analyzer);
    QVERIFY(facts.stagePipeline);
    QCOMPARE(facts.dependences.producers(1), std::vector<int>{0});
    QVERIFY(analysis::isAffineBinding(*children[0].realize, children[0].loops, analyzer));
    QVERIFY(analysis::isTrivialBinding(*children[0].realize, children[0].loops));
    QVERIFY(!analysis::isOutputBlock(children[0].block(), rootOf(function)));
    QVERIFY(analysis::isOutputBlock(children[1].block(), rootOf(function)));
}

void AnalysisTest::missingRowsAreNotCovered() {
    const ir::PrimFunc function = chain("15");
    const auto children = analysis::collectChildren(rootOf(function).body);
    arith::Analyzer analyzer;
    const auto facts = analysis::analyzeScope(children, analyzer);
    QVERIFY(!facts.stagePipeline);
    QCOMPARE(int(facts.regionCover[1]), 0);
}

void AnalysisTest::dependencesHaveKinds() {
    const ir::Buffer a = ir::makeBuffer("a", ir::DataType::f(32), std::vector<std::int64_t>{4});
    const auto block = [&](bool reads, bool writes) {
        return ir::built<ir::BlockNode>([&](ir::BlockNode& node) {
            const ir::BufferRegion region{a, {ir::Range::fromExtent(ir::makeInt(4))}};
            if (reads)
                node.reads.push_back(region);
            if (writes)
                node.writes.push_back(region);
            node.body = ir::makeNoOp();
        });
    };
    const ir::Block first = block(false, true);
    const ir::Block second = block(true, false);
    const ir::Block third = block(false, true);
    const ir::BlockNode* const children[] = {first.get(), second.get(), third.get()};
    const analysis::DependenceGraph graph{children};
    QCOMPARE(graph.dependences().size(), std::size_t(3));
    QCOMPARE(graph.dependences()[0].kind, analysis::DependenceKind::Raw);
    QCOMPARE(graph.dependences()[1].kind, analysis::DependenceKind::Waw);
    QCOMPARE(graph.dependences()[2].kind, analysis::DependenceKind::War);
    QCOMPARE(graph.consumers(0), (std::vector<int>{1, 2}));
    QCOMPARE(graph.writersOf(a.get()), (std::vector<int>{0, 2}));
    QVERIFY(!analysis::isDominant(*first, graph.writers()));
}

void AnalysisTest::blocksHaveKinds() {
    const ir::PrimFunc function = functionOf(R"(        for i, j, k in T.grid(16, 16, 16):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                C[vi, vj] = C[vi, vj] + A[vi, vk]
)");
    const auto children = analysis::collectChildren(rootOf(function).body);
    const ir::BlockNode& block = children[0].block();
    analysis::BufferWriters writers;
    writers.add(block.writes[0].buffer.get());
    QCOMPARE(analysis::completeViolation(block, writers),
             analysis::CompleteViolation::NotDataParallel);
    QCOMPARE(analysis::reductionViolation(block, writers, true),
             analysis::ReductionViolation::None);
    QCOMPARE(analysis::reductionViolation(block, writers, false),
             analysis::ReductionViolation::NotAffine);
    QCOMPARE(analysis::loopIterType(*children[0].loops[2]), ir::IterType::CommReduce);
    QCOMPARE(analysis::loopIterType(*children[0].loops[0]), ir::IterType::DataPar);
    // A is read without vj: reuse, so tiling pays.
    QVERIFY(analysis::needsMultiLevelTiling(block, true));
    QVERIFY(!analysis::needsRFactorOrCrossThreadReduction(*children[0].realize, children[0].loops,
                                                          true, 64));
}

void AnalysisTest::storageScopesShareThreads() {
    QVERIFY(analysis::sharesStorage("shared", "threadIdx.x"));
    QVERIFY(analysis::sharesStorage("shared.dyn", "vthread.x"));
    QVERIFY(!analysis::sharesStorage("shared", "blockIdx.x"));
    QVERIFY(!analysis::sharesStorage("local", "threadIdx.x"));
    QVERIFY(analysis::sharesStorage("warp", "threadIdx.x"));
    QVERIFY(!analysis::sharesStorage("warp", "threadIdx.y"));
    QCOMPARE(analysis::storageRank("nowhere"), -1);
    QCOMPARE(analysis::storageRank(""), 0);
}

void AnalysisTest::accessOfInnerLoopsIsRelaxed() {
    const ir::PrimFunc function = functionOf(R"(        for i in range(16):
            with T.sblock("rows"):
                vi = T.axis.spatial(16, i)
                T.reads()
                T.writes()
                for k in range(8):
                    C[vi, k] = A[vi, k + 4]
)");
    const auto children = analysis::collectChildren(rootOf(function).body);
    const auto access = analysis::detectReadWrite(children[0].block());
    QCOMPARE(access.reads.size(), std::size_t(1));
    QVERIFY(ir::isConstInt(access.reads[0].region[1].min, 4));
    QVERIFY(ir::isConstInt(access.reads[0].region[1].extent, 8));
    QVERIFY(ir::isOne(access.writes[0].region[0].extent));
}

void AnalysisTest::flopsCountBranchesOnce() {
    QCOMPARE(analysis::estimateFlops(*chain("16")), 512.0);
    const ir::PrimFunc function = functionOf(R"(        for i, j in T.grid(16, 16):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = T.Select(vi < 3, A[vi, vj] + T.float32(1.0), A[vi, vj] * A[vi, vj] + T.float32(1.0))
)");
    QCOMPARE(analysis::estimateFlops(*function), 512.0);
    QCOMPARE(analysis::parameterBytes(*function), std::int64_t(2 * 16 * 16 * 4));
}

QTEST_GUILESS_MAIN(AnalysisTest)
#include "analysis_test.moc"
