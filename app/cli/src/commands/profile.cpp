// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "checked_target.h"
#include "input_options.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/session/profile_model.h>

#include <cstdio>
#include <iostream>
#include <map>

namespace tilewright::cli {

namespace {

std::string rounded(double value, const char* format) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

/// Why operators run the default schedule, each reason once.
void printReasons(const session::CompiledInput& compiled) {
    std::map<std::string, int> reasons;
    for (const session::CompiledOperator& row : compiled.operators)
        if (!row.reason.empty())
            ++reasons[row.reason];
    for (const auto& [reason, count] : reasons)
        std::cout << "default schedule for " << count
                  << (count == 1 ? " operator: " : " operators: ") << reason << '\n';
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
    std::cout << " (95 % interval "
              << intervalText(end.at("lo_us"), end.at("hi_us"), end.at("n").asInt())
              << ", n = " << end.at("n").asInt() << ')';
    const std::int64_t threads = profile.at("threads").asInt();
    std::cout << ", " << threads << (threads == 1 ? " thread\n" : " threads\n");
}

int run(const Arguments& arguments) {
    session::CompileRequest request;
    request.target = targetOfRecords(arguments);
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
    if (arguments.has("--json")) {
        printJson(profile);
        return kSuccess;
    }
    printText(profile);
    printReasons(compiled);
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
                    targetOption("host, or that of the records"),
                    shapeOption(),
                    jsonOption()};
    spec.examples = {"tilewright profile model.onnx --work-dir work",
                     "tilewright profile model.onnx --target 'host -num-cores=1' --work-dir work "
                     "--threads 1 --json"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
