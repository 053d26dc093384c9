// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/session/compare.h>
#include <tilewright/session/record_json.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>

namespace tilewright::cli {

namespace {

std::string percent(double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, "%+.1f %%", (ratio - 1) * 100);
    return text;
}

/// `3%` or `3`: a share. Throws UserError (kind `usage`).
double shareOption(const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    if (!text.empty() && text.back() == '%')
        --end;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || value < 0)
        throw base::UserError("usage",
                              base::concat("--fail-above: '", text, "' is not a share such as 3%"));
    return value / 100;
}

void printText(const session::StoreComparison& comparison) {
    std::vector<std::vector<std::string>> rows;
    const auto median = [](const std::optional<database::TuningRecord>& record) {
        return record ? durationText(session::microseconds(record->measurement.median))
                      : std::string("n/a");
    };
    const auto shown = [&](const session::TaskComparison& task) {
        const auto same = std::count_if(comparison.tasks.begin(), comparison.tasks.end(),
                                        [&](const auto& other) { return other.name == task.name; });
        const auto& record = task.left ? task.left : task.right;
        return same == 1 || !record
                   ? task.name
                   : base::concat(task.name, " (workload ", record->workload.value, ')');
    };
    bool assumed = false;
    for (const session::TaskComparison& task : comparison.tasks) {
        const bool both = task.left && task.right;
        assumed = assumed || task.assumedNoise;
        rows.push_back(
            {shown(task), median(task.left), median(task.right),
             both ? percent(task.ratio) : std::string("n/a"),
             both ? percent(task.low) + " to " + percent(task.high) : std::string("n/a"),
             std::string(session::toString(task.verdict)) + (task.assumedNoise ? " *" : "")});
    }
    printTable({"task", "baseline", "candidate", "change", "95 % interval", "verdict"}, rows);
    if (comparison.leftTotal > 0)
        std::cout << "weighted total " << durationText(json::Value(comparison.leftTotal * 1e6))
                  << " -> " << durationText(json::Value(comparison.rightTotal * 1e6)) << ", "
                  << percent(comparison.rightTotal / comparison.leftTotal) << '\n';
    if (assumed)
        std::cout << "* fewer than two samples on a side: a noise of "
                  << session::kAssumedNoise * 100 << " % was assumed\n";
}

int run(const Arguments& arguments) {
    const bool gates = arguments.has("--fail-above");
    const double share = gates ? shareOption(arguments.value("--fail-above")) : 0;
    const database::StoreReader baseline(arguments.value("A"));
    const database::StoreReader candidate(arguments.value("B"));
    const session::StoreComparison comparison = session::compareStores(baseline, candidate);
    if (arguments.has("--json"))
        printJson(session::toJson(comparison));
    else
        printText(comparison);
    if (!gates)
        return kSuccess;
    const auto slower = comparison.slowerBy(share);
    for (const session::TaskComparison* task : slower)
        std::cerr << "slower: " << task->name << ' ' << percent(task->ratio) << " (interval "
                  << percent(task->low) << " to " << percent(task->high) << ")\n";
    return slower.empty() ? kSuccess : kRegression;
}

} // namespace

CommandSpec compareCommand() {
    CommandSpec spec;
    spec.name = "compare";
    spec.summary = "Compare the best records of two work directories, task by task";
    spec.positionals = {{"A", "The baseline's work directory"},
                        {"B", "The candidate's work directory"}};
    spec.options = {
        {"--fail-above", "PERCENT", "Exit 7 when a task is slower by more, beyond the noise"},
        jsonOption()};
    spec.examples = {"tilewright compare before after",
                     "tilewright compare before after --fail-above 3%"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
