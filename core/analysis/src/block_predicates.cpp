// SPDX-License-Identifier: Apache-2.0
#include <tilewright/analysis/block_predicates.h>

#include <tilewright/analysis/block_kind.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::analysis {

bool isTrivialBinding(const ir::BlockRealizeNode& realize,
                      std::span<const ir::ForNode* const> loops) {
    if (loops.size() != realize.iterValues.size())
        return false;
    for (std::size_t i = 0; i < loops.size(); ++i)
        if (realize.iterValues[i].get() != loops[i]->loopVar.get())
            return false;
    return true;
}

bool hasIfThenElse(const ir::Stmt& stmt) {
    bool found = false;
    ir::walk(stmt, [&](const ir::Node& node) {
        if (found)
            return false;
        switch (node.kind()) {
        case ir::NodeKind::IfThenElse:
        case ir::NodeKind::Select:
            found = true;
            break;
        case ir::NodeKind::Call:
            found = static_cast<const ir::CallNode&>(node).op == ir::Op::IfThenElse;
            break;
        case ir::NodeKind::BlockRealize:
            found = !ir::isOne(static_cast<const ir::BlockRealizeNode&>(node).predicate);
            break;
        default:
            break;
        }
        return !found;
    });
    return found;
}

bool hasIfThenElse(const ir::BlockRealizeNode& realize) {
    return hasIfThenElse(ir::BlockRealize(&realize));
}

bool isSpatialFunction(const ir::PrimFuncNode& function) {
    bool spatial = true;
    ir::walk(function.body, [&](const ir::Node& node) {
        if (node.kind() == ir::NodeKind::Block)
            spatial = spatial && isSpatial(static_cast<const ir::BlockNode&>(node));
        return spatial && ir::StmtNode::classof(node.kind());
    });
    return spatial;
}

bool hasBeenMultiLevelTiled(const ir::BlockNode& block) {
    return block.annotations.contains("meta_schedule.tiling_structure");
}

bool needsMultiLevelTiling(const ir::BlockNode& block, bool trivialBinding) {
    if (hasBeenMultiLevelTiled(block) || block.writes.size() != 1 || block.reads.empty() ||
        isSpatial(block) || !trivialBinding)
        return false;
    // Iterators over [0, 1) would count as reuse although there is none.
    std::vector<const ir::VarNode*> spatialVars;
    for (const auto& iter : block.iterVars) {
        const bool unit = ir::isZero(iter.dom.min) && ir::isOne(iter.dom.extent);
        if (iter.type == ir::IterType::DataPar && !unit)
            spatialVars.push_back(iter.var.get());
    }
    std::vector<const ir::BufferNode*> seen;
    std::size_t unused = 0;
    for (const auto& read : block.reads) {
        if (std::find(seen.begin(), seen.end(), read.buffer.get()) != seen.end())
            return false;
        seen.push_back(read.buffer.get());
        if (read.buffer == block.writes[0].buffer)
            continue;
        for (const auto& range : read.region)
            if (!ir::constInt(range.extent))
                return false;
        for (const ir::VarNode* var : spatialVars)
            unused += std::none_of(read.region.begin(), read.region.end(),
                                   [&](const auto& range) { return ir::usesVar(range.min, var); });
    }
    return unused >= 1;
}

