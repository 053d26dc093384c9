// SPDX-License-Identifier: Apache-2.0
#include "loaded_kernel.h"

#include <tilewright/ir/parser.h>
#include <tilewright/target/host.h>

#include <QtTest/QTest>

#include <cmath>
#include <functional>

namespace {

using namespace tilewright;

struct MathCase {
    const char* op;
    std::function<double(double)> reference;
    float low;
    float high;
    double ulps; ///< largest error in units of float32's last place, near the result
};

std::string script(const std::string& op, const std::string& type) {
    return "from tvm.script import ir as I\nfrom tvm.script import tirx as "
           "T\n\n@I.ir_module\nclass "
           "Module:\n    @T.prim_func(s_tir=True)\n    def main(X: T.Buffer((1000,), \"" +
           type + "\"), Y: T.Buffer((1000,), \"" + type +
           "\")):\n        for i0 in range(20):\n            for i1 in T.vectorized(50):\n"
           "                with T.sblock(\"Y\"):\n                    v = T.axis.spatial(1000, i0 "
           "* "
           "50 + i1)\n                    T.reads(X[v])\n                    T.writes(Y[v])\n"
           "                    Y[v] = T." +
           op + "(X[v])\n";
}

codegen::SharedObject compiled(const std::string& text) {
    auto object = codegen::compileModule(ir::parseModule(text), target::hostTarget(),
                                         {codegen::Effort::Quick, true});
    if (!object)
        throw std::runtime_error(object.error().toString());
    return std::move(*object);
}

class VectorMathTest : public QObject {
    Q_OBJECT

private slots:
    void float32IsWithinAFewUlps() {
        const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
        const std::vector<MathCase> cases{
            {"exp", [](double x) { return std::exp(x); }, -80, 80, 2},
            {"log", [](double x) { return std::log(x); }, 1e-6F, 1e6F, 3},
            {"tanh", [](double x) { return std::tanh(x); }, -10, 10, 4},
            {"erf", [](double x) { return std::erf(x); }, -4.5F, 4.5F, 4},
            {"sigmoid", sigmoid, -30, 30, 4},
            {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 1e-3F, 1e3F, 2},
            {"sqrt", [](double x) { return std::sqrt(x); }, 0, 1e3F, 1},
            {"sin", [](double x) { return std::sin(x); }, -3, 3, 4},
            {"cos", [](double x) { return std::cos(x); }, -1.5F, 1.5F, 4},
            {"atan", [](double x) { return std::atan(x); }, -20, 20, 4},
            {"round", [](double x) { return std::round(x); }, -20, 20, 0},
            {"floor", [](double x) { return std::floor(x); }, -20, 20, 0},
        };
        for (const MathCase& c : cases) {
            test::LoadedKernel kernel(compiled(script(c.op, "float32")));
            test::AlignedArray<float> x(1000);
            test::AlignedArray<float> y(1000, NAN);
            for (std::size_t i = 0; i < 1000; ++i)
                x[i] = c.low + (c.high - c.low) * static_cast<float>(i) / 999.0F;
            QCOMPARE(kernel.run({x.data(), y.data()}), 0);
            for (std::size_t i = 0; i < 1000; ++i) {
                const double expected = c.reference(x[i]);
                const double ulp = std::max(std::fabs(expected), 1e-30) * std::ldexp(1.0, -23);
                const double error = std::fabs(y[i] - expected) / ulp;
                const bool ok = error <= c.ulps || std::fabs(y[i] - expected) < 1e-9;
                if (!ok)
                    qWarning("%s(%g) = %g, expected %g: %g ulp", c.op, double(x[i]), double(y[i]),
                             expected, error);
                QVERIFY(ok);
            }
        }
    }

    void specialValuesAreKept() {
        const float inf = INFINITY;
        struct Special {
            const char* op;
            float x;
            float y;
        };
        const std::vector<Special> cases{{"exp", -inf, 0},      {"exp", inf, inf},
                                         {"exp", NAN, NAN},     {"exp", 0, 1},
                                         {"exp", 100, inf},     {"exp", -200, 0},
                                         {"log", 0, -inf},      {"log", inf, inf},
                                         {"log", -1, NAN},      {"log", 1, 0},
                                         {"tanh", inf, 1},      {"tanh", -inf, -1},
                                         {"tanh", NAN, NAN},    {"erf", inf, 1},
                                         {"erf", -inf, -1},     {"erf", NAN, NAN},
                                         {"sigmoid", inf, 1},   {"sigmoid", -inf, 0},
                                         {"sigmoid", -1000, 0}, {"round", 0.5F, 1},
                                         {"round", -2.5F, -3},  {"round", 0.49999997F, 0}};
        for (const Special& c : cases) {
            test::LoadedKernel kernel(compiled(script(c.op, "float32")));
            test::AlignedArray<float> x(1000, c.x);
            test::AlignedArray<float> y(1000, 42);
            QCOMPARE(kernel.run({x.data(), y.data()}), 0);
            const bool ok = std::isnan(c.y) ? std::isnan(y[7]) : y[7] == c.y;
            if (!ok)
                qWarning("%s(%g) = %g, expected %g", c.op, double(c.x), double(y[7]), double(c.y));
            QVERIFY(ok);
        }
    }

    void float64IsAccurate() {
        const std::vector<std::pair<const char*, std::function<double(double)>>> cases{
            {"exp", [](double x) { return std::exp(x); }},
            {"log", [](double x) { return std::log(x); }},
            {"tanh", [](double x) { return std::tanh(x); }},
        };
        for (const auto& [op, reference] : cases) {
            test::LoadedKernel kernel(compiled(script(op, "float64")));
            test::AlignedArray<double> x(1000);
            test::AlignedArray<double> y(1000);
            for (std::size_t i = 0; i < 1000; ++i)
                x[i] = 0.01 + 0.037 * static_cast<double>(i);
            QCOMPARE(kernel.run({x.data(), y.data()}), 0);
            for (std::size_t i = 0; i < 1000; ++i)
                QVERIFY(std::fabs(y[i] - reference(x[i])) <=
                        1e-12 * std::fabs(reference(x[i])) + 1e-15);
        }
    }

    void noLibraryIsImported() {
        for (const char* op : {"exp", "log", "tanh", "erf", "sigmoid", "rsqrt", "sin", "round"}) {
            const auto ir =
                codegen::emitLlvmIr(ir::parseModule(script(op, "float32")), target::hostTarget());
            QVERIFY(ir.has_value());
            const auto at = ir->find("declare ");
            for (auto p = at; p != std::string::npos; p = ir->find("declare ", p + 1))
                QVERIFY(ir->compare(ir->find('@', p), 6, "@llvm.") == 0);
        }
    }
};

} // namespace

QTEST_GUILESS_MAIN(VectorMathTest)
#include "vector_math_test.moc"
