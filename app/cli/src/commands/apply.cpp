// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/json/parse.h>
#include <tilewright/schedule/apply_case.h>

#include <algorithm>
#include <iostream>
#include <variant>

namespace tilewright::cli {

namespace {

int runBatch(const std::string& path) {
    forEachLine(path, [&](std::string_view content, int line) {
        const auto request = json::tryParse(content, {.fileName = path, .firstLine = line});
        if (request) {
            printJson(schedule::applyCase(*request));
            return;
        }
        json::Object problem;
        problem.set("kind", request.error().kind);
        problem.set("message", request.error().toString());
        problem.set("step", nullptr);
        json::Object answer;
        answer.set("name", nullptr);
        answer.set("status", "error");
        answer.set("error", std::move(problem));
        printJson(json::Value(std::move(answer)));
    });
    return kSuccess;
}

/// A trace from a file; what is wrong with it names the file.
schedule::Trace readTrace(const std::string& path) {
    try {
        return schedule::Trace::fromJson(json::parse(readWholeFile(path), path));
    } catch (const base::UserError& error) {
        base::Diagnostic diagnostic = error.diagnostic();
        const bool named = std::any_of(
            diagnostic.locations.begin(), diagnostic.locations.end(),
            [](const auto& l) { return std::holds_alternative<base::TextLocation>(l); });
        if (!named)
            diagnostic.locations.insert(diagnostic.locations.begin(),
                                        base::TextLocation{path, 0, 0});
        throw base::UserError(std::move(diagnostic));
    }
}

int run(const Arguments& arguments) {
    if (arguments.has("--batch"))
        return runBatch(arguments.value("--batch"));
    if (!arguments.has("MODULE"))
        throw base::UserError("usage", "MODULE is required (or --batch CASES.jsonl)");
    if (arguments.has("--trace") == arguments.has("--script"))
        throw base::UserError("usage", "one of --trace and --script is required");
    const std::string path = arguments.value("MODULE");
    const ir::Module module = ir::parseModule(readWholeFile(path), path);
    const bool fromScript = arguments.has("--script");
    const std::string source = arguments.value(fromScript ? "--script" : "--trace");
    const std::string function = arguments.value("--func");
    if (!function.empty() && !module.find(function))
        throw base::UserError("option",
                              base::concat("--func: ", path, " has no function '", function, "'"));
    std::vector<int> lines; // of the script's instructions
    const schedule::Trace trace =
        fromScript ? schedule::Trace::parsePython(readWholeFile(source), source, &lines)
                   : readTrace(source);
    const schedule::ApplyResult result = schedule::applyTrace(module, trace, function);
    if (!result.ok()) {
        const auto step = static_cast<std::size_t>(result.step);
        const std::string place = fromScript && step < lines.size()
                                      ? base::concat(source, ':', lines[step])
                                      : base::concat(source, ": instruction ", result.step);
        std::cerr << place << ": " << trace[step].kind->pythonName << ": " << result.error->message
                  << " [" << result.error->kind << "]\n";
        return kAnswerIsNo;
    }
    if (arguments.has("--json")) {
        json::Object object;
        object.set("schema", "tilewright/apply/1");
        object.set("status", "ok");
        object.set("script", ir::print(result.module));
        printJson(json::Value(std::move(object)));
        return kSuccess;
    }
    std::cout << ir::print(result.module) << '\n';
    return kSuccess;
}

} // namespace

CommandSpec applyCommand() {
    CommandSpec spec;
    spec.name = "apply";
    spec.summary = "Apply a schedule to a module and print the scheduled module";
    spec.positionals = {{"MODULE", "A TVMScript module", false}};
    spec.options = {{"--trace", "TRACE.json", "A trace in TVM's file form"},
                    {"--script", "SCHEDULE.txt", "A schedule as text, in the form a trace prints"},
                    {"--func", "NAME", "The function that block names mean (default: the entry)"},
                    {"--batch", "CASES.jsonl", "Apply many cases, an answer a line"},
                    jsonOption()};
    spec.examples = {"tilewright apply module.py --script schedule.txt",
                     "tilewright apply module.py --trace trace.json",
                     "tilewright apply --batch cases.jsonl"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
