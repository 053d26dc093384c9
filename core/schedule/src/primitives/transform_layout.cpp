// SPDX-License-Identifier: Apache-2.0
#include "primitives/transform_layout.h"

#include "primitives/block_checks.h"
#include "primitives/cache_stage.h"
#include "primitives/layout_padding.h"
#include "primitives/layout_rewriter.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/index_map_inverse.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/printer.h>

#include <algorithm>

namespace tilewright::schedule {
namespace {

/// Where a buffer comes from: a block that allocates it, or the function's parameters.
struct BufferHome {
    SrefId block;
    bool parameter = false;
};

Outcome<BufferHome> findHome(const ScheduleState& state, SrefId id, const ir::Buffer& buffer) {
    SrefId root;
    for (SrefId at = id; at.valid(); at = state.parent(at)) {
        root = at;
        if (state.isLoop(at))
            continue;
        const ir::BlockNode& block = *state.block(at);
        for (const auto& match : block.matchBuffers)
            if (match.buffer == buffer)
                return fail("BufferIsSubregionError",
                            base::concat("The buffer ", buffer->name,
                                         " is defined in a match_buffer of the block and cannot be "
                                         "transformed"),
                            {block.name});
        if (std::find(block.allocBuffers.begin(), block.allocBuffers.end(), buffer) !=
            block.allocBuffers.end())
            return BufferHome{at, false};
    }
    return BufferHome{root, true};
}

Outcome<void> checkPadValue(const ir::Buffer& buffer, const ir::IndexMap& padValue) {
    if (padValue.finalIndices.size() != 1)
        return fail("TransformationPaddingIndexMapError",
                    base::concat("The IndexMap specifying pad_value has ",
                                 padValue.finalIndices.size(),
                                 " outputs, should only have one output"));
    const ir::Expr& value = padValue.finalIndices[0];
    if (value->dtype != buffer->dtype)
        return fail("TransformationPaddingTypeError",
                    base::concat("Type mismatch: the buffer has ", ir::toString(buffer->dtype),
                                 ", pad_value ", ir::toString(value->dtype)));
    bool loads = false;
    ir::walk(value, [&](const ir::Node& node) {
        if (node.kind() == ir::NodeKind::BufferLoad)
            loads = loads || static_cast<const ir::BufferLoadNode&>(node).buffer != buffer;
        return true;
    });
    if (loads)
        return fail("TransformationPaddingExpressionError",
                    "pad_value may load only from the buffer that is transformed");
    return {};
}

ir::Buffer reshaped(const ir::Buffer& buffer, std::vector<ir::Expr> shape) {
    auto* node = new ir::BufferNode(buffer->name, buffer->dtype, std::move(shape), buffer->scope);
    node->elemOffset = buffer->elemOffset;
    node->dataAlignment = buffer->dataAlignment;
    node->offsetFactor = buffer->offsetFactor;
    return ir::Buffer(node);
}

void replaceParameter(ScheduleState& state, SrefId root, const ir::Buffer& from,
                      const ir::Buffer& to, const ir::Stmt& newScope, const BlockReuse& reuse) {
    const ir::BlockRealizeNode& realize = *state.realize(root);
    const ir::PrimFunc function = ir::edited(state.functionNode(root), [&](ir::PrimFuncNode& node) {
        for (auto& param : node.params)
            if (param.buffer == from)
                param.buffer = to;
        node.body = ir::makeBlockRealize(realize.iterValues, realize.predicate,
                                         ir::refAs<ir::BlockNode>(newScope));
    });
    state.replaceFunction(root, function, reuse);
}

} // namespace

Outcome<void> transformLayout(ScheduleState& state, SrefId block, int bufferIndex,
                              BufferIndexType type, const ir::IndexMap& indexMap,
                              const ir::IndexMap* padValue, bool assumeInjective) {
    TW_ASSIGN(const ir::Buffer buffer, bufferAt(state, block, bufferIndex, type));
    const ir::IndexMap map = ir::withIndexType(indexMap, buffer->indexType());
    TW_ASSIGN(const BufferHome home, findHome(state, block, buffer));
    if (padValue)
        TW_TRY(checkPadValue(buffer, *padValue));
    if (map.initialIndices.size() != buffer->shape.size())
        return fail("InternalError", base::concat("The index map takes ", map.initialIndices.size(),
                                                  " indices, but the buffer ", buffer->name,
                                                  " has ", buffer->shape.size(), " dimensions"));

    arith::Analyzer analyzer;
    std::vector<ir::Range> ranges;
    for (const auto& extent : buffer->shape)
        ranges.push_back({ir::makeInt(0, extent->dtype), extent});
    LayoutChange change;
    change.map = map;
    change.from = buffer;
    change.paddingPredicate = ir::makeBool(false);
    if (!assumeInjective) {
        arith::InverseIndexMap inverse = arith::invertNonSurjectiveIndexMap(
            map.initialIndices, map.finalIndices, ranges, analyzer);
        if (!inverse.ok())
            return fail("RuntimeError",
                        base::concat("The index map has no inverse: ", inverse.error));
        change.paddingPredicate = inverse.paddingPredicate;
        change.inverse = ir::IndexMap{inverse.outputs, inverse.initial, nullptr};
    }
    const bool padded = !ir::isZero(change.paddingPredicate);
    if (padded && !padValue)
        return fail("TransformationIntroducesPaddingError",
                    base::concat("Transformation would introduce padding at ",
                                 ir::print(change.paddingPredicate), " in buffer ", buffer->name));
    const std::vector<ir::Range> newRanges =
        arith::mapRanges(map.initialIndices, map.finalIndices, ranges, analyzer);
    std::vector<ir::Expr> shape;
    for (const auto& range : newRanges) {
        if (!ir::isZero(range.min))
            return fail("InternalError", "A transformed index does not begin at 0");
        shape.push_back(range.extent);
    }
    change.to = reshaped(buffer, std::move(shape));

    const ir::Block scope(state.block(home.block));
    LayoutPadding padding;
    if (padded) {
        change.padValue = *padValue;
        padding = planLayoutPadding(*scope, change);
    }
    LayoutRewriter rewriter(change, padding);
    TW_ASSIGN(const ir::Stmt newScope, rewriter.run(*scope));
    if (home.parameter)
        replaceParameter(state, home.block, buffer, change.to, newScope, rewriter.reuse());
    else
        state.replace(home.block, newScope, rewriter.reuse());
    return {};
}

} // namespace tilewright::schedule
