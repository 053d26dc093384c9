// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/edit_decision.h>

#include <tilewright/base/concat.h>
#include <tilewright/codegen/llvm_cpu_features.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/printer.h>
#include <tilewright/json/dump.h>
#include <tilewright/schedule/schedule.h>
#include <tilewright/space/postproc.h>
#include <tilewright/space/rule_set.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace tilewright::session {

namespace {

using schedule::Instruction;
using schedule::Trace;
using schedule::Value;

/// A refusal of one edit.
struct Refusal {
    std::size_t instruction;
    std::string message;
};

std::vector<std::int64_t> integersIn(const std::string& text, std::size_t instruction) {
    std::vector<std::int64_t> numbers;
    const char* at = text.data();
    const char* end = at + text.size();
    while (at != end) {
        if ((*at >= '0' && *at <= '9') || *at == '-') {
            std::int64_t number = 0;
            const auto read = std::from_chars(at, end, number);
            if (read.ec != std::errc())
                throw Refusal{instruction, base::concat("'", text, "' has a number out of range")};
            numbers.push_back(number);
            at = read.ptr;
            continue;
        }
        const auto byte = static_cast<unsigned char>(*at);
        const bool separator =
            byte >= 0x80 || std::string_view(" ,;.x*[]\t").find(*at) != std::string_view::npos;
        if (!separator)
            throw Refusal{instruction, base::concat("'", text,
                                                    "' is no list of factors such as "
                                                    "4·2·8·1")};
        ++at;
    }
    return numbers;
}

Value tileDecision(const Instruction& instruction, const DecisionEdit& edit) {
    const std::vector<std::int64_t> factors = integersIn(edit.value, edit.instruction);
    const auto wanted = static_cast<std::size_t>(instruction.attrs.front().toInt(0));
    if (factors.size() != wanted)
        throw Refusal{edit.instruction,
                      base::concat("this tile takes ", wanted, " factors, found ", factors.size())};
    if (std::any_of(factors.begin(), factors.end(), [](std::int64_t f) { return f < 1; }))
        throw Refusal{edit.instruction, "every factor must be at least 1"};
    if (instruction.is("SamplePerfectTile") && instruction.attrs.size() > 1) {
        const std::int64_t most = instruction.attrs[1].toInt(-1);
        if (most > 0 && factors.back() > most)
            throw Refusal{edit.instruction, base::concat("the innermost factor is ", factors.back(),
                                                         ", at most ", most, " is allowed")};
    }
    return Value::list(factors);
}

Value choiceDecision(const Instruction& instruction, const DecisionEdit& edit) {
    const std::vector<std::int64_t> numbers = integersIn(edit.value, edit.instruction);
    const auto* candidates =
        instruction.attrs.empty() ? nullptr : instruction.attrs.front().asList();
    std::vector<std::string> accepted;
    for (std::size_t i = 0; candidates && i < candidates->size(); ++i) {
        const std::int64_t candidate = (*candidates)[i].toInt(0);
        if (numbers.size() == 1 && numbers.front() == candidate)
            return Value(static_cast<std::int64_t>(i));
        accepted.push_back(std::to_string(candidate));
    }
    throw Refusal{edit.instruction,
                  base::concat("'", edit.value, "' is none of ", base::join(accepted, ", "))};
}

Value locationDecision(const DecisionEdit& edit) {
    std::string word = edit.value;
    word.erase(0, word.find_first_not_of(" \t"));
    word.erase(word.find_last_not_of(" \t") + 1);
    if (word == "root")
        return Value(std::int64_t{-1});
    if (word == "inline")
        return Value(std::int64_t{-2});
    if (word.starts_with("loop"))
        word.erase(0, 4);
    const std::vector<std::int64_t> numbers =
        word.find_first_not_of(" 0123456789") == std::string::npos
            ? integersIn(word, edit.instruction)
            : std::vector<std::int64_t>();
    if (numbers.size() != 1 || numbers.front() < 0)
        throw Refusal{edit.instruction, base::concat("'", edit.value,
                                                     "' is no place; accepted are "
                                                     "root, inline, loop 2")};
    return Value(numbers.front());
}

Value decisionOf(const Instruction& instruction, const DecisionEdit& edit) {
    if (instruction.is("SampleCategorical"))
        return choiceDecision(instruction, edit);
    if (instruction.is("SampleComputeLocation"))
        return locationDecision(edit);
    return tileDecision(instruction, edit);
}

/// A tile that does not multiply to its loop would be repaired in silence; here it is refused.
void checkTile(const Trace& trace, std::size_t index, const schedule::Schedule& sch) {
    const auto* list = trace.decision(index).asList();
    const schedule::Rv* loop =
        trace[index].inputs.empty() ? nullptr : trace[index].inputs.front().asRv();
    if (!list || !loop || !sch.has(*loop))
        return;
    const ir::ForNode* node = sch.get(schedule::LoopRV(loop->id));
    const auto extent = ir::constInt(node->extent);
    std::int64_t product = 1;
    for (const Value& factor : *list)
        product *= factor.toInt(1);
    if (extent && product != *extent)
        throw Refusal{index, base::concat("the factors multiply to ", product, ", but loop ",
                                          node->loopVar->name, " has ", *extent, " iterations")};
}

void replayEdited(const Trace& trace, const std::map<std::size_t, Value>& edited,
                  schedule::Schedule& sch, EditedSchedule& result) {
    for (std::size_t i = 0; i < trace.size(); ++i) {
        if (edited.contains(i))
            checkTile(trace, i, sch);
        const auto applied = schedule::replayRange(trace, i, i + 1, sch);
        if (!applied)
            throw Refusal{
                i, base::concat(trace[i].kind->pythonName, ": ", applied.error().failure.message)};
        const Trace& recorded = sch.trace();
        const auto edit = edited.find(i);
        if (edit != edited.end() && recorded.size() == i + 1 &&
            !(recorded.decision(i) == edit->second))
            result.adjusted.push_back(
                base::concat(recorded.instructionText(i), ": the place asked for is not open"));
    }
}

} // namespace

