// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/measure/builder.h>
#include <tilewright/measure/device_runner.h>
#include <tilewright/runtime/tensor.h>

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace tilewright::measure {

/// Contents for an argument; the ones left out are filled for numeric checks.
struct ArgumentContents {
    std::size_t index = 0;
    std::string bytes;
};

/// Builds a module, runs it once in a runner process of this machine and returns its arguments
/// afterwards, outputs filled in: how the reference of a numeric check is made without running
/// generated code in this process. The error's status says which step failed.
base::Result<std::vector<runtime::Tensor>, Failure>
runOnce(Builder& builder, const BuilderInput& input, const RunnerSettings& settings,
        std::uint64_t seed, int threads, std::span<const ArgumentContents> contents = {},
        const std::stop_token& stop = {});

} // namespace tilewright::measure
