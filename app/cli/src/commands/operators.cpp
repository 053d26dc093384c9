// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/op/operator.h>
#include <tilewright/op/suite.h>

#include <algorithm>
#include <iostream>

namespace tilewright::cli {

namespace {

json::Value operatorJson(const op::NamedOperator& named) {
    json::Array params;
    for (const op::NamedParam& param : named.params) {
        json::Object row;
        row.set("name", param.name);
        row.set("default", param.defaultValue);
        row.set("help", param.help);
        params.emplace_back(std::move(row));
    }
    json::Object object;
    object.set("schema", "tilewright/operator/1");
    object.set("name", named.name);
    object.set("help", named.help);
    object.set("params", std::move(params));
    return json::Value(std::move(object));
}

void printOne(const op::NamedOperator& named) {
    std::cout << "op:" << named.name << "  " << named.help << '\n';
    std::vector<std::vector<std::string>> rows;
    for (const op::NamedParam& param : named.params)
        rows.push_back({param.name, param.defaultValue, param.help});
    printTable({"parameter", "default", "meaning"}, rows);
}

void printAll(const std::vector<op::NamedOperator>& operators) {
    for (const op::NamedOperator& named : operators) {
        std::vector<std::string> params;
        for (const op::NamedParam& param : named.params)
            params.push_back(base::concat(param.name, '=', param.defaultValue));
        std::cout << "op:" << named.name << "  " << named.help << "\n    "
                  << base::join(params, ",") << '\n';
    }
    std::vector<std::string> names;
    for (const op::SuiteOperator& suite : op::selectSuite("*"))
        names.push_back(suite.name);
    std::cout << "suite: " << base::join(names, ", ") << '\n';
}

int run(const Arguments& arguments) {
    std::vector<op::NamedOperator> chosen = op::namedOperators();
    if (arguments.has("NAME")) {
        std::string name = arguments.value("NAME");
        if (name.starts_with("op:"))
            name.erase(0, 3);
        std::erase_if(chosen, [&](const auto& named) { return named.name != name; });
        if (chosen.empty())
            static_cast<void>(op::buildNamed(name)); // says which there are
    }
    if (arguments.has("--json"))
        for (const op::NamedOperator& named : chosen)
            printJson(operatorJson(named));
    else if (arguments.has("NAME"))
        printOne(chosen.front());
    else
        printAll(chosen);
    return kSuccess;
}

} // namespace

CommandSpec operatorsCommand() {
    CommandSpec spec;
    spec.name = "operators";
    spec.summary = "List the built-in operators with their parameters, and the suite's";
    spec.positionals = {{"NAME", "Only this one, each parameter on a line", false}};
    spec.options = {jsonOption()};
    spec.examples = {"tilewright operators", "tilewright operators GMM --json"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
