// SPDX-License-Identifier: Apache-2.0
// Damaged texts: every reader answers with a module or an error, never with a crash.
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/index_map.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/structural.h>
#include <tilewright/ir/tvm_json.h>

#include <QtTest/QTest>

#include <QElapsedTimer>
#include <random>
#include <string>
#include <vector>

using namespace tilewright;

namespace {

const std::string kScript = R"(# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

m = TypeVar("m")
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((m, "n + 1", 16), "float32", strides=("s", 16, 1), offset_factor=4), n: T.int32, p: T.handle("int8", "shared")):
        T.func_attr({"tirx.noalias": True, "target": T.target({"kind": "llvm", "keys": ["cpu"], "tag": ""})})
        B = T.sblock_alloc_buffer((16, 16), "float16", scope="shared")
        for i, j in T.grid(16, 4):
            for k in T.thread_binding(2, thread="threadIdx.x", annotations={"a": [1, 2.5, "x", True, None]}):
                with T.sblock("b"):
                    vi = T.axis.spatial((2, 16), i)
                    vj, vk = T.axis.remap("SR", [j, k])
                    T.where(i * 4 + j < 15 and not k == 1 or j > 2)
                    C = T.match_buffer(B[vi, vj * 4:vj * 4 + 4], (4,), "float16", offset_factor=1)
                    T.sblock_attr({"meta_schedule.tiling_structure": "SSRSRS"})
                    with T.init():
                        C[0] = T.float16(0.0)
                    x: T.let[T.int32] = vk // 3 % 2 + T.Div(vi, 2)
                    y: T.int32 = x << 2
                    if y < n:
                        C[0:4] = T.Broadcast(T.Cast("float16", T.Select(x < 3, T.exp(A[0, 0, 0]), T.float32("-inf"))), 4)
                    else:
                        T.evaluate(T.call_extern("int32", "f", C.data, T.tvm_access_ptr(T.type_annotation("float16"), C.data, 0, 4, 1), p))
        for i in T.unroll(0, 8, step=2):
            while n < 3:
                B[i, 0] = T.float16(1.5) * B.vload([i, 0])
        assert n < 3, ("ValueError", ["a"])
        T.evaluate(T.Let(v + 1, where={v: 3})))";

const std::vector<std::string> kPieces{"(",           ")",
                                       "[",           "]",
                                       "{",           "}",
                                       ":",           ",",
                                       "=",           "\n",
                                       "    ",        "\"",
                                       "'",           "#",
                                       "\\",          "\t",
                                       "T.",          "T.grid(",
                                       "lambda ",     "-",
                                       "**",          "//",
                                       "n",           "A",
                                       "B[",          "0",
                                       "1e99",        "0x",
                                       "not ",        "and ",
                                       "None",        "T.int64(",
                                       "T.float32(",  "with ",
                                       "for ",        "if ",
                                       "T.reads()",   "T.sblock(\"q\")",
                                       "99999999999", "\xff",
                                       "T.handle",    "T.Buffer(",
                                       "T.let[",      "T.attr(",
                                       ".data",       ".elem_offset",
                                       ".strides[0]", "T.axis.remap(",
                                       "T.Ramp("};

/// One to six small damages at random places.
std::string damaged(const std::string& text, std::mt19937_64& random) {
    std::string out = text;
    const auto pick = [&](std::size_t count) {
        return count == 0 ? 0 : static_cast<std::size_t>(random() % count);
    };
    for (std::size_t i = pick(6) + 1; i > 0; --i) {
        const std::size_t at = pick(out.size());
        switch (pick(6)) {
        case 0:
            out.erase(at, pick(12) + 1);
            break;
        case 1:
            out.insert(at, kPieces[pick(kPieces.size())]);
            break;
        case 2:
            if (!out.empty())
                out[at] = static_cast<char>(pick(256));
            break;
        case 3:
            out.insert(at, out.substr(pick(out.size()), pick(40)));
            break;
        case 4: {
            // A line doubled or dropped.
            const std::size_t start = out.rfind('\n', at);
            const std::size_t end = out.find('\n', at);
            if (start != std::string::npos && end != std::string::npos && start < end) {
                if (pick(2) == 0)
                    out.erase(start, end - start);
                else
                    out.insert(end, out.substr(start, end - start));
            }
            break;
        }
        default:
            out.resize(pick(20) == 0 ? at : out.size());
        }
    }
    return out;
}

std::int64_t budget() {
    const int seconds = qEnvironmentVariableIntValue("TW_FUZZ_SECONDS");
    return (seconds > 0 ? seconds : 5) * 1000;
}

} // namespace

class TextFuzzTest : public QObject {
    Q_OBJECT
private slots:
    void scripts() {
        std::mt19937_64 random(20240607);
        QElapsedTimer timer;
        timer.start();
        int read = 0;
        int refused = 0;
        while (timer.elapsed() < budget()) {
            const std::string text = damaged(kScript, random);
            try {
                const ir::Module module = ir::parseModule(text);
                const std::string printed = ir::print(module);
                ir::structuralHash(module);
                ++read;
            } catch (const base::ParseError&) {
                ++refused;
            } catch (const std::exception& error) {
                QFAIL((std::string("not a ParseError: ") + error.what() + "\n" + text).c_str());
            }
        }
        qInfo("%d texts read, %d refused", read, refused);
        QVERIFY(read > 0 && refused > 0);
    }

    void graphs() {
        std::mt19937_64 random(77);
        const std::string json = ir::moduleToTvmJson(ir::parseModule(kScript));
        const std::string map =
            ir::indexMapToTvmJson(ir::parseIndexMap("lambda a, b: (a // 4 + b, a % 4)"));
        QElapsedTimer timer;
        timer.start();
        int read = 0;
        int refused = 0;
        while (timer.elapsed() < budget()) {
            const bool isModule = random() % 2 == 0;
            std::string text = isModule ? json : map;
            // Numbers are what ties a graph together: change some of them.
            for (int i = static_cast<int>(random() % 4); i >= 0; --i) {
                const std::size_t at = text.find_first_of("0123456789", random() % text.size());
                if (at != std::string::npos)
                    text[at] = static_cast<char>('0' + random() % 10);
            }
            if (random() % 4 == 0)
                text = damaged(text, random);
            try {
                if (isModule) {
                    const ir::Module module = ir::moduleFromTvmJson(text);
                    ir::print(module);
                    ir::structuralHash(module);
                } else {
                    ir::print(ir::indexMapFromTvmJson(text));
                }
                ++read;
            } catch (const base::ParseError&) {
                ++refused;
            } catch (const std::exception& error) {
                QFAIL((std::string("not a ParseError: ") + error.what() + "\n" + text).c_str());
            }
        }
        qInfo("%d graphs read, %d refused", read, refused);
        QVERIFY(read > 0 && refused > 0);
    }
};

QTEST_GUILESS_MAIN(TextFuzzTest)
#include "text_fuzz_test.moc"
