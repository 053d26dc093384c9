// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/session/report.h>

#include <fstream>
#include <iostream>

namespace tilewright::cli {

namespace {

const std::string kOutput = "-o,--output";

int run(const Arguments& arguments) {
    const std::string path = arguments.valueOr(kOutput, "report.html");
    const std::string html = session::htmlReport(database::StoreReader(arguments.value("DIR")));
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << html;
    file.close();
    if (!file)
        throw base::UserError("not-writable", "the report cannot be written",
                              {base::TextLocation{path, 0, 0}});
    if (arguments.has("--json")) {
        json::Object object;
        object.set("schema", "tilewright/report/1");
        object.set("file", path);
        object.set("bytes", html.size());
        printJson(json::Value(std::move(object)));
    } else {
        std::cout << "written to " << path << '\n';
    }
    return kSuccess;
}

} // namespace

CommandSpec reportCommand() {
    CommandSpec spec;
    spec.name = "report";
    spec.summary = "Write one self-contained HTML page about a work directory";
    spec.positionals = {workDirPositional()};
    spec.options = {{kOutput, "FILE.html", "The page (default report.html); written over"},
                    jsonOption()};
    spec.examples = {"tilewright report work", "tilewright report work -o monday.html"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
