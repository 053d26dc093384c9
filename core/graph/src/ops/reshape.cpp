// SPDX-License-Identifier: Apache-2.0
#include "../copy_by_index.h"
#include "../op_table.h"

#include <tilewright/base/concat.h>

#include <algorithm>
#include <numeric>

namespace tilewright::graph {

NumericTensor transposed(const NumericTensor& input, const Dims& perm) {
    TensorType type{input.type.dtype, {}};
    const Dims strides = rowMajorStrides(input.type.shape);
    Dims permuted;
    for (const auto axis : perm) {
        type.shape.push_back(input.type.shape[static_cast<std::size_t>(axis)]);
        permuted.push_back(strides[static_cast<std::size_t>(axis)]);
    }
    return copyByIndex(input, type, [&](const Dims& index) {
        std::int64_t flat = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            flat += index[d] * permuted[d];
        return flat;
    });
}

namespace {

std::vector<TensorType> inferReshape(const OpContext& context) {
    const auto target = context.integersOf("shape", 1);
    if (!target)
        context.fail("the new shape is missing");
    const Dims& in = context.shape(0);
    const bool allowZero = context.attributes().integer("allowzero", 0) != 0;
    Dims out;
    std::int64_t known = 1;
    int open = -1;
    for (std::size_t d = 0; d < target->size(); ++d) {
        std::int64_t extent = (*target)[d];
        if (extent == 0 && !allowZero) {
            if (d >= in.size())
                context.fail("the new shape copies a dimension that the input does not have");
            extent = in[d];
        }
        if (extent == -1) {
            if (open >= 0)
                context.fail("the new shape has more than one -1");
            open = static_cast<int>(d);
        } else if (extent < 0) {
            context.fail(base::concat("the new shape has a dimension of ", extent));
        } else {
            known *= extent;
        }
        out.push_back(extent);
    }
    const std::int64_t count = elementCount(in);
    if (open >= 0) {
        if (known == 0 || count % known != 0)
            context.fail(base::concat("shape ", toString(in), " cannot become ", toString(out)));
        out[static_cast<std::size_t>(open)] = count / known;
    } else if (known != count) {
        context.fail(base::concat("shape ", toString(in), " cannot become ", toString(out)));
    }
    return {{context.dtype(0), out}};
}

std::vector<TensorType> inferFlatten(const OpContext& context) {
    const Dims& in = context.shape(0);
    std::int64_t axis = context.attributes().integer("axis", 1);
    const auto rank = static_cast<std::int64_t>(in.size());
    if (axis < -rank || axis > rank)
        context.fail(base::concat("axis ", axis, " is outside a tensor of ", rank, " dimensions"));
    if (axis < 0)
        axis += rank;
    const auto middle = in.begin() + axis;
    return {{context.dtype(0),
             {elementCount(Dims(in.begin(), middle)), elementCount(Dims(middle, in.end()))}}};
}

std::vector<TensorType> inferSqueeze(const OpContext& context) {
    const Dims& in = context.shape(0);
    const auto axes = context.integersOf("axes", 1);
    std::vector<bool> drop(in.size(), false);
    if (axes) {
        for (const auto value : *axes) {
            const auto axis = static_cast<std::size_t>(context.axis(value, in.size()));
            if (in[axis] != 1)
                context.fail(base::concat("dimension ", axis, " of ", toString(in),
                                          " is not 1 and cannot be squeezed"));
            drop[axis] = true;
        }
    } else {
        for (std::size_t d = 0; d < in.size(); ++d)
            drop[d] = in[d] == 1;
    }
    Dims out;
    for (std::size_t d = 0; d < in.size(); ++d)
        if (!drop[d])
            out.push_back(in[d]);
    return {{context.dtype(0), out}};
}

std::vector<TensorType> inferUnsqueeze(const OpContext& context) {
    const Dims& in = context.shape(0);
    const auto axes = context.integersOf("axes", 1);
    if (!axes)
        context.fail("axes are missing");
    const std::size_t rank = in.size() + axes->size();
    std::vector<bool> added(rank, false);
    for (const auto value : *axes) {
        const auto axis = static_cast<std::size_t>(context.axis(value, rank));
        if (added[axis])
            context.fail(base::concat("axis ", value, " is given twice"));
        added[axis] = true;
    }
    Dims out;
    std::size_t next = 0;
    for (std::size_t d = 0; d < rank; ++d)
        out.push_back(added[d] ? 1 : in[next++]);
    return {{context.dtype(0), out}};
}

std::vector<NumericTensor> evaluateReshape(const OpContext& context,
                                           const std::vector<TensorType>& types) {
    NumericTensor out = context.numeric(0);
    out.type = types[0];
    return {std::move(out)};
}

Dims permutation(const OpContext& context) {
    Dims perm = context.attributes().integers("perm");
    if (perm.empty()) {
        perm.resize(context.rank(0));
        std::iota(perm.rbegin(), perm.rend(), 0);
    }
    Dims sorted = perm;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t d = 0; d < sorted.size(); ++d)
        if (sorted[d] != static_cast<std::int64_t>(d) || sorted.size() != context.rank(0))
            context.fail(base::concat("perm ", toString(perm), " is no permutation of the ",
                                      context.rank(0), " dimensions"));
    return perm;
}

std::vector<TensorType> inferTranspose(const OpContext& context) {
    Dims out;
    for (const auto axis : permutation(context))
        out.push_back(context.shape(0)[static_cast<std::size_t>(axis)]);
    return {{context.dtype(0), out}};
}

std::vector<NumericTensor> evaluateTranspose(const OpContext& context,
                                             const std::vector<TensorType>&) {
    return {transposed(context.numeric(0), permutation(context))};
}

} // namespace

void addReshapeOps(OpTable& table) {
    table["Reshape"] = {PatternKind::Injective, inferReshape, evaluateReshape};
    table["Flatten"] = {PatternKind::Injective, inferFlatten, evaluateReshape};
    table["Squeeze"] = {PatternKind::Injective, inferSqueeze, evaluateReshape};
    table["Unsqueeze"] = {PatternKind::Injective, inferUnsqueeze, evaluateReshape};
    table["Transpose"] = {PatternKind::Injective, inferTranspose, evaluateTranspose};
}

} // namespace tilewright::graph
