// SPDX-License-Identifier: Apache-2.0
#include "../reduced_axes.h"
#include "kernel_context.h"

#include <tilewright/op/nn.h>

#include <functional>
#include <optional>

namespace tilewright::graph {

namespace {

using ir::Expr;
using ir::Op;
using Map = std::function<Expr(const Expr&)>;

Expr call(Op op, const Expr& x) {
    return ir::makeCall(x->dtype, op, {x});
}

op::Reducer reducerOf(const std::string& name) {
    if (name == "ReduceMax")
        return op::Reducer::Max;
    if (name == "ReduceMin")
        return op::Reducer::Min;
    return name == "ReduceProd" ? op::Reducer::Prod : op::Reducer::Sum;
}

Map before(const std::string& name) {
    if (name == "ReduceL1")
        return [](const Expr& x) { return call(Op::Fabs, x); };
    if (name == "ReduceL2" || name == "ReduceSumSquare")
        return [](const Expr& x) { return x * x; };
    if (name == "ReduceLogSumExp")
        return [](const Expr& x) { return call(Op::Exp, x); };
    return {};
}

Map after(const std::string& name, std::int64_t count) {
    if (name == "ReduceMean")
        return [count](const Expr& x) {
            return x->dtype.isFloating() ? x * ir::makeConst(1.0 / double(count), x->dtype)
                                         : ir::truncDiv(x, ir::makeInt(count, x->dtype));
        };
    if (name == "ReduceL2")
        return [](const Expr& x) { return call(Op::Sqrt, x); };
    if (name == "ReduceLogSum" || name == "ReduceLogSumExp")
        return [](const Expr& x) { return call(Op::Log, x); };
    return {};
}

/// Reduces the flagged axes of input 0; a result of rank 0 becomes [1] by keeping one axis.
op::Tensor reduceFlagged(KernelContext& kernel, const std::vector<bool>& reduced, bool keep,
                         op::Reducer reducer, const Map& map, const Map& finish) {
    op::ComputeBuilder& b = kernel.builder();
    const op::Tensor x = kernel.input(0);
    const op::Shape shape = x.shape();
    std::vector<op::Axis> spatial;
    std::vector<op::Axis> reduce;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::string number = std::to_string(d);
        if (reduced[d])
            reduce.push_back({"k" + number, shape[d]});
        if (!reduced[d] || keep)
            spatial.push_back({"i" + number, reduced[d] ? 1 : shape[d]});
    }
    const bool scalar = spatial.empty();
    if (scalar)
        spatial.push_back({"i", 1});
    const auto element = [&](const op::Axes& s, const op::Axes& r) {
        op::Axes at;
        std::size_t nextSpatial = 0;
        std::size_t nextReduce = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            at.push_back(reduced[d] ? r[nextReduce++] : s[nextSpatial++]);
            nextSpatial += reduced[d] && keep ? 1 : 0;
        }
        return map ? map(x(at)) : x(at);
    };
    if (reduce.empty())
        return b.compute(kernel.stageName(), spatial, [&](const op::Axes& s) {
            const Expr value = element(s, {});
            return finish ? finish(value) : value;
        });
    const op::Tensor sum = b.reduce(finish ? kernel.stageName() + "_red" : kernel.stageName(),
                                    spatial, reduce, reducer, element);
    if (!finish)
        return sum;
    return b.compute(kernel.stageName(), spatial,
                     [&](const op::Axes& s) { return finish(sum(s)); });
}

std::int64_t reducedCount(const op::Shape& shape, const std::vector<bool>& reduced) {
    std::int64_t count = 1;
    for (std::size_t d = 0; d < shape.size(); ++d)
        count *= reduced[d] ? shape[d] : 1;
    return count;
}

op::Tensor legalizeReduction(KernelContext& kernel) {
    const std::string& name = kernel.node().op;
    const auto reduced = reducedAxes(kernel.rules());
    const bool keep = kernel.attributes().integer("keepdims", 1) != 0;
    return reduceFlagged(kernel, reduced, keep, reducerOf(name), before(name),
                         after(name, reducedCount(kernel.rules().shape(0), reduced)));
}

