// SPDX-License-Identifier: Apache-2.0
#include "compiler.h"
#include "scalar_type.h"

#include <tilewright/ir/make.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/floor_division.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::interp {

using ir::as;
using ir::NodeKind;

namespace {

[[noreturn]] void divisionByZero() {
    throw base::UserError("division-by-zero", "an integer is divided by zero");
}

/// The four divisions, unsigned 64-bit values apart.
template <NodeKind kKind> std::int64_t divide(std::int64_t a, std::int64_t b, bool isUnsigned) {
    if (b == 0)
        divisionByZero();
    constexpr bool kIsDiv = kKind == NodeKind::Div || kKind == NodeKind::FloorDiv;
    if (isUnsigned) {
        const auto x = static_cast<std::uint64_t>(a);
        const auto y = static_cast<std::uint64_t>(b);
        return static_cast<std::int64_t>(kIsDiv ? x / y : x % y);
    }
    if (b == -1)
        return kIsDiv ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a)) : 0;
    if constexpr (kKind == NodeKind::Div)
        return a / b;
    else if constexpr (kKind == NodeKind::Mod)
        return a % b;
    else if constexpr (kKind == NodeKind::FloorDiv)
        return base::floorDivide(a, b);
    else
        return base::floorRemainder(a, b);
}

template <class T> bool compare(NodeKind kind, T a, T b) {
    switch (kind) {
    case NodeKind::EQ:
        return a == b;
    case NodeKind::NE:
        return a != b;
    case NodeKind::LT:
        return a < b;
    case NodeKind::LE:
        return a <= b;
    case NodeKind::GT:
        return a > b;
    default:
        return a >= b;
    }
}

template <NodeKind kKind, class T, class Ptr> IntPtr comparison(Ptr a, Ptr b) {
    return intCode([a = std::move(a), b = std::move(b)](Frame& f, int lane) -> std::int64_t {
        return compare<T>(kKind, static_cast<T>(a->eval(f, lane)),
                          static_cast<T>(b->eval(f, lane)));
    });
}

template <class T, class Ptr> IntPtr comparisonOf(NodeKind kind, Ptr a, Ptr b) {
    switch (kind) {
    case NodeKind::EQ:
        return comparison<NodeKind::EQ, T>(std::move(a), std::move(b));
    case NodeKind::NE:
        return comparison<NodeKind::NE, T>(std::move(a), std::move(b));
    case NodeKind::LT:
        return comparison<NodeKind::LT, T>(std::move(a), std::move(b));
    case NodeKind::LE:
        return comparison<NodeKind::LE, T>(std::move(a), std::move(b));
    case NodeKind::GT:
        return comparison<NodeKind::GT, T>(std::move(a), std::move(b));
    default:
        return comparison<NodeKind::GE, T>(std::move(a), std::move(b));
    }
}

template <NodeKind kKind> IntPtr division(IntPtr a, IntPtr b, Wrap wrap, bool isUnsigned) {
    return intCode([a = std::move(a), b = std::move(b), wrap, isUnsigned](Frame& f, int lane) {
        return wrap(static_cast<std::uint64_t>(
            divide<kKind>(a->eval(f, lane), b->eval(f, lane), isUnsigned)));
    });
}

/// Arithmetic that wraps; `fn` works on the bits.
template <class Fn> IntPtr wrapping(IntPtr a, IntPtr b, Wrap wrap, Fn fn) {
    return intCode([a = std::move(a), b = std::move(b), wrap, fn](Frame& f, int lane) {
        return wrap(fn(static_cast<std::uint64_t>(a->eval(f, lane)),
                       static_cast<std::uint64_t>(b->eval(f, lane))));
    });
}

template <class Fn> RealPtr rounding(RealPtr a, RealPtr b, ir::DataType type, Fn fn) {
    if (type.code == ir::TypeCode::Float && type.bits == 32)
        return realCode([a = std::move(a), b = std::move(b), fn](Frame& f, int lane) -> double {
            return static_cast<float>(fn(a->eval(f, lane), b->eval(f, lane)));
        });
    return realCode([a = std::move(a), b = std::move(b), fn, type](Frame& f, int lane) {
        return roundTo(type, fn(a->eval(f, lane), b->eval(f, lane)));
    });
}

} // namespace

int Compiler::varSlot(const ir::VarNode* var) const {
    const auto it = vars_.find(var);
    if (it == vars_.end())
        unsupported(base::concat("the variable ", var->name, " has no value"));
    return it->second;
}

int Compiler::defineVar(const ir::VarNode* var) {
    if (const auto it = vars_.find(var); it != vars_.end())
        return it->second;
    int& count = var->dtype.isFloating() ? reals_ : ints_;
    const int slot = count;
    count += std::max<int>(1, var->dtype.lanes);
    vars_.emplace(var, slot);
    return slot;
}

