// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/index_map.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/structural.h>

#include <QtTest/QTest>

#include <string>

using namespace tilewright;

namespace {

const std::string kMatmul = R"(# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(X: T.Buffer((256, 64), "float32"), W: T.Buffer((64, 32), "float16"), Y: T.Buffer((256, 32), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        Y_global = T.sblock_alloc_buffer((256, 32))
        for r_0_c_0_fused in T.parallel(64, annotations={"pragma_auto_unroll_max_step": 64}):
            for k_0, r_1, k_1 in T.grid(16, 8, 4):
                for c_1 in T.vectorized(16):
                    with T.sblock("mm"):
                        vr = T.axis.spatial(256, r_0_c_0_fused // 2 * 8 + r_1)
                        vc = T.axis.spatial(32, r_0_c_0_fused % 2 * 16 + c_1)
                        vk = T.axis.reduce(64, k_0 * 4 + k_1)
                        T.where(k_0 * 4 + k_1 < 63)
                        T.reads(X[vr, vk], W[vk, vc])
                        T.writes(Y_global[vr, vc])
                        T.sblock_attr({"meta_schedule.tiling_structure": "SSRSRS"})
                        with T.init():
                            Y_global[vr, vc] = T.float32(0.0)
                        Y_global[vr, vc] = Y_global[vr, vc] + X[vr, vk] * T.Cast("float32", W[vk, vc])
        for ax0, ax1 in T.grid(256, 32):
            with T.sblock("Y_global"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(Y_global[v0, v1])
                T.writes(Y[v0, v1])
                Y[v0, v1] = Y_global[v0, v1])";

/// The statements of a function over A (float32, 128), n (int32) and x (int32).
std::string functionOf(const std::string& body) {
    return "@T.prim_func(s_tir=True)\n"
           "def main(A: T.Buffer((128,), \"float32\"), n: T.int32, x: T.int32):\n    " +
           body + "\n";
}

std::string printedBody(const std::string& body) {
    const ir::PrimFunc function = ir::parseFunction(functionOf(body));
    const std::string text = ir::print(function);
    const auto start = text.find("):\n    ");
    return text.substr(start + 7);
}

std::string errorOf(const std::string& text) {
    try {
        ir::parseModule(text, "f.py");
    } catch (const base::ParseError& error) {
        return error.what();
    }
    return "no error";
}

} // namespace

class ScriptTest : public QObject {
    Q_OBJECT
private slots:
    void printsWhatItReads() {
        const ir::Module module = ir::parseModule(kMatmul);
        QCOMPARE(QString::fromStdString(ir::print(module)), QString::fromStdString(kMatmul));
    }

