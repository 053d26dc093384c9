// SPDX-License-Identifier: Apache-2.0
#include "shell_texts.h"

#include "command.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <algorithm>

namespace tilewright::cli {

namespace {

/// `-o,--output` as its words.
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

/// First words of all commands, each once.
std::vector<std::string> firstWords() {
    std::vector<std::string> words;
    for (const CommandSpec& spec : commands()) {
        std::string word = spec.name.substr(0, spec.name.find(' '));
        if (std::find(words.begin(), words.end(), word) == words.end())
            words.push_back(std::move(word));
    }
    return words;
}

/// What may follow `tilewright <group>` beside options.
std::vector<std::string> secondWords(std::string_view group) {
    std::vector<std::string> words;
    for (const CommandSpec& spec : commands())
        if (spec.name.starts_with(std::string(group) + ' '))
            words.push_back(spec.name.substr(group.size() + 1));
    return words;
}

std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string bashScript() {
    std::string text = "# bash completion for tilewright; made by tilewright --completion bash\n"
                       "_tilewright() {\n"
                       "    local cur=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\" key=\"\"\n"
                       "    key=\"${COMP_WORDS[1]}\"\n"
                       "    if [ \"$COMP_CWORD\" -gt 2 ]; then key=\"$key ${COMP_WORDS[2]}\"; fi\n"
                       "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
    text += base::concat("        words=\"", base::join(firstWords(), " "),
                         " --help --version\"\n    else\n        case \"$key\" in\n");
    // Commands of two words first: `records edit …` also begins with `records`.
    std::vector<const CommandSpec*> ordered;
    for (const CommandSpec& spec : commands())
        ordered.push_back(&spec);
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) {
        return a->name.find(' ') != std::string::npos && b->name.find(' ') == std::string::npos;
    });
    for (const CommandSpec* spec : ordered) {
        std::vector<std::string> words{"--help"};
        for (const OptionSpec& option : spec->options)
            for (std::string& word : optionWords(option))
                words.push_back(std::move(word));
        for (std::string& word : secondWords(spec->name))
            words.push_back(std::move(word));
        const bool two = spec->name.find(' ') != std::string::npos;
        text += base::concat("            \"", spec->name, "\"", two ? "" : "*", ") words=\"",
                             base::join(words, " "), "\" ;;\n");
    }
    for (const std::string& group : firstWords())
        text += base::concat("            ", group, ") words=\"",
                             base::join(secondWords(group), " "), " --help\" ;;\n");
    text += "        esac\n    fi\n"
            "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
            "    if [ \"$COMP_CWORD\" -gt 1 ] && [[ \"$cur\" != -* ]]; then\n"
            "        COMPREPLY+=($(compgen -f -- \"$cur\"))\n    fi\n}\n"
            "complete -o filenames -F _tilewright tilewright\n";
    return text;
}

std::string zshScript() {
    std::string text = "#compdef tilewright\n# made by tilewright --completion zsh\n"
                       "local -a names\n"
                       "if (( CURRENT == 2 )); then\n    names=(\n";
    for (const std::string& word : firstWords()) {
        const auto spec = std::find_if(commands().begin(), commands().end(),
                                       [&](const CommandSpec& s) { return s.name == word; });
        text += base::concat(
            "        ",
            quoted(base::concat(word, ":",
                                spec == commands().end() ? base::join(secondWords(word), ", ")
                                                         : spec->summary)),
            '\n');
    }
    text += "    )\n    _describe 'command' names\n    return\nfi\n"
            "local key=\"$words[2]\"\n"
            "case \"$words[2] $words[3]\" in\n";
    for (const CommandSpec& spec : commands())
        if (spec.name.find(' ') != std::string::npos)
            text += base::concat("    ", quoted(spec.name), ") key=", quoted(spec.name), " ;;\n");
    text += "esac\ncase \"$key\" in\n";
    for (const CommandSpec& spec : commands()) {
        text += base::concat("    ", quoted(spec.name), ") _arguments ");
        for (const OptionSpec& option : spec.options)
            for (const std::string& word : optionWords(option)) {
                std::string help = option.help;
                std::replace(help.begin(), help.end(), '[', '(');
                std::replace(help.begin(), help.end(), ']', ')');
                std::replace(help.begin(), help.end(), ':', ' ');
                std::string entry =
                    base::concat(option.repeatable ? "*" : "", word, '[', help, ']');
                if (!option.valueName.empty())
                    entry += ":value:_files";
                text += base::concat("\\\n        ", quoted(entry), ' ');
            }
        text += "\\\n        '*:file:_files' ;;\n";
    }
    for (const std::string& group : firstWords())
        if (!secondWords(group).empty())
            text += base::concat("    ", quoted(group), ") _values 'command' ",
                                 base::join(secondWords(group), " "), " ;;\n");
    return text + "esac\n";
}

