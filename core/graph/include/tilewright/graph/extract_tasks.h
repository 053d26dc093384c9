// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/graph.h>
#include <tilewright/graph/infer_types.h>
#include <tilewright/graph/pipeline.h>
#include <tilewright/ir/module.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::graph {

/// One distinct kernel of a model: what is tuned.
struct ExtractedTask {
    std::string name;               ///< `fused_conv_add_relu`, with a number when the name is taken
    ir::Module module;              ///< one function `main`; parameters: inputs, then the output
    int weight = 0;                 ///< how often a run of the model calls it
    double flop = 0;                ///< arithmetic operations of one call
    std::int64_t bytes = 0;         ///< bytes of all parameters, each once
    std::uint64_t hash = 0;         ///< structural hash of the module
    std::vector<std::string> nodes; ///< the model's nodes that the first call covers
};

/// One step of a run, in execution order.
struct ModelStep {
    /// Index of the task whose kernel is called, or -1: the output is the input under another
    /// shape, no work is done.
    int task = -1;
    std::vector<ValueId> inputs; ///< in the order of the kernel's parameters
    ValueId output;
    std::vector<std::string> nodes; ///< the model's nodes it covers
};

/// A model taken apart.
struct Extraction {
    Graph graph; ///< prepared: the values of the steps are its values
    std::vector<ExtractedTask> tasks;
    std::vector<ModelStep> steps;
    std::vector<SkippedNode> skipped; ///< the model can be run only when this is empty
};

/// Prepares the graph, fuses it, makes one TensorIR function of each group and keeps one of each
/// kind. Nodes that cannot be compiled are reported and the rest goes on.
Extraction extractTasks(Graph graph, const PipelineOptions& options = {});

} // namespace tilewright::graph
