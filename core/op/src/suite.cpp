// SPDX-License-Identifier: Apache-2.0
#include <tilewright/op/suite.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <cmath>
#include <functional>
#include <numeric>

namespace tilewright::op {

namespace {

std::int64_t count(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Share of kernel taps that meet an element rather than padding, and bytes moved.
SuiteOperator finished(SuiteOperator op) {
    for (std::size_t i = 0; i < op.extent.size(); ++i) {
        const std::int64_t out = op.output[i + 2];
        const bool transposed = op.kind == "deconv";
        std::int64_t hit = 0;
        std::int64_t all = 0;
        for (std::int64_t x = 0; x < (transposed ? op.extent[i] : out); ++x)
            for (std::int64_t k = 0; k < op.window.kernel[i]; ++k) {
                const std::int64_t tap = transposed ? k : k * op.window.dilations[i];
                const std::int64_t at = x * op.window.strides[i] - op.window.padBefore[i] + tap;
                ++all;
                hit += at >= 0 && at < (transposed ? out : op.extent[i]) ? 1 : 0;
            }
        op.useful *= static_cast<double>(hit) / static_cast<double>(all);
    }
    double elements = static_cast<double>(count(op.output));
    for (const Shape& shape : op.inputs)
        elements += static_cast<double>(count(shape));
    op.bytes = 4.0 * elements;
    return op;
}

double product(std::int64_t a, std::int64_t b, std::int64_t c) {
    return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

SuiteOperator gemm(std::string name, std::int64_t m, std::int64_t n, std::int64_t k) {
    SuiteOperator op;
    op.name = std::move(name);
    op.kind = "gemm";
    op.m = m;
    op.n = n;
    op.k = k;
    op.inputs = {{m, k}, {k, n}};
    op.constant = {false, true};
    op.output = {m, n};
    op.flops = 2.0 * product(m, n, k);
    return finished(op);
}

SuiteOperator biasGelu(std::string name, std::int64_t m, std::int64_t n, std::int64_t k) {
    SuiteOperator op = gemm(std::move(name), m, n, k);
    op.kind = "mbg";
    op.inputs.push_back({n});
    op.constant.push_back(true);
    op.flops += 9.0 * product(m, n, 1);
    return finished(op);
}

SuiteOperator batched(std::string name, std::int64_t b, std::int64_t m, std::int64_t k,
                      std::int64_t n) {
    SuiteOperator op;
    op.name = std::move(name);
    op.kind = "bmm";
    op.batch = b;
    op.m = m;
    op.n = n;
    op.k = k;
    op.inputs = {{b, m, k}, {b, k, n}};
    op.constant = {false, false};
    op.output = {b, m, n};
    op.flops = 2.0 * static_cast<double>(b) * product(m, n, k);
    return finished(op);
}

SuiteOperator attentionScores(std::string name, std::int64_t s, std::int64_t h, std::int64_t d) {
    SuiteOperator op;
    op.name = std::move(name);
    op.kind = "tbg";
    op.batch = h;
    op.m = op.n = s;
    op.k = d;
    op.inputs = {{1, s, h, d}, {1, s, h, d}};
    op.constant = {false, false};
    op.output = {1, h, s, s};
    op.flops = 2.0 * static_cast<double>(h) * product(s, s, d);
    return finished(op);
}

struct ConvShape {
    std::int64_t in, out;
    Shape extent;
    std::int64_t kernel, stride, padding, groups = 1, dilation = 1;
};

SuiteOperator convolution(std::string name, const ConvShape& c, std::string kind = "conv") {
    SuiteOperator op;
    op.name = std::move(name);
    op.kind = std::move(kind);
    op.inChannels = c.in;
    op.outChannels = c.out;
    op.groups = c.groups;
    op.extent = c.extent;
    op.window = Window::uniform(c.extent.size(), c.kernel, c.stride, c.padding, c.dilation);
    const bool transposed = op.kind == "deconv";
    Shape x{1, c.in};
    Shape w = transposed ? Shape{c.in, c.out} : Shape{c.out, c.in / c.groups};
    op.output = {1, c.out};
    double volume = 1;
    double taps = 1;
    for (std::size_t i = 0; i < c.extent.size(); ++i) {
        const std::int64_t out = transposed
                                     ? (c.extent[i] - 1) * c.stride - 2 * c.padding + c.kernel
                                     : op.window.outputExtent(i, c.extent[i]);
        x.push_back(c.extent[i]);
        w.push_back(c.kernel);
        op.output.push_back(out);
        volume *= static_cast<double>(transposed ? c.extent[i] : out);
        taps *= static_cast<double>(c.kernel);
    }
    op.inputs = {x, w};
    op.constant = {false, true};
    op.flops = 2.0 * volume * taps *
               (transposed ? product(c.in, c.out, 1) : product(c.out, c.in / c.groups, 1));
    if (op.kind == "cbr") {
        for (int i = 0; i < 4; ++i) {
            op.inputs.push_back({c.out});
            op.constant.push_back(true);
        }
        op.flops += 3.0 * volume * static_cast<double>(c.out);
    }
    return finished(op);
}

SuiteOperator pooling(std::string name, std::string kind, std::int64_t channels,
                      std::int64_t extent, std::int64_t kernel, std::int64_t stride,
                      std::int64_t padding) {
    SuiteOperator op;
    op.name = std::move(name);
    op.kind = std::move(kind);
    op.inChannels = op.outChannels = channels;
    op.extent = {extent, extent};
    op.window = Window::uniform(2, kernel, stride, padding);
    const std::int64_t out = op.window.outputExtent(0, extent);
    op.inputs = {{1, channels, extent, extent}};
    op.constant = {false};
    op.output = {1, channels, out, out};
    op.flops = static_cast<double>(count(op.output)) * product(kernel, kernel, 1);
    return finished(op);
}

SuiteOperator rowwise(std::string name, std::string kind, std::int64_t rows, std::int64_t cols,
                      double perElement) {
    SuiteOperator op;
    op.name = std::move(name);
    op.kind = std::move(kind);
    op.rows = rows;
    op.cols = cols;
    op.inputs = {{rows, cols}};
    op.constant = {false};
    op.output = {rows, cols};
    if (op.kind == "layernorm") {
        op.inputs.insert(op.inputs.end(), 2, Shape{cols});
        op.constant.insert(op.constant.end(), 2, true);
    } else if (op.kind == "add") {
        op.inputs.push_back({rows, cols});
        op.constant.push_back(false);
    } else if (op.kind == "sumrows") {
        op.output = {rows};
    } else if (op.kind == "sumcols") {
        op.output = {cols};
    } else if (op.kind == "l2norm") {
        op.inputs = {{1, rows, cols}};
        op.output = {1};
    }
    op.flops = perElement * product(rows, cols, 1);
    return finished(op);
}

std::vector<SuiteOperator> makeSuite() {
    return {
        gemm("gmm_1024x1024x1024", 1024, 1024, 1024),
        gemm("gmm_512x512x512", 512, 512, 512),
        gemm("gmm_128x128x128", 128, 128, 128),
        gemm("gmm_2048x2048x512", 2048, 2048, 512),
        gemm("gemv_1x4096x4096", 1, 4096, 4096),
        gemm("gmm_197x3072x768", 197, 3072, 768),
        biasGelu("mbg_197x3072x768", 197, 3072, 768),
        batched("bmm_12x128x64x128", 12, 128, 64, 128),
        attentionScores("tbg_128x12x64", 128, 12, 64),
        convolution("c1d_256_64-128_k3s2p1", {64, 128, {256}, 3, 2, 1}),
        convolution("c2d_224_3-64_k7s2p3", {3, 64, {224, 224}, 7, 2, 3}),
        convolution("c2d_56_64-64_k3s1p1", {64, 64, {56, 56}, 3, 1, 1}),
        convolution("c2d_14_256-256_k3s1p1", {256, 256, {14, 14}, 3, 1, 1}),
        convolution("c2d_7_512-512_k3s1p1", {512, 512, {7, 7}, 3, 1, 1}),
        convolution("c2d_28_128-512_k1s1p0", {128, 512, {28, 28}, 1, 1, 0}),
        convolution("c3d_8x56x56_16-32_k3s1p1", {16, 32, {8, 56, 56}, 3, 1, 1}),
        convolution("dep_112_32_k3s1p1", {32, 32, {112, 112}, 3, 1, 1, 32}),
        convolution("dep_14_512_k3s1p1", {512, 512, {14, 14}, 3, 1, 1, 512}),
        convolution("grp_56_64-128_k3s2p1g4", {64, 128, {56, 56}, 3, 2, 1, 4}),
        convolution("dil_56_64-64_k3s1p2d2", {64, 64, {56, 56}, 3, 1, 2, 1, 2}),
        convolution("t2d_4_512-256_k4s2p1", {512, 256, {4, 4}, 4, 2, 1}, "deconv"),
        convolution("cbr_224_3-64_k7s2p3", {3, 64, {224, 224}, 7, 2, 3}, "cbr"),
        convolution("cbr_56_64-64_k3s1p1", {64, 64, {56, 56}, 3, 1, 1}, "cbr"),
        pooling("maxpool_112_64_k3s2p1", "maxpool", 64, 112, 3, 2, 1),
        pooling("avgpool_56_64_k2s2p0", "avgpool", 64, 56, 2, 2, 0),
        rowwise("sfm_256x256", "softmax", 256, 256, 5),
        rowwise("sfm_256x1024", "softmax", 256, 1024, 5),
        rowwise("sfm_12x128x128", "softmax", 1536, 128, 5),
        rowwise("lnm_128x768", "layernorm", 128, 768, 8),
        rowwise("nrm_256x256", "l2norm", 256, 256, 2),
        rowwise("add_1M", "add", 1024, 1024, 1),
        rowwise("gelu_1M", "gelu", 1024, 1024, 8),
        rowwise("sum_rows_1024x1024", "sumrows", 1024, 1024, 1),
        rowwise("sum_cols_1024x1024", "sumcols", 1024, 1024, 1),
    };
}

bool matches(std::string_view glob, std::string_view text) {
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    std::size_t g = 0;
    std::size_t t = 0;
    while (t < text.size()) {
        if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
            ++g;
            ++t;
        } else if (g < glob.size() && glob[g] == '*') {
            star = g++;
            resume = t;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*')
        ++g;
    return g == glob.size();
}

} // namespace

const std::vector<SuiteOperator>& suite() {
    static const std::vector<SuiteOperator> operators = makeSuite();
    return operators;
}

std::vector<SuiteOperator> selectSuite(std::string_view globs) {
    std::vector<bool> selected(suite().size(), false);
    while (true) {
        const std::size_t comma = globs.find(',');
        const std::string_view glob = globs.substr(0, comma);
        bool any = false;
        for (std::size_t i = 0; i < suite().size(); ++i)
            if (matches(glob, suite()[i].name)) {
                selected[i] = true;
                any = true;
            }
        if (!any) {
            std::vector<std::string> names;
            for (const SuiteOperator& op : suite())
                names.push_back(op.name);
            throw base::UserError("UnknownOperator",
                                  base::concat("suite: no operator matches '", glob,
                                               "'; there are: ", base::join(names, ", ")));
        }
        if (comma == std::string_view::npos)
            break;
        globs.remove_prefix(comma + 1);
    }
    std::vector<SuiteOperator> result;
    for (std::size_t i = 0; i < suite().size(); ++i)
        if (selected[i])
            result.push_back(suite()[i]);
    return result;
}

std::vector<float> suiteInput(const SuiteOperator& op, std::size_t index) {
    std::vector<float> data(static_cast<std::size_t>(count(op.inputs[index])));
    // Seeded by shape, not by name, so that operators of one shape share their operands.
    std::uint64_t x = 0x9E3779B97F4A7C15ULL * (index + 1);
    for (const std::int64_t extent : op.inputs[index])
        x = (x ^ static_cast<std::uint64_t>(extent)) * 0xBF58476D1CE4E5B9ULL;
    for (float& value : data) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        const auto draw = static_cast<double>(static_cast<std::int64_t>(x >> 11));
        value = static_cast<float>(draw * (1.0 / static_cast<double>(1LL << 52)) - 1.0);
    }
    if (op.kind == "cbr" && index == 5)
        for (float& value : data) // a variance is positive
            value = 0.5F + 0.25F * std::fabs(value);
    return data;
}

double maxRelativeError(std::span<const float> result, std::span<const double> reference) {
    double squares = 0;
    for (const double r : reference)
        squares += r * r;
    const double rms = std::sqrt(squares / static_cast<double>(reference.size())) + 1e-30;
    double worst = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double error = std::fabs(static_cast<double>(result[i]) - reference[i]) /
                             (std::fabs(reference[i]) + rms);
        if (!(error <= worst)) // NaN sticks
            worst = error;
    }
    return worst;
}

} // namespace tilewright::op
