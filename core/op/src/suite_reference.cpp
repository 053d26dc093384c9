// SPDX-License-Identifier: Apache-2.0
// Results of the suite's operators in float64, by the plainest loops.
#include <tilewright/op/suite.h>

#include <tilewright/base/check.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright::op {

namespace {

using Inputs = std::vector<std::vector<float>>;
using i64 = std::int64_t;

double exactGelu(double v) {
    return 0.5 * v * (1 + std::erf(v / std::sqrt(2.0)));
}

std::size_t at(i64 index) {
    return static_cast<std::size_t>(index);
}

void referenceGemm(const SuiteOperator& op, const Inputs& in, std::vector<double>& y) {
    const float* a = in[0].data();
    const float* b = in[1].data();
    for (i64 q = 0; q < op.batch; ++q)
        for (i64 m = 0; m < op.m; ++m)
            for (i64 k = 0; k < op.k; ++k) {
                const double value = a[(q * op.m + m) * op.k + k];
                const float* row = b + (q * op.k + k) * op.n;
                double* out = &y[at((q * op.m + m) * op.n)];
                for (i64 j = 0; j < op.n; ++j)
                    out[j] += value * static_cast<double>(row[j]);
            }
    if (op.kind == "mbg")
        for (i64 i = 0; i < op.m * op.n; ++i)
            y[at(i)] = exactGelu(y[at(i)] + static_cast<double>(in[2][at(i % op.n)]));
}

void referenceScores(const SuiteOperator& op, const Inputs& in, std::vector<double>& y) {
    const i64 heads = op.batch;
    for (i64 h = 0; h < heads; ++h)
        for (i64 i = 0; i < op.m; ++i)
            for (i64 j = 0; j < op.n; ++j) {
                double sum = 0;
                for (i64 d = 0; d < op.k; ++d)
                    sum += static_cast<double>(in[0][at((i * heads + h) * op.k + d)]) *
                           static_cast<double>(in[1][at((j * heads + h) * op.k + d)]);
                y[at((h * op.m + i) * op.n + j)] = sum;
            }
}

/// One- and two-dimensional windows as three-dimensional ones with leading unit extents.
struct Geometry {
    std::array<i64, 3> in{1, 1, 1}, out{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1},
        padding{0, 0, 0}, dilation{1, 1, 1};

