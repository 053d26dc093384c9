// SPDX-License-Identifier: Apache-2.0
#include "argument_reader.h"
#include "instruction_functions.h"
#include "primitives/add_unit_loop.h"
#include "primitives/annotate.h"
#include "primitives/fuse.h"
#include "primitives/loop_kind.h"
#include "primitives/reorder.h"
#include "primitives/reorder_block_iter_var.h"
#include "primitives/split.h"

#include <tilewright/base/concat.h>

namespace tilewright::schedule {

Outputs applyFuse(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const std::vector<SrefId> loops, reader.loops(0));
    TW_ASSIGN(const SrefId fused, fuse(schedule.mutableState(), loops, reader.flag(0)));
    return std::vector<Rv>{schedule.newRv(fused)};
}

Outputs applySplit(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId loop, reader.loop(0));
    TW_ASSIGN(const std::vector<ir::Expr> factors, reader.factors(1));
    TW_ASSIGN(const std::vector<SrefId> loops,
              split(schedule.mutableState(), loop, factors, reader.flag(0), reader.flag(1)));
    std::vector<Rv> outputs;
    for (const SrefId id : loops)
        outputs.push_back(schedule.newRv(id));
    return outputs;
}

Outputs applyReorder(Schedule& schedule, const InstructionArguments& arguments) {
    TW_ASSIGN(const std::vector<SrefId> loops, ArgumentReader(schedule, arguments).loops(0));
    TW_TRY(reorder(schedule.mutableState(), loops));
    return std::vector<Rv>{};
}

Outputs applyReorderBlockIterVar(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId block, reader.block(0));
    const auto* list = reader.input(1).asList();
    if (!list)
        return fail("TypeError", "new_order must be a list of integers");
    std::vector<std::int64_t> order;
    for (const Value& item : *list)
        order.push_back(item.toInt(-1));
    TW_TRY(reorderBlockIterVar(schedule.mutableState(), block, order));
    return std::vector<Rv>{};
}

Outputs applyAddUnitLoop(Schedule& schedule, const InstructionArguments& arguments) {
    TW_ASSIGN(const SrefId target, ArgumentReader(schedule, arguments).blockOrLoop(0));
    TW_ASSIGN(const SrefId loop, addUnitLoop(schedule.mutableState(), target));
    return std::vector<Rv>{schedule.newRv(loop)};
}

namespace {

Outputs applyToLoop(Schedule& schedule, const InstructionArguments& arguments,
                    Outcome<void> (*primitive)(ScheduleState&, SrefId)) {
    TW_ASSIGN(const SrefId loop, ArgumentReader(schedule, arguments).loop(0));
    TW_TRY(primitive(schedule.mutableState(), loop));
    return std::vector<Rv>{};
}

} // namespace

Outputs applyParallel(Schedule& schedule, const InstructionArguments& arguments) {
    return applyToLoop(schedule, arguments, parallelize);
}

Outputs applyVectorize(Schedule& schedule, const InstructionArguments& arguments) {
    return applyToLoop(schedule, arguments, vectorize);
}

Outputs applyUnroll(Schedule& schedule, const InstructionArguments& arguments) {
    return applyToLoop(schedule, arguments, unroll);
}

Outputs applyBind(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId loop, reader.loop(0));
    TW_ASSIGN(const std::string tag, reader.stringAttr(0));
    TW_TRY(bindThread(schedule.mutableState(), loop, tag));
    return std::vector<Rv>{};
}

namespace {

Outcome<ir::AttrValue> annotationValue(const Schedule& schedule, const Value& value) {
    if (const Rv* rv = value.asRv()) {
        TW_ASSIGN(const auto number, schedule.tryNumber(*rv));
        if (!number)
            return fail("ValueError", "the variable has no value");
        return ir::AttrValue(*number);
    }
    if (const auto* truth = value.asBool())
        return ir::AttrValue(*truth);
    if (const auto* number = value.asInt())
        return ir::AttrValue(*number);
    if (const auto* number = value.asFloat())
        return ir::AttrValue(*number);
    if (const auto* text = value.asString())
        return ir::AttrValue(*text);
    if (const auto* list = value.asList()) {
        ir::AttrValue::List items;
        for (const Value& item : *list) {
            TW_ASSIGN(ir::AttrValue converted, annotationValue(schedule, item));
            items.push_back(std::move(converted));
        }
        return ir::AttrValue(std::move(items));
    }
    if (const auto* dict = value.asDict()) {
        ir::AttrValue::Dict items;
        for (const auto& [key, item] : *dict) {
            TW_ASSIGN(ir::AttrValue converted, annotationValue(schedule, item));
            items.emplace_back(key, std::move(converted));
        }
        return ir::AttrValue(std::move(items));
    }
    return fail("TypeError", "an annotation must be a string, a number, a list or a dictionary");
}

} // namespace

Outputs applyAnnotate(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId target, reader.blockOrLoop(0));
    TW_ASSIGN(const std::string key, reader.stringAttr(0));
    TW_ASSIGN(ir::AttrValue value, annotationValue(schedule, reader.input(1)));
    TW_TRY(annotate(schedule.mutableState(), target, key, std::move(value)));
    return std::vector<Rv>{};
}

Outputs applyUnannotate(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId target, reader.blockOrLoop(0));
    TW_ASSIGN(const std::string key, reader.stringAttr(0));
    TW_TRY(unannotate(schedule.mutableState(), target, key));
    return std::vector<Rv>{};
}

Outputs applyEnterPostproc(Schedule&, const InstructionArguments&) {
    return std::vector<Rv>{};
}

} // namespace tilewright::schedule
