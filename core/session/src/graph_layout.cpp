// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/graph_layout.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace tilewright::session {

namespace {

constexpr double kLaneGap = 14;  ///< between edges that run beside the layers
constexpr double kBendWidth = 8; ///< room an edge takes where it passes a layer

/// A place in a layer: a node, or a bend of an edge that passes through.
struct Slot {
    int node = -1; ///< -1 = bend
    double width = 0;
    int layer = 0;
    int position = 0; ///< in its layer
    double x = 0;     ///< centre
    std::vector<int> above;
    std::vector<int> below;
};

class Layouter {
public:
    Layouter(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
             const LayoutOptions& options, const std::stop_token& stop)
        : nodes_(nodes), edges_(edges), options_(options), stop_(stop) {}

    std::optional<GraphLayout> run() {
        assignLayers();
        makeSlots();
        if (!orderLayers() || !assignX())
            return std::nullopt;
        return result();
    }

private:
    static std::size_t at(int index) { return static_cast<std::size_t>(index); }
    [[nodiscard]] bool upwards(const LayoutEdge& edge) const { return edge.to <= edge.from; }
    [[nodiscard]] int span(const LayoutEdge& edge) const {
        return out_.layers[at(edge.to)] - out_.layers[at(edge.from)];
    }
    [[nodiscard]] bool runsBeside(const LayoutEdge& edge) const {
        return upwards(edge) || span(edge) > options_.longestThrough;
    }

    /// Longest paths from the top. Nodes nothing leads to move down to their first reader, so that
    /// inputs stand where they are used.
    void assignLayers() {
        out_.layers.assign(nodes_.size(), 0);
        std::vector<std::vector<int>> readers(nodes_.size());
        std::vector<int> inputs(nodes_.size(), 0);
        for (const LayoutEdge& edge : edges_) {
            if (upwards(edge))
                continue;
            readers[at(edge.from)].push_back(edge.to);
            ++inputs[at(edge.to)];
        }
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            for (const int reader : readers[n])
                out_.layers[at(reader)] = std::max(out_.layers[at(reader)], out_.layers[n] + 1);
        for (std::size_t n = nodes_.size(); n-- > 0;) {
            if (inputs[n] > 0 || readers[n].empty())
                continue;
            int nearest = std::numeric_limits<int>::max();
            for (const int reader : readers[n])
                nearest = std::min(nearest, out_.layers[at(reader)]);
            out_.layers[n] = nearest - 1;
        }
    }

    int addSlot(int node, double width, int layer) {
        Slot slot;
        slot.node = node;
        slot.width = width;
        slot.layer = layer;
        const int index = static_cast<int>(slots_.size());
        slots_.push_back(std::move(slot));
        layers_[at(layer)].push_back(index);
        return index;
    }

    void join(int upper, int lower) {
        slots_[at(upper)].below.push_back(lower);
        slots_[at(lower)].above.push_back(upper);
    }

    void makeSlots() {
        int depth = 0;
        for (const int layer : out_.layers)
            depth = std::max(depth, layer + 1);
        layers_.resize(at(depth));
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            addSlot(static_cast<int>(n), nodes_[n].width, out_.layers[n]);
        bends_.resize(edges_.size());
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            const LayoutEdge& edge = edges_[e];
            if (runsBeside(edge))
                continue;
            int upper = edge.from;
            for (int layer = out_.layers[at(edge.from)] + 1; layer < out_.layers[at(edge.to)];
                 ++layer) {
                const int bend = addSlot(-1, kBendWidth, layer);
                bends_[e].push_back(bend);
                join(upper, bend);
                upper = bend;
            }
            join(upper, edge.to);
        }
        renumber();
    }

    void renumber() {
        for (const std::vector<int>& layer : layers_)
            for (std::size_t i = 0; i < layer.size(); ++i)
                slots_[at(layer[i])].position = static_cast<int>(i);
    }

    /// Crossings between a layer and the one below, by counting inversions in a binary tree.
    [[nodiscard]] std::int64_t crossingsBelow(const std::vector<int>& layer,
                                              std::size_t lowerSize) const {
        std::vector<std::int64_t> tree(lowerSize + 1, 0);
        const auto add = [&](int position) {
            for (std::size_t i = at(position) + 1; i <= lowerSize; i += i & (~i + 1))
                ++tree[i];
        };
        const auto upTo = [&](int position) { // how many at or left of position
            std::int64_t sum = 0;
            for (std::size_t i = at(position) + 1; i > 0; i -= i & (~i + 1))
                sum += tree[i];
            return sum;
        };
        std::int64_t crossings = 0;
        std::int64_t seen = 0;
        for (const int slot : layer) {
            for (const int lower : slots_[at(slot)].below)
                crossings += seen - upTo(slots_[at(lower)].position);
            for (const int lower : slots_[at(slot)].below) {
                add(slots_[at(lower)].position);
                ++seen;
            }
        }
        return crossings;
    }

