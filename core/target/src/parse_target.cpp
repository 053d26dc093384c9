// SPDX-License-Identifier: Apache-2.0
#include "kind_table.h"
#include "preset_table.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/parse.h>
#include <tilewright/target/host.h>
#include <tilewright/target/parse_target.h>

#include <algorithm>
#include <charconv>

namespace tilewright::target {
namespace {

[[noreturn]] void refuse(std::string message) {
    throw base::UserError("target", std::move(message));
}

std::string inQuotes(std::string_view text) {
    return base::concat("'", text, "'");
}

/// ` (did you mean 'a' or 'b'?)`, else the list of all.
std::string advice(std::string_view word, const std::vector<std::string>& candidates) {
    std::vector<std::string> near = nearestNames(word, candidates);
    std::string text;
    if (near.empty())
        return base::concat("; accepted: ", base::join(candidates, ", "));
    for (std::string& name : near)
        name = inQuotes(name);
    return base::concat("; nearest: ", base::join(near, ", "));
}

std::vector<std::string> firstWords() {
    std::vector<std::string> names = kindNames();
    names.emplace_back("host");
    for (const PresetEntry& preset : presetTable())
        names.emplace_back(preset.name);
    return names;
}

/// Splits at blanks; quotes keep blanks together and are taken away.
std::vector<std::string> splitWords(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool inWord = false;
    char quote = '\0';
    for (const char c : text) {
        if (quote != '\0') {
            if (c == quote)
                quote = '\0';
            else
                word.push_back(c);
        } else if (c == '"' || c == '\'') {
            quote = c;
            inWord = true;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            if (inWord)
                words.push_back(std::exchange(word, {}));
            inWord = false;
        } else {
            word.push_back(c);
            inWord = true;
        }
    }
    if (quote != '\0')
        refuse(base::concat("the target ", inQuotes(text), " has a quote that is never closed"));
    if (inWord)
        words.push_back(word);
    return words;
}

std::vector<std::string> splitList(std::string_view text) {
    std::vector<std::string> items;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (comma > 0)
            items.emplace_back(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return items;
}

std::vector<std::string> optionNames(const KindInfo& kind) {
    std::vector<std::string> names{"keys", "tag"};
    for (const auto& [name, type] : kind.options)
        names.emplace_back(name);
    std::sort(names.begin(), names.end());
    return names;
}

[[noreturn]] void refuseOption(const KindInfo& kind, std::string_view name) {
    refuse(base::concat("the target kind ", inQuotes(kind.name), " has no option ", inQuotes(name),
                        advice(name, optionNames(kind))));
}

json::Value optionValue(const KindInfo& kind, std::string_view name, OptionType type,
                        const std::string& text) {
    switch (type) {
    case OptionType::Int: {
        std::int64_t number = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
        if (end.ec != std::errc() || end.ptr != text.data() + text.size())
            refuse(base::concat("the option -", name, " of the target kind ", inQuotes(kind.name),
                                " takes an integer, found ", inQuotes(text)));
        return number;
    }
    case OptionType::Bool:
        if (text == "1" || text == "true" || text == "True")
            return true;
        if (text == "0" || text == "false" || text == "False")
            return false;
        refuse(base::concat("the option -", name, " takes true or false, found ", inQuotes(text)));
    case OptionType::String:
        return text;
    case OptionType::List:
        return json::Value::array(splitList(text));
    }
    return {};
}

bool matches(const json::Value& value, OptionType type) {
    switch (type) {
    case OptionType::Int:
        return value.isInteger();
    case OptionType::Bool:
        return value.isBool() || value.isInteger();
    case OptionType::String:
        return value.isString();
    case OptionType::List:
        return value.isArray() && std::all_of(value.asArray().begin(), value.asArray().end(),
                                              [](const json::Value& v) { return v.isString(); });
    }
    return false;
}

std::string typeWords(OptionType type) {
    switch (type) {
    case OptionType::Int:
        return "an integer";
    case OptionType::Bool:
        return "true or false";
    case OptionType::String:
        return "a string";
    case OptionType::List:
        return "a list of strings";
    }
    return {};
}

void checkPositive(const Target& target, std::string_view name) {
    if (const auto value = target.intAttribute(name); value && *value < 1)
        refuse(
            base::concat("the target option -", name, " takes a positive integer, found ", *value));
}

/// What is written out when it is not given: keys by kind, device and architecture, and the
/// kind's own limits.
Target completed(const KindInfo& kind, std::vector<std::string> keys, json::Object attributes,
                 std::string tag) {
    Target target(std::string(kind.name), {}, attributes);
    if (keys.empty()) {
        keys = kind.defaultKeys;
        std::string first = target.stringAttribute("device");
        const std::string architecture =
            target.mtriple().empty() ? std::string() : target.architecture();
        if (first.empty() && (architecture == "aarch64" || architecture == "arm"))
            first = "arm_cpu";
        if (!first.empty() && std::find(keys.begin(), keys.end(), first) == keys.end())
            keys.insert(keys.begin(), first);
    }
    for (const json::Member& standard : kind.defaults)
        if (!attributes.contains(standard.key))
            attributes.set(standard.key, standard.value);
    target = Target(std::string(kind.name), std::move(keys), std::move(attributes), std::move(tag));
    for (const char* name : {"num-cores", "vector-width", "max_threads_per_block",
                             "thread_warp_size", "max_shared_memory_per_block"})
        checkPositive(target, name);
    return target;
}

struct Option {
    std::string name;
    std::string value;
};

/// Reads `-name=value`, `--name=value`, `-name value` and the bare `-name` of a switch.
std::vector<Option> readOptions(const KindInfo& kind, const std::vector<std::string>& words) {
    std::vector<Option> options;
    for (std::size_t i = 1; i < words.size(); ++i) {
        std::string_view word = words[i];
        if (word.size() < 2 || word[0] != '-')
            refuse(base::concat("expected an option such as -mcpu=NAME in the target, found ",
                                inQuotes(word)));
        word.remove_prefix(word[1] == '-' ? 2 : 1);
        const std::size_t equals = word.find('=');
        Option option{std::string(word.substr(0, equals)), {}};
        const bool isPlain = option.name == "keys" || option.name == "tag";
        const auto type = findOption(kind, option.name);
        if (!type && !isPlain)
            refuseOption(kind, option.name);
        if (equals != std::string_view::npos)
            option.value = word.substr(equals + 1);
        else if (type == OptionType::Bool)
            option.value = "true";
        else if (i + 1 < words.size())
            option.value = words[++i];
        else
            refuse(base::concat("the target option -", option.name, " needs a value"));
        options.push_back(std::move(option));
    }
    return options;
}

Target applyOptions(const Target& start, const std::vector<std::string>& words) {
    const auto kind = findKind(start.kind());
    std::vector<std::string> keys = start.keys();
    std::string tag = start.tag();
    json::Object attributes = start.attributes();
    bool renew = false;
    for (const Option& option : readOptions(*kind, words)) {
        if (option.name == "keys") {
            keys = splitList(option.value);
            renew = false;
        } else if (option.name == "tag") {
            tag = option.value;
        } else {
            renew = renew || option.name == "mtriple" || option.name == "device";
            attributes.set(option.name, optionValue(*kind, option.name,
                                                    *findOption(*kind, option.name), option.value));
        }
    }
    // The keys follow from the triple and the device unless they were given.
    const bool given = keys != start.keys();
    if (renew && !given)
        keys.clear();
    Target target = completed(*kind, keys, std::move(attributes), std::move(tag));
    return start.host() ? target.withHost(*start.host()) : target;
}

Target parseWords(std::string_view text) {
    const std::vector<std::string> words = splitWords(text);
    if (words.empty())
        refuse("the target is empty; try 'host' or 'llvm -mcpu=NAME -num-cores=N'");
    const std::string& first = words[0];
    if (first == "host")
        return applyOptions(hostTarget(), words);
    for (const PresetEntry& preset : presetTable())
        if (preset.name == first) {
            const std::vector<std::string> stored = splitWords(preset.text);
            return applyOptions(applyOptions(completed(*findKind(stored[0]), {}, {}, {}), stored),
                                words);
        }
    const auto kind = findKind(first);
    if (!kind)
        refuse(base::concat("the target ", inQuotes(first), " is not known",
                            advice(first, firstWords())));
    return applyOptions(completed(*kind, {}, {}, {}), words);
}

Target parseObject(const json::Value& value) {
    const json::Value* tag = value.find("tag");
    const json::Value* kindName = value.find("kind");
    if (!kindName && tag && tag->isString() && !tag->asString().empty())
        return parseWords(tag->asString());
    if (!kindName || !kindName->isString())
        refuse("the target's JSON object has no \"kind\" string");
    const auto kind = findKind(kindName->asString());
    if (!kind)
        refuse(base::concat("the target kind ", inQuotes(kindName->asString()), " is not known",
                            advice(kindName->asString(), kindNames())));
    for (const json::Member& member : value.asObject()) {
        if (member.key == "kind" || member.key == "keys" || member.key == "tag" ||
            member.key == "host" || member.key.starts_with("feature."))
            continue;
        const auto type = findOption(*kind, member.key);
        if (!type)
            refuseOption(*kind, member.key);
        if (!matches(member.value, *type))
            refuse(base::concat("the target option ", inQuotes(member.key), " takes ",
                                typeWords(*type), ", found ", json::toString(member.value.kind())));
    }
    json::Value rest = value;
    const json::Value* host = value.find("host");
    if (host)
        rest.asObject().erase("host");
    const Target read = Target::fromJson(rest);
    Target target = completed(*kind, read.keys(), read.attributes(), read.tag());
    return host && !host->isNull() ? target.withHost(parseTargetJson(*host)) : target;
}

} // namespace

Target parseTargetJson(const json::Value& value) {
    if (value.isString())
        return parseTarget(value.asString());
    if (!value.isObject())
        refuse(
            base::concat("a target is a text or an object, found ", json::toString(value.kind())));
    try {
        return parseObject(value);
    } catch (const base::ParseError& error) {
        refuse(base::concat("the target's JSON: ", error.diagnostic().message));
    }
}

Target parseTarget(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || text[begin] != '{')
        return parseWords(text);
    const auto value = json::tryParse(text);
    if (!value)
        refuse(base::concat("the target is no valid JSON: ", value.error().message));
    return parseTargetJson(*value);
}

std::vector<Preset> presets() {
    std::vector<Preset> result{{"host", hostTarget().toText()}};
    for (const PresetEntry& preset : presetTable())
        result.push_back({std::string(preset.name), std::string(preset.text)});
    return result;
}

} // namespace tilewright::target
