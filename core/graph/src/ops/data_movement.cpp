// SPDX-License-Identifier: Apache-2.0
#include "../copy_by_index.h"
#include "../op_table.h"
#include "../slice_ranges.h"

#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::graph {

SliceRanges sliceRanges(const OpContext& context) {
    const Dims& in = context.shape(0);
    const auto starts = context.integersOf("starts", 1);
    const auto ends = context.integersOf("ends", 2);
    auto axes = context.integersOf("axes", 3);
    const auto steps = context.integersOf("steps", 4);
    if (!starts || !ends || starts->size() != ends->size())
        context.fail("starts and ends are missing or of different lengths");
    SliceRanges ranges{Dims(in.size(), 0), Dims(in.size(), 1), in};
    for (std::size_t k = 0; k < starts->size(); ++k) {
        const std::int64_t named =
            axes ? axes->at(std::min(k, axes->size() - 1)) : static_cast<std::int64_t>(k);
        const auto d = static_cast<std::size_t>(context.axis(named, in.size()));
        const std::int64_t step = steps && k < steps->size() ? (*steps)[k] : 1;
        if (step == 0)
            context.fail("a step is 0");
        const std::int64_t n = in[d];
        const auto clampTo = [n](std::int64_t v, std::int64_t low, std::int64_t high) {
            if (v < 0)
                v = v < -n ? low : v + n; // also what INT64_MIN means
            return std::clamp(v, low, high);
        };
        const std::int64_t begin =
            step > 0 ? clampTo((*starts)[k], 0, n) : clampTo((*starts)[k], 0, n - 1);
        std::int64_t end = 0;
        if (step > 0)
            end = clampTo((*ends)[k], 0, n);
        else
            end = (*ends)[k] < -n ? -1 : clampTo((*ends)[k], -1, n - 1);
        const std::int64_t span = step > 0 ? end - begin : begin - end;
        const std::int64_t size = step > 0 ? step : -step;
        ranges.begin[d] = begin;
        ranges.step[d] = step;
        ranges.extent[d] = n == 0 ? 0 : std::max<std::int64_t>(0, (span + size - 1) / size);
    }
    return ranges;
}

PadAmounts padAmounts(const OpContext& context) {
    const std::size_t rank = context.rank(0);
    const auto pads = context.integersOf("pads", 1);
    if (!pads)
        context.fail("pads are missing");
    PadAmounts amounts{Dims(rank, 0), Dims(rank, 0), 0,
                       context.attributes().text("mode", "constant")};
    amounts.value = context.realOf("value", 2).value_or(0.0);
    Dims axes;
    if (const auto given = context.integersOf("axes", 3)) {
        for (const auto axis : *given)
            axes.push_back(context.axis(axis, rank));
    } else {
        for (std::size_t d = 0; d < rank; ++d)
            axes.push_back(static_cast<std::int64_t>(d));
    }
    if (pads->size() != 2 * axes.size())
        context.fail(base::concat("pads has ", pads->size(), " numbers, not ", 2 * axes.size()));
    for (std::size_t k = 0; k < axes.size(); ++k) {
        amounts.before[static_cast<std::size_t>(axes[k])] = (*pads)[k];
        amounts.after[static_cast<std::size_t>(axes[k])] = (*pads)[k + axes.size()];
    }
    return amounts;
}

namespace {

std::vector<TensorType> inferSlice(const OpContext& context) {
    return {{context.dtype(0), sliceRanges(context).extent}};
}

std::vector<NumericTensor> evaluateSlice(const OpContext& context,
                                         const std::vector<TensorType>& types) {
    const SliceRanges ranges = sliceRanges(context);
    const Dims strides = rowMajorStrides(context.shape(0));
    return {copyByIndex(context.numeric(0), types[0], [&](const Dims& index) {
        std::int64_t flat = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            flat += (ranges.begin[d] + index[d] * ranges.step[d]) * strides[d];
        return flat;
    })};
}

std::vector<TensorType> inferConcat(const OpContext& context) {
    Dims out = context.shape(0);
    const auto axis =
        static_cast<std::size_t>(context.axis(context.attributes().integer("axis", 0), out.size()));
    for (std::size_t i = 1; i < context.inputCount(); ++i) {
        const Dims& other = context.shape(i);
        bool fits = other.size() == out.size();
        for (std::size_t d = 0; fits && d < out.size(); ++d)
            fits = d == axis || other[d] == out[d];
        if (!fits)
            context.fail(base::concat("shapes ", toString(out), " and ", toString(other),
                                      " cannot be joined on axis ", axis));
        out[axis] += other[axis];
    }
    return {{context.dtype(0), out}};
}

std::vector<NumericTensor> evaluateConcat(const OpContext& context,
                                          const std::vector<TensorType>& types) {
    NumericTensor out(types[0]);
    const Dims strides = rowMajorStrides(types[0].shape);
    const auto axis = static_cast<std::size_t>(
        context.axis(context.attributes().integer("axis", 0), types[0].shape.size()));
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const NumericTensor& in = context.numeric(i);
        forEachIndex(in.type.shape, [&](std::int64_t flat, const Dims& index) {
            std::int64_t at = offset * strides[axis];
            for (std::size_t d = 0; d < index.size(); ++d)
                at += index[d] * strides[d];
            copyElement(in, flat, out, at);
        });
        offset += in.type.shape[axis];
    }
    return {std::move(out)};
}

