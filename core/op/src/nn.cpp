// SPDX-License-Identifier: Apache-2.0
#include <tilewright/op/nn.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace tilewright::op {

using namespace ir; // NOLINT(google-build-using-namespace): a source of one language of nodes

namespace {

Expr index(std::int64_t value) {
    return makeInt(value);
}

/// y, x for two dimensions, z, y, x for three: the letters every convolution paper uses.
std::vector<std::string> spatialNames(std::size_t rank, const std::string& prefix) {
    static const char* const letters[] = {"z", "y", "x"};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < rank; ++i)
        names.push_back(rank <= 3 ? prefix + letters[3 - rank + i] : base::concat(prefix, "d", i));
    return names;
}

bool anyNonZero(const Shape& shape) {
    return std::any_of(shape.begin(), shape.end(), [](auto v) { return v != 0; });
}

Tensor padSpatial(ComputeBuilder& b, const Tensor& x, const Window& window, const Expr& value) {
    if (!anyNonZero(window.padBefore) && !anyNonZero(window.padAfter))
        return x;
    Shape before{0, 0};
    Shape after{0, 0};
    before.insert(before.end(), window.padBefore.begin(), window.padBefore.end());
    after.insert(after.end(), window.padAfter.begin(), window.padAfter.end());
    return pad(b, x, before, after, value);
}

/// Position in the padded input of output position `out` under kernel position `k`.
Expr windowIndex(const Window& window, std::size_t i, const Expr& out, const Expr& k) {
    return out * index(window.strides[i]) + k * index(window.dilations[i]);
}

std::vector<Axis> windowAxes(const Window& window) {
    std::vector<Axis> axes;
    const auto names = spatialNames(window.kernel.size(), "r");
    for (std::size_t i = 0; i < window.kernel.size(); ++i)
        axes.push_back({names[i], window.kernel[i]});
    return axes;
}

} // namespace

Window Window::uniform(std::size_t rank, std::int64_t kernel, std::int64_t stride,
                       std::int64_t padding, std::int64_t dilation) {
    return {Shape(rank, kernel), Shape(rank, stride), Shape(rank, padding), Shape(rank, padding),
            Shape(rank, dilation)};
}

std::int64_t Window::outputExtent(std::size_t i, std::int64_t input) const {
    return (input + padBefore[i] + padAfter[i] - dilations[i] * (kernel[i] - 1) - 1) / strides[i] +
           1;
}

Tensor pad(ComputeBuilder& b, const Tensor& x, const Shape& before, const Shape& after,
           const Expr& value, const std::string& name) {
    const Shape shape = x.shape();
    Shape padded;
    for (std::size_t i = 0; i < shape.size(); ++i)
        padded.push_back(shape[i] + before[i] + after[i]);
    return b.compute(name, padded, [&](const Axes& at) {
        Expr inside = makeBool(true);
        Axes source;
        for (std::size_t i = 0; i < at.size(); ++i) {
            source.push_back(at[i] - index(before[i]));
            if (before[i] > 0)
                inside = logicalAnd(inside, lessEqual(index(before[i]), at[i]));
            if (after[i] > 0)
                inside = logicalAnd(inside, less(at[i], index(before[i] + shape[i])));
        }
        if (isOne(inside))
            return x(source);
        return makeCall(x.dtype(), Op::IfThenElse, {inside, x(source), value});
    });
}

Tensor matmul(ComputeBuilder& b, const Tensor& a, const Tensor& w, bool transposeA, bool transposeB,
              const std::string& name) {
    const Shape sa = a.shape();
    const Shape sw = w.shape();
    TW_CHECK(sa.size() >= 2 && sa.size() == sw.size()) << "matmul of unequal ranks";
    const std::size_t batch = sa.size() - 2;
    const std::int64_t m = sa[batch + (transposeA ? 1 : 0)];
    const std::int64_t k = sa[batch + (transposeA ? 0 : 1)];
    const std::int64_t n = sw[batch + (transposeB ? 0 : 1)];
    std::vector<Axis> spatial;
    for (std::size_t i = 0; i < batch; ++i)
        spatial.push_back(
            {batch == 1 ? std::string("b") : base::concat("b", i), std::max(sa[i], sw[i])});
    spatial.push_back({"i", m});
    spatial.push_back({"j", n});
    return b.reduce(name, spatial, {{"k", k}}, Reducer::Sum, [&](const Axes& s, const Axes& r) {
        Axes ia;
        Axes iw;
        for (std::size_t i = 0; i < batch; ++i) {
            ia.push_back(sa[i] == 1 ? index(0) : s[i]);
            iw.push_back(sw[i] == 1 ? index(0) : s[i]);
        }
        const Expr& i = s[batch];
        const Expr& j = s[batch + 1];
        ia.push_back(transposeA ? r[0] : i);
        ia.push_back(transposeA ? i : r[0]);
        iw.push_back(transposeB ? j : r[0]);
        iw.push_back(transposeB ? r[0] : j);
        return a(ia) * w(iw);
    });
}

