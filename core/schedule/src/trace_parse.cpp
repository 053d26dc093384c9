// SPDX-License-Identifier: Apache-2.0
#include "argument_specs.h"
#include "output_kind.h"
#include "script_value_reader.h"

#include <tilewright/base/concat.h>
#include <tilewright/schedule/trace.h>

#include <algorithm>
#include <optional>

namespace tilewright::schedule {

namespace {

class ScriptParser {
public:
    ScriptParser(std::string_view text, std::string_view fileName, std::vector<int>* lines)
        : reader_(text, fileName), text_(text), lines_(lines) {}

    Trace parse() {
        for (;;) {
            reader_.skipBlanks(true);
            if (reader_.atEnd())
                return std::move(trace_);
            parseLine();
        }
    }

private:
    void parseLine() {
        const std::size_t start = reader_.position();
        std::vector<std::string> outputs;
        std::string_view name = reader_.takeName();
        if (name == "def" || name == "pass" || name == "import" || name == "from" ||
            name == "return") {
            reader_.skipLine();
            return;
        }
        if (name.empty())
            reader_.refuse("a line `b0 = sch.get_sblock(name=\"C\")` is expected");
        // `a, b = sch.…(…)`, `a, = sch.…(…)`, `sch.…(…)`
        if (reader_.take(',', false) || (reader_.skipBlanks(false), reader_.peek() == '=')) {
            outputs.emplace_back(name);
            while (!reader_.take('=', false)) {
                reader_.skipBlanks(false);
                const std::string_view next = reader_.takeName();
                if (next.empty())
                    reader_.refuse("a name or `=` is expected");
                outputs.emplace_back(next);
                reader_.take(',', false);
            }
            reader_.skipBlanks(false);
            name = reader_.takeName();
        }
        parseCall(start, outputs);
    }

