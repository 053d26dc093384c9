// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/fuse_ops.h>

#include "op_table.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace tilewright::graph {

namespace {

/// A node of the post-dominator tree.
struct Dominator {
    int parent = -1; ///< immediate post-dominator, -1 when a result leaves the graph here
    int depth = 0;
    PatternKind pattern = PatternKind::ElementWise; ///< greatest kind on the paths to the parent
};

class Fuser {
public:
    Fuser(const Graph& graph, int maxDepth) : graph_(graph), maxDepth_(maxDepth) {
        const std::size_t count = graph.nodes().size();
        for (std::size_t i = 0; i < count; ++i) {
            leader_.push_back(static_cast<int>(i));
            kinds_.push_back(kindOf(graph.nodes()[i]));
            groupKind_.push_back(kinds_.back());
            size_.push_back(1);
        }
        readers_ = graph.readers();
        producers_ = graph.producers();
        buildDominators();
    }

    std::vector<FusedGroup> run() {
        for (int phase = 0; phase < 3; ++phase)
            for (int i = 0; i < static_cast<int>(kinds_.size()); ++i)
                visit(i, phase);
        return collect();
    }

private:
    static PatternKind kindOf(const Node& node) {
        const OpDefinition* definition = findOp(node.op);
        if (definition == nullptr || !node.unsupported.empty() || node.op == "Reshape" ||
            node.outputs.size() != 1)
            return PatternKind::Opaque;
        return definition->kind;
    }

    /// Kind of the edge by which `reader` reads `id`: an operand that is not repeated is read
    /// element by element.
    [[nodiscard]] PatternKind edgeKind(int reader, ValueId id) const {
        const Node& node = graph_.nodes()[static_cast<std::size_t>(reader)];
        const PatternKind kind = kinds_[static_cast<std::size_t>(reader)];
        if (kind == PatternKind::Broadcast &&
            graph_.value(id).type.shape == graph_.value(node.outputs[0]).type.shape)
            return PatternKind::ElementWise;
        return kind;
    }

    void buildDominators() {
        tree_.resize(kinds_.size());
        for (int i = static_cast<int>(kinds_.size()) - 1; i >= 0; --i) {
            Dominator& own = tree_[static_cast<std::size_t>(i)];
            const Node& node = graph_.nodes()[static_cast<std::size_t>(i)];
            int parent = -2; // none seen
            PatternKind pattern = PatternKind::ElementWise;
            bool leaves = false;
            for (const ValueId id : node.outputs) {
                if (!id.valid())
                    continue;
                leaves = leaves || graph_.isOutput(id);
                for (const int reader : readers_[static_cast<std::size_t>(id.value)]) {
                    parent = parent == -2 ? reader : meet(parent, reader, pattern);
                    pattern = std::max(pattern, edgeKind(reader, id));
                }
            }
            if (leaves || parent < 0)
                continue; // a root, of depth 1
            own.parent = parent;
            own.pattern = pattern;
            own.depth = tree_[static_cast<std::size_t>(parent)].depth + 1;
        }
    }

    /// Lowest common ancestor; the pattern gathers what is on the way.
    int meet(int a, int b, PatternKind& pattern) const {
        while (a != b) {
            if (a < 0 || b < 0)
                return -1;
            const Dominator& x = tree_[static_cast<std::size_t>(a)];
            const Dominator& y = tree_[static_cast<std::size_t>(b)];
            if (x.depth >= y.depth) {
                pattern = std::max(pattern, x.pattern);
                a = x.parent;
            }
            if (y.depth >= x.depth) {
                pattern = std::max(pattern, y.pattern);
                b = y.parent;
            }
        }
        return a;
    }

    int find(int i) {
        auto& up = leader_[static_cast<std::size_t>(i)];
        if (up != i)
            up = find(up);
        return up;
    }

    /// All paths from `source` to `sink` satisfy accept(kind, isSink).
    bool checkPaths(int source, int sink, const std::function<bool(PatternKind, bool)>& accept) {
        std::set<int> seen;
        const std::function<bool(int)> walk = [&](int i) {
            if (!seen.insert(i).second)
                return true;
            const PatternKind kind = groupKind_[static_cast<std::size_t>(find(i))];
            if (!accept(kind, i == sink))
                return false;
            return i == sink || eachReader(i, walk);
        };
        return eachReader(source, walk);
    }

