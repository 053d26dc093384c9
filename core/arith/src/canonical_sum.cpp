// SPDX-License-Identifier: Apache-2.0
#include "canonical_sum.h"

#include <tilewright/arith/expr_equal.h>

#include <algorithm>

namespace tilewright::arith {

using namespace ir;

bool SumPiece::sameIndex(const SumPiece& other) const {
    return index == other.index ||
           (index->kind() != NodeKind::Var && exprEqual(index, other.index));
}

Expr SumPiece::expr(std::int64_t factor) const {
    const DataType type = index->dtype;
    if (scale == 0)
        return makeInt(0, type);
    Expr result = index;
    const bool floor = mode == DivMode::Floor;
    if (upper != kNoUpper)
        result =
            foldBinary(floor ? NodeKind::FloorMod : NodeKind::Mod, result, makeInt(upper, type));
    if (lower != 1)
        result =
            foldBinary(floor ? NodeKind::FloorDiv : NodeKind::Div, result, makeInt(lower, type));
    const std::int64_t total = scale * factor;
    return total == 1 ? result : foldBinary(NodeKind::Mul, result, makeInt(total, type));
}

void CanonicalSum::multiply(std::int64_t factor) {
    base *= factor;
    for (SumPiece& piece : pieces)
        piece.scale *= factor;
}

void CanonicalSum::divide(std::int64_t divisor) {
    base /= divisor;
    for (SumPiece& piece : pieces)
        piece.scale /= divisor;
}

void CanonicalSum::add(SumPiece piece, std::int64_t factor) {
    if (piece.scale == 0)
        return;
    std::size_t at = 0;
    while (at < pieces.size() && !pieces[at].sameIndex(piece))
        ++at;
    for (; at < pieces.size(); ++at) {
        SumPiece& present = pieces[at];
        if (!present.sameIndex(piece) || piece.lower > present.lower) {
            piece.scale *= factor;
            pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(at), std::move(piece));
            return;
        }
        if (piece.lower == present.lower && piece.upper == present.upper &&
            piece.allows(present.mode)) {
            present.scale += piece.scale * factor;
            return;
        }
    }
    piece.scale *= factor;
    pieces.push_back(std::move(piece));
}

void CanonicalSum::add(const CanonicalSum& other, std::int64_t factor) {
    for (const SumPiece& piece : other.pieces)
        add(piece, factor);
    base += other.base * factor;
}

namespace {

/// Joins neighbours: equal pieces, and `(x // (c s)) * s t + ((x // c) % s) * t` to `(x // c) * t`.
void mergePieces(std::vector<SumPiece>& pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].scale == 0)
            continue;
        for (std::size_t j = i + 1; j < pieces.size(); ++j) {
            SumPiece& left = pieces[i];
            SumPiece& right = pieces[j];
            if (!left.sameIndex(right) || left.upper < right.lower)
                break;
            if (left.upper == right.upper && left.lower == right.lower && left.allows(right.mode)) {
                right.scale += left.scale;
                left.scale = 0;
            } else if (left.lower == right.upper && right.scale != 0 &&
                       left.scale % right.scale == 0 &&
                       left.lower == (left.scale / right.scale) * right.lower &&
                       left.allows(right.mode)) {
                right.upper = left.upper;
                left.scale = 0;
                break;
            }
        }
    }
}

bool ordered(const SumPiece& a, const SumPiece& b) {
    if (a.scale != b.scale)
        return a.scale > b.scale;
    if (a.lower != b.lower)
        return a.lower > b.lower;
    if (a.upper != b.upper)
        return a.upper > b.upper;
    return a.mode > b.mode;
}

} // namespace

Expr CanonicalSum::expr() const {
    if (pieces.empty())
        return makeInt(base, type);
    std::vector<SumPiece> sorted = pieces;
    if (sorted.size() > 1) {
        mergePieces(sorted);
        std::stable_sort(sorted.begin(), sorted.end(), ordered);
    }
    Expr result;
    const auto plus = [&](Expr term) {
        result = result ? foldBinary(NodeKind::Add, result, term) : std::move(term);
    };
    for (const SumPiece& piece : sorted)
        if (piece.scale > 0)
            plus(piece.expr());
    if (base > 0)
        plus(makeInt(base, type));
    for (const SumPiece& piece : sorted)
        if (piece.scale < 0)
            result = foldBinary(NodeKind::Sub, result ? result : makeInt(0, type), piece.expr(-1));
    if (base < 0)
        result =
            result ? foldBinary(NodeKind::Sub, result, makeInt(-base, type)) : makeInt(base, type);
    return result ? result : makeInt(0, type);
}

} // namespace tilewright::arith
