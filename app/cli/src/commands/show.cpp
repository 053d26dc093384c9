// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"
#include "record_argument.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/session/record_view.h>

#include <iostream>

namespace tilewright::cli {

namespace {

int run(const Arguments& arguments) {
    const std::string name = arguments.valueOr("--as", "python");
    const auto form = session::recordFormFromName(name);
    if (!form)
        throw base::UserError("usage", base::concat("--as: '", name,
                                                    "' is none of trace, python, tir, llvm, asm, "
                                                    "json"));
    const database::RecordId id = recordArgument(arguments, "ID");
    const session::RecordView view(database::StoreReader(arguments.value("DIR")), id);
    const std::string text = view.text(*form);
    if (arguments.has("--json")) {
        json::Object object;
        object.set("schema", "tilewright/show/1");
        object.set("id", id.value);
        object.set("as", name);
        object.set("text", text);
        printJson(json::Value(std::move(object)));
        return kSuccess;
    }
    std::cout << text;
    if (!text.ends_with('\n'))
        std::cout << '\n';
    return kSuccess;
}

} // namespace

CommandSpec showCommand() {
    CommandSpec spec;
    spec.name = "show";
    spec.summary = "Show a record: its trace, schedule, scheduled module, code or data";
    spec.positionals = {workDirPositional(), {"ID", "The record's number"}};
    spec.options = {
        oneOf({"--as", "FORM",
               "trace, python (default), tir, llvm, asm, or json (samples, marks, all)"},
              {"trace", "python", "tir", "llvm", "asm", "json"}),
        jsonOption()};
    spec.examples = {"tilewright show work 12", "tilewright show work 12 --as tir",
                     "tilewright show work 12 --as asm"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
