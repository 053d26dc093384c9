// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/index_map.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/structural.h>
#include <tilewright/ir/tvm_json.h>

#include <QtTest/QTest>

#include <string>

using namespace tilewright;

namespace {

std::string errorOf(const std::string& json) {
    try {
        ir::moduleFromTvmJson(json);
    } catch (const base::ParseError& error) {
        return error.what();
    }
    return "no error";
}

} // namespace

class TvmGraphTest : public QObject {
    Q_OBJECT
private slots:
    void modulesComeBack() {
        const ir::Module module = ir::parseModule(R"(
@T.prim_func(s_tir=True)
def main(A: T.Buffer((64,), "float32", strides=("s",), offset_factor=4), n: T.int32, p: T.handle("int8", "shared")):
    T.func_attr({"target": T.target({"kind": "llvm", "keys": ["cpu"], "tag": "", "num-cores": 4}), "x": [1, 2.5, "a", None, {"k": True}]})
    for i in T.thread_binding(8, thread="threadIdx.x", annotations={"a": T.int32(3)}):
        with T.sblock("b"):
            vi = T.axis.spatial(8, i)
            vk = T.axis.reduce((1, 5), i % 4 + 1)
            T.where(i < 7)
            T.reads(A[vi * 8:vi * 8 + 8])
            T.writes(A[vi * 8:vi * 8 + 8])
            B = T.match_buffer(A[vi * 8:vi * 8 + 8], (8,), offset_factor=1)
            with T.init():
                B[0] = T.float32("inf")
            y: T.let[T.int32] = vi * 2
            if y < n:
                B[1] = T.Select(vk < 3, T.exp(B[2]), T.Cast("float32", y))
            for j in T.serial(0, 8, step=2):
                B[j:j + 4] = T.Broadcast(B[0], 4)
            T.evaluate(T.call_extern("int32", "f", B.data, T.tvm_access_ptr(T.type_annotation("float32"), A.data, 0, 8, 1), "s", p))
)");
        const std::string json = ir::moduleToTvmJson(module);
        const ir::Module again = ir::moduleFromTvmJson(json);
        const auto difference = ir::firstDifference(module, again);
        QVERIFY2(!difference, difference.value_or("").c_str());
        QCOMPARE(ir::moduleToTvmJson(again), json);
    }

    void indexMapsHaveTvmsBytes() {
        const ir::IndexMap map = ir::parseIndexMap("lambda a, b: (a // 4,)");
        const std::string json = ir::indexMapToTvmJson(map, ir::JsonLayout::Compact);
        const std::string expected =
            R"({"root_index":11,"nodes":[{"type":"None"},)"
            R"({"type":"ir.PrimType","data":{"span":0,"dtype":"int32"}},)"
            R"({"type":"ffi.String","data":"a"},)"
            R"({"type":"ir.Var","data":{"span":0,"ty":1,"name":2}},)"
            R"({"type":"ffi.String","data":"b"},)"
            R"({"type":"ir.Var","data":{"span":0,"ty":1,"name":4}},)"
            R"({"type":"ffi.Array","data":[3,5]},{"type":"int","data":4},)"
            R"({"type":"ir.IntImm","data":{"span":0,"ty":1,"value":7}},)"
            R"({"type":"prim.FloorDiv","data":{"span":0,"ty":1,"a":3,"b":8}},)"
            R"({"type":"ffi.Array","data":[9]},)"
            R"({"type":"tirx.IndexMap","data":{"initial_indices":6,"final_indices":10,)"
            R"("inverse_index_map":0}}],"metadata":{"tvm_version":"0.27.0.post1"}})";
        QCOMPARE(QString::fromStdString(json), QString::fromStdString(expected));
        QVERIFY(ir::structuralEqual(map, ir::indexMapFromTvmJson(json)));
        QVERIFY(ir::structuralEqual(map, ir::indexMapFromTvmJson(ir::indexMapToTvmJson(map))));
    }

