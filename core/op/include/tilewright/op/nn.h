// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tensor programs of neural-network operators, as stages of a ComputeBuilder. Layouts are row-major
// with the batch first and channels second (NCHW and its 1-d and 3-d forms) unless a name says
// else.

#include <tilewright/op/compute.h>

#include <optional>

namespace tilewright::op {

/// Elements outside are `value`; before/after hold one entry a dimension.
Tensor pad(ComputeBuilder& b, const Tensor& x, const Shape& before, const Shape& after,
           const ir::Expr& value, const std::string& name = "pad");

/// [.., M, K] × [.., K, N] with equal batch dimensions (or none); `transposeA/B` swap the last two.
Tensor matmul(ComputeBuilder& b, const Tensor& a, const Tensor& w, bool transposeA = false,
              bool transposeB = false, const std::string& name = "matmul");

/// Geometry of a convolution or pooling, one entry a spatial dimension.
struct Window {
    Shape kernel;
    Shape strides;
    Shape padBefore;
    Shape padAfter;
    Shape dilations;
    /// kernel² with one stride, symmetric padding and one dilation in each of `rank` dimensions.
    static Window uniform(std::size_t rank, std::int64_t kernel, std::int64_t stride,
                          std::int64_t padding, std::int64_t dilation = 1);
    /// Extent of the result in dimension i for an input extent.
    [[nodiscard]] std::int64_t outputExtent(std::size_t i, std::int64_t input) const;
};

/// x [N, C, …] with w [O, C/groups, …] → [N, O, …]. Padding is a stage of its own.
Tensor conv(ComputeBuilder& b, const Tensor& x, const Tensor& w, const Window& window,
            std::int64_t groups = 1, const std::string& name = "conv");

/// As conv with groups = 1, for weights packed as [O/c, C, …, c]: computes [N, O/c, …, c] with the
/// innermost c output channels contiguous, which is what vector units like. The input stays NCHW.
Tensor convPackedOutput(ComputeBuilder& b, const Tensor& x, const Tensor& packed,
                        const Window& window, const std::string& name = "conv");
/// [N, O/c, …, c] → [N, O, …].
Tensor unpackChannels(ComputeBuilder& b, const Tensor& x, const std::string& name = "unpack");

/// x [N, C, …] with w [C, O, …] → [N, O, …] (groups = 1): the gradient of a convolution.
Tensor convTranspose(ComputeBuilder& b, const Tensor& x, const Tensor& w, const Window& window,
                     const Shape& outputPadding = {}, const std::string& name = "convt");

enum class Pooling : std::uint8_t { Max, Average };
/// Average pooling counts only elements inside the input unless `countPadding`.
Tensor pool(ComputeBuilder& b, const Tensor& x, const Window& window, Pooling kind,
            bool countPadding = false, const std::string& name = "pool");

/// Along one axis (negative counts from the end).
Tensor softmax(ComputeBuilder& b, const Tensor& x, int axis, bool logarithm = false,
               const std::string& name = "softmax");
/// Over the last `axes` dimensions; gamma and beta have their shape.
Tensor layerNorm(ComputeBuilder& b, const Tensor& x, const std::optional<Tensor>& gamma,
                 const std::optional<Tensor>& beta, int axes, double epsilon,
                 const std::string& name = "layer_norm");
/// Reduces the given axes; `keepDims` leaves extents of 1.
Tensor reduceAxes(ComputeBuilder& b, const Tensor& x, const std::vector<int>& axes, bool keepDims,
                  Reducer reducer, const std::function<ir::Expr(const ir::Expr&)>& map = {},
                  const std::string& name = "reduce");

/// 0.5·x·(1 + erf(x/√2)).
ir::Expr gelu(const ir::Expr& x);
/// A float constant of x's type.
ir::Expr constantLike(const ir::Expr& x, double value);

} // namespace tilewright::op