std::vector<TensorType> inferSplit(const OpContext& context) {
    const Dims& in = context.shape(0);
    const auto axis =
        static_cast<std::size_t>(context.axis(context.attributes().integer("axis", 0), in.size()));
    auto parts = context.integersOf("split", 1);
    const auto count = static_cast<std::int64_t>(context.outputCount());
    if (!parts) {
        const std::int64_t each = (in[axis] + count - 1) / count;
        parts.emplace(static_cast<std::size_t>(count), each);
        parts->back() = in[axis] - each * (count - 1);
    }
    std::vector<TensorType> types;
    std::int64_t sum = 0;
    for (const auto extent : *parts) {
        Dims shape = in;
        shape[axis] = extent;
        sum += extent;
        types.push_back({context.dtype(0), shape});
    }
    if (sum != in[axis] || static_cast<std::int64_t>(parts->size()) != count)
        context.fail(base::concat("parts do not add up to dimension ", axis, " of ", toString(in)));
    return types;
}

std::vector<NumericTensor> evaluateSplit(const OpContext& context,
                                         const std::vector<TensorType>& types) {
    const auto axis = static_cast<std::size_t>(
        context.axis(context.attributes().integer("axis", 0), context.rank(0)));
    const Dims strides = rowMajorStrides(context.shape(0));
    std::vector<NumericTensor> outs;
    std::int64_t offset = 0;
    for (const TensorType& type : types) {
        outs.push_back(copyByIndex(context.numeric(0), type, [&](const Dims& index) {
            std::int64_t flat = offset * strides[axis];
            for (std::size_t d = 0; d < index.size(); ++d)
                flat += index[d] * strides[d];
            return flat;
        }));
        offset += type.shape[axis];
    }
    return outs;
}

std::vector<TensorType> inferGather(const OpContext& context) {
    const Dims& in = context.shape(0);
    const auto axis = context.axis(context.attributes().integer("axis", 0), in.size());
    Dims out(in.begin(), in.begin() + axis);
    out.insert(out.end(), context.shape(1).begin(), context.shape(1).end());
    out.insert(out.end(), in.begin() + axis + 1, in.end());
    return {{context.dtype(0), out}};
}

std::vector<NumericTensor> evaluateGather(const OpContext& context,
                                          const std::vector<TensorType>& types) {
    const Dims& in = context.shape(0);
    const auto axis =
        static_cast<std::size_t>(context.axis(context.attributes().integer("axis", 0), in.size()));
    const Dims strides = rowMajorStrides(in);
    const NumericTensor& indices = context.numeric(1);
    const Dims indexStrides = rowMajorStrides(indices.type.shape);
    const std::size_t indexRank = indices.type.shape.size();
    return {copyByIndex(context.numeric(0), types[0], [&](const Dims& index) {
        std::int64_t which = 0;
        for (std::size_t d = 0; d < indexRank; ++d)
            which += index[axis + d] * indexStrides[d];
        std::int64_t row = indices.integer(which);
        if (row < 0)
            row += in[axis];
        if (row < 0 || row >= in[axis])
            context.fail(base::concat("index ", row, " is outside dimension ", axis));
        std::int64_t flat = row * strides[axis];
        for (std::size_t d = 0; d < axis; ++d)
            flat += index[d] * strides[d];
        for (std::size_t d = axis + 1; d < in.size(); ++d)
            flat += index[d + indexRank - 1] * strides[d];
        return flat;
    })};
}

std::vector<TensorType> inferExpand(const OpContext& context) {
    const auto target = context.integersOf("shape", 1);
    if (!target)
        context.fail("the new shape is missing");
    return {{context.dtype(0), broadcastShapes(context, context.shape(0), *target)}};
}

std::vector<NumericTensor> evaluateExpand(const OpContext& context,
                                          const std::vector<TensorType>& types) {
    const Dims strides = broadcastStrides(context.shape(0), types[0].shape);
    return {copyByIndex(context.numeric(0), types[0], [&](const Dims& index) {
        std::int64_t flat = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            flat += index[d] * strides[d];
        return flat;
    })};
}

std::vector<TensorType> inferTile(const OpContext& context) {
    const auto repeats = context.integersOf("repeats", 1);
    if (!repeats || repeats->size() != context.rank(0))
        context.fail("repeats are missing or not one a dimension");
    Dims out = context.shape(0);
    for (std::size_t d = 0; d < out.size(); ++d)
        out[d] *= (*repeats)[d];
    return {{context.dtype(0), out}};
}

std::vector<NumericTensor> evaluateTile(const OpContext& context,
                                        const std::vector<TensorType>& types) {
    const Dims& in = context.shape(0);
    const Dims strides = rowMajorStrides(in);
    return {copyByIndex(context.numeric(0), types[0], [&](const Dims& index) {
        std::int64_t flat = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            flat += (index[d] % in[d]) * strides[d];
        return flat;
    })};
}

