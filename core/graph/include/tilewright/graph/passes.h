// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/graph.h>

namespace tilewright::graph {

// Graph passes, one a source file under src/passes; preparePipeline (pipeline.h) orders them.
// Every pass keeps the graph's inputs and outputs and what it computes.

/// Drops nodes whose results nobody reads.
void eliminateDeadCode(Graph& graph);

/// Rewrites operators into few canonical ones: Identity and Dropout vanish, Flatten, Squeeze and
/// Unsqueeze become Reshape with the attribute shape, Split becomes Slices, Gemm becomes MatMul
/// and Add, a variadic operator becomes a chain; chains of reshapes or transposes merge; joining
/// constant zeros becomes Pad.
void canonicalise(Graph& graph);

/// Folds BatchNormalization and per-channel constants (Mul, Add, Sub, Div) that follow a
/// convolution into its weights and bias; a BatchNormalization left over becomes Mul and Add.
void foldBatchNorm(Graph& graph);

/// Recognises a layer normalisation that is written out (ReduceMean, Sub, Pow, ReduceMean, Add,
/// Sqrt, Div, Mul, Add) over the last dimension and makes it one operator.
void recogniseLayerNorm(Graph& graph);

/// Turns a convolution's bias into an Add after it, which fuses like any other.
void detachBias(Graph& graph);

/// Gives every output a kernel that writes it: one that is an input, a constant or another output
/// under a new shape or name is copied. Runs last.
void separateOutputs(Graph& graph);

/// Data layout of two-dimensional convolutions and pooling.
enum class DataLayout : unsigned char {
    ChannelsFirst, ///< as ONNX has it
    ChannelsLast,  ///< NHWC with weights packed as [height, width, in, out]
};

/// Converts convolutions and pooling, and what lies between, to channels-last; transposes
/// remain only where the data enter and leave.
void convertToChannelsLast(Graph& graph);

} // namespace tilewright::graph
