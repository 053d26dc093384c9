// SPDX-License-Identifier: Apache-2.0
#include "index_rewriter.h"
#include "loop_scope.h"
#include "passes.h"
#include "register_pressure.h"
#include "tile_accesses.h"

#include <tilewright/arith/expr_equal.h>

#include <algorithm>

namespace tilewright::lower {

using namespace tilewright::ir;

namespace {

/// `for spatial: for reductions: for spatial: C[…] = f(C[…], …)`, perfectly nested.
struct ReductionNest {
    std::vector<const ForNode*> reductions;
    std::vector<const ForNode*> spatial; ///< those outside the reductions first
    std::size_t outside = 0;             ///< how many of them
    const BufferStoreNode* leaf = nullptr;
};

/// Follows a chain of loops with constant extents down to one store, or to a sequence.
struct Chain {
    std::vector<const ForNode*> loops;
    Stmt end;
};
Chain followChain(const Stmt& stmt) {
    Chain chain{{}, stmt};
    while (const auto* loop = as<ForNode>(chain.end)) {
        const bool plain = loop->forKind == ForKind::Serial || loop->forKind == ForKind::Unrolled;
        if (!plain || !constInt(loop->extent))
            break;
        chain.loops.push_back(loop);
        chain.end = loop->body;
    }
    return chain;
}

class TileBlocker final : public IndexRewriter {
public:
    explicit TileBlocker(const LowerOptions& options) : options_(options) {}

protected:
    using IndexRewriter::rewriteNode;
    Stmt rewriteNode(const ForNode& node) override {
        if (node.forKind == ForKind::Serial && constInt(node.extent))
            if (Stmt blocked = block(node))
                return blocked;
        return IndexRewriter::rewriteNode(node);
    }

private:
    Stmt block(const ForNode& node) {
        const Chain chain = followChain(Stmt(&node));
        if (as<BufferStoreNode>(chain.end)) {
            ReductionNest nest;
            return match(chain.loops, chain.end, nest) ? reshape(nest) : nullptr;
        }
        return distribute(node, chain);
    }

    /// A sequence below the loops (vector pieces of different widths): if its parts are
    /// independent and do not fit together, each gets a nest of its own.
    Stmt distribute(const ForNode& node, const Chain& chain) {
        const auto* seq = as<SeqStmtNode>(chain.end);
        if (!seq)
            return nullptr;
        std::vector<ReductionNest> nests;
        std::int64_t needed = 0;
        for (const Stmt& child : seq->seq) {
            const Chain rest = followChain(child);
            std::vector<const ForNode*> loops = chain.loops;
            loops.insert(loops.end(), rest.loops.begin(), rest.loops.end());
            nests.emplace_back();
            if (!match(loops, rest.end, nests.back()) ||
                nests.back().leaf->buffer != nests.front().leaf->buffer)
                return nullptr;
            needed += accumulators(nests.back());
        }
        if (needed + 2 <= options_.vectorRegisters || !independent(node))
            return nullptr;
        std::vector<Stmt> parts;
        for (const ReductionNest& nest : nests)
            parts.push_back(split(nest));
        return makeSeq(std::move(parts));
    }

    /// No element is written by two parts: the addresses of all are disjoint sets.
    bool independent(const ForNode& node) {
        indices_.bind(node.loopVar, loopRange(indices_, node));
        const std::vector<TileAccesses> tiles = findTiles(indices_, node, 1024);
        indices_.unbind(node.loopVar.get());
        if (tiles.size() != 1 || !tiles[0].fits)
            return false;
        std::int64_t stores = 0;
        walk(node.body, [&](const Node& n) {
            if (n.kind() == NodeKind::BufferStore)
                stores += copiesOf(node.body, static_cast<const BufferStoreNode&>(n), tiles[0]);
            return true;
        });
        return stores == static_cast<std::int64_t>(tiles[0].addresses.size());
    }
    /// How many addresses one store has, given the loops that address the tile.
    static std::int64_t copiesOf(const Stmt& body, const BufferStoreNode& store,
                                 const TileAccesses& tile) {
        std::int64_t count = 1;
        walk(body, [&](const Node& n) {
            if (n.kind() == NodeKind::For) {
                const auto& loop = static_cast<const ForNode&>(n);
                if (tile.unrolled.contains(loop.loopVar.get()) &&
                    usesVar(store.indices[0], loop.loopVar.get()))
                    count *= constInt(loop.extent).value_or(1);
            }
            return StmtNode::classof(n.kind());
        });
        return count;
    }

