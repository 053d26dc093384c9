// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/passes.h>

#include "../node_appender.h"
#include "../numeric_constant.h"
#include "../op_context.h"
#include "../resize_geometry.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tilewright::graph {

namespace {

/// True when a permutation only moves dimensions of extent 1, so that the bytes stay.
bool keepsBytes(const Dims& shape, const Dims& perm) {
    std::int64_t last = -1;
    for (const auto axis : perm) {
        if (shape[static_cast<std::size_t>(axis)] == 1)
            continue;
        if (axis < last)
            return false;
        last = axis;
    }
    return true;
}

class Canonicaliser {
public:
    explicit Canonicaliser(Graph& graph) : graph_(graph), out_(graph) {}

    void run() {
        auto nodes = std::move(graph_.nodes());
        read_.insert(graph_.outputs.begin(), graph_.outputs.end());
        for (const Node& node : nodes)
            read_.insert(node.inputs.begin(), node.inputs.end());
        for (Node& node : nodes) {
            for (ValueId& id : node.inputs)
                id = resolve(id);
            if (node.op != "Split" && node.outputs.size() > 1 && onlyFirstIsRead(node))
                node.outputs.resize(1);
            if (!node.unsupported.empty() || !rewrite(node))
                keep(std::move(node));
        }
        for (ValueId& id : graph_.outputs)
            id = resolve(id);
        out_.finish();
    }

private:
    [[nodiscard]] ValueId resolve(ValueId id) const {
        const auto it = replaced_.find(id);
        return it == replaced_.end() ? id : it->second;
    }
    [[nodiscard]] const TensorType& type(ValueId id) const { return graph_.value(id).type; }
    [[nodiscard]] const Dims& shape(ValueId id) const { return type(id).shape; }

    void keep(Node node) {
        for (const ValueId id : node.outputs)
            if (id.valid() && node.outputs.size() == 1)
                made_[id] = {node.op, node.inputs, node.attributes};
        out_.keep(std::move(node));
    }

    ValueId add(const std::string& op, std::vector<ValueId> inputs, Attributes attributes,
                const std::string& name) {
        const ValueId id = out_.append(op, inputs, attributes, name);
        made_[id] = {op, std::move(inputs), std::move(attributes)};
        return id;
    }

    bool replace(const Node& node, ValueId by) {
        replaced_[node.outputs[0]] = by;
        return true;
    }

    ValueId reshape(ValueId in, const Dims& to, const std::string& name) {
        const auto made = made_.find(in);
        if (made != made_.end() && made->second.op == "Reshape")
            in = made->second.inputs[0];
        if (shape(in) == to)
            return in;
        Attributes attributes;
        attributes.set("shape", to);
        attributes.set("allowzero", std::int64_t(1));
        return add("Reshape", {in}, std::move(attributes), name);
    }

    ValueId transpose(ValueId in, Dims perm, const std::string& name) {
        const auto made = made_.find(in);
        if (made != made_.end() && made->second.op == "Transpose") {
            const Dims first = made->second.attributes.integers("perm");
            Dims both;
            for (const auto axis : perm)
                both.push_back(first[static_cast<std::size_t>(axis)]);
            return transpose(made->second.inputs[0], both, name);
        }
        Dims to;
        for (const auto axis : perm)
            to.push_back(shape(in)[static_cast<std::size_t>(axis)]);
        if (keepsBytes(shape(in), perm))
            return reshape(in, to, name);
        Attributes attributes;
        attributes.set("perm", perm);
        return add("Transpose", {in}, std::move(attributes), name);
    }

    /// Optional results that nobody reads do not count.
    [[nodiscard]] bool onlyFirstIsRead(const Node& node) const {
        for (std::size_t i = 1; i < node.outputs.size(); ++i)
            if (node.outputs[i].valid() && read_.contains(node.outputs[i]))
                return false;
        return true;
    }

