// SPDX-License-Identifier: Apache-2.0
// The folding arithmetic factories of make.h.
#include <tilewright/ir/make.h>

#include <tilewright/base/check.h>
#include <tilewright/base/floor_division.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::ir {

namespace {

std::int64_t wrapToType(std::uint64_t bits, DataType type) {
    if (type.isBool())
        return bits != 0 ? 1 : 0;
    if (type.bits >= 64)
        return static_cast<std::int64_t>(bits);
    const unsigned shift = 64U - type.bits;
    if (type.isInt())
        return static_cast<std::int64_t>(bits << shift) >> shift;
    return static_cast<std::int64_t>((bits << shift) >> shift);
}

/// Brings two operands to one type the way TVM's operators do.
void matchTypes(Expr& a, Expr& b) {
    DataType ta = a->dtype;
    DataType tb = b->dtype;
    if (ta == tb)
        return;
    // A scalar beside a vector is broadcast.
    if (ta.isScalar() && !tb.isScalar() && !tb.scalable) {
        a = makeBroadcast(cast(tb.element(), a), tb.lanes);
        return;
    }
    if (tb.isScalar() && !ta.isScalar() && !ta.scalable) {
        b = makeBroadcast(cast(ta.element(), b), ta.lanes);
        return;
    }
    TW_CHECK(ta.lanes == tb.lanes) << "lanes differ: " << toString(ta) << ", " << toString(tb);
    if (ta.isFloating() != tb.isFloating()) {
        if (ta.isFloating())
            b = cast(ta, b);
        else
            a = cast(tb, a);
        return;
    }
    if (ta.isBool() != tb.isBool()) {
        if (ta.isBool())
            a = cast(tb, a);
        else
            b = cast(ta, b);
        return;
    }
    const DataType wide = ta.bits > tb.bits ? ta : tb.bits > ta.bits ? tb : ta.isUInt() ? ta : tb;
    a = cast(wide, a);
    b = cast(wide, b);
}

bool canFold(DataType type) {
    return type.isIntegral() && type.isScalar();
}

std::optional<std::int64_t> foldInts(NodeKind kind, std::int64_t x, std::int64_t y, DataType type) {
    const auto ux = static_cast<std::uint64_t>(x);
    const auto uy = static_cast<std::uint64_t>(y);
    const bool isUnsigned64 = type.isUInt() && type.bits == 64;
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    switch (kind) {
    case NodeKind::Add:
        return wrapToType(ux + uy, type);
    case NodeKind::Sub:
        return wrapToType(ux - uy, type);
    case NodeKind::Mul:
        return wrapToType(ux * uy, type);
    case NodeKind::Div:
    case NodeKind::FloorDiv:
    case NodeKind::Mod:
    case NodeKind::FloorMod:
        if (y == 0 || (x == lowest && y == -1))
            return std::nullopt;
        if (isUnsigned64) {
            const bool isDiv = kind == NodeKind::Div || kind == NodeKind::FloorDiv;
            return static_cast<std::int64_t>(isDiv ? ux / uy : ux % uy);
        }
        if (kind == NodeKind::Div)
            return wrapToType(static_cast<std::uint64_t>(x / y), type);
        if (kind == NodeKind::Mod)
            return x % y;
        if (kind == NodeKind::FloorDiv)
            return wrapToType(static_cast<std::uint64_t>(base::floorDivide(x, y)), type);
        return base::floorRemainder(x, y);
    case NodeKind::Min:
        return isUnsigned64 ? static_cast<std::int64_t>(std::min(ux, uy)) : std::min(x, y);
    case NodeKind::Max:
        return isUnsigned64 ? static_cast<std::int64_t>(std::max(ux, uy)) : std::max(x, y);
    case NodeKind::EQ:
        return x == y;
    case NodeKind::NE:
        return x != y;
    case NodeKind::LT:
        return isUnsigned64 ? ux < uy : x < y;
    case NodeKind::LE:
        return isUnsigned64 ? ux <= uy : x <= y;
    case NodeKind::GT:
        return isUnsigned64 ? ux > uy : x > y;
    case NodeKind::GE:
        return isUnsigned64 ? ux >= uy : x >= y;
    case NodeKind::And:
        return x != 0 && y != 0;
    case NodeKind::Or:
        return x != 0 || y != 0;
    default:
        return std::nullopt;
    }
}

bool isComparison(NodeKind kind) {
    return kind >= NodeKind::EQ && kind <= NodeKind::GE;
}

std::optional<double> foldFloats(NodeKind kind, double x, double y) {
    switch (kind) {
    case NodeKind::Add:
        return x + y;
    case NodeKind::Sub:
        return x - y;
    case NodeKind::Mul:
        return x * y;
    case NodeKind::Div:
        return y != 0 ? std::optional(x / y) : std::nullopt;
    case NodeKind::Min:
        return std::min(x, y);
    case NodeKind::Max:
        return std::max(x, y);
    default:
        return std::nullopt;
    }
}

bool compareFloats(NodeKind kind, double x, double y) {
    switch (kind) {
    case NodeKind::EQ:
        return x == y;
    case NodeKind::NE:
        return x != y;
    case NodeKind::LT:
        return x < y;
    case NodeKind::LE:
        return x <= y;
    case NodeKind::GT:
        return x > y;
    default:
        return x >= y;
    }
}

/// Neutral and absorbing integer elements; null when none applies.
Expr foldNeutral(NodeKind kind, const Expr& a, const Expr& b) {
    const auto* ia = as<IntImmNode>(a);
    const auto* ib = as<IntImmNode>(b);
    switch (kind) {
    case NodeKind::Add:
        if (ia && ia->value == 0)
            return b;
        return ib && ib->value == 0 ? a : nullptr;
    case NodeKind::Sub:
        return ib && ib->value == 0 ? a : nullptr;
    case NodeKind::Mul:
        if (ia && ia->value == 1)
            return b;
        if (ib && ib->value == 1)
            return a;
        if (ia && ia->value == 0)
            return a;
        return ib && ib->value == 0 ? b : nullptr;
    case NodeKind::Div:
    case NodeKind::FloorDiv:
        if (ia && ia->value == 0)
            return a;
        return ib && ib->value == 1 ? a : nullptr;
    case NodeKind::Mod:
    case NodeKind::FloorMod:
        if (ia && ia->value == 0)
            return a;
        return ib && ib->value == 1 ? makeInt(0, a->dtype) : nullptr;
    case NodeKind::Min:
    case NodeKind::Max:
        return a == b ? a : nullptr;
    case NodeKind::And:
        if (ia)
            return ia->value != 0 ? b : a;
        if (ib)
            return ib->value != 0 ? a : b;
        return nullptr;
    case NodeKind::Or:
        if (ia)
            return ia->value != 0 ? a : b;
        if (ib)
            return ib->value != 0 ? b : a;
        return nullptr;
    default:
        return nullptr;
    }
}

} // namespace