Tensor conv(ComputeBuilder& b, const Tensor& x, const Tensor& w, const Window& window,
            std::int64_t groups, const std::string& name) {
    const Shape sx = x.shape();
    const Shape sw = w.shape();
    const std::size_t rank = window.kernel.size();
    const std::int64_t inPerGroup = sw[1];
    const std::int64_t outPerGroup = sw[0] / groups;
    std::vector<Axis> spatial{{"n", sx[0]}, {"f", sw[0]}};
    const auto names = spatialNames(rank, "");
    for (std::size_t i = 0; i < rank; ++i)
        spatial.push_back({names[i], window.outputExtent(i, sx[i + 2])});
    std::vector<Axis> reduce = windowAxes(window);
    const bool depthwise = inPerGroup == 1;
    if (!depthwise)
        reduce.insert(reduce.begin(), Axis{"rc", inPerGroup});
    const Tensor padded = padSpatial(b, x, window, makeConst(0, x.dtype()));
    return b.reduce(name, spatial, reduce, Reducer::Sum, [&](const Axes& s, const Axes& r) {
        const std::size_t first = depthwise ? 0 : 1;
        const Expr channel = depthwise ? index(0) : r[0];
        Expr inChannel = channel;
        if (depthwise)
            inChannel = outPerGroup == 1 ? s[1] : floorDiv(s[1], index(outPerGroup));
        else if (groups > 1)
            inChannel = floorDiv(s[1], index(outPerGroup)) * index(inPerGroup) + channel;
        Axes ix{s[0], inChannel};
        Axes iw{s[1], channel};
        for (std::size_t i = 0; i < rank; ++i) {
            ix.push_back(windowIndex(window, i, s[i + 2], r[first + i]));
            iw.push_back(r[first + i]);
        }
        return padded(ix) * w(iw);
    });
}

Tensor convPackedOutput(ComputeBuilder& b, const Tensor& x, const Tensor& packed,
                        const Window& window, const std::string& name) {
    const Shape sx = x.shape();
    const Shape sw = packed.shape();
    const std::size_t rank = window.kernel.size();
    std::vector<Axis> spatial{{"n", sx[0]}, {"fo", sw[0]}};
    const auto names = spatialNames(rank, "");
    for (std::size_t i = 0; i < rank; ++i)
        spatial.push_back({names[i], window.outputExtent(i, sx[i + 2])});
    spatial.push_back({"fi", sw.back()});
    std::vector<Axis> reduce = windowAxes(window);
    reduce.insert(reduce.begin(), Axis{"rc", sw[1]});
    const Tensor padded = padSpatial(b, x, window, makeConst(0, x.dtype()));
    return b.reduce(name, spatial, reduce, Reducer::Sum, [&](const Axes& s, const Axes& r) {
        Axes ix{s[0], r[0]};
        Axes iw{s[1], r[0]};
        for (std::size_t i = 0; i < rank; ++i) {
            ix.push_back(windowIndex(window, i, s[i + 2], r[i + 1]));
            iw.push_back(r[i + 1]);
        }
        iw.push_back(s.back());
        return padded(ix) * packed(iw);
    });
}

Tensor unpackChannels(ComputeBuilder& b, const Tensor& x, const std::string& name) {
    const Shape sx = x.shape();
    const std::int64_t c = sx.back();
    std::vector<Axis> axes{{"n", sx[0]}, {"f", sx[1] * c}};
    const auto names = spatialNames(sx.size() - 3, "");
    for (std::size_t i = 0; i + 3 < sx.size(); ++i)
        axes.push_back({names[i], sx[i + 2]});
    return b.compute(name, axes, [&](const Axes& s) {
        Axes at{s[0], floorDiv(s[1], index(c))};
        at.insert(at.end(), s.begin() + 2, s.end());
        at.push_back(floorMod(s[1], index(c)));
        return x(at);
    });
}

