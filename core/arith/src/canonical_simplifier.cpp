// SPDX-License-Identifier: Apache-2.0
#include "canonical_sum.h"
#include "rewrite_simplifier.h"

#include <tilewright/arith/expr_equal.h>
#include <tilewright/base/check.h>
#include <tilewright/ir/make.h>

#include <variant>

namespace tilewright::arith {

using namespace ir;

namespace {

/// An index expression in one of its forms.
using Form = std::variant<Expr, SumPiece, CanonicalSum>;

Expr exprOf(const Form& form) {
    if (const auto* plain = std::get_if<Expr>(&form))
        return *plain;
    if (const auto* piece = std::get_if<SumPiece>(&form))
        return piece->expr();
    return std::get<CanonicalSum>(form).expr();
}

SumPiece pieceOfExpr(Expr expr) {
    SumPiece piece;
    piece.index = std::move(expr);
    return piece;
}

SumPiece toPiece(Form form) {
    if (auto* plain = std::get_if<Expr>(&form))
        return pieceOfExpr(std::move(*plain));
    if (auto* piece = std::get_if<SumPiece>(&form))
        return std::move(*piece);
    auto& sum = std::get<CanonicalSum>(form);
    if (sum.base == 0 && sum.pieces.size() == 1)
        return sum.pieces[0];
    return pieceOfExpr(sum.expr());
}

CanonicalSum toSum(Form form, DataType type) {
    if (auto* sum = std::get_if<CanonicalSum>(&form))
        return std::move(*sum);
    CanonicalSum result;
    result.type = type;
    if (const auto* plain = std::get_if<Expr>(&form))
        if (const auto value = constInt(*plain)) {
            result.base = *value;
            return result;
        }
    result.pieces.push_back(toPiece(std::move(form)));
    return result;
}

std::optional<std::int64_t> constOf(const Form& form) {
    if (const auto* plain = std::get_if<Expr>(&form))
        return constInt(*plain);
    if (const auto* sum = std::get_if<CanonicalSum>(&form); sum && sum->pieces.empty())
        return sum->base;
    return std::nullopt;
}

class CanonicalSimplifier final : public RewriteSimplifier {
public:
    using RewriteSimplifier::RewriteSimplifier;

    Expr visit(const Expr& expr) override { return exprOf(visitForm(expr)); }

private:
    Form visitForm(const Expr& expr) {
        const auto* node = as<BinaryNode>(expr);
        if (node && node->kind() >= NodeKind::LT && node->kind() <= NodeKind::GE &&
            isIndexType(node->a->dtype))
            return visitOrder(*node, expr);
        if (!node || !isIndexType(node->dtype))
            return expr->kind() == NodeKind::Cast ? visitCast(expr)
                                                  : Form(RewriteSimplifier::visit(expr));
        switch (node->kind()) {
        case NodeKind::Add:
        case NodeKind::Sub:
            return visitSum(*node);
        case NodeKind::Mul:
            return visitProduct(*node, expr);
        case NodeKind::FloorDiv:
            return visitDiv(*node, expr, DivMode::Floor);
        case NodeKind::FloorMod:
            return visitMod(*node, expr, DivMode::Floor);
        case NodeKind::Div:
            return visitDiv(*node, expr, DivMode::Trunc);
        case NodeKind::Mod:
            return visitMod(*node, expr, DivMode::Trunc);
        default:
            return RewriteSimplifier::visit(expr);
        }
    }

    Form visitSum(const BinaryNode& node) {
        Form a = visitForm(node.a);
        Form b = visitForm(node.b);
        const std::int64_t sign = node.kind() == NodeKind::Add ? 1 : -1;
        const auto ca = constOf(a);
        const auto cb = constOf(b);
        if (ca && cb)
            return makeInt(*ca + sign * *cb, node.dtype);
        CanonicalSum sum = toSum(std::move(a), node.dtype);
        if (cb)
            sum.base += sign * *cb;
        else if (const auto* other = std::get_if<CanonicalSum>(&b))
            sum.add(*other, sign);
        else
            sum.add(toPiece(std::move(b)), sign);
        return sum;
    }

