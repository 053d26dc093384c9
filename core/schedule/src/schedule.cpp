// SPDX-License-Identifier: Apache-2.0
#include <tilewright/schedule/schedule.h>

#include "rv_name.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::schedule {

namespace {

constexpr std::int64_t kInlineMark = -2;
constexpr std::int64_t kRootMark = -3;

/// `value` with every variable shifted by `offset`.
Value shifted(const Value& value, std::int32_t offset) {
    if (const Rv* rv = value.asRv())
        return Rv{rv->kind, rv->id + offset};
    if (const auto* list = value.asList()) {
        Value::List items;
        items.reserve(list->size());
        for (const Value& item : *list)
            items.push_back(shifted(item, offset));
        return Value(std::move(items));
    }
    return value;
}

} // namespace

Schedule::Schedule(ir::Module module, std::int64_t seed)
    : Schedule(std::move(module), base::RandomState(seed)) {}

Schedule::Schedule(ir::Module module, base::RandomState random)
    : state_(std::move(module)), random_(random), workOn_(state_.module().entryName()) {}

Schedule Schedule::fork() {
    Schedule copy = *this;
    copy.random_ = random_.fork();
    return copy;
}

// ---- what variables stand for

Outcome<SrefId> Schedule::trySref(Rv rv) const {
    if (rv.id < 0 || rv.id >= rvCount())
        return fail("IndexError", base::concat("there is no variable ", rvName(rv)));
    const Slot& slot = slots_[static_cast<std::size_t>(rv.id)];
    if (slot.kind != rv.kind || rv.kind == RvKind::Expr || rv.kind == RvKind::Null)
        return fail("TypeError", base::concat(rvName(rv), " is another kind of variable"));
    if (slot.value < 0)
        return fail("ValueError",
                    base::concat(rvName(rv), " is no loop but the mark of ",
                                 slot.value == kInlineMark ? "inlining" : "staying at the root",
                                 "; only compute_at and reverse_compute_at take it"));
    const SrefId id(static_cast<std::int32_t>(slot.value));
    if (state_.expired(id))
        return fail("ValueError",
                    base::concat(rvName(rv), " is no longer in the module: it was rewritten away"));
    return id;
}

Outcome<std::optional<std::int64_t>> Schedule::tryNumber(Rv rv) const {
    if (rv.id < 0 || rv.id >= rvCount())
        return fail("IndexError", base::concat("there is no variable ", rvName(rv)));
    const Slot& slot = slots_[static_cast<std::size_t>(rv.id)];
    if (slot.kind == RvKind::Null)
        return std::optional<std::int64_t>();
    if (slot.kind != RvKind::Expr)
        return fail("TypeError", base::concat(rvName(rv), " is no number"));
    return std::optional<std::int64_t>(slot.value);
}

SrefId Schedule::sref(Rv rv) const {
    auto outcome = trySref(rv);
    if (!outcome)
        throw ScheduleError(outcome.error());
    return *outcome;
}
SrefId Schedule::sref(BlockRV block) const {
    return sref(Rv(block));
}
SrefId Schedule::sref(LoopRV loop) const {
    return sref(Rv(loop));
}
const ir::BlockNode* Schedule::get(BlockRV block) const {
    return state_.block(sref(block));
}
const ir::ForNode* Schedule::get(LoopRV loop) const {
    return state_.loop(sref(loop));
}

std::int64_t Schedule::get(ExprRV expr) const {
    auto outcome = tryNumber(Rv(expr));
    if (!outcome)
        throw ScheduleError(outcome.error());
    if (!outcome->has_value())
        throw ScheduleError(Failure("ValueError", base::concat(rvName(expr), " has no value")));
    return **outcome;
}

bool Schedule::isInlineMark(LoopRV loop) const {
    return loop.id >= 0 && loop.id < rvCount() &&
           slots_[static_cast<std::size_t>(loop.id)].value == kInlineMark;
}
bool Schedule::isRootMark(LoopRV loop) const {
    return loop.id >= 0 && loop.id < rvCount() &&
           slots_[static_cast<std::size_t>(loop.id)].value == kRootMark;
}

bool Schedule::has(Rv rv) const {
    if (rv.kind == RvKind::Expr)
        return rv.id >= 0 && rv.id < rvCount();
    return trySref(rv).has_value();
}

// ---- new variables

