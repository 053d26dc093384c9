// SPDX-License-Identifier: Apache-2.0
#include <tilewright/analysis/block_kind.h>

#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::analysis {

std::string_view describe(CompleteViolation violation) {
    switch (violation) {
    case CompleteViolation::None:
        return "the block is complete";
    case CompleteViolation::NotDataParallel:
        return "All block vars have to be data-parallel";
    case CompleteViolation::NotDominant:
        return "The block has to be the only writer of the buffers it writes in its scope";
    case CompleteViolation::ReadsWhatItWrites:
        return "The block must not read a buffer that it writes";
    }
    return {};
}

std::string_view describe(ReductionViolation violation) {
    switch (violation) {
    case ReductionViolation::None:
        return "the block is a reduction block";
    case ReductionViolation::NoInit:
        return "The block has no init statement";
    case ReductionViolation::NotAffine:
        return "The block's bindings are not affine";
    case ReductionViolation::OtherIterType:
        return "All block vars have to be either data-parallel or reduction";
    case ReductionViolation::NotDominant:
        return "The block has to be the only writer of the buffers it writes in its scope";
    case ReductionViolation::ReductionIndexesOutput:
        return "A reduction block var is used to index the output buffer";
    }
    return {};
}

bool isDominant(const ir::BlockNode& block, const BufferWriters& writers) {
    return std::all_of(block.writes.begin(), block.writes.end(),
                       [&](const ir::BufferRegion& write) {
                           const int count = writers.count(write.buffer.get());
                           return count == 0 || count == 1;
                       });
}

CompleteViolation completeViolation(const ir::BlockNode& block, const BufferWriters& writers) {
    if (!isSpatial(block))
        return CompleteViolation::NotDataParallel;
    if (!isDominant(block, writers))
        return CompleteViolation::NotDominant;
    for (const auto& write : block.writes)
        for (const auto& read : block.reads)
            if (write.buffer == read.buffer)
                return CompleteViolation::ReadsWhatItWrites;
    return CompleteViolation::None;
}

bool reductionItersIndexOutput(const ir::BlockNode& block) {
    std::vector<const ir::VarNode*> reductions;
    for (const auto& iter : block.iterVars)
        if (iter.type != ir::IterType::DataPar)
            reductions.push_back(iter.var.get());
    if (reductions.empty())
        return false;
    const auto isReduction = [&](const ir::VarNode* var) {
        return std::find(reductions.begin(), reductions.end(), var) != reductions.end();
    };
    const auto isOutput = [&](const ir::BufferNode* buffer) {
        return std::any_of(block.writes.begin(), block.writes.end(),
                           [&](const auto& write) { return write.buffer.get() == buffer; });
    };
    bool found = false;
    ir::walk(block.body, [&](const ir::Node& node) {
        if (found)
            return false;
        if (node.kind() != ir::NodeKind::BufferStore)
            return true;
        const auto& store = static_cast<const ir::BufferStoreNode&>(node);
        if (isOutput(store.buffer.get()))
            for (const auto& index : store.indices)
                found = found || ir::usesVar(index, isReduction);
        return false;
    });
    return found;
}

ReductionViolation reductionViolation(const ir::BlockNode& block, const BufferWriters& writers,
                                      bool affine) {
    if (!block.init)
        return ReductionViolation::NoInit;
    if (!affine)
        return ReductionViolation::NotAffine;
    for (const auto& iter : block.iterVars)
        if (iter.type != ir::IterType::DataPar && iter.type != ir::IterType::CommReduce)
            return ReductionViolation::OtherIterType;
    if (!isDominant(block, writers))
        return ReductionViolation::NotDominant;
    if (reductionItersIndexOutput(block))
        return ReductionViolation::ReductionIndexesOutput;
    return ReductionViolation::None;
}

BufferWriters writersNestedIn(std::span<const ScopeChild> children) {
    BufferWriters merged;
    for (const ScopeChild& child : children) {
        BufferWriters inner;
        for (const ScopeChild& nested : collectChildren(child.block().body)) {
            std::vector<const ir::BufferNode*> seen;
            for (const auto& write : nested.block().writes) {
                if (std::find(seen.begin(), seen.end(), write.buffer.get()) != seen.end())
                    continue;
                seen.push_back(write.buffer.get());
                inner.add(write.buffer.get());
            }
        }
        merged.mergeKeeping(inner);
    }
    return merged;
}

int compactDataflowViolation(std::span<const ScopeChild> children, std::span<const char> affine,
                             const BufferWriters& writers) {
    for (std::size_t i = 0; i < children.size(); ++i) {
        const ir::BlockNode& block = children[i].block();
        if (completeViolation(block, writers) != CompleteViolation::None &&
            reductionViolation(block, writers, affine[i] != 0) != ReductionViolation::None)
            return static_cast<int>(i);
    }
    return -1;
}

bool isOutputBlock(const ir::BlockNode& block, const ir::BlockNode& scope) {
    return std::any_of(block.writes.begin(), block.writes.end(),
                       [&](const ir::BufferRegion& write) {
                           return std::find(scope.allocBuffers.begin(), scope.allocBuffers.end(),
                                            write.buffer) == scope.allocBuffers.end();
                       });
}

bool isSpatial(const ir::BlockNode& block) {
    return std::all_of(block.iterVars.begin(), block.iterVars.end(),
                       [](const auto& iter) { return iter.type == ir::IterType::DataPar; });
}

ir::IterType loopIterType(const ir::ForNode& loop) {
    bool spatial = false;
    bool reduction = false;
    bool other = false;
    ir::walk(loop.body, [&](const ir::Node& node) {
        if (node.kind() != ir::NodeKind::BlockRealize)
            return ir::StmtNode::classof(node.kind());
        const auto& realize = static_cast<const ir::BlockRealizeNode&>(node);
        for (std::size_t i = 0; i < realize.iterValues.size(); ++i) {
            if (!ir::usesVar(realize.iterValues[i], loop.loopVar.get()))
                continue;
            switch (realize.block->iterVars[i].type) {
            case ir::IterType::DataPar:
                spatial = true;
                break;
            case ir::IterType::CommReduce:
                reduction = true;
                break;
            default:
                other = true;
                break;
            }
        }
        return false;
    });
    if (other || (spatial && reduction))
        return ir::IterType::Opaque;
    return reduction ? ir::IterType::CommReduce : ir::IterType::DataPar;
}

} // namespace tilewright::analysis