    Form visitProduct(const BinaryNode& node, const Expr& self) {
        Form a = visitForm(node.a);
        Form b = visitForm(node.b);
        if (constOf(a))
            std::swap(a, b);
        if (const auto c = constOf(b)) {
            if (const auto ca = constOf(a))
                return foldBinary(NodeKind::Mul, makeInt(*ca, node.dtype), makeInt(*c, node.dtype));
            if (auto* sum = std::get_if<CanonicalSum>(&a)) {
                sum->multiply(*c);
                return std::move(*sum);
            }
            SumPiece piece = toPiece(std::move(a));
            piece.scale *= *c;
            return piece;
        }
        return product(exprOf(a), exprOf(b), node, self);
    }

    /// Symbolic product with the constant factors pulled out to the right.
    static Expr product(const Expr& a, const Expr& b, const BinaryNode& node, const Expr& self) {
        std::int64_t scale = 1;
        Expr result;
        const auto unpack = [&](const Expr& e, const auto& recurse) -> void {
            if (const auto* mul = as<BinaryNode>(e); mul && mul->kind() == NodeKind::Mul) {
                recurse(mul->a, recurse);
                recurse(mul->b, recurse);
            } else if (const auto c = constInt(e)) {
                scale *= *c;
            } else {
                result = result ? makeBinary(NodeKind::Mul, result, e) : e;
            }
        };
        unpack(a, unpack);
        unpack(b, unpack);
        if (!result)
            return makeInt(scale, node.dtype);
        if (scale != 1)
            result = foldBinary(NodeKind::Mul, result, makeInt(scale, node.dtype));
        return exprEqual(result, self) ? self : result;
    }

    /// Splits into the pieces whose scale `divisor` divides and the others.
    static void separate(const CanonicalSum& sum, std::int64_t divisor, CanonicalSum& divisible,
                         CanonicalSum& rest) {
        divisible.type = rest.type = sum.type;
        (sum.base % divisor == 0 ? divisible : rest).base = sum.base;
        for (const SumPiece& piece : sum.pieces)
            (piece.scale % divisor == 0 ? divisible : rest).pieces.push_back(piece);
    }

    bool provablyIn(const Expr& expr, std::int64_t limit) {
        const ConstIntBound bound = evalConstIntBound(state_, expr);
        return bound.min >= 0 && bound.max < limit;
    }

    bool provablyNonNegative(const CanonicalSum& sum) {
        return evalConstIntBound(state_, sum.expr()).min >= 0;
    }

    SumPiece withMode(SumPiece piece, DivMode mode) {
        if (piece.mode == mode)
            return piece;
        if (piece.allows(mode)) {
            piece.mode = mode;
            return piece;
        }
        piece = pieceOfExpr(piece.expr());
        piece.mode = mode;
        return piece;
    }

    Expr modExpr(const Expr& a, std::int64_t c, DivMode mode) {
        return foldBinary(mode == DivMode::Floor ? NodeKind::FloorMod : NodeKind::Mod, a,
                          makeInt(c, a->dtype));
    }

    SumPiece dividePiece(SumPiece piece, std::int64_t c, DivMode mode) {
        piece = withMode(std::move(piece), mode);
        const DataType type = piece.index->dtype;
        if (piece.scale % c == 0) {
            piece.scale /= c;
            return piece;
        }
        if (piece.scale != 0 && c % piece.scale == 0 && piece.scale > 0) {
            const std::int64_t scaled = c / piece.scale;
            if (piece.upper == SumPiece::kNoUpper || piece.upper % (piece.lower * scaled) == 0) {
                piece.scale = 1;
                piece.lower *= scaled;
                return piece;
            }
            if (piece.upper <= piece.lower * scaled)
                return pieceOfExpr(makeInt(0, type));
            piece.index = modExpr(piece.index, piece.upper, mode);
            piece.upper = SumPiece::kNoUpper;
            piece.scale = 1;
            piece.lower *= scaled;
            return piece;
        }
        piece = pieceOfExpr(piece.expr());
        piece.lower = c;
        piece.mode = mode;
        return piece;
    }

