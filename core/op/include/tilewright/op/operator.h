// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/index_map.h>
#include <tilewright/op/compute.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::op {

/// A constant parameter that the function takes in another layout than the user has it: element
/// `i` of the user's tensor stands at `map(i)` of the parameter. Packing happens once, at compile
/// time, and is never timed.
struct ParamPacking {
    std::size_t param = 0;
    Shape userShape;
    ir::IndexMap map;
};

/// A tensor program with what is known of its parameters.
struct Operator {
    ir::Module module;
    std::vector<bool> constant; ///< one flag an input: a weight, known before run time
    std::vector<ParamPacking> packings;
};

/// A parameter of a named operator: `n=1024`; `dtype` and `layout` are text.
struct NamedParam {
    std::string name;
    std::string defaultValue;
    std::string help;
};

/// What `op:NAME` offers, for help and completion.
struct NamedOperator {
    std::string name;
    std::string help;
    std::vector<NamedParam> params;
};

/// All built-in operators in the order of the help text.
const std::vector<NamedOperator>& namedOperators();

/// Builds `GMM` or `GMM:n=128,m=64,k=32` (what stands behind `op:`).
/// Throws UserError `UnknownOperator` / `InvalidParameter` naming what is accepted.
Operator buildNamed(std::string_view text);

} // namespace tilewright::op
