// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <charconv>
#include <cmath>

namespace tilewright::cli {

OptionSpec required(OptionSpec option) {
    option.required = true;
    return option;
}

OptionSpec oneOf(OptionSpec option, std::vector<std::string> choices) {
    option.choices = std::move(choices);
    return option;
}

std::vector<std::string> optionWords(const OptionSpec& option) {
    std::vector<std::string> words;
    std::string_view rest = option.name;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        words.emplace_back(rest.substr(0, comma));
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return words;
}

bool Arguments::has(std::string_view name) const {
    return given_.find(name) != given_.end();
}

std::string Arguments::value(std::string_view name) const {
    return valueOr(name, {});
}

std::string Arguments::valueOr(std::string_view name, std::string_view otherwise) const {
    const auto it = given_.find(name);
    return it == given_.end() || it->second.empty() ? std::string(otherwise) : it->second.back();
}

std::vector<std::string> Arguments::values(std::string_view name) const {
    const auto it = given_.find(name);
    return it == given_.end() ? std::vector<std::string>() : it->second;
}

void Arguments::add(std::string_view name, std::string value) {
    given_[std::string(name)].push_back(std::move(value));
}

std::int64_t Arguments::integerOr(std::string_view name, std::int64_t otherwise, std::int64_t low,
                                  std::int64_t high) const {
    if (!has(name))
        return otherwise;
    const std::string text = value(name);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < low || number > high) {
        const std::string range = high == INT64_MAX
                                      ? base::concat("an integer of at least ", low)
                                      : base::concat("an integer from ", low, " to ", high);
        throw base::UserError("usage", base::concat(name, ": '", text, "' is not ", range));
    }
    return number;
}

double Arguments::numberOr(std::string_view name, double otherwise) const {
    if (!has(name))
        return otherwise;
    const std::string text = value(name);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        throw base::UserError("usage", base::concat(name, ": '", text, "' is not a number"));
    return number;
}

} // namespace tilewright::cli