Rv Schedule::newRv(SrefId id) {
    const RvKind kind = state_.isLoop(id) ? RvKind::Loop : RvKind::Block;
    slots_.push_back({kind, id.value});
    return {kind, rvCount() - 1};
}
Rv Schedule::newRv(std::int64_t value) {
    slots_.push_back({RvKind::Expr, value});
    return {RvKind::Expr, rvCount() - 1};
}
Rv Schedule::newNullRv() {
    slots_.push_back({RvKind::Null, 0});
    return {RvKind::Null, rvCount() - 1};
}
Rv Schedule::newInlineMark() {
    slots_.push_back({RvKind::Loop, kInlineMark});
    return {RvKind::Loop, rvCount() - 1};
}
Rv Schedule::newRootMark() {
    slots_.push_back({RvKind::Loop, kRootMark});
    return {RvKind::Loop, rvCount() - 1};
}

// ---- applying

namespace {

base::Unexpected<Failure> notSupported(const InstructionKind& kind) {
    return fail("unsupported-instruction",
                base::concat("instruction ", kind.name, " is not supported"));
}

Outcome<void> checkCounts(const InstructionKind& kind, std::size_t inputs, std::size_t attrs) {
    const bool open = !kind.arguments.empty() &&
                      std::any_of(kind.arguments.begin(), kind.arguments.end(), [](const auto& a) {
                          return a.form == ArgumentForm::Rest || a.form == ArgumentForm::RestList;
                      });
    if (open ? inputs < kind.inputs : inputs != kind.inputs)
        return fail("ValueError",
                    base::concat(kind.name, " takes ", open ? "at least " : "",
                                 static_cast<int>(kind.inputs), " inputs, found ", inputs));
    if (attrs != kind.attrs)
        return fail("ValueError", base::concat(kind.name, " takes ", static_cast<int>(kind.attrs),
                                               " attributes, found ", attrs));
    return {};
}

} // namespace

Outcome<std::vector<Rv>> Schedule::tryApply(const InstructionKind& kind, std::vector<Value> inputs,
                                            std::vector<Value> attrs, Value decision) {
    if (!kind.apply)
        return notSupported(kind);
    // A variable without a value is recorded as None: that is how it is written in files.
    for (Value& input : inputs)
        if (const Rv* rv = input.asRv();
            rv && rv->id >= 0 && rv->id < rvCount() &&
            slots_[static_cast<std::size_t>(rv->id)].kind == RvKind::Null)
            input = Value();
    TW_TRY(checkCounts(kind, inputs.size(), attrs.size()));
    const std::size_t slotsBefore = slots_.size();
    InstructionArguments arguments{inputs, attrs, &decision};
    auto outputs = kind.apply(*this, arguments);
    if (!outputs) {
        slots_.resize(slotsBefore, Slot{});
        return outputs;
    }
    auto instruction = std::make_shared<Instruction>();
    instruction->kind = &kind;
    instruction->inputs = std::move(inputs);
    instruction->attrs = std::move(attrs);
    instruction->outputs = *outputs;
    trace_.append(std::move(instruction), std::move(decision));
    return outputs;
}

Outcome<std::vector<Rv>> Schedule::tryApply(const InstructionRef& instruction,
                                            std::int32_t rvOffset, Value decision) {
    const InstructionKind& kind = *instruction->kind;
    if (rvOffset != 0) {
        std::vector<Value> inputs;
        inputs.reserve(instruction->inputs.size());
        for (const Value& input : instruction->inputs)
            inputs.push_back(shifted(input, rvOffset));
        return tryApply(kind, std::move(inputs), instruction->attrs, std::move(decision));
    }
    if (!kind.apply)
        return notSupported(kind);
    TW_TRY(checkCounts(kind, instruction->inputs.size(), instruction->attrs.size()));
    const std::size_t slotsBefore = slots_.size();
    InstructionArguments arguments{instruction->inputs, instruction->attrs, &decision};
    auto outputs = kind.apply(*this, arguments);
    if (!outputs) {
        slots_.resize(slotsBefore, Slot{});
        return outputs;
    }
    if (*outputs == instruction->outputs) {
        trace_.append(instruction, std::move(decision)); // the same instruction: shared
    } else {
        auto recorded = std::make_shared<Instruction>(*instruction);
        recorded->outputs = *outputs;
        trace_.append(std::move(recorded), std::move(decision));
    }
    return outputs;
}

std::vector<Rv> Schedule::applyOrThrow(std::string_view name, std::vector<Value> inputs,
                                       std::vector<Value> attrs, Value decision) {
    const InstructionKind* kind = findInstructionKind(name);
    TW_CHECK(kind) << "no instruction " << name;
    auto outcome = tryApply(*kind, std::move(inputs), std::move(attrs), std::move(decision));
    if (outcome)
        return *std::move(outcome);
    std::vector<base::Location> places;
    for (const std::string& block : outcome.error().blocks)
        places.emplace_back(base::IrLocation{base::concat(workOn_, "/block ", block), {}});
    throw ScheduleError(outcome.error(), std::move(places));
}

} // namespace tilewright::schedule
