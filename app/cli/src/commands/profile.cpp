// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/session/profile_model.h>
#include <tilewright/target/parse_target.h>

#include <cstdio>
#include <iostream>

namespace tilewright::cli {

namespace {

std::string rounded(double value, const char* format) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

void printText(const json::Value& profile) {
    std::vector<std::vector<std::string>> rows;
    for (const json::Value& row : profile.at("rows").asArray())
        rows.push_back(
            {row.at("name").asString(), std::to_string(row.at("calls").asInt()),
             durationText(row.at("median_us")), rounded(row.at("percent").asDouble(), "%.1f"),
             rounded(row.at("gflops").asDouble(), "%.1f"),
             row.at("record").isNull() ? "default"
                                       : "record " + std::to_string(row.at("record").asInt())});
    const json::Value& end = profile.at("end_to_end");
    const double whole = end.at("median_us").asDouble();
    const double overhead = profile.at("overhead_us").asDouble();
    rows.push_back({"(overhead)", "", durationText(profile.at("overhead_us")),
                    rounded(whole > 0 ? overhead / whole * 100 : 0, "%.1f"), "", ""});
    printTable({"operator", "calls", "one call", "%", "GFLOP/s", "made from"}, rows);
    std::cout << "end to end: " << durationText(end.at("median_us"));
    if (end.at("lo_us").isNumber())
        std::cout << " (95 % interval " << durationText(end.at("lo_us")) << " - "
                  << durationText(end.at("hi_us")) << ", n = " << end.at("n").asInt() << ')';
    std::cout << ", " << profile.at("threads").asInt() << " threads\n";
}

int run(const Arguments& arguments) {
    session::CompileRequest request;
    request.target = target::parseTarget(arguments.valueOr("--target", "host"));
    request.workDir = arguments.value("--work-dir");
    const auto threads = static_cast<int>(
        arguments.integerOr("--threads", request.target.numCores().value_or(1), 1, 4096));
    const double seconds = arguments.numberOr("--seconds", 1.5);
    if (seconds < 0 || seconds > 3600)
        throw base::UserError("usage", "--seconds: accepted are 0 to 3600");
    const session::TuningInput input =
        session::openInput(arguments.value("INPUT"), inputOptions(arguments));
    const session::CompiledInput compiled = session::compileInput(input, request, "model.so");
    const json::Value profile = session::profileModel(compiled, threads, seconds);
    if (arguments.has("--json"))
        printJson(profile);
    else
        printText(profile);
    return kSuccess;
}

} // namespace

CommandSpec profileCommand() {
    CommandSpec spec;
    spec.name = "profile";
    spec.summary = "Show where a compiled model's time goes, operator by operator";
    spec.positionals = {inputPositional()};
    spec.options = {{"--work-dir", "DIR", "Where the records are; an empty folder: none are"},
                    {"--threads", "N", "Threads of parallel loops (default: the target's cores)"},
                    {"--seconds", "S", "Time to measure (default 1.5)"},
                    targetOption("host"),
                    shapeOption(),
                    jsonOption()};
    spec.examples = {"tilewright profile model.onnx --work-dir work",
                     "tilewright profile model.onnx --target 'host -num-cores=1' --work-dir work "
                     "--threads 1 --json"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
