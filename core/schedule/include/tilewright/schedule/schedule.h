// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/random_state.h>
#include <tilewright/schedule/instruction.h>
#include <tilewright/schedule/schedule_state.h>
#include <tilewright/schedule/trace.h>
#include <tilewright/schedule/value.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::schedule {

/// A factor of split: a variable, a constant, or nothing (inferred).
using Factor = Value;
/// Which buffer of a block: the index-th one it reads or writes.
enum class BufferRole : std::uint8_t { Read = 0, Write = 1 };

/// A module under schedule with the trace that made it. A value: copies are snapshots, cheap
/// (tables of plain data; IR nodes and instructions are shared), with the same random state.
///
/// Every method applies one instruction and records it. It throws ScheduleError, leaving the
/// schedule as it was, when the primitive refuses; `tryApply` gives the refusal as a value.
class Schedule {
public:
    explicit Schedule(ir::Module module, std::int64_t seed = 1);
    Schedule(ir::Module module, base::RandomState random);

    [[nodiscard]] const ir::Module& module() const { return state_.module(); }
    [[nodiscard]] const ScheduleState& state() const { return state_; }
    [[nodiscard]] ScheduleState& mutableState() { return state_; }
    [[nodiscard]] const Trace& trace() const { return trace_; }
    [[nodiscard]] base::RandomState& random() { return random_; }
    void setRandom(base::RandomState random) { random_ = random; }
    /// A copy with a random state forked from this one's, which advances by one draw.
    [[nodiscard]] Schedule fork();
    /// The function that names without one mean: `main` or the module's entry.
    [[nodiscard]] const std::string& workOn() const { return workOn_; }
    void setWorkOn(std::string function) { workOn_ = std::move(function); }
    void setEnableCheck(bool on) { state_.setEnableCheck(on); }

    // ---- what variables stand for
    [[nodiscard]] SrefId sref(BlockRV block) const;
    [[nodiscard]] SrefId sref(LoopRV loop) const; ///< throws for the marks of compute locations
    [[nodiscard]] SrefId sref(Rv rv) const;
    [[nodiscard]] const ir::BlockNode* get(BlockRV block) const;
    [[nodiscard]] const ir::ForNode* get(LoopRV loop) const;
    [[nodiscard]] std::int64_t get(ExprRV expr) const;
    [[nodiscard]] bool isInlineMark(LoopRV loop) const;
    [[nodiscard]] bool isRootMark(LoopRV loop) const;
    /// As sref and get, a refusal as a value. tryNumber gives nullopt for a variable without a
    /// value (a tile of a loop of unknown extent).
    [[nodiscard]] Outcome<SrefId> trySref(Rv rv) const;
    [[nodiscard]] Outcome<std::optional<std::int64_t>> tryNumber(Rv rv) const;
    /// True when the variable's node is still there.
    [[nodiscard]] bool has(Rv rv) const;

    // ---- queries
    BlockRV getSBlock(std::string_view name, std::string_view function = {});
    std::vector<LoopRV> getLoops(BlockRV block);
    std::vector<BlockRV> getChildBlocks(BlockOrLoop target);
    std::vector<BlockRV> getProducers(BlockRV block);
    std::vector<BlockRV> getConsumers(BlockRV block);
    std::vector<BlockRV> getOutputBlocks(BlockRV scope);

    // ---- sampling (a decision given is used, repaired where MetaSchedule repairs it)
    ExprRV sampleCategorical(const std::vector<std::int64_t>& candidates,
                             const std::vector<double>& probabilities,
                             std::optional<std::int64_t> decision = {});
    std::vector<ExprRV> samplePerfectTile(LoopRV loop, int n, int maxInnermostFactor = 16,
                                          std::optional<std::vector<std::int64_t>> decision = {});
    std::vector<ExprRV>
    samplePartitionedTile(LoopRV loop, int n, int partitionPos = 0, int innerpartFactor = 1,
                          std::optional<std::vector<std::int64_t>> decision = {});
    LoopRV sampleComputeLocation(BlockRV block, std::optional<std::int64_t> decision = {});

