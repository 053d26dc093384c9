// SPDX-License-Identifier: Apache-2.0
// Intrinsics.
#include "compiler.h"
#include "scalar_type.h"

#include <tilewright/ir/make.h>

#include <tilewright/base/concat.h>

#include <bit>
#include <cmath>

namespace tilewright::interp {

using ir::as;
using ir::Op;

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

Unary unaryFunction(Op op) {
    switch (op) {
    case Op::Exp:
        return [](double x) { return std::exp(x); };
    case Op::Exp2:
        return [](double x) { return std::exp2(x); };
    case Op::Exp10:
        return [](double x) { return std::pow(10.0, x); };
    case Op::Log:
        return [](double x) { return std::log(x); };
    case Op::Log2:
        return [](double x) { return std::log2(x); };
    case Op::Log10:
        return [](double x) { return std::log10(x); };
    case Op::Log1p:
        return [](double x) { return std::log1p(x); };
    case Op::Sqrt:
        return [](double x) { return std::sqrt(x); };
    case Op::Rsqrt:
        return [](double x) { return 1.0 / std::sqrt(x); };
    case Op::Tanh:
        return [](double x) { return std::tanh(x); };
    case Op::Tan:
        return [](double x) { return std::tan(x); };
    case Op::Sin:
        return [](double x) { return std::sin(x); };
    case Op::Cos:
        return [](double x) { return std::cos(x); };
    case Op::Sinh:
        return [](double x) { return std::sinh(x); };
    case Op::Cosh:
        return [](double x) { return std::cosh(x); };
    case Op::Asin:
        return [](double x) { return std::asin(x); };
    case Op::Acos:
        return [](double x) { return std::acos(x); };
    case Op::Atan:
        return [](double x) { return std::atan(x); };
    case Op::Asinh:
        return [](double x) { return std::asinh(x); };
    case Op::Acosh:
        return [](double x) { return std::acosh(x); };
    case Op::Atanh:
        return [](double x) { return std::atanh(x); };
    case Op::Sigmoid:
        return [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
    case Op::Erf:
        return [](double x) { return std::erf(x); };
    case Op::Fabs:
        return [](double x) { return std::fabs(x); };
    case Op::Floor:
        return [](double x) { return std::floor(x); };
    case Op::Ceil:
        return [](double x) { return std::ceil(x); };
    case Op::Trunc:
        return [](double x) { return std::trunc(x); };
    case Op::Round:
        return [](double x) { return std::round(x); };
    case Op::Nearbyint:
        return [](double x) { return std::nearbyint(x); };
    default:
        return nullptr;
    }
}

Binary binaryFunction(Op op) {
    switch (op) {
    case Op::Pow:
        return [](double x, double y) { return std::pow(x, y); };
    case Op::Fmod:
        return [](double x, double y) { return std::fmod(x, y); };
    case Op::Atan2:
        return [](double x, double y) { return std::atan2(x, y); };
    case Op::Copysign:
        return [](double x, double y) { return std::copysign(x, y); };
    case Op::Hypot:
        return [](double x, double y) { return std::hypot(x, y); };
    default:
        return nullptr;
    }
}

std::string nameOf(const ir::CallNode& call) {
    return std::string(call.op == Op::Unknown || call.op == Op::CallGlobal
                           ? std::string_view(call.callee)
                           : spelling(call.op));
}

[[noreturn]] void refuse(const ir::CallNode& call) {
    unsupported(base::concat("the call of ", nameOf(call), " is not interpreted"));
}

/// round(x · y · 2^-(q - s)) with ties upwards, as the fixed-point intrinsic is defined.
std::int64_t multiplyShift(std::int64_t x, std::int64_t y, std::int64_t q, std::int64_t shift) {
    const std::int64_t left = shift > 0 ? shift : 0;
    const std::int64_t right = (shift > 0 ? 0 : -shift) + q;
    const std::int64_t product = x * (std::int64_t{1} << left) * y;
    if (right == 0)
        return product;
    return (product + (std::int64_t{1} << (right - 1))) >> right;
}

} // namespace

RealPtr Compiler::realFunction(const ir::CallNode& call) {
    const ir::DataType type = call.dtype.element();
    if (const Unary fn = unaryFunction(call.op); fn && call.args.size() == 1) {
        RealPtr x = reals(call.args[0]);
        return realCode([x = std::move(x), fn, type](Frame& f, int lane) {
            return roundTo(type, fn(x->eval(f, lane)));
        });
    }
    if (const Binary fn = binaryFunction(call.op); fn && call.args.size() == 2)
        return realCode(
            [x = reals(call.args[0]), y = reals(call.args[1]), fn, type](Frame& f, int lane) {
                return roundTo(type, fn(x->eval(f, lane), y->eval(f, lane)));
            });
    return nullptr;
}

RealPtr Compiler::realCall(const ir::CallNode& call) {
    const ir::DataType type = call.dtype.element();
    if (RealPtr function = realFunction(call))
        return function;
    switch (call.op) {
    case Op::IfThenElse:
        return realCode([c = ints(call.args.at(0)), t = reals(call.args.at(1)),
                         e = reals(call.args.at(2))](Frame& f, int lane) {
            return c->eval(f, 0) != 0 ? t->eval(f, lane) : e->eval(f, lane);
        });
    case Op::Likely:
        return reals(call.args.at(0));
    case Op::Fma:
        return realCode([a = reals(call.args.at(0)), b = reals(call.args.at(1)),
                         c = reals(call.args.at(2)), type](Frame& f, int lane) {
            return roundTo(type, std::fma(a->eval(f, lane), b->eval(f, lane), c->eval(f, lane)));
        });
    case Op::Ldexp: {
        const ir::Expr& exponent = call.args.at(1);
        if (exponent->dtype.isFloating())
            return realCode([x = reals(call.args.at(0)), e = reals(exponent), type](Frame& f,
                                                                                    int lane) {
                return roundTo(type,
                               std::ldexp(x->eval(f, lane), static_cast<int>(e->eval(f, lane))));
            });
        return realCode([x = reals(call.args.at(0)), e = ints(exponent), type](Frame& f, int lane) {
            return roundTo(type, std::ldexp(x->eval(f, lane), static_cast<int>(e->eval(f, lane))));
        });
    }
    case Op::Nextafter:
        if (type.bits != 32 && type.bits != 64)
            refuse(call);
        return realCode([x = reals(call.args.at(0)), y = reals(call.args.at(1)),
                         isFloat = type.bits == 32](Frame& f, int lane) -> double {
            const double from = x->eval(f, lane);
            const double to = y->eval(f, lane);
            return isFloat ? std::nextafterf(static_cast<float>(from), static_cast<float>(to))
                           : std::nextafter(from, to);
        });
    case Op::Reinterpret:
        return reinterpretAsReal(call);
    case Op::Undef:
        return realCode([](Frame&, int) { return 0.0; });
    default:
        refuse(call);
    }
}

IntPtr Compiler::integerFunction(const ir::CallNode& call) {
    const Wrap wrap(call.dtype);
    const auto twoOperands = [&](auto fn) {
        return intCode(
            [a = ints(call.args.at(0)), b = ints(call.args.at(1)), wrap, fn](Frame& f, int lane) {
                return wrap(static_cast<std::uint64_t>(fn(a->eval(f, lane), b->eval(f, lane))));
            });
    };
    const bool isUnsigned64 = call.dtype.isUInt() && call.dtype.bits == 64;
    const int bits = call.args.empty() ? 32 : call.args[0]->dtype.bits;
    switch (call.op) {
    case Op::BitwiseAnd:
        return twoOperands([](std::int64_t a, std::int64_t b) { return a & b; });
    case Op::BitwiseOr:
        return twoOperands([](std::int64_t a, std::int64_t b) { return a | b; });
    case Op::BitwiseXor:
        return twoOperands([](std::int64_t a, std::int64_t b) { return a ^ b; });
    case Op::ShiftLeft:
        return twoOperands([](std::int64_t a, std::int64_t b) {
            return b < 0 || b > 63 ? 0
                                   : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
        });
    case Op::ShiftRight:
        return twoOperands([isUnsigned64](std::int64_t a, std::int64_t b) {
            const auto count = b < 0 || b > 63 ? 63 : b;
            return isUnsigned64 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) >> count)
                                : a >> count;
        });
    case Op::BitwiseNot:
        return intCode([a = ints(call.args.at(0)), wrap](Frame& f, int lane) {
            return wrap(~static_cast<std::uint64_t>(a->eval(f, lane)));
        });
    case Op::Popcount:
        return intCode([a = ints(call.args.at(0)), bits](Frame& f, int lane) -> std::int64_t {
            const auto mask = ~std::uint64_t{0} >> (64 - bits);
            return std::popcount(static_cast<std::uint64_t>(a->eval(f, lane)) & mask);
        });
    case Op::Clz:
        return intCode([a = ints(call.args.at(0)), bits](Frame& f, int lane) -> std::int64_t {
            const auto mask = ~std::uint64_t{0} >> (64 - bits);
            return std::countl_zero(static_cast<std::uint64_t>(a->eval(f, lane)) & mask) -
                   (64 - bits);
        });
    case Op::QMultiplyShift:
        return intCode([x = ints(call.args.at(0)), y = ints(call.args.at(1)),
                        q = ints(call.args.at(2)), s = ints(call.args.at(3)),
                        wrap](Frame& f, int lane) {
            return wrap(static_cast<std::uint64_t>(
                multiplyShift(x->eval(f, lane), y->eval(f, lane), q->eval(f, 0), s->eval(f, 0))));
        });
    case Op::Pow: {
        return twoOperands([](std::int64_t a, std::int64_t b) {
            std::uint64_t result = 1;
            for (std::int64_t i = 0; i < b && i < 64; ++i)
                result *= static_cast<std::uint64_t>(a);
            return static_cast<std::int64_t>(result);
        });
    }
    case Op::Large_Uint_Imm:
        return intCode([low = ints(call.args.at(0)), high = ints(call.args.at(1))](Frame& f, int) {
            return static_cast<std::int64_t>(
                static_cast<std::uint64_t>(high->eval(f, 0)) << 32 |
                (static_cast<std::uint64_t>(low->eval(f, 0)) & 0xffffffffULL));
        });
    default:
        return nullptr;
    }
}

