// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/ir/parser.h>
#include <tilewright/ir/structural.h>

#include <iostream>

namespace tilewright::cli {

namespace {

int run(const Arguments& arguments) {
    const std::string left = arguments.value("A");
    const std::string right = arguments.value("B");
    const ir::Module a = ir::parseModule(readWholeFile(left), left);
    const ir::Module b = ir::parseModule(readWholeFile(right), right);
    const auto difference = ir::firstDifference(a, b);
    if (arguments.has("--json")) {
        json::Object object;
        object.set("schema", "tilewright/equal/1");
        object.set("equal", !difference.has_value());
        object.set("difference", difference ? json::Value(*difference) : json::Value());
        printJson(json::Value(std::move(object)));
    } else if (difference) {
        std::cout << *difference << '\n';
    }
    return difference ? kAnswerIsNo : kSuccess;
}

} // namespace

CommandSpec equalCommand() {
    CommandSpec spec;
    spec.name = "equal";
    spec.summary = "Compare two modules up to names; exit 1 and the first difference when unequal";
    spec.positionals = {{"A", "A TVMScript module"}, {"B", "Another one"}};
    spec.options = {jsonOption()};
    spec.examples = {"tilewright equal before.py after.py"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
