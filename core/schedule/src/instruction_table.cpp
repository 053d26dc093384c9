// SPDX-License-Identifier: Apache-2.0

// Every schedule instruction, once.

#include "instruction_functions.h"

#include <tilewright/schedule/instruction.h>

#include <algorithm>
#include <array>

namespace tilewright::schedule {

namespace {

using enum ArgumentForm;

constexpr ArgumentSpec kCandidates{'a', 0, Plain, "candidates"};
constexpr ArgumentSpec kProbs{'a', 1, Plain, "probs"};
constexpr ArgumentSpec kLoop{'i', 0, Plain, "loop"};
constexpr ArgumentSpec kLoop1{'i', 1, Plain, "loop"};
constexpr ArgumentSpec kBlock{'i', 0, Plain, "block"};
constexpr ArgumentSpec kBlock1{'i', 1, Plain, "block"};
constexpr ArgumentSpec kTarget{'i', 0, Plain, "block_or_loop"};
constexpr ArgumentSpec kRest{'i', 0, Rest, ""};

constexpr std::array kSampleCategorical{kCandidates, kProbs};
constexpr std::array kPerfectTile{kLoop, ArgumentSpec{'a', 0, Plain, "n"},
                                  ArgumentSpec{'a', 1, Plain, "max_innermost_factor", "16"}};
constexpr std::array kPartitionedTile{kLoop, ArgumentSpec{'a', 0, Plain, "n"},
                                      ArgumentSpec{'a', 1, Plain, "partition_pos", "0"},
                                      ArgumentSpec{'a', 2, Plain, "innerpart_factor", "1"}};
constexpr std::array kOneBlock{kBlock};
constexpr std::array kOneLoop{kLoop};
constexpr std::array kOneTarget{kTarget};
constexpr std::array kGetSBlock{ArgumentSpec{'a', 0, Plain, "name"},
                                ArgumentSpec{'a', 1, Plain, "func_name", "\"main\""}};
constexpr std::array kPositional{ArgumentSpec{'i', 0, Positional, ""}};
constexpr std::array kAllLoops{kRest};
constexpr std::array kFuse{kRest, ArgumentSpec{'a', 0, IntFlag, "preserve_unit_iters", "True"}};
constexpr ArgumentSpec kFactors{'i', 1, RestList, "factors"};
constexpr std::array kSplit{kLoop, kFactors,
                            ArgumentSpec{'a', 0, IntFlag, "preserve_unit_iters", "True"},
                            ArgumentSpec{'a', 1, IntFlag, "disable_predication", "False"}};
constexpr std::array kLoopPartition{kLoop, kFactors,
                                    ArgumentSpec{'a', 0, IntFlag, "preserve_unit_iters", "True"}};
constexpr std::array kReorderIterVar{kBlock, ArgumentSpec{'i', 1, Plain, "new_order"}};
constexpr std::array kBind{kLoop, ArgumentSpec{'a', 0, Plain, "thread_axis"}};
constexpr ArgumentSpec kReadIndex{'a', 0, Plain, "read_buffer_index"};
constexpr ArgumentSpec kWriteIndex{'a', 0, Plain, "write_buffer_index"};
constexpr ArgumentSpec kScope1{'a', 1, Plain, "storage_scope"};
constexpr ArgumentSpec kConsumers{'i', 1, OmitEmpty, "consumer_blocks", "[]"};
constexpr std::array kCacheRead{kBlock, kReadIndex, kScope1, kConsumers};
constexpr std::array kCacheWrite{kBlock, kWriteIndex, kScope1, kConsumers};
constexpr ArgumentSpec kIndexMap1{'i', 1, Map, "index_map"};
constexpr std::array kReindexCacheRead{kBlock, kReadIndex, kScope1, kIndexMap1};
constexpr std::array kReindexCacheWrite{kBlock, kWriteIndex, kScope1, kIndexMap1};
constexpr std::array kCacheInplace{kBlock, kReadIndex, kScope1};
constexpr std::array kCacheIndex{kBlock, ArgumentSpec{'a', 0, Plain, "storage_scope"},
                                 ArgumentSpec{'a', 1, Plain, "cse_thresh", "0"}};
constexpr ArgumentSpec kBuffer{'a', 0, Buffer, "buffer"};
constexpr std::array kReIndex{kBlock, kBuffer};
constexpr std::array kReadAt{kLoop, kBlock1, kReadIndex, kScope1};
constexpr std::array kWriteAt{kLoop, kBlock1, kWriteIndex, kScope1};
constexpr std::array kComputeAt{kBlock, kLoop1,
                                ArgumentSpec{'a', 0, IntFlag, "preserve_unit_loops", "False"},
                                ArgumentSpec{'a', 1, Plain, "index", "-1"}};
constexpr std::array kFuseEpilogue{ArgumentSpec{'i', 0, Plain, "reduction_block"},
                                   ArgumentSpec{'i', 1, Plain, "epilogue_block"}};
constexpr std::array kBlockAndLoop{kBlock, kLoop1};
constexpr std::array kRFactor{kLoop, ArgumentSpec{'a', 0, Plain, "factor_axis"}};
constexpr ArgumentSpec kBufferIndex{'a', 0, Plain, "buffer_index"};
constexpr std::array kStorageAlign{kBlock, kBufferIndex, ArgumentSpec{'a', 1, Plain, "axis"},
                                   ArgumentSpec{'a', 2, Plain, "factor"},
                                   ArgumentSpec{'a', 3, Plain, "offset"}};
constexpr std::array kSetScope{kBlock, kBufferIndex, kScope1};
constexpr std::array kSetDType{kBlock, kBufferIndex, ArgumentSpec{'a', 1, Plain, "dtype"}};
constexpr std::array kAxisSeparator{kBlock, kBuffer,
                                    ArgumentSpec{'a', 2, Plain, "axis_separators"}};
constexpr std::array kBlockize{ArgumentSpec{'i', 0, Plain, "target"},
                               ArgumentSpec{'a', 0, BoolFlag, "preserve_unit_iters", "True"}};
constexpr std::array kTensorize{kTarget, ArgumentSpec{'a', 0, Plain, "tensor_intrin"},
                                ArgumentSpec{'a', 1, BoolFlag, "preserve_unit_iters", "True"}};
constexpr ArgumentSpec kKey{'a', 0, Plain, "ann_key"};
constexpr std::array kAnnotate{kTarget, kKey, ArgumentSpec{'i', 1, Plain, "ann_val"}};
constexpr std::array kUnannotate{kTarget, kKey};
constexpr std::array kTransformLayout{
    kBlock, kBuffer, kIndexMap1, ArgumentSpec{'a', 2, Map, "pad_value", "None"},
    ArgumentSpec{'a', 3, BoolFlag, "assume_injective_transform", "False"}};
constexpr std::array kTransformBlock{kBlock, ArgumentSpec{'a', 0, Map, "index_map"}};
constexpr std::array kPadEinsum{kBlock, ArgumentSpec{'a', 0, Plain, "padding"}};
constexpr std::array kRollingBuffer{kBlock, kWriteIndex};
constexpr std::array kHide{kBlock, ArgumentSpec{'i', 1, Plain, "buf_type"},
                           ArgumentSpec{'i', 2, Plain, "buf_index_array"}};
constexpr std::array kAnnotateAccess{kBlock, ArgumentSpec{'i', 1, Plain, "buffer_index"},
                                     ArgumentSpec{'i', 2, RoleName, "buf_type"},
                                     ArgumentSpec{'i', 3, RangeMap, "gen_new_ranges"}};

constexpr bool kPure = true;
constexpr bool kImpure = false;
constexpr bool kSampling = true;

// name, method, pure, sampling, inputs, attrs, outputs, arguments, function
constexpr InstructionKind kKinds[] = {
    {"SampleCategorical", "sample_categorical", kPure, kSampling, 0, 2, 1, kSampleCategorical,
     applySampleCategorical},
    {"SamplePerfectTile", "sample_perfect_tile", kPure, kSampling, 1, 2, -1, kPerfectTile,
     applySamplePerfectTile},
    {"SamplePartitionedTile", "sample_partitioned_tile", kPure, kSampling, 1, 3, -1,
     kPartitionedTile, applySamplePartitionedTile},
    {"SampleComputeLocation", "sample_compute_location", kPure, kSampling, 1, 0, 1, kOneBlock,
     applySampleComputeLocation},
    {"GetSBlock", "get_sblock", kPure, false, 0, 2, 1, kGetSBlock, applyGetSBlock},
    {"GetLoops", "get_loops", kPure, false, 1, 0, -1, kOneBlock, applyGetLoops},
    {"GetChildBlocks", "get_child_blocks", kPure, false, 1, 0, -1, kPositional,
     applyGetChildBlocks},
    {"GetProducers", "get_producers", kPure, false, 1, 0, -1, kOneBlock, applyGetProducers},
    {"GetConsumers", "get_consumers", kPure, false, 1, 0, -1, kOneBlock, applyGetConsumers},
    {"GetOutputBlocks", "get_output_blocks", kPure, false, 1, 0, -1, kOneBlock,
     applyGetOutputBlocks},
    {"Merge", "merge", kImpure, false, 0, 0, 1, kAllLoops, nullptr},
    {"Fuse", "fuse", kImpure, false, 0, 1, 1, kFuse, applyFuse},
    {"Split", "split", kImpure, false, 1, 2, -1, kSplit, applySplit},
    {"LoopPartition", "loop_partition", kImpure, false, 1, 1, -1, kLoopPartition, nullptr},
    {"Reorder", "reorder", kImpure, false, 0, 0, 0, kAllLoops, applyReorder},
    {"ReorderBlockIterVar", "reorder_block_iter_var", kImpure, false, 2, 0, 0, kReorderIterVar,
     applyReorderBlockIterVar},
    {"AddUnitLoop", "add_unit_loop", kImpure, false, 1, 0, 1, kOneTarget, applyAddUnitLoop},
    {"Parallel", "parallel", kImpure, false, 1, 0, 0, kOneLoop, applyParallel},
    {"Vectorize", "vectorize", kImpure, false, 1, 0, 0, kOneLoop, applyVectorize},
    {"Unroll", "unroll", kImpure, false, 1, 0, 0, kOneLoop, applyUnroll},
    {"Bind", "bind", kImpure, false, 1, 1, 0, kBind, applyBind},
    {"CacheRead", "cache_read", kImpure, false, 2, 2, 1, kCacheRead, applyCacheRead},
    {"CacheWrite", "cache_write", kImpure, false, 2, 2, 1, kCacheWrite, applyCacheWrite},
    {"ReindexCacheRead", "reindex_cache_read", kImpure, false, 2, 2, 1, kReindexCacheRead, nullptr},
    {"ReindexCacheWrite", "reindex_cache_write", kImpure, false, 2, 2, 1, kReindexCacheWrite,
     nullptr},
    {"CacheInplace", "cache_inplace", kImpure, false, 1, 2, 2, kCacheInplace, nullptr},
    {"CacheIndex", "cache_index", kImpure, false, 1, 2, -1, kCacheIndex, nullptr},
    {"ReIndex", "reindex", kImpure, false, 1, 2, 1, kReIndex, nullptr},
    {"ReadAt", "read_at", kImpure, false, 2, 2, 1, kReadAt, nullptr},
    {"WriteAt", "write_at", kImpure, false, 2, 2, 1, kWriteAt, nullptr},
    {"ComputeAt", "compute_at", kImpure, false, 2, 2, 0, kComputeAt, applyComputeAt},
    {"ReverseComputeAt", "reverse_compute_at", kImpure, false, 2, 2, 0, kComputeAt,
     applyReverseComputeAt},
    {"ComputeInline", "compute_inline", kImpure, false, 1, 0, 0, kOneBlock, applyComputeInline},
    {"ReverseComputeInline", "reverse_compute_inline", kImpure, false, 1, 0, 0, kOneBlock,
     applyReverseComputeInline},
    {"FuseReductionEpilogue", "fuse_reduction_epilogue", kImpure, false, 2, 0, 0, kFuseEpilogue,
     nullptr},
    {"DecomposeReduction", "decompose_reduction", kImpure, false, 2, 0, 1, kBlockAndLoop,
     applyDecomposeReduction},
    {"RFactor", "rfactor", kImpure, false, 1, 1, 1, kRFactor, applyRFactor},
    {"StorageAlign", "storage_align", kImpure, false, 1, 4, 0, kStorageAlign, nullptr},
    {"SetScope", "set_scope", kImpure, false, 1, 2, 0, kSetScope, nullptr},
    {"UnsafeSetDType", "unsafe_set_dtype", kImpure, false, 1, 2, 0, kSetDType, nullptr},
    {"SetAxisSeparator", "set_axis_separator", kImpure, false, 1, 3, 0, kAxisSeparator, nullptr},
    {"Blockize", "blockize", kImpure, false, 1, 1, 1, kBlockize, nullptr},
    {"Tensorize", "tensorize", kImpure, false, 1, 2, 0, kTensorize, nullptr},
    {"Annotate", "annotate", kImpure, false, 2, 1, 0, kAnnotate, applyAnnotate},
    {"Unannotate", "unannotate", kImpure, false, 1, 1, 0, kUnannotate, applyUnannotate},
    {"TransformLayout", "transform_layout", kImpure, false, 2, 4, 0, kTransformLayout,
     applyTransformLayout},
    {"TransformBlockLayout", "transform_block_layout", kImpure, false, 1, 1, 0, kTransformBlock,
     nullptr},
    {"DecomposePadding", "decompose_padding", kImpure, false, 2, 0, 1, kBlockAndLoop, nullptr},
    {"PadEinsum", "pad_einsum", kImpure, false, 1, 1, 0, kPadEinsum, nullptr},
    {"RollingBuffer", "rolling_buffer", kImpure, false, 1, 1, 0, kRollingBuffer, nullptr},
    {"UnsafeHideBufferAccess", "unsafe_hide_buffer_access", kImpure, false, 3, 0, 0, kHide,
     nullptr},
    {"AnnotateBufferAccess", "annotate_buffer_access", kImpure, false, 4, 0, 0, kAnnotateAccess,
     nullptr},
    {"EnterPostproc", "enter_postproc", kImpure, false, 0, 0, 0, {}, applyEnterPostproc},
};

} // namespace

std::span<const InstructionKind> instructionKinds() {
    return kKinds;
}

const InstructionKind* findInstructionKind(std::string_view name) {
    if (name == "GetBlock")
        name = "GetSBlock";
    const auto* it = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const InstructionKind& kind) { return kind.name == name; });
    return it == std::end(kKinds) ? nullptr : it;
}

const InstructionKind* findInstructionKindByMethod(std::string_view method) {
    if (method == "get_block")
        method = "get_sblock";
    const auto* it =
        std::find_if(std::begin(kKinds), std::end(kKinds),
                     [&](const InstructionKind& kind) { return kind.pythonName == method; });
    return it == std::end(kKinds) ? nullptr : it;
}

} // namespace tilewright::schedule