    SumPiece remainderPiece(SumPiece piece, std::int64_t c, DivMode mode) {
        piece = withMode(std::move(piece), mode);
        if (piece.scale % c == 0) {
            piece.scale = 0;
            return piece;
        }
        if (piece.scale > 0 && c % piece.scale == 0) {
            const std::int64_t upper = piece.lower * (c / piece.scale);
            if (piece.upper == SumPiece::kNoUpper || piece.upper % upper == 0) {
                if (upper < piece.upper && piece.upper != SumPiece::kNoUpper) {
                    // The index may simplify further under the smaller modulus.
                    SumPiece updated = toPiece(visitForm(modExpr(piece.index, upper, mode)));
                    if (piece.lower != 1)
                        updated = dividePiece(std::move(updated), piece.lower, mode);
                    updated.scale *= piece.scale;
                    return updated;
                }
                piece.upper = upper;
                return piece;
            }
            if (upper % piece.upper == 0)
                return piece;
        }
        piece = pieceOfExpr(piece.expr());
        piece.mode = mode;
        piece.upper = c;
        return piece;
    }

    static NodeKind divKind(DivMode mode) {
        return mode == DivMode::Floor ? NodeKind::FloorDiv : NodeKind::Div;
    }
    static NodeKind modKind(DivMode mode) {
        return mode == DivMode::Floor ? NodeKind::FloorMod : NodeKind::Mod;
    }

    Form visitDiv(const BinaryNode& node, const Expr& self, DivMode mode) {
        Form a = visitForm(node.a);
        const Form b = visitForm(node.b);
        const auto c = constOf(b);
        if (const auto ca = constOf(a); c && ca && *c != 0)
            return foldBinary(node.kind(), makeInt(*ca, node.dtype), makeInt(*c, node.dtype));
        if (!c || *c <= 0)
            return symbolicDiv(node, self, exprOf(a), exprOf(b));
        if (*c == 1)
            return a;
        if (auto* sum = std::get_if<CanonicalSum>(&a)) {
            CanonicalSum quotient;
            CanonicalSum rest;
            separate(*sum, *c, quotient, rest);
            if (rest.isZero()) {
                quotient.divide(*c);
                return quotient;
            }
            // Truncation distributes over parts of one sign only.
            if (mode == DivMode::Floor ||
                (provablyNonNegative(quotient) && provablyNonNegative(rest))) {
                quotient.divide(*c);
                if (rest.pieces.empty()) {
                    quotient.base +=
                        mode == DivMode::Floor ? floorDivide(rest.base, *c) : rest.base / *c;
                    return quotient;
                }
                const Expr temp = rest.expr();
                if (const auto value = constInt(temp))
                    quotient.base += mode == DivMode::Floor ? floorDivide(*value, *c) : *value / *c;
                else if (!provablyIn(temp, *c)) {
                    SumPiece part = dividePiece(toPiece(temp), *c, mode);
                    if (!isZero(part.index))
                        quotient.add(std::move(part), 1);
                }
                return quotient;
            }
        } else {
            if (provablyIn(exprOf(a), *c))
                return makeInt(0, node.dtype);
        }
        return dividePiece(toPiece(std::move(a)), *c, mode);
    }

    Form visitMod(const BinaryNode& node, const Expr& self, DivMode mode) {
        Form a = visitForm(node.a);
        const Form b = visitForm(node.b);
        const auto c = constOf(b);
        if (const auto ca = constOf(a); c && ca && *c != 0)
            return foldBinary(node.kind(), makeInt(*ca, node.dtype), makeInt(*c, node.dtype));
        if (!c || *c <= 0)
            return symbolicDiv(node, self, exprOf(a), exprOf(b));
        if (*c == 1)
            return makeInt(0, node.dtype);
        if (auto* sum = std::get_if<CanonicalSum>(&a)) {
            CanonicalSum divisible;
            CanonicalSum rest;
            separate(*sum, *c, divisible, rest);
            if (mode == DivMode::Floor ||
                (provablyNonNegative(divisible) && provablyNonNegative(rest))) {
                const Expr temp = rest.expr();
                if (const auto value = constInt(temp))
                    return makeInt(mode == DivMode::Floor ? floorRemainder(*value, *c)
                                                          : *value % *c,
                                   node.dtype);
                if (provablyIn(temp, *c))
                    return temp;
                if (mode == DivMode::Floor)
                    rest.base = floorRemainder(rest.base, *c);
                return remainderPiece(toPiece(std::move(rest)), *c, mode);
            }
        } else {
            if (provablyIn(exprOf(a), *c))
                return a;
        }
        return remainderPiece(toPiece(std::move(a)), *c, mode);
    }

