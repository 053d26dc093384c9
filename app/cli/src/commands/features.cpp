// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/cost/per_store_feature.h>
#include <tilewright/ir/parser.h>
#include <tilewright/json/parse.h>
#include <tilewright/schedule/apply_case.h>
#include <tilewright/target/parse_target.h>

namespace tilewright::cli {

namespace {

json::Value matrixJson(const cost::FeatureMatrix& matrix) {
    json::Array rows;
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        json::Array row;
        for (std::size_t k = 0; k < matrix.columns; ++k)
            row.emplace_back(static_cast<double>(matrix.values[i * matrix.columns + k]));
        rows.emplace_back(std::move(row));
    }
    return json::Value(std::move(rows));
}

void addProblem(json::Object& answer, const base::Diagnostic& diagnostic) {
    json::Object problem;
    problem.set("kind", diagnostic.kind);
    problem.set("message", diagnostic.message);
    answer.set("features", json::Value());
    answer.set("error", std::move(problem));
}

json::Value featuresOf(const json::Value& request) {
    json::Object answer;
    const json::Value* name = request.find("name");
    answer.set("name", name ? *name : json::Value());
    try {
        ir::Module module = schedule::caseModule(request);
        if (const json::Value* trace = request.find("trace")) {
            schedule::ApplyResult applied = schedule::applyTrace(module, *trace);
            if (!applied.ok())
                throw base::UserError(*applied.error);
            module = std::move(applied.module);
        }
        cost::PerStoreFeatureOptions options;
        if (const json::Value* target = request.find("target"))
            options.isGpu = target::parseTargetJson(*target).isGpu();
        answer.set("features", matrixJson(cost::extractPerStoreFeatures(module, options)));
    } catch (const base::UserError& error) {
        addProblem(answer, error.diagnostic());
    }
    return json::Value(std::move(answer));
}

int run(const Arguments& arguments) {
    const std::string path = requiredOption(arguments, "--batch");
    forEachLine(path, [&](std::string_view content, int line) {
        const auto request = json::tryParse(content, {.fileName = path, .firstLine = line});
        if (request) {
            printJson(featuresOf(*request));
            return;
        }
        json::Object answer;
        answer.set("name", nullptr);
        addProblem(answer, {request.error().kind, request.error().toString()});
        printJson(json::Value(std::move(answer)));
    });
    return kSuccess;
}

} // namespace

CommandSpec featuresCommand() {
    CommandSpec spec;
    spec.name = "features";
    spec.summary = "Extract per-store features of scheduled modules";
    spec.options = {{"--batch", "CASES.jsonl",
                     "A line a case: name, module (TVMScript) or workload_line, trace"},
                    jsonOption()};
    spec.examples = {"tilewright features --batch cases.jsonl"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
