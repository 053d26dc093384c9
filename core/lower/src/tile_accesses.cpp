// SPDX-License-Identifier: Apache-2.0
#include "tile_accesses.h"

#include "lane_mask.h"
#include "loop_scope.h"

#include <algorithm>
#include <set>

namespace tilewright::lower {

using namespace tilewright::ir;

bool splitAccess(const IndexSimplifier& indices, const Expr& index, const Expr& predicate,
                 IndexForm& start, TileAddress& address) {
    address = {};
    Expr scalar = index;
    if (const auto* ramp = as<RampNode>(index)) {
        const auto step = constInt(ramp->stride);
        const auto count = constInt(ramp->lanes);
        if (!step || !count)
            return false;
        address.stride = *step;
        address.lanes = static_cast<int>(*count);
        address.active = address.lanes;
        scalar = ramp->base;
    }
    if (predicate) {
        const auto active = activeLanes(predicate);
        if (!active)
            return false;
        address.active = *active;
    }
    if (!isIndexExpr(scalar))
        return false;
    start = indices.form(scalar);
    return true;
}

namespace {

class TileFinder final : public Visitor {
public:
    TileFinder(IndexSimplifier& indices, const ForNode& loop, std::size_t limit)
        : indices_(indices), loop_(loop), limit_(limit),
          loopDepth_(indices.depthOf(loop.loopVar.get())) {}

    std::vector<TileAccesses> run() {
        walk(loop_.body, [&](const Node& n) {
            if (n.kind() == NodeKind::BufferStore)
                tile(static_cast<const BufferStoreNode&>(n).buffer);
            return true;
        });
        visit(loop_.body);
        std::vector<TileAccesses> result;
        for (TileAccesses& tile : tiles_) {
            if (tile.fits && !disjoint(tile.addresses))
                tile.fits = false;
            result.push_back(std::move(tile));
        }
        return result;
    }

protected:
    using Visitor::visitNode;
    void visitNode(const ForNode& node) override {
        const LoopScope scope(indices_, node);
        inner_.push_back(&node);
        visit(node.body);
        inner_.pop_back();
    }
    void visitNode(const IfThenElseNode& node) override {
        visit(node.condition);
        conditions_.push_back(node.condition);
        visit(node.thenCase);
        if (node.elseCase)
            visit(node.elseCase);
        conditions_.pop_back();
    }
    void visitNode(const WhileNode& node) override { rejectAll(Stmt(&node)); }
    void visitNode(const AllocBufferNode& node) override {
        // Born inside: it has no value to carry.
        for (TileAccesses& tile : tiles_)
            if (tile.buffer == node.buffer)
                tile.fits = false;
    }
    void visitNode(const BufferLoadNode& node) override {
        access(node.buffer, node.indices, node.predicate, false);
        Visitor::visitNode(node);
    }
    void visitNode(const BufferStoreNode& node) override {
        access(node.buffer, node.indices, node.predicate, true);
        Visitor::visitNode(node);
    }
    void visitNode(const CallNode& node) override {
        if (purity(node.op) == Purity::Opaque)
            for (TileAccesses& tile : tiles_)
                tile.fits = false;
        Visitor::visitNode(node);
    }
    void visitNode(const RegionAccessNode& node) override {
        if (TileAccesses* found = find(node.buffer))
            found->fits = false;
    }

private:
    TileAccesses* find(const Buffer& buffer) {
        for (TileAccesses& tile : tiles_)
            if (tile.buffer == buffer)
                return &tile;
        return nullptr;
    }
    void tile(const Buffer& buffer) {
        if (find(buffer))
            return;
        tiles_.emplace_back();
        tiles_.back().buffer = buffer;
        if (buffer->scope == "register")
            tiles_.back().fits = false;
    }
    void rejectAll(const Stmt& stmt) {
        walk(stmt, [&](const Node& n) {
            TileAccesses* found = nullptr;
            if (n.kind() == NodeKind::BufferStore)
                found = find(static_cast<const BufferStoreNode&>(n).buffer);
            if (n.kind() == NodeKind::BufferLoad)
                found = find(static_cast<const BufferLoadNode&>(n).buffer);
            if (found)
                found->fits = false;
            return true;
        });
    }

