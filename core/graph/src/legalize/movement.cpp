// SPDX-License-Identifier: Apache-2.0
#include "../slice_ranges.h"
#include "kernel_context.h"

#include <tilewright/op/nn.h>

#include <algorithm>

namespace tilewright::graph {

namespace {

using ir::Expr;

Expr index(std::int64_t value) {
    return ir::makeInt(value);
}

op::Tensor legalizeTranspose(KernelContext& kernel) {
    const op::Tensor x = kernel.input(0);
    const Dims perm = kernel.attributes().integers("perm");
    return kernel.builder().compute(kernel.stageName(), kernel.outputShape(),
                                    [&](const op::Axes& at) {
                                        op::Axes source(at.size());
                                        for (std::size_t d = 0; d < at.size(); ++d)
                                            source[static_cast<std::size_t>(perm[d])] = at[d];
                                        return x(source);
                                    });
}

/// Row-major position of an index.
Expr flatten(const op::Axes& at, const op::Shape& shape) {
    Expr flat = index(0);
    for (std::size_t d = 0; d < shape.size(); ++d)
        flat = flat * index(shape[d]) + at[d];
    return flat;
}

op::Tensor legalizeReshape(KernelContext& kernel) {
    const op::Tensor x = kernel.input(0);
    const op::Shape from = x.shape();
    const op::Shape to = kernel.outputShape();
    return kernel.builder().compute(kernel.stageName(), to, [&](const op::Axes& at) {
        const Expr flat = flatten(at, to);
        op::Axes source(from.size());
        std::int64_t inner = 1;
        for (std::size_t d = from.size(); d-- > 0;) {
            source[d] = ir::floorMod(ir::floorDiv(flat, index(inner)), index(from[d]));
            inner *= from[d];
        }
        return x(source);
    });
}

op::Tensor legalizeSlice(KernelContext& kernel) {
    const op::Tensor x = kernel.input(0);
    const SliceRanges ranges = sliceRanges(kernel.rules());
    return kernel.builder().compute(
        kernel.stageName(), kernel.outputShape(), [&](const op::Axes& at) {
            op::Axes source;
            for (std::size_t d = 0; d < at.size(); ++d)
                source.push_back(at[d] * index(ranges.step[d]) + index(ranges.begin[d]));
            return x(source);
        });
}

op::Tensor legalizeConcat(KernelContext& kernel) {
    const op::Shape shape = kernel.outputShape();
    std::int64_t axis = kernel.attributes().integer("axis", 0);
    if (axis < 0)
        axis += static_cast<std::int64_t>(shape.size());
    const auto along = static_cast<std::size_t>(axis);
    std::vector<op::Tensor> parts;
    std::vector<std::int64_t> begins{0};
    for (std::size_t i = 0; i < kernel.inputCount(); ++i) {
        const op::Tensor part = kernel.input(i);
        if (part.shape()[along] == 0)
            continue;
        parts.push_back(part);
        begins.push_back(begins.back() + part.shape()[along]);
    }
    return kernel.builder().compute(kernel.stageName(), shape, [&](const op::Axes& at) {
        Expr value;
        for (std::size_t i = parts.size(); i-- > 0;) {
            op::Axes source = at;
            source[along] = at[along] - index(begins[i]);
            const Expr part = parts[i](source);
            value = value ? ir::makeCall(part->dtype, ir::Op::IfThenElse,
                                         {ir::less(at[along], index(begins[i + 1])), part, value})
                          : part;
        }
        return value;
    });
}

op::Tensor legalizeGather(KernelContext& kernel) {
    const op::Tensor x = kernel.input(0);
    const op::Shape shape = x.shape();
    std::int64_t axis = kernel.attributes().integer("axis", 0);
    if (axis < 0)
        axis += static_cast<std::int64_t>(shape.size());
    const auto along = static_cast<std::size_t>(axis);
    const std::size_t rank = kernel.rules().rank(1);
    return kernel.builder().compute(
        kernel.stageName(), kernel.outputShape(), [&](const op::Axes& at) {
            const op::Axes which(at.begin() + axis,
                                 at.begin() + axis + static_cast<std::ptrdiff_t>(rank));
            Expr row =
                kernel.scalar(1) || rank == 0 ? kernel.element(1, at) : kernel.input(1)(which);
            row = ir::cast(ir::DataType::i(32), row);
            if (const auto constant = ir::constInt(row))
                row = index(*constant < 0 ? *constant + shape[along] : *constant);
            else
                row = ir::makeSelect(ir::less(row, index(0)), row + index(shape[along]), row);
            op::Axes source(at.begin(), at.begin() + axis);
            source.push_back(row);
            for (std::size_t d = along + rank; d < at.size() && source.size() < shape.size(); ++d)
                source.push_back(at[d]);
            return x(source);
        });
}

op::Tensor legalizeExpand(KernelContext& kernel) {
    return kernel.builder().compute(kernel.stageName(), kernel.outputShape(),
                                    [&](const op::Axes& at) { return kernel.element(0, at); });
}

op::Tensor legalizeTile(KernelContext& kernel) {
    const op::Tensor x = kernel.input(0);
    const op::Shape shape = x.shape();
    return kernel.builder().compute(kernel.stageName(), kernel.outputShape(),
                                    [&](const op::Axes& at) {
                                        op::Axes source;
                                        for (std::size_t d = 0; d < at.size(); ++d)
                                            source.push_back(ir::floorMod(at[d], index(shape[d])));
                                        return x(source);
                                    });
}

/// Index of the element that a reflecting or repeating border shows at position `p`.
Expr borderIndex(const std::string& mode, const Expr& p, std::int64_t extent) {
    if (mode == "edge")
        return ir::maximum(ir::minimum(p, index(extent - 1)), index(0));
    if (mode == "wrap")
        return ir::floorMod(p + index(extent), index(extent));
    const Expr folded = ir::makeSelect(ir::less(p, index(0)), index(0) - p, p);
    return ir::makeSelect(ir::greater(folded, index(extent - 1)), index(2 * (extent - 1)) - folded,
                          folded);
}

op::Tensor legalizePad(KernelContext& kernel) {
    const op::Tensor x = kernel.input(0);
    const op::Shape shape = x.shape();
    const PadAmounts amounts = padAmounts(kernel.rules());
    return kernel.builder().compute(
        kernel.stageName(), kernel.outputShape(), [&](const op::Axes& at) {
            op::Axes source;
            Expr inside = ir::makeBool(true);
            for (std::size_t d = 0; d < at.size(); ++d) {
                const Expr p = at[d] - index(amounts.before[d]);
                if (amounts.mode != "constant") {
                    source.push_back(borderIndex(amounts.mode, p, shape[d]));
                    continue;
                }
                source.push_back(p);
                if (amounts.before[d] > 0)
                    inside = ir::logicalAnd(inside, ir::lessEqual(index(amounts.before[d]), at[d]));
                if (amounts.after[d] > 0)
                    inside = ir::logicalAnd(inside,
                                            ir::less(at[d], index(amounts.before[d] + shape[d])));
            }
            if (ir::isOne(inside))
                return x(source);
            return ir::makeCall(x.dtype(), ir::Op::IfThenElse,
                                {inside, x(source), ir::makeConst(amounts.value, x.dtype())});
        });
}

op::Tensor legalizeDepthToSpace(KernelContext& kernel) {
    const op::Tensor x = kernel.input(0);
    const std::int64_t block = kernel.attributes().integer("blocksize", 1);
    const bool dcr = kernel.attributes().text("mode", "DCR") == "DCR";
    const op::Shape shape = kernel.outputShape();
    return kernel.builder().compute(kernel.stageName(), shape, [&](const op::Axes& i) {
        const Expr offset =
            ir::floorMod(i[2], index(block)) * index(block) + ir::floorMod(i[3], index(block));
        const Expr channel =
            dcr ? offset * index(shape[1]) + i[1] : i[1] * index(block * block) + offset;
        return x(
            {i[0], channel, ir::floorDiv(i[2], index(block)), ir::floorDiv(i[3], index(block))});
    });
}

op::Tensor legalizeSpaceToDepth(KernelContext& kernel) {
    const op::Tensor x = kernel.input(0);
    const std::int64_t block = kernel.attributes().integer("blocksize", 1);
    const std::int64_t depth = x.shape()[1];
    return kernel.builder().compute(
        kernel.stageName(), kernel.outputShape(), [&](const op::Axes& i) {
            const Expr offset = ir::floorDiv(i[1], index(depth));
            return x({i[0], ir::floorMod(i[1], index(depth)),
                      i[2] * index(block) + ir::floorDiv(offset, index(block)),
                      i[3] * index(block) + ir::floorMod(offset, index(block))});
        });
}

} // namespace

void addMovementRules(LegalizeTable& table) {
    table["Transpose"] = legalizeTranspose;
    table["Reshape"] = legalizeReshape;
    table["Slice"] = legalizeSlice;
    table["Concat"] = legalizeConcat;
    table["Gather"] = legalizeGather;
    table["Expand"] = legalizeExpand;
    table["Tile"] = legalizeTile;
    table["Pad"] = legalizePad;
    table["DepthToSpace"] = legalizeDepthToSpace;
    table["SpaceToDepth"] = legalizeSpaceToDepth;
}

} // namespace tilewright::graph
