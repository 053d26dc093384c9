// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "checked_target.h"
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/session/bench_input.h>

#include <charconv>
#include <cstdio>
#include <iostream>

namespace tilewright::cli {

namespace {

std::vector<std::string> commaSeparated(const std::string& text) {
    std::vector<std::string> items;
    std::size_t begin = 0;
    for (;;) {
        const std::size_t comma = text.find(',', begin);
        items.push_back(text.substr(begin, comma - begin));
        if (comma == std::string::npos)
            return items;
        begin = comma + 1;
    }
}

std::vector<int> threadsOption(const std::string& text) {
    std::vector<int> threads;
    for (const std::string& item : commaSeparated(text)) {
        int number = 0;
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), number);
        if (error != std::errc() || end != item.data() + item.size() || number < 1 || number > 4096)
            throw base::UserError(
                "usage", base::concat("--threads: '", item, "' is not an integer from 1 to 4096"));
        threads.push_back(number);
    }
    return threads;
}

std::vector<bool> cacheOption(const std::string& text) {
    std::vector<bool> cold;
    for (const std::string& item : commaSeparated(text)) {
        if (item != "warm" && item != "cold")
            throw base::UserError("usage", base::concat("--cache: '", item,
                                                        "'; accepted are warm, cold and both "
                                                        "with a comma"));
        cold.push_back(item == "cold");
    }
    return cold;
}

void printText(const json::Value& line) {
    const auto number = [](const json::Value& value, const char* format) {
        char text[48];
        std::snprintf(text, sizeof text, format, value.asDouble());
        return std::string(text);
    };
    const json::Value* model = line.find("model");
    const std::int64_t threads = line.at("threads").asInt();
    std::cout << (model ? *model : line.at("op")).asString() << ", " << threads
              << (threads == 1 ? " thread" : " threads");
    if (const json::Value* cache = line.find("cache"))
        std::cout << ", " << cache->asString();
    if (const json::Value* why = line.find("skipped")) {
        std::cout << ": skipped, " << why->asString() << '\n';
        return;
    }
    if (model) {
        std::cout << ": " << number(line.at("median_ms"), "%.4g ms");
    } else {
        const double us = line.at("median_us").asDouble();
        std::cout << ": " << durationText(line.at("median_us")) << " (least "
                  << durationText(line.at("min_us")) << "), "
                  << number(json::Value(line.at("flops").asDouble() / us / 1e3), "%.1f GFLOP/s")
                  << ", error " << number(line.at("max_rel_err"), "%.2g")
                  << (line.at("ok").asBool() ? "" : " WRONG RESULT");
        if (line.at("other_cpu").asDouble() > 0.08)
            std::cout << ", disturbed: " << number(line.at("other_cpu"), "%.2f");
    }
    std::cout << ", " << line.at("note").asString() << '\n';
}

int run(const Arguments& arguments) {
    session::BenchRequest request;
    request.workDir = requiredOption(arguments, "--work-dir");
    if (arguments.has("--target"))
        request.target = checkedTarget(arguments.value("--target"));
    request.threads = threadsOption(arguments.valueOr("--threads", "1"));
    request.cold = cacheOption(arguments.valueOr("--cache", "warm"));
    request.round = static_cast<int>(arguments.integerOr("--round", 0, 0, INT32_MAX));
    request.patienceSeconds = arguments.numberOr("--wait", request.patienceSeconds);
    const session::TuningInput input =
        session::openInput(arguments.value("INPUT"), inputOptions(arguments));
    const bool asJson = arguments.has("--json");
    const bool right = session::benchInput(input, request, [&](const json::Value& line) {
        if (asJson)
            printJson(line);
        else
            printText(line);
        std::cout.flush();
    });
    return right ? kSuccess : kAnswerIsNo;
}

} // namespace

CommandSpec benchCommand() {
    CommandSpec spec;
    spec.name = "bench";
    spec.summary = "Measure the best record of each task by the protocol of the operator suite";
    spec.positionals = {inputPositional()};
    spec.options = {
        required({"--work-dir", "DIR", "Where the records are; an empty folder: none are"}),
        {"--threads", "N,N", "Thread counts (default 1)"},
        oneOf({"--cache", "warm,cold", "Cache states (default warm)"},
              {"warm", "cold", "warm,cold"}),
        {"--round", "N", "A number written into each line, to tell repetitions apart"},
        {"--wait", "S", "Time to wait, in all, for a quiet machine (default 120)"},
        targetOption("the best of this machine's records"),
        shapeOption(),
        jsonOption()};
    spec.examples = {"tilewright bench 'suite:gmm_*' --work-dir work --threads 1,2 --json",
                     "tilewright bench op:GMM:n=512,m=512,k=512 --work-dir work --cache warm,cold",
                     "tilewright bench model.onnx --work-dir work --threads 1"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