IntPtr Compiler::intCall(const ir::CallNode& call) {
    if (IntPtr function = integerFunction(call))
        return function;
    switch (call.op) {
    case Op::IfThenElse:
        return intCode([c = ints(call.args.at(0)), t = ints(call.args.at(1)),
                        e = ints(call.args.at(2))](Frame& f, int lane) {
            return c->eval(f, 0) != 0 ? t->eval(f, lane) : e->eval(f, lane);
        });
    case Op::Likely:
        return ints(call.args.at(0));
    case Op::Isnan:
    case Op::Isinf:
    case Op::Isfinite: {
        if (!call.args.at(0)->dtype.isFloating())
            return intCode(
                [value = call.op == Op::Isfinite](Frame&, int) -> std::int64_t { return value; });
        return intCode([x = reals(call.args[0]), op = call.op](Frame& f, int lane) -> std::int64_t {
            const double value = x->eval(f, lane);
            return op == Op::Isnan   ? std::isnan(value)
                   : op == Op::Isinf ? std::isinf(value)
                                     : std::isfinite(value);
        });
    }
    case Op::Floor:
    case Op::Ceil:
    case Op::Trunc:
    case Op::Round:
    case Op::Nearbyint:
        return ints(call.args.at(0));
    case Op::Fabs:
        return intCode([x = ints(call.args.at(0)), wrap = Wrap(call.dtype)](Frame& f, int lane) {
            const std::int64_t value = x->eval(f, lane);
            return value < 0 ? wrap(0 - static_cast<std::uint64_t>(value)) : value;
        });
    case Op::Reinterpret:
        return reinterpretAsInt(call);
    case Op::Undef:
        return intCode([](Frame&, int) -> std::int64_t { return 0; });
    case Op::CallLlvmIntrin:
    case Op::CallLlvmPureIntrin:
        return dotProduct(call);
    default:
        refuse(call);
    }
}

