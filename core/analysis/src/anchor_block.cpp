// SPDX-License-Identifier: Apache-2.0
#include <tilewright/analysis/anchor_block.h>

#include <tilewright/analysis/flops.h>
#include <tilewright/ir/visit.h>

namespace tilewright::analysis {
namespace {

/// Blocks with init below a statement, those inside init left out.
void collectWithInit(const ir::Stmt& stmt, std::vector<const ir::BlockNode*>& found) {
    ir::walk(stmt, [&](const ir::Node& node) {
        if (node.kind() != ir::NodeKind::Block)
            return ir::StmtNode::classof(node.kind());
        const auto& block = static_cast<const ir::BlockNode&>(node);
        if (block.init)
            found.push_back(&block);
        collectWithInit(block.body, found);
        return false;
    });
}

bool contains(const ir::Stmt& stmt, const ir::BlockNode* block) {
    bool found = false;
    ir::walk(stmt, [&](const ir::Node& node) {
        found = found || &node == block;
        return !found && ir::StmtNode::classof(node.kind());
    });
    return found;
}

} // namespace

const ir::BlockNode* anchorBlock(const ir::Module& module) {
    const ir::PrimFunc function = module.find(module.entryName());
    if (!function)
        return nullptr;
    std::vector<const ir::BlockNode*> candidates;
    collectWithInit(function->body, candidates);
    if (candidates.size() <= 1)
        return candidates.empty() ? nullptr : candidates.front();
    const auto* realize = ir::as<ir::BlockRealizeNode>(function->body);
    const ir::Stmt top = realize ? realize->block->body : function->body;
    const auto* seq = ir::as<ir::SeqStmtNode>(top);
    const std::vector<ir::Stmt> nests = seq ? seq->seq : std::vector<ir::Stmt>{top};
    const ir::BlockNode* best = nullptr;
    double most = -1;
    for (const ir::BlockNode* block : candidates) {
        for (const ir::Stmt& nest : nests) {
            if (!contains(nest, block))
                continue;
            const double flops = estimateFlops(nest);
            if (flops > most) {
                most = flops;
                best = block;
            }
            break;
        }
    }
    return best;
}

} // namespace tilewright::analysis
