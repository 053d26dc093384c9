// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/codegen/llvm_cpu_features.h>
#include <tilewright/ir/printer.h>
#include <tilewright/space/space_generator.h>
#include <tilewright/target/parse_target.h>

#include <iostream>

namespace tilewright::cli {

namespace {

int run(const Arguments& arguments) {
    space::SpaceContext context;
    context.target = target::parseTarget(arguments.valueOr("--target", "host"));
    if (context.target.kind() == "llvm")
        codegen::checkTarget(context.target);
    const auto features = codegen::llvmCpuFeatures();
    const space::RuleSet rules = arguments.has("--rules")
                                     ? space::makeRuleSet(arguments.value("--rules"))
                                     : space::makeRuleSet(context.target, *features);
    const session::TuningInput input =
        session::openInput(arguments.value("INPUT"), inputOptions(arguments));
    const auto generator = space::postOrderApply(rules.rules);
    json::Array sketches;
    for (const search::TuneTask& task : input.tasks) {
        base::RandomState random(arguments.integerOr("--seed", 1, -1));
        for (const schedule::Schedule& sketch :
             generator->generateDesignSpace(context, task.module, random)) {
            json::Object row;
            row.set("task", task.name);
            row.set("trace", sketch.trace().toJson());
            row.set("python", sketch.trace().toPython());
            row.set("script", ir::print(sketch.module()));
            sketches.emplace_back(std::move(row));
        }
    }
    if (!arguments.has("--json")) {
        int number = 0;
        for (const json::Value& sketch : sketches)
            std::cout << "# sketch " << number++ << " of " << sketch.at("task").asString() << '\n'
                      << sketch.at("python").asString() << '\n';
        return kSuccess;
    }
    json::Object object;
    object.set("schema", "tilewright/space/1");
    object.set("rules", rules.kind);
    object.set("sketches", std::move(sketches));
    printJson(json::Value(std::move(object)));
    return kSuccess;
}

} // namespace

CommandSpec spaceCommand() {
    CommandSpec spec;
    spec.name = "space";
    spec.summary = "Generate the design space of an input: its sketches with sampled decisions";
    spec.positionals = {inputPositional()};
    spec.options = {
        targetOption("host"),
        {"--seed", "N", "Random seed (default 1)"},
        {"--rules", "KIND", "A rule set in place of the target's own: llvm, avx512, ..."},
        shapeOption(),
        jsonOption()};
    spec.examples = {"tilewright space op:GMM:n=128,m=128,k=128 --target 'llvm -mcpu=core-avx2 "
                     "-num-cores=4'",
                     "tilewright space module.py --seed 7 --json"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
