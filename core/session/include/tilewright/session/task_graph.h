// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/extract_tasks.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// A node of a model inside a node of the task graph.
struct GraphOperator {
    std::string name;
    std::string op; ///< `Conv`; empty when the preparation made it
    bool operator==(const GraphOperator&) const = default;
};

enum class GraphNodeKind : std::uint8_t {
    Input,
    Task,
    Glue,    ///< no work: the same data under another shape
    Skipped, ///< cannot be compiled
    Output,
};

/// A box of the graph: one task with all its calls, or one call of it.
struct GraphNode {
    GraphNodeKind kind = GraphNodeKind::Task;
    int task = -1;                        ///< index among the tasks
    std::string label;                    ///< task name, input name, …
    int repeats = 1;                      ///< calls that this box stands for
    std::vector<GraphOperator> operators; ///< of the first call
    bool operator==(const GraphNode&) const = default;
};

/// A tensor that goes from one box to another.
struct GraphEdge {
    int from = 0;
    int to = 0;
    std::string tensor;  ///< `float32[1, 32, 32, 16]`; of the first of several
    int count = 1;       ///< tensors that this edge stands for
    bool repeat = false; ///< leads back to an earlier box: the block is run again
    bool operator==(const GraphEdge&) const = default;
};

enum class GraphDetail : std::uint8_t {
    Tasks, ///< a box a task
    Calls, ///< a box a call
};

/// What a model's kernels are and how data run between them.
struct TaskGraph {
    std::vector<GraphNode> nodes; ///< in order of their first run
    std::vector<GraphEdge> edges;
    /// Index of the node of a task, -1 when there is none.
    [[nodiscard]] int nodeOfTask(int task) const;
    /// Nodes whose label, operators or operators' names contain the text, whatever its case.
    [[nodiscard]] std::vector<int> find(std::string_view text) const;
    /// Nodes that produce what a node reads, and that read what it produces, in order.
    [[nodiscard]] std::vector<int> producers(int node) const;
    [[nodiscard]] std::vector<int> consumers(int node) const;
    bool operator==(const TaskGraph&) const = default;
};

/// The graph of an extraction. Only boxes that something goes in or out of are kept besides tasks.
TaskGraph makeTaskGraph(const graph::Extraction& extraction,
                        GraphDetail detail = GraphDetail::Tasks);

/// The graph as Graphviz text.
std::string toDot(const TaskGraph& graph);

} // namespace tilewright::session
