// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/profile_model.h>

#include "or_throw.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/graph/model_library.h>
#include <tilewright/measure/statistics.h>
#include <tilewright/runtime/tensor_fill.h>
#include <tilewright/runtime/timing.h>
#include <tilewright/session/record_json.h>
#include <tilewright/session/run_isolated.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <numeric>
#include <unistd.h>

namespace tilewright::session {

namespace {

constexpr std::size_t kFewestRuns = 15;
constexpr std::size_t kMostRuns = 5000;

/// A library in a file of its own, removed at the end.
class TemporaryLibrary {
public:
    explicit TemporaryLibrary(const std::string& bytes) {
        path_ = (std::filesystem::temp_directory_path() / "tilewright-XXXXXX").string();
        const int descriptor = ::mkstemp(path_.data());
        std::size_t done = 0;
        while (descriptor >= 0 && done < bytes.size()) {
            const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
            if (written <= 0)
                break;
            done += static_cast<std::size_t>(written);
        }
        const int code = errno;
        if (descriptor >= 0)
            ::close(descriptor);
        if (descriptor < 0 || done < bytes.size()) {
            ::unlink(path_.c_str());
            throw base::UserError("not-writable", base::concat(path_, ": ", std::strerror(code)));
        }
    }
    ~TemporaryLibrary() { ::unlink(path_.c_str()); }
    TemporaryLibrary(const TemporaryLibrary&) = delete;
    TemporaryLibrary& operator=(const TemporaryLibrary&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::vector<runtime::Tensor> makeInputs(const graph::ModelLibrary& model) {
    std::vector<runtime::Tensor> tensors;
    std::uint64_t seed = 1;
    for (const graph::PlanTensor& input : model.plan().inputs) {
        const auto type = runtime::parseElementType(graph::toString(input.type.dtype));
        TW_CHECK(type.has_value());
        tensors.push_back(orThrow(runtime::Tensor::allocate(*type, input.type.shape)));
        runtime::fillTensor(tensors.back(), runtime::checkFill(*type, seed++));
    }
    return tensors;
}

/// Seconds of whole runs, and per task the seconds of one call in each run.
struct Timeline {
    std::vector<double> whole;
    std::map<std::string, std::vector<double>> tasks;
    std::map<std::string, int> calls;
    /// Per run that was timed call by call: its seconds, call by call, in the plan's order.
    std::vector<std::vector<double>> runs;
    std::vector<std::string> order; ///< task of each call
};

/// Times that are kept for the timeline; more would only cost memory.
constexpr std::size_t kMostTimesKept = 4'000'000;

Timeline measureRuns(graph::ModelLibrary& model, int threads, double budget) {
    const std::vector<runtime::Tensor> inputs = makeInputs(model);
    std::vector<runtime::Tensor> outputs = orThrow(model.makeOutputs());
    runtime::KernelPool pool(threads);
    std::vector<double> seconds;
    for (int i = 0; i < 3; ++i) {
        orThrow(model.run(inputs, outputs, pool));
        orThrow(model.runTimed(inputs, outputs, pool, seconds));
    }
    Timeline line;
    for (const graph::PlanCall& call : model.plan().calls) {
        ++line.calls[call.task];
        line.order.push_back(call.task);
    }
    const double start = runtime::monotonicSeconds();
    while (line.whole.size() < kMostRuns &&
           (line.whole.size() < kFewestRuns || runtime::monotonicSeconds() - start < budget)) {
        const double begin = runtime::monotonicSeconds();
        orThrow(model.run(inputs, outputs, pool));
        line.whole.push_back(runtime::monotonicSeconds() - begin);
        orThrow(model.runTimed(inputs, outputs, pool, seconds));
        if (line.runs.size() * seconds.size() < kMostTimesKept)
            line.runs.push_back(seconds);
        std::map<std::string, double> sums;
        for (std::size_t c = 0; c < seconds.size(); ++c)
            sums[model.plan().calls[c].task] += seconds[c];
        for (const auto& [task, sum] : sums)
            line.tasks[task].push_back(sum / line.calls[task]);
    }
    return line;
}

/// The run whose sum is nearest to the median of all, call by call, each beginning where the one
/// before ended.
json::Value timelineJson(const Timeline& line) {
    std::vector<double> sums;
    for (const std::vector<double>& run : line.runs)
        sums.push_back(std::accumulate(run.begin(), run.end(), 0.0));
    json::Array calls;
    if (sums.empty())
        return json::Value(std::move(calls));
    const double middle = measure::median(sums);
    const auto nearest = std::min_element(sums.begin(), sums.end(), [middle](double a, double b) {
        return std::abs(a - middle) < std::abs(b - middle);
    });
    const std::vector<double>& run = line.runs[static_cast<std::size_t>(nearest - sums.begin())];
    double start = 0;
    for (std::size_t c = 0; c < run.size(); ++c) {
        json::Object call;
        call.set("name", line.order[c]);
        call.set("start_us", start * 1e6);
        call.set("duration_us", run[c] * 1e6);
        calls.emplace_back(std::move(call));
        start += run[c];
    }
    return json::Value(std::move(calls));
}

json::Value rowJson(const CompiledOperator& op, int calls, const std::vector<double>& samples,
                    double whole) {
    const double perCall = measure::median(samples);
    const auto interval = measure::medianInterval(samples);
    json::Object row;
    row.set("name", op.name);
    row.set("calls", calls);
    row.set("median_us", perCall * 1e6);
    row.set("lo_us", interval ? json::Value(interval->low * 1e6) : json::Value());
    row.set("hi_us", interval ? json::Value(interval->high * 1e6) : json::Value());
    row.set("percent", whole > 0 ? perCall * calls / whole * 100 : 0.0);
    row.set("gflops", perCall > 0 ? op.flop / perCall * 1e-9 : 0.0);
    row.set("source", op.record ? "record" : "default");
    row.set("record", op.record ? json::Value(*op.record) : json::Value());
    row.set("nodes", json::Value::array(op.nodes));
    return json::Value(std::move(row));
}

json::Value report(const CompiledInput& compiled, const Timeline& line, int threads) {
    const double whole = measure::median(line.whole);
    double parts = 0;
    std::vector<std::pair<double, json::Value>> rows;
    for (const CompiledOperator& op : compiled.operators) {
        const auto it = line.tasks.find(op.name);
        if (it == line.tasks.end())
            continue;
        const int calls = line.calls.at(op.name);
        const double perCall = measure::median(it->second);
        parts += perCall * calls;
        rows.emplace_back(perCall * calls, rowJson(op, calls, it->second, whole));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    json::Array sorted;
    for (auto& [share, row] : rows)
        sorted.push_back(std::move(row));
    const auto interval = measure::medianInterval(line.whole);
    json::Object end;
    end.set("median_us", whole * 1e6);
    end.set("min_us", measure::quantile(line.whole, 0) * 1e6);
    end.set("p10_us", measure::quantile(line.whole, 0.1) * 1e6);
    end.set("p90_us", measure::quantile(line.whole, 0.9) * 1e6);
    end.set("lo_us", interval ? json::Value(interval->low * 1e6) : json::Value());
    end.set("hi_us", interval ? json::Value(interval->high * 1e6) : json::Value());
    end.set("n", line.whole.size());
    json::Object object;
    object.set("schema", "tilewright/profile/1");
    object.set("rows", std::move(sorted));
    object.set("timeline", timelineJson(line));
    object.set("overhead_us", std::max(0.0, whole - parts) * 1e6);
    object.set("end_to_end", std::move(end));
    object.set("threads", threads);
    return json::Value(std::move(object));
}

} // namespace

json::Value profileModel(const CompiledInput& compiled, int threads, double seconds) {
    const TemporaryLibrary file(compiled.library);
    return runIsolated("the compiled model", [&] {
        graph::ModelLibrary model = orThrow(graph::ModelLibrary::open(file.path()));
        return report(compiled, measureRuns(model, threads, seconds), threads);
    });
}

} // namespace tilewright::session