IntPtr Compiler::intBinary(const ir::BinaryNode& node) {
    if (node.kind() >= NodeKind::EQ && node.kind() <= NodeKind::GE)
        return intCompare(node);
    IntPtr a = ints(node.a);
    IntPtr b = ints(node.b);
    const Wrap wrap(node.dtype);
    const bool isUnsigned = node.dtype.isUInt() && node.dtype.bits == 64;
    switch (node.kind()) {
    case NodeKind::Add:
        if (const auto constant = ir::constInt(node.b))
            return intCode([a = std::move(a), c = static_cast<std::uint64_t>(*constant),
                            wrap](Frame& f, int lane) {
                return wrap(static_cast<std::uint64_t>(a->eval(f, lane)) + c);
            });
        return wrapping(std::move(a), std::move(b), wrap,
                        [](std::uint64_t x, std::uint64_t y) { return x + y; });
    case NodeKind::Sub:
        return wrapping(std::move(a), std::move(b), wrap,
                        [](std::uint64_t x, std::uint64_t y) { return x - y; });
    case NodeKind::Mul:
        if (const auto constant = ir::constInt(node.b))
            return intCode([a = std::move(a), c = static_cast<std::uint64_t>(*constant),
                            wrap](Frame& f, int lane) {
                return wrap(static_cast<std::uint64_t>(a->eval(f, lane)) * c);
            });
        return wrapping(std::move(a), std::move(b), wrap,
                        [](std::uint64_t x, std::uint64_t y) { return x * y; });
    case NodeKind::Div:
        return division<NodeKind::Div>(std::move(a), std::move(b), wrap, isUnsigned);
    case NodeKind::Mod:
        return division<NodeKind::Mod>(std::move(a), std::move(b), wrap, isUnsigned);
    case NodeKind::FloorDiv:
        return division<NodeKind::FloorDiv>(std::move(a), std::move(b), wrap, isUnsigned);
    case NodeKind::FloorMod:
        return division<NodeKind::FloorMod>(std::move(a), std::move(b), wrap, isUnsigned);
    case NodeKind::Min:
    case NodeKind::Max: {
        const bool wantsLess = node.kind() == NodeKind::Min;
        return intCode([a = std::move(a), b = std::move(b), wantsLess, isUnsigned](Frame& f,
                                                                                   int lane) {
            const std::int64_t x = a->eval(f, lane);
            const std::int64_t y = b->eval(f, lane);
            const bool isLess =
                isUnsigned ? static_cast<std::uint64_t>(x) < static_cast<std::uint64_t>(y) : x < y;
            return isLess == wantsLess ? x : y;
        });
    }
    case NodeKind::And:
        return intCode([a = std::move(a), b = std::move(b)](Frame& f, int lane) -> std::int64_t {
            return a->eval(f, lane) != 0 && b->eval(f, lane) != 0;
        });
    default:
        return intCode([a = std::move(a), b = std::move(b)](Frame& f, int lane) -> std::int64_t {
            return a->eval(f, lane) != 0 || b->eval(f, lane) != 0;
        });
    }
}

IntPtr Compiler::intCompare(const ir::BinaryNode& node) {
    const ir::DataType type = node.a->dtype;
    if (type.isFloating())
        return comparisonOf<double>(node.kind(), reals(node.a), reals(node.b));
    if (type.isUInt() && type.bits == 64)
        return comparisonOf<std::uint64_t>(node.kind(), ints(node.a), ints(node.b));
    return comparisonOf<std::int64_t>(node.kind(), ints(node.a), ints(node.b));
}