    void readsTheOldContainer() {
        // `A[i] = 1.0` of a function over A, as TVM up to 0.20 writes it.
        const std::string json = R"({"root":1,"nodes":[{"type_key":""},
{"type_key":"IRModule","attrs":{"functions":"2","global_var_map_":"0","attrs":"0"}},
{"type_key":"Map","data":[3,5]},
{"type_key":"GlobalVar","attrs":{"name_hint":"4"}},{"type_key":"runtime.String","repr_str":"main"},
{"type_key":"tir.PrimFunc","attrs":{"params":"6","buffer_map":"8","body":"17","ret_type":"0","attrs":"0"}},
{"type_key":"Array","data":[7]},
{"type_key":"tir.Var","attrs":{"dtype":"handle","name":"9","type_annotation":"0"}},
{"type_key":"Map","data":[7,10]},{"type_key":"runtime.String","repr_str":"A_handle"},
{"type_key":"tir.Buffer","attrs":{"axis_separators":"15","buffer_type":"1","data":"11","data_alignment":"64","dtype":"float32","elem_offset":"0","name":"16","offset_factor":"1","shape":"13","strides":"15"}},
{"type_key":"tir.Var","attrs":{"dtype":"handle","name":"16","type_annotation":"12"}},
{"type_key":"PointerType","attrs":{"element_type":"20","storage_scope":"0"}},
{"type_key":"Array","data":[14]},{"type_key":"IntImm","attrs":{"dtype":"int32","value":"128"}},
{"type_key":"Array"},{"type_key":"runtime.String","repr_str":"A"},
{"type_key":"tir.BufferStore","attrs":{"buffer":"10","indices":"18","predicate":"0","value":"19"}},
{"type_key":"Array","data":[21]},{"type_key":"FloatImm","attrs":{"dtype":"float32","value":"1"}},
{"type_key":"PrimType","attrs":{"dtype":"float32"}},
{"type_key":"IntImm","attrs":{"dtype":"int32","value":"3"}}],
"b64ndarrays":[],"attrs":{"tvm_version":"0.20.0"}})";
        const ir::Module module = ir::moduleFromTvmJson(json);
        const ir::Module expected = ir::parseModule("@T.prim_func(private=True, s_tir=True)\ndef "
                                                    "main(A: T.Buffer((128,), \"float32\")):\n"
                                                    "    A[3] = T.float32(1)\n");
        const auto difference = ir::firstDifference(module, expected);
        QVERIFY2(!difference, difference.value_or("").c_str());
    }

    void refusesWhatIsNoGraph() {
        QVERIFY(errorOf("{}").find("no graph of TVM") != std::string::npos);
        QVERIFY(errorOf("garbage").find("1:1") != std::string::npos);
        QVERIFY(
            errorOf(R"({"root_index":0,"nodes":[{"type":"None"}]})").find("expected a module") !=
            std::string::npos);
        QVERIFY(errorOf(R"({"root_index":7,"nodes":[{"type":"None"}]})").find("no node 7") !=
                std::string::npos);
        // A cycle.
        QVERIFY(errorOf(R"({"root_index":1,"nodes":[{"type":"None"},{"type":"tirx.PrimFunc","data":
{"params":2,"body":3}},{"type":"ffi.Array","data":[]},{"type":"tirx.While","data":{"condition":4,"body":3}},
{"type":"prim.Not","data":{"a":4}}]})")
                    .find("cycle") != std::string::npos);
        // A graph that shares one sum in itself, 2^60 times when written out.
        std::string json =
            R"({"root_index":1,"nodes":[{"type":"None"},{"type":"tirx.PrimFunc","data":
{"params":2,"body":3}},{"type":"ffi.Array","data":[]},{"type":"tirx.Evaluate","data":{"value":66}},
{"type":"ir.PrimType","data":{"dtype":"int32"}},{"type":"int","data":1},{"type":"ir.IntImm","data":{"ty":4,"value":5}})";
        for (int i = 0; i < 60; ++i) {
            const std::string below = std::to_string(6 + i);
            json +=
                R"(,{"type":"prim.Add","data":{"ty":4,"a":)" + below + R"(,"b":)" + below + "}}";
        }
        json += "]}";
        QVERIFY(errorOf(json).find("too large") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TvmGraphTest)
#include "tvm_graph_test.moc"
