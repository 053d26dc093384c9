// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/measure/arg_info.h>
#include <tilewright/runtime/tensor.h>
#include <tilewright/runtime/tensor_compare.h>
#include <tilewright/runtime/tensor_fill.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::measure {

/// The tolerance of outputs of a type when each element sums `reductionLength` products:
/// 0 for integers; for floating types relative to the element plus the same relative to the
/// output's root mean square, growing with √reductionLength.
double relativeTolerance(runtime::ElementType type, std::int64_t reductionLength);

/// What a kernel has to compute: the same inputs on every device (made from a seed, so nothing
/// travels), and what the reference gave for them. Immutable, shared by all candidates of a task.
class NumericCheck {
public:
    /// Inputs for a kernel's arguments. Input i is filled from seed and i; outputs are poisoned, so
    /// that elements that were not written show. Errors: a dtype or size that tensors cannot hold.
    static base::Result<std::vector<runtime::Tensor>>
    makeArguments(const std::vector<ArgInfo>& args, std::uint64_t seed);
    /// How makeArguments fills argument `index`.
    static runtime::Fill fillOf(const ArgInfo& arg, std::size_t index, std::uint64_t seed);

    /// `afterReference` are the arguments of makeArguments after the reference ran on them; the
    /// outputs among them are kept.
    NumericCheck(const std::vector<ArgInfo>& args, std::uint64_t seed,
                 std::vector<runtime::Tensor> afterReference, std::int64_t reductionLength);

    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    /// Positions of the outputs among the arguments.
    [[nodiscard]] const std::vector<std::uint32_t>& outputs() const { return reference_->outputs; }

    /// Makes the bytes of an argument; called when the check is made, in the runner's thread.
    using Contents = std::function<std::string()>;
    /// A check of the same results for a kernel that takes argument `index` in another layout.
    [[nodiscard]] std::shared_ptr<const NumericCheck> withContents(std::size_t index,
                                                                   Contents contents) const;
    /// Bytes of argument `index`, empty when it is filled as fillOf says.
    [[nodiscard]] std::string contentsOf(std::size_t index) const;

    struct Verdict {
        bool passed = true;
        double maxRelativeError = 0;
        /// Names the argument and the worst element; empty when passed.
        std::string message;
    };
    /// Compares contents of the outputs, as they came from the device, in the order of outputs().
    [[nodiscard]] Verdict compare(const std::vector<std::string>& contents) const;

private:
    /// Shared by all variants of a check.
    struct Reference {
        std::vector<std::uint32_t> outputs;
        std::vector<runtime::Tensor> expected;
        std::vector<runtime::Tolerance> tolerances;
    };
    std::uint64_t seed_;
    std::shared_ptr<const Reference> reference_;
    std::vector<std::pair<std::size_t, Contents>> contents_;
};

} // namespace tilewright::measure
