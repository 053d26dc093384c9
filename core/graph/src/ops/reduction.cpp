// SPDX-License-Identifier: Apache-2.0
#include "../op_table.h"
#include "../reduced_axes.h"

#include <cmath>
#include <limits>

namespace tilewright::graph {

std::vector<bool> reducedAxes(const OpContext& context) {
    const std::size_t rank = context.rank(0);
    const auto axes = context.integersOf("axes", 1);
    if (!axes || axes->empty()) {
        const bool none = context.attributes().integer("noop_with_empty_axes", 0) != 0;
        return std::vector<bool>(rank, !none);
    }
    std::vector<bool> reduced(rank, false);
    for (const auto axis : *axes)
        reduced[static_cast<std::size_t>(context.axis(axis, rank))] = true;
    return reduced;
}

namespace {

std::vector<TensorType> inferReduction(const OpContext& context) {
    const std::vector<bool> reduced = reducedAxes(context);
    const bool keep = context.attributes().integer("keepdims", 1) != 0;
    Dims out;
    for (std::size_t d = 0; d < reduced.size(); ++d) {
        if (!reduced[d])
            out.push_back(context.shape(0)[d]);
        else if (keep)
            out.push_back(1);
    }
    return {{context.dtype(0), out}};
}

/// Strides of the output seen from the input's index: 0 along reduced axes.
Dims keptStrides(const Dims& in, const std::vector<bool>& reduced) {
    Dims kept;
    for (std::size_t d = 0; d < in.size(); ++d)
        kept.push_back(reduced[d] ? 1 : in[d]);
    Dims strides = rowMajorStrides(kept);
    for (std::size_t d = 0; d < in.size(); ++d)
        if (reduced[d])
            strides[d] = 0;
    return strides;
}

double identityOf(const std::string& op) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (op == "ReduceProd")
        return 1;
    if (op == "ReduceMax")
        return -kInfinity;
    return op == "ReduceMin" ? kInfinity : 0;
}

double accumulate(const std::string& op, double sum, double x) {
    if (op == "ReduceProd")
        return sum * x;
    if (op == "ReduceMax")
        return x > sum ? x : sum;
    if (op == "ReduceMin")
        return x < sum ? x : sum;
    if (op == "ReduceL1")
        return sum + std::fabs(x);
    if (op == "ReduceL2" || op == "ReduceSumSquare")
        return sum + x * x;
    return op == "ReduceLogSumExp" ? sum + std::exp(x) : sum + x;
}

double finish(const std::string& op, double sum, double count) {
    if (op == "ReduceMean")
        return sum / count;
    if (op == "ReduceL2")
        return std::sqrt(sum);
    return op == "ReduceLogSum" || op == "ReduceLogSumExp" ? std::log(sum) : sum;
}

std::vector<NumericTensor> evaluateReduction(const OpContext& context,
                                             const std::vector<TensorType>& types) {
    const std::string& op = context.node().op;
    const NumericTensor& in = context.numeric(0);
    const Dims strides = keptStrides(in.type.shape, reducedAxes(context));
    NumericTensor out(types[0]);
    std::vector<double> sums(static_cast<std::size_t>(out.size()), identityOf(op));
    forEachIndex(in.type.shape, [&](std::int64_t flat, const Dims& index) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            at += index[d] * strides[d];
        double& sum = sums[static_cast<std::size_t>(at)];
        sum = accumulate(op, sum, in.real(flat));
    });
    const double count =
        out.size() == 0 ? 1.0 : static_cast<double>(in.size()) / static_cast<double>(out.size());
    for (std::int64_t i = 0; i < out.size(); ++i)
        out.set(i, finish(op, sums[static_cast<std::size_t>(i)], count));
    return {std::move(out)};
}

std::vector<TensorType> inferArg(const OpContext& context) {
    Dims out = context.shape(0);
    const auto axis = context.axis(context.attributes().integer("axis", 0), out.size());
    if (context.attributes().integer("keepdims", 1) != 0)
        out[static_cast<std::size_t>(axis)] = 1;
    else
        out.erase(out.begin() + axis);
    return {{ElementType::Int64, out}};
}

std::vector<NumericTensor> evaluateArg(const OpContext& context,
                                       const std::vector<TensorType>& types) {
    const NumericTensor& in = context.numeric(0);
    const auto axis = static_cast<std::size_t>(
        context.axis(context.attributes().integer("axis", 0), context.rank(0)));
    std::vector<bool> reduced(context.rank(0), false);
    reduced[axis] = true;
    const Dims strides = keptStrides(in.type.shape, reduced);
    const bool greatest = context.node().op == "ArgMax";
    const bool last = context.attributes().integer("select_last_index", 0) != 0;
    NumericTensor out(types[0]);
    std::vector<double> best(static_cast<std::size_t>(out.size()),
                             std::numeric_limits<double>::quiet_NaN());
    forEachIndex(in.type.shape, [&](std::int64_t flat, const Dims& index) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            at += index[d] * strides[d];
        double& held = best[static_cast<std::size_t>(at)];
        const double x = in.real(flat);
        const bool better = greatest ? x > held : x < held;
        if (index[axis] == 0 || better || (last && x == held)) {
            held = x;
            out.setInteger(at, index[axis]);
        }
    });
    return {std::move(out)};
}

} // namespace

void addReductionOps(OpTable& table) {
    for (const char* name :
         {"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
          "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"})
        table[name] = {PatternKind::Reduction, inferReduction, evaluateReduction};
    for (const char* name : {"ArgMax", "ArgMin"})
        table[name] = {PatternKind::Reduction, inferArg, evaluateArg};
}

} // namespace tilewright::graph