    bool rewrite(const Node& node) {
        const std::string& op = node.op;
        const bool single = onlyFirstIsRead(node);
        if (op == "Identity" || (op == "Dropout" && single))
            return replace(node, node.inputs[0]);
        if (op == "Cast" && type(node.inputs[0]).dtype == type(node.outputs[0]).dtype)
            return replace(node, node.inputs[0]);
        if (op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze")
            return replace(node, reshape(node.inputs[0], shape(node.outputs[0]), node.name));
        if (op == "Transpose")
            return rewriteTranspose(node);
        if (op == "Expand" && shape(node.inputs[0]) == shape(node.outputs[0]))
            return replace(node, node.inputs[0]);
        if (op == "Split")
            return rewriteSplit(node);
        if (op == "Gemm")
            return rewriteGemm(node);
        if (op == "Sum" || op == "Max" || op == "Min" || op == "Mean")
            return rewriteVariadic(node);
        if (op == "Concat")
            return rewriteConcat(node);
        if (op == "Softmax" || op == "LogSoftmax")
            return rewriteSoftmax(node);
        if (op == "InstanceNormalization")
            return rewriteInstanceNorm(node);
        return op == "Resize" && rewriteResize(node);
    }

    bool rewriteTranspose(const Node& node) {
        Dims perm = node.attributes.integers("perm");
        if (perm.empty()) {
            perm.resize(shape(node.inputs[0]).size());
            std::iota(perm.rbegin(), perm.rend(), 0);
        }
        return replace(node, transpose(node.inputs[0], perm, node.name));
    }

    bool rewriteSplit(const Node& node) {
        std::int64_t axis = node.attributes.integer("axis", 0);
        if (axis < 0)
            axis += static_cast<std::int64_t>(shape(node.inputs[0]).size());
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            if (!node.outputs[i].valid())
                return false;
            const std::int64_t extent = shape(node.outputs[i])[static_cast<std::size_t>(axis)];
            Attributes attributes;
            attributes.set("axes", Dims{axis});
            attributes.set("starts", Dims{begin});
            attributes.set("ends", Dims{begin + extent});
            replaced_[node.outputs[i]] =
                add("Slice", {node.inputs[0]}, std::move(attributes), node.name);
            begin += extent;
        }
        return true;
    }

    bool rewriteGemm(const Node& node) {
        ValueId a = node.inputs[0];
        ValueId b = node.inputs[1];
        if (node.attributes.integer("transA", 0) != 0)
            a = transpose(a, {1, 0}, node.name);
        if (node.attributes.integer("transB", 0) != 0)
            b = transpose(b, {1, 0}, node.name);
        const ElementType dtype = type(a).dtype;
        ValueId result = add("MatMul", {a, b}, {}, node.name);
        const double alpha = node.attributes.real("alpha", 1.0);
        if (alpha != 1.0)
            result = add("Mul", {result, addScalar(graph_, alpha, dtype)}, {}, node.name);
        if (node.inputs.size() > 2 && node.inputs[2].valid()) {
            ValueId addend = node.inputs[2];
            const double beta = node.attributes.real("beta", 1.0);
            if (beta != 1.0)
                addend = add("Mul", {addend, addScalar(graph_, beta, dtype)}, {}, node.name);
            result = add("Add", {result, addend}, {}, node.name);
        }
        return replace(node, result);
    }

    bool rewriteVariadic(const Node& node) {
        const bool sums = node.op == "Sum" || node.op == "Mean";
        if (node.inputs.size() == 2 && !sums)
            return false;
        ValueId result = node.inputs[0];
        for (std::size_t i = 1; i < node.inputs.size(); ++i)
            result = add(sums ? "Add" : node.op, {result, node.inputs[i]}, {}, node.name);
        if (node.op == "Mean")
            result = add("Div",
                         {result, addScalar(graph_, static_cast<double>(node.inputs.size()),
                                            type(result).dtype)},
                         {}, node.name);
        return replace(node, result);
    }

    /// Models pad channels by joining zeros; as Pad it needs no memory and can be inlined.
    bool rewriteConcat(const Node& node) {
        if (node.inputs.size() == 1)
            return replace(node, node.inputs[0]);
        if (node.inputs.size() != 2)
            return false;
        const std::size_t zeros = isZeros(graph_, node.inputs[0]) ? 0 : 1;
        if (!isZeros(graph_, node.inputs[zeros]))
            return false;
        const std::size_t rank = shape(node.outputs[0]).size();
        std::int64_t axis = node.attributes.integer("axis", 0);
        if (axis < 0)
            axis += static_cast<std::int64_t>(rank);
        Dims pads(2 * rank, 0);
        pads[static_cast<std::size_t>(axis) + (zeros == 1 ? rank : 0)] =
            shape(node.inputs[zeros])[static_cast<std::size_t>(axis)];
        Attributes attributes;
        attributes.set("pads", pads);
        return replace(node,
                       add("Pad", {node.inputs[1 - zeros]}, std::move(attributes), node.name));
    }

