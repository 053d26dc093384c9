// SPDX-License-Identifier: Apache-2.0
#include <tilewright/analysis/block_access.h>

#include <tilewright/analysis/region_bounds.h>
#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/int_set.h>
#include <tilewright/arith/linear_equation.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::analysis {
namespace {

/// One touched buffer with the union of its accesses so far.
struct Touched {
    ir::Buffer buffer;
    arith::IntSetRegion region;
};

class AccessVisitor : public ir::Visitor {
public:
    explicit AccessVisitor(const ir::BlockNode& block) : block_(block) {}

    BlockAccess run() {
        if (block_.init)
            visit(block_.init);
        visit(block_.body);
        BlockAccess access;
        access.writes = regions(writes_, nullptr);
        // In a reduction the output is read back by its own update, which is no dependence.
        access.reads = regions(reads_, block_.init ? &access.writes : nullptr);
        access.opaque = regions(opaque_, nullptr);
        return access;
    }

protected:
    void visitNode(const ir::ForNode& loop) override {
        visit(loop.min);
        visit(loop.extent);
        const arith::IntSet set = relaxed(ir::Range{loop.min, loop.extent});
        domain_.push_back({loop.loopVar, set});
        visit(loop.body);
        domain_.pop_back();
    }
    void visitNode(const ir::IfThenElseNode& node) override {
        visit(node.condition);
        withGuard(node.condition, [&] { visit(node.thenCase); });
        if (node.elseCase)
            withGuard(ir::logicalNot(node.condition), [&] { visit(node.elseCase); });
    }
    void visitNode(const ir::CallNode& call) override {
        if (call.op == ir::Op::IfThenElse) {
            visit(call.args[0]);
            withGuard(call.args[0], [&] { visit(call.args[1]); });
            withGuard(ir::logicalNot(call.args[0]), [&] { visit(call.args[2]); });
            return;
        }
        if (call.op == ir::Op::AddressOf || call.op == ir::Op::BufferData) {
            for (const auto& arg : call.args)
                if (const auto* load = ir::as<ir::BufferLoadNode>(arg))
                    touchWhole(load->buffer);
        }
        Visitor::visitNode(call);
    }
    void visitNode(const ir::BufferLoadNode& load) override {
        touch(reads_, load.buffer, load.indices);
        Visitor::visitNode(load);
    }
    void visitNode(const ir::BufferStoreNode& store) override {
        touch(writes_, store.buffer, store.indices);
        Visitor::visitNode(store);
    }
    void visitNode(const ir::RegionAccessNode& access) override {
        touchWhole(access.buffer);
        Visitor::visitNode(access);
    }
    void visitNode(const ir::BindNode& bind) override {
        visit(bind.value);
        lets_[bind.var.get()] = ir::substitute(bind.value, lets_);
    }
    void visitNode(const ir::BlockRealizeNode& realize) override {
        ir::VarMap values;
        for (std::size_t i = 0; i < realize.iterValues.size(); ++i) {
            visit(realize.iterValues[i]);
            values.emplace(realize.block->iterVars[i].var.get(), realize.iterValues[i]);
        }
        const auto touchAll = [&](std::vector<Touched>& list, const auto& regions) {
            for (const ir::BufferRegion& region : regions) {
                arith::IntSetRegion sets;
                for (const auto& range : region.region)
                    sets.push_back(relaxed(ir::substitute(range, values)));
                update(list, region.buffer, std::move(sets));
            }
        };
        touchAll(reads_, realize.block->reads);
        touchAll(writes_, realize.block->writes);
    }

private:
    arith::IntSet relaxed(const ir::Range& range) {
        const ir::Range plain = lets_.empty() ? range : ir::substitute(range, lets_);
        return arith::evalSet(plain, domain_, analyzer_);
    }
    arith::IntSet relaxed(const ir::Expr& index) {
        const ir::Expr plain = lets_.empty() ? index : ir::substitute(index, lets_);
        return arith::evalSet(plain, domain_, analyzer_);
    }

    template <class Body> void withGuard(const ir::Expr& condition, Body&& body) {
        const arith::SetDomain saved = domain_;
        if (!domain_.empty())
            narrow(condition);
        body();
        domain_ = saved;
    }

    /// Bounds that a condition puts on single loop variables of this body.
    void narrow(const ir::Expr& condition) {
        for (const ir::Expr& part : arith::conjuncts(analyzer_.simplify(condition))) {
            for (const ir::Var& var : ir::collectVars(part)) {
                const auto at = std::find_if(domain_.begin(), domain_.end(),
                                             [&](const auto& entry) { return entry.var == var; });
                if (at == domain_.end())
                    continue;
                const auto bounds = arith::detectClipBound(part, {var});
                if (!bounds || bounds->empty())
                    continue;
                const auto& bound = bounds->front();
                at->set = arith::intersectSets(
                    at->set, arith::IntSet::interval(bound.min, bound.max), analyzer_);
            }
        }
    }