    /// Factors of a product, the constant one apart.
    static std::vector<Expr> factorsOf(const Expr& expr, std::int64_t& scale) {
        std::vector<Expr> factors;
        const auto walk = [&](const Expr& e, const auto& recurse) -> void {
            if (const auto* mul = as<BinaryNode>(e); mul && mul->kind() == NodeKind::Mul) {
                recurse(mul->a, recurse);
                recurse(mul->b, recurse);
            } else if (const auto c = constInt(e)) {
                scale *= *c;
            } else {
                factors.push_back(e);
            }
        };
        walk(expr, walk);
        return factors;
    }

    static Expr productOf(const std::vector<Expr>& factors, std::int64_t scale, DataType type) {
        Expr result;
        for (const Expr& factor : factors)
            result = result ? makeBinary(NodeKind::Mul, result, factor) : factor;
        const Expr constant = makeInt(scale, type);
        return result ? foldBinary(NodeKind::Mul, result, constant) : constant;
    }

    /// Division by an unknown: common factors of both products cancel.
    Expr symbolicDiv(const BinaryNode& node, const Expr& self, const Expr& a, const Expr& b) {
        std::int64_t aScale = 1;
        std::int64_t bScale = 1;
        std::vector<Expr> up = factorsOf(a, aScale);
        std::vector<Expr> down = factorsOf(b, bScale);
        Expr common;
        for (std::size_t i = 0; i < down.size();) {
            std::size_t j = 0;
            while (j < up.size() && !exprEqual(up[j], down[i]))
                ++j;
            if (j == up.size()) {
                ++i;
                continue;
            }
            common = common ? makeBinary(NodeKind::Mul, common, down[i]) : down[i];
            up.erase(up.begin() + static_cast<std::ptrdiff_t>(j));
            down.erase(down.begin() + static_cast<std::ptrdiff_t>(i));
        }
        const std::int64_t shared = bScale != 0 && aScale != 0 ? gcdInt(aScale, bScale) : 1;
        const bool reducible = common || (shared > 1 && !down.empty());
        if (!reducible) {
            if (Expr simpler = simplifyBinary(node.kind(), a, b))
                return simpler;
            return a == node.a && b == node.b ? self : makeBinary(node.kind(), a, b);
        }
        const Expr top = productOf(up, aScale / shared, node.dtype);
        const Expr bottom = productOf(down, bScale / shared, node.dtype);
        Expr reduced = foldBinary(node.kind(), top, bottom);
        if (node.kind() == NodeKind::FloorDiv || node.kind() == NodeKind::Div)
            return reduced;
        if (shared > 1)
            reduced = foldBinary(NodeKind::Mul, reduced, makeInt(shared, node.dtype));
        return common ? foldBinary(NodeKind::Mul, reduced, common) : reduced;
    }

    /// Every order in terms of `<`.
    Expr visitOrder(const BinaryNode& node, const Expr& self) {
        switch (node.kind()) {
        case NodeKind::LT:
            return visitLess(node, self);
        case NodeKind::GT: {
            const Expr turned = makeBinary(NodeKind::LT, node.b, node.a);
            return visitLess(static_cast<const BinaryNode&>(*turned), turned);
        }
        default: {
            const bool lessEqual = node.kind() == NodeKind::LE;
            const Expr strict =
                makeBinary(NodeKind::LT, lessEqual ? node.b : node.a, lessEqual ? node.a : node.b);
            // Only a decided one: `<=` keeps its written form.
            if (Expr changed = reduceLess(static_cast<const BinaryNode&>(*strict)))
                if (const auto known = constInt(changed))
                    return makeBool(*known == 0);
            return visitComparison(node, self);
        }
        }
    }