    [[nodiscard]] std::int64_t crossings() const {
        std::int64_t sum = 0;
        for (std::size_t l = 0; l + 1 < layers_.size(); ++l)
            sum += crossingsBelow(layers_[l], layers_[l + 1].size());
        return sum;
    }

    void sortLayer(std::vector<int>& layer, bool byAbove) {
        std::vector<std::pair<double, int>> keyed;
        for (const int index : layer) {
            const Slot& slot = slots_[at(index)];
            const std::vector<int>& neighbours = byAbove ? slot.above : slot.below;
            double key = slot.position;
            if (!neighbours.empty()) {
                double sum = 0;
                for (const int n : neighbours)
                    sum += slots_[at(n)].position;
                key = sum / static_cast<double>(neighbours.size());
            }
            keyed.emplace_back(key, index);
        }
        std::stable_sort(keyed.begin(), keyed.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < layer.size(); ++i) {
            layer[i] = keyed[i].second;
            slots_[at(layer[i])].position = static_cast<int>(i);
        }
    }

    bool orderLayers() {
        std::vector<std::vector<int>> best = layers_;
        out_.crossings = crossings();
        for (int sweep = 0; sweep < options_.sweeps && out_.crossings > 0; ++sweep) {
            if (stop_.stop_requested())
                return false;
            if (sweep % 2 == 0) {
                for (std::size_t l = 1; l < layers_.size(); ++l)
                    sortLayer(layers_[l], true);
            } else {
                for (std::size_t l = layers_.size(); l-- > 1;)
                    sortLayer(layers_[l - 1], false);
            }
            const std::int64_t now = crossings();
            if (now < out_.crossings) {
                out_.crossings = now;
                best = layers_;
            }
        }
        layers_ = std::move(best);
        renumber();
        return true;
    }

