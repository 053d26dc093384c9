// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/model_overview.h>

#include "import_lines.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/work_dir.h>
#include <tilewright/ir/structural.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/doctor.h>
#include <tilewright/session/task_text.h>
#include <tilewright/target/parse_target.h>

#include <algorithm>
#include <charconv>

namespace tilewright::session {

namespace {

target::Target withCores(const target::Target& target) {
    return target.numCores() ? target : target.with("num-cores", json::Value(1));
}

/// The inputs with the shapes that were given; an open batch becomes 1.
std::vector<OverviewInput> bindInputs(const onnx::ModelFacts& facts, InputOptions& options) {
    std::vector<OverviewInput> inputs;
    for (const onnx::DeclaredTensor& declared : facts.inputs) {
        OverviewInput& input = inputs.emplace_back();
        input.name = declared.name;
        input.dtype = declared.dtype;
        input.declared = declared.shapeText();
        input.fixed = declared.isFixed();
        const auto given = options.shapes.find(declared.name);
        if (given != options.shapes.end()) {
            input.shape = given->second;
            continue;
        }
        const auto open = std::count_if(declared.dims.begin(), declared.dims.end(),
                                        [](const auto& dim) { return dim.extent == 0; });
        if (!declared.ranked || open > 1 || (open == 1 && declared.dims.front().extent != 0))
            continue;
        for (const onnx::DeclaredDim& dim : declared.dims)
            input.shape.push_back(dim.extent > 0 ? dim.extent : 1);
        input.assumed = open == 1;
        if (input.assumed)
            options.shapes[input.name] = input.shape;
    }
    return inputs;
}

/// What a work directory knows of tasks.
class StoreResults {
public:
    StoreResults(const std::filesystem::path& workDir, const target::Target& target)
        : target_(withCores(target)) {
        std::error_code error;
        if (workDir.empty() || !std::filesystem::exists(database::storeFile(workDir), error))
            return;
        reader_.emplace(workDir);
        summaries_ = reader_->taskSummaries();
    }
    [[nodiscard]] bool any() const { return reader_.has_value(); }

    void fill(OverviewTask& task, const ir::Module& module) const {
        if (!reader_)
            return;
        const database::TaskSummary* found = nullptr;
        for (const ir::ModuleEquality mode :
             {ir::ModuleEquality::Structural, ir::ModuleEquality::IgnoreTensor,
              ir::ModuleEquality::AnchorBlock}) {
            for (const database::Workload& workload :
                 reader_->workloadsWithHash(ir::hashModule(module, mode)))
                found = better(found, find(workload.id, task.name));
            if (found)
                break;
        }
        if (!found)
            return;
        task.storeTask = found->task.id.value;
        task.defaultSeconds = found->defaultMedian;
        task.bestSeconds = found->bestMedian;
        task.bestRecord = found->best ? found->best->value : -1;
        task.trials = found->trials;
    }

private:
    static const database::TaskSummary* better(const database::TaskSummary* a,
                                               const database::TaskSummary* b) {
        return a ? a : b;
    }

    [[nodiscard]] bool fits(const database::TaskSummary& summary) const {
        try {
            return target::Target::fromJson(json::parse(
                       summary.task.target, {.dialect = json::Dialect::Tvm})) == target_;
        } catch (const base::UserError&) {
            return false;
        }
    }

    [[nodiscard]] const database::TaskSummary* find(database::WorkloadId workload,
                                                    const std::string& name) const {
        const database::TaskSummary* found = nullptr;
        for (const database::TaskSummary& summary : summaries_)
            if (summary.task.workload == workload && fits(summary) &&
                (!found || summary.task.name == name))
                found = &summary;
        return found;
    }

