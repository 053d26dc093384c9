// SPDX-License-Identifier: Apache-2.0
#include "tune_settings.h"

#include "../near_name.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

namespace tilewright::cli {

namespace {

namespace fs = std::filesystem;

using Values = std::map<std::string, std::vector<std::string>>;

constexpr std::string_view kInput = "input";

/// Defaults that do not depend on the machine or on other settings.
const std::map<std::string, std::string, std::less<>>& fixedDefaults() {
    static const std::map<std::string, std::string, std::less<>> defaults = {
        {"target", "host"},
        {"max-trials-global", "1000"},
        {"builder", "local"},
        {"runner", "local"},
        {"database", "sqlite"},
        {"cost-model", "xgb"},
        {"seed", "1"},
        {"measure-callbacks", "default"},
        {"space", "post-order-apply"},
        {"task-scheduler", "gradient"},
        {"strategy", "evolutionary"},
        {"module-equality", "structural"},
        {"post-optimization", "on"}};
    return defaults;
}

/// Options that are settings: those with a value, but for the file of settings itself.
std::vector<const OptionSpec*> settingOptions(const std::vector<OptionSpec>& options) {
    std::vector<const OptionSpec*> result;
    for (const OptionSpec& option : options)
        if (!option.valueName.empty() && option.name != "--config")
            result.push_back(&option);
    return result;
}

std::string settingName(const OptionSpec& option) {
    return option.name.substr(2);
}

std::string environmentName(std::string_view setting) {
    std::string name = "TILEWRIGHT_";
    for (const char c : setting)
        name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

[[noreturn]] void refuse(const fs::path& file, const std::string& message) {
    throw base::UserError("usage", message, {base::TextLocation{file.string(), 0, 0}});
}

/// A value that was not quoted comes in pieces.
std::vector<std::string> joined(const std::string& name, const OptionSpec* option,
                                const std::vector<std::string>& pieces) {
    if (option && option->repeatable)
        return pieces;
    return {base::join(pieces, name == "target" ? " " : ",")};
}

/// The section [tune] of a file, or what stands before any section.
Values readFile(const fs::path& file, const std::vector<OptionSpec>& options) {
    std::map<std::string, const OptionSpec*> known{{std::string(kInput), nullptr}};
    for (const OptionSpec* option : settingOptions(options))
        known[settingName(*option)] = option;
    std::vector<CLI::ConfigItem> items;
    try {
        items = file.extension() == ".ini" ? CLI::ConfigINI().from_file(file.string())
                                           : CLI::ConfigTOML().from_file(file.string());
    } catch (const CLI::Error& error) {
        refuse(file, base::concat("the settings cannot be read: ", error.what()));
    }
    Values values;
    for (const CLI::ConfigItem& item : items) {
        const bool mine = item.parents.empty() || item.parents.front() == "tune";
        // A group of a group is the window's.
        if (!mine || item.name == "++" || item.name == "--" || item.parents.size() > 1 ||
            item.name.find_first_of("\\/") != std::string::npos)
            continue;
        const auto option = known.find(item.name);
        if (option == known.end()) {
            std::vector<std::string> names;
            for (const auto& [name, unused] : known)
                names.push_back(name);
            const std::string near = nearName(item.name, names);
            refuse(file,
                   base::concat("there is no setting '", item.name, '\'',
                                near.empty() ? "" : base::concat("; did you mean ", near, '?')));
        }
        values[item.name] = joined(item.name, option->second, item.inputs);
    }
    return values;
}

/// `tilewright.toml` or `tilewright.ini` of a folder, the first that is there.
std::optional<fs::path> settingsFile(const fs::path& folder) {
    std::error_code error;
    if (!folder.empty())
        for (const char* name : {"tilewright.toml", "tilewright.ini"})
            if (fs::is_regular_file(folder / name, error))
                return folder / name;
    return std::nullopt;
}

fs::path userFolder() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config && *config)
        return fs::path(config) / "tilewright";
    const char* home = std::getenv("HOME");
    return home && *home ? fs::path(home) / ".config" / "tilewright" : fs::path();
}

/// One place that values come from.
struct Source {
    std::string origin;
    Values values;
};

Source fromFlags(const Arguments& arguments, const std::vector<OptionSpec>& options) {
    Source source{"flag", {}};
    if (arguments.has("INPUT"))
        source.values[std::string(kInput)] = arguments.values("INPUT");
    for (const OptionSpec* option : settingOptions(options))
        if (arguments.has(option->name))
            source.values[settingName(*option)] = arguments.values(option->name);
    return source;
}

std::vector<Source> fromEnvironment(const std::vector<OptionSpec>& options) {
    std::vector<Source> sources;
    for (const OptionSpec* option : settingOptions(options)) {
        const std::string name = environmentName(settingName(*option));
        if (const char* value = std::getenv(name.c_str()); value && *value)
            sources.push_back({name, {{settingName(*option), {value}}}});
    }
    return sources;
}

void fill(std::vector<TuneSetting>& settings, const Source& source) {
    for (TuneSetting& setting : settings) {
        const auto found = source.values.find(setting.name);
        if (!setting.values.empty() || found == source.values.end())
            continue;
        setting.values = found->second;
        setting.origin = source.origin;
    }
}

std::string quotedValue(const std::string& text) {
    const char quote = text.find('"') == std::string::npos ? '"' : '\'';
    return quote + text + quote;
}

} // namespace

std::vector<TuneSetting> tuneSettings(const Arguments& arguments,
                                      const std::vector<OptionSpec>& options) {
    std::vector<TuneSetting> settings{{std::string(kInput), {}, {}}};
    for (const OptionSpec* option : settingOptions(options))
        settings.push_back({settingName(*option), {}, {}});
    fill(settings, fromFlags(arguments, options));
    if (arguments.has("--config")) {
        const std::string file = arguments.value("--config");
        fill(settings, {file, readFile(file, options)});
    }
    for (const Source& source : fromEnvironment(options))
        fill(settings, source);
    std::optional<Source> user;
    if (const auto file = settingsFile(userFolder()))
        user = Source{file->string(), readFile(*file, options)};
    // The user's file may say which work directory's file is read before it.
    std::vector<TuneSetting> place = settings;
    if (user)
        fill(place, *user);
    for (const TuneSetting& setting : place)
        if (setting.name == "work-dir" && !setting.values.empty())
            if (const auto file = settingsFile(setting.values.back()))
                fill(settings, {file->string(), readFile(*file, options)});
    if (user)
        fill(settings, *user);
    for (const auto& [name, value] : fixedDefaults())
        fill(settings, {"default", {{name, {value}}}});
    return settings;
}

Arguments withSettings(const Arguments& arguments, const std::vector<TuneSetting>& settings) {
    Arguments result = arguments;
    for (const TuneSetting& setting : settings) {
        const std::string name =
            setting.name == kInput ? std::string("INPUT") : "--" + setting.name;
        if (!arguments.has(name))
            for (const std::string& value : setting.values)
                result.add(name, value);
    }
    return result;
}

std::string settingsText(const std::vector<TuneSetting>& settings) {
    std::string text = "[tune]\n";
    for (const TuneSetting& setting : settings) {
        if (setting.values.empty()) {
            text += base::concat("# ", setting.name, " is not set\n");
            continue;
        }
        std::vector<std::string> values;
        for (const std::string& value : setting.values)
            values.push_back(quotedValue(value));
        const bool one = values.size() == 1;
        text += base::concat(setting.name, " = ", one ? "" : "[", base::join(values, ", "),
                             one ? "" : "]", "  # ", setting.origin, '\n');
    }
    return text;
}

} // namespace tilewright::cli