Tensor convTranspose(ComputeBuilder& b, const Tensor& x, const Tensor& w, const Window& window,
                     const Shape& outputPadding, const std::string& name) {
    // Insert strides − 1 zeros between elements, pad, and convolve with the flipped kernel.
    const Shape sx = x.shape();
    const Shape sw = w.shape();
    const std::size_t rank = window.kernel.size();
    Shape before(rank);
    Shape padded{sx[0], sx[1]};
    Shape out;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t reach = window.dilations[i] * (window.kernel[i] - 1);
        const std::int64_t extra = i < outputPadding.size() ? outputPadding[i] : 0;
        before[i] = reach - window.padBefore[i];
        out.push_back((sx[i + 2] - 1) * window.strides[i] - window.padBefore[i] -
                      window.padAfter[i] + reach + 1 + extra);
        padded.push_back(out[i] + reach);
    }
    const Tensor spread = b.compute(name + "_pad", padded, [&](const Axes& at) {
        Expr inside = makeBool(true);
        Axes source{at[0], at[1]};
        for (std::size_t i = 0; i < rank; ++i) {
            const std::int64_t stride = window.strides[i];
            const std::int64_t past = before[i] + (sx[i + 2] - 1) * stride + 1;
            inside = logicalAnd(inside, lessEqual(index(before[i]), at[i + 2]));
            inside = logicalAnd(inside, less(at[i + 2], index(past)));
            const Expr offset = at[i + 2] - index(before[i]);
            if (stride > 1)
                inside = logicalAnd(inside, equal(floorMod(offset, index(stride)), index(0)));
            source.push_back(floorDiv(offset, index(stride)));
        }
        return makeCall(x.dtype(), Op::IfThenElse, {inside, x(source), makeConst(0, x.dtype())});
    });
    std::vector<Axis> spatial{{"n", sx[0]}, {"f", sw[1]}};
    const auto names = spatialNames(rank, "");
    for (std::size_t i = 0; i < rank; ++i)
        spatial.push_back({names[i], out[i]});
    std::vector<Axis> reduce = windowAxes(window);
    reduce.insert(reduce.begin(), Axis{"rc", sx[1]});
    return b.reduce(name, spatial, reduce, Reducer::Sum, [&](const Axes& s, const Axes& r) {
        Axes ix{s[0], r[0]};
        Axes iw{r[0], s[1]};
        for (std::size_t i = 0; i < rank; ++i) {
            ix.push_back(s[i + 2] + r[i + 1] * index(window.dilations[i]));
            iw.push_back(index(window.kernel[i] - 1) - r[i + 1]);
        }
        return spread(ix) * w(iw);
    });
}

Tensor pool(ComputeBuilder& b, const Tensor& x, const Window& window, Pooling kind,
            bool countPadding, const std::string& name) {
    const Shape sx = x.shape();
    const std::size_t rank = window.kernel.size();
    const bool isMax = kind == Pooling::Max;
    const Reducer reducer = isMax ? Reducer::Max : Reducer::Sum;
    std::vector<Axis> spatial{{"n", sx[0]}, {"c", sx[1]}};
    const auto names = spatialNames(rank, "");
    for (std::size_t i = 0; i < rank; ++i)
        spatial.push_back({names[i], window.outputExtent(i, sx[i + 2])});
    const Tensor padded = padSpatial(b, x, window, identity(reducer, x.dtype()));
    const Tensor pooled = b.reduce(isMax ? name : name + "_sum", spatial, windowAxes(window),
                                   reducer, [&](const Axes& s, const Axes& r) {
                                       Axes at{s[0], s[1]};
                                       for (std::size_t i = 0; i < rank; ++i)
                                           at.push_back(windowIndex(window, i, s[i + 2], r[i]));
                                       return padded(at);
                                   });
    if (isMax)
        return pooled;
    const bool padsCount =
        countPadding || (!anyNonZero(window.padBefore) && !anyNonZero(window.padAfter));
    const std::int64_t volume = std::accumulate(window.kernel.begin(), window.kernel.end(),
                                                std::int64_t{1}, std::multiplies<>());
    return b.compute(name, spatial, [&](const Axes& s) {
        if (padsCount)
            return pooled(s) * makeConst(1.0 / static_cast<double>(volume), x.dtype());
        Expr count = index(1);
        for (std::size_t i = 0; i < rank; ++i) {
            // Taps of dimension i that fall inside [0, extent).
            const Expr start = s[i + 2] * index(window.strides[i]) - index(window.padBefore[i]);
            const std::int64_t d = window.dilations[i];
            const Expr first =
                maximum(index(0), floorDiv(index(0) - start + index(d - 1), index(d)));
            const Expr last = minimum(index(window.kernel[i]),
                                      floorDiv(index(sx[i + 2] - 1) - start, index(d)) + index(1));
            count = count * (last - first);
        }
        return truncDiv(pooled(s), cast(x.dtype(), maximum(count, index(1))));
    });
}

