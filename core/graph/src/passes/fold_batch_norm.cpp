// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/passes.h>

#include "../node_appender.h"
#include "../numeric_constant.h"

#include <cmath>
#include <map>
#include <optional>

namespace tilewright::graph {

namespace {

/// y = scale[c] · x + shift[c].
struct ChannelAffine {
    std::vector<double> scale;
    std::vector<double> shift;
};

class BatchNormFolder {
public:
    explicit BatchNormFolder(Graph& graph) : graph_(graph), out_(graph) {}

    void run() {
        const auto readers = graph_.readers();
        auto nodes = std::move(graph_.nodes());
        for (Node& node : nodes) {
            for (ValueId& id : node.inputs)
                if (const auto it = replaced_.find(id); it != replaced_.end())
                    id = it->second;
            const auto conv = node.unsupported.empty() ? foldable(node, readers) : std::nullopt;
            if (conv) {
                const auto affine = affineOf(node, conv->second);
                if (affine) {
                    apply(pending_[conv->first], *affine);
                    origin_[node.outputs[0]] = conv->first;
                    continue;
                }
            }
            emit(std::move(node));
        }
        flushAll();
        for (ValueId& id : graph_.outputs)
            id = settle(id);
        out_.finish();
    }

private:
    struct Pending {
        Node node;
        NumericTensor weight;
        std::vector<double> bias;
        bool touched = false;
    };

    /// The convolution whose result `node` alone reads, and the number of its channels.
    std::optional<std::pair<ValueId, std::int64_t>>
    foldable(const Node& node, const std::vector<std::vector<int>>& readers) const {
        for (const ValueId id : node.inputs) {
            const auto origin = origin_.find(id);
            if (origin == origin_.end() || graph_.isOutput(id) ||
                readers[static_cast<std::size_t>(id.value)].size() != 1)
                continue;
            return std::pair(origin->second,
                             static_cast<std::int64_t>(pending_.at(origin->second).bias.size()));
        }
        return std::nullopt;
    }

    std::optional<std::vector<double>> perChannel(ValueId id, std::size_t rank,
                                                  std::int64_t channels) const {
        const Value& value = graph_.value(id);
        if (!value.constant || !isReal(value.type.dtype))
            return std::nullopt;
        const NumericTensor numbers = toNumeric(*value.constant);
        const Dims& shape = value.type.shape;
        if (numbers.size() == 1 && shape.size() <= rank)
            return std::vector<double>(static_cast<std::size_t>(channels), numbers.real(0));
        if (numbers.size() != channels || shape.size() + 1 < rank || shape.size() > rank ||
            shape[shape.size() + 1 - rank] != channels)
            return std::nullopt;
        return numbers.reals;
    }

    std::optional<ChannelAffine> affineOf(const Node& node, std::int64_t channels) const {
        if (node.op == "BatchNormalization")
            return batchNormAffine(node);
        const bool known =
            node.op == "Mul" || node.op == "Add" || node.op == "Sub" || node.op == "Div";
        if (!known || node.inputs.size() != 2)
            return std::nullopt;
        const bool dataFirst = origin_.contains(node.inputs[0]);
        if (!dataFirst && (node.op == "Sub" || node.op == "Div"))
            return std::nullopt;
        const ValueId data = node.inputs[dataFirst ? 0 : 1];
        const auto other = perChannel(node.inputs[dataFirst ? 1 : 0],
                                      graph_.value(data).type.shape.size(), channels);
        if (!other)
            return std::nullopt;
        ChannelAffine affine;
        for (const double x : *other) {
            const bool scales = node.op == "Mul" || node.op == "Div";
            affine.scale.push_back(!scales ? 1.0 : node.op == "Mul" ? x : 1.0 / x);
            affine.shift.push_back(scales ? 0.0 : node.op == "Add" ? x : -x);
        }
        return affine;
    }

    std::optional<ChannelAffine> batchNormAffine(const Node& node) const {
        std::vector<NumericTensor> p;
        for (std::size_t i = 1; i < 5; ++i) {
            const Value& value = graph_.value(node.inputs[i]);
            if (!value.constant)
                return std::nullopt;
            p.push_back(toNumeric(*value.constant));
        }
        const double epsilon = node.attributes.real("epsilon", 1e-5);
        ChannelAffine affine;
        for (std::int64_t c = 0; c < p[0].size(); ++c) {
            const double scale = p[0].real(c) / std::sqrt(p[3].real(c) + epsilon);
            affine.scale.push_back(scale);
            affine.shift.push_back(p[1].real(c) - p[2].real(c) * scale);
        }
        return affine;
    }