std::function<void(Frame&, std::vector<std::uint8_t>&)>
Compiler::bytesOfLanes(const ir::Expr& expr) {
    const ir::DataType type = expr->dtype.element();
    const auto width = static_cast<std::size_t>(bytesOf(type));
    const int lanes = expr->dtype.lanes;
    if (type.isFloating()) {
        const std::shared_ptr<RealCode> code = reals(expr);
        return [code, type, width, lanes](Frame& f, std::vector<std::uint8_t>& bytes) {
            bytes.resize(width * static_cast<std::size_t>(lanes));
            for (int lane = 0; lane < lanes; ++lane)
                storeReal(type, bytes.data() + width * static_cast<std::size_t>(lane),
                          code->eval(f, lane));
        };
    }
    const std::shared_ptr<IntCode> code = ints(expr);
    return [code, type, width, lanes](Frame& f, std::vector<std::uint8_t>& bytes) {
        bytes.resize(width * static_cast<std::size_t>(lanes));
        for (int lane = 0; lane < lanes; ++lane)
            storeInt(type, bytes.data() + width * static_cast<std::size_t>(lane),
                     code->eval(f, lane));
    };
}

IntPtr Compiler::reinterpretAsInt(const ir::CallNode& call) {
    const ir::DataType type = call.dtype.element();
    const auto width = static_cast<std::size_t>(bytesOf(type));
    return intCode([fill = bytesOfLanes(call.args.at(0)), type, width](Frame& f, int lane) {
        std::vector<std::uint8_t> bytes;
        fill(f, bytes);
        const std::size_t at = width * static_cast<std::size_t>(lane);
        TW_CHECK(at + width <= bytes.size());
        return loadInt(type, bytes.data() + at);
    });
}

