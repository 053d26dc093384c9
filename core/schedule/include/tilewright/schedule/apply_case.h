// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/module.h>
#include <tilewright/json/value.h>
#include <tilewright/schedule/trace.h>

#include <optional>

namespace tilewright::schedule {

/// What applying a trace to a module gave.
struct ApplyResult {
    ir::Module module; ///< the scheduled module; in a refusal the one before the refused step
    Trace trace;       ///< as recorded again, up to there
    /// Empty when everything applied. `kind` is that of the failure.
    std::optional<base::Diagnostic> error;
    int step = -1; ///< 0-based index of the refused instruction
    [[nodiscard]] bool ok() const { return !error; }
};

/// Applies a trace (TVM's file form) with its decisions, postprocessing included. Never throws for
/// what the trace asks for: a malformed instruction is refused at its place, those before it are
/// applied. `function`: the function that block names without one mean, empty = the entry.
ApplyResult applyTrace(const ir::Module& module, const json::Value& trace,
                       const std::string& function = {});
/// The same for a trace in memory.
ApplyResult applyTrace(const ir::Module& module, const Trace& trace,
                       const std::string& function = {});

/// The module of a case: `workload_line` (a line of TVM's workload file, wins) or `module`
/// (TVMScript). Throws ParseError.
ir::Module caseModule(const json::Value& request);

/// One case of `apply --batch`: `name`, `module` (TVMScript) or `workload_line` (a line of TVM's
/// workload file, which wins), `trace`. The answer object is `{"name", "status": "ok" | "error",
/// "script", "trace", "error": {"kind", "message", "step"}}`. Never throws.
json::Value applyCase(const json::Value& request);

} // namespace tilewright::schedule
