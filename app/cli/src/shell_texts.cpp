// SPDX-License-Identifier: Apache-2.0
#include "shell_texts.h"

#include "command.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <algorithm>

namespace tilewright::cli {

namespace {

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

/// The words that may follow a command in bash, and the values of its options.
std::string bashCase(const CommandSpec& spec) {
    std::vector<std::string> words{"--help"};
    std::string values;
    for (const OptionSpec& option : spec.options) {
        for (const std::string& word : optionWords(option))
            words.push_back(word);
        if (!option.choices.empty())
            values +=
                base::concat("                ", base::join(optionWords(option), "|"), ") words=\"",
                             base::join(option.choices, " "), "\"; files=\"\" ;;\n");
    }
    std::string text = base::concat("            ", quoted(spec.name),
                                    ")\n                words=\"", base::join(words, " "), "\"\n");
    if (spec.positionals.empty())
        text += "                files=\"\"\n";
    if (!values.empty())
        text += base::concat("                case \"$previous\" in\n", values,
                             "                esac\n");
    return text + "                ;;\n";
}

std::string bashScript() {
    std::string text = R"(# bash completion for tilewright; made by tilewright --completion bash
_tilewright() {
    local cur="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
    local words="" files="yes" key="${COMP_WORDS[1]}"
    case "$key" in
)";
    std::vector<std::string> seconds;
    for (const std::string& group : firstWords()) {
        const std::vector<std::string> second = secondWords(group);
        if (second.empty())
            continue;
        text +=
            base::concat("        ", group, ") case \"${COMP_WORDS[2]}\" in ",
                         base::join(second, "|"), ") key=\"$key ${COMP_WORDS[2]}\" ;; esac ;;\n");
        seconds.push_back(group);
    }
    text += base::concat("    esac\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"",
                         base::join(firstWords(), " "),
                         " help --help --version --man --completion\"\n        files=\"\"\n"
                         "    elif [ \"$COMP_CWORD\" -eq 2 ] && [ \"$key\" = --completion ]; then\n"
                         "        words=\"bash zsh fish\"\n        files=\"\"\n"
                         "    else\n        case \"$key\" in\n");
    for (const CommandSpec& spec : commands())
        text += bashCase(spec);
    for (const std::string& group : seconds) {
        const bool alone = std::none_of(commands().begin(), commands().end(),
                                        [&](const auto& spec) { return spec.name == group; });
        if (alone)
            text += base::concat("            ", group, ") words=\"",
                                 base::join(secondWords(group), " "), " --help\"; files=\"\" ;;\n");
    }
    text += "        esac\n    fi\n    COMPREPLY=()\n";
    for (const std::string& group : seconds)
        text += base::concat("    if [ \"$COMP_CWORD\" -eq 2 ] && [ \"$key\" = ", group,
                             " ]; then words=\"$words ", base::join(secondWords(group), " "),
                             "\"; fi\n");
    return text + R"(    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    if [ -n "$files" ] && [[ "$cur" != -* ]]; then
        local -a names
        mapfile -t names < <(compgen -f -- "$cur")
        COMPREPLY+=("${names[@]}")
        compopt -o filenames 2>/dev/null
    fi
}
complete -F _tilewright tilewright
)";
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
                if (!option.choices.empty())
                    entry += base::concat(":value:(", base::join(option.choices, " "), ")");
                else if (!option.valueName.empty())
                    entry += ":value:_files";
                text += base::concat("\\\n        ", quoted(entry), ' ');
            }
        text += spec.positionals.empty() ? " ;;\n" : "\\\n        '*:file:_files' ;;\n";
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
            if (!option.choices.empty())
                text += base::concat(" -x -a ", quoted(base::join(option.choices, " ")));
            else if (!option.valueName.empty())
                text += " -r";
            text += base::concat(" -d ", quoted(option.help), '\n');
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

