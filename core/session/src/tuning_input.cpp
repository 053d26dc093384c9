// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/tuning_input.h>

#include <tilewright/analysis/flops.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/ir/parser.h>
#include <tilewright/json/line_reader.h>
#include <tilewright/onnx/import_model.h>
#include <tilewright/op/operator.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace tilewright::session {

namespace {

search::TuneTask makeTask(std::string name, ir::Module module) {
    search::TuneTask task;
    task.name = std::move(name);
    const ir::PrimFunc entry = module.find(module.entryName());
    task.flop = analysis::estimateFlops(module);
    task.bytes = entry ? static_cast<double>(analysis::parameterBytes(*entry)) : 0;
    task.module = std::move(module);
    return task;
}

void add(TuningInput& input, search::TuneTask task, std::vector<std::string> nodes = {},
         std::vector<op::ParamPacking> packings = {}) {
    input.tasks.push_back(std::move(task));
    input.nodes.push_back(std::move(nodes));
    input.packings.push_back(std::move(packings));
}

void openSuite(TuningInput& input, std::string_view globs) {
    input.kind = InputKind::Suite;
    input.suite = op::selectSuite(globs);
    for (const op::SuiteOperator& op : input.suite) {
        op::Operator program = op::buildSuite(op);
        search::TuneTask task = makeTask(op.name, std::move(program.module));
        task.flop = op.flops;
        task.bytes = op.bytes;
        add(input, std::move(task), {}, std::move(program.packings));
    }
}

void openModel(TuningInput& input, const InputOptions& options) {
    input.kind = InputKind::Model;
    onnx::ImportOptions import;
    for (const auto& [name, shape] : options.shapes)
        import.shapes[name] = graph::Dims(shape.begin(), shape.end());
    onnx::ImportReport report = onnx::importModel(input.text, import);
    input.warnings = report.warnings;
    auto extraction =
        std::make_shared<graph::Extraction>(graph::extractTasks(std::move(report.graph)));
    input.skipped = report.skipped;
    // What the reader skipped is in the graph still, and named again.
    for (const graph::SkippedNode& node : extraction->skipped)
        if (std::none_of(input.skipped.begin(), input.skipped.end(), [&](const auto& known) {
                return known.node == node.node && known.reason == node.reason;
            }))
            input.skipped.push_back(node);
    for (const graph::ExtractedTask& extracted : extraction->tasks) {
        search::TuneTask task;
        task.name = extracted.name;
        task.module = extracted.module;
        task.weight = extracted.weight;
        task.flop = extracted.flop;
        task.bytes = static_cast<double>(extracted.bytes);
        add(input, std::move(task), extracted.nodes);
    }
    input.model = std::move(extraction);
}

void openModule(TuningInput& input) {
    input.kind = InputKind::Module;
    ir::Module module = ir::parseModule(json::readTextFile(input.text), input.text);
    if (module.entryName().empty())
        throw base::UserError("input",
                              "the module has no entry function: none is named main and "
                              "there is not exactly one",
                              {base::TextLocation{input.text, 0, 0}});
    std::string name = std::filesystem::path(input.text).stem().string();
    add(input, makeTask(name.empty() ? "main" : std::move(name), std::move(module)));
}

void openWorkDir(TuningInput& input) {
    input.kind = InputKind::WorkDir;
    const database::StoreReader reader(input.text);
    std::map<std::int64_t, database::Workload> workloads;
    for (database::Workload& workload : reader.workloads())
        workloads[workload.id.value] = std::move(workload);
    for (const database::Task& task : reader.tasks()) {
        const auto it = workloads.find(task.workload.value);
        if (it == workloads.end() || it->second.module.empty()) {
            input.warnings.push_back(
                base::concat("task ", task.name, ": its module could not be read, left out"));
            continue;
        }
        search::TuneTask row =
            makeTask(task.name,
                     ir::parseModule(it->second.module,
                                     base::concat(input.text, ": workload ", task.workload.value)));
        row.weight = task.weight;
        if (task.flop > 0)
            row.flop = task.flop;
        if (task.bytes > 0)
            row.bytes = task.bytes;
        add(input, std::move(row));
    }
}

} // namespace

TuningInput openInput(const std::string& text, const InputOptions& options) {
    TuningInput input;
    input.text = text;
    if (text.starts_with("op:")) {
        input.kind = InputKind::Operator;
        op::Operator program = op::buildNamed(std::string_view(text).substr(3));
        add(input, makeTask(text.substr(3, text.find(':', 3) - 3), std::move(program.module)), {},
            std::move(program.packings));
        return input;
    }
    if (text.starts_with("suite:")) {
        openSuite(input, std::string_view(text).substr(6));
        return input;
    }
    std::error_code error;
    if (std::filesystem::is_directory(text, error) || text.ends_with(".twdb")) {
        openWorkDir(input);
        return input;
    }
    if (!std::filesystem::exists(text, error))
        throw base::UserError("unreadable-file",
                              base::concat("there is no such file; accepted are an .onnx model, a "
                                           ".py module, a work directory, op:NAME and suite:NAME"),
                              {base::TextLocation{text, 0, 0}});
    const std::string extension = std::filesystem::path(text).extension().string();
    if (extension == ".onnx")
        openModel(input, options);
    else if (extension == ".py")
        openModule(input);
    else
        throw base::UserError("input",
                              base::concat("unknown kind of input '", extension,
                                           "'; accepted are an .onnx model, a .py module, a work "
                                           "directory, op:NAME and suite:NAME"),
                              {base::TextLocation{text, 0, 0}});
    return input;
}

std::pair<std::string, std::vector<std::int64_t>> parseShape(const std::string& text) {
    const std::size_t equals = text.rfind('=');
    const auto refuse = [&]() -> base::UserError {
        return base::UserError("usage", base::concat("--shape: '", text,
                                                     "' is not NAME=EXTENT[,EXTENT…], such as "
                                                     "input=1,3,224,224"));
    };
    if (equals == std::string::npos || equals == 0)
        throw refuse();
    std::vector<std::int64_t> shape;
    std::string_view rest = std::string_view(text).substr(equals + 1);
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = rest.substr(0, comma);
        std::int64_t extent = 0;
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), extent);
        if (error != std::errc() || end != item.data() + item.size() || extent < 0)
            throw refuse();
        shape.push_back(extent);
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return {text.substr(0, equals), std::move(shape)};
}

} // namespace tilewright::session
