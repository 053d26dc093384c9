// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operator suite that `suite:NAME` names: shapes, deterministic inputs, float64 references and
// the error measure, the same for everybody who measures.

#include <tilewright/op/nn.h>
#include <tilewright/op/operator.h>

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::op {

struct SuiteOperator {
    std::string name; ///< `c2d_56_64-64_k3s1p1`
    std::string kind; ///< gemm, bmm, mbg, tbg, conv, cbr, deconv, maxpool, softmax, …
    std::int64_t batch = 1, m = 0, n = 0, k = 0;
    std::int64_t inChannels = 0, outChannels = 0, groups = 1;
    Shape extent; ///< spatial input extents of convolutions and pools
    Window window;
    std::int64_t rows = 0, cols = 0;
    std::vector<Shape> inputs;
    std::vector<bool> constant;
    Shape output;
    double flops = 0;  ///< floating-point operations of one run
    double useful = 1; ///< share of them whose operand is not zero padding
    double bytes = 0;  ///< inputs and output, once each
};

/// Every operator, in the order of the published tables.
const std::vector<SuiteOperator>& suite();

/// Operators whose names match `GLOB[,GLOB…]` (`*` and `?`), in suite order.
/// Throws UserError `UnknownOperator` when a glob matches none.
std::vector<SuiteOperator> selectSuite(std::string_view globs);

/// TensorIR of one operator: row-major operands as the user has them, except packed weights.
Operator buildSuite(const SuiteOperator& op);

/// Input `index` in row-major order: values in [-1, 1) from a generator seeded by shape and index.
std::vector<float> suiteInput(const SuiteOperator& op, std::size_t index);

/// The exact result in float64, row-major. Cost: the operator itself, single-threaded.
std::vector<double> suiteReference(const SuiteOperator& op,
                                   const std::vector<std::vector<float>>& inputs);

/// max |y − r| / (|r| + rms(r)); NaN when any y is NaN. `ok` below 1e-4.
double maxRelativeError(std::span<const float> result, std::span<const double> reference);

} // namespace tilewright::op
