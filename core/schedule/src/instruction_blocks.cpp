// SPDX-License-Identifier: Apache-2.0
#include "argument_reader.h"
#include "instruction_functions.h"
#include "primitives/cache_read.h"
#include "primitives/cache_write.h"
#include "primitives/compute_at.h"
#include "primitives/compute_inline.h"
#include "primitives/decompose_reduction.h"
#include "primitives/reverse_compute_at.h"
#include "primitives/reverse_compute_inline.h"
#include "primitives/rfactor.h"
#include "primitives/transform_layout.h"

namespace tilewright::schedule {

namespace {

template <class Primitive>
Outputs applyCache(Schedule& schedule, const InstructionArguments& arguments,
                   Primitive&& primitive) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId block, reader.block(0));
    TW_ASSIGN(const std::vector<SrefId> consumers, reader.blockList(1));
    TW_ASSIGN(const int index, reader.intAttr(0));
    TW_ASSIGN(const std::string scope, reader.stringAttr(1));
    TW_ASSIGN(const SrefId made,
              primitive(schedule.mutableState(), block, index, scope, consumers));
    return std::vector<Rv>{schedule.newRv(made)};
}

} // namespace

Outputs applyCacheRead(Schedule& schedule, const InstructionArguments& arguments) {
    return applyCache(schedule, arguments, cacheRead);
}

Outputs applyCacheWrite(Schedule& schedule, const InstructionArguments& arguments) {
    return applyCache(schedule, arguments, cacheWrite);
}

namespace {

/// compute_at and its mirror image take the marks of compute locations too: at the root mark the
/// block stays, at the inline mark it is inlined.
Outputs applyMove(Schedule& schedule, const InstructionArguments& arguments,
                  Outcome<void> (*move)(ScheduleState&, SrefId, SrefId, bool, int, bool),
                  Outcome<void> (*inlined)(ScheduleState&, SrefId, bool)) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId block, reader.block(0));
    if (const Rv* rv = reader.input(1).asRv(); rv && rv->kind == RvKind::Loop) {
        if (schedule.isRootMark(LoopRV(rv->id)))
            return std::vector<Rv>{};
        if (schedule.isInlineMark(LoopRV(rv->id))) {
            TW_TRY(inlined(schedule.mutableState(), block, false));
            return std::vector<Rv>{};
        }
    }
    TW_ASSIGN(const SrefId loop, reader.loop(1));
    TW_ASSIGN(const int index, reader.intAttr(1));
    TW_TRY(move(schedule.mutableState(), block, loop, reader.flag(0), index, false));
    return std::vector<Rv>{};
}

} // namespace

Outputs applyComputeAt(Schedule& schedule, const InstructionArguments& arguments) {
    return applyMove(schedule, arguments, computeAt, computeInline);
}

Outputs applyReverseComputeAt(Schedule& schedule, const InstructionArguments& arguments) {
    return applyMove(schedule, arguments, reverseComputeAt, reverseComputeInline);
}

Outputs applyComputeInline(Schedule& schedule, const InstructionArguments& arguments) {
    TW_ASSIGN(const SrefId block, ArgumentReader(schedule, arguments).block(0));
    TW_TRY(computeInline(schedule.mutableState(), block));
    return std::vector<Rv>{};
}

Outputs applyReverseComputeInline(Schedule& schedule, const InstructionArguments& arguments) {
    TW_ASSIGN(const SrefId block, ArgumentReader(schedule, arguments).block(0));
    TW_TRY(reverseComputeInline(schedule.mutableState(), block));
    return std::vector<Rv>{};
}

Outputs applyDecomposeReduction(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId block, reader.block(0));
    TW_ASSIGN(const SrefId loop, reader.loop(1));
    TW_ASSIGN(const SrefId init, decomposeReduction(schedule.mutableState(), block, loop));
    return std::vector<Rv>{schedule.newRv(init)};
}

Outputs applyRFactor(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId loop, reader.loop(0));
    TW_ASSIGN(const int axis, reader.intAttr(0));
    TW_ASSIGN(const SrefId block, rfactor(schedule.mutableState(), loop, axis));
    return std::vector<Rv>{schedule.newRv(block)};
}

Outputs applyTransformLayout(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId block, reader.block(0));
    TW_ASSIGN(const ir::IndexMap map, reader.mapOf(reader.input(1)));
    TW_ASSIGN(const int index, reader.intAttr(0));
    TW_ASSIGN(const int type, reader.intAttr(1));
    if (type != 0 && type != 1)
        return fail("ValueError", "buffer_index_type must be 0 (read) or 1 (write)");
    ir::IndexMap padValue;
    const bool padded = !reader.attr(2).isNull();
    if (padded) {
        TW_ASSIGN(padValue, reader.mapOf(reader.attr(2)));
    }
    TW_TRY(transformLayout(schedule.mutableState(), block, index,
                           static_cast<BufferIndexType>(type), map, padded ? &padValue : nullptr,
                           reader.flag(3)));
    return std::vector<Rv>{};
}

} // namespace tilewright::schedule
