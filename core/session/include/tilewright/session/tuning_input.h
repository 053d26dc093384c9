// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/extract_tasks.h>
#include <tilewright/op/suite.h>
#include <tilewright/search/tune.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::session {

enum class InputKind : std::uint8_t { Model, Module, Operator, Suite, WorkDir };

/// Something to tune, opened: an ONNX file, a TVMScript file, a built-in operator, operators of the
/// suite, or a work directory.
struct TuningInput {
    InputKind kind = InputKind::Module;
    std::string text; ///< as given
    std::vector<search::TuneTask> tasks;
    std::vector<std::vector<std::string>> nodes; ///< per task, the model's nodes it covers
    std::vector<graph::SkippedNode> skipped;     ///< of a model
    std::vector<std::string> warnings;
    std::shared_ptr<const graph::Extraction> model;      ///< of a model, else null
    std::vector<op::SuiteOperator> suite;                ///< of the suite, one a task
    std::vector<std::vector<op::ParamPacking>> packings; ///< per task
};

struct InputOptions {
    std::map<std::string, std::vector<std::int64_t>> shapes; ///< of model inputs
};

/// Opens an input. Throws UserError: `UnknownOperator`, `InvalidParameter` (op:, suite:),
/// `missing-shape`, `unreadable-file`, `not-a-model`, ParseError of a module with file and line,
/// `database-…` for a directory without a readable store, `input` for what is none of these.
TuningInput openInput(const std::string& text, const InputOptions& options = {});

/// Reads `NAME=1,3,224,224`. Throws UserError (kind `usage`).
std::pair<std::string, std::vector<std::int64_t>> parseShape(const std::string& text);

} // namespace tilewright::session
