// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "checked_target.h"
#include "input_options.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/session/compile_input.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <unistd.h>

namespace tilewright::cli {

namespace {

const std::string kOutput = "-o,--output";

/// Written beside it and renamed, so that nobody ever loads half a library.
void writeWhole(const std::filesystem::path& path, const std::string& contents) {
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown))
        throw base::UserError("not-writable", "this is no regular file and is not replaced",
                              {base::TextLocation{path.string(), 0, 0}});
    const std::filesystem::path part = path.string() + ".part" + std::to_string(::getpid());
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file << contents;
    file.close();
    std::error_code error;
    if (file)
        std::filesystem::rename(part, path, error);
    if (!file || error) {
        const std::string reason = error ? error.message() : std::strerror(errno);
        std::filesystem::remove(part, error);
        throw base::UserError("not-writable", "the file cannot be written: " + reason,
                              {base::TextLocation{path.string(), 0, 0}});
    }
}

void printText(const session::CompiledInput& compiled, const std::string& library,
               const std::string& header) {
    std::vector<std::vector<std::string>> rows;
    for (const session::CompiledOperator& op : compiled.operators)
        rows.push_back(
            {op.name, std::to_string(static_cast<long>(op.weight)),
             op.record ? "record " + std::to_string(*op.record) : "default schedule: " + op.reason,
             op.seconds ? durationText(json::Value(*op.seconds * 1e6)) : "n/a"});
    printTable({"operator", "calls", "made from", "measured"}, rows);
    const std::size_t count = compiled.operators.size();
    std::cout << compiled.tunedCount() << " of " << count
              << (count == 1 ? " operator" : " operators") << " tuned"
              << (compiled.tunedCount() < count ? ", the others by the default schedule\n" : "\n")
              << library << " (" << compiled.library.size() << " bytes), " << header << '\n';
}

int run(const Arguments& arguments) {
    const std::string library = requiredOption(arguments, kOutput);
    session::CompileRequest request;
    request.target = targetOfRecords(arguments);
    request.workDir = arguments.value("--work-dir");
    const session::TuningInput input =
        session::openInput(arguments.value("INPUT"), inputOptions(arguments));
    for (const std::string& warning : input.warnings)
        std::cerr << "warning: " << warning << '\n';
    const std::filesystem::path path(library);
    if (path.extension() == ".h")
        throw base::UserError("usage", kOutput +
                                           ": the header is to lie beside the library; give "
                                           "a name such as " +
                                           path.stem().string() + ".so");
    const session::CompiledInput compiled =
        session::compileInput(input, request, path.filename().string());
    const std::string header = std::filesystem::path(path).replace_extension(".h").string();
    writeWhole(path, compiled.library);
    writeWhole(header, compiled.header);
    if (!arguments.has("--json")) {
        printText(compiled, library, header);
        return kSuccess;
    }
    json::Value result = session::toJson(compiled);
    result["library"] = json::Value(library);
    result["header"] = json::Value(header);
    result["target"] = request.target.toJson();
    printJson(result);
    return kSuccess;
}

} // namespace

CommandSpec compileCommand() {
    CommandSpec spec;
    spec.name = "compile";
    spec.summary = "Compile a model with the best records into one shared library and a C header";
    spec.positionals = {inputPositional()};
    spec.options = {{"--work-dir", "DIR", "Where the records are; an empty folder: none are"},
                    required({kOutput, "LIB.so", "The library; the header lies beside it"}),
                    targetOption("host, or that of the records"),
                    shapeOption(),
                    jsonOption()};
    spec.examples = {
        "tilewright compile model.onnx --work-dir work -o model.so",
        "tilewright compile model.onnx --target 'host -num-cores=1' --work-dir work -o m.so --json",
        "tilewright compile op:GMM:n=128,m=128,k=128 --work-dir work -o gmm.so"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
