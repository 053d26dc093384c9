// SPDX-License-Identifier: Apache-2.0
#include "primitives/cache_stage.h"

#include "primitives/tree_edit.h"

#include <tilewright/analysis/region_bounds.h>
#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/int_set.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <optional>

namespace tilewright::schedule {
namespace {

/// Position of the statement that is, or holds, the entry `id` among the children of its parent.
int positionIn(const ScheduleState& state, SrefId parent, SrefId id) {
    const ir::Stmt& body =
        state.isLoop(parent) ? state.loop(parent)->body : state.block(parent)->body;
    const std::vector<ir::Stmt> children = statementsOf(body);
    const ir::StmtNode* node =
        state.isLoop(id) ? state.stmt(id) : static_cast<const ir::StmtNode*>(state.realize(id));
    for (std::size_t i = 0; i < children.size(); ++i) {
        bool found = false;
        ir::walk(children[i], [&](const ir::Node& at) {
            found = found || &at == node;
            return !found && ir::StmtNode::classof(at.kind());
        });
        if (found)
            return static_cast<int>(i);
    }
    return 0;
}

/// The child of `ancestor` on the way down to `id`.
SrefId childToward(const ScheduleState& state, SrefId ancestor, SrefId id) {
    SrefId at = id;
    while (state.parent(at) != ancestor)
        at = state.parent(at);
    return at;
}

bool readersAllBelow(const ScheduleState& state, SrefId scope, SrefId below,
                     const ir::Buffer& buffer) {
    const auto reads = [&](const ir::BlockNode& block) {
        return findRegion(block.reads, buffer) != nullptr;
    };
    std::vector<const ir::Node*> inside;
    ir::walk(ir::Stmt(state.stmt(below)), [&](const ir::Node& node) {
        if (node.kind() == ir::NodeKind::Block)
            inside.push_back(&node);
        return ir::StmtNode::classof(node.kind());
    });
    bool all = true;
    ir::walk(ir::Stmt(state.stmt(scope)), [&](const ir::Node& node) {
        if (node.kind() == ir::NodeKind::Block && reads(static_cast<const ir::BlockNode&>(node)) &&
            std::find(inside.begin(), inside.end(), &node) == inside.end())
            all = false;
        return all && ir::StmtNode::classof(node.kind());
    });
    return all;
}

/// The buffer in another storage scope, with another shape if one is given.
ir::Buffer makeCacheBuffer(const ir::Buffer& original, const std::string& storageScope,
                           const std::vector<ir::Expr>* shape) {
    auto* node = new ir::BufferNode(base::concat(original->name, "_", storageScope),
                                    original->dtype, shape ? *shape : original->shape,
                                    storageScope.empty() ? std::string("global") : storageScope);
    ir::Buffer copy(node);
    node->strides = original->strides;
    node->elemOffset = original->elemOffset;
    node->dataAlignment = original->dataAlignment;
    node->offsetFactor = original->offsetFactor;
    node->axisSeparators = original->axisSeparators;
    return copy;
}

ir::Range point(const ir::Expr& index) {
    return {index, ir::makeInt(1, index->dtype)};
}

/// What keeps the copy inside the buffer when the loops around it run over more than the buffer
/// holds. TVM leaves it out and copies past the end.
ir::Expr guardOf(const CacheStage& stage, const std::vector<ir::Expr>& values,
                 const std::vector<const ir::ForNode*>& outer,
                 const std::vector<ir::Var>& loopVars) {
    ir::Expr guard = ir::makeBool(true);
    if (!stage.fullShape)
        return guard;
    std::optional<arith::Analyzer> analyzer;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (ir::constInt(stage.region.region[i].min))
            continue;
        if (!analyzer) {
            analyzer.emplace();
            for (const ir::ForNode* loop : outer)
                analyzer->bind(loop->loopVar, ir::Range{loop->min, loop->extent});
            for (std::size_t k = 0; k < loopVars.size(); ++k) {
                const ir::Expr& extent = stage.region.region[k].extent;
                analyzer->bind(loopVars[k], ir::Range{ir::makeInt(0, extent->dtype), extent});
            }
        }
        const ir::Expr inside = ir::less(values[i], stage.original->shape[i]);
        if (!analyzer->canProve(inside, arith::ProofStrength::SymbolicBound))
            guard = ir::logicalAnd(guard, inside);
    }
    return guard;
}

void makeCopy(CacheStage& stage, const std::string& name,
              const std::vector<const ir::ForNode*>& outer) {
    std::vector<ir::Var> loopVars;
    std::vector<ir::Expr> values;
    std::vector<ir::IterVar> iters;
    std::vector<ir::Expr> originalIndices;
    std::vector<ir::Expr> cacheIndices;
    for (std::size_t i = 0; i < stage.region.region.size(); ++i) {
        const ir::Range& range = stage.region.region[i];
        const ir::DataType type = range.extent->dtype;
        const ir::Var loopVar = ir::makeVar(base::concat("ax", i), type);
        const ir::Var var = ir::makeVar(base::concat("v", i), type);
        loopVars.push_back(loopVar);
        values.push_back(stage.fullShape ? range.min + loopVar : ir::Expr(loopVar));
        const ir::Expr& shape = stage.original->shape[i];
        const ir::Range dom = stage.fullShape ? ir::Range{ir::makeInt(0, shape->dtype), shape}
                                              : ir::Range{ir::makeInt(0, type), range.extent};
        iters.push_back({dom, var, ir::IterType::DataPar});
        cacheIndices.push_back(var);
        originalIndices.push_back(stage.fullShape ? ir::Expr(var) : range.min + var);
    }
    const auto region = [](const ir::Buffer& buffer, const std::vector<ir::Expr>& indices) {
        ir::BufferRegion result{buffer, {}};
        for (const auto& index : indices)
            result.region.push_back(point(index));
        return result;
    };
    const bool reading = stage.from == stage.original;
    const auto& fromIndices = reading ? originalIndices : cacheIndices;
    const auto& toIndices = reading ? cacheIndices : originalIndices;
    stage.block = ir::built<ir::BlockNode>([&](ir::BlockNode& node) {
        node.iterVars = std::move(iters);
        node.name = name;
        node.reads.push_back(region(stage.from, fromIndices));
        node.writes.push_back(region(stage.to, toIndices));
        node.body = ir::makeStore(stage.to, ir::makeLoad(stage.from, fromIndices), toIndices);
    });
    const ir::Expr guard = guardOf(stage, values, outer, loopVars);
    stage.nest = ir::makeBlockRealize(std::move(values), guard, stage.block);
    for (std::size_t i = loopVars.size(); i-- > 0;) {
        const ir::Expr& extent = stage.region.region[i].extent;
        stage.nest = ir::makeFor(loopVars[i], ir::makeInt(0, extent->dtype), extent,
                                 ir::ForKind::Serial, stage.nest);
    }
}

} // namespace