op::Tensor legalizeGlobalPool(KernelContext& kernel) {
    const Dims& shape = kernel.rules().shape(0);
    std::vector<bool> reduced(shape.size(), true);
    reduced[0] = false;
    const bool last = kernel.attributes().text("layout", "NCHW") == "NHWC";
    reduced[last ? shape.size() - 1 : 1] = false;
    if (kernel.node().op == "GlobalMaxPool")
        return reduceFlagged(kernel, reduced, true, op::Reducer::Max, {}, {});
    return reduceFlagged(kernel, reduced, true, op::Reducer::Sum, {},
                         after("ReduceMean", reducedCount(shape, reduced)));
}

op::Tensor legalizeArg(KernelContext& kernel) {
    const op::Tensor x = kernel.input(0);
    const op::Shape shape = x.shape();
    if (kernel.attributes().integer("select_last_index", 0) != 0)
        kernel.fail("select_last_index is not supported");
    const bool keep = kernel.attributes().integer("keepdims", 1) != 0;
    const auto along = static_cast<std::size_t>(
        kernel.rules().axis(kernel.attributes().integer("axis", 0), shape.size()));
    std::vector<op::Axis> spatial;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (d != along || keep)
            spatial.push_back({"i" + std::to_string(d), d == along ? 1 : shape[d]});
    if (spatial.empty())
        spatial.push_back({"i", 1});
    return kernel.builder().argReduce(
        kernel.stageName(), spatial, {"k", shape[along]}, kernel.node().op == "ArgMax",
        kernel.outputType(), [&](const op::Axes& s, const op::Axes& r) {
            op::Axes at(s.begin(), s.end());
            if (keep || shape.size() == 1)
                at[along] = r[0];
            else
                at.insert(at.begin() + static_cast<std::ptrdiff_t>(along), r[0]);
            return x(at);
        });
}

op::Tensor legalizeSoftmax(KernelContext& kernel) {
    if (kernel.attributes().integer("flatten", 0) != 0)
        kernel.fail("softmax over several dimensions was not rewritten");
    return op::softmax(kernel.builder(), kernel.input(0),
                       static_cast<int>(kernel.attributes().integer("axis", -1)),
                       kernel.node().op == "LogSoftmax", kernel.stageName());
}

op::Tensor legalizeLayerNorm(KernelContext& kernel) {
    const auto rank = static_cast<std::int64_t>(kernel.rules().rank(0));
    const std::int64_t axis =
        kernel.rules().axis(kernel.attributes().integer("axis", -1), kernel.rules().rank(0));
    const op::Tensor x = kernel.input(0);
    const op::Tensor scale = kernel.input(1);
    std::optional<op::Tensor> bias;
    if (kernel.has(2))
        bias = kernel.input(2);
    if (static_cast<std::int64_t>(scale.rank()) != rank - axis ||
        (bias && bias->rank() != scale.rank()))
        kernel.fail("scale and bias have to cover the normalised dimensions");
    return op::layerNorm(kernel.builder(), x, scale, bias, static_cast<int>(rank - axis),
                         kernel.attributes().real("epsilon", 1e-5), kernel.stageName());
}

} // namespace

void addReductionRules(LegalizeTable& table) {
    for (const char* name :
         {"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
          "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"})
        table[name] = legalizeReduction;
    table["GlobalAveragePool"] = legalizeGlobalPool;
    table["GlobalMaxPool"] = legalizeGlobalPool;
    table["ArgMax"] = legalizeArg;
    table["ArgMin"] = legalizeArg;
    table["Softmax"] = legalizeSoftmax;
    table["LogSoftmax"] = legalizeSoftmax;
    table["LayerNormalization"] = legalizeLayerNorm;
}

} // namespace tilewright::graph