IntPtr Compiler::ints(const ir::Expr& expr) {
    if (!expr->dtype.isIntegral())
        unsupported(
            base::concat("an integer is expected where the type is ", toString(expr->dtype)));
    switch (expr->kind()) {
    case NodeKind::Var:
        return intCode([slot = varSlot(as<ir::VarNode>(expr))](Frame& f, int lane) {
            return f.ints[static_cast<std::size_t>(slot + lane)];
        });
    case NodeKind::IntImm:
        return intCode([value = as<ir::IntImmNode>(expr)->value](Frame&, int) { return value; });
    case NodeKind::Cast: {
        const ir::Expr& value = as<ir::CastNode>(expr)->value;
        const ir::DataType type = expr->dtype.element();
        if (value->dtype.isFloating())
            return intCode([v = reals(value), type](Frame& f, int lane) {
                return toInteger(type, v->eval(f, lane));
            });
        return intCode([v = ints(value), wrap = Wrap(type)](Frame& f, int lane) {
            return wrap(static_cast<std::uint64_t>(v->eval(f, lane)));
        });
    }
    case NodeKind::Not:
        return intCode([v = ints(as<ir::NotNode>(expr)->a)](Frame& f, int lane) -> std::int64_t {
            return v->eval(f, lane) == 0;
        });
    case NodeKind::Select: {
        const auto* node = as<ir::SelectNode>(expr);
        return intCode([c = ints(node->condition), t = ints(node->trueValue),
                        e = ints(node->falseValue),
                        isVector = !node->condition->dtype.isScalar()](Frame& f, int lane) {
            return c->eval(f, isVector ? lane : 0) != 0 ? t->eval(f, lane) : e->eval(f, lane);
        });
    }
    case NodeKind::Ramp: {
        const auto* node = as<ir::RampNode>(expr);
        return intCode([b = ints(node->base), s = ints(node->stride),
                        wrap = Wrap(expr->dtype)](Frame& f, int lane) {
            return wrap(static_cast<std::uint64_t>(b->eval(f, 0)) +
                        static_cast<std::uint64_t>(s->eval(f, 0)) *
                            static_cast<std::uint64_t>(lane));
        });
    }
    case NodeKind::Broadcast: {
        const auto* node = as<ir::BroadcastNode>(expr);
        return intCode([v = ints(node->value), period = node->value->dtype.lanes](
                           Frame& f, int lane) { return v->eval(f, lane % period); });
    }
    case NodeKind::Shuffle: {
        const auto* node = as<ir::ShuffleNode>(expr);
        std::vector<std::pair<std::shared_ptr<IntCode>, int>> lanes;
        for (const ir::Expr& vector : node->vectors) {
            const std::shared_ptr<IntCode> code = ints(vector);
            for (int i = 0; i < vector->dtype.lanes; ++i)
                lanes.emplace_back(code, i);
        }
        std::vector<std::pair<std::shared_ptr<IntCode>, int>> picked;
        for (const ir::Expr& index : node->indices)
            picked.push_back(lanes.at(static_cast<std::size_t>(ir::constInt(index).value_or(0))));
        return intCode([picked](Frame& f, int lane) {
            const auto& [code, inner] = picked[static_cast<std::size_t>(lane)];
            return code->eval(f, inner);
        });
    }
    case NodeKind::Let: {
        const auto* node = as<ir::LetNode>(expr);
        std::shared_ptr<StmtCode> define = bind(node->var, node->value);
        return intCode([define, body = ints(node->body)](Frame& f, int lane) {
            define->exec(f);
            return body->eval(f, lane);
        });
    }
    case NodeKind::BufferLoad: {
        const auto* node = as<ir::BufferLoadNode>(expr);
        const ir::DataType type = node->buffer->dtype.element();
        auto place = address(node->buffer, node->indices);
        if (node->predicate)
            return intCode([place = std::move(place), type,
                            p = ints(node->predicate)](Frame& f, int lane) -> std::int64_t {
                return p->eval(f, lane) != 0 ? loadInt(type, place(f, lane)) : 0;
            });
        return intCode([place = std::move(place), type](Frame& f, int lane) {
            return loadInt(type, place(f, lane));
        });
    }
    case NodeKind::Call:
        return intCall(*as<ir::CallNode>(expr));
    case NodeKind::StringImm:
    case NodeKind::RegionAccess:
    case NodeKind::FloatImm:
        unsupported("this expression has no integer value");
    default:
        return intBinary(static_cast<const ir::BinaryNode&>(*expr));
    }
}

RealPtr Compiler::realBinary(const ir::BinaryNode& node) {
    RealPtr a = reals(node.a);
    RealPtr b = reals(node.b);
    const ir::DataType type = node.dtype.element();
    switch (node.kind()) {
    case NodeKind::Add:
        return rounding(std::move(a), std::move(b), type, [](double x, double y) { return x + y; });
    case NodeKind::Sub:
        return rounding(std::move(a), std::move(b), type, [](double x, double y) { return x - y; });
    case NodeKind::Mul:
        return rounding(std::move(a), std::move(b), type, [](double x, double y) { return x * y; });
    case NodeKind::Div:
        return rounding(std::move(a), std::move(b), type, [](double x, double y) { return x / y; });
    case NodeKind::Min:
        return rounding(std::move(a), std::move(b), type,
                        [](double x, double y) { return x < y ? x : y; });
    case NodeKind::Max:
        return rounding(std::move(a), std::move(b), type,
                        [](double x, double y) { return x > y ? x : y; });
    case NodeKind::Mod:
        return rounding(std::move(a), std::move(b), type,
                        [](double x, double y) { return std::fmod(x, y); });
    case NodeKind::FloorDiv:
        return rounding(std::move(a), std::move(b), type,
                        [](double x, double y) { return std::floor(x / y); });
    case NodeKind::FloorMod:
        return rounding(std::move(a), std::move(b), type,
                        [](double x, double y) { return x - std::floor(x / y) * y; });
    default:
        unsupported("this operator has no floating-point value");
    }
}

