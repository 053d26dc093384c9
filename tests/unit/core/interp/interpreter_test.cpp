// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/interp/interpreter.h>
#include <tilewright/ir/parser.h>

#include <QtTest/QTest>

#include <cmath>
#include <string>
#include <vector>

using namespace tilewright;

namespace {

runtime::Tensor tensorOf(const char* type, runtime::TensorShape shape,
                         const std::vector<double>& values = {}) {
    auto allocated = runtime::Tensor::allocate(*runtime::parseElementType(type), std::move(shape));
    runtime::Tensor out = std::move(*allocated);
    for (std::int64_t i = 0; i < out.elements(); ++i)
        out.setValueAt(i,
                       values.empty() ? 0.0 : values[static_cast<std::size_t>(i) % values.size()]);
    return out;
}

void runText(const std::string& text, const std::vector<runtime::Tensor*>& tensors,
             const std::vector<std::int64_t>& scalars = {}, interp::RunOptions options = {}) {
    interp::run(ir::parseFunction(text), tensors, scalars, options);
}

std::string errorOf(const std::string& text, const std::vector<runtime::Tensor*>& tensors,
                    const std::vector<std::int64_t>& scalars = {},
                    interp::RunOptions options = {}) {
    try {
        runText(text, tensors, scalars, options);
    } catch (const base::UserError& error) {
        return error.diagnostic().kind;
    }
    return "no error";
}

std::string header(const std::string& params) {
    return "@T.prim_func(s_tir=True)\ndef main(" + params + "):\n";
}

} // namespace

class InterpreterTest : public QObject {
    Q_OBJECT
private slots:
    void multipliesMatrices() {
        const std::string params = "A: T.Buffer((4, 6), \"float32\"), B: T.Buffer((6, 4), "
                                   "\"float32\"), C: T.Buffer((4, 4), \"float32\")";
        const std::string plain = header(params) + R"(
    for i, j, k in T.grid(4, 4, 6):
        with T.sblock("mm"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";
        const std::string scheduled = header(params) + R"(
    with T.sblock("root"):
        T.reads()
        T.writes()
        L = T.sblock_alloc_buffer((4, 4), scope="local")
        for j_0 in T.thread_binding(2, thread="blockIdx.x"):
            for i in T.parallel(4):
                for k_0, k_1 in T.grid(4, 2):
                    for j_1 in T.vectorized(2):
                        with T.sblock("mm"):
                            vi = T.axis.spatial(4, i)
                            vj = T.axis.spatial(4, j_0 * 2 + j_1)
                            vk = T.axis.reduce(6, k_0 * 2 + k_1)
                            T.where(k_0 * 2 + k_1 < 6)
                            with T.init():
                                L[vi, vj] = T.float32(0)
                            L[vi, vj] = L[vi, vj] + A[vi, vk] * B[vk, vj]
        for i in range(4):
            with T.sblock("out"):
                vi = T.axis.spatial(4, i)
                D = T.match_buffer(C[vi, 0:4], (4,), offset_factor=1)
                D[0:4] = L[vi, T.Ramp(0, 1, 4)]
)";
        runtime::Tensor a = tensorOf("float32", {4, 6}, {1, -2, 3, 0.5, 5});
        runtime::Tensor b = tensorOf("float32", {6, 4}, {2, 1, -1, 7, 0.25, 3, 9});
        runtime::Tensor c = tensorOf("float32", {4, 4}, {77});
        runtime::Tensor d = tensorOf("float32", {4, 4}, {78});
        runText(plain, {&a, &b, &c});
        runText(scheduled, {&a, &b, &d});
        for (std::int64_t i = 0; i < 4; ++i) {
            for (std::int64_t j = 0; j < 4; ++j) {
                double sum = 0;
                for (std::int64_t k = 0; k < 6; ++k)
                    sum += a.valueAt(i * 6 + k) * b.valueAt(k * 4 + j);
                QCOMPARE(c.valueAt(i * 4 + j), sum);
                QCOMPARE(d.valueAt(i * 4 + j), sum);
            }
        }
    }