    target::Target target_;
    std::optional<database::StoreReader> reader_;
    std::vector<database::TaskSummary> summaries_;
};

void estimateShares(ModelOverview& overview, const target::Target& target,
                    const std::filesystem::path& peaksFile) {
    const DevicePeaks peaks = readPeaks(peaksFile.empty() ? peaksCacheFile() : peaksFile, target)
                                  .value_or(theoreticalPeaks(target));
    overview.estimateOrigin = peaks.origin;
    double total = 0;
    for (OverviewTask& task : overview.tasks) {
        const MemoryRoof* roof = peaks.memoryRoof(task.bytes);
        const double computing = task.flop / std::max(peaks.bestFlopRate(), 1.0);
        const double reading = roof ? task.bytes / std::max(roof->byteRate, 1.0) : 0;
        task.memoryBound = reading > computing;
        task.estimatedSeconds = std::max(computing, reading) * task.weight;
        total += task.estimatedSeconds;
    }
    for (OverviewTask& task : overview.tasks)
        task.estimatedShare = total > 0 ? task.estimatedSeconds / total : 0;
}

void addTasks(ModelOverview& overview, const TuningInput& input, const StoreResults& results) {
    for (std::size_t i = 0; i < input.tasks.size(); ++i) {
        const search::TuneTask& from = input.tasks[i];
        OverviewTask& task = overview.tasks.emplace_back();
        task.name = from.name;
        task.tag = opTag(from.name);
        const TaskShape shape = taskShape(from.module, task.tag);
        task.shape = shape.shape;
        task.dtype = shape.dtype;
        task.weight = from.weight;
        task.flop = from.flop;
        task.bytes = from.bytes;
        task.nodes = input.nodes[i];
        overview.flop += from.flop * from.weight;
        results.fill(task, from.module);
    }
}

std::string nameOf(const std::string& input, InputKind kind) {
    if (kind == InputKind::Operator || kind == InputKind::Suite)
        return input;
    const std::filesystem::path path(input);
    return kind == InputKind::WorkDir ? path.filename().string() : path.stem().string();
}

bool isModelFile(const std::string& input) {
    return input.ends_with(".onnx");
}

} // namespace

bool ModelOverview::hasTunedTask() const {
    return std::any_of(tasks.begin(), tasks.end(), [](const OverviewTask& t) { return t.tuned(); });
}

std::shared_ptr<const ModelOverview> openOverview(const std::string& input,
                                                  const OverviewOptions& options) {
    auto overview = std::make_shared<ModelOverview>();
    overview->path = input;
    const target::Target target = target::parseTarget(options.target);
    InputOptions inputOptions = options.input;
    std::optional<onnx::ModelFacts> facts;
    if (isModelFile(input)) {
        facts = onnx::readModelFacts(input);
        overview->inputs = bindInputs(*facts, inputOptions);
    }
    TuningInput opened;
    try {
        opened = openInput(input, inputOptions);
    } catch (const base::UserError& error) {
        const std::string& kind = error.diagnostic().kind;
        if (!facts || (kind != "missing-shape" && kind != "shape-mismatch"))
            throw;
        overview->name = nameOf(input, InputKind::Model);
        overview->needsShapes = true;
        overview->problem = error.diagnostic().message;
        overview->import = summarizeFacts(*facts);
        return overview;
    }
    overview->kind = opened.kind;
    overview->name = nameOf(input, opened.kind);
    const StoreResults results(options.workDir, target);
    if (results.any())
        overview->workDir = options.workDir;
    addTasks(*overview, opened, results);
    estimateShares(*overview, target, options.peaksFile);
    if (opened.model) {
        overview->graph = std::make_shared<TaskGraph>(makeTaskGraph(*opened.model));
        overview->import = summarizeImport(*facts, opened, overview->inputs);
    } else {
        for (const std::string& warning : opened.warnings) {
            ReportLine& line = overview->import.lines.emplace_back();
            line.kind = ReportKind::Warning;
            line.text = warning;
        }
        overview->import.warnings = static_cast<std::int64_t>(opened.warnings.size());
    }
    return overview;
}

std::optional<std::vector<std::int64_t>> parseExtents(std::string_view text) {
    std::string plain(text);
    for (std::size_t at = plain.find("×"); at != std::string::npos; at = plain.find("×", at))
        plain.replace(at, std::string_view("×").size(), ",");
    std::vector<std::int64_t> extents;
    std::string_view rest = plain;
    while (true) {
        const std::size_t comma = rest.find_first_of(",x");
        std::string_view item = rest.substr(0, comma);
        while (!item.empty() && item.front() == ' ')
            item.remove_prefix(1);
        while (!item.empty() && item.back() == ' ')
            item.remove_suffix(1);
        std::int64_t extent = 0;
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), extent);
        if (error != std::errc() || end != item.data() + item.size() || extent < 1)
            return std::nullopt;
        extents.push_back(extent);
        if (comma == std::string_view::npos)
            return extents;
        rest.remove_prefix(comma + 1);
    }
}

} // namespace tilewright::session
