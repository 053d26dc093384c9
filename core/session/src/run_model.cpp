// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/run_model.h>

#include "or_throw.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/graph/model_library.h>
#include <tilewright/measure/statistics.h>
#include <tilewright/runtime/npy.h>
#include <tilewright/runtime/timing.h>
#include <tilewright/session/run_isolated.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace tilewright::session {

namespace {

constexpr double kWarmUpSeconds = 0.02;
constexpr int kWarmUpRuns = 3;

std::vector<std::string> namesOf(const std::vector<graph::PlanTensor>& tensors) {
    std::vector<std::string> names;
    for (const graph::PlanTensor& tensor : tensors)
        names.push_back(base::concat(tensor.name, " (", graph::toString(tensor.type), ")"));
    return names;
}

std::vector<runtime::Tensor> readInputs(const graph::ModelLibrary& model,
                                        const RunRequest& request) {
    const auto& wanted = model.plan().inputs;
    for (const auto& [name, file] : request.inputs)
        if (std::none_of(wanted.begin(), wanted.end(),
                         [&, &given = name](const auto& t) { return t.name == given; }))
            throw base::UserError("usage",
                                  base::concat("--input: the model has no input '", name,
                                               "'; it has: ", base::join(namesOf(wanted), ", ")));
    std::vector<runtime::Tensor> tensors;
    for (const graph::PlanTensor& tensor : wanted) {
        const auto given =
            std::find_if(request.inputs.begin(), request.inputs.end(),
                         [&](const auto& pair) { return pair.first == tensor.name; });
        if (given == request.inputs.end())
            throw base::UserError("usage", base::concat("--input ", tensor.name,
                                                        "=FILE.npy is missing; the model takes ",
                                                        base::join(namesOf(wanted), ", ")));
        tensors.push_back(orThrow(runtime::readNpy(given->second)));
    }
    orThrow(model.checkInputs(tensors));
    return tensors;
}

/// A file name for an output: readable, and different for each.
std::string fileNameOf(const std::string& output, std::set<std::string>& taken) {
    std::string name;
    for (const char c : output.substr(0, 100))
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ? c : '_';
    if (name.empty())
        name = "output";
    std::string unique = name;
    for (int n = 1; !taken.insert(unique).second; ++n)
        unique = base::concat(name, "_", n);
    return unique + ".npy";
}

json::Value writeOutputs(const graph::ModelLibrary& model,
                         const std::vector<runtime::Tensor>& outputs,
                         const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    json::Array rows;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::string& name = model.plan().outputs[i].name;
        const std::string file = fileNameOf(name, taken);
        const auto written = runtime::writeNpy(outputs[i], (folder / file).string());
        if (!written)
            throw base::UserError("not-writable", written.error().message,
                                  written.error().locations);
        json::Object row;
        row.set("name", name);
        row.set("file", file);
        row.set("shape", json::Value::array(outputs[i].shape()));
        rows.emplace_back(std::move(row));
    }
    return json::Value(std::move(rows));
}

json::Value runHere(const RunRequest& request) {
    const graph::ModelLibrary model = orThrow(graph::ModelLibrary::open(request.library));
    const std::vector<runtime::Tensor> inputs = readInputs(model, request);
    std::vector<runtime::Tensor> outputs = orThrow(model.makeOutputs());
    runtime::KernelPool pool(request.threads);
    if (request.repeat > 1) {
        const double start = runtime::monotonicSeconds();
        for (int i = 0; i < kWarmUpRuns && runtime::monotonicSeconds() - start < kWarmUpSeconds;
             ++i)
            orThrow(model.run(inputs, outputs, pool));
    }
    std::vector<double> samples;
    samples.reserve(static_cast<std::size_t>(request.repeat));
    for (int i = 0; i < request.repeat; ++i) {
        const double start = runtime::monotonicSeconds();
        orThrow(model.run(inputs, outputs, pool));
        samples.push_back((runtime::monotonicSeconds() - start) * 1e3);
    }
    json::Object object;
    object.set("schema", "tilewright/run/1");
    object.set("outputs", writeOutputs(model, outputs, request.outputDir));
    object.set("samples_ms", json::Value::array(samples));
    object.set("median_ms", measure::median(samples));
    object.set("threads", request.threads);
    return json::Value(std::move(object));
}

} // namespace

json::Value runModel(const RunRequest& request) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(request.library, error))
        throw base::UserError("unreadable-file",
                              "there is no such file; a library made by tilewright compile is "
                              "wanted",
                              {base::TextLocation{request.library, 0, 0}});
    return runIsolated(request.library, [&] {
        // A name without a slash would be looked for in the system's folders.
        RunRequest absolute = request;
        absolute.library = std::filesystem::absolute(request.library).string();
        return runHere(absolute);
    });
}

} // namespace tilewright::session
