// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/extract_tasks.h>

#include "legalize_group.h"

#include <tilewright/analysis/flops.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/graph/fuse_ops.h>
#include <tilewright/ir/structural.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace tilewright::graph {

namespace {

/// `conv2d`, `dense` … would be TVM's names; ours are the model's operators in lower case.
std::string groupName(const Graph& graph, const FusedGroup& group) {
    constexpr std::size_t kLongest = 80;
    std::string name = group.nodes.size() > 1 ? "fused" : "";
    for (const int index : group.nodes) {
        std::string op = graph.nodes()[static_cast<std::size_t>(index)].op;
        std::transform(op.begin(), op.end(), op.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        name += name.empty() ? op : "_" + op;
        if (name.size() > kLongest)
            break;
    }
    return name;
}

class TaskExtractor {
public:
    explicit TaskExtractor(Graph graph) { extraction_.graph = std::move(graph); }

    Extraction run() {
        extraction_.skipped = skippedNodes(extraction_.graph);
        for (const FusedGroup& group : fuseOps(extraction_.graph))
            addGroup(group);
        return std::move(extraction_);
    }

private:
    [[nodiscard]] const Node& node(int index) const {
        return extraction_.graph.nodes()[static_cast<std::size_t>(index)];
    }

    std::vector<std::string> nodeNames(const FusedGroup& group) const {
        std::vector<std::string> names;
        for (const int index : group.nodes)
            if (names.empty() || names.back() != node(index).name)
                names.push_back(node(index).name);
        return names;
    }

    void addGroup(const FusedGroup& group) {
        const Node& first = node(group.nodes.front());
        if (!first.unsupported.empty())
            return; // reported already
        if (first.op == "Reshape" && group.nodes.size() == 1) {
            extraction_.steps.push_back(
                {-1, {first.inputs[0]}, first.outputs[0], nodeNames(group)});
            return;
        }
        try {
            LegalizedGroup kernel = legalizeGroup(extraction_.graph, group);
            const int task = taskFor(group, ir::Module::of(kernel.function));
            extraction_.steps.push_back(
                {task, std::move(kernel.inputs), kernel.output, nodeNames(group)});
        } catch (const base::UserError& error) {
            const Node& anchor = node(group.anchor);
            extraction_.skipped.push_back({anchor.name, anchor.op, error.diagnostic().message});
        }
    }

    int taskFor(const FusedGroup& group, ir::Module module) {
        const std::uint64_t hash = ir::structuralHash(module);
        const auto [begin, end] = byHash_.equal_range(hash);
        for (auto it = begin; it != end; ++it) {
            ExtractedTask& known = extraction_.tasks[static_cast<std::size_t>(it->second)];
            if (ir::structuralEqual(known.module, module)) {
                ++known.weight;
                return it->second;
            }
        }
        ExtractedTask task;
        task.name = uniqueName(groupName(extraction_.graph, group));
        task.weight = 1;
        task.flop = analysis::estimateFlops(module);
        task.bytes = analysis::parameterBytes(*module.find("main"));
        task.hash = hash;
        task.nodes = nodeNames(group);
        task.module = std::move(module);
        extraction_.tasks.push_back(std::move(task));
        const int index = static_cast<int>(extraction_.tasks.size()) - 1;
        byHash_.emplace(hash, index);
        return index;
    }

    std::string uniqueName(const std::string& name) {
        std::string candidate = name;
        for (int i = 1; !names_.insert(candidate).second; ++i)
            candidate = base::concat(name, i);
        return candidate;
    }

    Extraction extraction_;
    std::multimap<std::uint64_t, int> byHash_;
    std::set<std::string> names_;
};

} // namespace

Extraction extractTasks(Graph graph, const PipelineOptions& options) {
    preparePipeline(graph, options);
    return TaskExtractor(std::move(graph)).run();
}

} // namespace tilewright::graph