    Expr visitLess(const BinaryNode& node, const Expr& self) {
        if (Expr changed = reduceLess(node))
            return RewriteSimplifier::visit(changed);
        return visitComparison(node, self);
    }

    /// `x0 s0 + x1 s1 + … + xn < c`: divides by the common divisor of scales where the rest allows.
    Expr reduceLess(const BinaryNode& node) {
        const Expr difference = makeBinary(NodeKind::Sub, node.a, node.b);
        const Form form = visitForm(difference);
        const auto* sum = std::get_if<CanonicalSum>(&form);
        if (!sum)
            return nullptr;
        const ConstIntBound range = evalConstIntBound(state_, sum->expr());
        if (range.max < 0)
            return makeBool(true);
        if (range.min >= 0)
            return makeBool(false);
        std::int64_t divisor = sum->base < 0 ? -sum->base : sum->base;
        bool scaled = false;
        for (const SumPiece& piece : sum->pieces)
            if (piece.scale > 1 || piece.scale < -1) {
                scaled = true;
                divisor = gcdInt(divisor, piece.scale);
            }
        if (!scaled || divisor <= 1)
            return nullptr;
        CanonicalSum divisible;
        CanonicalSum rest;
        separate(*sum, divisor, divisible, rest);
        const Expr extra = rest.expr();
        const ConstIntBound bound = evalConstIntBound(state_, extra);
        const Expr zero = makeInt(0, node.a->dtype);
        if (bound.min > -divisor && bound.max < divisor) {
            divisible.divide(divisor);
            // x d + r < 0 with 0 < r < d keeps x < 0; with -d < r < 0 it is x <= 0.
            if (bound.min >= 0)
                return makeBinary(NodeKind::LT, divisible.expr(), zero);
            if (bound.max <= 0 && bound.min == bound.max && bound.max == 0)
                return makeBinary(NodeKind::LT, divisible.expr(), zero);
            return nullptr;
        }
        if (rest.pieces.size() == 1 && rest.base == 0 && rest.pieces[0].scale == 1) {
            const SumPiece& piece = rest.pieces[0];
            if (piece.upper != SumPiece::kNoUpper && piece.mode == DivMode::Floor &&
                piece.upper % (divisor * piece.lower) == 0) {
                divisible.divide(divisor);
                SumPiece coarse = piece;
                coarse.lower *= divisor;
                const Expr left = foldBinary(NodeKind::Add, divisible.expr(), coarse.expr());
                return makeBinary(NodeKind::LT, left, zero);
            }
        }
        return nullptr;
    }

    Form visitCast(const Expr& expr) {
        const auto* node = static_cast<const CastNode*>(expr.get());
        if (!isIndexType(node->dtype) || !isIndexType(node->value->dtype))
            return RewriteSimplifier::visit(expr);
        Form value = visitForm(node->value);
        const DataType type = node->dtype;
        if (const auto c = constOf(value))
            return cast(type, makeInt(*c, node->value->dtype));
        if (std::holds_alternative<Expr>(value))
            return makeIfChanged(expr, std::get<Expr>(value));
        if (type.bits < node->value->dtype.bits) {
            const ConstIntBound bound = evalConstIntBound(state_, exprOf(value));
            const ConstIntBound limits = boundOfType(type);
            if (bound.min < limits.min || bound.max > limits.max)
                return makeIfChanged(expr, exprOf(value));
        }
        // Index arithmetic does not overflow: the cast moves to the leaves.
        CanonicalSum sum = toSum(std::move(value), node->value->dtype);
        sum.type = type;
        for (SumPiece& piece : sum.pieces)
            piece.index = cast(type, piece.index);
        if (sum.base == 0 && sum.pieces.size() == 1)
            return sum.pieces[0];
        return sum;
    }

    static Expr makeIfChanged(const Expr& original, const Expr& value) {
        const auto* node = static_cast<const CastNode*>(original.get());
        return value == node->value ? original : cast(node->dtype, value);
    }
};

} // namespace

Expr canonicalOnce(Analyzer::State& state, const Expr& expr) {
    return CanonicalSimplifier(state).visit(expr);
}

} // namespace tilewright::arith
