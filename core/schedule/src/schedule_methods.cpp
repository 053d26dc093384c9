// SPDX-License-Identifier: Apache-2.0

// The typed methods of Schedule: each names an instruction and hands over its parts.

#include <tilewright/schedule/schedule.h>

namespace tilewright::schedule {

namespace {

template <RvKind Kind> std::vector<TypedRv<Kind>> typed(const std::vector<Rv>& rvs) {
    std::vector<TypedRv<Kind>> result;
    result.reserve(rvs.size());
    for (const Rv rv : rvs)
        result.emplace_back(rv.id);
    return result;
}

template <class T> std::vector<Value> values(const std::vector<T>& items) {
    return std::vector<Value>(items.begin(), items.end());
}

template <class T> Value optionalList(const std::optional<std::vector<T>>& items) {
    return items ? Value::list(*items) : Value();
}

Value optionalInt(std::optional<std::int64_t> number) {
    return number ? Value(*number) : Value();
}

std::string text(std::string_view view) {
    return std::string(view);
}

} // namespace

BlockRV Schedule::getSBlock(std::string_view name, std::string_view function) {
    return BlockRV(
        applyOrThrow("GetSBlock", {}, {text(name), function.empty() ? workOn_ : text(function)})[0]
            .id);
}
std::vector<LoopRV> Schedule::getLoops(BlockRV block) {
    return typed<RvKind::Loop>(applyOrThrow("GetLoops", {block}, {}));
}
std::vector<BlockRV> Schedule::getChildBlocks(BlockOrLoop target) {
    return typed<RvKind::Block>(applyOrThrow("GetChildBlocks", {target}, {}));
}
std::vector<BlockRV> Schedule::getProducers(BlockRV block) {
    return typed<RvKind::Block>(applyOrThrow("GetProducers", {block}, {}));
}
std::vector<BlockRV> Schedule::getConsumers(BlockRV block) {
    return typed<RvKind::Block>(applyOrThrow("GetConsumers", {block}, {}));
}
std::vector<BlockRV> Schedule::getOutputBlocks(BlockRV scope) {
    return typed<RvKind::Block>(applyOrThrow("GetOutputBlocks", {scope}, {}));
}

ExprRV Schedule::sampleCategorical(const std::vector<std::int64_t>& candidates,
                                   const std::vector<double>& probabilities,
                                   std::optional<std::int64_t> decision) {
    return ExprRV(applyOrThrow("SampleCategorical", {},
                               {Value::list(candidates), Value::list(probabilities)},
                               optionalInt(decision))[0]
                      .id);
}
std::vector<ExprRV> Schedule::samplePerfectTile(LoopRV loop, int n, int maxInnermostFactor,
                                                std::optional<std::vector<std::int64_t>> decision) {
    return typed<RvKind::Expr>(
        applyOrThrow("SamplePerfectTile", {loop}, {n, maxInnermostFactor}, optionalList(decision)));
}
std::vector<ExprRV>
Schedule::samplePartitionedTile(LoopRV loop, int n, int partitionPos, int innerpartFactor,
                                std::optional<std::vector<std::int64_t>> decision) {
    return typed<RvKind::Expr>(applyOrThrow("SamplePartitionedTile", {loop},
                                            {n, partitionPos, innerpartFactor},
                                            optionalList(decision)));
}
LoopRV Schedule::sampleComputeLocation(BlockRV block, std::optional<std::int64_t> decision) {
    return LoopRV(applyOrThrow("SampleComputeLocation", {block}, {}, optionalInt(decision))[0].id);
}

std::vector<LoopRV> Schedule::split(LoopRV loop, const std::vector<Factor>& factors,
                                    bool preserveUnitIters, bool disablePredication) {
    std::vector<Value> inputs{loop};
    inputs.insert(inputs.end(), factors.begin(), factors.end());
    return typed<RvKind::Loop>(
        applyOrThrow("Split", std::move(inputs), {preserveUnitIters, disablePredication}));
}
LoopRV Schedule::fuse(const std::vector<LoopRV>& loops, bool preserveUnitIters) {
    return LoopRV(applyOrThrow("Fuse", values(loops), {preserveUnitIters})[0].id);
}
LoopRV Schedule::merge(const std::vector<LoopRV>& loops) {
    return LoopRV(applyOrThrow("Merge", values(loops), {})[0].id);
}
std::vector<LoopRV> Schedule::loopPartition(LoopRV loop, const std::vector<Factor>& factors,
                                            bool preserveUnitIters) {
    std::vector<Value> inputs{loop};
    inputs.insert(inputs.end(), factors.begin(), factors.end());
    return typed<RvKind::Loop>(
        applyOrThrow("LoopPartition", std::move(inputs), {preserveUnitIters}));
}
void Schedule::reorder(const std::vector<LoopRV>& loops) {
    applyOrThrow("Reorder", values(loops), {});
}
void Schedule::reorderBlockIterVar(BlockRV block, const std::vector<std::int64_t>& newOrder) {
    applyOrThrow("ReorderBlockIterVar", {block, Value::list(newOrder)}, {});
}
LoopRV Schedule::addUnitLoop(BlockOrLoop target) {
    return LoopRV(applyOrThrow("AddUnitLoop", {target}, {})[0].id);
}
void Schedule::parallel(LoopRV loop) {
    applyOrThrow("Parallel", {loop}, {});
}
void Schedule::vectorize(LoopRV loop) {
    applyOrThrow("Vectorize", {loop}, {});
}
void Schedule::unroll(LoopRV loop) {
    applyOrThrow("Unroll", {loop}, {});
}
void Schedule::bind(LoopRV loop, std::string_view threadAxis) {
    applyOrThrow("Bind", {loop}, {text(threadAxis)});
}

BlockRV Schedule::cacheRead(BlockRV block, int readBufferIndex, std::string_view storageScope,
                            const std::vector<BlockRV>& consumers) {
    return BlockRV(applyOrThrow("CacheRead", {block, Value::list(consumers)},
                                {readBufferIndex, text(storageScope)})[0]
                       .id);
}
BlockRV Schedule::cacheWrite(BlockRV block, int writeBufferIndex, std::string_view storageScope,
                             const std::vector<BlockRV>& consumers) {
    return BlockRV(applyOrThrow("CacheWrite", {block, Value::list(consumers)},
                                {writeBufferIndex, text(storageScope)})[0]
                       .id);
}
BlockRV Schedule::reindex(BlockRV block, BufferRole role, int bufferIndex) {
    return BlockRV(applyOrThrow("ReIndex", {block}, {bufferIndex, static_cast<int>(role)})[0].id);
}
void Schedule::computeAt(BlockRV block, LoopRV loop, bool preserveUnitLoops, int index) {
    applyOrThrow("ComputeAt", {block, loop}, {preserveUnitLoops, index});
}
void Schedule::reverseComputeAt(BlockRV block, LoopRV loop, bool preserveUnitLoops, int index) {
    applyOrThrow("ReverseComputeAt", {block, loop}, {preserveUnitLoops, index});
}
void Schedule::computeInline(BlockRV block) {
    applyOrThrow("ComputeInline", {block}, {});
}
void Schedule::reverseComputeInline(BlockRV block) {
    applyOrThrow("ReverseComputeInline", {block}, {});
}
BlockRV Schedule::decomposeReduction(BlockRV block, LoopRV loop) {
    return BlockRV(applyOrThrow("DecomposeReduction", {block, loop}, {})[0].id);
}
BlockRV Schedule::rfactor(LoopRV loop, int factorAxis) {
    return BlockRV(applyOrThrow("RFactor", {loop}, {factorAxis})[0].id);
}
void Schedule::storageAlign(BlockRV block, int bufferIndex, int axis, int factor, int offset) {
    applyOrThrow("StorageAlign", {block}, {bufferIndex, axis, factor, offset});
}
void Schedule::setScope(BlockRV block, int bufferIndex, std::string_view storageScope) {
    applyOrThrow("SetScope", {block}, {bufferIndex, text(storageScope)});
}
BlockRV Schedule::blockize(LoopRV loop, bool preserveUnitIters) {
    return BlockRV(applyOrThrow("Blockize", {loop}, {preserveUnitIters})[0].id);
}
void Schedule::tensorize(BlockOrLoop target, std::string_view intrinsic, bool preserveUnitIters) {
    applyOrThrow("Tensorize", {target}, {text(intrinsic), preserveUnitIters});
}
void Schedule::transformLayout(BlockRV block, BufferRole role, int bufferIndex,
                               const ir::IndexMap& indexMap, std::optional<ir::IndexMap> padValue,
                               bool assumeInjective) {
    applyOrThrow("TransformLayout", {block, indexMap},
                 {bufferIndex, static_cast<int>(role),
                  padValue ? Value(*std::move(padValue)) : Value(), assumeInjective});
}
void Schedule::transformBlockLayout(BlockRV block, const ir::IndexMap& indexMap) {
    applyOrThrow("TransformBlockLayout", {block}, {indexMap});
}
BlockRV Schedule::decomposePadding(BlockRV block, LoopRV loop) {
    return BlockRV(applyOrThrow("DecomposePadding", {block, loop}, {})[0].id);
}
void Schedule::padEinsum(BlockRV block, const std::vector<std::int64_t>& padding) {
    applyOrThrow("PadEinsum", {block}, {Value::list(padding)});
}

void Schedule::annotate(BlockOrLoop target, std::string_view key, const Value& value) {
    applyOrThrow("Annotate", {target, value}, {text(key)});
}
void Schedule::unannotate(BlockOrLoop target, std::string_view key) {
    applyOrThrow("Unannotate", {target}, {text(key)});
}
void Schedule::enterPostproc() {
    applyOrThrow("EnterPostproc", {}, {});
}

} // namespace tilewright::schedule
