// SPDX-License-Identifier: Apache-2.0
// The block that decides how a module is tuned.
#include <tilewright/ir/make.h>
#include <tilewright/ir/structural.h>
#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::ir {

namespace {

/// Arithmetic operations of a value, indices left out.
double operationsOf(const Expr& expr) {
    double count = 0;
    walk(expr, [&](const Node& node) {
        const NodeKind kind = node.kind();
        if ((kind >= NodeKind::Add && kind <= NodeKind::Or) || kind == NodeKind::Not ||
            kind == NodeKind::Select)
            count += 1;
        else if (const auto* call = as<CallNode>(&node); call && purity(call->op) == Purity::Pure)
            count += call->op == Op::IfThenElse || call->op == Op::Likely ? 0 : 1;
        return kind != NodeKind::BufferLoad;
    });
    return count;
}

/// Work of a statement: operations times trip counts; unknown extents count once.
double workOf(const Stmt& stmt) {
    switch (stmt->kind()) {
    case NodeKind::For: {
        const auto* loop = as<ForNode>(stmt);
        const double trips = static_cast<double>(constInt(loop->extent).value_or(1));
        return trips * workOf(loop->body);
    }
    case NodeKind::SeqStmt: {
        double sum = 0;
        for (const Stmt& item : as<SeqStmtNode>(stmt)->seq)
            sum += workOf(item);
        return sum;
    }
    case NodeKind::BlockRealize:
        return workOf(as<BlockRealizeNode>(stmt)->block);
    case NodeKind::Block: {
        const auto* block = as<BlockNode>(stmt);
        double sum = workOf(block->body);
        if (block->init) {
            // The init runs once for all iterations of the reduction.
            double reduction = 1;
            for (const IterVar& iter : block->iterVars) {
                if (iter.type == IterType::CommReduce)
                    reduction *= static_cast<double>(constInt(iter.dom.extent).value_or(1));
            }
            sum += workOf(block->init) / std::max(1.0, reduction);
        }
        return sum;
    }
    case NodeKind::BufferStore:
        return operationsOf(as<BufferStoreNode>(stmt)->value);
    case NodeKind::IfThenElse: {
        const auto* branch = as<IfThenElseNode>(stmt);
        const double otherwise = branch->elseCase ? workOf(branch->elseCase) : 0;
        return operationsOf(branch->condition) + std::max(workOf(branch->thenCase), otherwise);
    }
    case NodeKind::While:
        return workOf(as<WhileNode>(stmt)->body);
    case NodeKind::AttrStmt:
        return workOf(as<AttrStmtNode>(stmt)->body);
    case NodeKind::Bind:
        return operationsOf(as<BindNode>(stmt)->value);
    case NodeKind::Evaluate:
        return operationsOf(as<EvaluateNode>(stmt)->value);
    default:
        return 0;
    }
}

struct Candidate {
    Block block;
    double work = 0;
};

void collect(const Stmt& stmt, double work, std::vector<Candidate>& out) {
    walk(stmt, [&](const Node& node) {
        if (const auto* block = as<BlockNode>(&node)) {
            if (block->init)
                out.push_back({Block(block), work});
            if (block->init) {
                // Blocks inside the init are no candidates.
                collect(block->body, work, out);
                return false;
            }
        }
        return !ExprNode::classof(node.kind());
    });
}

} // namespace

Block findAnchorBlock(const Module& module) {
    const PrimFunc function = module.find(module.entryName());
    if (!function)
        return nullptr;
    Stmt body = function->body;
    std::vector<Candidate> candidates;
    if (const auto* root = as<BlockRealizeNode>(body); root && root->block->iterVars.empty()) {
        if (root->block->init)
            candidates.push_back({root->block, workOf(body)});
        body = root->block->body;
    }
    std::vector<Stmt> nests{body};
    if (const auto* seq = as<SeqStmtNode>(body))
        nests = seq->seq;
    for (const Stmt& nest : nests)
        collect(nest, workOf(nest), candidates);
    const Candidate* best = nullptr;
    for (const Candidate& candidate : candidates) {
        if (!best || candidate.work > best->work)
            best = &candidate;
    }
    return best ? best->block : nullptr;
}

} // namespace tilewright::ir
