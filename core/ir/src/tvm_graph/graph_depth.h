// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_reader.h"

namespace tilewright::ir {

/// Counts nested objects, so that no graph (one with a cycle, say) can exhaust the stack.
class GraphReader::Depth {
public:
    Depth(const GraphReader& reader, int& depth, std::size_t node) : depth_(depth) {
        if (++depth_ > kMaxDepth) {
            --depth_;
            reader.graph_.fail(node, "the graph is too deep or has a cycle");
        }
    }
    ~Depth() { --depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

private:
    static constexpr int kMaxDepth = 1500;
    int& depth_;
};

} // namespace tilewright::ir
