// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/make.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/structural.h>

#include <QtTest/QTest>

#include <string>

using namespace tilewright;

namespace {

std::string matmul(const std::string& prefix, const std::string& extent, const std::string& more) {
    const std::string p = prefix;
    return "@T.prim_func(s_tir=True)\ndef main(" + p + "A: T.Buffer((16, " + extent +
           "), \"float32\"), " + p + "B: T.Buffer((16, 16), \"float32\")):\n" + "    for " + p +
           "i, " + p + "j, " + p + "k in T.grid(16, 16, " + extent + "):\n" +
           "        with T.sblock(\"" + p + "mm\"):\n" + "            " + p + "vi, " + p + "vj, " +
           p + "vk = T.axis.remap(\"SSR\", [" + p + "i, " + p + "j, " + p + "k])\n" + more +
           "            with T.init():\n                " + p + "B[" + p + "vi, " + p +
           "vj] = T.float32(0)\n            " + p + "B[" + p + "vi, " + p + "vj] = " + p + "B[" +
           p + "vi, " + p + "vj] + " + p + "A[" + p + "vi, " + p + "vk]\n";
}

} // namespace

class IdentityTest : public QObject {
    Q_OBJECT
private slots:
    void namesDoNotCount() {
        const ir::Module a = ir::parseModule(matmul("", "32", ""));
        const ir::Module b = ir::parseModule(matmul("q_", "32", ""));
        QVERIFY(ir::structuralEqual(a, b));
        QCOMPARE(ir::structuralHash(a), ir::structuralHash(b));
        QVERIFY(!ir::firstDifference(a, b));
    }

    void everythingElseCounts() {
        const ir::Module a = ir::parseModule(matmul("", "32", ""));
        const ir::Module extent = ir::parseModule(matmul("", "31", ""));
        const ir::Module note =
            ir::parseModule(matmul("", "32", "            T.sblock_attr({\"k\": 1})\n"));
        for (const ir::Module& other : {extent, note}) {
            QVERIFY(!ir::structuralEqual(a, other));
            QVERIFY(ir::structuralHash(a) != ir::structuralHash(other));
        }
        const std::string text = ir::firstDifference(a, note).value_or("");
        QVERIFY2(text.find("block mm, annotations") != std::string::npos, text.c_str());
    }

    void valuesOfAnnotationsKeepTheirKind() {
        QVERIFY(!ir::structuralEqual(ir::AttrValue(1), ir::AttrValue(true)));
        QVERIFY(!ir::structuralEqual(ir::AttrValue(1), ir::AttrValue(ir::makeInt(1))));
        QVERIFY(ir::structuralEqual(ir::AttrValue(ir::AttrValue::Dict{{"a", 1}, {"b", 2}}),
                                    ir::AttrValue(ir::AttrValue::Dict{{"b", 2}, {"a", 1}})));
    }

    void freeVariablesEqualThemselves() {
        const ir::Var x = ir::makeVar("x");
        const ir::Var y = ir::makeVar("y");
        const ir::Expr a = x + ir::makeInt(1);
        const ir::Expr b = y + ir::makeInt(1);
        QVERIFY(!ir::structuralEqual(a, b));
        QVERIFY(ir::structuralEqual(a, b, true));
        QVERIFY(!ir::structuralEqual(ir::Expr(x) + y, ir::Expr(x) + x, true));
        QVERIFY(ir::structuralEqual(a, x + ir::makeInt(1)));
    }

    void anchorsDecide() {
        const std::string epilogue = R"(
@T.prim_func(s_tir=True)
def main(A: T.Buffer((16, 32), "float32"), D: T.Buffer((16, 16), "float32")):
    B = T.sblock_alloc_buffer((16, 16))
    for i, j, k in T.grid(16, 16, 32):
        with T.sblock("mm"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                B[vi, vj] = T.float32(0)
            B[vi, vj] = B[vi, vj] + A[vi, vk]
    for i, j in T.grid(16, 16):
        with T.sblock("relu"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.max(B[vi, vj], T.float32(0))
)";
        const ir::Module plain = ir::parseModule(matmul("", "32", ""));
        const ir::Module fused = ir::parseModule(epilogue);
        QCOMPARE(ir::findAnchorBlock(fused)->name, std::string("mm"));
        QVERIFY(!ir::equalModules(plain, fused, ir::ModuleEquality::Structural));
        QVERIFY(ir::equalModules(plain, fused, ir::ModuleEquality::AnchorBlock));
        QCOMPARE(ir::hashModule(plain, ir::ModuleEquality::AnchorBlock),
                 ir::hashModule(fused, ir::ModuleEquality::AnchorBlock));
        QCOMPARE(ir::moduleEqualityFromName("ignore-tensor"),
                 std::optional(ir::ModuleEquality::IgnoreTensor));
        QVERIFY(!ir::moduleEqualityFromName("ignore-ndarray"));
    }
};

QTEST_GUILESS_MAIN(IdentityTest)
#include "identity_test.moc"