RealPtr Compiler::reinterpretAsReal(const ir::CallNode& call) {
    const ir::DataType type = call.dtype.element();
    const auto width = static_cast<std::size_t>(bytesOf(type));
    return realCode([fill = bytesOfLanes(call.args.at(0)), type, width](Frame& f, int lane) {
        std::vector<std::uint8_t> bytes;
        fill(f, bytes);
        const std::size_t at = width * static_cast<std::size_t>(lane);
        TW_CHECK(at + width <= bytes.size());
        return loadReal(type, bytes.data() + at);
    });
}

/// The byte dot products: every 32-bit lane adds four products of bytes.
IntPtr Compiler::dotProduct(const ir::CallNode& call) {
    const auto* name = call.args.empty() ? nullptr : as<ir::StringImmNode>(call.args[0]);
    std::size_t first = 1;
    // Some eras put the number of signature arguments behind the name.
    if (call.args.size() == 5)
        first = 2;
    if (!name || call.args.size() < first + 3)
        refuse(call);
    struct Signs {
        std::string_view name;
        bool isLeftSigned;
        bool isRightSigned;
    };
    static constexpr Signs kKnown[] = {{"llvm.x86.avx512.vpdpbusd.512", false, true},
                                       {"llvm.x86.avx512.vpdpbusd.256", false, true},
                                       {"llvm.x86.avx512.vpdpbusd.128", false, true},
                                       {"llvm.aarch64.neon.sdot", true, true},
                                       {"llvm.aarch64.neon.udot", false, false}};
    const Signs* signs = nullptr;
    for (const Signs& known : kKnown) {
        if (name->value.starts_with(known.name))
            signs = &known;
    }
    if (!signs || call.dtype.bits != 32)
        unsupported(base::concat("the intrinsic ", name->value, " is not interpreted"));
    return intCode([accumulator = ints(call.args[first]), left = bytesOfLanes(call.args[first + 1]),
                    right = bytesOfLanes(call.args[first + 2]), s = *signs,
                    wrap = Wrap(call.dtype)](Frame& f, int lane) {
        std::vector<std::uint8_t> a;
        std::vector<std::uint8_t> b;
        left(f, a);
        right(f, b);
        std::int64_t sum = accumulator->eval(f, lane);
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t at = static_cast<std::size_t>(lane) * 4 + i;
            const int x = s.isLeftSigned ? static_cast<std::int8_t>(a.at(at)) : a.at(at);
            const int y = s.isRightSigned ? static_cast<std::int8_t>(b.at(at)) : b.at(at);
            sum += std::int64_t{x} * y;
        }
        return wrap(static_cast<std::uint64_t>(sum));
    });
}

StmtPtr Compiler::evaluate(const ir::Expr& expr) {
    const auto nothing = [](Frame&) { return Flow::Next; };
    if (const auto* call = as<ir::CallNode>(expr)) {
        switch (call->op) {
        case Op::Assume:
        case Op::Prefetch:
        case Op::StorageSync:
        case Op::PtxCommitGroup:
        case Op::PtxWaitGroup:
            return stmtCode(nothing);
        default:
            break;
        }
    }
    if (expr->dtype.isIntegral())
        return stmtCode([code = ints(expr)](Frame& f) {
            code->eval(f, 0);
            return Flow::Next;
        });
    if (expr->dtype.isFloating())
        return stmtCode([code = reals(expr)](Frame& f) {
            code->eval(f, 0);
            return Flow::Next;
        });
    if (const auto* call = as<ir::CallNode>(expr))
        refuse(*call);
    return stmtCode(nothing);
}

} // namespace tilewright::interp
