// SPDX-License-Identifier: Apache-2.0
#include "checked_target.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/codegen/llvm_cpu_features.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/work_dir.h>
#include <tilewright/json/parse.h>
#include <tilewright/target/parse_target.h>

#include <algorithm>
#include <iostream>

namespace tilewright::cli {

namespace {

/// Targets that a work directory has a record for that ran, each once.
std::vector<target::Target> targetsIn(const std::filesystem::path& workDir) {
    std::vector<target::Target> targets;
    std::error_code error;
    if (workDir.empty() || !std::filesystem::exists(database::storeFile(workDir), error))
        return targets;
    for (const auto& summary : database::StoreReader(workDir).taskSummaries()) {
        if (!summary.best || summary.task.target.empty())
            continue;
        target::Target target = target::Target::fromJson(
            json::parse(summary.task.target, {.dialect = json::Dialect::Tvm}));
        if (std::find(targets.begin(), targets.end(), target) == targets.end())
            targets.push_back(std::move(target));
    }
    return targets;
}

} // namespace

target::Target checkedTarget(const std::string& text) {
    target::Target target = target::parseTarget(text);
    if (!target.isCpu())
        return target;
    try {
        codegen::checkTarget(target);
    } catch (const base::UserError& error) {
        throw base::UserError("target",
                              base::concat("target '", text, "': ", error.diagnostic().message));
    }
    return target;
}

target::Target targetOfRecords(const Arguments& arguments) {
    const std::string dir = arguments.value("--work-dir");
    const target::Target wanted = checkedTarget(arguments.valueOr("--target", "host"));
    const std::vector<target::Target> present = targetsIn(dir);
    if (present.empty() || std::find(present.begin(), present.end(), wanted) != present.end())
        return wanted;
    if (!arguments.has("--target") && present.size() == 1 && present[0].isCpu() &&
        present[0].architecture() == wanted.architecture()) {
        std::cerr << "the records in " << dir << " are for '" << present[0].toText()
                  << "': taken as the target\n";
        return present[0];
    }
    std::vector<std::string> names;
    for (const target::Target& target : present)
        names.push_back(base::concat("'", target.toText(), "'"));
    std::cerr << "warning: no record in " << dir << " is for '" << wanted.toText()
              << "', so nothing is tuned; there are records for " << base::join(names, ", ")
              << "; choose with --target\n";
    return wanted;
}

} // namespace tilewright::cli
