// SPDX-License-Identifier: Apache-2.0
#include "index_rewriter.h"
#include "loop_scope.h"
#include "passes.h"
#include "resize_buffer.h"

#include <algorithm>
#include <unordered_map>

namespace tilewright::lower {

using namespace tilewright::ir;

namespace {

/// The part of one dimension that is used: base + [lo, hi], where the base is fixed for the life
/// of the allocation.
struct UsedRange {
    bool seen = false;
    bool whole = false; ///< not expressible: keep the dimension
    IndexForm base;
    Interval extent{0, 0};
};

struct Allocation {
    Buffer buffer;
    int depth = 0;
    std::vector<UsedRange> used;
    Buffer compact;
};

using Allocations = std::unordered_map<const BufferNode*, Allocation>;

/// Collects the region of each allocated buffer that its accesses reach.
class UseCollector final : public Visitor {
public:
    Allocations take() { return std::move(allocations_); }

protected:
    using Visitor::visitNode;
    void visitNode(const ForNode& node) override {
        const LoopScope scope(indices_, node);
        ++depth_;
        firstInner_.push_back(indices_.depthOf(node.loopVar.get()));
        visit(node.body);
        firstInner_.pop_back();
        --depth_;
    }
    void visitNode(const AllocBufferNode& node) override {
        Allocation& allocation = allocations_[node.buffer.get()];
        allocation.buffer = node.buffer;
        // Variables declared later than this are inside the allocation's life.
        allocation.depth = firstInner_.empty() ? -1 : firstInner_.back();
        allocation.used.assign(node.buffer->shape.size(), {});
    }
    void visitNode(const BufferLoadNode& node) override {
        access(*node.buffer, node.indices);
        Visitor::visitNode(node);
    }
    void visitNode(const BufferStoreNode& node) override {
        access(*node.buffer, node.indices);
        Visitor::visitNode(node);
    }
    void visitNode(const RegionAccessNode& node) override { keepWhole(*node.buffer); }
    void visitNode(const CallNode& node) override {
        // Addresses that leave our sight may be followed by any offset.
        const bool address =
            node.op == Op::AddressOf || node.op == Op::AccessPtr || node.op == Op::BufferData;
        if (address)
            for (const Expr& arg : node.args)
                if (const auto* load = as<BufferLoadNode>(arg))
                    keepWhole(*load->buffer);
        Visitor::visitNode(node);
    }

private:
    void keepWhole(const BufferNode& buffer) {
        const auto it = allocations_.find(&buffer);
        if (it != allocations_.end())
            for (UsedRange& used : it->second.used)
                used.whole = true;
    }

    void access(const BufferNode& buffer, const std::vector<Expr>& indices) {
        const auto it = allocations_.find(&buffer);
        if (it == allocations_.end())
            return;
        Allocation& allocation = it->second;
        for (std::size_t d = 0; d < indices.size() && d < allocation.used.size(); ++d)
            accessDimension(allocation.used[d], indices[d], allocation.depth);
    }

    void accessDimension(UsedRange& used, const Expr& index, int depth) {
        if (used.whole)
            return;
        if (!isIndexExpr(index)) {
            used.whole = true;
            return;
        }
        IndexForm outer;
        IndexForm inner;
        const IndexForm form = indices_.form(index);
        inner.constant = form.constant;
        for (const IndexTerm& term : form.terms) {
            bool hasInner = false;
            bool hasOuter = false;
            walk(term.atom, [&](const Node& n) {
                if (n.kind() != NodeKind::Var)
                    return true;
                const int at = indices_.depthOf(static_cast<const VarNode*>(&n));
                (at > depth ? hasInner : hasOuter) = true;
                return true;
            });
            if (hasInner && hasOuter) {
                used.whole = true;
                return;
            }
            (hasInner ? inner : outer).terms.push_back(term);
        }
        const Interval reach = indices_.range(inner);
        if (!reach.bounded() || (used.seen && !sameTerms(used.base, outer))) {
            used.whole = true;
            return;
        }
        if (!used.seen) {
            used.seen = true;
            used.base = outer;
            used.extent = reach;
            return;
        }
        used.extent.lo = std::min(used.extent.lo, reach.lo);
        used.extent.hi = std::max(used.extent.hi, reach.hi);
    }

    IndexSimplifier indices_;
    Allocations allocations_;
    std::vector<int> firstInner_;
    int depth_ = 0;
};

class Compactor final : public IndexRewriter {
public:
    explicit Compactor(Allocations allocations) : allocations_(std::move(allocations)) {
        for (auto& [node, allocation] : allocations_)
            shrink(allocation);
    }

protected:
    using IndexRewriter::rewriteNode;
    Expr rewriteNode(const BufferLoadNode& node) override {
        const auto it = allocations_.find(node.buffer.get());
        if (it == allocations_.end() || !it->second.compact)
            return IndexRewriter::rewriteNode(node);
        return makeLoad(it->second.compact, relative(it->second, node.indices), node.predicate);
    }
    Stmt rewriteNode(const BufferStoreNode& node) override {
        const auto it = allocations_.find(node.buffer.get());
        if (it == allocations_.end() || !it->second.compact)
            return IndexRewriter::rewriteNode(node);
        return makeStore(it->second.compact, rewrite(node.value),
                         relative(it->second, node.indices), node.predicate);
    }
    Buffer rewriteBuffer(const Buffer& buffer) override {
        const auto it = allocations_.find(buffer.get());
        return it == allocations_.end() || !it->second.compact ? buffer : it->second.compact;
    }

private:
    static void shrink(Allocation& allocation) {
        std::vector<Expr> shape = allocation.buffer->shape;
        bool smaller = false;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            UsedRange& used = allocation.used[d];
            const auto whole = constInt(shape[d]);
            const std::int64_t need = used.extent.hi - used.extent.lo + 1;
            if (used.whole || !used.seen || (whole && need >= *whole)) {
                used.whole = true;
                continue;
            }
            shape[d] = makeInt(need, shape[d]->dtype);
            smaller = true;
        }
        if (!smaller || !allocation.buffer->strides.empty())
            return;
        allocation.compact = resizeBuffer(*allocation.buffer, std::move(shape));
    }

    std::vector<Expr> relative(const Allocation& allocation, const std::vector<Expr>& indices) {
        std::vector<Expr> result;
        for (std::size_t d = 0; d < indices.size(); ++d) {
            const UsedRange& used = allocation.used[d];
            if (used.whole) {
                result.push_back(rewrite(indices[d]));
                continue;
            }
            IndexForm form = indices_.form(indices[d]);
            IndexSimplifier::addScaled(form, used.base, -1);
            form.constant -= used.extent.lo;
            result.push_back(indices_.toExpr(form, indices[d]->dtype));
        }
        return result;
    }

    Allocations allocations_;
};

} // namespace

Stmt compactBuffers(const Stmt& body) {
    UseCollector collector;
    collector.visit(body);
    return Compactor(collector.take()).rewrite(body);
}

} // namespace tilewright::lower
