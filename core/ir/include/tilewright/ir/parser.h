// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/index_map.h>
#include <tilewright/ir/module.h>

#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::ir {

/// Reads a module written in TVMScript, any era's spelling. The text is never executed. A bare
/// `@T.prim_func` becomes a module of one function under its own name. Completes what the text
/// leaves out as TVM does: the root block, T.reads and T.writes, axis bindings, block predicates.
/// Throws base::ParseError (kind `tvmscript-syntax`) with file, line and column.
Module parseModule(std::string_view text, std::string_view fileName = "<text>");

/// Reads the only function of a text.
PrimFunc parseFunction(std::string_view text, std::string_view fileName = "<text>");

/// Names an expression may use.
using VarScope = std::vector<std::pair<std::string, Var>>;
/// Reads one expression (`vi * 4 + T.int64(2)`) whose names are those of `scope`.
Expr parseExpr(std::string_view text, const VarScope& scope = {},
               std::string_view fileName = "<text>");

/// Reads `lambda i, j: (i // 4, j, i % 4)`, the text form of an index map. `T.index_map(…)` around
/// it is accepted, and so is `IndexMap.AXIS_SEPARATOR` (left out of the map).
IndexMap parseIndexMap(std::string_view text, std::string_view fileName = "<text>");

} // namespace tilewright::ir
