// SPDX-License-Identifier: Apache-2.0
#include "argument_specs.h"

#include <charconv>

namespace tilewright::schedule {

const ArgumentSpec* findSpec(const InstructionKind& kind, char place, std::size_t index) {
    for (const ArgumentSpec& spec : kind.arguments) {
        if (spec.place != place)
            continue;
        const bool open = spec.form == ArgumentForm::Rest || spec.form == ArgumentForm::RestList;
        const std::size_t last = spec.form == ArgumentForm::Buffer ? spec.index + 1U : spec.index;
        if (index >= spec.index && (open || index <= last))
            return &spec;
    }
    return nullptr;
}

Value fallbackValue(std::string_view text) {
    if (text == "True")
        return true;
    if (text == "False")
        return false;
    if (text == "None")
        return {};
    if (text == "[]")
        return Value(Value::List{});
    if (text.size() >= 2 && text.front() == '"')
        return std::string(text.substr(1, text.size() - 2));
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

namespace {

std::string_view fill(const InstructionKind& kind, char place, std::size_t count,
                      std::vector<Value>& values) {
    while (values.size() < count) {
        const ArgumentSpec* spec = findSpec(kind, place, values.size());
        if (!spec || spec->fallback.empty())
            return spec ? (spec->name.empty() ? kind.pythonName : spec->name) : kind.pythonName;
        values.push_back(fallbackValue(spec->fallback));
    }
    return {};
}

} // namespace

std::string_view fillFallbacks(const InstructionKind& kind, std::vector<Value>& inputs,
                               std::vector<Value>& attrs) {
    const std::string_view missing = fill(kind, 'i', kind.inputs, inputs);
    return missing.empty() ? fill(kind, 'a', kind.attrs, attrs) : missing;
}

} // namespace tilewright::schedule
