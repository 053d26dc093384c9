// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/session/verify_store.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace tilewright::cli {

namespace {

/// The task's name, with its workload where several tasks have the name.
std::string nameOf(const std::vector<database::TaskSummary>& summaries, std::size_t i) {
    const database::Task& task = summaries.at(i).task;
    const auto same = std::count_if(summaries.begin(), summaries.end(), [&](const auto& other) {
        return other.task.name == task.name;
    });
    return same == 1 ? task.name : base::concat(task.name, " (workload ", task.workload.value, ')');
}

void printLine(const std::string& name, const session::Verification& result) {
    std::cout << name << ": " << session::toString(result.outcome);
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

/// Whether some task has a record that ran.
bool anyBest(const std::vector<database::TaskSummary>& summaries) {
    return std::any_of(summaries.begin(), summaries.end(),
                       [](const auto& summary) { return summary.best.has_value(); });
}

int run(const Arguments& arguments) {
    const bool asJson = arguments.has("--json");
    const database::StoreReader reader(arguments.value("DIR"));
    json::Array results;
    const std::vector<database::TaskSummary> summaries = reader.taskSummaries();
    std::size_t next = 0;
    const session::VerifySummary summary =
        session::verifyStore(reader, [&](const session::Verification& result) {
            const std::size_t i = next++;
            if (!asJson) {
                printLine(nameOf(summaries, i), result);
                return;
            }
            json::Object row = session::toJson(result).asObject();
            row.set("workload", summaries.at(i).task.workload.value);
            results.emplace_back(std::move(row));
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
    } else if (summary.right + summary.wrong + summary.failed == 0) {
        std::cout << "nothing was verified: " << summary.skipped
                  << (summary.skipped == 1 ? " task was skipped\n" : " tasks were skipped\n");
    } else {
        std::cout << summary.right << " right, " << summary.wrong << " wrong, " << summary.failed
                  << " failed, " << summary.skipped << " skipped\n";
    }
    if (!summary.ok())
        return kAnswerIsNo;
    const bool nothing = summary.right == 0 && summary.skipped > 0;
    return nothing && !anyBest(summaries) ? kNoSchedule : kSuccess;
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
