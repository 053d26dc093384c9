// SPDX-License-Identifier: Apache-2.0
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

namespace tilewright::cli {

PositionalSpec inputPositional() {
    return {"INPUT", "An .onnx model, a .py module, a work directory, op:NAME[:param=value,...] or "
                     "suite:GLOB[,GLOB...]"};
}
PositionalSpec workDirPositional() {
    return {"DIR", "A work directory (or a .twdb file)"};
}
OptionSpec shapeOption() {
    return {"--shape", "NAME=1,3,224,224", "Shape of a model's input; may be repeated", true};
}
OptionSpec targetOption(const std::string& defaultTarget) {
    return {"--target", "TARGET",
            "Target: 'llvm -mcpu=... -num-cores=N', TVM's JSON, or a preset with overrides" +
                (defaultTarget.empty() ? std::string() : " (default " + defaultTarget + ")")};
}
OptionSpec jsonOption() {
    return {"--json", "", "Print JSON instead of text"};
}
OptionSpec workDirOption() {
    return {"--work-dir", "DIR", "The work directory"};
}

session::InputOptions inputOptions(const Arguments& arguments) {
    session::InputOptions options;
    for (const std::string& text : arguments.values("--shape"))
        options.shapes.insert_or_assign(session::parseShape(text).first,
                                        session::parseShape(text).second);
    return options;
}

std::string requiredOption(const Arguments& arguments, std::string_view name) {
    if (!arguments.has(name))
        throw base::UserError("usage", base::concat(name, " is required"));
    return arguments.value(name);
}

} // namespace tilewright::cli
