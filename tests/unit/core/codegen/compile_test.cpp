// SPDX-License-Identifier: Apache-2.0
#include "loaded_kernel.h"
#include "matmul_module.h"

#include <tilewright/codegen/llvm_cpu_features.h>
#include <tilewright/codegen/peaks.h>
#include <tilewright/ir/parser.h>
#include <tilewright/target/host.h>
#include <tilewright/target/parse_target.h>

#include <QtTest/QTest>

#include <cmath>
#include <cstring>

namespace {

using namespace tilewright;

constexpr codegen::CodegenOptions kVerified{codegen::Effort::Quick, true};

std::string module(const std::string& parameters, const std::string& body) {
    return "from tvm.script import ir as I\nfrom tvm.script import tirx as "
           "T\n\n@I.ir_module\nclass "
           "Module:\n    @T.prim_func(s_tir=True)\n    def main(" +
           parameters + "):\n" + body;
}

codegen::SharedObject compiled(const ir::Module& m) {
    auto object = codegen::compileModule(m, target::hostTarget(), kVerified);
    if (!object)
        throw std::runtime_error(object.error().toString());
    return std::move(*object);
}

/// Largest error of a matrix product against double precision, relative to the sum's size.
double matmulError(const test::MatmulTiles& t) {
    test::LoadedKernel kernel(compiled(test::matmulModule(t)));
    const auto n = static_cast<std::size_t>(t.n);
    const auto m = static_cast<std::size_t>(t.m);
    const auto k = static_cast<std::size_t>(t.k);
    test::AlignedArray<float> a(n * k);
    test::AlignedArray<float> b(k * m);
    test::AlignedArray<float> c(n * m, NAN);
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = static_cast<float>(i * 7919 % 13) / 13 - 0.5F;
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = static_cast<float>(i * 104729 % 17) / 17 - 0.5F;
    if (kernel.run({a.data(), b.data(), c.data()}) != 0)
        return 1e9;
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j) {
            double sum = 0;
            for (std::size_t q = 0; q < k; ++q)
                sum += static_cast<double>(a[i * k + q]) * static_cast<double>(b[q * m + j]);
            const double error = std::fabs(sum - static_cast<double>(c[i * m + j]));
            worst = std::max(worst, std::isnan(error) ? 1e9 : error);
        }
    return worst;
}