bool needsRFactorOrCrossThreadReduction(const ir::BlockRealizeNode& realize,
                                        std::span<const ir::ForNode* const> loops, bool reduction,
                                        std::int64_t maxParallelExtent) {
    const ir::BlockNode& block = *realize.block;
    const bool trivial = isTrivialBinding(realize, loops);
    if (block.writes.empty() || !reduction || !trivial || hasBeenMultiLevelTiled(block))
        return false;
    bool hasReductionLoop = false;
    std::int64_t spatialExtent = 1;
    std::int64_t reductionExtent = 1;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        const ir::IterType type = loopIterType(*loops[i]);
        if (type != ir::IterType::DataPar && type != ir::IterType::CommReduce)
            return false;
        hasReductionLoop = hasReductionLoop || type == ir::IterType::CommReduce;
        const ir::StmtNode* below = loops[i]->body.get();
        const ir::StmtNode* expected =
            i + 1 < loops.size() ? static_cast<const ir::StmtNode*>(loops[i + 1]) : &realize;
        if (below != expected)
            return false;
        const auto extent = ir::constInt(loops[i]->extent);
        if (!extent)
            return false;
        (type == ir::IterType::DataPar ? spatialExtent : reductionExtent) *= *extent;
    }
    if (!hasReductionLoop)
        return false;
    if (needsMultiLevelTiling(block, trivial)) {
        // With enough spatial parallelism tiling alone is the better choice.
        if (spatialExtent >= reductionExtent)
            return false;
        return maxParallelExtent == -1 || spatialExtent <= maxParallelExtent;
    }
    return reductionExtent > 1;
}

namespace {

/// `var`, `var + c` or `var - c`; null when the index is none of them.
const ir::VarNode* shiftedVar(const ir::Expr& index, bool& shifted) {
    if (const auto* var = ir::as<ir::VarNode>(index))
        return var;
    if (index->kind() != ir::NodeKind::Add && index->kind() != ir::NodeKind::Sub)
        return nullptr;
    const auto& binary = static_cast<const ir::BinaryNode&>(*index);
    const auto* left = ir::as<ir::VarNode>(binary.a);
    const auto* right = ir::as<ir::VarNode>(binary.b);
    shifted = true;
    if (left && ir::constInt(binary.b))
        return left;
    if (right && ir::constInt(binary.a) && index->kind() == ir::NodeKind::Add)
        return right;
    return nullptr;
}

} // namespace

AccessPattern accessPattern(const ir::BufferRegion& read, const ir::BufferRegion& write) {
    AccessPattern none;
    std::vector<const ir::VarNode*> positions;
    for (const auto& range : write.region) {
        const auto* var = ir::as<ir::VarNode>(range.min);
        if (!var || !ir::constInt(range.extent))
            return none;
        positions.push_back(var);
    }
    AccessPattern result;
    result.noConstRead = true;
    result.noShiftRead = true;
    std::vector<int> mapped;
    for (const auto& range : read.region) {
        if (ir::constInt(range.min)) {
            result.noConstRead = false;
            continue;
        }
        bool shifted = false;
        const ir::VarNode* var = shiftedVar(range.min, shifted);
        const auto at = std::find(positions.begin(), positions.end(), var);
        if (!var || at == positions.end())
            return none;
        result.noShiftRead = result.noShiftRead && !shifted;
        mapped.push_back(static_cast<int>(at - positions.begin()));
    }
    result.exists = true;
    std::vector<int> uses(positions.size(), 0);
    for (const int position : mapped)
        ++uses[static_cast<std::size_t>(position)];
    result.injective = std::all_of(uses.begin(), uses.end(), [](int n) { return n <= 1; });
    result.ordered = std::is_sorted(mapped.begin(), mapped.end());
    return result;
}

bool isWriteCache(const ir::BlockNode& block) {
    if (block.writes.size() != 1)
        return false;
    return std::all_of(block.reads.begin(), block.reads.end(), [&](const auto& read) {
        const AccessPattern pattern = accessPattern(read, block.writes[0]);
        return pattern.injective && pattern.ordered;
    });
}

std::optional<std::int64_t> intAnnotation(const ir::Annotations& annotations,
                                          std::string_view key) {
    const ir::AttrValue* value = annotations.find(key);
    if (!value)
        return std::nullopt;
    if (const auto* b = value->asBool())
        return *b ? 1 : 0;
    if (const auto* i = value->asInt())
        return *i;
    if (const auto* e = value->asExpr())
        return ir::constInt(*e);
    return std::nullopt;
}

std::optional<std::int64_t> constExtent(const ir::ForNode& loop) {
    return ir::constInt(loop.extent);
}

} // namespace tilewright::analysis