    // ---- loops
    std::vector<LoopRV> split(LoopRV loop, const std::vector<Factor>& factors,
                              bool preserveUnitIters = true, bool disablePredication = false);
    LoopRV fuse(const std::vector<LoopRV>& loops, bool preserveUnitIters = true);
    LoopRV merge(const std::vector<LoopRV>& loops);
    std::vector<LoopRV> loopPartition(LoopRV loop, const std::vector<Factor>& factors,
                                      bool preserveUnitIters = true);
    void reorder(const std::vector<LoopRV>& loops);
    void reorderBlockIterVar(BlockRV block, const std::vector<std::int64_t>& newOrder);
    LoopRV addUnitLoop(BlockOrLoop target);
    void parallel(LoopRV loop);
    void vectorize(LoopRV loop);
    void unroll(LoopRV loop);
    void bind(LoopRV loop, std::string_view threadAxis);

    // ---- blocks
    BlockRV cacheRead(BlockRV block, int readBufferIndex, std::string_view storageScope,
                      const std::vector<BlockRV>& consumers = {});
    BlockRV cacheWrite(BlockRV block, int writeBufferIndex, std::string_view storageScope,
                       const std::vector<BlockRV>& consumers = {});
    BlockRV reindex(BlockRV block, BufferRole role, int bufferIndex);
    void computeAt(BlockRV block, LoopRV loop, bool preserveUnitLoops = false, int index = -1);
    void reverseComputeAt(BlockRV block, LoopRV loop, bool preserveUnitLoops = false,
                          int index = -1);
    void computeInline(BlockRV block);
    void reverseComputeInline(BlockRV block);
    BlockRV decomposeReduction(BlockRV block, LoopRV loop);
    BlockRV rfactor(LoopRV loop, int factorAxis);
    void storageAlign(BlockRV block, int bufferIndex, int axis, int factor, int offset);
    void setScope(BlockRV block, int bufferIndex, std::string_view storageScope);
    BlockRV blockize(LoopRV loop, bool preserveUnitIters = true);
    void tensorize(BlockOrLoop target, std::string_view intrinsic, bool preserveUnitIters = true);
    void transformLayout(BlockRV block, BufferRole role, int bufferIndex,
                         const ir::IndexMap& indexMap, std::optional<ir::IndexMap> padValue = {},
                         bool assumeInjective = false);
    void transformBlockLayout(BlockRV block, const ir::IndexMap& indexMap);
    BlockRV decomposePadding(BlockRV block, LoopRV loop);
    void padEinsum(BlockRV block, const std::vector<std::int64_t>& padding);

    // ---- annotations and marks
    /// Does nothing when the key is there already.
    void annotate(BlockOrLoop target, std::string_view key, const Value& value);
    void unannotate(BlockOrLoop target, std::string_view key);
    void enterPostproc();

    /// Applies one instruction given by its parts and records it; the refusal is a value. This is
    /// what every method above, scripts and replay go through. `decision` null = sample.
    Outcome<std::vector<Rv>> tryApply(const InstructionKind& kind, std::vector<Value> inputs,
                                      std::vector<Value> attrs = {}, Value decision = {});
    /// Applies an instruction of a trace, shifting its variables by `rvOffset`.
    Outcome<std::vector<Rv>> tryApply(const InstructionRef& instruction, std::int32_t rvOffset,
                                      Value decision);

    // ---- for instructions: new variables, numbered in the order of the calls
    Rv newRv(SrefId id);
    Rv newRv(std::int64_t value);
    Rv newNullRv();
    Rv newInlineMark();
    Rv newRootMark();
    [[nodiscard]] std::int32_t rvCount() const { return static_cast<std::int32_t>(slots_.size()); }

private:
    struct Slot {
        RvKind kind;
        std::int64_t value; ///< sref index, mark (-2 inline, -3 root), or the expression's value
    };
    std::vector<Rv> applyOrThrow(std::string_view kind, std::vector<Value> inputs,
                                 std::vector<Value> attrs, Value decision = {});

    ScheduleState state_;
    std::vector<Slot> slots_;
    Trace trace_;
    base::RandomState random_;
    std::string workOn_;
};

} // namespace tilewright::schedule
