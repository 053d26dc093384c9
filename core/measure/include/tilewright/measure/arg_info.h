// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/ir/module.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::measure {

/// One argument of a kernel as the runner has to make it. TVM's TensorInfo; the JSON form is
/// `["TENSOR", dtype, shape]`.
struct ArgInfo {
    std::string dtype;
    std::vector<std::int64_t> shape;
    /// True when the kernel stores to it.
    bool isOutput = false;
    bool operator==(const ArgInfo&) const = default;
};

/// The arguments of a function, in the order of its parameters. Errors (kind `arg-info`): a
/// parameter that is no buffer, or one whose shape is not constant; both are named.
base::Result<std::vector<ArgInfo>> argInfosOf(const ir::PrimFunc& function);
/// Those of a module's entry function; error also when the module has none.
base::Result<std::vector<ArgInfo>> argInfosOf(const ir::Module& module);

} // namespace tilewright::measure