RealPtr Compiler::reals(const ir::Expr& expr) {
    if (!expr->dtype.isFloating())
        unsupported(base::concat("a floating-point number is expected where the type is ",
                                 toString(expr->dtype)));
    const ir::DataType type = expr->dtype.element();
    bytesOf(type);
    switch (expr->kind()) {
    case NodeKind::Var:
        return realCode([slot = varSlot(as<ir::VarNode>(expr))](Frame& f, int lane) {
            return f.reals[static_cast<std::size_t>(slot + lane)];
        });
    case NodeKind::FloatImm:
        return realCode([value = roundTo(type, as<ir::FloatImmNode>(expr)->value)](Frame&, int) {
            return value;
        });
    case NodeKind::Cast: {
        const ir::Expr& value = as<ir::CastNode>(expr)->value;
        if (value->dtype.isFloating())
            return realCode([v = reals(value), type](Frame& f, int lane) {
                return roundTo(type, v->eval(f, lane));
            });
        const bool isUnsigned = value->dtype.isUInt() && value->dtype.bits == 64;
        return realCode([v = ints(value), type, isUnsigned](Frame& f, int lane) {
            const std::int64_t whole = v->eval(f, lane);
            // 64-bit integers reach float32 in one rounding.
            if (type.bits == 32 && type.code == ir::TypeCode::Float)
                return static_cast<double>(
                    isUnsigned ? static_cast<float>(static_cast<std::uint64_t>(whole))
                               : static_cast<float>(whole));
            return roundTo(type, isUnsigned ? static_cast<double>(static_cast<std::uint64_t>(whole))
                                            : static_cast<double>(whole));
        });
    }
    case NodeKind::Select: {
        const auto* node = as<ir::SelectNode>(expr);
        return realCode([c = ints(node->condition), t = reals(node->trueValue),
                         e = reals(node->falseValue),
                         isVector = !node->condition->dtype.isScalar()](Frame& f, int lane) {
            return c->eval(f, isVector ? lane : 0) != 0 ? t->eval(f, lane) : e->eval(f, lane);
        });
    }
    case NodeKind::Ramp: {
        const auto* node = as<ir::RampNode>(expr);
        return realCode([b = reals(node->base), s = reals(node->stride), type](Frame& f, int lane) {
            return roundTo(type, b->eval(f, 0) + s->eval(f, 0) * lane);
        });
    }
    case NodeKind::Broadcast: {
        const auto* node = as<ir::BroadcastNode>(expr);
        return realCode([v = reals(node->value), period = node->value->dtype.lanes](
                            Frame& f, int lane) { return v->eval(f, lane % period); });
    }
    case NodeKind::Shuffle: {
        const auto* node = as<ir::ShuffleNode>(expr);
        std::vector<std::pair<std::shared_ptr<RealCode>, int>> lanes;
        for (const ir::Expr& vector : node->vectors) {
            const std::shared_ptr<RealCode> code = reals(vector);
            for (int i = 0; i < vector->dtype.lanes; ++i)
                lanes.emplace_back(code, i);
        }
        std::vector<std::pair<std::shared_ptr<RealCode>, int>> picked;
        for (const ir::Expr& index : node->indices)
            picked.push_back(lanes.at(static_cast<std::size_t>(ir::constInt(index).value_or(0))));
        return realCode([picked](Frame& f, int lane) {
            const auto& [code, inner] = picked[static_cast<std::size_t>(lane)];
            return code->eval(f, inner);
        });
    }
    case NodeKind::Let: {
        const auto* node = as<ir::LetNode>(expr);
        std::shared_ptr<StmtCode> define = bind(node->var, node->value);
        return realCode([define, body = reals(node->body)](Frame& f, int lane) {
            define->exec(f);
            return body->eval(f, lane);
        });
    }
    case NodeKind::BufferLoad: {
        const auto* node = as<ir::BufferLoadNode>(expr);
        const ir::DataType element = node->buffer->dtype.element();
        auto place = address(node->buffer, node->indices);
        if (node->predicate)
            return realCode(
                [place = std::move(place), element, p = ints(node->predicate)](Frame& f, int lane) {
                    return p->eval(f, lane) != 0 ? loadReal(element, place(f, lane)) : 0.0;
                });
        return realCode([place = std::move(place), element](Frame& f, int lane) {
            return loadReal(element, place(f, lane));
        });
    }
    case NodeKind::Call:
        return realCall(*as<ir::CallNode>(expr));
    default:
        break;
    }
    if (!ir::BinaryNode::classof(expr->kind()))
        unsupported("this expression has no floating-point value");
    return realBinary(static_cast<const ir::BinaryNode&>(*expr));
}

} // namespace tilewright::interp