    static bool match(const std::vector<const ForNode*>& loops, const Stmt& end,
                      ReductionNest& nest) {
        nest.leaf = as<BufferStoreNode>(end);
        if (!nest.leaf || nest.leaf->indices.size() != 1 || nest.leaf->buffer->scope == "register")
            return false;
        const Expr& at = nest.leaf->indices[0];
        bool inside = false; // past the reductions, among the tile's own loops
        for (const ForNode* loop : loops) {
            if (usesVar(at, loop->loopVar.get())) {
                if (hasPragma(*loop))
                    return false;
                inside = inside || !nest.reductions.empty();
                nest.outside += nest.reductions.empty();
                nest.spatial.push_back(loop);
            } else if (inside) {
                return false; // a reduction further in has its own tile
            } else {
                nest.reductions.push_back(loop);
            }
        }
        if (nest.reductions.empty() || nest.spatial.empty())
            return false;
        bool reads = false;
        bool own = true;
        bool conditional = false;
        walk(nest.leaf->value, [&](const Node& n) {
            if (n.kind() == NodeKind::BufferLoad) {
                const auto& load = static_cast<const BufferLoadNode&>(n);
                if (load.buffer == nest.leaf->buffer) {
                    reads = true;
                    own = own && arith::exprEqual(load.indices[0], at);
                }
            }
            if (n.kind() == NodeKind::Call) {
                const Op op = static_cast<const CallNode&>(n).op;
                own = own && purity(op) != Purity::Opaque;
                conditional = conditional || op == Op::IfThenElse;
            }
            return own;
        });
        // Guarded loads cost address registers; more of them at once is no gain.
        return reads && own && !(conditional && nest.outside > 0);
    }

    static std::int64_t accumulators(const ReductionNest& nest) {
        std::int64_t count = 1;
        for (const ForNode* loop : nest.spatial)
            count *= *constInt(loop->extent);
        return count;
    }

    static bool hasPragma(const ForNode& loop) {
        return std::any_of(loop.annotations.begin(), loop.annotations.end(),
                           [](const auto& entry) { return entry.first.rfind("pragma_", 0) == 0; });
    }

    /// Cycles an accumulation costs with the given tile, on a core that starts two FMAs and two
    /// loads a cycle with a latency of four.
    double cost(const ReductionNest& nest, const std::vector<std::int64_t>& factors) const {
        std::int64_t tile = 1;
        double waste = 1;
        for (std::size_t i = 0; i < factors.size(); ++i) {
            tile *= factors[i];
            if (*constInt(nest.spatial[i]->extent) % factors[i] != 0)
                waste += 0.1;
        }
        const BodyLoads loads =
            countLoads(Stmt(nest.leaf), nest.leaf->buffer.get(), [&](const VarNode* var) {
                for (std::size_t i = 0; i < factors.size(); ++i)
                    if (nest.spatial[i]->loopVar.get() == var)
                        return factors[i];
                return std::int64_t{1};
            });
        if (registersNeeded(tile, loads) > options_.vectorRegisters)
            return 1e9;
        const auto size = static_cast<double>(tile);
        return (std::max(0.5, 4.0 / size) + 0.25 * static_cast<double>(loads.distinct) / size) *
               waste;
    }

    void search(const ReductionNest& nest, std::vector<std::int64_t>& factors, std::int64_t tile,
                std::vector<std::int64_t>& best, double& bestCost) const {
        const std::size_t at = factors.size();
        if (at == nest.spatial.size()) {
            const double c = cost(nest, factors);
            if (c < bestCost) {
                bestCost = c;
                best = factors;
            }
            return;
        }
        const std::int64_t extent = *constInt(nest.spatial[at]->extent);
        for (std::int64_t f = 1; f <= extent && tile * f <= options_.vectorRegisters; ++f) {
            // Uneven pieces outside the reductions would repeat their code.
            if (at < nest.outside && extent % f != 0)
                continue;
            factors.push_back(f);
            search(nest, factors, tile * f, best, bestCost);
            factors.pop_back();
        }
    }

