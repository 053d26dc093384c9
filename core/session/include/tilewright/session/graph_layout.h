// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace tilewright::session {

/// A box to place. Any unit; the layout answers in the same.
struct LayoutNode {
    double width = 0;
    double height = 0;
};

/// A directed edge between nodes by index. Nodes come in their natural order: an edge to an earlier
/// node, or to itself, runs upwards.
struct LayoutEdge {
    int from = 0;
    int to = 0;
};

struct LayoutOptions {
    double nodeGap = 24;  ///< between neighbours in a layer
    double layerGap = 32; ///< between layers
    int sweeps = 12;      ///< of crossing reduction
    /// Edges over more layers than this run beside the layers instead of through them.
    int longestThrough = 64;
};

struct LayoutPoint {
    double x = 0;
    double y = 0;
};

/// Where everything stands: x to the right, y downwards, from (0, 0).
struct GraphLayout {
    std::vector<LayoutPoint> centers;             ///< one a node
    std::vector<int> layers;                      ///< one a node, from 0 at the top
    std::vector<std::vector<LayoutPoint>> routes; ///< one an edge: from border to border
    std::vector<bool> reversed;                   ///< one an edge: it runs upwards (or to itself)
    double width = 0;
    double height = 0;
    std::int64_t crossings = 0; ///< of edges between neighbouring layers
};

/// Places a graph in layers (Sugiyama): puts nodes below what they depend on (edges to earlier
/// nodes run beside the layers), reduces crossings by the barycentres of neighbours, and aligns
/// nodes with their neighbours. Pure: equal inputs give equal layouts. Nothing when `stop` was
/// requested.
std::optional<GraphLayout> layoutGraph(const std::vector<LayoutNode>& nodes,
                                       const std::vector<LayoutEdge>& edges,
                                       const LayoutOptions& options = {},
                                       const std::stop_token& stop = {});

} // namespace tilewright::session
