// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/session/verify_store.h>

#include <cstdio>
#include <iostream>

namespace tilewright::cli {

namespace {

void printLine(const session::Verification& result) {
    std::cout << result.task << ": " << session::toString(result.outcome);
    if (result.record)
        std::cout << ", record " << result.record->value;
    if (result.maxRelativeError) {
        char error[48];
        std::snprintf(error, sizeof error, ", largest relative error %.2g",
                      *result.maxRelativeError);
        std::cout << error;
    }
    if (!result.message.empty())
        std::cout << ", " << result.message;
    std::cout << '\n';
}

int run(const Arguments& arguments) {
    const bool asJson = arguments.has("--json");
    const database::StoreReader reader(arguments.value("DIR"));
    json::Array results;
    const session::VerifySummary summary =
        session::verifyStore(reader, [&](const session::Verification& result) {
            if (asJson)
                results.push_back(session::toJson(result));
            else
                printLine(result);
        });
    if (asJson) {
        json::Object object;
        object.set("schema", "tilewright/verify/1");
        object.set("ok", summary.ok());
        object.set("right", summary.right);
        object.set("wrong", summary.wrong);
        object.set("failed", summary.failed);
        object.set("skipped", summary.skipped);
        object.set("tasks", std::move(results));
        printJson(json::Value(std::move(object)));
    } else {
        std::cout << summary.right << " right, " << summary.wrong << " wrong, " << summary.failed
                  << " failed, " << summary.skipped << " skipped\n";
    }
    return summary.ok() ? kSuccess : kAnswerIsNo;
}

} // namespace

CommandSpec verifyCommand() {
    CommandSpec spec;
    spec.name = "verify";
    spec.summary = "Check every task's best record against the module as imported";
    spec.positionals = {workDirPositional()};
    spec.options = {jsonOption()};
    spec.examples = {"tilewright verify work", "tilewright verify work --json"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
