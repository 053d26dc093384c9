// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/execution_plan.h>
#include <tilewright/json/value.h>
#include <tilewright/session/tuning_input.h>
#include <tilewright/target/target.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

struct CompileRequest {
    std::filesystem::path workDir; ///< empty = nothing is tuned
    target::Target target;
};

/// What one operator of a compiled library was made from.
struct CompiledOperator {
    std::string name;
    double weight = 1; ///< calls in a run
    double flop = 0;   ///< of one call
    std::vector<std::string> nodes;
    std::optional<std::int64_t> record; ///< none: the default schedule
    std::optional<double> seconds;      ///< the record's median
    std::string reason;                 ///< why it is the default schedule
};

/// A compiled model (or one operator), in the form of graph/model_abi.h.
struct CompiledInput {
    std::string library; ///< bytes of the shared object
    std::string header;  ///< C header that describes it
    std::vector<CompiledOperator> operators;
    std::vector<graph::PlanTensor> inputs;
    std::vector<graph::PlanTensor> outputs;
    [[nodiscard]] std::size_t tunedCount() const;
};

/// Compiles a model, a module or one built-in operator for a target. Each task takes its best
/// record, else the default schedule; a record whose kernel cannot be compiled falls back too.
/// `libraryName` is what the header calls the file. Throws UserError: `unsupported-operator` when
/// nodes were skipped, `input` when it is several operators, those of code generation.
CompiledInput compileInput(const TuningInput& input, const CompileRequest& request,
                           const std::string& libraryName);

/// `tilewright/compile/1`: what was tuned and what fell back.
json::Value toJson(const CompiledInput& compiled);

} // namespace tilewright::session