/// Notes as they stand in help: lines with an indent keep it.
std::string manualNotes(const std::string& notes) {
    std::string text = ".PP\n";
    std::size_t start = 0;
    while (start < notes.size()) {
        const std::size_t end = std::min(notes.find('\n', start), notes.size());
        const std::string line = notes.substr(start, end - start);
        start = end + 1;
        const std::size_t first = line.find_first_not_of(' ');
        text += base::concat(first > 0 ? ".br\n" : "",
                             troff(line.substr(std::min(first, line.size()))), '\n');
    }
    return text;
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
    ".TP\n.B 1\nThe answer is no: schedule refused (apply), different (equal, diff), wrong result "
    "(verify, bench, measure).\n"
    ".TP\n.B 2\nUsage; an unknown operator, target or record; a missing shape; an output file that "
    "is "
    "there already.\n"
    ".TP\n.B 3\nFinished, but some task has neither a schedule nor a working default; nothing "
    "could be verified because no record ran.\n"
    ".TP\n.B 4\nAn input file that is missing, cannot be read or is no model, module or tensor; "
    "several "
    "operators for compile; records that a TVM release cannot express.\n"
    ".TP\n.B 5\nA device is unavailable or lost; no engine runs (session); no display (gui); the "
    "machine is not ready (doctor).\n"
    ".TP\n.B 6\nA database is in use by another process, missing, corrupt, foreign or newer.\n"
    ".TP\n.B 7\nA task is slower than compare \\-\\-fail\\-above allows.\n"
    ".TP\n.B 8\nThe disk is full or the directory is not writable.\n"
    ".TP\n.B 70\nInternal error.\n"
    ".TP\n.BR 130 \", \" 143\nStopped by SIGINT or SIGTERM; results are kept.\n"
    ".SH JSON\n"
    "With \\-\\-json a command prints one object, or one a line where a list can be long, with a "
    "member schema (the lines of bench follow the form of the operator suite instead). Members "
    "named ..._us are microseconds of one call, ..._ms milliseconds, ..._s seconds; time is "
    "milliseconds since 1970\\-01\\-01 UTC; 64-bit hashes are text. median_us is null when a "
    "record failed; lo_us and hi_us bound the median's 95 % interval, which below three samples is "
    "only their range. The target is text in tilewright/record/1 and an object in "
    "tilewright/record\\-details/1 (show \\-\\-as json).\n"
    ".SH ENVIRONMENT\n.TP\n.B TILEWRIGHT_*\nSettings of tune: TILEWRIGHT_MAX_TRIALS_GLOBAL is "
    "\\-\\-max\\-trials\\-global.\n"
    ".TP\n.B XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR\nWhere the user's settings, cached "
    "measurements and sockets are.\n"
    ".SH FILES\n.TP\n.I DIR/tuning.twdb\nThe database of a work directory.\n"
    ".TP\n.I ~/.config/tilewright/devices.json\nThe device list.\n"
    ".TP\n.I ~/.config/tilewright/tilewright.toml\nSettings of tune, below [tune].\n"
    ".TP\n.I ~/.cache/tilewright/peaks.json\nWhat peaks measured.\n"
    ".SH \"SEE ALSO\"\n.BR tilewright\\-gui (1),\n.BR tilewright\\-runner (1)\n";

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
    std::string text = base::concat(".TH TILEWRIGHT 1 \"", TW_DATE, "\" \"tilewright ", TW_VERSION,
                                    "\" \"User Commands\"\n", kManHead, ".SH COMMANDS\n");
    for (const CommandSpec& spec : commands()) {
        text += base::concat(synopsis(spec), troff(spec.summary), ".\n");
        for (const PositionalSpec& positional : spec.positionals)
            text += base::concat(".TP\n.I ", positional.name, '\n', troff(positional.help), '\n');
        for (const OptionSpec& option : spec.options) {
            text += base::concat(".TP\n.B \"", troff(base::join(optionWords(option), ", ")));
            if (!option.valueName.empty())
                text += base::concat(' ', troff(option.valueName),
                                     option.required ? " (required)" : "");
            text += base::concat("\"\n", troff(option.help), '\n');
        }
        if (!spec.notes.empty())
            text += manualNotes(spec.notes);
        text += ".PP\nExamples:\n.PP\n.nf\n.RS\n";
        for (const std::string& example : spec.examples)
            text += troff(example) + "\n";
        text += ".RE\n.fi\n";
    }
    return text + std::string(kManTail);
}

} // namespace tilewright::cli