std::vector<TensorType> inferPad(const OpContext& context) {
    const PadAmounts amounts = padAmounts(context);
    Dims out = context.shape(0);
    for (std::size_t d = 0; d < out.size(); ++d) {
        out[d] += amounts.before[d] + amounts.after[d];
        if (out[d] < 0)
            context.fail("pads crop more than there is");
    }
    return {{context.dtype(0), out}};
}

std::vector<NumericTensor> evaluatePad(const OpContext& context,
                                       const std::vector<TensorType>& types) {
    const PadAmounts amounts = padAmounts(context);
    const Dims& in = context.shape(0);
    const Dims strides = rowMajorStrides(in);
    NumericTensor out(types[0]);
    forEachIndex(types[0].shape, [&](std::int64_t flat, const Dims& index) {
        std::int64_t from = 0;
        bool inside = true;
        for (std::size_t d = 0; d < index.size(); ++d) {
            std::int64_t at = index[d] - amounts.before[d];
            if (at < 0 || at >= in[d]) {
                if (amounts.mode == "edge")
                    at = std::clamp<std::int64_t>(at, 0, in[d] - 1);
                else if (amounts.mode == "reflect")
                    at = at < 0 ? -at : 2 * (in[d] - 1) - at;
                else if (amounts.mode == "wrap")
                    at = ((at % in[d]) + in[d]) % in[d];
                else
                    inside = false;
            }
            from += at * strides[d];
        }
        if (inside)
            copyElement(context.numeric(0), from, out, flat);
        else
            out.set(flat, amounts.value);
    });
    return {std::move(out)};
}

std::vector<TensorType> inferDepthToSpace(const OpContext& context) {
    const Dims& in = context.shape(0);
    const std::int64_t block = context.attributes().integer("blocksize", 0);
    if (in.size() != 4 || block < 1 || in[1] % (block * block) != 0)
        context.fail("needs four dimensions and channels that the block size squared divides");
    return {{context.dtype(0), {in[0], in[1] / (block * block), in[2] * block, in[3] * block}}};
}

std::vector<NumericTensor> evaluateDepthToSpace(const OpContext& context,
                                                const std::vector<TensorType>& types) {
    const std::int64_t block = context.attributes().integer("blocksize", 1);
    const bool dcr = context.attributes().text("mode", "DCR") == "DCR";
    const Dims strides = rowMajorStrides(context.shape(0));
    const std::int64_t depth = types[0].shape[1];
    return {copyByIndex(context.numeric(0), types[0], [&](const Dims& i) {
        const std::int64_t offset = (i[2] % block) * block + i[3] % block;
        const std::int64_t channel = dcr ? offset * depth + i[1] : i[1] * block * block + offset;
        return i[0] * strides[0] + channel * strides[1] + (i[2] / block) * strides[2] +
               i[3] / block;
    })};
}

std::vector<TensorType> inferSpaceToDepth(const OpContext& context) {
    const Dims& in = context.shape(0);
    const std::int64_t block = context.attributes().integer("blocksize", 0);
    if (in.size() != 4 || block < 1 || in[2] % block != 0 || in[3] % block != 0)
        context.fail("needs four dimensions and a block size that divides height and width");
    return {{context.dtype(0), {in[0], in[1] * block * block, in[2] / block, in[3] / block}}};
}

std::vector<NumericTensor> evaluateSpaceToDepth(const OpContext& context,
                                                const std::vector<TensorType>& types) {
    const std::int64_t block = context.attributes().integer("blocksize", 1);
    const Dims& in = context.shape(0);
    const Dims strides = rowMajorStrides(in);
    return {copyByIndex(context.numeric(0), types[0], [&](const Dims& i) {
        const std::int64_t offset = i[1] / in[1];
        return i[0] * strides[0] + (i[1] % in[1]) * strides[1] +
               (i[2] * block + offset / block) * strides[2] + i[3] * block + offset % block;
    })};
}

} // namespace

void addDataMovementOps(OpTable& table) {
    table["Slice"] = {PatternKind::Injective, inferSlice, evaluateSlice};
    table["Concat"] = {PatternKind::Injective, inferConcat, evaluateConcat};
    table["Split"] = {PatternKind::Injective, inferSplit, evaluateSplit};
    table["Gather"] = {PatternKind::Injective, inferGather, evaluateGather};
    table["Expand"] = {PatternKind::Broadcast, inferExpand, evaluateExpand};
    table["Tile"] = {PatternKind::Injective, inferTile, evaluateTile};
    table["Pad"] = {PatternKind::Injective, inferPad, evaluatePad};
    table["DepthToSpace"] = {PatternKind::Injective, inferDepthToSpace, evaluateDepthToSpace};
    table["SpaceToDepth"] = {PatternKind::Injective, inferSpaceToDepth, evaluateSpaceToDepth};
}

} // namespace tilewright::graph