EditedSchedule editDecisions(const RecordView& record, const std::vector<DecisionEdit>& edits) {
    EditedSchedule result;
    const Trace stored = record.trace();
    const ir::Module module = record.module();
    const target::Target target = record.target();
    try {
        Trace trace = stored.withoutPostproc();
        std::map<std::size_t, Value> edited;
        for (const DecisionEdit& edit : edits) {
            if (edit.instruction >= trace.size() || !trace[edit.instruction].kind->sampling)
                throw Refusal{edit.instruction, "this instruction decides nothing"};
            Value decision = decisionOf(trace[edit.instruction], edit);
            trace.setDecision(edit.instruction, decision);
            edited.emplace(edit.instruction, std::move(decision));
        }
        schedule::Schedule sch(module);
        replayEdited(trace, edited, sch, result);
        if (stored.postprocIndex() < stored.size()) {
            const auto features = codegen::llvmCpuFeatures();
            const space::RuleSet rules = space::makeRuleSet(target, *features);
            space::SpaceContext context;
            context.target = target;
            if (const auto done = space::applyPostprocs(context, rules.postprocs, sch); !done)
                throw Refusal{trace.size(),
                              base::concat("postprocessing refuses it: ", done.error().message)};
        }
        result.script = ir::print(sch.module());
        result.trace = json::dump(sch.trace().toJson(), json::Style::Tvm);
        result.legal = true;
    } catch (const Refusal& refusal) {
        result.message = refusal.message;
        if (refusal.instruction < stored.size())
            result.instruction = refusal.instruction;
    } catch (const base::UserError& error) {
        result.message = error.diagnostic().message;
    }
    return result;
}

} // namespace tilewright::session
