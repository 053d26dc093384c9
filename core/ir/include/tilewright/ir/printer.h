// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>
#include <tilewright/ir/stmt.h>

#include <string>
#include <string_view>

namespace tilewright::ir {

/// Prints a module as TVMScript in the newest spelling, the way TVM's own `mod.script()` does
/// (header comments, import lines, `@I.ir_module`); ends without a line break.
std::string print(const Module& module);
/// Prints one function with its import lines, as a bare `@T.prim_func`.
std::string print(const PrimFunc& function, std::string_view name = "main");
/// Prints a fragment: definitions it lacks print as their name hints.
std::string print(const Stmt& stmt);
std::string print(const Expr& expr);
/// `A[0:16, vi]`.
std::string print(const BufferRegion& region);
/// A value the way it stands in `T.sblock_attr({…})`.
std::string print(const AttrValue& value);

} // namespace tilewright::ir