    void printsStatements_data() {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* text) { QTest::newRow(text) << QString(text); };
        row("A[n] = A[n] * T.float32(0.10000000000000001) - T.float32(\"-inf\")");
        row("T.evaluate(n - 1 - (2 - x) + -3 * x)");
        row("T.evaluate((n + x) * (n // (x // 2)) + (n + (x + 3)))");
        row("T.evaluate(not (n < 3 and x < 4) and (n < 3 or x < 5))");
        row("T.evaluate(T.And(T.bool(True), n < 3))");
        row("T.evaluate(T.Add(n, 0))");
        row("T.evaluate(T.Div(n, 4) + T.truncmod(n, 3) + T.min(n, x))");
        row("T.evaluate(n << 2)");
        row("T.evaluate(n % 2 == 0)");
        row("T.evaluate(T.Cast(\"int64\", n) + T.int64(3))");
        row("T.evaluate(T.Select(n < 3, T.int8(1), T.int8(-2)))");
        row("T.evaluate(T.Let(v + 1, where={v: 3}))");
        row("T.if_then_else(n < 3, A[n], T.float32(0.0))");
        row("T.call_extern(\"int32\", \"f\", A.data, T.address_of(A[3]))");
        row("T.tvm_access_ptr(T.type_annotation(\"float32\"), A.data, 0, 128, 2)");
        row("A[0:8:2] = T.Broadcast(T.float32(1.0), 4)");
        row("A[n:n + 4] = A[T.Ramp(0, 1, 4)]");
        row("T.call_packed(\"aa\", n, T.int64(3), \"s\")");
        row("y: T.let[T.int32] = n * 2\n    T.evaluate(y)");
        row("y: T.int32 = n\n    y = y + 1\n    T.evaluate(y)");
        row("y = T.alloc_local((4,), \"float16\")\n    y[0] = T.float16(1.0)");
        row("B = T.decl_buffer((4, 4), data=A.data, elem_offset=n)\n    B[0, 0] = T.float32(1.0)");
        row("if n > 3:\n        A[0] = T.float32(1.0)\n    else:\n        A[1] = T.float32(2.0)");
        row("while A[0] < T.float32(3.0):\n        A[0] = A[0] + T.float32(1.0)");
        row("assert n < 3, (\"ValueError\", [\"a\", \"b\"])");
        row("with T.attr({\"pragma_x\": 3}):\n        T.evaluate(n)");
        row("tx = T.launch_thread(\"threadIdx.x\", 32)\n    A[tx] = T.float32(0.0)");
        row("for i in range(2, 2 + (n - 2)):\n        A[i] = T.float32(0.0)");
        row("for i in T.serial(3, unroll=False):\n        A[i] = T.float32(0.0)");
        row("for i in T.thread_binding(4, thread=\"threadIdx.x\", annotations={\"d\": {\"a\": "
            "[1, \"x\", True, 1.5]}}):\n        A[i] = T.float32(0.0)");
        row("return n + 1");
    }
    void printsStatements() {
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(printedBody(text.toStdString())), text);
    }

    void namesStayApart() {
        const std::string text = printedBody("for i in range(4):\n        for i in range(3):\n"
                                             "            A[i] = T.float32(1.0)");
        QVERIFY(text.find("for i_1 in range(3):") != std::string::npos ||
                text.find("for i, i_1 in T.grid(4, 3)") != std::string::npos);
    }

    void readsOldSpellings() {
        const std::string old = R"(from tvm.script import tir as T
@T.prim_func
def main(a: T.handle, B: T.Buffer[(16, 16), "float32"]) -> None:
    T.func_attr({"global_symbol": "main", "tir.noalias": T.bool(True)})
    A = T.match_buffer(a, [16, 16], dtype="float32")
    C = T.alloc_buffer([16, 16])
    for i, j in T.grid(16, 16):
        with T.block("c"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + 1.0
    for i, j in T.grid(16, 16):
        with T.block("b"):
            vi = T.axis.S(16, i)
            vj = T.axis.S(16, j)
            T.block_attr({"k": 1})
            B[vi, vj] = C[vi, vj] * T.float32(2)
)";
        const std::string now = R"(from tvm.script import tirx as T
@T.prim_func(s_tir=True)
def main(A: T.Buffer((16, 16)), B: T.Buffer((16, 16), "float32")):
    T.func_attr({"tirx.noalias": True})
    with T.sblock("root"):
        T.reads()
        T.writes()
        C = T.sblock_alloc_buffer((16, 16))
        for i, j in T.grid(16, 16):
            with T.sblock("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = A[vi, vj] + T.float32(1)
        for i, j in T.grid(16, 16):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(C[vi, vj])
                T.writes(B[vi, vj])
                T.sblock_attr({"k": 1})
                B[vi, vj] = C[vi, vj] * T.float32(2)
)";
        const ir::Module a = ir::parseModule(old);
        const ir::Module b = ir::parseModule(now);
        const auto difference = ir::firstDifference(a, b);
        QVERIFY2(!difference, difference.value_or("").c_str());
    }

    void detectsRegions() {
        const std::string text = ir::print(ir::parseFunction(R"(
@T.prim_func(s_tir=True)
def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
    for i in range(16):
        with T.sblock("tile"):
            vi = T.axis.spatial(16, i)
            for j, k in T.grid(4, 64):
                B[vi * 4 + j, k] = A[vi * 4 + j, 63 - k]
)"));
        QVERIFY2(text.find("T.reads(A[vi * 4:vi * 4 + 4, 0:64])") != std::string::npos,
                 text.c_str());
        QVERIFY2(text.find("T.writes(B[vi * 4:vi * 4 + 4, 0:64])") != std::string::npos,
                 text.c_str());
    }

    void readsSymbolicShapes() {
        const std::string text = R"(# from typing import TypeVar
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

m = TypeVar("m")
@T.prim_func(s_tir=True)
def main(A: T.Buffer((m, "n", "k + 1", k), "float16"), n: T.int32):
    k = T.int32()
    T.evaluate(k + n))";
        const ir::Module module = ir::parseModule(text);
        const std::string printed = ir::print(module.functions()[0].second);
        QCOMPARE(QString::fromStdString(printed), QString::fromStdString(text));
        const ir::PrimFunc function = module.functions()[0].second;
        QVERIFY(function->params[0].buffer->shape[0]->dtype == ir::DataType::i(64));
        QVERIFY(function->params[0].buffer->shape[1] == ir::Expr(function->params[1].var));
    }

    void keepsStridesAndOffsets() {
        const std::string text = R"(# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func(s_tir=True)
def main(A: T.Buffer((16, 16), "float16", strides=("s1", "s0"), scope="shared.dyn", offset_factor=16)):
    T.evaluate(A.elem_offset + A.strides[0]))";
        QCOMPARE(QString::fromStdString(ir::print(ir::parseFunction(text))),
                 QString::fromStdString(text));
    }

    void readsIndexMaps() {
        const ir::IndexMap map = ir::parseIndexMap("lambda i, j: (i // 4, j, i % 4)");
        QCOMPARE(ir::print(map), std::string("lambda i, j: (i // 4, j, i % 4)"));
        const std::vector<ir::Expr> at = map.apply({ir::makeInt(9), ir::makeInt(2)});
        QCOMPARE(ir::constInt(at[0]), std::optional<std::int64_t>(2));
        QCOMPARE(ir::constInt(at[2]), std::optional<std::int64_t>(1));
        const ir::IndexMap wide = ir::withIndexType(map, ir::DataType::i(64));
        QVERIFY(wide.finalIndices[0]->dtype == ir::DataType::i(64));
    }

    void refusesWithAPlace_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& text, const char* message) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(message);
        };
        row("unknown name", functionOf("A[0] = y"), "f.py:3:12: the name y is not defined");
        row("rank", functionOf("A[0, 1] = T.float32(1)"), "has 1 dimensions, not 2");
        row("bracket", "@T.prim_func\ndef f(:\n", "f.py:2:7: expected a name, found ':'");
        row("indent", functionOf("for i in range(3):\n    A[i] = T.float32(1)"),
            "expected an indented block");
        row("string", functionOf("A[0] = \"abc"), "does not end on its line");
        row("type", functionOf("A[0] = T.Cast(\"flt\", n)"), "expected a data type");
        row("code", "import os\nos.system(\"x\")\n", "f.py:2:1:");
        row("empty", "", "the text holds no function");
        row("zero bytes", std::string("a\0b", 3), "zero bytes");
        row("statement", functionOf("T.reads(A[0])"), "outside of any block");
        row("operands", functionOf("T.evaluate(n and x)"), "joins conditions");
        row("integer", functionOf("T.evaluate(99999999999999999999999)"), "does not fit 64 bits");
    }
    void refusesWithAPlace() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const QString error = QString::fromStdString(errorOf(text.toStdString()));
        QVERIFY2(error.contains(message), qPrintable(error));
    }

    void refusesWhatIsTooDeep() {
        std::string loops;
        for (int i = 0; i < 100000; ++i)
            loops += "(";
        QVERIFY(errorOf(functionOf("T.evaluate(" + loops)).find("nested too deep") !=
                std::string::npos);
        std::string sum = "n";
        for (int i = 0; i < 100000; ++i)
            sum += " + n";
        QVERIFY(errorOf(functionOf("T.evaluate(" + sum + ")")).find("too deep") !=
                std::string::npos);
        std::string attributes;
        for (int i = 0; i < 5000; ++i)
            attributes += "T.attr({\"a\": 1})\n    ";
        QVERIFY(errorOf(functionOf(attributes + "T.evaluate(n)")).find("too deep") !=
                std::string::npos);
    }
};

QTEST_GUILESS_MAIN(ScriptTest)
#include "script_test.moc"
