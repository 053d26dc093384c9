// SPDX-License-Identifier: Apache-2.0
#include "layout_suggestion.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/iter_affine_map.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>

#include <algorithm>
#include <numeric>

namespace tilewright::space {

namespace {

/// A piece `(loop // lower) % extent` of the flattened index, outermost first.
struct Piece {
    std::size_t loop = 0;
    std::int64_t lower = 1;
    std::int64_t extent = 1;
};

class PieceCollector {
public:
    explicit PieceCollector(std::span<const ir::ForNode* const> loops) : loops_(loops) {}

    /// Pieces of a split, the outermost first; false when it is not made of plain loop pieces.
    bool collect(const arith::IterSplit& split, std::vector<Piece>& pieces) const {
        const auto lower = ir::constInt(split.lowerFactor);
        const auto extent = ir::constInt(split.extent);
        if (!lower || !extent)
            return false;
        if (split.source->source) {
            for (std::size_t i = 0; i < loops_.size(); ++i)
                if (split.source->source.get() == loops_[i]->loopVar.get()) {
                    pieces.push_back({i, *lower, *extent});
                    return true;
                }
            return false;
        }
        const auto whole = ir::constInt(split.source->extent);
        if (!split.source->sum || !whole || *lower != 1 || *extent != *whole ||
            !ir::isZero(split.source->sum->base))
            return false;
        return std::all_of(split.source->sum->args.begin(), split.source->sum->args.end(),
                           [&](const auto& arg) { return collect(arg, pieces); });
    }

private:
    std::span<const ir::ForNode* const> loops_;
};

ir::Expr flatten(const std::vector<ir::Expr>& indices, const std::vector<std::int64_t>& shape) {
    ir::Expr flat = indices.empty() ? ir::makeInt(0) : indices[0];
    for (std::size_t i = 1; i < indices.size(); ++i)
        flat = flat * ir::makeInt(shape[i], flat->dtype) + indices[i];
    return flat;
}

} // namespace

std::optional<ir::IndexMap> suggestLayout(const ir::Buffer& buffer,
                                          const std::vector<ir::Expr>& indices,
                                          std::span<const ir::ForNode* const> loops,
                                          const ir::Expr& predicate) {
    std::vector<std::int64_t> shape;
    for (const ir::Expr& extent : buffer->shape) {
        const auto value = ir::constInt(extent);
        if (!value)
            return std::nullopt;
        shape.push_back(*value);
    }
    arith::Analyzer analyzer;
    arith::Domain domain;
    for (const ir::ForNode* loop : loops)
        domain.push_back({loop->loopVar, ir::Range{loop->min, loop->extent}});
    analyzer.bind(domain);
    const auto map = arith::detectIterMap({analyzer.simplify(flatten(indices, shape))}, domain,
                                          predicate, arith::IterMapLevel::Surjective, analyzer);
    if (!map.ok() || map.indices.size() != 1 || map.indices[0].args.size() != 1 ||
        !ir::isZero(map.indices[0].base) || !ir::isOne(map.indices[0].args[0].scale))
        return std::nullopt;
    std::vector<Piece> pieces;
    if (!PieceCollector(loops).collect(map.indices[0].args[0], pieces))
        return std::nullopt;
    std::erase_if(pieces, [](const Piece& piece) { return piece.extent == 1; });
    const auto elements =
        std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    std::int64_t covered = 1;
    for (const Piece& piece : pieces)
        covered *= piece.extent;
    if (covered != elements || pieces.empty())
        return std::nullopt;

    // Values of the pieces, read off the flattened index.
    ir::IndexMap result;
    arith::Analyzer dims;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        result.initialIndices.push_back(ir::makeVar(base::concat('i', i), buffer->shape[i]->dtype));
        dims.bind(result.initialIndices.back(), ir::Range::fromExtent(buffer->shape[i]));
    }
    const std::vector<ir::Expr> initial(result.initialIndices.begin(), result.initialIndices.end());
    const ir::Expr flat = flatten(initial, shape);
    std::vector<std::pair<Piece, ir::Expr>> terms;
    std::int64_t inner = elements;
    for (const Piece& piece : pieces) {
        inner /= piece.extent;
        ir::Expr value = ir::floorMod(ir::floorDiv(flat, ir::makeInt(inner, flat->dtype)),
                                      ir::makeInt(piece.extent, flat->dtype));
        terms.emplace_back(piece, dims.simplify(value));
    }
    std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) {
        return a.first.loop != b.first.loop ? a.first.loop < b.first.loop
                                            : a.first.lower > b.first.lower;
    });
    for (auto& [piece, value] : terms)
        result.finalIndices.push_back(std::move(value));
    return result;
}

} // namespace tilewright::space