    void roundsToTheType() {
        runtime::Tensor i8 = tensorOf("int8", {1}, {100});
        runtime::Tensor u8 = tensorOf("uint8", {1}, {200});
        runtime::Tensor half = tensorOf("float16", {1}, {2048});
        runtime::Tensor brain = tensorOf("bfloat16", {1}, {256});
        runtime::Tensor i32 = tensorOf("int32", {8});
        runText(header("A: T.Buffer((1,), \"int8\"), B: T.Buffer((1,), \"uint8\"), H: "
                       "T.Buffer((1,), \"float16\"), G: T.Buffer((1,), \"bfloat16\"), "
                       "R: T.Buffer((8,), \"int32\")") +
                    R"(
    A[0] = A[0] + A[0]
    B[0] = B[0] + B[0]
    H[0] = H[0] + T.float16(1)
    G[0] = G[0] + T.bfloat16(1)
    R[0] = T.Cast("int32", T.float32(-2.75))
    R[1] = T.FloorDiv(-7, 2)
    R[2] = T.FloorMod(-7, 2)
    R[3] = T.Div(-7, 2)
    R[4] = T.truncmod(-7, 2)
    R[5] = T.reinterpret("int32", T.float32(1.0))
    R[6] = T.shift_right(-8, 1)
    R[7] = T.if_then_else(R[0] < 0, T.clz(R[1]), R[99])
)",
                {&i8, &u8, &half, &brain, &i32});
        QCOMPARE(i8.valueAt(0), -56.0);
        QCOMPARE(u8.valueAt(0), 144.0);
        QCOMPARE(half.valueAt(0), 2048.0);
        QCOMPARE(brain.valueAt(0), 256.0);
        const std::vector<double> expected{-2, -4, 1, -3, -1, 1065353216, -4, 0};
        for (std::size_t i = 0; i < expected.size(); ++i)
            QCOMPARE(i32.valueAt(static_cast<std::int64_t>(i)), expected[i]);
    }

    void runsTheByteDotProduct() {
        runtime::Tensor a = tensorOf("uint8", {4}, {200, 1, 2, 3});
        runtime::Tensor b = tensorOf("int8", {16, 4}, {-1, 2, 3, -4, 5});
        runtime::Tensor c = tensorOf("int32", {16}, {10});
        runText(header("A: T.Buffer((4,), \"uint8\"), B: T.Buffer((16, 4), \"int8\"), "
                       "C: T.Buffer((16,), \"int32\")") +
                    R"(
    B1 = T.decl_buffer((64,), "int8", data=B.data)
    x: T.uint8x4 = A[T.Ramp(0, 1, 4)]
    y: T.int32 = T.reinterpret("int32", x)
    z: T.int8x64 = B1[T.Ramp(0, 1, 64)]
    C[0:16] = T.call_llvm_pure_intrin("int32x16", "llvm.x86.avx512.vpdpbusd.512", C[T.Ramp(0, 1, 16)], T.Broadcast(y, 16), T.reinterpret("int32x16", z))
)",
                {&a, &b, &c});
        for (std::int64_t i = 0; i < 16; ++i) {
            double sum = 10;
            for (std::int64_t k = 0; k < 4; ++k)
                sum += a.valueAt(k) * b.valueAt(i * 4 + k);
            QCOMPARE(c.valueAt(i), sum);
        }
    }

    void bindsSymbols() {
        runtime::Tensor a = tensorOf("float32", {5, 3}, {1, 2, 3});
        runtime::Tensor b = tensorOf("float32", {6}, {0});
        const std::string text = R"(
m = TypeVar("m")
@T.prim_func(s_tir=True)
def main(A: T.Buffer((m, "n"), "float32"), B: T.Buffer((m + T.int64(1),), "float32"), s: T.int32):
    n = T.int32()
    for i in range(n):
        B[i] = A[1, i] * T.Cast("float32", s)
)";
        runText(text, {&a, &b}, {10});
        QCOMPARE(b.valueAt(2), 30.0);
        runtime::Tensor wrong = tensorOf("float32", {5});
        QCOMPARE(errorOf(text, {&a, &wrong}, {10}), std::string("argument-mismatch"));
        QCOMPARE(errorOf(text, {&a}, {10}), std::string("argument-mismatch"));
    }

    void refusesWhatIsWrong() {
        runtime::Tensor a = tensorOf("float32", {4});
        const std::string params = "A: T.Buffer((4,), \"float32\"), n: T.int32";
        const auto kind = [&](const std::string& body, std::int64_t n,
                              interp::RunOptions options = {}) {
            return errorOf(header(params) + body, {&a}, {n}, options);
        };
        QCOMPARE(kind("    A[n] = T.float32(1)\n", 4), std::string("out-of-bounds"));
        QCOMPARE(kind("    A[n] = T.float32(1)\n", -1), std::string("out-of-bounds"));
        QCOMPARE(kind("    A[n] = T.float32(1)\n", 3), std::string("no error"));
        QCOMPARE(kind("    A[3 // n] = T.float32(1)\n", 0), std::string("division-by-zero"));
        QCOMPARE(kind("    assert n < 3, \"too many\"\n    A[0] = T.float32(1)\n", 3),
                 std::string("assertion"));
        QCOMPARE(kind("    T.call_extern(\"int32\", \"f\", A.data)\n", 0),
                 std::string("interpreter-unsupported"));
        QCOMPARE(kind("    while n < 3:\n        A[0] = T.float32(1)\n", 0, {1000}),
                 std::string("interpreter-limit"));
    }

    void evaluatesFunctions() {
        runtime::Tensor a = tensorOf("float32", {6}, {0.5});
        runText(header("A: T.Buffer((6,), \"float32\")") + R"(
    A[1] = T.exp(A[0])
    A[2] = T.erf(A[0]) + T.sigmoid(A[0]) * T.tanh(A[0])
    A[3] = T.pow(A[0], T.float32(3)) - T.rsqrt(A[0])
    A[4] = T.max(T.round(T.float32(2.5)), T.fma(A[0], A[0], A[0]))
    A[5] = T.Select(T.isnan(A[0]), T.float32(1), T.Cast("float32", T.popcount(255)))
)",
                {&a});
        QCOMPARE(static_cast<float>(a.valueAt(1)), std::exp(0.5F));
        QVERIFY(std::abs(a.valueAt(2) - (std::erf(0.5) + std::tanh(0.5) / (1 + std::exp(-0.5)))) <
                1e-6);
        QVERIFY(std::abs(a.valueAt(3) - (0.125 - std::sqrt(2.0))) < 1e-6);
        QCOMPARE(a.valueAt(4), 3.0);
        QCOMPARE(a.valueAt(5), 8.0);
    }
};

QTEST_GUILESS_MAIN(InterpreterTest)
#include "interpreter_test.moc"