    explicit Geometry(const SuiteOperator& op) {
        const std::size_t rank = op.extent.size();
        for (std::size_t i = 0; i < rank; ++i) {
            const std::size_t t = 3 - rank + i;
            in[t] = op.extent[i];
            out[t] = op.output[i + 2];
            kernel[t] = op.window.kernel[i];
            stride[t] = op.window.strides[i];
            padding[t] = op.window.padBefore[i];
            dilation[t] = op.window.dilations[i];
        }
    }
    [[nodiscard]] i64 inVolume() const { return in[0] * in[1] * in[2]; }
    [[nodiscard]] i64 outVolume() const { return out[0] * out[1] * out[2]; }
    /// Position in the input, or -1 in the padding.
    [[nodiscard]] i64 source(std::size_t d, i64 position, i64 tap) const {
        const i64 index = position * stride[d] - padding[d] + tap * dilation[d];
        return index >= 0 && index < in[d] ? index : -1;
    }
};

/// Adds weight · input to one output channel plane.
void addTap(const Geometry& g, const float* x, double weight, const std::array<i64, 3>& tap,
            double* y) {
    for (i64 z = 0; z < g.out[0]; ++z) {
        const i64 iz = g.source(0, z, tap[0]);
        for (i64 r = 0; iz >= 0 && r < g.out[1]; ++r) {
            const i64 iy = g.source(1, r, tap[1]);
            for (i64 c = 0; iy >= 0 && c < g.out[2]; ++c) {
                const i64 ix = g.source(2, c, tap[2]);
                if (ix >= 0)
                    y[(z * g.out[1] + r) * g.out[2] + c] +=
                        weight * static_cast<double>(x[(iz * g.in[1] + iy) * g.in[2] + ix]);
            }
        }
    }
}

void referenceConvolution(const SuiteOperator& op, const Inputs& in, std::vector<double>& y) {
    const Geometry g(op);
    const i64 inPerGroup = op.inChannels / op.groups;
    const i64 outPerGroup = op.outChannels / op.groups;
    const float* w = in[1].data();
    for (i64 c = 0; c < op.outChannels; ++c) {
        double* plane = &y[at(c * g.outVolume())];
        for (i64 q = 0; q < inPerGroup; ++q) {
            const float* x = in[0].data() + (c / outPerGroup * inPerGroup + q) * g.inVolume();
            for (i64 kz = 0; kz < g.kernel[0]; ++kz)
                for (i64 ky = 0; ky < g.kernel[1]; ++ky)
                    for (i64 kx = 0; kx < g.kernel[2]; ++kx)
                        addTap(g, x, static_cast<double>(*w++), {kz, ky, kx}, plane);
        }
        if (op.kind == "cbr") {
            const double scale = static_cast<double>(in[2][at(c)]) /
                                 std::sqrt(static_cast<double>(in[5][at(c)]) + 1e-5);
            const double shift =
                static_cast<double>(in[3][at(c)]) - static_cast<double>(in[4][at(c)]) * scale;
            for (i64 i = 0; i < g.outVolume(); ++i)
                plane[i] = std::max(0.0, plane[i] * scale + shift);
        }
    }
}

void referenceTransposed(const SuiteOperator& op, const Inputs& in, std::vector<double>& y) {
    const i64 h = op.extent[0];
    const i64 width = op.extent[1];
    const i64 oh = op.output[2];
    const i64 ow = op.output[3];
    const i64 kh = op.window.kernel[0];
    const i64 kw = op.window.kernel[1];
    for (i64 q = 0; q < op.inChannels; ++q)
        for (i64 r = 0; r < h; ++r)
            for (i64 x = 0; x < width; ++x) {
                const double value = in[0][at((q * h + r) * width + x)];
                for (i64 c = 0; c < op.outChannels; ++c)
                    for (i64 ky = 0; ky < kh; ++ky)
                        for (i64 kx = 0; kx < kw; ++kx) {
                            const i64 oy = r * op.window.strides[0] - op.window.padBefore[0] + ky;
                            const i64 ox = x * op.window.strides[1] - op.window.padBefore[1] + kx;
                            if (oy < 0 || oy >= oh || ox < 0 || ox >= ow)
                                continue;
                            y[at((c * oh + oy) * ow + ox)] +=
                                value *
                                static_cast<double>(
                                    in[1][at(((q * op.outChannels + c) * kh + ky) * kw + kx)]);
                        }
            }
}

void referencePool(const SuiteOperator& op, const Inputs& in, std::vector<double>& y) {
    const Geometry g(op);
    for (i64 c = 0; c < op.inChannels; ++c)
        for (i64 r = 0; r < g.out[1]; ++r)
            for (i64 x = 0; x < g.out[2]; ++x) {
                double peak = -1e300;
                double sum = 0;
                i64 taps = 0;
                for (i64 ky = 0; ky < g.kernel[1]; ++ky)
                    for (i64 kx = 0; kx < g.kernel[2]; ++kx) {
                        const i64 iy = g.source(1, r, ky);
                        const i64 ix = g.source(2, x, kx);
                        if (iy < 0 || ix < 0)
                            continue;
                        const double v = in[0][at((c * g.in[1] + iy) * g.in[2] + ix)];
                        peak = std::max(peak, v);
                        sum += v;
                        ++taps;
                    }
                y[at((c * g.out[1] + r) * g.out[2] + x)] =
                    op.kind == "maxpool" ? peak : sum / static_cast<double>(taps);
            }
}

void referenceSoftmaxRow(const float* x, i64 n, double* y) {
    const double peak = *std::max_element(x, x + n);
    double sum = 0;
    for (i64 i = 0; i < n; ++i)
        sum += std::exp(static_cast<double>(x[i]) - peak);
    for (i64 i = 0; i < n; ++i)
        y[i] = std::exp(static_cast<double>(x[i]) - peak) / sum;
}

void referenceLayerNormRow(const float* x, i64 n, const Inputs& in, double* y) {
    double mean = 0;
    double variance = 0;
    for (i64 i = 0; i < n; ++i)
        mean += static_cast<double>(x[i]);
    mean /= static_cast<double>(n);
    for (i64 i = 0; i < n; ++i)
        variance += (static_cast<double>(x[i]) - mean) * (static_cast<double>(x[i]) - mean);
    variance /= static_cast<double>(n);
    for (i64 i = 0; i < n; ++i)
        y[i] = (static_cast<double>(x[i]) - mean) / std::sqrt(variance + 1e-5) *
                   static_cast<double>(in[1][at(i)]) +
               static_cast<double>(in[2][at(i)]);
}

void referenceRowwise(const SuiteOperator& op, const Inputs& in, std::vector<double>& y) {
    const float* x = in[0].data();
    const i64 n = op.rows * op.cols;
    for (i64 r = 0; r < op.rows; ++r) {
        if (op.kind == "softmax")
            referenceSoftmaxRow(x + r * op.cols, op.cols, &y[at(r * op.cols)]);
        else if (op.kind == "layernorm")
            referenceLayerNormRow(x + r * op.cols, op.cols, in, &y[at(r * op.cols)]);
    }
    for (i64 i = 0; i < n; ++i) {
        const double v = x[i];
        if (op.kind == "add")
            y[at(i)] = v + static_cast<double>(in[1][at(i)]);
        else if (op.kind == "gelu")
            y[at(i)] = exactGelu(v);
        else if (op.kind == "sumrows")
            y[at(i / op.cols)] += v;
        else if (op.kind == "sumcols")
            y[at(i % op.cols)] += v;
        else if (op.kind == "l2norm")
            y[0] += v * v;
    }
    if (op.kind == "l2norm")
        y[0] = std::sqrt(y[0]);
}

} // namespace

std::vector<double> suiteReference(const SuiteOperator& op, const Inputs& in) {
    TW_CHECK(in.size() == op.inputs.size());
    std::size_t size = 1;
    for (const i64 extent : op.output)
        size *= at(extent);
    std::vector<double> y(size, 0.0);
    if (op.kind == "gemm" || op.kind == "bmm" || op.kind == "mbg")
        referenceGemm(op, in, y);
    else if (op.kind == "tbg")
        referenceScores(op, in, y);
    else if (op.kind == "conv" || op.kind == "cbr")
        referenceConvolution(op, in, y);
    else if (op.kind == "deconv")
        referenceTransposed(op, in, y);
    else if (op.kind == "maxpool" || op.kind == "avgpool")
        referencePool(op, in, y);
    else
        referenceRowwise(op, in, y);
    return y;
}

} // namespace tilewright::op
