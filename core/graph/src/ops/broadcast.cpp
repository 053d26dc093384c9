// SPDX-License-Identifier: Apache-2.0
#include "../op_table.h"

#include <algorithm>
#include <cmath>

namespace tilewright::graph {

namespace {

using RealFunction = double (*)(double, double);
using IntegerFunction = std::int64_t (*)(std::int64_t, std::int64_t);

struct BinaryRow {
    const char* name;
    RealFunction real;
    IntegerFunction integer;
    bool comparison;
};

std::int64_t wrap(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

std::int64_t integerPower(std::int64_t base, std::int64_t exponent) {
    return static_cast<std::int64_t>(
        std::llround(std::pow(static_cast<double>(base), static_cast<double>(exponent))));
}

std::int64_t integerDivide(std::int64_t a, std::int64_t b) {
    if (b == 0)
        return 0;
    return b == -1 ? wrap(0 - static_cast<std::uint64_t>(a)) : a / b;
}

std::int64_t integerModulo(std::int64_t a, std::int64_t b) {
    if (b == 0 || b == -1)
        return 0;
    const std::int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

constexpr BinaryRow kBinaries[] = {
    {"Add", [](double a, double b) { return a + b; },
     [](std::int64_t a, std::int64_t b) { return wrap(std::uint64_t(a) + std::uint64_t(b)); },
     false},
    {"Sub", [](double a, double b) { return a - b; },
     [](std::int64_t a, std::int64_t b) { return wrap(std::uint64_t(a) - std::uint64_t(b)); },
     false},
    {"Mul", [](double a, double b) { return a * b; },
     [](std::int64_t a, std::int64_t b) { return wrap(std::uint64_t(a) * std::uint64_t(b)); },
     false},
    {"Div", [](double a, double b) { return a / b; }, integerDivide, false},
    {"Pow", [](double a, double b) { return std::pow(a, b); }, integerPower, false},
    {"Mod", [](double a, double b) { return std::fmod(a, b); }, integerModulo, false},
    {"Max", [](double a, double b) { return a > b ? a : b; },
     [](std::int64_t a, std::int64_t b) { return std::max(a, b); }, false},
    {"Min", [](double a, double b) { return a < b ? a : b; },
     [](std::int64_t a, std::int64_t b) { return std::min(a, b); }, false},
    {"Sum", [](double a, double b) { return a + b; },
     [](std::int64_t a, std::int64_t b) { return a + b; }, false},
    {"Mean", [](double a, double b) { return a + b; },
     [](std::int64_t a, std::int64_t b) { return a + b; }, false},
    {"PRelu", [](double a, double b) { return a < 0 ? a * b : a; },
     [](std::int64_t a, std::int64_t b) { return a < 0 ? a * b : a; }, false},
    {"And", [](double a, double b) { return double(a != 0 && b != 0); },
     [](std::int64_t a, std::int64_t b) { return std::int64_t(a != 0 && b != 0); }, true},
    {"Or", [](double a, double b) { return double(a != 0 || b != 0); },
     [](std::int64_t a, std::int64_t b) { return std::int64_t(a != 0 || b != 0); }, true},
    {"Xor", [](double a, double b) { return double((a != 0) != (b != 0)); },
     [](std::int64_t a, std::int64_t b) { return std::int64_t((a != 0) != (b != 0)); }, true},
    {"Equal", [](double a, double b) { return double(a == b); },
     [](std::int64_t a, std::int64_t b) { return std::int64_t(a == b); }, true},
    {"Less", [](double a, double b) { return double(a < b); },
     [](std::int64_t a, std::int64_t b) { return std::int64_t(a < b); }, true},
    {"Greater", [](double a, double b) { return double(a > b); },
     [](std::int64_t a, std::int64_t b) { return std::int64_t(a > b); }, true},
    {"LessOrEqual", [](double a, double b) { return double(a <= b); },
     [](std::int64_t a, std::int64_t b) { return std::int64_t(a <= b); }, true},
    {"GreaterOrEqual", [](double a, double b) { return double(a >= b); },
     [](std::int64_t a, std::int64_t b) { return std::int64_t(a >= b); }, true},
};

const BinaryRow& binaryRow(const OpContext& context) {
    for (const BinaryRow& row : kBinaries)
        if (context.node().op == row.name)
            return row;
    context.fail("no such binary operator");
}

std::vector<TensorType> inferBinary(const OpContext& context) {
    Dims shape = context.shape(0);
    for (std::size_t i = 1; i < context.inputCount(); ++i) {
        shape = broadcastShapes(context, shape, context.shape(i));
        if (context.dtype(i) != context.dtype(0) && context.node().op != "Pow")
            context.fail("its inputs have different element types");
    }
    const bool comparison = binaryRow(context).comparison;
    return {{comparison ? ElementType::Bool : context.dtype(0), shape}};
}

NumericTensor combine(const BinaryRow& row, const NumericTensor& a, const NumericTensor& b,
                      const TensorType& type) {
    NumericTensor out(type);
    const Dims strideA = broadcastStrides(a.type.shape, type.shape);
    const Dims strideB = broadcastStrides(b.type.shape, type.shape);
    const bool real = a.isReal() || b.isReal();
    forEachIndex(type.shape, [&](std::int64_t flat, const Dims& index) {
        std::int64_t i = 0;
        std::int64_t j = 0;
        for (std::size_t d = 0; d < index.size(); ++d) {
            i += index[d] * strideA[d];
            j += index[d] * strideB[d];
        }
        if (real)
            out.set(flat, row.real(a.real(i), b.real(j)));
        else
            out.setInteger(flat, row.integer(a.integer(i), b.integer(j)));
    });
    return out;
}

std::vector<NumericTensor> evaluateBinary(const OpContext& context,
                                          const std::vector<TensorType>& types) {
    const BinaryRow& row = binaryRow(context);
    if (context.node().op == "Mod" && context.attributes().integer("fmod", 0) != 0 &&
        !context.numeric(0).isReal()) {
        NumericTensor a = context.numeric(0);
        const BinaryRow truncating{"Mod", row.real,
                                   [](std::int64_t x, std::int64_t y) {
                                       return y == 0 || y == -1 ? std::int64_t(0) : x % y;
                                   },
                                   false};
        return {combine(truncating, a, context.numeric(1), types[0])};
    }
    if (context.inputCount() == 1)
        return {context.numeric(0)};
    NumericTensor out = context.numeric(0);
    for (std::size_t i = 1; i < context.inputCount(); ++i) {
        const Dims shape = broadcastShapes(context, out.type.shape, context.shape(i));
        out = combine(row, out, context.numeric(i), {types[0].dtype, shape});
    }
    if (context.node().op == "Mean")
        for (std::int64_t i = 0; i < out.size(); ++i)
            out.set(i, out.real(i) / static_cast<double>(context.inputCount()));
    return {std::move(out)};
}

std::vector<TensorType> inferWhere(const OpContext& context) {
    Dims shape = broadcastShapes(context, context.shape(0), context.shape(1));
    return {{context.dtype(1), broadcastShapes(context, shape, context.shape(2))}};
}

std::vector<NumericTensor> evaluateWhere(const OpContext& context,
                                         const std::vector<TensorType>& types) {
    NumericTensor out(types[0]);
    Dims strides[3];
    for (std::size_t k = 0; k < 3; ++k)
        strides[k] = broadcastStrides(context.shape(k), types[0].shape);
    forEachIndex(types[0].shape, [&](std::int64_t flat, const Dims& index) {
        std::int64_t at[3] = {0, 0, 0};
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t d = 0; d < index.size(); ++d)
                at[k] += index[d] * strides[k][d];
        const std::size_t chosen = context.numeric(0).integer(at[0]) != 0 ? 1 : 2;
        const NumericTensor& from = context.numeric(chosen);
        if (from.isReal())
            out.set(flat, from.real(at[chosen]));
        else
            out.setInteger(flat, from.integer(at[chosen]));
    });
    return {std::move(out)};
}

} // namespace

void addBroadcastOps(OpTable& table) {
    for (const BinaryRow& row : kBinaries)
        table[row.name] = {PatternKind::Broadcast, inferBinary, evaluateBinary};
    table["Where"] = {PatternKind::Broadcast, inferWhere, evaluateWhere};
}

} // namespace tilewright::graph
