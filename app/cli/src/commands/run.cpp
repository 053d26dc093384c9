// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/session/run_model.h>
#include <tilewright/target/host.h>

#include <iostream>

namespace tilewright::cli {

namespace {

session::RunRequest readRequest(const Arguments& arguments) {
    session::RunRequest request;
    request.library = arguments.value("LIB");
    request.outputDir = arguments.valueOr("--output-dir", ".");
    for (const std::string& text : arguments.values("--input")) {
        const std::size_t equals = text.rfind('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
            throw base::UserError("usage",
                                  base::concat("--input: '", text, "' is not NAME=FILE.npy"));
        request.inputs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    request.repeat = static_cast<int>(arguments.integerOr("--repeat", 1, 1, 10'000'000));
    request.threads = static_cast<int>(
        arguments.integerOr("--threads", target::detectHost().physicalCores, 1, 4096));
    return request;
}

int run(const Arguments& arguments) {
    const json::Value result = session::runModel(readRequest(arguments));
    if (arguments.has("--json")) {
        printJson(result);
        return kSuccess;
    }
    for (const json::Value& output : result.at("outputs").asArray()) {
        std::vector<std::string> extents;
        for (const json::Value& extent : output.at("shape").asArray())
            extents.push_back(std::to_string(extent.asInt()));
        std::cout << output.at("name").asString() << " [" << base::join(extents, ", ")
                  << "]: " << arguments.valueOr("--output-dir", ".") << '/'
                  << output.at("file").asString() << '\n';
    }
    const std::size_t runs = result.at("samples_ms").size();
    std::cout << "median of " << runs << (runs == 1 ? " run: " : " runs: ")
              << durationText(json::Value(result.at("median_ms").asDouble() * 1e3)) << '\n';
    return kSuccess;
}

} // namespace

CommandSpec runCommand() {
    CommandSpec spec;
    spec.name = "run";
    spec.summary = "Run a compiled library on tensors from .npy files";
    spec.positionals = {{"LIB", "A library made by 'tilewright compile'"}};
    spec.options = {{"--input", "NAME=FILE.npy", "An input; NAME ends at the last '='", true},
                    {"--output-dir", "DIR", "Where the outputs go, one .npy each (default: here)"},
                    {"--repeat", "N", "Timed runs (default 1)"},
                    {"--threads", "T", "Threads of parallel loops (default: the physical cores)"},
                    jsonOption()};
    spec.examples = {"tilewright run model.so --input input=image.npy --output-dir out",
                     "tilewright run model.so --input x=x.npy --output-dir out --repeat 100 "
                     "--threads 1 --json"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
