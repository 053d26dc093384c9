// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "checked_target.h"
#include "input_options.h"

#include <tilewright/ir/printer.h>
#include <tilewright/ir/structural.h>

#include <array>
#include <cstdio>
#include <iostream>

namespace tilewright::cli {

namespace {

/// `268.4 MFLOP`, `25.17 kB`.
std::string amountText(double amount, const char* unit) {
    constexpr std::array prefixes = {"", "k", "M", "G", "T"};
    std::size_t i = 0;
    while (amount >= 1000 && i + 1 < prefixes.size()) {
        amount /= 1000;
        ++i;
    }
    char text[48];
    std::snprintf(text, sizeof text, "%.4g %s%s", amount, prefixes[i], unit);
    return text;
}

json::Value taskJson(const session::TuningInput& input, std::size_t i) {
    const search::TuneTask& task = input.tasks[i];
    json::Object row;
    row.set("name", task.name);
    row.set("weight", task.weight);
    row.set("flop", task.flop);
    row.set("bytes", task.bytes);
    row.set("workload", ir::print(task.module));
    row.set("hash", std::to_string(ir::structuralHash(task.module)));
    row.set("nodes", json::Value::array(input.nodes[i]));
    return json::Value(std::move(row));
}

int run(const Arguments& arguments) {
    if (arguments.has("--target"))
        static_cast<void>(checkedTarget(arguments.value("--target")));
    const session::TuningInput input =
        session::openInput(arguments.value("INPUT"), inputOptions(arguments));
    for (const std::string& warning : input.warnings)
        std::cerr << "warning: " << warning << '\n';
    if (!arguments.has("--json")) {
        std::vector<std::vector<std::string>> rows;
        for (const search::TuneTask& task : input.tasks) {
            rows.push_back({task.name, std::to_string(static_cast<long>(task.weight)),
                            amountText(task.flop, "FLOP"), amountText(task.bytes, "B")});
        }
        printTable({"task", "weight", "work", "memory"}, rows);
        for (const graph::SkippedNode& node : input.skipped)
            std::cout << "skipped: node " << node.node << " (" << node.op << "): " << node.reason
                      << '\n';
        return kSuccess;
    }
    json::Array tasks;
    for (std::size_t i = 0; i < input.tasks.size(); ++i)
        tasks.push_back(taskJson(input, i));
    json::Array skipped;
    for (const graph::SkippedNode& node : input.skipped) {
        json::Object row;
        row.set("node", node.node);
        row.set("op", node.op);
        row.set("reason", node.reason);
        skipped.emplace_back(std::move(row));
    }
    json::Object object;
    object.set("schema", "tilewright/extract/1");
    object.set("tasks", std::move(tasks));
    object.set("skipped", std::move(skipped));
    printJson(json::Value(std::move(object)));
    return kSuccess;
}

} // namespace

CommandSpec extractCommand() {
    CommandSpec spec;
    spec.name = "extract";
    spec.summary = "List the tuning tasks of a model, module, operator or work directory";
    spec.positionals = {inputPositional()};
    spec.options = {shapeOption(), targetOption(""), jsonOption()};
    spec.examples = {"tilewright extract model.onnx --shape input=1,3,224,224",
                     "tilewright extract op:GMM:n=128,m=64,k=32 --json",
                     "tilewright extract 'suite:gmm_*'"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