Tensor softmax(ComputeBuilder& b, const Tensor& x, int axis, bool logarithm,
               const std::string& name) {
    const Shape shape = x.shape();
    const auto rank = static_cast<int>(shape.size());
    const auto along = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    std::vector<Axis> outer;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (i != along)
            outer.push_back({base::concat("i", i), shape[i]});
    const std::vector<Axis> reduce{{"k", shape[along]}};
    const auto full = [&](const Axes& s, const Expr& k) {
        Axes at = s;
        at.insert(at.begin() + static_cast<std::ptrdiff_t>(along), k);
        return at;
    };
    const auto rest = [&](const Axes& s) {
        Axes at = s;
        at.erase(at.begin() + static_cast<std::ptrdiff_t>(along));
        return at;
    };
    const Tensor peak = b.reduce(name + "_maxelem", outer, reduce, Reducer::Max,
                                 [&](const Axes& s, const Axes& r) { return x(full(s, r[0])); });
    const auto exponent = [&](const Axes& at) {
        return makeCall(x.dtype(), Op::Exp, {x(at) - peak(rest(at))});
    };
    if (logarithm) {
        const Tensor sum =
            b.reduce(name + "_expsum", outer, reduce, Reducer::Sum,
                     [&](const Axes& s, const Axes& r) { return exponent(full(s, r[0])); });
        return b.compute(name, shape, [&](const Axes& s) {
            return x(s) - peak(rest(s)) - makeCall(x.dtype(), Op::Log, {sum(rest(s))});
        });
    }
    const Tensor exps = b.compute(name + "_exp", shape, exponent);
    const Tensor sum = b.reduce(name + "_expsum", outer, reduce, Reducer::Sum,
                                [&](const Axes& s, const Axes& r) { return exps(full(s, r[0])); });
    return b.compute(name, shape, [&](const Axes& s) { return truncDiv(exps(s), sum(rest(s))); });
}

Tensor layerNorm(ComputeBuilder& b, const Tensor& x, const std::optional<Tensor>& gamma,
                 const std::optional<Tensor>& beta, int axes, double epsilon,
                 const std::string& name) {
    const Shape shape = x.shape();
    const std::size_t outerRank = shape.size() - static_cast<std::size_t>(axes);
    std::vector<Axis> outer;
    std::vector<Axis> inner;
    double count = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool isOuter = i < outerRank;
        (isOuter ? outer : inner).push_back({base::concat(isOuter ? "i" : "k", i), shape[i]});
        if (!isOuter)
            count *= static_cast<double>(shape[i]);
    }
    const Expr scale = makeConst(1.0 / count, x.dtype());
    const auto full = [](const Axes& s, const Axes& r) {
        Axes at = s;
        at.insert(at.end(), r.begin(), r.end());
        return at;
    };
    const Tensor sum = b.reduce(name + "_sum", outer, inner, Reducer::Sum,
                                [&](const Axes& s, const Axes& r) { return x(full(s, r)); });
    // Squares of centred values: the plain sum of squares loses digits when the mean is large.
    const Tensor squares =
        b.reduce(name + "_sqsum", outer, inner, Reducer::Sum, [&](const Axes& s, const Axes& r) {
            const Expr d = x(full(s, r)) - sum(s) * scale;
            return d * d;
        });
    return b.compute(name, shape, [&](const Axes& s) {
        const Axes head(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(outerRank));
        const Axes tail(s.begin() + static_cast<std::ptrdiff_t>(outerRank), s.end());
        const Expr variance = squares(head) * scale + makeConst(epsilon, x.dtype());
        Expr y = (x(s) - sum(head) * scale) * makeCall(x.dtype(), Op::Rsqrt, {variance});
        if (gamma)
            y = y * (*gamma)(tail);
        if (beta)
            y = y + (*beta)(tail);
        return y;
    });
}

Tensor reduceAxes(ComputeBuilder& b, const Tensor& x, const std::vector<int>& axes, bool keepDims,
                  Reducer reducer, const std::function<Expr(const Expr&)>& map,
                  const std::string& name) {
    const Shape shape = x.shape();
    std::vector<bool> reduced(shape.size(), axes.empty());
    for (const int axis : axes)
        reduced[static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(shape.size()) : axis)] =
            true;
    std::vector<Axis> spatial;
    std::vector<Axis> reduce;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (reduced[i])
            reduce.push_back({base::concat("k", i), shape[i]});
        if (!reduced[i] || keepDims)
            spatial.push_back({base::concat("i", i), reduced[i] ? 1 : shape[i]});
    }
    return b.reduce(name, spatial, reduce, reducer, [&](const Axes& s, const Axes& r) {
        Axes at;
        std::size_t nextSpatial = 0;
        std::size_t nextReduce = 0;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (reduced[i]) {
                at.push_back(r[nextReduce++]);
                nextSpatial += keepDims ? 1 : 0;
            } else {
                at.push_back(s[nextSpatial++]);
            }
        }
        return map ? map(x(at)) : x(at);
    });
}

ir::Expr constantLike(const Expr& x, double value) {
    return makeConst(value, x->dtype);
}

ir::Expr gelu(const Expr& x) {
    const Expr scaled = x * constantLike(x, std::sqrt(0.5));
    return constantLike(x, 0.5) * x *
           (constantLike(x, 1.0) + makeCall(x->dtype, Op::Erf, {scaled}));
}

} // namespace tilewright::op
