// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include "command.h"
#include "exit_code.h"
#include "near_name.h"
#include "shell_texts.h"
#include "version.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <deque>
#include <iostream>
#include <map>
#include <new>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace tilewright::cli {

namespace {

/// Where CLI11 puts what it reads for one command.
struct Binding {
    const CommandSpec* spec = nullptr;
    CLI::App* app = nullptr;
    std::deque<std::pair<std::string, std::vector<std::string>>> values;
    std::deque<std::pair<std::string, bool>> flags;
};

std::string footerOf(const CommandSpec& spec) {
    std::string text = spec.notes.empty() ? "" : spec.notes + "\n\n";
    text += spec.examples.size() == 1 ? "Example:" : "Examples:";
    for (const std::string& example : spec.examples)
        text += "\n  " + example;
    return text;
}

void bindCommand(CLI::App& app, Binding& binding) {
    const CommandSpec& spec = *binding.spec;
    app.footer(footerOf(spec));
    app.set_help_flag("-h,--help", "Print this help and exit");
    for (const PositionalSpec& positional : spec.positionals) {
        auto& [name, values] =
            binding.values.emplace_back(positional.name, std::vector<std::string>());
        CLI::Option* option = app.add_option(positional.name, values, positional.help);
        option->type_name("");
        option->required(positional.required);
        option->expected(1, positional.variadic ? 1000000 : 1);
        option->allow_extra_args(positional.variadic);
    }
    for (const OptionSpec& option : spec.options) {
        if (option.valueName.empty()) {
            auto& [name, given] = binding.flags.emplace_back(option.name, false);
            app.add_flag(option.name, given, option.help);
            continue;
        }
        auto& [name, values] = binding.values.emplace_back(option.name, std::vector<std::string>());
        CLI::Option* added = app.add_option(option.name, values, option.help);
        added->type_name(option.valueName + (option.required ? " (required)" : ""));
        added->expected(1);
        added->allow_extra_args(false);
        if (option.repeatable)
            added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        else
            added->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
}

/// The app of `db import` sits below that of `db`.
CLI::App* appFor(CLI::App& root, std::map<std::string, CLI::App*>& groups,
                 const CommandSpec& spec) {
    const std::size_t space = spec.name.find(' ');
    if (space == std::string::npos) {
        CLI::App* app = root.add_subcommand(spec.name, spec.summary);
        groups[spec.name] = app;
        return app;
    }
    const std::string group = spec.name.substr(0, space);
    CLI::App*& parent = groups[group];
    if (!parent) {
        parent = root.add_subcommand(group, "");
        parent->require_subcommand(1);
    }
    return parent->add_subcommand(spec.name.substr(space + 1), spec.summary);
}

/// Texts of the groups, which are no commands themselves.
void describeGroups(std::map<std::string, CLI::App*>& groups) {
    for (auto& [name, app] : groups) {
        if (!app->get_description().empty())
            continue;
        std::string names;
        std::string examples = "Examples:";
        for (const CommandSpec& spec : commands())
            if (spec.name.starts_with(name + ' ')) {
                names += (names.empty() ? "" : ", ") + spec.name.substr(name.size() + 1);
                for (const std::string& example : spec.examples)
                    examples += "\n  " + example;
            }
        app->description(name + ": " + names);
        app->set_help_flag("-h,--help", "Print this help and exit");
        app->footer(examples);
    }
}

int printError(const base::Diagnostic& diagnostic, const std::string& command) {
    std::string text = diagnostic.message;
    std::string places;
    for (const base::Location& location : diagnostic.locations)
        places += base::toString(location) + ": ";
    // Long excerpts (a line of a binary file) help nobody.
    constexpr std::size_t limit = 4000;
    if (text.size() > limit)
        text = text.substr(0, limit) + " …";
    std::cerr << "tilewright" << (command.empty() ? "" : " " + command) << ": " << places << text
              << '\n';
    return exitCodeOf(diagnostic);
}

/// What a command printed must have arrived; a reader that went away (`| head`) is no error.
int checkOutput(int code, const std::string& command) {
    std::cout.flush();
    errno = 0;
    const bool printed = std::fflush(stdout) == 0;
    if (std::cout && printed)
        return code;
    pollfd reader{STDOUT_FILENO, POLLOUT, 0};
    if (poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0)
        return code;
    std::cerr << "tilewright " << command << ": standard output cannot be written (disk full?)\n";
    return code == kSuccess ? kNoSpace : code;
}

int runBound(const Binding& binding) {
    Arguments arguments;
    for (const auto& [name, values] : binding.values)
        for (const std::string& value : values)
            arguments.add(name, value);
    for (const auto& [name, given] : binding.flags)
        if (given)
            arguments.set(name);
    try {
        for (const OptionSpec& option : binding.spec->options)
            if (option.required && !arguments.has(option.name))
                throw base::UserError("usage",
                                      base::concat(optionWords(option).back(), " is required"));
        return checkOutput(binding.spec->run(arguments), binding.spec->name);
    } catch (const base::UserError& error) {
        return printError(error.diagnostic(), binding.spec->name);
    } catch (const std::bad_alloc&) {
        std::cerr << "tilewright " << binding.spec->name << ": out of memory\n";
        return kInternal;
    } catch (const std::exception& error) {
        std::cerr << "tilewright " << binding.spec->name
                  << ": internal error, please report it: " << error.what() << '\n';
        return kInternal;
    }
}

/// `--completion SHELL` and `--man` stand alone; nothing when neither is asked for.
std::optional<int> printShellText(int argc, char** argv) {
    const std::string_view first = argc > 1 ? argv[1] : "";
    if (first == "--man" && argc == 2) {
        std::cout << manualPage();
        return kSuccess;
    }
    if (first != "--completion" || argc != 3)
        return std::nullopt;
    try {
        std::cout << completionScript(argv[2]);
        return kSuccess;
    } catch (const base::UserError& error) {
        return printError(error.diagnostic(), {});
    }
}

/// The words of a command line that name a command: `records edit`, `db`, or nothing.
std::string commandWords(const CLI::App& root) {
    std::string words;
    const CLI::App* app = &root;
    while (!app->get_subcommands().empty()) {
        app = app->get_subcommands().back();
        words += (words.empty() ? "" : " ") + app->get_name();
    }
    return words;
}

/// What may stand where an unknown word stood.
std::vector<std::string> acceptedAfter(const std::string& command, bool option) {
    std::vector<std::string> names;
    for (const CommandSpec& spec : commands()) {
        if (option && spec.name == command)
            for (const OptionSpec& known : spec.options)
                for (std::string& word : optionWords(known))
                    names.push_back(std::move(word));
        if (!option && command.empty())
            names.push_back(spec.name.substr(0, spec.name.find(' ')));
        if (!option && spec.name.starts_with(command + ' '))
            names.push_back(spec.name.substr(command.size() + 1));
    }
    return names;
}

int reportParseError(const CLI::App& root, const CLI::ParseError& error) {
    const std::string command = commandWords(root);
    const std::string name = command.empty() ? "tilewright" : "tilewright " + command;
    // What is not known at all says more than what is missing.
    const std::vector<std::string> unknown = root.remaining(true);
    std::cerr << name << ": ";
    if (unknown.empty()) {
        std::cerr << error.what();
    } else {
        const std::string word = unknown.front().substr(0, unknown.front().find('='));
        const std::string near = nearName(word, acceptedAfter(command, word.starts_with('-')));
        std::cerr << "not expected here: " << word;
        if (!near.empty())
            std::cerr << "; did you mean " << near << '?';
    }
    std::cerr << "\nTry '" << name << " --help'.\n";
    return kUsage;
}

/// `help` and `help COMMAND` mean `--help`.
std::vector<std::string> argumentsOf(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words.front() == "help") {
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    return words;
}

int parseAndRun(CLI::App& root, std::deque<Binding>& bindings, std::vector<std::string> words) {
    try {
        std::reverse(words.begin(), words.end()); // as CLI11 wants them
        root.parse(std::move(words));
    } catch (const CLI::CallForHelp& help) {
        return root.exit(help);
    } catch (const CLI::CallForAllHelp& help) {
        return root.exit(help);
    } catch (const CLI::CallForVersion& version) {
        return root.exit(version);
    } catch (const CLI::ParseError& error) {
        return reportParseError(root, error);
    }
    // From the back: `records edit` stands behind `records`, whose app was parsed too.
    for (auto binding = bindings.rbegin(); binding != bindings.rend(); ++binding)
        if (binding->app->parsed())
            return runBound(*binding);
    return kUsage;
}

} // namespace

int runCommandLine(int argc, char** argv) {
    if (const auto code = printShellText(argc, argv))
        return *code;
    CLI::App root("Tilewright tunes tensor programs and shows where the time goes.", "tilewright");
    root.set_version_flag("--version", versionText());
    // Printed by printShellText; declared for the help text.
    std::string shell;
    root.add_option("--completion", shell, "Print a completion script")->type_name("bash|zsh|fish");
    bool manual = false;
    root.add_flag("--man", manual, "Print the manual page");
    root.require_subcommand(1);
    root.footer("Examples:\n"
                "  tilewright tune op:GMM:n=512,m=512,k=512 --target host --work-dir work\n"
                "  tilewright records work --top-k 3\n"
                "  tilewright COMMAND --help");
    std::deque<Binding> bindings;
    std::map<std::string, CLI::App*> groups;
    for (const CommandSpec& spec : commands()) {
        Binding& binding = bindings.emplace_back();
        binding.spec = &spec;
        binding.app = appFor(root, groups, spec);
        bindCommand(*binding.app, binding);
    }
    describeGroups(groups);
    return parseAndRun(root, bindings, argumentsOf(argc, argv));
}

} // namespace tilewright::cli
