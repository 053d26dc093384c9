// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/lower/layout_rewrite.h>
#include <tilewright/measure/arg_info.h>
#include <tilewright/measure/numeric_check.h>

#include <memory>
#include <vector>

namespace tilewright::search {

/// A task's check for a kernel that takes weights in another layout: `user` are the arguments as
/// the task has them, `packed` as the kernel takes them. The weights are packed when the check is
/// made, because most candidates never come to it. `check` must not be null.
std::shared_ptr<const measure::NumericCheck>
packedCheck(std::shared_ptr<const measure::NumericCheck> check,
            const std::vector<measure::ArgInfo>& user, const std::vector<measure::ArgInfo>& packed,
            const std::vector<lower::LayoutRewrite>& rewrites);

} // namespace tilewright::search
