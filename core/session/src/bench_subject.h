// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/lower/layout_rewrite.h>
#include <tilewright/measure/arg_info.h>
#include <tilewright/measure/builder.h>
#include <tilewright/runtime/tensor.h>
#include <tilewright/session/tuning_input.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// What a benchmark runs an operator on and compares it with. Made once an operator, before any
/// kernel of it is compiled.
class BenchSubject {
public:
    virtual ~BenchSubject() = default;
    /// Arguments for a kernel that takes `args`, weights packed as `rewrites` say.
    [[nodiscard]] virtual std::vector<runtime::Tensor>
    makeArguments(const std::vector<measure::ArgInfo>& args,
                  const std::vector<lower::LayoutRewrite>& rewrites) const = 0;
    /// max |y − r| / (|r| + rms(r)) of the outputs after a run.
    [[nodiscard]] virtual double errorOf(const std::vector<measure::ArgInfo>& args,
                                         const std::vector<runtime::Tensor>& after) const = 0;
    /// Share of the operations that are not on padding.
    [[nodiscard]] virtual double useful() const { return 1; }
    /// The variant of the peers' tables: whose layouts the operands have.
    [[nodiscard]] virtual std::string_view variant(bool packs) const {
        return packs ? "best" : "plain";
    }
};

/// Task `index` of an input. Throws UserError when it has no reference.
std::unique_ptr<BenchSubject> makeBenchSubject(const TuningInput& input, std::size_t index,
                                               measure::Builder& builder);

} // namespace tilewright::session
