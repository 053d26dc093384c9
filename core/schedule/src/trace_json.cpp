// SPDX-License-Identifier: Apache-2.0
#include "argument_specs.h"
#include "output_kind.h"
#include "rv_name.h"

#include <tilewright/base/concat.h>
#include <tilewright/schedule/trace.h>

#include <algorithm>
#include <unordered_map>

namespace tilewright::schedule {

namespace {

/// A value as it stands among the inputs.
json::Value inputToJson(const Value& value) {
    if (value.isNull())
        return "None";
    if (const auto* truth = value.asBool())
        return *truth ? 1 : 0;
    if (const auto* number = value.asInt())
        return *number;
    if (const auto* number = value.asFloat())
        return *number;
    if (const auto* text = value.asString())
        return base::concat('"', *text, '"');
    if (const auto* rv = value.asRv())
        return rvName(*rv);
    if (const auto* map = value.asIndexMap())
        return ir::indexMapToTvmJson(*map, ir::JsonLayout::Indented);
    json::Value result;
    if (const auto* list = value.asList()) {
        result = json::Array{};
        for (const Value& item : *list)
            result.push(inputToJson(item));
    }
    return result;
}

/// A value as it stands among attributes, decisions and inside dictionaries.
json::Value plainToJson(const Value& value, bool keepBool) {
    if (value.isNull())
        return nullptr;
    if (const auto* truth = value.asBool()) {
        if (keepBool)
            return *truth;
        return *truth ? 1 : 0;
    }
    if (const auto* number = value.asInt())
        return *number;
    if (const auto* number = value.asFloat())
        return *number;
    if (const auto* text = value.asString())
        return *text;
    if (const auto* rv = value.asRv())
        return rvName(*rv);
    if (const auto* map = value.asIndexMap())
        return ir::indexMapToTvmJson(*map, ir::JsonLayout::Compact);
    if (const auto* list = value.asList()) {
        json::Value result{json::Array{}};
        for (const Value& item : *list)
            result.push(plainToJson(item, keepBool));
        return result;
    }
    json::Object result;
    if (const auto* dict = value.asDict())
        for (const auto& [key, item] : *dict)
            result.append(key, plainToJson(item, keepBool));
    return json::Value(std::move(result));
}

} // namespace

json::Value Trace::toJson(bool legacyNames) const {
    json::Array instructions;
    json::Array decisions;
    for (std::size_t i = 0; i < size(); ++i) {
        const Instruction& instruction = *instructions_[i];
        json::Array inputs;
        for (const Value& input : instruction.inputs)
            inputs.push_back(input.asDict() ? plainToJson(input, false) : inputToJson(input));
        json::Array attrs;
        for (std::size_t k = 0; k < instruction.attrs.size(); ++k) {
            const ArgumentSpec* spec = findSpec(*instruction.kind, 'a', k);
            attrs.push_back(
                plainToJson(instruction.attrs[k], spec && spec->form == ArgumentForm::BoolFlag));
        }
        json::Array outputs;
        for (const Rv output : instruction.outputs)
            outputs.emplace_back(rvName(output));
        const bool legacy = legacyNames && instruction.is("GetSBlock");
        json::Array line;
        line.emplace_back(legacy ? std::string_view("GetBlock") : instruction.kind->name);
        line.emplace_back(std::move(inputs));
        line.emplace_back(std::move(attrs));
        line.emplace_back(std::move(outputs));
        instructions.emplace_back(std::move(line));
        if (!decisions_[i].isNull()) {
            json::Array entry;
            entry.emplace_back(i);
            entry.push_back(plainToJson(decisions_[i], false));
            decisions.emplace_back(std::move(entry));
        }
    }
    json::Array pair;
    pair.emplace_back(std::move(instructions));
    pair.emplace_back(std::move(decisions));
    return json::Value(std::move(pair));
}

// ---- reading

namespace {

[[noreturn]] void refuse(std::size_t instruction, const std::string& message) {
    throw base::ParseError("trace-json", message,
                           {base::TraceLocation{static_cast<int>(instruction)}});
}

class TraceReader {
public:
    Trace read(const json::Value& value) {
        if (!value.isArray() || value.size() != 2 || !value.at(std::size_t{0}).isArray() ||
            !value.at(std::size_t{1}).isArray())
            refuse(0, "a trace is a pair [instructions, decisions]");
        for (const json::Value& line : value.at(std::size_t{0}).asArray())
            readInstruction(line);
        readDecisions(value.at(std::size_t{1}).asArray());
        return std::move(trace_);
    }

private:
    void readInstruction(const json::Value& line) {
        if (!line.isArray() || line.size() != 4 || !line.at(std::size_t{0}).isString() ||
            !line.at(std::size_t{1}).isArray() || !line.at(std::size_t{2}).isArray() ||
            !line.at(std::size_t{3}).isArray())
            refuse(at(), "an instruction is [name, inputs, attributes, outputs]");
        const std::string& name = line.at(std::size_t{0}).asString();
        const InstructionKind* kind = findInstructionKind(name);
        if (!kind)
            refuse(at(), "there is no instruction " + name);
        auto instruction = std::make_shared<Instruction>();
        instruction->kind = kind;
        for (const json::Value& input : line.at(std::size_t{1}).asArray())
            instruction->inputs.push_back(readInput(input));
        const auto& attrs = line.at(std::size_t{2}).asArray();
        for (std::size_t i = 0; i < attrs.size(); ++i)
            instruction->attrs.push_back(readAttr(*kind, i, attrs[i]));
        if (const auto missing = fillFallbacks(*kind, instruction->inputs, instruction->attrs);
            !missing.empty())
            refuse(at(), base::concat(name, " lacks ", missing));
        if (instruction->attrs.size() != kind->attrs)
            refuse(at(), base::concat(name, " takes ", static_cast<int>(kind->attrs),
                                      " attributes, found ", instruction->attrs.size()));
        for (const json::Value& output : line.at(std::size_t{3}).asArray())
            instruction->outputs.push_back(readOutput(*kind, output));
        trace_.append(std::move(instruction));
    }

