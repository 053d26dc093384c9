// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/passes.h>

#include "../node_appender.h"
#include "../op_table.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::graph {

namespace {

const Dims kToLast{0, 2, 3, 1};
const Dims kToFirst{0, 3, 1, 2};

/// Walks the graph forwards keeping up to two forms of each four-dimensional value: as the
/// model has it, and channels-last. Each form is made only when somebody wants it.
class LayoutConverter {
public:
    explicit LayoutConverter(Graph& graph) : graph_(graph), out_(graph) {}

    void run() {
        auto nodes = std::move(graph_.nodes());
        for (Node& node : nodes)
            convert(node);
        for (ValueId& id : graph_.outputs)
            id = plain(id);
        out_.finish();
    }

private:
    [[nodiscard]] const TensorType& type(ValueId id) const { return graph_.value(id).type; }
    [[nodiscard]] const Dims& shape(ValueId id) const { return type(id).shape; }

    ValueId transpose(ValueId id, const Dims& perm) {
        Attributes attributes;
        attributes.set("perm", perm);
        return out_.append("Transpose", {id}, std::move(attributes),
                           graph_.value(id).name + "_layout");
    }

    /// The value as the model has it.
    ValueId plain(ValueId id) {
        if (!id.valid())
            return id;
        const auto alias = plain_.find(id);
        if (alias != plain_.end())
            return alias->second;
        if (!lastOnly_.contains(id))
            return id;
        return plain_[id] = transpose(last_.at(id), kToFirst);
    }

    /// The value channels-last.
    ValueId last(ValueId id) {
        const auto it = last_.find(id);
        if (it != last_.end())
            return it->second;
        return last_[id] = transpose(plain(id), kToLast);
    }

    /// `id` is from now on what `converted` holds channels-last.
    void define(ValueId id, ValueId converted) {
        last_[id] = converted;
        lastOnly_.insert(id);
    }

    void convert(Node& node) {
        if (node.unsupported.empty() && node.outputs.size() == 1) {
            if (convertAnchor(node) || convertTranspose(node) || convertFollower(node))
                return;
        }
        for (ValueId& id : node.inputs)
            id = plain(id);
        out_.keep(std::move(node));
    }

    bool convertAnchor(const Node& node) {
        const bool pooling = node.op == "MaxPool" || node.op == "AveragePool" ||
                             node.op == "GlobalAveragePool" || node.op == "GlobalMaxPool";
        if ((node.op != "Conv" && !pooling) || shape(node.inputs[0]).size() != 4)
            return false;
        if (pooling && !last_.contains(node.inputs[0]))
            return false; // pooling alone is no reason to move data
        std::vector<ValueId> inputs{last(node.inputs[0])};
        if (node.op == "Conv")
            inputs.push_back(transpose(plain(node.inputs[1]), {2, 3, 1, 0}));
        Attributes attributes = node.attributes;
        attributes.set("layout", std::string("NHWC"));
        define(node.outputs[0], out_.append(node.op, inputs, attributes, node.name));
        return true;
    }

    /// A transpose of the model's own to or from channels-last costs nothing any more.
    bool convertTranspose(const Node& node) {
        if (node.op != "Transpose")
            return false;
        const Dims perm = node.attributes.integers("perm");
        const ValueId in = node.inputs[0];
        if (perm == kToFirst) {
            define(node.outputs[0], plain(in));
            return true;
        }
        if (perm == kToLast && last_.contains(in)) {
            plain_[node.outputs[0]] = last_.at(in);
            return true;
        }
        return false;
    }

    /// Operators that work on any layout follow their inputs.
    bool convertFollower(const Node& node) {
        const bool led = std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
            return id.valid() && lastOnly_.contains(id);
        });
        if (!led || shape(node.outputs[0]).size() != 4)
            return false;
        const OpDefinition* definition = findOp(node.op);
        Attributes attributes = node.attributes;
        if (node.op == "Concat")
            attributes.set("axis", lastAxis(node.attributes.integer("axis", 0)));
        else if (node.op == "Pad" && node.inputs.size() == 1)
            attributes.set("pads", lastPads(node.attributes.integers("pads")));
        else if (!isElementwise(node, definition))
            return false;
        std::vector<ValueId> inputs;
        for (const ValueId id : node.inputs)
            inputs.push_back(operand(id));
        define(node.outputs[0], out_.append(node.op, inputs, attributes, node.name));
        return true;
    }

    static bool isElementwise(const Node& node, const OpDefinition* definition) {
        return definition != nullptr && node.op != "Expand" &&
               definition->kind <= PatternKind::Broadcast && node.op != "BatchNormalization";
    }

    /// An operand for a channels-last result: fewer dimensions are filled up first.
    ValueId operand(ValueId id) {
        if (!id.valid() || elementCount(shape(id)) == 1)
            return plain(id);
        if (shape(id).size() == 4)
            return last(id);
        Dims full(4 - shape(id).size(), 1);
        full.insert(full.end(), shape(id).begin(), shape(id).end());
        Attributes attributes;
        attributes.set("shape", full);
        return transpose(out_.append("Reshape", {plain(id)}, attributes, graph_.value(id).name),
                         kToLast);
    }

    static std::int64_t lastAxis(std::int64_t axis) {
        const auto at = std::find(kToLast.begin(), kToLast.end(), axis < 0 ? axis + 4 : axis);
        return at - kToLast.begin();
    }

    static Dims lastPads(const Dims& pads) {
        Dims moved(8);
        for (std::size_t d = 0; d < 4; ++d) {
            moved[d] = pads[static_cast<std::size_t>(kToLast[d])];
            moved[d + 4] = pads[static_cast<std::size_t>(kToLast[d]) + 4];
        }
        return moved;
    }

    Graph& graph_;
    NodeAppender out_;
    std::map<ValueId, ValueId> plain_; ///< where the model's form is another value
    std::map<ValueId, ValueId> last_;  ///< the channels-last form
    std::set<ValueId> lastOnly_;       ///< values that exist channels-last only
};

} // namespace

void convertToChannelsLast(Graph& graph) {
    LayoutConverter(graph).run();
}

} // namespace tilewright::graph
