// SPDX-License-Identifier: Apache-2.0
#include "../op_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tilewright::graph {

namespace {

using Unary = double (*)(double, const Attributes&);

double sigmoid(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}

double evaluateGelu(double x, const Attributes& a) {
    if (a.text("approximate", "none") == "tanh") {
        const double c = std::sqrt(2.0 / std::numbers::pi);
        return 0.5 * x * (1.0 + std::tanh(c * (x + 0.044715 * x * x * x)));
    }
    return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2));
}

double evaluateSelu(double x, const Attributes& a) {
    const double alpha = a.real("alpha", 1.67326319217681884765625);
    const double gamma = a.real("gamma", 1.05070102214813232421875);
    return gamma * (x > 0 ? x : alpha * (std::exp(x) - 1.0));
}

double hardSigmoid(double x, double alpha, double beta) {
    return std::clamp(alpha * x + beta, 0.0, 1.0);
}

struct UnaryRow {
    const char* name;
    Unary function;
};

constexpr UnaryRow kUnaries[] = {
    {"Abs", [](double x, const Attributes&) { return std::fabs(x); }},
    {"Neg", [](double x, const Attributes&) { return -x; }},
    {"Exp", [](double x, const Attributes&) { return std::exp(x); }},
    {"Log", [](double x, const Attributes&) { return std::log(x); }},
    {"Sqrt", [](double x, const Attributes&) { return std::sqrt(x); }},
    {"Reciprocal", [](double x, const Attributes&) { return 1.0 / x; }},
    {"Floor", [](double x, const Attributes&) { return std::floor(x); }},
    {"Ceil", [](double x, const Attributes&) { return std::ceil(x); }},
    {"Round", [](double x, const Attributes&) { return std::nearbyint(x); }},
    {"Sign", [](double x, const Attributes&) { return double(x > 0) - double(x < 0); }},
    {"Sin", [](double x, const Attributes&) { return std::sin(x); }},
    {"Cos", [](double x, const Attributes&) { return std::cos(x); }},
    {"Tan", [](double x, const Attributes&) { return std::tan(x); }},
    {"Asin", [](double x, const Attributes&) { return std::asin(x); }},
    {"Acos", [](double x, const Attributes&) { return std::acos(x); }},
    {"Atan", [](double x, const Attributes&) { return std::atan(x); }},
    {"Sinh", [](double x, const Attributes&) { return std::sinh(x); }},
    {"Cosh", [](double x, const Attributes&) { return std::cosh(x); }},
    {"Erf", [](double x, const Attributes&) { return std::erf(x); }},
    {"Tanh", [](double x, const Attributes&) { return std::tanh(x); }},
    {"Sigmoid", [](double x, const Attributes&) { return sigmoid(x); }},
    {"Relu", [](double x, const Attributes&) { return x > 0 ? x : 0.0; }},
    {"LeakyRelu",
     [](double x, const Attributes& a) { return x >= 0 ? x : a.real("alpha", 0.01) * x; }},
    {"Elu",
     [](double x, const Attributes& a) {
         return x >= 0 ? x : a.real("alpha", 1.0) * (std::exp(x) - 1.0);
     }},
    {"Celu",
     [](double x, const Attributes& a) {
         const double alpha = a.real("alpha", 1.0);
         return std::max(0.0, x) + std::min(0.0, alpha * (std::exp(x / alpha) - 1.0));
     }},
    {"Selu", evaluateSelu},
    {"HardSigmoid",
     [](double x, const Attributes& a) {
         return hardSigmoid(x, a.real("alpha", 0.2), a.real("beta", 0.5));
     }},
    {"HardSwish", [](double x, const Attributes&) { return x * hardSigmoid(x, 1.0 / 6, 0.5); }},
    {"Softplus", [](double x, const Attributes&) { return std::log1p(std::exp(x)); }},
    {"Softsign", [](double x, const Attributes&) { return x / (1.0 + std::fabs(x)); }},
    {"Mish", [](double x, const Attributes&) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {"ThresholdedRelu",
     [](double x, const Attributes& a) { return x > a.real("alpha", 1.0) ? x : 0.0; }},
    {"Gelu", evaluateGelu},
};

std::vector<TensorType> sameType(const OpContext& context) {
    return {context.type(0)};
}

std::vector<NumericTensor> evaluateUnary(const OpContext& context,
                                         const std::vector<TensorType>& types) {
    Unary function = nullptr;
    for (const UnaryRow& row : kUnaries)
        if (context.node().op == row.name)
            function = row.function;
    const NumericTensor& in = context.numeric(0);
    NumericTensor out(types[0]);
    for (std::int64_t i = 0; i < in.size(); ++i)
        out.set(i, function(in.real(i), context.attributes()));
    return {std::move(out)};
}

std::vector<NumericTensor> copyInput(const OpContext& context,
                                     const std::vector<TensorType>& types) {
    const NumericTensor& in = context.numeric(0);
    NumericTensor out(types[0]);
    for (std::int64_t i = 0; i < in.size(); ++i) {
        if (in.isReal())
            out.set(i, in.real(i));
        else
            out.setInteger(i, in.integer(i));
    }
    return {std::move(out)};
}

std::vector<TensorType> inferDropout(const OpContext& context) {
    const auto training = context.integers(2);
    if (context.has(2) && (!training || training->empty() || training->front() != 0))
        context.fail("training mode is not supported");
    std::vector<TensorType> types{context.type(0)};
    if (context.outputCount() > 1)
        types.push_back({ElementType::Bool, context.shape(0)});
    return types;
}

std::vector<NumericTensor> evaluateDropout(const OpContext& context,
                                           const std::vector<TensorType>& types) {
    auto out = copyInput(context, types);
    if (types.size() > 1) {
        NumericTensor mask(types[1]);
        std::fill(mask.integers.begin(), mask.integers.end(), 1);
        out.push_back(std::move(mask));
    }
    return out;
}

std::vector<TensorType> inferCast(const OpContext& context) {
    const std::string to = context.attributes().text("to", "");
    const auto type = elementTypeFromName(to);
    if (!type)
        context.fail("Cast to an element type that is not supported: " + to);
    return {{*type, context.shape(0)}};
}

/// A float32 value stays what float32 can hold, so that a cast chain folds as it would run.
std::vector<NumericTensor> evaluateCast(const OpContext& context,
                                        const std::vector<TensorType>& types) {
    auto out = copyInput(context, types);
    return {toNumeric(toConstant(out[0]))};
}

std::vector<TensorType> inferClip(const OpContext& context) {
    (void)context.realOf("min", 1);
    (void)context.realOf("max", 2);
    return {context.type(0)};
}

std::vector<NumericTensor> evaluateClip(const OpContext& context,
                                        const std::vector<TensorType>& types) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double low = context.realOf("min", 1).value_or(-kInfinity);
    const double high = context.realOf("max", 2).value_or(kInfinity);
    const NumericTensor& in = context.numeric(0);
    NumericTensor out(types[0]);
    for (std::int64_t i = 0; i < in.size(); ++i)
        out.set(i, std::min(std::max(in.real(i), low), high));
    return {std::move(out)};
}

std::vector<TensorType> sameShapeBool(const OpContext& context) {
    return {{ElementType::Bool, context.shape(0)}};
}

std::vector<NumericTensor> evaluateNot(const OpContext& context,
                                       const std::vector<TensorType>& types) {
    NumericTensor out(types[0]);
    for (std::int64_t i = 0; i < out.size(); ++i)
        out.setInteger(i, context.numeric(0).integer(i) == 0);
    return {std::move(out)};
}

} // namespace

void addElementwiseOps(OpTable& table) {
    for (const UnaryRow& row : kUnaries)
        table[row.name] = {PatternKind::ElementWise, sameType, evaluateUnary};
    table["Identity"] = {PatternKind::ElementWise, sameType, copyInput};
    table["Dropout"] = {PatternKind::ElementWise, inferDropout, evaluateDropout};
    table["Cast"] = {PatternKind::ElementWise, inferCast, evaluateCast};
    table["Clip"] = {PatternKind::ElementWise, inferClip, evaluateClip};
    table["Not"] = {PatternKind::ElementWise, sameShapeBool, evaluateNot};
}

} // namespace tilewright::graph
