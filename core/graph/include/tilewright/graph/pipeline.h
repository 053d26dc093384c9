// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/passes.h>

namespace tilewright::graph {

/// What the preparation of a graph may do.
struct PipelineOptions {
    DataLayout layout = DataLayout::ChannelsLast;
};

/// Brings an imported graph into the form that is fused and legalised: the one place that fixes
/// the order of the passes.
void preparePipeline(Graph& graph, const PipelineOptions& options = {});

} // namespace tilewright::graph
