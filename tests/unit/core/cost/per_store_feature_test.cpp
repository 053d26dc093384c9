// SPDX-License-Identifier: Apache-2.0

// Features of small modules whose columns follow from the formulas by hand.

#include <tilewright/cost/per_store_feature.h>
#include <tilewright/ir/parser.h>

#include <QtTest/QTest>

#include <cmath>
#include <thread>

using namespace tilewright;

namespace {

constexpr const char* kMatmul = R"(
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 32), "float32"), B: T.Buffer((32, 48), "float32"), C: T.Buffer((64, 48), "float32")):
        for i, j, k in T.grid(64, 48, 32):
            with T.sblock("matmul"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";

/// A producer computed per row of four of its consumer: its buffer shrinks to one row.
constexpr const char* kCached = R"(
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 32), "float32"), C: T.Buffer((64, 32), "float32")):
        with T.sblock("root"):
            B = T.sblock_alloc_buffer((64, 32))
            for i in T.parallel(64):
                for u in range(1):
                    for j in T.vectorized(32):
                        with T.sblock("B"):
                            vi = T.axis.spatial(64, i + u)
                            vj = T.axis.spatial(32, j)
                            T.reads(A[vi, vj])
                            T.writes(B[vi, vj])
                            B[vi, vj] = A[vi, vj] + T.float32(1)
                for j in T.serial(32, annotations={"pragma_auto_unroll_max_step": 16}):
                    with T.sblock("C"):
                        vi = T.axis.spatial(64, i)
                        vj = T.axis.spatial(32, j)
                        T.reads(B[vi, vj])
                        T.writes(C[vi, vj])
                        C[vi, vj] = T.exp(B[vi, vj])
)";

float slog(double x) {
    return static_cast<float>(std::log2(x + 1));
}

cost::FeatureMatrix featuresOf(const char* script, const cost::PerStoreFeatureOptions& o = {}) {
    return cost::extractPerStoreFeatures(ir::parseModule(script), o);
}

} // namespace

class PerStoreFeatureTest : public QObject {
    Q_OBJECT
private slots:
    void matmul();
    void producersShrink();
    void emptyModuleHasNoRows();
    void optionsChangeTheColumns();
    void threadsAgree();
};

void PerStoreFeatureTest::matmul() {
    const cost::FeatureMatrix m = featuresOf(kMatmul);
    QCOMPARE(m.columns, std::size_t{164});
    QCOMPARE(m.rows(), std::size_t{1}); // the init stores a constant
    const float* row = m.values.data();
    const double product = 64.0 * 48 * 32;
    QCOMPARE(row[1], slog(product)); // one addition
    QCOMPARE(row[2], slog(product)); // one multiplication
    QCOMPARE(row[8], 0.0F);          // no index arithmetic
    QCOMPARE(row[19], 1.0F);         // not vectorised
    QCOMPARE(row[49], 0.0F);
    QCOMPARE(row[157], slog(64 * 48 * 4.0));
    QCOMPARE(row[158], slog(64 * 48.0));
    QCOMPARE(row[159], slog(1));
    QCOMPARE(row[160], slog(product));
    QCOMPARE(row[162], slog(3));
    QCOMPARE(row[163], 0.0F);
    // B has the most lines: k strides over whole rows.
    QCOMPARE(row[57], 1.0F);
    QCOMPARE(row[57 + 3], slog(product * 4));
    QCOMPARE(row[57 + 5], slog(product));
    QCOMPARE(row[57 + 17], slog(48));
}

void PerStoreFeatureTest::producersShrink() {
    const cost::FeatureMatrix m = featuresOf(kCached);
    QCOMPARE(m.rows(), std::size_t{2});
    const float* b = m.values.data();
    const float* c = b + m.columns;
    QCOMPARE(b[16], slog(1)); // vectorised loops: one, of 32
    QCOMPARE(b[17], slog(32));
    QCOMPARE(b[26], 1.0F);
    QCOMPARE(b[38], slog(1)); // parallel: one of 64
    QCOMPARE(b[40], slog(64));
    QCOMPARE(b[157], slog(32 * 4.0)); // B is one row
    QCOMPARE(b[158], slog(32 * 64.0));
    QCOMPARE(b[159], slog(64));
    QCOMPARE(b[160], slog(32));
    QCOMPARE(b[162], slog(2)); // the loop of one iteration is gone
    QCOMPARE(b[163], 0.0F);
    QCOMPARE(c[5], slog(64 * 32)); // exp
    QCOMPARE(c[163], slog(16));
    QCOMPARE(c[157], slog(64 * 32 * 4.0));
}

void PerStoreFeatureTest::emptyModuleHasNoRows() {
    const cost::FeatureMatrix m = featuresOf(R"(
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("zero"):
                vi = T.axis.spatial(4, i)
                T.reads()
                T.writes(A[vi])
                A[vi] = T.float32(0)
)");
    QCOMPARE(m.columns, std::size_t{164});
    QCOMPARE(m.rows(), std::size_t{0});
}

void PerStoreFeatureTest::optionsChangeTheColumns() {
    cost::PerStoreFeatureOptions options;
    options.extractWorkload = true;
    options.isGpu = true;
    const cost::FeatureMatrix m = featuresOf(kMatmul, options);
    QCOMPARE(m.columns, std::size_t{172});
    QCOMPARE(m.values[49], 1.0F);
    for (std::size_t i = 164; i < 172; ++i)
        QCOMPARE(m.values[i], i == 168 ? 1.0F : 0.0F); // the block is called matmul
    options = {};
    options.buffersPerStore = 2;
    options.arithIntensityCurveNumSamples = 4;
    QCOMPARE(featuresOf(kMatmul, options).columns, std::size_t{57 + 36 + 4 + 7});
}

void PerStoreFeatureTest::threadsAgree() {
    const ir::Module module = ir::parseModule(kCached);
    const std::vector<float> expected = cost::extractPerStoreFeatures(module).values;
    std::vector<char> same(4, 0);
    std::vector<std::thread> threads;
    for (char& ok : same)
        threads.emplace_back([&module, &expected, &ok] {
            ok = 1;
            for (int i = 0; i < 200; ++i)
                ok = ok && cost::extractPerStoreFeatures(module).values == expected;
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const char ok : same)
        QVERIFY(ok);
}

QTEST_GUILESS_MAIN(PerStoreFeatureTest)
#include "per_store_feature_test.moc"