std::string fishScript() {
    std::string text = "# made by tilewright --completion fish\n";
    for (const CommandSpec& spec : commands()) {
        const std::size_t space = spec.name.find(' ');
        const std::string first = spec.name.substr(0, space);
        std::string condition = base::concat("__fish_seen_subcommand_from ", first);
        if (space == std::string::npos) {
            text += base::concat("complete -c tilewright -n __fish_use_subcommand -f -a ", first,
                                 " -d ", quoted(spec.summary), '\n');
        } else {
            const std::string second = spec.name.substr(space + 1);
            if (spec.name == first + ' ' + secondWords(first).front() &&
                std::none_of(commands().begin(), commands().end(),
                             [&](const CommandSpec& s) { return s.name == first; }))
                text += base::concat("complete -c tilewright -n __fish_use_subcommand -f -a ",
                                     first, '\n');
            text += base::concat("complete -c tilewright -n ", quoted(condition), " -a ", second,
                                 " -d ", quoted(spec.summary), '\n');
            condition += base::concat("; and __fish_seen_subcommand_from ", second);
        }
        for (const OptionSpec& option : spec.options) {
            text += base::concat("complete -c tilewright -n ", quoted(condition));
            for (const std::string& word : optionWords(option))
                text += word.starts_with("--") ? base::concat(" -l ", word.substr(2))
                                               : base::concat(" -s ", word.substr(1));
            text += base::concat(option.valueName.empty() ? "" : " -r", " -d ", quoted(option.help),
                                 '\n');
        }
    }
    return text;
}

/// Text for troff: no backslashes or leading dots of its own.
std::string troff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            out += base::concat("\\&", c);
        else
            out.push_back(c);
    }
    return out;
}

std::string synopsis(const CommandSpec& spec) {
    std::string text = base::concat(".SS \"tilewright ", troff(spec.name));
    for (const PositionalSpec& positional : spec.positionals)
        text += base::concat(positional.required ? " " : " [", positional.name,
                             positional.variadic ? "..." : "", positional.required ? "" : "]");
    return text + (spec.options.empty() ? "\"\n" : " [OPTIONS]\"\n");
}

constexpr std::string_view kManHead =
    ".SH NAME\ntilewright \\- tune tensor programs and show where the time goes\n"
    ".SH SYNOPSIS\n.B tilewright\n.I COMMAND\n.RI [ ARGUMENTS ]\n"
    ".SH DESCRIPTION\nTilewright extracts tuning tasks from a model, searches their schedules with "
    "a learned cost model, keeps every trial in a database and links the best kernels into a "
    "library. Data goes to standard output, progress and messages to standard error.\n"
    ".PP\nINPUT is an ONNX model, a TVMScript module (.py, parsed and never executed), a work "
    "directory, op:NAME[:param=value,...] or suite:GLOB. TARGET is text such as\n"
    ".BR \"llvm \\-mcpu=znver4 \\-num\\-cores=8\" ,\nTVM's JSON form, or a preset with overrides "
    "after it\n.RB ( \"host \\-num\\-cores=1\" ).\n"
    ".SH OPTIONS\n.TP\n.B \\-\\-version\nPrint version, build, LLVM and XGBoost.\n"
    ".TP\n.BI \\-\\-completion \" bash|zsh|fish\"\nPrint a completion script.\n"
    ".TP\n.B \\-\\-man\nPrint this page.\n";

constexpr std::string_view kManTail =
    ".SH \"EXIT STATUS\"\n"
    ".TP\n.B 0\nSuccess.\n"
    ".TP\n.B 1\nThe answer is no: schedule refused, different, wrong result.\n"
    ".TP\n.B 2\nUsage; an unknown operator or target; a missing shape.\n"
    ".TP\n.B 3\nFinished, but some task has neither a schedule nor a working default.\n"
    ".TP\n.B 4\nAn input that cannot be read as a model or module.\n"
    ".TP\n.B 5\nA device is unavailable or lost.\n"
    ".TP\n.B 6\nA database is locked, missing, corrupt, foreign or newer.\n"
    ".TP\n.B 7\nA task is slower than compare \\-\\-fail\\-above allows.\n"
    ".TP\n.B 8\nThe disk is full or the directory is not writable.\n"
    ".TP\n.B 70\nInternal error.\n"
    ".TP\n.BR 130 \", \" 143\nStopped by SIGINT or SIGTERM; results are kept.\n"
    ".SH FILES\n.TP\n.I DIR/tuning.twdb\nThe database of a work directory.\n"
    ".TP\n.I ~/.config/tilewright/devices.json\nThe device list.\n"
    ".TP\n.I ~/.cache/tilewright/peaks.json\nWhat peaks measured.\n";

} // namespace

std::string completionScript(std::string_view shell) {
    if (shell == "bash")
        return bashScript();
    if (shell == "zsh")
        return zshScript();
    if (shell == "fish")
        return fishScript();
    throw base::UserError("usage",
                          base::concat("--completion: '", shell, "' is none of bash, zsh, fish"));
}

std::string manualPage() {
    std::string text = base::concat(".TH TILEWRIGHT 1 \"\" \"tilewright ", TW_VERSION,
                                    "\" \"User Commands\"\n", kManHead, ".SH COMMANDS\n");
    for (const CommandSpec& spec : commands()) {
        text += base::concat(synopsis(spec), troff(spec.summary), ".\n");
        for (const PositionalSpec& positional : spec.positionals)
            text += base::concat(".TP\n.I ", positional.name, '\n', troff(positional.help), '\n');
        for (const OptionSpec& option : spec.options) {
            text += base::concat(".TP\n.B \"", troff(base::join(optionWords(option), ", ")));
            if (!option.valueName.empty())
                text += base::concat(' ', troff(option.valueName));
            text += base::concat("\"\n", troff(option.help), '\n');
        }
        text += ".PP\nExamples:\n.PP\n.nf\n.RS\n";
        for (const std::string& example : spec.examples)
            text += troff(example) + "\n";
        text += ".RE\n.fi\n";
    }
    return text + std::string(kManTail);
}

} // namespace tilewright::cli
