// SPDX-License-Identifier: Apache-2.0
#include "passes.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <unordered_map>

namespace tilewright::lower {

using namespace tilewright::ir;

namespace {

using Placement = std::unordered_map<const StmtNode*, std::vector<Buffer>>;

/// Finds, for each buffer that blocks allocate, the innermost loop or block around all its uses.
class AllocationPlan final : public Visitor {
public:
    static Placement make(const Stmt& body) {
        AllocationPlan plan;
        plan.visit(body);
        Placement placement;
        for (const Buffer& buffer : plan.order_) {
            const auto it = plan.lca_.find(buffer.get());
            if (it == plan.lca_.end() || it->second.empty())
                continue; // never used
            placement[it->second.back()].push_back(buffer);
        }
        return placement;
    }

protected:
    using Visitor::visitNode;
    void visitNode(const ForNode& node) override {
        visit(node.min);
        visit(node.extent);
        stack_.push_back(&node);
        visit(node.body);
        stack_.pop_back();
    }
    void visitNode(const BlockRealizeNode& node) override {
        visit(node.predicate);
        for (const Expr& value : node.iterValues)
            visit(value);
        // A value carried from iteration to iteration must outlive the loops that carry it.
        std::size_t carried = stack_.size();
        for (std::size_t i = 0; i < node.iterValues.size(); ++i) {
            if (node.block->iterVars[i].type == IterType::DataPar)
                continue;
            for (std::size_t d = 0; d < carried; ++d) {
                const auto* loop = as<ForNode>(stack_[d]);
                if (loop && usesVar(node.iterValues[i], loop->loopVar.get()))
                    carried = d;
            }
        }
        const BlockNode& block = *node.block;
        for (const Buffer& buffer : block.allocBuffers)
            declare(buffer);
        for (const MatchBufferRegion& match : block.matchBuffers) {
            alias_[match.buffer.get()] = root(match.source.buffer.get());
            access(match.source.buffer.get(), stack_.size());
        }
        for (const BufferRegion& write : block.writes)
            access(write.buffer.get(), carried);
        stack_.push_back(&block);
        if (block.init)
            visit(block.init);
        visit(block.body);
        stack_.pop_back();
    }
    void visitNode(const BufferLoadNode& node) override {
        access(node.buffer.get(), stack_.size());
        Visitor::visitNode(node);
    }
    void visitNode(const BufferStoreNode& node) override {
        access(node.buffer.get(), stack_.size());
        Visitor::visitNode(node);
    }
    void visitNode(const RegionAccessNode& node) override {
        access(node.buffer.get(), stack_.size());
        Visitor::visitNode(node);
    }

private:
    void declare(const Buffer& buffer) {
        if (declared_.emplace(buffer.get(), true).second)
            order_.push_back(buffer);
    }
    const BufferNode* root(const BufferNode* buffer) const {
        const auto it = alias_.find(buffer);
        return it == alias_.end() ? buffer : it->second;
    }
    void access(const BufferNode* buffer, std::size_t depth) {
        buffer = root(buffer);
        if (!declared_.contains(buffer))
            return;
        // Lanes of a vectorised loop need an element each, so the buffer stays outside.
        for (std::size_t d = 0; d < depth; ++d) {
            const auto* loop = as<ForNode>(stack_[d]);
            if (loop &&
                (loop->forKind == ForKind::Vectorized || loop->forKind == ForKind::ThreadBinding))
                depth = d;
        }
        std::vector<const StmtNode*> path(stack_.begin(),
                                          stack_.begin() + static_cast<std::ptrdiff_t>(depth));
        const auto [it, fresh] = lca_.emplace(buffer, path);
        if (fresh)
            return;
        std::vector<const StmtNode*>& known = it->second;
        std::size_t same = 0;
        while (same < known.size() && same < path.size() && known[same] == path[same])
            ++same;
        known.resize(same);
    }

