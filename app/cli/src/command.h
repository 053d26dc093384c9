// SPDX-License-Identifier: Apache-2.0
#pragma once

// A command of the command line as data: help texts, shell completion and man pages are made from
// the same table that parsing uses (command_table.cpp).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cli {

/// `--target T` or, without a value name, the flag `--json`.
struct OptionSpec {
    std::string name;      ///< with dashes
    std::string valueName; ///< empty = a flag
    std::string help;
    bool repeatable = false;
    bool required = false;
    std::vector<std::string> choices = {}; ///< the values there are, for completion; may be empty
};
OptionSpec required(OptionSpec option);
OptionSpec oneOf(OptionSpec option, std::vector<std::string> choices);
/// `-o,--output` as its words.
std::vector<std::string> optionWords(const OptionSpec& option);

struct PositionalSpec {
    std::string name; ///< `INPUT`
    std::string help;
    bool required = true;
    bool variadic = false;
};

/// What was given, by the names of the specs.
class Arguments {
public:
    [[nodiscard]] bool has(std::string_view name) const;
    /// The last value given; empty when none was.
    [[nodiscard]] std::string value(std::string_view name) const;
    [[nodiscard]] std::string valueOr(std::string_view name, std::string_view otherwise) const;
    [[nodiscard]] std::vector<std::string> values(std::string_view name) const;
    /// Number options. Throw UserError (kind `usage`) naming the option, the text and the range.
    [[nodiscard]] std::int64_t integerOr(std::string_view name, std::int64_t otherwise,
                                         std::int64_t low = 0, std::int64_t high = INT64_MAX) const;
    [[nodiscard]] double numberOr(std::string_view name, double otherwise) const;
    void add(std::string_view name, std::string value);
    void set(std::string_view name) { given_[std::string(name)]; }

private:
    std::map<std::string, std::vector<std::string>, std::less<>> given_;
};

/// Returns the exit code. Throws UserError for the user's problems; main prints them and chooses
/// the exit code by kind. Data goes to standard output, progress and warnings to standard error.
using CommandFunction = int (*)(const Arguments& arguments);

struct CommandSpec {
    std::string name;    ///< `tune`, `db import`
    std::string summary; ///< one line, no full stop
    std::vector<PositionalSpec> positionals;
    std::vector<OptionSpec> options;
    std::vector<std::string> examples; ///< whole command lines
    CommandFunction run = nullptr;
    std::string notes; ///< paragraphs for the manual and, after the options, the help; may be empty
};

/// Every command, in the order of the help text.
const std::vector<CommandSpec>& commands();

} // namespace tilewright::cli
