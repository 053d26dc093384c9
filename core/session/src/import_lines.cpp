// SPDX-License-Identifier: Apache-2.0
#include "import_lines.h"

#include <tilewright/base/concat.h>
#include <tilewright/session/task_text.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace tilewright::session {

namespace {

constexpr std::size_t kTasksNamed = 4;

/// `a, b and 3 more`.
std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kTasksNamed; ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kTasksNamed)
        text += base::concat(" and ", names.size() - kTasksNamed, " more");
    return text;
}

/// Where a node of the file ended up.
struct Fate {
    enum Kind { Folded, Anchor, Fused, Skipped } kind = Folded;
    int task = -1;
};

class Summarizer {
public:
    Summarizer(const onnx::ModelFacts& facts, const TuningInput& input)
        : facts_(facts), input_(input), summary_(summarizeFacts(facts)) {}

    ImportSummary run(const std::vector<OverviewInput>& inputs) {
        findFates();
        for (const graph::SkippedNode& node : input_.skipped)
            addSkipped(node);
        addInputs(inputs);
        for (const std::string& warning : input_.warnings)
            warn({}, warning);
        addGroups();
        for (const ReportLine& line : summary_.lines)
            summary_.warnings += line.kind == ReportKind::Warning ? 1 : 0;
        std::stable_sort(summary_.lines.begin(), summary_.lines.end(),
                         [](const ReportLine& a, const ReportLine& b) { return a.kind > b.kind; });
        return std::move(summary_);
    }

private:
    void findFates() {
        for (const graph::ModelStep& step : input_.model->steps) {
            bool first = true;
            for (const std::string& name : step.nodes) {
                const auto kind = first ? Fate::Anchor : Fate::Fused;
                fates_.emplace(name, Fate{step.task < 0 ? Fate::Folded : kind, step.task});
                first = false;
            }
        }
        for (const graph::SkippedNode& node : input_.skipped)
            fates_[node.node] = {Fate::Skipped, -1};
    }

    void addSkipped(const graph::SkippedNode& skipped) {
        ReportLine line;
        line.kind = ReportKind::Skipped;
        line.node = skipped.node;
        line.op = skipped.op;
        for (const onnx::DeclaredNode& node : facts_.nodes)
            if (node.name == skipped.node)
                line.opset = node.opset;
        line.text = skipped.reason;
        summary_.lines.push_back(std::move(line));
        ++summary_.skipped;
    }

    void warn(const std::string& node, std::string text, ReportWhat what = ReportWhat::Message) {
        ReportLine line;
        line.kind = ReportKind::Warning;
        line.what = what;
        line.node = node;
        line.text = std::move(text);
        summary_.lines.push_back(std::move(line));
    }

    void addInputs(const std::vector<OverviewInput>& inputs) {
        for (const OverviewInput& input : inputs)
            if (input.assumed)
                warn(input.name,
                     base::concat("the batch of (", input.declared,
                                  ") is not fixed; imported with ", base::join(input.shape, ", ")),
                     ReportWhat::AssumedBatch);
    }

    [[nodiscard]] std::string taskName(int task) const {
        return input_.tasks[static_cast<std::size_t>(task)].name;
    }

    /// One line for all nodes of an operator that share a fate.
    void addGroups() {
        struct Group {
            std::string first;
            std::int64_t count = 0;
            int opset = 0;
            std::vector<std::string> tasks;
            std::set<std::string> tags;
        };
        std::map<std::pair<std::string, Fate::Kind>, Group> groups;
        std::vector<std::pair<std::string, Fate::Kind>> order;
        for (const onnx::DeclaredNode& node : facts_.nodes) {
            const auto known = fates_.find(node.name);
            const Fate fate = known == fates_.end() ? Fate{} : known->second;
            if (fate.kind == Fate::Skipped)
                continue;
            (fate.kind == Fate::Folded ? summary_.folded : summary_.compute) += 1;
            summary_.fused += fate.kind == Fate::Fused ? 1 : 0;
            const auto key = std::pair(node.op, fate.kind);
            auto [it, fresh] = groups.try_emplace(key);
            Group& group = it->second;
            if (fresh) {
                order.push_back(key);
                group.first = node.name;
                group.opset = node.opset;
            }
            ++group.count;
            if (fate.task < 0)
                continue;
            const std::string name = taskName(fate.task);
            if (std::find(group.tasks.begin(), group.tasks.end(), name) == group.tasks.end())
                group.tasks.push_back(name);
            group.tags.insert(opTag(name));
        }
        for (const auto& key : order) {
            Group& group = groups[key];
            ReportLine line;
            line.node = group.count == 1 ? group.first : std::string();
            line.count = group.count;
            line.op = key.first;
            line.opset = group.opset;
            line.tags = base::join(group.tags, ", ");
            line.what = key.second == Fate::Folded  ? ReportWhat::Folded
                        : key.second == Fate::Fused ? ReportWhat::Fused
                                                    : ReportWhat::Task;
            if (key.second == Fate::Folded)
                line.text = "folded: needs no kernel of its own";
            else if (key.second == Fate::Fused)
                line.text = base::concat("fused into the kernel before (", line.tags, ")");
            else
                line.text =
                    base::concat(group.tasks.size() == 1 ? "task " : "tasks ", listed(group.tasks));
            line.tasks = std::move(group.tasks);
            summary_.lines.push_back(std::move(line));
        }
    }

    const onnx::ModelFacts& facts_;
    const TuningInput& input_;
    ImportSummary summary_;
    std::unordered_map<std::string, Fate> fates_;
};

std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

} // namespace

ImportSummary summarizeFacts(const onnx::ModelFacts& facts) {
    ImportSummary summary;
    summary.producer = facts.producer;
    summary.opset = facts.opset;
    summary.irVersion = facts.irVersion;
    summary.parameters = facts.parameters;
    summary.weightBytes = facts.weightBytes;
    summary.nodes = static_cast<std::int64_t>(facts.nodes.size());
    return summary;
}

ImportSummary summarizeImport(const onnx::ModelFacts& facts, const TuningInput& input,
                              const std::vector<OverviewInput>& inputs) {
    return Summarizer(facts, input).run(inputs);
}

std::string mappingCsv(const ModelOverview& overview) {
    std::string text = "node,count,op,opset,tasks,what\n";
    for (const ReportLine& line : overview.import.lines)
        text += base::concat(csvCell(line.node), ",", line.count, ",", csvCell(line.op), ",",
                             line.opset, ",", csvCell(base::join(line.tasks, " ")), ",",
                             csvCell(line.text), "\n");
    return text;
}

} // namespace tilewright::session