    std::vector<const StmtNode*> stack_;
    std::vector<Buffer> order_;
    std::unordered_map<const BufferNode*, bool> declared_;
    std::unordered_map<const BufferNode*, const BufferNode*> alias_;
    std::unordered_map<const BufferNode*, std::vector<const StmtNode*>> lca_;
};

class BlockLowering final : public Rewriter {
public:
    explicit BlockLowering(Placement placement) : placement_(std::move(placement)) {}

protected:
    using Rewriter::rewriteNode;
    Expr rewriteNode(const VarNode& node) override {
        const auto it = values_.find(&node);
        return it == values_.end() ? Rewriter::rewriteNode(node) : it->second;
    }
    Stmt rewriteNode(const ForNode& node) override {
        const Stmt result = Rewriter::rewriteNode(node);
        const auto it = placement_.find(&node);
        if (it == placement_.end())
            return result;
        return edited(as<ForNode>(result),
                      [&](ForNode& n) { n.body = withAllocations(it->second, n.body); });
    }
    Stmt rewriteNode(const BlockRealizeNode& node) override {
        const BlockNode& block = *node.block;
        if (block.iterVars.size() != node.iterValues.size())
            throw base::UserError("lower", base::concat("block `", block.name, "` has ",
                                                        block.iterVars.size(), " iterators and ",
                                                        node.iterValues.size(), " values"));
        Expr first; // all reduction iterators at their start
        for (std::size_t i = 0; i < block.iterVars.size(); ++i) {
            const IterVar& iter = block.iterVars[i];
            const Expr value = rewrite(node.iterValues[i]);
            values_[iter.var.get()] = value;
            if (block.init && iter.type == IterType::CommReduce) {
                const Expr start = equal(value, rewrite(iter.dom.min));
                first = first ? logicalAnd(first, start) : start;
            }
        }
        for (const MatchBufferRegion& match : block.matchBuffers)
            addMatch(match);
        std::vector<Stmt> body;
        if (block.init) {
            const Stmt init = rewrite(block.init);
            body.push_back(first ? makeIf(first, init) : init);
        }
        body.push_back(rewrite(block.body));
        Stmt result = makeSeq(std::move(body));
        const auto it = placement_.find(&block);
        if (it != placement_.end())
            result = withAllocations(it->second, result);
        // Pragmas on a block hold for the loops inside it.
        for (const auto& [key, value] : block.annotations) {
            if (key.rfind("pragma_", 0) != 0)
                continue;
            if (const std::int64_t number = value.toInt(-1); number >= 0)
                result = Stmt(new AttrStmtNode(AttrValue(), key, makeInt(number), result));
        }
        const Expr predicate = rewrite(node.predicate);
        return isConstInt(predicate, 1) ? result : makeIf(predicate, result);
    }
    Expr rewriteNode(const BufferLoadNode& node) override {
        const auto it = matches_.find(node.buffer.get());
        if (it == matches_.end())
            return Rewriter::rewriteNode(node);
        bool changed = false;
        return makeLoad(it->second.buffer, shifted(it->second, rewriteAll(node.indices, changed)),
                        node.predicate);
    }
    Stmt rewriteNode(const BufferStoreNode& node) override {
        const auto it = matches_.find(node.buffer.get());
        if (it == matches_.end())
            return Rewriter::rewriteNode(node);
        bool changed = false;
        return makeStore(it->second.buffer, rewrite(node.value),
                         shifted(it->second, rewriteAll(node.indices, changed)), node.predicate);
    }

private:
    static Stmt withAllocations(const std::vector<Buffer>& buffers, const Stmt& body) {
        std::vector<Stmt> seq;
        for (const Buffer& buffer : buffers)
            seq.push_back(Stmt(new AllocBufferNode(buffer, {})));
        seq.push_back(body);
        return makeSeq(std::move(seq));
    }

    void addMatch(const MatchBufferRegion& match) {
        bool changed = false;
        BufferRegion source = rewriteRegion(match.source, changed);
        const auto outer = matches_.find(source.buffer.get());
        if (outer != matches_.end()) {
            std::vector<Expr> mins;
            for (const Range& range : source.region)
                mins.push_back(range.min);
            mins = shifted(outer->second, std::move(mins));
            source.region.insert(source.region.begin(), mins.size() - source.region.size(),
                                 Range::point(makeInt(0)));
            for (std::size_t d = 0; d < mins.size(); ++d)
                source.region[d].min = mins[d];
            source.buffer = outer->second.buffer;
        }
        bindStrides(*match.buffer, source);
        matches_[match.buffer.get()] = std::move(source);
    }

    /// Gives values to the variables that stand for strides and offset of a matched buffer.
    void bindStrides(const BufferNode& matched, const BufferRegion& source) {
        const std::vector<Expr>& shape = source.buffer->shape;
        Expr stride = makeInt(1);
        Expr offset = makeInt(0);
        std::vector<Expr> strides(shape.size());
        for (std::size_t d = shape.size(); d-- > 0;) {
            strides[d] = source.buffer->strides.empty() ? stride : source.buffer->strides[d];
            offset = offset + source.region[d].min * strides[d];
            stride = stride * shape[d];
        }
        const std::size_t lead = shape.size() - std::min(shape.size(), matched.strides.size());
        for (std::size_t d = 0; d < matched.strides.size() && d + lead < shape.size(); ++d)
            if (const auto* var = as<VarNode>(matched.strides[d]))
                values_[var] = strides[d + lead];
        if (const auto* var = as<VarNode>(matched.elemOffset))
            values_[var] = offset;
        for (std::size_t d = 0; d < matched.shape.size() && d + lead < shape.size(); ++d)
            if (const auto* var = as<VarNode>(matched.shape[d]))
                values_[var] = source.region[d + lead].extent;
    }

    static std::vector<Expr> shifted(const BufferRegion& source, std::vector<Expr> indices) {
        std::vector<Expr> result;
        const std::size_t lead =
            source.region.size() - std::min(source.region.size(), indices.size());
        for (std::size_t d = 0; d < source.region.size(); ++d)
            result.push_back(d < lead ? source.region[d].min
                                      : source.region[d].min + indices[d - lead]);
        return result;
    }

    Placement placement_;
    VarMap values_;
    std::unordered_map<const BufferNode*, BufferRegion> matches_;
};

} // namespace

Stmt lowerBlocks(const PrimFuncNode& function) {
    return BlockLowering(AllocationPlan::make(function.body)).rewrite(function.body);
}

} // namespace tilewright::lower
