// SPDX-License-Identifier: Apache-2.0
#include <tilewright/schedule/trace.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/schedule/schedule.h>

#include <algorithm>

namespace tilewright::schedule {

std::size_t Trace::postprocIndex() const {
    for (std::size_t i = 0; i < instructions_.size(); ++i)
        if (instructions_[i]->is("EnterPostproc"))
            return i;
    return instructions_.size();
}

void Trace::append(InstructionRef instruction, Value decision) {
    for (const Rv output : instruction->outputs) {
        TW_CHECK(output.id == rvCount_) << "a variable is out of order in a trace: " << output.id;
        ++rvCount_;
    }
    instructions_.push_back(std::move(instruction));
    decisions_.push_back(std::move(decision));
}

void Trace::pop() {
    TW_CHECK(!instructions_.empty());
    rvCount_ -= static_cast<std::int32_t>(instructions_.back()->outputs.size());
    instructions_.pop_back();
    decisions_.pop_back();
}

Trace Trace::withoutPostproc() const {
    Trace result = *this;
    for (const std::size_t keep = postprocIndex(); result.size() > keep;)
        result.pop();
    return result;
}

Trace Trace::withDecision(std::size_t index, Value decision, bool removePostproc) const {
    TW_CHECK(index < size()) << "no instruction " << index;
    Trace result = removePostproc ? withoutPostproc() : *this;
    TW_CHECK(index < result.size()) << "instruction " << index << " belongs to postprocessing";
    result.setDecision(index, std::move(decision));
    return result;
}

namespace {

Value renumbered(const Value& value, const std::vector<std::int32_t>& ids) {
    if (const Rv* rv = value.asRv())
        return Rv{rv->kind, ids[static_cast<std::size_t>(rv->id)]};
    if (const auto* list = value.asList()) {
        Value::List items;
        for (const Value& item : *list)
            items.push_back(renumbered(item, ids));
        return Value(std::move(items));
    }
    return value;
}

} // namespace

Trace Trace::simplified(bool removePostproc) const {
    const std::size_t end = removePostproc ? postprocIndex() : size();
    std::vector<bool> used(static_cast<std::size_t>(rvCount_), false);
    std::vector<bool> keep(end, false);
    for (std::size_t i = end; i-- > 0;) {
        const Instruction& instruction = *instructions_[i];
        keep[i] = !instruction.kind->pure ||
                  std::any_of(instruction.outputs.begin(), instruction.outputs.end(),
                              [&](Rv rv) { return used[static_cast<std::size_t>(rv.id)]; });
        if (!keep[i])
            continue;
        for (const Value& input : instruction.inputs)
            if (const Rv* rv = input.asRv())
                used[static_cast<std::size_t>(rv->id)] = true;
    }
    Trace result;
    std::vector<std::int32_t> ids(static_cast<std::size_t>(rvCount_), -1);
    for (std::size_t i = 0; i < end; ++i) {
        if (!keep[i])
            continue;
        const Instruction& instruction = *instructions_[i];
        std::int32_t next = result.rvCount();
        bool same = true;
        for (const Rv output : instruction.outputs) {
            same = same && output.id == next;
            ids[static_cast<std::size_t>(output.id)] = next++;
        }
        auto copy = std::make_shared<Instruction>(instruction);
        for (Value& input : copy->inputs) {
            Value changed = renumbered(input, ids);
            same = same && changed == input;
            input = std::move(changed);
        }
        for (Rv& output : copy->outputs)
            output.id = ids[static_cast<std::size_t>(output.id)];
        result.append(same ? instructions_[i] : std::move(copy), decisions_[i]);
    }
    return result;
}

bool Trace::operator==(const Trace& other) const {
    if (size() != other.size() || decisions_ != other.decisions_)
        return false;
    for (std::size_t i = 0; i < size(); ++i) {
        if (instructions_[i] == other.instructions_[i])
            continue;
        const Instruction& a = *instructions_[i];
        const Instruction& b = *other.instructions_[i];
        if (a.kind != b.kind || a.inputs != b.inputs || a.attrs != b.attrs ||
            a.outputs != b.outputs)
            return false;
    }
    return true;
}

// ---- replay

namespace {

base::Result<void, Rejection> applyRange(const Trace& trace, std::size_t begin, std::size_t end,
                                         Schedule& schedule, std::int32_t offset,
                                         const DecisionProvider& decisions) {
    for (std::size_t i = begin; i < end; ++i) {
        const InstructionRef& instruction = trace.shared(i);
        const auto reject = [&](Failure failure) {
            return base::Unexpected(Rejection{
                static_cast<int>(i), std::string(instruction->kind->name), std::move(failure)});
        };
        Value decision = trace.decision(i);
        if (decisions && instruction->kind->sampling)
            decision = decisions(*instruction, instruction->inputs, instruction->attrs, decision);
        try {
            auto outputs = schedule.tryApply(instruction, offset, std::move(decision));
            if (!outputs)
                return reject(outputs.error());
            if (outputs->size() != instruction->outputs.size())
                return reject(
                    Failure("InternalError",
                            base::concat(instruction->kind->name, " gave ", outputs->size(),
                                         " outputs, the trace has ", instruction->outputs.size())));
        } catch (const base::InternalError& error) {
            // A broken rule inside a primitive must not end a search: the candidate is refused.
            return reject(Failure("InternalError", error.what()));
        }
    }
    return {};
}

} // namespace

base::Result<void, Rejection> replayRange(const Trace& trace, std::size_t begin, std::size_t end,
                                          Schedule& schedule, const DecisionProvider& decisions) {
    return applyRange(trace, begin, end, schedule, 0, decisions);
}

base::Result<void, Rejection> replay(const Trace& trace, Schedule& schedule, bool removePostproc,
                                     const DecisionProvider& decisions) {
    const std::size_t end = removePostproc ? trace.postprocIndex() : trace.size();
    return applyRange(trace, 0, end, schedule, schedule.rvCount(), decisions);
}

} // namespace tilewright::schedule
