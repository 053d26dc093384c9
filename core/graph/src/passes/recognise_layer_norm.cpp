// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/passes.h>

#include "../node_appender.h"
#include "../numeric_constant.h"
#include "../op_context.h"
#include "../reduced_axes.h"

#include <optional>

namespace tilewright::graph {

namespace {

/// Parts of one written-out layer normalisation; node indices.
struct LayerNormMatch {
    ValueId input;
    ValueId scale;
    ValueId bias;
    double epsilon = 0;
    int last = -1; ///< the node whose result the new operator takes over
};

class LayerNormMatcher {
public:
    explicit LayerNormMatcher(const Graph& graph)
        : graph_(graph), producers_(graph.producers()), readers_(graph.readers()) {}

    /// Matches the pattern whose Div is node `index`.
    [[nodiscard]] std::optional<LayerNormMatch> match(int index) const {
        const Node& div = node(index);
        if (div.op != "Div" || div.inputs.size() != 2)
            return std::nullopt;
        const Node* sub = producer(div.inputs[0], "Sub");
        const Node* root = producer(div.inputs[1], "Sqrt");
        if (sub == nullptr || root == nullptr)
            return std::nullopt;
        LayerNormMatch found;
        found.input = sub->inputs[0];
        const Node* mean = producer(sub->inputs[1], "ReduceMean");
        if (mean == nullptr || mean->inputs[0] != found.input || !overLastAxis(*mean))
            return std::nullopt;
        const Node* sum = producer(root->inputs[0], "Add");
        if (sum == nullptr)
            return std::nullopt;
        const auto epsilon = scalarOf(graph_, sum->inputs[1]);
        const Node* variance = producer(sum->inputs[0], "ReduceMean");
        if (!epsilon || variance == nullptr || !overLastAxis(*variance) ||
            !isSquare(variance->inputs[0], sub->outputs[0]))
            return std::nullopt;
        found.epsilon = *epsilon;
        return withScaleAndBias(found, index);
    }

private:
    [[nodiscard]] const Node& node(int index) const {
        return graph_.nodes()[static_cast<std::size_t>(index)];
    }
    [[nodiscard]] const Node* producer(ValueId id, const char* op) const {
        const int index = id.valid() ? producers_[static_cast<std::size_t>(id.value)] : -1;
        return index >= 0 && node(index).op == op ? &node(index) : nullptr;
    }
    [[nodiscard]] bool overLastAxis(const Node& reduce) const {
        const OpContext context(graph_, reduce);
        const auto reduced = reducedAxes(context);
        for (std::size_t d = 0; d < reduced.size(); ++d)
            if (reduced[d] != (d + 1 == reduced.size()))
                return false;
        return reduce.attributes.integer("keepdims", 1) != 0;
    }
    [[nodiscard]] bool isSquare(ValueId id, ValueId of) const {
        if (const Node* pow = producer(id, "Pow"))
            return pow->inputs[0] == of && scalarOf(graph_, pow->inputs[1]) == 2.0;
        const Node* product = producer(id, "Mul");
        return product != nullptr && product->inputs[0] == of && product->inputs[1] == of;
    }
    /// The only reader of a node's result, when it is `op` with a constant of the last
    /// dimension's extent; gives that constant.
    [[nodiscard]] std::optional<std::pair<int, ValueId>> follower(int index, const char* op) const {
        const ValueId result = node(index).outputs[0];
        const auto& list = readers_[static_cast<std::size_t>(result.value)];
        if (list.size() != 1 || graph_.isOutput(result) || node(list[0]).op != op)
            return std::nullopt;
        const Node& next = node(list[0]);
        const ValueId other = next.inputs[next.inputs[0] == result ? 1 : 0];
        const Value& value = graph_.value(other);
        const Dims& shape = graph_.value(result).type.shape;
        if (!value.constant || value.type.shape != Dims{shape.back()})
            return std::nullopt;
        return std::pair(list[0], other);
    }
    [[nodiscard]] std::optional<LayerNormMatch> withScaleAndBias(LayerNormMatch found,
                                                                 int div) const {
        const auto scale = follower(div, "Mul");
        if (!scale)
            return std::nullopt;
        found.scale = scale->second;
        found.last = scale->first;
        if (const auto bias = follower(scale->first, "Add")) {
            found.bias = bias->second;
            found.last = bias->first;
        }
        return found;
    }

    const Graph& graph_;
    std::vector<int> producers_;
    std::vector<std::vector<int>> readers_;
};

} // namespace

void recogniseLayerNorm(Graph& graph) {
    const LayerNormMatcher matcher(graph);
    std::vector<LayerNormMatch> matches;
    for (std::size_t i = 0; i < graph.nodes().size(); ++i)
        if (const auto match = matcher.match(static_cast<int>(i)))
            matches.push_back(*match);
    for (const LayerNormMatch& match : matches) {
        Node& node = graph.nodes()[static_cast<std::size_t>(match.last)];
        node.op = "LayerNormalization";
        node.inputs = {match.input, match.scale};
        if (match.bias.valid())
            node.inputs.push_back(match.bias);
        node.attributes = {};
        node.attributes.set("axis", std::int64_t(-1));
        node.attributes.set("epsilon", match.epsilon);
    }
    eliminateDeadCode(graph);
}

} // namespace tilewright::graph