    void access(const Buffer& buffer, const std::vector<Expr>& index, const Expr& predicate,
                bool store) {
        TileAccesses* tile = find(buffer);
        if (!tile || !tile->fits)
            return;
        (store ? tile->stored : tile->loaded) = true;
        IndexForm start;
        TileAddress address;
        if (index.size() != 1 || !splitAccess(indices_, index[0], predicate, start, address)) {
            tile->fits = false;
            return;
        }
        tile->fits = addAccess(*tile, start, address);
    }

    bool addAccess(TileAccesses& tile, const IndexForm& start, TileAddress address) {
        IndexForm base;
        std::vector<std::pair<const ForNode*, std::int64_t>> steps;
        for (const IndexTerm& term : start.terms) {
            bool outer = true;
            bool unknown = false;
            walk(term.atom, [&](const Node& n) {
                if (n.kind() == NodeKind::Var) {
                    const int depth = indices_.depthOf(static_cast<const VarNode*>(&n));
                    unknown = unknown || depth < 0;
                    outer = outer && depth < loopDepth_;
                }
                return true;
            });
            if (unknown)
                return false;
            if (outer) {
                base.terms.push_back(term);
                continue;
            }
            const auto loop = std::find_if(inner_.begin(), inner_.end(), [&](const ForNode* l) {
                return term.atom.get() == l->loopVar.get();
            });
            if (loop == inner_.end() || !constInt((*loop)->extent))
                return false; // the loop's own variable, or one inside a division
            steps.emplace_back(*loop, term.coeff);
        }
        if (!tile.addresses.empty() && !sameTerms(tile.base, base))
            return false;
        if (guarded(base, steps))
            return false;
        tile.base = std::move(base);
        for (const auto& [loop, coeff] : steps)
            tile.unrolled.insert(loop->loopVar.get());
        address.start = start.constant;
        return enumerate(tile, steps, 0, address);
    }

    /// Under a condition on what addresses the tile, an element may not be ours to touch.
    bool guarded(const IndexForm& base,
                 const std::vector<std::pair<const ForNode*, std::int64_t>>& steps) const {
        return std::any_of(conditions_.begin(), conditions_.end(), [&](const Expr& condition) {
            return usesVar(condition, [&](const VarNode* var) {
                return base.uses(var) || std::any_of(steps.begin(), steps.end(), [&](auto& s) {
                           return s.first->loopVar.get() == var;
                       });
            });
        });
    }

    bool enumerate(TileAccesses& tile,
                   const std::vector<std::pair<const ForNode*, std::int64_t>>& steps,
                   std::size_t at, TileAddress address) const {
        if (at == steps.size()) {
            if (std::find(tile.addresses.begin(), tile.addresses.end(), address) ==
                tile.addresses.end())
                tile.addresses.push_back(address);
            return tile.addresses.size() <= limit_;
        }
        const std::int64_t count = *constInt(steps[at].first->extent);
        for (std::int64_t i = 0; i < count; ++i) {
            if (!enumerate(tile, steps, at + 1, address))
                return false;
            address.start += steps[at].second;
        }
        return true;
    }

    static bool disjoint(const std::vector<TileAddress>& addresses) {
        std::set<std::int64_t> seen;
        for (const TileAddress& address : addresses)
            for (int lane = 0; lane < address.active; ++lane)
                if (!seen.insert(address.start + lane * address.stride).second)
                    return false;
        return true;
    }

    IndexSimplifier& indices_;
    const ForNode& loop_;
    std::size_t limit_;
    int loopDepth_;
    std::vector<const ForNode*> inner_;
    std::vector<Expr> conditions_;
    std::vector<TileAccesses> tiles_;
};

} // namespace

std::vector<TileAccesses> findTiles(IndexSimplifier& indices, const ForNode& loop,
                                    std::size_t limit) {
    return TileFinder(indices, loop, limit).run();
}

} // namespace tilewright::lower
