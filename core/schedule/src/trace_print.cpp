// SPDX-License-Identifier: Apache-2.0
#include "rv_name.h"

#include <tilewright/base/concat.h>
#include <tilewright/ir/printer.h>
#include <tilewright/schedule/trace.h>

#include <cstdio>

namespace tilewright::schedule {

namespace {

std::string lambdaText(const ir::IndexMap& map) {
    ir::IndexMap plain = map;
    plain.inverse = nullptr;
    std::string text = ir::print(plain);
    if (text.size() >= 2 && text.back() == ')' && text[text.size() - 2] != ',')
        text.insert(text.size() - 1, ",");
    return text;
}

std::string mapText(const ir::IndexMap& map) {
    if (!map.inverse)
        return lambdaText(map);
    return base::concat("tvm.tirx.IndexMap.from_func(", lambdaText(map),
                        ", inverse_index_map=", lambdaText(*map.inverse), ")");
}

std::string rangeMapText(const ir::IndexMap& map) {
    std::string text = "lambda ";
    for (std::size_t i = 0; i < map.initialIndices.size(); ++i)
        text += base::concat(i ? ", " : "", map.initialIndices[i]->name);
    text += ": [";
    for (std::size_t i = 0; i + 1 < map.finalIndices.size(); i += 2)
        text += base::concat(i ? ", " : "", "(", ir::print(map.finalIndices[i]), ", ",
                             ir::print(map.finalIndices[i + 1]), ")");
    return text + "]";
}

/// `bare`: inside a dictionary, where strings stand without quotes.
std::string valueText(const Value& value, bool bare) {
    if (value.isNull())
        return "None";
    if (const auto* truth = value.asBool())
        return *truth ? "1" : "0";
    if (const auto* number = value.asInt())
        return base::concat(*number);
    if (const auto* number = value.asFloat()) {
        char buffer[40];
        std::snprintf(buffer, sizeof buffer, "%.17g", *number);
        return buffer;
    }
    if (const auto* text = value.asString())
        return bare ? *text : base::concat('"', *text, '"');
    if (const auto* rv = value.asRv())
        return rvName(*rv);
    if (const auto* map = value.asIndexMap())
        return mapText(*map);
    std::string text;
    if (const auto* list = value.asList()) {
        for (std::size_t i = 0; i < list->size(); ++i)
            text += base::concat(i ? ", " : "", valueText((*list)[i], bare));
        return base::concat('[', text, ']');
    }
    for (const auto& [key, item] : *value.asDict())
        text += base::concat(text.empty() ? "" : ", ", '"', key, "\": ", valueText(item, true));
    return base::concat('{', text, '}');
}

/// The right-hand side of `name=`, or the positional text; empty = left out.
std::string argumentText(const ArgumentSpec& spec, const Instruction& instruction) {
    const auto& values = spec.place == 'i' ? instruction.inputs : instruction.attrs;
    if (spec.form == ArgumentForm::Rest || spec.form == ArgumentForm::RestList) {
        std::string text;
        for (std::size_t i = spec.index; i < values.size(); ++i)
            text += base::concat(i > spec.index ? ", " : "", valueText(values[i], false));
        return spec.form == ArgumentForm::Rest ? text : base::concat('[', text, ']');
    }
    if (spec.index >= values.size())
        return {};
    const Value& value = values[spec.index];
    switch (spec.form) {
    case ArgumentForm::OmitEmpty:
        return value.asList() && value.asList()->empty() ? std::string() : valueText(value, false);
    case ArgumentForm::IntFlag:
    case ArgumentForm::BoolFlag:
        return value.toInt(0) != 0 ? "True" : "False";
    case ArgumentForm::Buffer:
        return base::concat("(\"", values[spec.index + 1U].toInt(0) == 0 ? "read" : "write", "\", ",
                            value.toInt(0), ')');
    case ArgumentForm::RoleName:
        return value.toInt(0) == 0 ? "\"read\"" : "\"write\"";
    case ArgumentForm::RangeMap:
        return value.asIndexMap() ? rangeMapText(*value.asIndexMap()) : valueText(value, false);
    default:
        return valueText(value, false);
    }
}

} // namespace

std::string Trace::instructionText(std::size_t index) const {
    const Instruction& instruction = *instructions_[index];
    std::string line;
    for (std::size_t i = 0; i < instruction.outputs.size(); ++i)
        line += base::concat(i ? ", " : "", rvName(instruction.outputs[i]));
    if (!instruction.outputs.empty()) {
        // A method that returns a list needs the comma of a one-element pattern.
        if (instruction.outputs.size() == 1 && instruction.kind->outputs < 0)
            line += ',';
        line += " = ";
    }
    line += base::concat("sch.", instruction.kind->pythonName, '(');
    bool first = true;
    const auto add = [&](std::string_view name, const std::string& text) {
        line += base::concat(first ? "" : ", ", name, name.empty() ? "" : "=", text);
        first = false;
    };
    for (const ArgumentSpec& spec : instruction.kind->arguments)
        if (const std::string text = argumentText(spec, instruction); !text.empty())
            add(spec.name, text);
    if (!decisions_[index].isNull())
        add("decision", valueText(decisions_[index], false));
    return line + ')';
}

std::string Trace::toPython() const {
    std::string text = "# from tvm import s_tir\ndef apply_trace(sch: s_tir.Schedule) -> None:";
    if (empty())
        return text + "\n  pass";
    for (std::size_t i = 0; i < size(); ++i)
        text += base::concat("\n  ", instructionText(i));
    return text;
}

} // namespace tilewright::schedule
