// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/graph/extract_tasks.h>
#include <tilewright/ir/module.h>

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::target {
class Target;
}

namespace tilewright::graph {

/// What a model is compiled from.
struct ModelSource {
    const Extraction* extraction = nullptr;
    /// One scheduled module a task, in the order of the extraction's tasks: the best record's or
    /// the default schedule's. Blocks that rewrite a weight's layout are done at compile time.
    std::vector<ir::Module> schedules;
    /// Stored in the metadata as it is: which tasks were tuned, with which records.
    std::string note;
};

/// Compiles a whole model into one shared object of the form that model_abi.h describes; returns
/// its bytes. Errors: `unsupported-operator` when nodes were skipped, and those of code
/// generation.
base::Result<std::string> compileModel(const ModelSource& source, const target::Target& target);

} // namespace tilewright::graph