    /// Moves a layer's slots to where they want to be, as near as order and gaps let them (least
    /// squares: neighbours that would overlap become a block around their common mean).
    void place(const std::vector<int>& layer, const std::vector<double>& wanted) {
        struct Block {
            double sum;
            int count;
            [[nodiscard]] double mean() const { return sum / count; }
        };
        std::vector<double> offset(layer.size(), 0); // of a slot from the first, packed
        for (std::size_t i = 1; i < layer.size(); ++i)
            offset[i] = offset[i - 1] + options_.nodeGap +
                        (slots_[at(layer[i - 1])].width + slots_[at(layer[i])].width) / 2;
        std::vector<Block> blocks;
        for (std::size_t i = 0; i < layer.size(); ++i) {
            blocks.push_back({wanted[i] - offset[i], 1});
            while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
                blocks[blocks.size() - 2].sum += blocks.back().sum;
                blocks[blocks.size() - 2].count += blocks.back().count;
                blocks.pop_back();
            }
        }
        std::size_t i = 0;
        for (const Block& block : blocks)
            for (int k = 0; k < block.count; ++k, ++i)
                slots_[at(layer[i])].x = block.mean() + offset[i];
    }

    void pull(const std::vector<int>& layer, bool byAbove) {
        std::vector<double> wanted;
        for (const int index : layer) {
            const Slot& slot = slots_[at(index)];
            const std::vector<int>& neighbours = byAbove ? slot.above : slot.below;
            double x = slot.x;
            if (!neighbours.empty()) {
                std::vector<double> xs;
                for (const int n : neighbours)
                    xs.push_back(slots_[at(n)].x);
                const auto middle = xs.begin() + static_cast<std::ptrdiff_t>(xs.size() / 2);
                std::nth_element(xs.begin(), middle, xs.end());
                x = *middle;
                if (xs.size() % 2 == 0)
                    x = (x + *std::max_element(xs.begin(), middle)) / 2;
            }
            wanted.push_back(x);
        }
        place(layer, wanted);
    }

    bool assignX() {
        for (const std::vector<int>& layer : layers_)
            place(layer, std::vector<double>(layer.size(), 0.0));
        for (int pass = 0; pass < 8; ++pass) {
            if (stop_.stop_requested())
                return false;
            for (std::size_t l = 1; l < layers_.size(); ++l)
                pull(layers_[l], true);
            for (std::size_t l = layers_.size(); l-- > 1;)
                pull(layers_[l - 1], false);
        }
        for (std::size_t l = 1; l < layers_.size(); ++l)
            pull(layers_[l], true);
        return true;
    }

    /// The first lane whose edges do not touch the layers from `top` to `bottom`.
    static int takeLane(std::vector<std::vector<std::pair<int, int>>>& lanes, int top, int bottom) {
        for (std::size_t lane = 0;; ++lane) {
            if (lane == lanes.size())
                lanes.emplace_back();
            const bool free = std::none_of(lanes[lane].begin(), lanes[lane].end(), [&](auto& used) {
                return used.first <= bottom && top <= used.second;
            });
            if (!free)
                continue;
            lanes[lane].emplace_back(top, bottom);
            return static_cast<int>(lane);
        }
    }

    [[nodiscard]] double edgeOfLayers(int top, int bottom, bool left) const {
        double x =
            left ? std::numeric_limits<double>::max() : std::numeric_limits<double>::lowest();
        for (int l = top; l <= bottom; ++l)
            for (const int slot : layers_[at(l)]) {
                const double half = slots_[at(slot)].width / 2;
                x = left ? std::min(x, slots_[at(slot)].x - half)
                         : std::max(x, slots_[at(slot)].x + half);
            }
        return x;
    }

    std::vector<LayoutPoint> routeBeside(const LayoutEdge& edge, bool left) {
        const LayoutPoint from = out_.centers[at(edge.from)];
        const LayoutPoint to = out_.centers[at(edge.to)];
        const double side = left ? -0.5 : 0.5;
        const double fromX = from.x + side * nodes_[at(edge.from)].width;
        const double toX = to.x + side * nodes_[at(edge.to)].width;
        const int top = std::min(out_.layers[at(edge.from)], out_.layers[at(edge.to)]);
        const int bottom = std::max(out_.layers[at(edge.from)], out_.layers[at(edge.to)]);
        const int lane = takeLane(left ? leftLanes_ : rightLanes_, top, bottom);
        const double lane0 = edgeOfLayers(top, bottom, left);
        const double x = lane0 + (left ? -1 : 1) * kLaneGap * (lane + 1);
        // An edge to itself leaves and comes back a little apart.
        const bool self = edge.from == edge.to;
        const double apart = self ? nodes_[at(edge.from)].height / 4 : 0;
        return {
            {fromX, from.y + apart}, {x, from.y + apart}, {x, to.y - apart}, {toX, to.y - apart}};
    }

    GraphLayout result() {
        std::vector<double> heights(layers_.size(), 0);
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            heights[at(out_.layers[n])] = std::max(heights[at(out_.layers[n])], nodes_[n].height);
        std::vector<double> middles(layers_.size(), 0);
        double y = 0;
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            middles[l] = y + heights[l] / 2;
            y += heights[l] + options_.layerGap;
        }
        out_.height = layers_.empty() ? 0 : y - options_.layerGap;
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            out_.centers.push_back({slots_[n].x, middles[at(out_.layers[n])]});
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            const LayoutEdge& edge = edges_[e];
            out_.reversed.push_back(upwards(edge));
            if (runsBeside(edge)) {
                out_.routes.push_back(routeBeside(edge, upwards(edge)));
                continue;
            }
            std::vector<LayoutPoint>& route = out_.routes.emplace_back();
            const LayoutPoint from = out_.centers[at(edge.from)];
            const LayoutPoint to = out_.centers[at(edge.to)];
            route.push_back({from.x, from.y + nodes_[at(edge.from)].height / 2});
            for (const int bend : bends_[e])
                route.push_back({slots_[at(bend)].x, middles[at(slots_[at(bend)].layer)]});
            route.push_back({to.x, to.y - nodes_[at(edge.to)].height / 2});
        }
        moveToOrigin();
        return std::move(out_);
    }

    void moveToOrigin() {
        double left = 0;
        double right = 0;
        bool any = false;
        const auto include = [&](double low, double high) {
            left = any ? std::min(left, low) : low;
            right = any ? std::max(right, high) : high;
            any = true;
        };
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            include(out_.centers[n].x - nodes_[n].width / 2,
                    out_.centers[n].x + nodes_[n].width / 2);
        for (const auto& route : out_.routes)
            for (const LayoutPoint& point : route)
                include(point.x, point.x);
        for (LayoutPoint& center : out_.centers)
            center.x -= left;
        for (auto& route : out_.routes)
            for (LayoutPoint& point : route)
                point.x -= left;
        out_.width = right - left;
    }

    const std::vector<LayoutNode>& nodes_;
    const std::vector<LayoutEdge>& edges_;
    const LayoutOptions& options_;
    const std::stop_token& stop_;
    GraphLayout out_;
    std::vector<Slot> slots_; ///< the nodes first, under their own indices
    std::vector<std::vector<int>> layers_;
    std::vector<std::vector<int>> bends_; ///< per edge
    std::vector<std::vector<std::pair<int, int>>> leftLanes_;
    std::vector<std::vector<std::pair<int, int>>> rightLanes_;
};

} // namespace

std::optional<GraphLayout> layoutGraph(const std::vector<LayoutNode>& nodes,
                                       const std::vector<LayoutEdge>& edges,
                                       const LayoutOptions& options, const std::stop_token& stop) {
    if (stop.stop_requested())
        return std::nullopt;
    return Layouter(nodes, edges, options, stop).run();
}

} // namespace tilewright::session
