// SPDX-License-Identifier: Apache-2.0
#include "kernel_context.h"

#include <tilewright/op/nn.h>

#include <cmath>
#include <numbers>

namespace tilewright::graph {

namespace {

using ir::Expr;
using ir::Op;
using Unary = Expr (*)(const Expr&, const Attributes&);
using Binary = Expr (*)(const Expr&, const Expr&);

Expr number(const Expr& like, double value) {
    return op::constantLike(like, value);
}

Expr call(Op op, const Expr& x) {
    return ir::makeCall(x->dtype, op, {x});
}

Expr divide(const Expr& a, const Expr& b) {
    return ir::truncDiv(a, b);
}

Expr clamp(const Expr& x, double low, double high) {
    return ir::maximum(ir::minimum(x, number(x, high)), number(x, low));
}

Expr sigmoid(const Expr& x) {
    return divide(number(x, 1), number(x, 1) + call(Op::Exp, number(x, 0) - x));
}

/// max(x, a·x) is x for x ≥ 0 and a·x below, as long as a is at most 1.
Expr leaky(const Expr& x, double alpha) {
    const Expr scaled = x * number(x, alpha);
    if (alpha >= 0 && alpha <= 1)
        return ir::maximum(x, scaled);
    return ir::makeSelect(ir::greaterEqual(x, number(x, 0)), x, scaled);
}

Expr hardSigmoid(const Expr& x, double alpha, double beta) {
    return clamp(x * number(x, alpha) + number(x, beta), 0, 1);
}

Expr softplus(const Expr& x) {
    return call(Op::Log, number(x, 1) + call(Op::Exp, x));
}

Expr elu(const Expr& x, double alpha, double scale) {
    const Expr below = (call(Op::Exp, x) - number(x, 1)) * number(x, alpha * scale);
    return ir::makeSelect(ir::greaterEqual(x, number(x, 0)), x * number(x, scale), below);
}

Expr geluTanh(const Expr& x) {
    const Expr inner =
        (x + x * x * x * number(x, 0.044715)) * number(x, std::sqrt(2.0 / std::numbers::pi));
    return x * number(x, 0.5) * (number(x, 1) + call(Op::Tanh, inner));
}

Expr negative(const Expr& x) {
    return number(x, 0) - x;
}

Expr absolute(const Expr& x) {
    return x->dtype.isFloating() ? call(Op::Fabs, x) : ir::maximum(x, negative(x));
}

Expr sign(const Expr& x) {
    const Expr zero = number(x, 0);
    return ir::makeSelect(ir::greater(x, zero), number(x, 1),
                          ir::makeSelect(ir::less(x, zero), number(x, -1), zero));
}

Expr whole(Op op, const Expr& x) {
    return x->dtype.isFloating() ? call(op, x) : x;
}

struct UnaryRow {
    const char* name;
    Unary rule;
};

#define TW_UNARY(expression)                                                                       \
    [](const Expr& x, const Attributes& a) -> Expr {                                               \
        (void)a;                                                                                   \
        return expression;                                                                         \
    }

const UnaryRow kUnaries[] = {
    {"Abs", TW_UNARY(absolute(x))},
    {"Neg", TW_UNARY(negative(x))},
    {"Exp", TW_UNARY(call(Op::Exp, x))},
    {"Log", TW_UNARY(call(Op::Log, x))},
    {"Sqrt", TW_UNARY(call(Op::Sqrt, x))},
    {"Reciprocal", TW_UNARY(divide(number(x, 1), x))},
    {"Floor", TW_UNARY(whole(Op::Floor, x))},
    {"Ceil", TW_UNARY(whole(Op::Ceil, x))},
    {"Round", TW_UNARY(whole(Op::Nearbyint, x))},
    {"Sign", TW_UNARY(sign(x))},
    {"Sin", TW_UNARY(call(Op::Sin, x))},
    {"Cos", TW_UNARY(call(Op::Cos, x))},
    {"Tan", TW_UNARY(call(Op::Tan, x))},
    {"Asin", TW_UNARY(call(Op::Asin, x))},
    {"Acos", TW_UNARY(call(Op::Acos, x))},
    {"Atan", TW_UNARY(call(Op::Atan, x))},
    {"Sinh", TW_UNARY(call(Op::Sinh, x))},
    {"Cosh", TW_UNARY(call(Op::Cosh, x))},
    {"Erf", TW_UNARY(call(Op::Erf, x))},
    {"Tanh", TW_UNARY(call(Op::Tanh, x))},
    {"Sigmoid", TW_UNARY(sigmoid(x))},
    {"Relu", TW_UNARY(ir::maximum(x, number(x, 0)))},
    {"LeakyRelu", TW_UNARY(leaky(x, a.real("alpha", 0.01)))},
    {"Elu", TW_UNARY(elu(x, a.real("alpha", 1.0), 1.0))},
    {"Selu", TW_UNARY(elu(x, a.real("alpha", 1.67326319217681884765625),
                          a.real("gamma", 1.05070102214813232421875)))},
    {"Celu", TW_UNARY(ir::makeSelect(
                 ir::greaterEqual(x, number(x, 0)), x,
                 (call(Op::Exp, x* number(x, 1.0 / a.real("alpha", 1.0))) - number(x, 1)) *
                     number(x, a.real("alpha", 1.0))))},
    {"HardSigmoid", TW_UNARY(hardSigmoid(x, a.real("alpha", 0.2), a.real("beta", 0.5)))},
    {"HardSwish", TW_UNARY(x* hardSigmoid(x, 1.0 / 6, 0.5))},
    {"Softplus", TW_UNARY(softplus(x))},
    {"Softsign", TW_UNARY(divide(x, number(x, 1) + absolute(x)))},
    {"Mish", TW_UNARY(x* call(Op::Tanh, softplus(x)))},
    {"ThresholdedRelu",
     TW_UNARY(ir::makeSelect(ir::greater(x, number(x, a.real("alpha", 1.0))), x, number(x, 0)))},
    {"Gelu", TW_UNARY(a.text("approximate", "none") == "tanh" ? geluTanh(x) : op::gelu(x))},
    {"Identity", TW_UNARY(x)},
    {"Not", TW_UNARY(ir::logicalNot(x))},
};
#undef TW_UNARY

op::Tensor legalizeUnary(KernelContext& kernel) {
    for (const UnaryRow& row : kUnaries)
        if (kernel.node().op == row.name)
            return kernel.builder().compute(
                kernel.stageName(), kernel.outputShape(), [&](const op::Axes& at) {
                    return row.rule(kernel.element(0, at), kernel.attributes());
                });
    kernel.fail("no kernel for this operator");
}

Expr modulo(const Expr& a, const Expr& b) {
    return a->dtype.isFloating() ? ir::makeCall(a->dtype, Op::Fmod, {a, b}) : ir::floorMod(a, b);
}

Expr power(const Expr& a, const Expr& b) {
    return ir::makeCall(a->dtype, Op::Pow, {a, b});
}

Expr exclusive(const Expr& a, const Expr& b) {
    return ir::notEqual(a, b);
}

Expr preluOf(const Expr& a, const Expr& b) {
    return ir::makeSelect(ir::less(a, number(a, 0)), a * b, a);
}

struct BinaryRow {
    const char* name;
    Binary rule;
};

const BinaryRow kBinaries[] = {
    {"Add", ir::add},
    {"Sub", ir::sub},
    {"Mul", ir::mul},
    {"Div", divide},
    {"Pow", power},
    {"Mod", modulo},
    {"Max", ir::maximum},
    {"Min", ir::minimum},
    {"PRelu", preluOf},
    {"And", ir::logicalAnd},
    {"Or", ir::logicalOr},
    {"Xor", exclusive},
    {"Equal", ir::equal},
    {"Less", ir::less},
    {"Greater", ir::greater},
    {"LessOrEqual", ir::lessEqual},
    {"GreaterOrEqual", ir::greaterEqual},
};

/// Small constant exponents need no power function.
std::optional<Expr> smallPower(const Expr& x, double exponent) {
    if (exponent == 1)
        return x;
    if (exponent == 2)
        return x * x;
    if (exponent == 3)
        return x * x * x;
    if (exponent == 0.5 && x->dtype.isFloating())
        return call(Op::Sqrt, x);
    if (exponent == -1 && x->dtype.isFloating())
        return divide(number(x, 1), x);
    return std::nullopt;
}

Expr combineBinary(KernelContext& kernel, Binary rule, const op::Axes& at) {
    const Expr a = kernel.element(0, at);
    const std::string& name = kernel.node().op;
    const auto constant = kernel.scalar(1);
    if (constant && name == "Pow")
        if (const auto simple = smallPower(a, *constant))
            return *simple;
    const auto literal = kernel.literal(1);
    if (literal && name == "Div" && a->dtype.isFloating() && *literal != 0)
        return a * number(a, 1.0 / *literal);
    Expr b = kernel.element(1, at);
    if (name == "Mod" && !a->dtype.isFloating() && kernel.attributes().integer("fmod", 0) != 0)
        return ir::truncMod(a, b);
    if (name == "Pow" && b->dtype != a->dtype)
        b = ir::cast(a->dtype, b);
    return rule(a, b);
}

op::Tensor legalizeBinary(KernelContext& kernel) {
    for (const BinaryRow& row : kBinaries)
        if (kernel.node().op == row.name)
            return kernel.builder().compute(
                kernel.stageName(), kernel.outputShape(),
                [&](const op::Axes& at) { return combineBinary(kernel, row.rule, at); });
    kernel.fail("no kernel for this operator");
}

op::Tensor legalizeWhere(KernelContext& kernel) {
    return kernel.builder().compute(
        kernel.stageName(), kernel.outputShape(), [&](const op::Axes& at) {
            return ir::makeSelect(kernel.element(0, at), kernel.element(1, at),
                                  kernel.element(2, at));
        });
}

op::Tensor legalizeCast(KernelContext& kernel) {
    const ir::DataType type = kernel.outputType();
    return kernel.builder().compute(kernel.stageName(), kernel.outputShape(),
                                    [&](const op::Axes& at) {
                                        const Expr x = kernel.element(0, at);
                                        if (type.isBool() && !x->dtype.isBool())
                                            return ir::notEqual(x, number(x, 0));
                                        return ir::cast(type, x);
                                    });
}

op::Tensor legalizeClip(KernelContext& kernel) {
    const auto low = kernel.rules().realOf("min", 1);
    const auto high = kernel.rules().realOf("max", 2);
    return kernel.builder().compute(kernel.stageName(), kernel.outputShape(),
                                    [&](const op::Axes& at) {
                                        Expr x = kernel.element(0, at);
                                        if (low && std::isfinite(*low))
                                            x = ir::maximum(x, number(x, *low));
                                        if (high && std::isfinite(*high))
                                            x = ir::minimum(x, number(x, *high));
                                        return x;
                                    });
}

} // namespace

void addElementwiseRules(LegalizeTable& table) {
    for (const UnaryRow& row : kUnaries)
        table[row.name] = legalizeUnary;
    for (const BinaryRow& row : kBinaries)
        table[row.name] = legalizeBinary;
    table["Where"] = legalizeWhere;
    table["Cast"] = legalizeCast;
    table["Clip"] = legalizeClip;
}

} // namespace tilewright::graph