    bool eachReader(int i, const std::function<bool(int)>& visitReader) const {
        for (const ValueId id : graph_.nodes()[static_cast<std::size_t>(i)].outputs)
            if (id.valid())
                for (const int reader : readers_[static_cast<std::size_t>(id.value)])
                    if (!visitReader(reader))
                        return false;
        return true;
    }

    /// Nodes that a fusion of source with sink would put into one group.
    int fusedSize(int source, int sink) {
        std::set<int> groups{find(source), find(sink)};
        std::set<int> seen;
        const std::function<bool(int)> walk = [&](int i) {
            if (!seen.insert(i).second)
                return true;
            groups.insert(find(i));
            return i == sink || eachReader(i, walk);
        };
        (void)eachReader(source, walk);
        int total = 0;
        for (const int group : groups)
            total += size_[static_cast<std::size_t>(group)];
        return total;
    }

    void merge(int child, int parent) {
        child = find(child);
        parent = find(parent);
        if (child == parent)
            return;
        size_[static_cast<std::size_t>(parent)] += size_[static_cast<std::size_t>(child)];
        leader_[static_cast<std::size_t>(child)] = parent;
        auto& kind = groupKind_[static_cast<std::size_t>(parent)];
        kind = std::max(kind, groupKind_[static_cast<std::size_t>(child)]);
    }

    void commit(int source, int sink) {
        const int target = find(sink);
        std::set<int> seen;
        const std::function<bool(int)> walk = [&](int i) {
            if (i == sink || !seen.insert(i).second)
                return true;
            merge(i, target);
            return eachReader(i, walk);
        };
        (void)walk(source);
    }

    void visit(int i, int phase) {
        const PatternKind kind = groupKind_[static_cast<std::size_t>(i)];
        const Dominator& own = tree_[static_cast<std::size_t>(i)];
        if (kind == PatternKind::Opaque || own.parent < 0 || find(i) == find(own.parent) ||
            fusedSize(i, own.parent) > maxDepth_)
            return;
        using enum PatternKind;
        bool fits = false;
        if (kind == OutFusable) {
            fits = phase == 0 && own.pattern == ElementWise &&
                   checkPaths(i, own.parent, [](PatternKind k, bool) { return k <= Broadcast; });
        } else if (kind <= Broadcast) {
            fits = (own.pattern <= Injective || own.pattern == Reduction) &&
                   checkPaths(i, own.parent, [](PatternKind k, bool isSink) {
                       return k <= Injective || (isSink && (k == Reduction || k == OutFusable));
                   });
        } else if (kind == Injective) {
            fits = phase == 1 &&
                   checkPaths(i, own.parent, [](PatternKind k, bool) { return k <= Injective; });
        }
        if (fits)
            commit(i, own.parent);
    }

    std::vector<FusedGroup> collect() {
        std::map<int, FusedGroup> groups;
        for (int i = 0; i < static_cast<int>(kinds_.size()); ++i) {
            FusedGroup& group = groups[find(i)];
            group.nodes.push_back(i);
            const auto kind = kinds_[static_cast<std::size_t>(i)];
            if (group.anchor < 0 || kind > kinds_[static_cast<std::size_t>(group.anchor)])
                group.anchor = i;
        }
        std::vector<FusedGroup> ordered;
        for (auto& [leader, group] : groups)
            ordered.push_back(std::move(group));
        // A group runs when its last node would: all its inputs are there by then.
        std::sort(ordered.begin(), ordered.end(), [](const FusedGroup& a, const FusedGroup& b) {
            return a.nodes.back() < b.nodes.back();
        });
        return ordered;
    }

    const Graph& graph_;
    int maxDepth_;
    std::vector<int> leader_;
    std::vector<PatternKind> kinds_;
    std::vector<PatternKind> groupKind_;
    std::vector<int> size_;
    std::vector<std::vector<int>> readers_;
    std::vector<int> producers_;
    std::vector<Dominator> tree_;
};

} // namespace

std::vector<FusedGroup> fuseOps(const Graph& graph, int maxDepth) {
    return Fuser(graph, maxDepth).run();
}

} // namespace tilewright::graph
