// SPDX-License-Identifier: Apache-2.0
// TensorIR of the suite's operators.
#include <tilewright/op/suite.h>

#include <tilewright/base/check.h>

#include "channel_packing.h"

namespace tilewright::op {

namespace {

using ir::Expr;

constexpr double kBatchNormEpsilon = 1e-5;
constexpr double kLayerNormEpsilon = 1e-5;

Tensor buildConvolution(ComputeBuilder& b, const SuiteOperator& op, const Tensor& x,
                        Operator& result) {
    const std::int64_t block = channelBlock(op.outChannels);
    if (op.groups != 1 || block == 1) {
        const Tensor w = b.input("W", op.inputs[1]);
        return conv(b, x, w, op.window, op.groups);
    }
    result.packings.push_back(packOutputChannels(1, op.inputs[1], block));
    const Tensor w = b.input("W", packedShape(op.inputs[1], block));
    return convPackedOutput(b, x, w, op.window);
}

Tensor buildBatchNormRelu(ComputeBuilder& b, const SuiteOperator& op, const Tensor& y) {
    const Tensor gamma = b.input("gamma", op.inputs[2]);
    const Tensor beta = b.input("beta", op.inputs[3]);
    const Tensor mean = b.input("mean", op.inputs[4]);
    const Tensor variance = b.input("var", op.inputs[5]);
    const bool packed = y.rank() > op.output.size();
    const std::int64_t block = packed ? y.shape().back() : 1;
    return b.compute("relu", op.output, [&](const Axes& s) {
        Axes at = s;
        if (packed) {
            at[1] = ir::floorDiv(s[1], ir::makeInt(block));
            at.push_back(ir::floorMod(s[1], ir::makeInt(block)));
        }
        const Axes c{s[1]};
        const Expr inverse = ir::makeCall(y.dtype(), ir::Op::Rsqrt,
                                          {variance(c) + ir::makeFloat(kBatchNormEpsilon)});
        const Expr value = (y(at) - mean(c)) * inverse * gamma(c) + beta(c);
        return ir::maximum(value, ir::makeFloat(0));
    });
}

Tensor buildGemm(ComputeBuilder& b, const SuiteOperator& op) {
    const Tensor a = b.input("A", op.inputs[0]);
    const Tensor w = b.input("B", op.inputs[1]);
    if (op.constant[1])
        b.markLayoutFree(w);
    const Tensor c = matmul(b, a, w, false, false, "C");
    if (op.kind != "mbg")
        return c;
    const Tensor bias = b.input("bias", op.inputs[2]);
    return b.compute("gelu", op.output, [&](const Axes& s) { return gelu(c(s) + bias({s[1]})); });
}

Tensor buildScores(ComputeBuilder& b, const SuiteOperator& op) {
    const Tensor q = b.input("Q", op.inputs[0]);
    const Tensor k = b.input("K", op.inputs[1]);
    return b.reduce("C", {{"b", 1}, {"h", op.batch}, {"i", op.m}, {"j", op.n}}, {{"d", op.k}},
                    Reducer::Sum, [&](const Axes& s, const Axes& r) {
                        return q({s[0], s[2], s[1], r[0]}) * k({s[0], s[3], s[1], r[0]});
                    });
}

Tensor buildRowwise(ComputeBuilder& b, const SuiteOperator& op) {
    const Tensor x = b.input("X", op.inputs[0]);
    if (op.kind == "softmax")
        return softmax(b, x, -1);
    if (op.kind == "layernorm") {
        const Tensor gamma = b.input("gamma", op.inputs[1]);
        const Tensor beta = b.input("beta", op.inputs[2]);
        return layerNorm(b, x, gamma, beta, 1, kLayerNormEpsilon);
    }
    if (op.kind == "add") {
        const Tensor y = b.input("Y", op.inputs[1]);
        return b.compute("add", op.output, [&](const Axes& s) { return x(s) + y(s); });
    }
    if (op.kind == "gelu")
        return b.compute("gelu", op.output, [&](const Axes& s) { return gelu(x(s)); });
    if (op.kind == "l2norm") {
        const Tensor sum = b.reduce("C", {{"b", 1}}, {{"i", op.rows}, {"j", op.cols}}, Reducer::Sum,
                                    [&](const Axes& s, const Axes& r) {
                                        const Expr v = x({s[0], r[0], r[1]});
                                        return v * v;
                                    });
        return b.compute("D", {{"b", 1}}, [&](const Axes& s) {
            return ir::makeCall(x.dtype(), ir::Op::Sqrt, {sum(s)});
        });
    }
    const bool rows = op.kind == "sumrows";
    return reduceAxes(b, x, {rows ? 1 : 0}, false, Reducer::Sum, {}, "C");
}

} // namespace

Operator buildSuite(const SuiteOperator& op) {
    ComputeBuilder b;
    Operator result;
    result.constant = op.constant;
    Tensor output;
    if (op.kind == "gemm" || op.kind == "mbg") {
        output = buildGemm(b, op);
    } else if (op.kind == "bmm") {
        const Tensor a = b.input("A", op.inputs[0]);
        const Tensor w = b.input("B", op.inputs[1]);
        output = matmul(b, a, w, false, false, "C");
    } else if (op.kind == "tbg") {
        output = buildScores(b, op);
    } else if (op.kind == "conv" || op.kind == "cbr") {
        const Tensor x = b.input("X", op.inputs[0]);
        output = buildConvolution(b, op, x, result);
        if (op.kind == "cbr")
            output = buildBatchNormRelu(b, op, output);
        else if (output.rank() > op.output.size())
            output = unpackChannels(b, output);
    } else if (op.kind == "deconv") {
        const Tensor x = b.input("X", op.inputs[0]);
        const Tensor w = b.input("W", op.inputs[1]);
        b.markLayoutFree(w);
        output = convTranspose(b, x, w, op.window);
    } else if (op.kind == "maxpool" || op.kind == "avgpool") {
        const Tensor x = b.input("X", op.inputs[0]);
        output = pool(b, x, op.window, op.kind == "maxpool" ? Pooling::Max : Pooling::Average);
    } else {
        output = buildRowwise(b, op);
    }
    result.module = ir::Module::of(b.finish({output}));
    return result;
}

} // namespace tilewright::op