    void parseCall(std::size_t start, const std::vector<std::string>& outputs) {
        reader_.expect('.', false);
        const std::size_t place = reader_.position();
        const std::string_view method = reader_.takeName();
        const InstructionKind* kind = findInstructionKindByMethod(method);
        if (!kind)
            reader_.refuse(base::concat("a schedule has no method ", method), place);
        reader_.expect('(', false);
        auto instruction = std::make_shared<Instruction>();
        instruction->kind = kind;
        Value decision = placeArguments(*instruction, start);
        reader_.skipBlanks(false);
        if (!reader_.atEnd() && reader_.peek() != '\n' && reader_.peek() != ';')
            reader_.refuse("the end of the line is expected");
        reader_.take(';', false);

        std::size_t count = outputs.size();
        if (outputs.empty())
            count = hiddenOutputs(*instruction);
        else if (kind->outputs >= 0 && count != static_cast<std::size_t>(kind->outputs))
            reader_.refuse(base::concat(method, " gives ", static_cast<int>(kind->outputs),
                                        " values, ", count, " names are given"),
                           start);
        std::int32_t next = trace_.rvCount();
        for (std::size_t i = 0; i < count; ++i) {
            const bool null = i < outputs.size() && outputs[i] == "_" && i == 0 && kind->sampling;
            const Rv rv{null ? RvKind::Null : outputKind(*kind), next++};
            instruction->outputs.push_back(rv);
            if (i < outputs.size() && outputs[i] != "_")
                reader_.define(outputs[i], rv);
        }
        trace_.append(std::move(instruction), std::move(decision));
        if (lines_) {
            const auto before = text_.substr(0, start);
            lines_->push_back(1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')));
        }
    }

    /// Outputs of a call whose results are not assigned.
    static std::size_t hiddenOutputs(const Instruction& instruction) {
        if (instruction.kind->outputs >= 0)
            return static_cast<std::size_t>(instruction.kind->outputs);
        if (instruction.is("Split"))
            return instruction.inputs.size() - 1;
        if (instruction.is("SamplePerfectTile") || instruction.is("SamplePartitionedTile"))
            return static_cast<std::size_t>(
                std::max<std::int64_t>(0, instruction.attrs[0].toInt(0)));
        return 0;
    }

    /// Puts the call's arguments where the instruction keeps them; returns the decision.
    Value placeArguments(Instruction& instruction, std::size_t start) {
        const InstructionKind& kind = *instruction.kind;
        auto arguments = reader_.readArguments();
        std::vector<std::optional<Value>> inputs(kind.inputs);
        std::vector<std::optional<Value>> attrs(kind.attrs);
        std::vector<Value> rest;
        Value decision;
        std::size_t nextSpec = 0;
        for (auto& argument : arguments) {
            if (argument.name == "decision" && kind.sampling) {
                decision = std::move(argument.value);
                continue;
            }
            const ArgumentSpec* spec = nullptr;
            if (argument.name.empty()) {
                if (nextSpec < kind.arguments.size())
                    spec = &kind.arguments[nextSpec];
                if (spec && spec->form == ArgumentForm::Rest) {
                    rest.push_back(std::move(argument.value));
                    continue;
                }
                ++nextSpec;
            } else {
                spec = findNamed(kind, argument.name);
            }
            if (!spec)
                reader_.refuse(
                    argument.name.empty()
                        ? base::concat(kind.pythonName, " takes fewer arguments")
                        : base::concat(kind.pythonName, " has no argument ", argument.name),
                    argument.place);
            store(*spec, std::move(argument), inputs, attrs, rest);
        }
        finish(kind, inputs, 'i', instruction.inputs, start);
        finish(kind, attrs, 'a', instruction.attrs, start);
        instruction.inputs.insert(instruction.inputs.end(), rest.begin(), rest.end());
        return decision;
    }

    static const ArgumentSpec* findNamed(const InstructionKind& kind, std::string_view name) {
        for (const ArgumentSpec& spec : kind.arguments)
            if (spec.name == name)
                return &spec;
        // Older names of the same arguments.
        if (kind.name == "Blockize" && name == "loop")
            return &kind.arguments[0];
        return nullptr;
    }

    void store(const ArgumentSpec& spec, ScriptReader::Argument argument,
               std::vector<std::optional<Value>>& inputs, std::vector<std::optional<Value>>& attrs,
               std::vector<Value>& rest) {
        Value& value = argument.value;
        auto& place = spec.place == 'i' ? inputs : attrs;
        switch (spec.form) {
        case ArgumentForm::RestList:
            if (!value.asList())
                reader_.refuse(base::concat(spec.name, " must be a list"), argument.place);
            rest = *value.asList();
            return;
        case ArgumentForm::Buffer: {
            const auto* pair = value.asList();
            if (!pair || pair->size() != 2 || !(*pair)[0].asString() || !(*pair)[1].asInt())
                reader_.refuse("a buffer is given as (\"read\", index) or (\"write\", index)",
                               argument.place);
            place[spec.index] = (*pair)[1];
            place[spec.index + 1U] = *(*pair)[0].asString() == "write" ? 1 : 0;
            return;
        }
        case ArgumentForm::RoleName:
            place[spec.index] = value.asString() && *value.asString() == "write" ? 1 : 0;
            return;
        case ArgumentForm::IntFlag:
        case ArgumentForm::BoolFlag:
            place[spec.index] = value.toInt(0) != 0;
            return;
        default:
            place[spec.index] = std::move(value);
        }
    }

    void finish(const InstructionKind& kind, std::vector<std::optional<Value>>& from, char place,
                std::vector<Value>& to, std::size_t start) {
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (from[i]) {
                to.push_back(*std::move(from[i]));
                continue;
            }
            const ArgumentSpec* spec = findSpec(kind, place, i);
            if (!spec || spec->fallback.empty())
                reader_.refuse(
                    base::concat(kind.pythonName, " needs the argument ",
                                 spec && !spec->name.empty() ? spec->name : kind.pythonName),
                    start);
            to.push_back(fallbackValue(spec->fallback));
        }
    }

    ScriptReader reader_;
    std::string_view text_;
    std::vector<int>* lines_; ///< null = not asked for
    Trace trace_;
};

} // namespace

Trace Trace::parsePython(std::string_view text, std::string_view fileName,
                         std::vector<int>* lines) {
    return ScriptParser(text, fileName, lines).parse();
}

} // namespace tilewright::schedule