    [[nodiscard]] std::size_t at() const { return trace_.size(); }

    Value readInput(const json::Value& value) {
        if (value.isString())
            return readInputText(value.asString());
        if (value.isArray()) {
            Value::List items;
            for (const json::Value& item : value.asArray())
                items.push_back(readInput(item));
            return Value(std::move(items));
        }
        return readPlain(value);
    }

    Value readInputText(const std::string& text) {
        if (text == "None")
            return {};
        if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
            return text.substr(1, text.size() - 2);
        if (text.size() >= 2 && text.front() == '{' && text.back() == '}')
            return ir::indexMapFromTvmJson(text);
        const auto found = names_.find(text);
        if (found == names_.end())
            refuse(at(), text.empty() ? std::string("an input is an empty name")
                                      : base::concat("the variable ", text, " is not known"));
        return found->second;
    }

    Value readPlain(const json::Value& value) {
        switch (value.kind()) {
        case json::Kind::Null:
            return {};
        case json::Kind::Bool:
            return value.asBool();
        case json::Kind::Int:
            return value.asInt();
        case json::Kind::Uint:
        case json::Kind::Double:
            return value.asDouble();
        case json::Kind::String:
            return value.asString();
        case json::Kind::Array: {
            Value::List items;
            for (const json::Value& item : value.asArray())
                items.push_back(readPlain(item));
            return Value(std::move(items));
        }
        case json::Kind::Object: {
            Value::Dict items;
            for (const auto& [key, item] : value.asObject())
                items.emplace_back(key, readPlain(item));
            std::sort(items.begin(), items.end(),
                      [](const auto& a, const auto& b) { return a.first < b.first; });
            return Value(std::move(items));
        }
        }
        return {};
    }

    Value readAttr(const InstructionKind& kind, std::size_t index, const json::Value& value) {
        const ArgumentSpec* spec = findSpec(kind, 'a', index);
        const ArgumentForm form = spec ? spec->form : ArgumentForm::Plain;
        if (form == ArgumentForm::IntFlag || form == ArgumentForm::BoolFlag)
            return value.isBool() ? value.asBool() : value.asInt() != 0;
        if (form == ArgumentForm::Map && value.isString())
            return ir::indexMapFromTvmJson(value.asString());
        return readPlain(value);
    }

    Rv readOutput(const InstructionKind& kind, const json::Value& value) {
        if (!value.isString())
            refuse(at(), "an output must be a name");
        const std::string& name = value.asString();
        const Rv rv{name == "_" ? RvKind::Null : outputKind(kind), next_++};
        names_.try_emplace(name, rv);
        return rv;
    }

    void readDecisions(const json::Array& decisions) {
        for (const json::Value& entry : decisions) {
            if (!entry.isArray() || entry.size() != 2 || !entry.at(std::size_t{0}).isInteger())
                refuse(0, "a decision is [instruction, value]");
            const std::int64_t index = entry.at(std::size_t{0}).asInt();
            if (index < 0 || index >= static_cast<std::int64_t>(trace_.size()))
                refuse(0, base::concat("a decision is given for instruction ", index, " of ",
                                       trace_.size()));
            trace_.setDecision(static_cast<std::size_t>(index),
                               readPlain(entry.at(std::size_t{1})));
        }
    }

    Trace trace_;
    std::unordered_map<std::string, Rv> names_;
    std::int32_t next_ = 0;
};

} // namespace

Trace Trace::fromJson(const json::Value& value) {
    return TraceReader().read(value);
}

} // namespace tilewright::schedule