class CompileTest : public QObject {
    Q_OBJECT

private slots:
    void matmulsOfAllShapes() {
        const std::vector<test::MatmulTiles> cases{
            {.n = 48, .m = 64, .k = 32, .i2 = 2, .i3 = 6, .j3 = 16, .k1 = 8},
            {.n = 48, .m = 64, .k = 32, .i3 = 6, .j3 = 16, .k1 = 32, .cacheWrite = false},
            {.n = 64, .m = 64, .k = 32, .i3 = 16, .j3 = 64, .k1 = 8},
            {.n = 64, .m = 128, .k = 32, .i2 = 4, .i3 = 1, .j3 = 64, .k1 = 4, .unrollStep = 512},
            {.n = 30, .m = 28, .k = 24, .i3 = 5, .j3 = 14, .k1 = 8},
            {.n = 30, .m = 21, .k = 24, .i3 = 6, .j3 = 7, .k1 = 24, .unrollStep = 64},
            {.n = 30, .m = 39, .k = 7, .i3 = 3, .j3 = 13, .k1 = 7},
            {.n = 16, .m = 15, .k = 9, .i3 = 16, .j3 = 3, .k1 = 3},
            {.n = 48, .m = 64, .k = 32, .i2 = 8, .i3 = 6, .j3 = 16, .k1 = 32, .pack = 16},
            {.n = 5, .m = 11, .k = 3, .i3 = 1, .j3 = 1, .k1 = 1},
            {.n = 7, .m = 160, .k = 16, .i3 = 7, .j2 = 2, .j3 = 80, .k1 = 16, .parallel = false},
        };
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const double error = matmulError(cases[i]);
            if (!(error < 1e-5))
                qWarning("case %zu: error %g", i, error);
            QVERIFY(error < 1e-5);
        }
    }

    /// The product's inner loop holds its sums in registers: nothing is stored between the first
    /// and the last multiply-add.
    void accumulatorsStayInRegisters() {
        if (!codegen::llvmCpuFeatures()->hasFeature(target::parseTarget("llvm -mcpu=core-avx2"),
                                                    "fma"))
            QSKIP("no x86 code generator");
        for (const auto& [i3, j3] : {std::pair{6, 16}, std::pair{4, 24}, std::pair{14, 8},
                                     std::pair{16, 64}, std::pair{4, 32}}) {
            const test::MatmulTiles t{
                .n = 16 * i3, .m = 4 * j3, .k = 64, .i3 = i3, .j3 = j3, .k1 = 64};
            const auto text = codegen::emitAssembly(
                test::matmulModule(t),
                target::parseTarget("llvm -mtriple=x86_64-linux-gnu -mcpu=core-avx2"), kVerified);
            QVERIFY(text.has_value());
            // Every basic block with multiply-adds stores nothing.
            std::size_t blocks = 0;
            std::size_t from = 0;
            for (std::size_t at = 0; at <= text->size(); ++at) {
                if (at != text->size() && text->compare(at, 4, "\n.LB") != 0)
                    continue;
                const std::string block = text->substr(from, at - from);
                from = at;
                if (block.find("vfmadd") == std::string::npos)
                    continue;
                ++blocks;
                const std::size_t first = block.find("vfmadd");
                const std::size_t last = block.rfind("vfmadd");
                for (std::size_t p = first; p < last;) {
                    const std::size_t end = block.find('\n', p);
                    const std::string line = block.substr(p, end - p);
                    QVERIFY2(line.find("(%rsp)") == std::string::npos, line.c_str());
                    p = end + 1;
                }
            }
            QVERIFY(blocks > 0);
        }
    }

    void paddedConvolution() {
        const std::string text = module(
            "X: T.Buffer((1, 4, 14, 14), \"float32\"), W: T.Buffer((8, 4, 3, 3), \"float32\"), Y: "
            "T.Buffer((1, 8, 14, 14), \"float32\")",
            R"(        pad = T.sblock_alloc_buffer((1, 4, 16, 16))
        for c, h in T.grid(4, 16):
            for w in T.vectorized(16):
                with T.sblock("pad"):
                    vc, vh, vw = T.axis.remap("SSS", [c, h, w])
                    pad[0, vc, vh, vw] = T.if_then_else(1 <= vh and vh < 15 and 1 <= vw and vw < 15, X[0, vc, vh - 1, vw - 1], T.float32(0.0))
        for o, h in T.grid(8, 14):
            for w in T.vectorized(14):
                with T.sblock("init"):
                    vo, vh, vw = T.axis.remap("SSS", [o, h, w])
                    Y[0, vo, vh, vw] = T.float32(0.0)
            for c, kh, kw in T.grid(4, 3, 3):
                for w in T.vectorized(14):
                    with T.sblock("Y"):
                        vo, vh, vw, vc, vkh, vkw = T.axis.remap("SSSRRR", [o, h, w, c, kh, kw])
                        Y[0, vo, vh, vw] = Y[0, vo, vh, vw] + pad[0, vc, vh + vkh, vw + vkw] * W[vo, vc, vkh, vkw]
)");
        test::LoadedKernel kernel(compiled(ir::parseModule(text)));
        test::AlignedArray<float> x(4 * 14 * 14);
        test::AlignedArray<float> w(8 * 4 * 9);
        test::AlignedArray<float> y(8 * 14 * 14, NAN);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = static_cast<float>(i % 11) - 5;
        for (std::size_t i = 0; i < w.size(); ++i)
            w[i] = static_cast<float>(i % 7) - 3;
        QCOMPARE(kernel.run({x.data(), w.data(), y.data()}), 0);
        for (int o = 0; o < 8; ++o)
            for (int h = 0; h < 14; ++h)
                for (int q = 0; q < 14; ++q) {
                    float sum = 0;
                    for (int c = 0; c < 4; ++c)
                        for (int i = 0; i < 3; ++i)
                            for (int j = 0; j < 3; ++j) {
                                const int a = h + i - 1;
                                const int b = q + j - 1;
                                if (a >= 0 && a < 14 && b >= 0 && b < 14)
                                    sum +=
                                        x[static_cast<std::size_t>((c * 14 + a) * 14 + b)] *
                                        w[static_cast<std::size_t>(((o * 4 + c) * 3 + i) * 3 + j)];
                            }
                    QCOMPARE(y[static_cast<std::size_t>((o * 14 + h) * 14 + q)], sum);
                }
    }

    void guardsInsideVectors() {
        const std::string text =
            module("X: T.Buffer((100,), \"float32\"), Y: T.Buffer((100,), \"float32\")",
                   R"(        for i0 in T.parallel(7):
            for i1 in T.vectorized(16):
                with T.sblock("Y"):
                    v = T.axis.spatial(100, i0 * 16 + i1)
                    T.where(i0 * 16 + i1 < 100)
                    Y[v] = X[99 - v] * T.float32(2.0)
)");
        test::LoadedKernel kernel(compiled(ir::parseModule(text)));
        test::AlignedArray<float> x(100);
        test::AlignedArray<float> y(128, -1);
        for (std::size_t i = 0; i < 100; ++i)
            x[i] = static_cast<float>(i);
        QCOMPARE(kernel.run({x.data(), y.data()}), 0);
        for (std::size_t i = 0; i < 100; ++i)
            QCOMPARE(y[i], 2 * x[99 - i]);
        for (std::size_t i = 100; i < 128; ++i)
            QCOMPARE(y[i], -1.0F);
    }

    void stridedAndDividedIndices() {
        const std::string text =
            module("X: T.Buffer((64, 7), \"float32\"), Y: T.Buffer((7, 64), \"float32\"), Z: "
                   "T.Buffer((224,), \"float32\")",
                   R"(        for f in T.vectorized(448):
            with T.sblock("Y"):
                vi = T.axis.spatial(7, f // 64)
                vj = T.axis.spatial(64, f % 64)
                Y[vi, vj] = X[vj, vi]
        for i in range(7):
            for j in T.vectorized(32):
                with T.sblock("Z"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    Z[vi * 32 + vj] = Y[vi, vj * 2]
)");
        test::LoadedKernel kernel(compiled(ir::parseModule(text)));
        test::AlignedArray<float> x(448);
        test::AlignedArray<float> y(448);
        test::AlignedArray<float> z(224);
        for (std::size_t i = 0; i < 448; ++i)
            x[i] = static_cast<float>(i);
        QCOMPARE(kernel.run({x.data(), y.data(), z.data()}), 0);
        for (std::size_t i = 0; i < 7; ++i)
            for (std::size_t j = 0; j < 64; ++j)
                QCOMPARE(y[i * 64 + j], x[j * 7 + i]);
        for (std::size_t i = 0; i < 224; ++i)
            QCOMPARE(z[i], y[i / 32 * 64 + i % 32 * 2]);
    }

    void smallTypes() {
        const std::string text = module(
            "A: T.Buffer((32,), \"int8\"), B: T.Buffer((32,), \"bfloat16\"), C: T.Buffer((32,), "
            "\"float16\"), D: T.Buffer((32,), \"bool\"), Y: T.Buffer((32,), \"float32\"), Z: "
            "T.Buffer((32,), \"bfloat16\"), I: T.Buffer((32,), \"int32\")",
            R"(        for i in T.vectorized(32):
            with T.sblock("Y"):
                v = T.axis.spatial(32, i)
                Y[v] = T.Cast("float32", B[v]) + T.Cast("float32", C[v] + C[v])
        for i in T.vectorized(32):
            with T.sblock("Z"):
                v = T.axis.spatial(32, i)
                Z[v] = B[v] * B[v]
        for i in T.vectorized(32):
            with T.sblock("I"):
                v = T.axis.spatial(32, i)
                I[v] = T.Select(D[v], T.Cast("int32", A[v]) * T.Cast("int32", A[v]), -7)
)");
        test::LoadedKernel kernel(compiled(ir::parseModule(text)));
        test::AlignedArray<std::int8_t> a(32);
        test::AlignedArray<std::uint16_t> b(32);
        test::AlignedArray<std::uint16_t> c(32, 0x3c00); // 1.0
        test::AlignedArray<std::uint8_t> d(32);
        test::AlignedArray<float> y(32);
        test::AlignedArray<std::uint16_t> z(32);
        test::AlignedArray<std::int32_t> result(32);
        for (std::size_t i = 0; i < 32; ++i) {
            a[i] = static_cast<std::int8_t>(i * 8 - 128);
            const float f = static_cast<float>(i) / 4;
            std::uint32_t bits = 0;
            std::memcpy(&bits, &f, 4);
            b[i] = static_cast<std::uint16_t>(bits >> 16);
            d[i] = i % 3 == 0;
        }
        QCOMPARE(
            kernel.run({a.data(), b.data(), c.data(), d.data(), y.data(), z.data(), result.data()}),
            0);
        for (std::size_t i = 0; i < 32; ++i) {
            QCOMPARE(y[i], static_cast<float>(i) / 4 + 2);
            QCOMPARE(result[i], d[i] ? int(a[i]) * int(a[i]) : -7);
            const std::uint32_t bits = static_cast<std::uint32_t>(z[i]) << 16;
            float square = 0;
            std::memcpy(&square, &bits, 4);
            QVERIFY(std::fabs(square - static_cast<float>(i * i) / 16) <=
                    static_cast<float>(i * i) / 16 / 128);
        }
    }

    void largeBuffersComeFromThePool() {
        const std::string text =
            module("X: T.Buffer((40000,), \"float32\"), Y: T.Buffer((40000,), \"float32\")",
                   R"(        B = T.sblock_alloc_buffer((40000,))
        for i in range(40000):
            with T.sblock("B"):
                v = T.axis.spatial(40000, i)
                B[v] = X[v] + T.float32(1.0)
        for i in T.parallel(40000):
            with T.sblock("Y"):
                v = T.axis.spatial(40000, i)
                Y[v] = B[39999 - v]
)");
        test::LoadedKernel kernel(compiled(ir::parseModule(text)));
        test::AlignedArray<float> x(40000, 3);
        test::AlignedArray<float> y(40000);
        x[0] = 9;
        QCOMPARE(kernel.run({x.data(), y.data()}), 0);
        QCOMPARE(y[39999], 10.0F);
        QCOMPARE(y[0], 4.0F);
    }

    void libraryWithEntryPoint() {
        const std::string text =
            module("X: T.Buffer((16,), \"float32\"), Y: T.Buffer((16,), \"float32\")",
                   R"(        for i in T.vectorized(16):
            with T.sblock("Y"):
                v = T.axis.spatial(16, i)
                Y[v] = Y[v] + X[v] * T.float32(2.0)
)");
        const std::vector<float> weights(16, 1.5F);
        codegen::Library library;
        library.kernels = {{"step", ir::parseModule(text).find("main")}};
        library.constants = {
            {"weights", {reinterpret_cast<const char*>(weights.data()), 64}, false}};
        using Kind = codegen::CallArgument::Kind;
        codegen::LibraryEntry entry{"run", {}, 64};
        entry.calls = {{"step", {{Kind::Constant, 0, 0}, {Kind::Parameter, 0, 0}}},
                       {"step", {{Kind::Parameter, 0, 0}, {Kind::Parameter, 1, 0}}}};
        library.entries = {entry};
        const auto object = codegen::compileLibrary(library, target::hostTarget(), kVerified);
        QVERIFY(object.has_value());
        test::LoadedKernel kernel(*object);
        test::AlignedArray<float> a(16, 1);
        test::AlignedArray<float> b(16, 0);
        QCOMPARE(kernel.run({a.data(), b.data()}, "run"), 0);
        QCOMPARE(a[3], 4.0F);
        QCOMPARE(b[3], 8.0F);
        QCOMPARE(*static_cast<const std::uint32_t*>(kernel.symbol("tw_library_abi")), 1U);
        QVERIFY(kernel.symbol("tw_library_features") != nullptr);
    }

    void problemsAreDiagnostics() {
        const std::string threads =
            module("Y: T.Buffer((16,), \"float32\")",
                   R"(        for i in T.thread_binding(16, thread="threadIdx.x"):
            with T.sblock("Y"):
                v = T.axis.spatial(16, i)
                Y[v] = T.float32(0.0)
)");
        const auto refused =
            codegen::compileModule(ir::parseModule(threads), target::hostTarget(), kVerified);
        QVERIFY(!refused.has_value());
        QCOMPARE(QString::fromStdString(refused.error().kind), QString("codegen"));
        const auto product = test::matmulModule({.n = 6, .m = 16, .k = 4, .k1 = 4});
        const auto unknown =
            codegen::compileModule(product, target::Target("llvm", {"cpu"}, {{"mcpu", "z80"}}));
        QVERIFY(!unknown.has_value());
        QCOMPARE(QString::fromStdString(unknown.error().kind), QString("target"));
        QVERIFY(!codegen::compileModule(product, target::Target("cuda", {"gpu"})).has_value());
    }

    void crossTargets() {
        const auto product =
            test::matmulModule({.n = 12, .m = 32, .k = 8, .i3 = 6, .j3 = 16, .k1 = 8});
        for (const char* text :
             {"riscv64-rvv256", "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a76",
              "llvm -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512"}) {
            const auto object =
                codegen::compileModule(product, target::parseTarget(text), kVerified);
            if (!object)
                qWarning("%s: %s", text, object.error().toString().c_str());
            QVERIFY(object.has_value());
            QVERIFY(object->bytes.compare(0, 4, "\177ELF") == 0);
        }
    }

    void peaksAreMeasured() {
        const auto peaks = codegen::measurePeaks(0.1);
        QVERIFY(peaks.has_value());
        QVERIFY(peaks->bestGflops() > 0.5);
        QVERIFY(peaks->read.size() >= 3);
    }
};

} // namespace

QTEST_GUILESS_MAIN(CompileTest)
#include "compile_test.moc"