    /// The old softmax over several dimensions is one over the rows of a matrix.
    bool rewriteSoftmax(const Node& node) {
        const Dims& full = shape(node.inputs[0]);
        std::int64_t axis = node.attributes.integer("axis", -1);
        if (axis < 0)
            axis += static_cast<std::int64_t>(full.size());
        if (node.attributes.integer("flatten", 0) == 0)
            return false;
        Attributes attributes;
        const std::int64_t rows = elementCount(Dims(full.begin(), full.begin() + axis));
        const std::int64_t columns = elementCount(Dims(full.begin() + axis, full.end()));
        if (full[static_cast<std::size_t>(axis)] == columns) {
            attributes.set("axis", axis);
            return replace(node, add(node.op, {node.inputs[0]}, attributes, node.name));
        }
        attributes.set("axis", std::int64_t(1));
        const ValueId matrix = reshape(node.inputs[0], {rows, columns}, node.name);
        return replace(node,
                       reshape(add(node.op, {matrix}, attributes, node.name), full, node.name));
    }

    ValueId perChannel(ValueId id, std::size_t rank, const std::string& name) {
        Dims spread(rank, 1);
        spread[1] = elementCount(shape(id));
        return reshape(id, spread, name);
    }

    bool rewriteInstanceNorm(const Node& node) {
        const ValueId x = node.inputs[0];
        const std::size_t rank = shape(x).size();
        Dims axes;
        for (std::size_t d = 2; d < rank; ++d)
            axes.push_back(static_cast<std::int64_t>(d));
        Attributes reduce;
        reduce.set("axes", axes);
        const ElementType dtype = type(x).dtype;
        const double epsilon = node.attributes.real("epsilon", 1e-5);
        const std::string& name = node.name;
        const ValueId mean = add("ReduceMean", {x}, reduce, name);
        const ValueId centred = add("Sub", {x, mean}, {}, name);
        const ValueId square = add("Mul", {centred, centred}, {}, name);
        const ValueId variance = add("ReduceMean", {square}, reduce, name);
        const ValueId shifted = add("Add", {variance, addScalar(graph_, epsilon, dtype)}, {}, name);
        const ValueId deviation = add("Sqrt", {shifted}, {}, name);
        const ValueId normal = add("Div", {centred, deviation}, {}, name);
        const ValueId scaled =
            add("Mul", {normal, perChannel(node.inputs[1], rank, name)}, {}, name);
        return replace(node,
                       add("Add", {scaled, perChannel(node.inputs[2], rank, name)}, {}, name));
    }

    ValueId gather(ValueId x, std::size_t axis, const std::vector<ResizeTap>& taps, bool high,
                   const std::string& name) {
        NumericTensor rows({ElementType::Int32, {static_cast<std::int64_t>(taps.size())}});
        for (std::size_t i = 0; i < taps.size(); ++i)
            rows.integers[i] = high ? taps[i].high : taps[i].low;
        Attributes attributes;
        attributes.set("axis", static_cast<std::int64_t>(axis));
        return add("Gather", {x, addNumeric(graph_, rows, name + "_rows")}, attributes, name);
    }

    /// Resizing one dimension after the other: rows are taken, and mixed where it is linear.
    bool rewriteResize(const Node& node) {
        const OpContext context(graph_, node);
        const ResizeGeometry geometry = resizeGeometry(context);
        const Dims& in = context.shape(0);
        ValueId result = node.inputs[0];
        for (std::size_t d = 0; d < in.size(); ++d) {
            if (geometry.output[d] == in[d] && geometry.scales[d] == 1.0)
                continue;
            const auto taps = resizeTaps(geometry, in, d);
            const ValueId low = gather(result, d, taps, false, node.name);
            Dims spread(in.size(), 1);
            spread[d] = geometry.output[d];
            NumericTensor weights({type(result).dtype, spread});
            bool mixes = false;
            for (std::size_t i = 0; i < taps.size(); ++i) {
                weights.set(static_cast<std::int64_t>(i), taps[i].weight);
                mixes = mixes || taps[i].weight != 0;
            }
            if (!mixes) {
                result = low;
                continue;
            }
            const ValueId high = gather(result, d, taps, true, node.name);
            const ValueId rise = add("Sub", {high, low}, {}, node.name);
            const ValueId part = add(
                "Mul", {rise, addNumeric(graph_, weights, node.name + "_weights")}, {}, node.name);
            result = add("Add", {low, part}, {}, node.name);
        }
        return replace(node, result);
    }

    struct Made {
        std::string op;
        std::vector<ValueId> inputs;
        Attributes attributes;
    };

    Graph& graph_;
    NodeAppender out_;
    std::map<ValueId, ValueId> replaced_;
    std::map<ValueId, Made> made_;
    std::set<ValueId> read_; ///< values that a node reads or that are results
};

} // namespace

void canonicalise(Graph& graph) {
    Canonicaliser(graph).run();
}

} // namespace tilewright::graph
