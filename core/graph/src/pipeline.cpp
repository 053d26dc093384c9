// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/pipeline.h>

#include <tilewright/graph/infer_types.h>

namespace tilewright::graph {

void preparePipeline(Graph& graph, const PipelineOptions& options) {
    inferTypes(graph);
    eliminateDeadCode(graph);
    canonicalise(graph);
    foldBatchNorm(graph);
    recogniseLayerNorm(graph);
    detachBias(graph);
    inferTypes(graph);
    if (options.layout == DataLayout::ChannelsLast) {
        convertToChannelsLast(graph);
        inferTypes(graph);
        canonicalise(graph); // merges the transposes that the conversion left
    }
    inferTypes(graph);
    eliminateDeadCode(graph);
    separateOutputs(graph);
}

} // namespace tilewright::graph