Expr foldBinary(NodeKind kind, const Expr& left, const Expr& right) {
    Expr a = left;
    Expr b = right;
    matchTypes(a, b);
    const auto* ia = as<IntImmNode>(a);
    const auto* ib = as<IntImmNode>(b);
    if (ia && ib && canFold(a->dtype)) {
        if (const auto value = foldInts(kind, ia->value, ib->value, a->dtype)) {
            const bool gives = isComparison(kind) || kind == NodeKind::And || kind == NodeKind::Or;
            return gives ? makeBool(*value != 0) : makeInt(*value, a->dtype);
        }
    }
    const auto* fa = as<FloatImmNode>(a);
    const auto* fb = as<FloatImmNode>(b);
    if (fa && fb) {
        if (isComparison(kind))
            return makeBool(compareFloats(kind, fa->value, fb->value));
        if (const auto value = foldFloats(kind, fa->value, fb->value))
            return makeFloat(*value, a->dtype);
    }
    if (a->dtype.isScalar() && a->dtype.isIntegral()) {
        if (Expr neutral = foldNeutral(kind, a, b))
            return neutral;
    }
    // Floats: only rules that hold for every value, as TVM has them.
    const auto isFloat = [](const FloatImmNode* f, double v) { return f && f->value == v; };
    if (kind == NodeKind::Add && isFloat(fa, 0))
        return b;
    if ((kind == NodeKind::Add || kind == NodeKind::Sub) && isFloat(fb, 0))
        return a;
    if (kind == NodeKind::Mul && isFloat(fa, 1))
        return b;
    if ((kind == NodeKind::Mul || kind == NodeKind::Div) && isFloat(fb, 1))
        return a;
    return makeBinary(kind, std::move(a), std::move(b));
}

Expr add(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::Add, a, b);
}
Expr sub(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::Sub, a, b);
}
Expr mul(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::Mul, a, b);
}
Expr truncDiv(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::Div, a, b);
}
Expr truncMod(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::Mod, a, b);
}
Expr floorDiv(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::FloorDiv, a, b);
}
Expr floorMod(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::FloorMod, a, b);
}
Expr minimum(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::Min, a, b);
}
Expr maximum(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::Max, a, b);
}
Expr equal(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::EQ, a, b);
}
Expr notEqual(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::NE, a, b);
}
Expr less(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::LT, a, b);
}
Expr lessEqual(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::LE, a, b);
}
Expr greater(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::GT, a, b);
}
Expr greaterEqual(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::GE, a, b);
}
Expr logicalAnd(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::And, a, b);
}
Expr logicalOr(const Expr& a, const Expr& b) {
    return foldBinary(NodeKind::Or, a, b);
}

Expr logicalNot(const Expr& a) {
    if (const auto* imm = as<IntImmNode>(a))
        return makeBool(imm->value == 0);
    return Expr(new NotNode(a->dtype, a));
}

Expr cast(DataType type, const Expr& value) {
    if (value->dtype == type)
        return value;
    if (type.isScalar()) {
        if (const auto* imm = as<IntImmNode>(value)) {
            if (type.isIntegral())
                return makeInt(wrapToType(static_cast<std::uint64_t>(imm->value), type), type);
            if (type.isFloating())
                return makeFloat(static_cast<double>(imm->value), type);
        }
        if (const auto* imm = as<FloatImmNode>(value); imm && type.isFloating())
            return makeFloat(imm->value, type);
    } else if (value->dtype.isScalar() && !type.scalable) {
        return makeBroadcast(cast(type.element(), value), type.lanes);
    } else if (const auto* broadcast = as<BroadcastNode>(value)) {
        return Expr(
            new BroadcastNode(type, cast(type.element(), broadcast->value), broadcast->lanes));
    }
    return makeCast(type, value);
}

} // namespace tilewright::ir
