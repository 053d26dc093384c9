// SPDX-License-Identifier: Apache-2.0
#include "index_rewriter.h"
#include "lane_mask.h"
#include "loop_scope.h"
#include "passes.h"
#include "register_pressure.h"
#include "tile_accesses.h"

#include <tilewright/base/check.h>

#include <algorithm>

namespace tilewright::lower {

using namespace tilewright::ir;

namespace {

/// One buffer's tile while it lives in registers.
struct Promotion {
    TileAccesses tile;
    std::vector<Buffer> registers; ///< by address
    Var bodyVar;
};

class Promoter final : public IndexRewriter {
public:
    explicit Promoter(const LowerOptions& options) : options_(options) {}

protected:
    using IndexRewriter::rewriteNode;
    Stmt rewriteNode(const ForNode& node) override {
        if (const auto extent = constInt(node.extent);
            extent && unroll_.contains(node.loopVar.get()))
            return replicate(node, *extent);
        if (node.forKind == ForKind::Serial && constInt(node.extent)) {
            if (Stmt promoted = promote(node))
                return promoted;
        }
        return IndexRewriter::rewriteNode(node);
    }
    Expr rewriteNode(const BufferLoadNode& node) override {
        if (const Buffer reg = registerOf(node.buffer, node.indices, node.predicate))
            return makeLoad(reg, {makeInt(0)});
        return IndexRewriter::rewriteNode(node);
    }
    Stmt rewriteNode(const BufferStoreNode& node) override {
        if (const Buffer reg = registerOf(node.buffer, node.indices, node.predicate))
            return makeStore(reg, rewrite(node.value), {makeInt(0)});
        return IndexRewriter::rewriteNode(node);
    }

private:
    Buffer registerOf(const Buffer& buffer, const std::vector<Expr>& indices,
                      const Expr& predicate) {
        const auto it = std::find_if(active_.begin(), active_.end(),
                                     [&](const Promotion& p) { return p.tile.buffer == buffer; });
        if (it == active_.end())
            return nullptr;
        IndexForm start;
        TileAddress address;
        TW_CHECK(splitAccess(indices_, indices[0], predicate, start, address));
        address.start = start.constant;
        const auto at = std::find(it->tile.addresses.begin(), it->tile.addresses.end(), address);
        TW_CHECK(at != it->tile.addresses.end()) << "promoted tile of " << buffer->name;
        return it->registers[static_cast<std::size_t>(at - it->tile.addresses.begin())];
    }

    /// Statements that the loop's body becomes when the given loops are unrolled.
    static std::int64_t unrolledSize(const Stmt& body,
                                     const std::unordered_set<const VarNode*>& unrolled) {
        if (const auto* loop = as<ForNode>(body)) {
            const std::int64_t inner = unrolledSize(loop->body, unrolled);
            return unrolled.contains(loop->loopVar.get()) ? inner * *constInt(loop->extent) : inner;
        }
        if (const auto* seq = as<SeqStmtNode>(body)) {
            std::int64_t sum = 0;
            for (const Stmt& stmt : seq->seq)
                sum += unrolledSize(stmt, unrolled);
            return sum;
        }
        if (const auto* branch = as<IfThenElseNode>(body))
            return unrolledSize(branch->thenCase, unrolled) +
                   (branch->elseCase ? unrolledSize(branch->elseCase, unrolled) : 0);
        if (const auto* attr = as<AttrStmtNode>(body))
            return unrolledSize(attr->body, unrolled);
        return 1;
    }

    static std::int64_t extentOf(const Stmt& body, const VarNode* var) {
        std::int64_t extent = 1;
        walk(body, [&](const Node& n) {
            if (n.kind() == NodeKind::For && static_cast<const ForNode&>(n).loopVar.get() == var)
                extent = constInt(static_cast<const ForNode&>(n).extent).value_or(1);
            return StmtNode::classof(n.kind());
        });
        return extent;
    }

    Stmt promote(const ForNode& node) {
        indices_.bind(node.loopVar, loopRange(indices_, node));
        std::vector<TileAccesses> tiles =
            findTiles(indices_, node, static_cast<std::size_t>(options_.vectorRegisters));
        std::size_t used = 0;
        std::vector<Promotion> chosen;
        std::unordered_set<const VarNode*> unrolled;
        for (TileAccesses& tile : tiles) {
            const bool active = std::any_of(active_.begin(), active_.end(),
                                            [&](auto& p) { return p.tile.buffer == tile.buffer; });
            if (!tile.fits || !tile.loaded || !tile.stored || active)
                continue;
            const BodyLoads loads =
                countLoads(node.body, tile.buffer.get(), [&](const VarNode* var) {
                    return tile.unrolled.contains(var) ? extentOf(node.body, var) : 1;
                });
            const auto size = static_cast<std::int64_t>(used + tile.addresses.size());
            if (registersNeeded(size, loads) > options_.vectorRegisters)
                continue;
            used += tile.addresses.size();
            unrolled.insert(tile.unrolled.begin(), tile.unrolled.end());
            chosen.push_back({std::move(tile), {}, node.loopVar});
        }
        indices_.unbind(node.loopVar.get());
        if (chosen.empty() || unrolledSize(node.body, unrolled) > options_.unrollLimit)
            return nullptr;
        return apply(node, std::move(chosen), unrolled);
    }

    Stmt apply(const ForNode& node, std::vector<Promotion> chosen,
               const std::unordered_set<const VarNode*>& unrolled) {
        std::vector<Stmt> before;
        std::vector<Stmt> after;
        for (Promotion& promotion : chosen) {
            const TileAccesses& tile = promotion.tile;
            for (const TileAddress& address : tile.addresses) {
                const Buffer reg = makeBuffer(tile.buffer->name + "_reg",
                                              tile.buffer->dtype.withLanes(address.lanes),
                                              std::vector<Expr>{makeInt(1)}, "register");
                promotion.registers.push_back(reg);
                const Expr at = indexOf(tile, address);
                before.push_back(Stmt(new AllocBufferNode(reg, {})));
                const Expr mask = address.active < address.lanes
                                      ? firstLanes(address.active, address.lanes)
                                      : nullptr;
                before.push_back(makeStore(reg, makeLoad(tile.buffer, {at}, mask), {makeInt(0)}));
                after.push_back(makeStore(tile.buffer, makeLoad(reg, {makeInt(0)}), {at}, mask));
            }
        }
        const std::size_t mark = active_.size();
        for (Promotion& promotion : chosen)
            active_.push_back(std::move(promotion));
        for (const VarNode* var : unrolled)
            unroll_.insert(var);
        before.push_back(IndexRewriter::rewriteNode(node));
        for (const VarNode* var : unrolled)
            unroll_.erase(var);
        active_.resize(mark);
        before.insert(before.end(), after.begin(), after.end());
        return makeSeq(std::move(before));
    }

    Expr indexOf(const TileAccesses& tile, const TileAddress& address) const {
        IndexForm start = tile.base;
        start.constant = address.start;
        const Expr scalar = indices_.toExpr(start, DataType::i(32));
        return address.lanes == 1 ? scalar
                                  : makeRamp(scalar, makeInt(address.stride), address.lanes);
    }

    LowerOptions options_;
    std::vector<Promotion> active_;
    std::unordered_set<const VarNode*> unroll_;
};

} // namespace

Stmt promoteAccumulators(const Stmt& body, const LowerOptions& options) {
    return Promoter(options).rewrite(body);
}

} // namespace tilewright::lower