    std::vector<std::int64_t> bestTile(const ReductionNest& nest, double& bestCost) const {
        std::vector<std::int64_t> factors;
        std::vector<std::int64_t> best;
        bestCost = 1e8;
        search(nest, factors, 1, best, bestCost);
        if (best.empty())
            best.assign(nest.spatial.size(), 1);
        return best;
    }

    /// The nest with the tile that suits the registers, null when it has a good one already.
    Stmt reshape(const ReductionNest& nest) const {
        std::vector<std::int64_t> own;
        for (std::size_t i = 0; i < nest.spatial.size(); ++i)
            own.push_back(i < nest.outside ? 1 : *constInt(nest.spatial[i]->extent));
        double bestCost = 0;
        const std::vector<std::int64_t> best = bestTile(nest, bestCost);
        if (cost(nest, own) <= 1.1 * bestCost)
            return nullptr;
        return tiled(nest, best);
    }

    Stmt split(const ReductionNest& nest) const {
        double bestCost = 0;
        return tiled(nest, bestTile(nest, bestCost));
    }

    Stmt tiled(const ReductionNest& nest, const std::vector<std::int64_t>& best) const {
        VarMap values;
        std::vector<std::int64_t> sizes;
        return build(nest, best, 0, values, sizes);
    }

    /// Outer parts of the spatial loops, from the outermost on; then the reductions and the tile.
    Stmt build(const ReductionNest& nest, const std::vector<std::int64_t>& factors, std::size_t at,
               const VarMap& values, const std::vector<std::int64_t>& sizes) const {
        if (at == nest.spatial.size())
            return tile(nest, values, sizes);
        const ForNode& loop = *nest.spatial[at];
        const DataType type = loop.loopVar->dtype;
        const std::int64_t extent = *constInt(loop.extent);
        const std::int64_t factor = factors[at];
        const std::int64_t whole = extent / factor;
        const auto piece = [&](const Expr& start, std::int64_t size) {
            VarMap next = values;
            const Var inner = makeVar(loop.loopVar->name + "_t", type);
            next[loop.loopVar.get()] = size > 1 ? start + Expr(inner) : start;
            std::vector<std::int64_t> nextSizes = sizes;
            nextSizes.push_back(size);
            tileVars_.push_back(inner);
            Stmt result = build(nest, factors, at + 1, next, nextSizes);
            tileVars_.pop_back();
            return result;
        };
        std::vector<Stmt> parts;
        if (whole == 1) {
            parts.push_back(piece(makeInt(0, type), factor));
        } else {
            const Var outer = makeVar(loop.loopVar->name + "_o", type);
            const Stmt body = piece(Expr(outer) * makeInt(factor, type), factor);
            parts.push_back(
                makeFor(outer, makeInt(0, type), makeInt(whole, type), ForKind::Serial, body));
        }
        if (const std::int64_t rest = extent - whole * factor; rest > 0)
            parts.push_back(piece(makeInt(whole * factor, type), rest));
        return makeSeq(std::move(parts));
    }

    Stmt tile(const ReductionNest& nest, const VarMap& values,
              const std::vector<std::int64_t>& sizes) const {
        Stmt body = ir::substitute(Stmt(nest.leaf), values);
        for (std::size_t i = nest.spatial.size(); i-- > 0;) {
            const DataType type = nest.spatial[i]->loopVar->dtype;
            if (sizes[i] > 1)
                body = makeFor(tileVars_[i], makeInt(0, type), makeInt(sizes[i], type),
                               ForKind::Unrolled, body);
        }
        for (std::size_t i = nest.reductions.size(); i-- > 0;) {
            const ForNode* loop = nest.reductions[i];
            body = edited(loop, [&](ForNode& n) { n.body = body; });
        }
        return body;
    }

    LowerOptions options_;
    mutable std::vector<Var> tileVars_;
};

} // namespace

Stmt blockRegisterTiles(const Stmt& body, const LowerOptions& options) {
    return TileBlocker(options).rewrite(body);
}

} // namespace tilewright::lower
