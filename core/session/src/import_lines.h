// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/onnx/model_facts.h>
#include <tilewright/session/model_overview.h>

namespace tilewright::session {

/// The summary of a file that could not be extracted yet.
ImportSummary summarizeFacts(const onnx::ModelFacts& facts);

/// What became of each node of a file.
ImportSummary summarizeImport(const onnx::ModelFacts& facts, const TuningInput& input,
                              const std::vector<OverviewInput>& inputs);

} // namespace tilewright::session
