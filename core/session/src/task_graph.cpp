// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/task_graph.h>

#include <tilewright/base/concat.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>

namespace tilewright::session {

namespace {

class GraphMaker {
public:
    GraphMaker(const graph::Extraction& extraction, GraphDetail detail)
        : extraction_(extraction), detail_(detail) {
        for (const graph::Node& node : extraction.graph.nodes())
            operators_.emplace(node.name, node.op);
    }

    TaskGraph run() {
        for (const graph::ValueId input : extraction_.graph.inputs)
            source_[input.value] =
                addNode(GraphNodeKind::Input, -1, extraction_.graph.value(input).name);
        for (const graph::ModelStep& step : extraction_.steps)
            addStep(step);
        for (std::size_t i = 0; i < extraction_.graph.outputs.size(); ++i) {
            const graph::ValueId output = extraction_.graph.outputs[i];
            const std::string name = i < extraction_.graph.outputNames.size()
                                         ? extraction_.graph.outputNames[i]
                                         : extraction_.graph.value(output).name;
            const int node = addNode(GraphNodeKind::Output, -1, name);
            addEdge(output, node);
        }
        addSkipped();
        return dropLoose();
    }

private:
    int addNode(GraphNodeKind kind, int task, std::string label) {
        GraphNode node;
        node.kind = kind;
        node.task = task;
        node.label = std::move(label);
        out_.nodes.push_back(std::move(node));
        return static_cast<int>(out_.nodes.size()) - 1;
    }

    void addEdge(graph::ValueId value, int to) {
        const auto from = source_.find(value.value);
        if (from == source_.end())
            return; // a weight, or the result of a node that was skipped
        const auto [it, fresh] = edges_.emplace(std::pair(from->second, to), out_.edges.size());
        if (!fresh) {
            ++out_.edges[it->second].count;
            return;
        }
        GraphEdge edge;
        edge.from = from->second;
        edge.to = to;
        edge.repeat = to <= from->second;
        edge.tensor = graph::toString(extraction_.graph.value(value).type);
        out_.edges.push_back(std::move(edge));
    }

    void addStep(const graph::ModelStep& step) {
        int node = -1;
        if (step.task < 0) {
            node = addNode(GraphNodeKind::Glue, -1, step.nodes.empty() ? "reshape" : step.nodes[0]);
            addOperators(node, step);
        } else {
            const auto known = taskNodes_.find(step.task);
            if (detail_ == GraphDetail::Tasks && known != taskNodes_.end()) {
                node = known->second;
                ++out_.nodes[static_cast<std::size_t>(node)].repeats;
            } else {
                node = addNode(GraphNodeKind::Task, step.task,
                               extraction_.tasks[static_cast<std::size_t>(step.task)].name);
                taskNodes_[step.task] = node;
                addOperators(node, step);
            }
        }
        for (const graph::ValueId input : step.inputs)
            addEdge(input, node);
        source_[step.output.value] = node;
    }

    void addOperators(int node, const graph::ModelStep& step) {
        for (const std::string& name : step.nodes) {
            const auto op = operators_.find(name);
            out_.nodes[static_cast<std::size_t>(node)].operators.push_back(
                {name, op == operators_.end() ? std::string() : op->second});
        }
    }

    void addSkipped() {
        for (const graph::SkippedNode& skipped : extraction_.skipped) {
            const int node = addNode(GraphNodeKind::Skipped, -1, skipped.node);
            out_.nodes.back().operators.push_back({skipped.node, skipped.op});
            for (const graph::Node& known : extraction_.graph.nodes())
                if (known.name == skipped.node)
                    for (const graph::ValueId input : known.inputs)
                        if (input.valid())
                            addEdge(input, node);
        }
    }

    /// Inputs that nothing reads and outputs that nothing here writes would only be clutter.
    TaskGraph dropLoose() {
        std::vector<bool> touched(out_.nodes.size(), false);
        for (const GraphEdge& edge : out_.edges)
            touched[static_cast<std::size_t>(edge.from)] =
                touched[static_cast<std::size_t>(edge.to)] = true;
        std::vector<int> moved(out_.nodes.size(), -1);
        TaskGraph kept;
        for (std::size_t n = 0; n < out_.nodes.size(); ++n) {
            const GraphNodeKind kind = out_.nodes[n].kind;
            if (!touched[n] && (kind == GraphNodeKind::Input || kind == GraphNodeKind::Output))
                continue;
            moved[n] = static_cast<int>(kept.nodes.size());
            kept.nodes.push_back(std::move(out_.nodes[n]));
        }
        for (GraphEdge& edge : out_.edges) {
            edge.from = moved[static_cast<std::size_t>(edge.from)];
            edge.to = moved[static_cast<std::size_t>(edge.to)];
            kept.edges.push_back(std::move(edge));
        }
        return kept;
    }

    const graph::Extraction& extraction_;
    GraphDetail detail_;
    std::unordered_map<std::string, std::string> operators_;
    std::map<int, int> taskNodes_;
    std::unordered_map<decltype(graph::ValueId::value), int> source_; ///< value → its node
    std::map<std::pair<int, int>, std::size_t> edges_;
    TaskGraph out_;
};

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + '"';
}

} // namespace

int TaskGraph::nodeOfTask(int task) const {
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (task >= 0 && nodes[n].task == task)
            return static_cast<int>(n);
    return -1;
}

std::vector<int> TaskGraph::find(std::string_view text) const {
    std::vector<int> found;
    const std::string wanted = lower(text);
    if (wanted.empty())
        return found;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        bool hit = lower(nodes[n].label).find(wanted) != std::string::npos;
        for (const GraphOperator& op : nodes[n].operators)
            hit = hit || lower(op.name).find(wanted) != std::string::npos ||
                  lower(op.op).find(wanted) != std::string::npos;
        if (hit)
            found.push_back(static_cast<int>(n));
    }
    return found;
}

std::vector<int> TaskGraph::producers(int node) const {
    std::vector<int> found;
    for (const GraphEdge& edge : edges)
        if (edge.to == node && edge.from != node)
            found.push_back(edge.from);
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<int> TaskGraph::consumers(int node) const {
    std::vector<int> found;
    for (const GraphEdge& edge : edges)
        if (edge.from == node && edge.to != node)
            found.push_back(edge.to);
    std::sort(found.begin(), found.end());
    return found;
}

TaskGraph makeTaskGraph(const graph::Extraction& extraction, GraphDetail detail) {
    return GraphMaker(extraction, detail).run();
}

std::string toDot(const TaskGraph& graph) {
    std::string text = "digraph tasks {\n  node [shape=box];\n";
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const GraphNode& node = graph.nodes[n];
        const std::string label =
            node.repeats > 1 ? base::concat(node.label, " ×", node.repeats) : node.label;
        text += base::concat("  n", n, " [label=", quoted(label), "];\n");
    }
    for (const GraphEdge& edge : graph.edges)
        text += base::concat("  n", edge.from, " -> n", edge.to, " [label=", quoted(edge.tensor),
                             edge.repeat ? ", style=dashed" : "", "];\n");
    return text + "}\n";
}

} // namespace tilewright::session