    static void apply(Pending& conv, const ChannelAffine& affine) {
        const auto channels = static_cast<std::int64_t>(conv.bias.size());
        const std::int64_t each = conv.weight.size() / channels;
        for (std::int64_t i = 0; i < conv.weight.size(); ++i)
            conv.weight.set(i,
                            conv.weight.real(i) * affine.scale[static_cast<std::size_t>(i / each)]);
        for (std::size_t c = 0; c < conv.bias.size(); ++c)
            conv.bias[c] = conv.bias[c] * affine.scale[c] + affine.shift[c];
        conv.touched = true;
    }

    void emit(Node node) {
        for (ValueId& id : node.inputs)
            if (id.valid())
                id = settle(id);
        if (node.op == "Conv" && node.unsupported.empty() && hasConstantWeights(node)) {
            hold(std::move(node));
            return;
        }
        if (node.op == "BatchNormalization" && node.unsupported.empty()) {
            if (const auto affine = batchNormAffine(node)) {
                replaced_[node.outputs[0]] = applyAfter(node, *affine);
                return;
            }
        }
        out_.keep(std::move(node));
    }

    bool hasConstantWeights(const Node& node) const {
        return graph_.value(node.inputs[1]).constant != nullptr &&
               isReal(graph_.value(node.inputs[1]).type.dtype) &&
               (node.inputs.size() < 3 || graph_.value(node.inputs[2]).constant != nullptr);
    }

    void hold(Node node) {
        Pending pending;
        pending.weight = toNumeric(*graph_.value(node.inputs[1]).constant);
        pending.bias.assign(static_cast<std::size_t>(pending.weight.type.shape[0]), 0.0);
        if (node.inputs.size() > 2)
            pending.bias = toNumeric(*graph_.value(node.inputs[2]).constant).reals;
        const ValueId result = node.outputs[0];
        pending.node = std::move(node);
        pending_.emplace(result, std::move(pending));
        origin_[result] = result;
        order_.push_back(result);
    }

    /// Writes the convolutions held back that `id` comes from; returns what to read instead.
    ValueId settle(ValueId id) {
        if (const auto it = replaced_.find(id); it != replaced_.end())
            return it->second;
        const auto origin = origin_.find(id);
        if (origin == origin_.end())
            return id;
        const ValueId root = origin->second;
        if (const auto it = pending_.find(root); it != pending_.end()) {
            write(it->second);
            pending_.erase(it);
        }
        // The whole chain reads the convolution's one result.
        for (const auto& [value, from] : origin_)
            if (from == root)
                replaced_[value] = root;
        std::erase_if(origin_, [&](const auto& item) { return item.second == root; });
        return root;
    }

    void write(Pending& conv) {
        if (conv.touched) {
            NumericTensor bias(
                {conv.weight.type.dtype, {static_cast<std::int64_t>(conv.bias.size())}});
            bias.reals = conv.bias;
            const std::string name = graph_.value(conv.node.inputs[1]).name;
            conv.node.inputs[1] = addNumeric(graph_, conv.weight, name);
            conv.node.inputs.resize(3);
            conv.node.inputs[2] = addNumeric(graph_, bias, name + "_bias");
        }
        out_.keep(conv.node);
    }

    void flushAll() {
        for (const ValueId id : order_)
            if (pending_.contains(id))
                (void)settle(id);
    }

    ValueId applyAfter(const Node& node, const ChannelAffine& affine) {
        const TensorType& type = graph_.value(node.inputs[0]).type;
        Dims shape(type.shape.size(), 1);
        shape[1] = static_cast<std::int64_t>(affine.scale.size());
        NumericTensor scale({type.dtype, shape});
        NumericTensor shift({type.dtype, shape});
        scale.reals = affine.scale;
        shift.reals = affine.shift;
        const ValueId scaled =
            out_.append("Mul", {node.inputs[0], addNumeric(graph_, scale, node.name + "_scale")},
                        {}, node.name);
        return out_.append("Add", {scaled, addNumeric(graph_, shift, node.name + "_shift")}, {},
                           node.name);
    }

    Graph& graph_;
    NodeAppender out_;
    std::map<ValueId, Pending> pending_; ///< convolutions not yet written, by result
    std::map<ValueId, ValueId> origin_;  ///< values that are a held convolution, rescaled
    std::map<ValueId, ValueId> replaced_;
    std::vector<ValueId> order_;
};

} // namespace

void foldBatchNorm(Graph& graph) {
    BatchNormFolder(graph).run();
}

} // namespace tilewright::graph