    void touch(std::vector<Touched>& list, const ir::Buffer& buffer,
               const std::vector<ir::Expr>& indices) {
        arith::IntSetRegion sets;
        sets.reserve(indices.size());
        for (const auto& index : indices)
            sets.push_back(relaxed(index));
        update(list, buffer, std::move(sets));
    }
    void touchWhole(const ir::Buffer& buffer) {
        arith::IntSetRegion sets;
        for (const auto& extent : buffer->shape)
            sets.push_back(arith::IntSet::fromMinExtent(ir::makeInt(0, extent->dtype), extent));
        update(opaque_, buffer, std::move(sets));
    }

    void update(std::vector<Touched>& list, ir::Buffer buffer, arith::IntSetRegion region) {
        if (std::find(block_.allocBuffers.begin(), block_.allocBuffers.end(), buffer) !=
            block_.allocBuffers.end())
            return;
        for (const auto& match : block_.matchBuffers)
            if (match.buffer == buffer) {
                region = toSource(match, region);
                buffer = match.source.buffer;
                break;
            }
        for (Touched& entry : list) {
            if (entry.buffer != buffer)
                continue;
            for (std::size_t i = 0; i < region.size(); ++i)
                entry.region[i] = arith::unionSets(entry.region[i], region[i], analyzer_);
            return;
        }
        list.push_back({std::move(buffer), std::move(region)});
    }

    /// A region of a matched buffer in the coordinates of its source.
    arith::IntSetRegion toSource(const ir::MatchBufferRegion& match,
                                 const arith::IntSetRegion& region) {
        arith::IntSetRegion result;
        const std::size_t lead = match.source.region.size() - region.size();
        for (std::size_t i = 0; i < match.source.region.size(); ++i) {
            const ir::Range& source = match.source.region[i];
            if (i < lead || !region[i - lead].isBounded()) {
                result.push_back(relaxed(source));
                continue;
            }
            const arith::IntSet& set = region[i - lead];
            const ir::Expr min = analyzer_.simplify(source.min + set.min());
            const ir::Expr max = analyzer_.simplify(source.min + set.max());
            result.push_back(arith::IntSet::interval(min, max));
        }
        return result;
    }

    std::vector<ir::BufferRegion> regions(const std::vector<Touched>& list,
                                          const std::vector<ir::BufferRegion>* without) {
        std::vector<ir::BufferRegion> result;
        for (const Touched& entry : list) {
            if (without && std::any_of(without->begin(), without->end(), [&](const auto& region) {
                    return region.buffer == entry.buffer;
                }))
                continue;
            ir::BufferRegion region{entry.buffer, {}};
            for (std::size_t i = 0; i < entry.region.size(); ++i)
                region.region.push_back(toRange(entry.region[i], entry.buffer->shape[i]));
            result.push_back(std::move(region));
        }
        return result;
    }

    ir::Range toRange(const arith::IntSet& set, const ir::Expr& shape) {
        const ir::Range whole{ir::makeInt(0, shape->dtype), shape};
        if (set.isBounded() && (set.isPoint() || analyzer_.canProveEqual(set.min(), set.max())))
            return ir::Range{set.min(), ir::makeInt(1, set.min()->dtype)};
        return set.toRange(whole);
    }

    const ir::BlockNode& block_;
    arith::Analyzer analyzer_;
    arith::SetDomain domain_;
    ir::VarMap lets_;
    std::vector<Touched> reads_;
    std::vector<Touched> writes_;
    std::vector<Touched> opaque_;
};

} // namespace

BlockAccess detectBlockAccess(const ir::BlockNode& block) {
    return AccessVisitor(block).run();
}

BlockAccess detectReadWrite(const ir::BlockNode& block) {
    BlockAccess access = detectBlockAccess(block);
    for (const auto& region : access.opaque) {
        const auto same = [&](const auto& other) { return other.buffer == region.buffer; };
        // An opaque access may touch everything, which replaces what was found so far.
        std::erase_if(access.reads, same);
        std::erase_if(access.writes, same);
        access.reads.push_back(region);
        access.writes.push_back(region);
    }
    access.opaque.clear();
    return access;
}

ir::Block withDetectedAccess(const ir::Block& block) {
    BlockAccess access = detectReadWrite(*block);
    return ir::edited(block, [&](ir::BlockNode& node) {
        node.reads = std::move(access.reads);
        node.writes = std::move(access.writes);
    });
}

} // namespace tilewright::analysis