const ir::BufferRegion* findRegion(const std::vector<ir::BufferRegion>& regions,
                                   const ir::Buffer& buffer) {
    for (const auto& region : regions)
        if (region.buffer == buffer)
            return &region;
    return nullptr;
}

CacheLocation locateBetween(const ScheduleState& state, SrefId writer, SrefId scope,
                            const std::vector<SrefId>& readers) {
    if (readers.empty())
        return {scope, static_cast<int>(statementsOf(state.block(scope)->body).size())};
    SrefId best = scope;
    for (const SrefId reader : readers) {
        const SrefId pair[] = {writer, reader};
        const SrefId meeting = state.lowestCommonAncestor(pair);
        if (meeting != best && state.isAncestor(best, meeting))
            best = meeting;
    }
    const int after = positionIn(state, best, childToward(state, best, writer));
    int first = static_cast<int>(
        statementsOf(state.isLoop(best) ? state.loop(best)->body : state.block(best)->body).size());
    for (const SrefId reader : readers) {
        if (!state.isAncestor(best, reader))
            continue;
        const int position = positionIn(state, best, childToward(state, best, reader));
        if (position > after)
            first = std::min(first, position);
    }
    return {best, first};
}

std::vector<SrefId> readersOf(const ScheduleState& state, SrefId scope, SrefId block) {
    const BlockScope& blocks = state.scope(scope);
    const int position = blocks.position(block);
    std::vector<SrefId> readers;
    for (const auto& edge : blocks.graph.dependences())
        if (edge.source == position && edge.kind == analysis::DependenceKind::Raw)
            readers.push_back(blocks.children[static_cast<std::size_t>(edge.target)]);
    return readers;
}

ir::BufferRegion relaxedRegion(const ScheduleState& state, SrefId block,
                               const ir::BufferRegion& region, SrefId high) {
    const ir::BlockRealizeNode& realize = *state.realize(block);
    arith::Analyzer analyzer;
    const arith::IntSetRegion sets = analysis::regionUpperBound(
        ir::substitute(region, analysis::bindings(realize)), realize.predicate,
        pathDomain(state, state.parent(block), high, region.buffer->scope), analyzer);
    ir::BufferRegion result{region.buffer, {}};
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const ir::Expr& shape = region.buffer->shape[i];
        result.region.push_back(sets[i].toRange({ir::makeInt(0, shape->dtype), shape}));
    }
    return result;
}

Outcome<SrefId> onlyWriter(const ScheduleState& state, SrefId scope, const ir::Buffer& buffer) {
    std::vector<SrefId> writers;
    for (const SrefId child : state.scope(scope).children)
        if (findRegion(state.block(child)->writes, buffer))
            writers.push_back(child);
    if (writers.size() <= 1)
        return writers.empty() ? SrefId{} : writers[0];
    std::vector<std::string> names;
    for (const SrefId id : writers)
        names.push_back(state.block(id)->name);
    return fail("NotSingleWriteBlock",
                base::concat("The buffer ", buffer->name,
                             " is allowed to be written by single block, but it is written by ",
                             base::join(names, ", ")),
                std::move(names));
}

CacheStage makeCacheStage(const ScheduleState& state, SrefId scope, const ir::Buffer& original,
                          const std::string& storageScope, const ir::BufferRegion& region,
                          CacheLocation location, bool reading) {
    CacheStage stage;
    stage.original = original;
    stage.region = region;
    stage.location = location;
    stage.fullShape =
        state.isLoop(location.parent) || !readersAllBelow(state, scope, location.parent, original);
    std::vector<ir::Expr> shape;
    for (const auto& range : region.region)
        shape.push_back(range.extent);
    stage.cache = makeCacheBuffer(original, storageScope, stage.fullShape ? nullptr : &shape);
    stage.from = reading ? stage.original : stage.cache;
    stage.to = reading ? stage.cache : stage.original;
    makeCopy(stage, base::concat(original->name, "_", storageScope),
             loopsUpFrom(state, location.parent));
    return stage;
}

ir::Stmt insertAt(const ir::Stmt& body, int position, const ir::Stmt& stage) {
    std::vector<ir::Stmt> children = statementsOf(body);
    children.insert(children.begin() + std::min<std::ptrdiff_t>(
                                           position, static_cast<std::ptrdiff_t>(children.size())),
                    stage);
    return ir::makeSeq(std::move(children));
}

} // namespace tilewright::schedule
