// SPDX-License-Identifier: Apache-2.0
#include "vector_math.h"

#include <tilewright/ir/expr.h>

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <array>
#include <string>

namespace tilewright::codegen {

using llvm::Intrinsic::ID;
namespace Intrinsic = llvm::Intrinsic;
using ir::Op;

namespace {

// Minimax polynomials (Remez exchange in 50 digits); the error is relative to the function.
// (e^r - 1 - r) / r² on |r| <= ln 2 / 2: 3e-9 and 5e-20.
constexpr std::array kExp32{0.500000009543456528, 0.166665188501130667, 0.0416662049632706131,
                            0.00836888848118889562, 0.00139505437054960803};
constexpr std::array kExp64{0.5,
                            0.166666666666666838,
                            0.0416666666666667239,
                            0.00833333333331674183,
                            0.00138888888888586671,
                            0.000198412698970527193,
                            0.0000248015873733688791,
                            2.75572342418931433e-6,
                            2.75572336355343254e-7,
                            2.51122383352779917e-8,
                            2.09268675338553389e-9};
// (log(1 + f) - f + f²/2) / f³ on [sqrt(1/2) - 1, sqrt(2) - 1]: 7e-10.
constexpr std::array kLog32{0.333333104634835473,  -0.249999865742937507, 0.20002225277609598,
                            -0.166692513568227289, 0.142186823155501873,  -0.123843511355497082,
                            0.118728144434701168,  -0.117897442081096963, 0.0691564229700782261};
// (2 atanh(s) / s - 2) / s² as a polynomial in s² on [0, 0.0294]: 2.5e-18.
constexpr std::array kLog64{0.666666666666673406, 0.399999999994164618, 0.285714287420661915,
                            0.22222198600870357,  0.18183563093192837,  0.153140779259816228,
                            0.147957101912039202};
// erf(x) / x in x² for |x| <= 0.954: 6e-10.
constexpr std::array kErfSmall{1.12837916646108639,    -0.376126319690249198,
                               0.112836678629403494,   -0.0268578553651271037,
                               0.00519720687084459687, -0.000809958101586277316,
                               0.000081897556785404405};
// -log(1 - erf(x)) on [0.94, 4]: erf's absolute error 2e-10.
constexpr std::array kErfLarge{-0.000135604110576457251, 1.12932992218748039,
                               0.633713427721645379,     0.107886817309286521,
                               -0.0248730131381929694,   0.00408106475961234759,
                               -0.000416757111238549457, 0.0000196510007696419653};
// (tanh(x) / x - 1) / x² in x² for |x| <= 0.626: 4e-9.
constexpr std::array kTanhSmall{-0.333332831423774906, 0.133314683090058401, -0.0537414531129960565,
                                0.0206435432396801875, -0.00570879641038772256};
// (sin(x) / x - 1) / x² and (cos(x) - 1 + x²/2) / x⁴ in x² for |x| <= pi/4: 5e-12, 1e-10.
constexpr std::array kSin{-0.16666666641605305, 0.00833332938328209616, -0.000198393339682482864,
                          2.71830302335217051e-6};
constexpr std::array kCos{0.0416666468546304945, -0.00138873668848024579, 0.0000244383743584430532};
// (atan(x) / x - 1) / x² in x² for |x| <= tan(pi/8): 7e-10.
constexpr std::array kAtan{-0.333333155019826686, 0.199984890376373573, -0.142438386197078223,
                           0.105959118916671492, -0.0608319496734441404};

constexpr double kLog2E = 1.4426950408889634074;
constexpr double kLn2 = 0.69314718055994530942;

} // namespace

llvm::Value* VectorMath::constant(Value* like, double value) {
    return llvm::ConstantFP::get(like->getType(), value);
}
llvm::Type* VectorMath::intTypeOf(Value* x) {
    llvm::Type* element = isDouble(x) ? b_.getInt64Ty() : b_.getInt32Ty();
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(x->getType()))
        return llvm::VectorType::get(element, vector->getElementCount());
    return element;
}
llvm::Value* VectorMath::intConstant(Value* like, std::int64_t value) {
    return llvm::ConstantInt::get(intTypeOf(like), static_cast<std::uint64_t>(value), true);
}
llvm::Value* VectorMath::fma(Value* a, Value* x, Value* c) {
    return b_.CreateIntrinsic(Intrinsic::fmuladd, {a->getType()}, {a, x, c});
}
llvm::Value* VectorMath::unary(ID id, Value* x) {
    return b_.CreateUnaryIntrinsic(id, x);
}
llvm::Value* VectorMath::horner(Value* x, std::span<const double> coefficients) {
    Value* sum = constant(x, coefficients.back());
    for (std::size_t i = coefficients.size() - 1; i-- > 0;)
        sum = fma(sum, x, constant(x, coefficients[i]));
    return sum;
}
llvm::Value* VectorMath::copySign(Value* magnitude, Value* sign) {
    return b_.CreateBinaryIntrinsic(Intrinsic::copysign, magnitude, sign);
}

/// 2^n for an integer-valued n in the exponent's normal range, by building its bits.
llvm::Value* VectorMath::powerOfTwo(Value* exponent, Value* like) {
    const bool wide = isDouble(like);
    Value* biased = b_.CreateAdd(exponent, intConstant(like, wide ? 1023 : 127));
    return b_.CreateBitCast(b_.CreateShl(biased, intConstant(like, wide ? 52 : 23)),
                            like->getType());
}
/// x * 2^n in two steps, so that results may overflow or become subnormal as they should.
llvm::Value* VectorMath::scaleByPower(Value* x, Value* n) {
    Value* half = b_.CreateAShr(n, intConstant(x, 1));
    Value* first = b_.CreateFMul(x, powerOfTwo(half, x));
    return b_.CreateFMul(first, powerOfTwo(b_.CreateSub(n, half), x));
}

llvm::Value* VectorMath::exp(Value* x) {
    const bool wide = isDouble(x);
    const double highest = wide ? 710.0 : 89.0;
    const double lowest = wide ? -746.0 : -104.5;
    // NaN fails both comparisons and passes through.
    Value* clamped =
        b_.CreateSelect(b_.CreateFCmpOGT(x, constant(x, highest)), constant(x, highest), x);
    clamped = b_.CreateSelect(b_.CreateFCmpOLT(clamped, constant(x, lowest)), constant(x, lowest),
                              clamped);
    Value* n = unary(Intrinsic::rint, b_.CreateFMul(clamped, constant(x, kLog2E)));
    // ln 2 in two parts; the first has trailing zeros, so that n times it is exact.
    const double high = wide ? 0x1.62e42fee00000p-1 : 0x1.62e400p-1;
    Value* r = fma(n, constant(x, -high), clamped);
    r = fma(n, constant(x, -(wide ? 0x1.a39ef35793c76p-33 : kLn2 - 0x1.62e400p-1)), r);
    Value* tail = wide ? horner(r, kExp64) : horner(r, kExp32);
    Value* y = b_.CreateFAdd(fma(b_.CreateFMul(r, r), tail, r), constant(x, 1));
    // A NaN has no integer: any power will do, the product stays NaN.
    Value* power = b_.CreateFreeze(b_.CreateFPToSI(n, intTypeOf(x)));
    return scaleByPower(y, power);
}

/// x = mantissa * 2^exponent with the mantissa in [sqrt(1/2), sqrt(2)); x positive.
void VectorMath::splitExponent(Value* x, Value*& mantissa, Value*& exponent) {
    const bool wide = isDouble(x);
    const int fraction = wide ? 52 : 23;
    // Subnormals first become normal.
    Value* tiny = b_.CreateFCmpOLT(x, constant(x, wide ? 0x1p-1022 : 0x1p-126));
    Value* scaled = b_.CreateSelect(tiny, b_.CreateFMul(x, constant(x, wide ? 0x1p54 : 0x1p25)), x);
    Value* bits = b_.CreateBitCast(scaled, intTypeOf(x));
    // Subtracting sqrt(1/2)'s bits moves the mantissa's seam there.
    const std::int64_t seam = wide ? 0x3fe6a09e667f3bcdLL : 0x3f3504f3LL;
    Value* shifted = b_.CreateSub(bits, intConstant(x, seam));
    Value* power = b_.CreateAShr(shifted, intConstant(x, fraction));
    Value* rest = b_.CreateSub(bits, b_.CreateShl(power, intConstant(x, fraction)));
    mantissa = b_.CreateBitCast(rest, x->getType());
    power = b_.CreateSub(power,
                         b_.CreateSelect(tiny, intConstant(x, wide ? 54 : 25), intConstant(x, 0)));
    exponent = b_.CreateSIToFP(power, x->getType());
}

llvm::Value* VectorMath::log(Value* x) {
    Value* m = nullptr;
    Value* e = nullptr;
    splitExponent(x, m, e);
    Value* f = b_.CreateFSub(m, constant(x, 1));
    Value* result = nullptr;
    if (isDouble(x)) {
        Value* s = b_.CreateFDiv(f, b_.CreateFAdd(f, constant(x, 2)));
        Value* z = b_.CreateFMul(s, s);
        // log m = f - s (f - z P(z)) loses nothing near 1.
        Value* series = b_.CreateFMul(z, horner(z, kLog64));
        Value* lower = b_.CreateFMul(s, b_.CreateFSub(f, series));
        Value* low = fma(e, constant(x, 0x1.a39ef35793c76p-33), b_.CreateFNeg(lower));
        result = fma(e, constant(x, 0x1.62e42fee00000p-1), b_.CreateFAdd(f, low));
    } else {
        Value* z = b_.CreateFMul(f, f);
        Value* y = b_.CreateFMul(b_.CreateFMul(f, z), horner(f, kLog32));
        y = fma(e, constant(x, kLn2 - 0x1.62e400p-1), y);
        y = fma(z, constant(x, -0.5), y);
        result = fma(e, constant(x, 0x1.62e400p-1), b_.CreateFAdd(f, y));
    }
    const double infinity = std::numeric_limits<double>::infinity();
    Value* isFinite = b_.CreateFCmpOLT(x, constant(x, infinity));
    result = b_.CreateSelect(isFinite, result, x); // +inf and NaN give themselves
    result = b_.CreateSelect(b_.CreateFCmpOLT(x, constant(x, 0)),
                             constant(x, std::numeric_limits<double>::quiet_NaN()), result);
    return b_.CreateSelect(b_.CreateFCmpOEQ(x, constant(x, 0)), constant(x, -infinity), result);
}

llvm::Value* VectorMath::tanh(Value* x) {
    Value* a = abs(x);
    // 1 - 2 / (e^2a + 1) cancels near 0, where the polynomial takes over.
    const double saturated = isDouble(x) ? 20.0 : 10.0;
    Value* bounded =
        b_.CreateSelect(b_.CreateFCmpOGT(a, constant(x, saturated)), constant(x, saturated), a);
    Value* e = exp(b_.CreateFAdd(bounded, bounded));
    Value* large = b_.CreateFSub(constant(x, 1),
                                 b_.CreateFDiv(constant(x, 2), b_.CreateFAdd(e, constant(x, 1))));
    Value* z = b_.CreateFMul(a, a);
    if (isDouble(x)) {
        // (e^2a - 1) / (e^2a + 1) keeps 1e-13 down to 1e-3; below that two terms suffice.
        Value* small =
            fma(b_.CreateFMul(a, z), fma(z, constant(x, 2.0 / 15), constant(x, -1.0 / 3)), a);
        return copySign(b_.CreateSelect(b_.CreateFCmpOLT(a, constant(x, 2e-3)), small, large), x);
    }
    Value* small = fma(b_.CreateFMul(a, z), horner(z, kTanhSmall), a);
    Value* isSmall = b_.CreateFCmpULT(a, constant(x, 0.625)); // NaN too: it stays NaN
    return copySign(b_.CreateSelect(isSmall, small, large), x);
}

llvm::Value* VectorMath::sigmoid(Value* x) {
    Value* e = exp(b_.CreateFNeg(x));
    return b_.CreateFDiv(constant(x, 1), b_.CreateFAdd(e, constant(x, 1)));
}

llvm::Value* VectorMath::erf(Value* x) {
    if (isDouble(x))
        return libraryCall("erf", std::array{x});
    Value* a = abs(x);
    Value* z = b_.CreateFMul(x, x);
    Value* small = b_.CreateFMul(x, horner(z, kErfSmall));
    Value* bounded = b_.CreateSelect(b_.CreateFCmpOGT(a, constant(x, 4)), constant(x, 4), a);
    Value* tail = exp(b_.CreateFNeg(horner(bounded, kErfLarge)));
    Value* large = copySign(b_.CreateFSub(constant(x, 1), tail), x);
    return b_.CreateSelect(b_.CreateFCmpULT(a, constant(x, 0.95)), small, large);
}

llvm::Value* VectorMath::pow(Value* x, Value* y) {
    // Constant small powers, which normalisation layers use, need no logarithm.
    llvm::Constant* splat = llvm::dyn_cast<llvm::Constant>(y);
    if (splat && splat->getType()->isVectorTy())
        splat = splat->getSplatValue();
    if (auto* power = llvm::dyn_cast_or_null<llvm::ConstantFP>(splat)) {
        const double p = isDouble(y) ? power->getValueAPF().convertToDouble()
                                     : static_cast<double>(power->getValueAPF().convertToFloat());
        if (p == 1)
            return x;
        if (p == 2)
            return b_.CreateFMul(x, x);
        if (p == 3)
            return b_.CreateFMul(b_.CreateFMul(x, x), x);
        if (p == 4) {
            Value* square = b_.CreateFMul(x, x);
            return b_.CreateFMul(square, square);
        }
        if (p == 0.5)
            return unary(Intrinsic::sqrt, x);
        if (p == -1)
            return b_.CreateFDiv(constant(x, 1), x);
        if (p == -0.5)
            return b_.CreateFDiv(constant(x, 1), unary(Intrinsic::sqrt, x));
        if (p == 0)
            return constant(x, 1);
    }
    if (isDouble(x))
        return powDouble(x, y);
    llvm::Type* wide = b_.getDoubleTy();
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(x->getType()))
        wide = llvm::VectorType::get(wide, vector->getElementCount());
    return b_.CreateFPTrunc(powDouble(b_.CreateFPExt(x, wide), b_.CreateFPExt(y, wide)),
                            x->getType());
}

llvm::Value* VectorMath::powDouble(Value* x, Value* y) {
    Value* magnitude = exp(b_.CreateFMul(y, log(abs(x))));
    Value* zero = constant(x, 0);
    Value* whole = unary(Intrinsic::trunc, y);
    Value* isWhole = b_.CreateFCmpOEQ(whole, y);
    Value* half = b_.CreateFMul(y, constant(x, 0.5));
    Value* isOdd = b_.CreateAnd(isWhole, b_.CreateFCmpONE(unary(Intrinsic::trunc, half), half));
    Value* negative = b_.CreateFCmpOLT(x, zero);
    Value* result =
        b_.CreateSelect(b_.CreateAnd(negative, isOdd), b_.CreateFNeg(magnitude), magnitude);
    Value* notReal = b_.CreateAnd(negative, b_.CreateNot(isWhole));
    result =
        b_.CreateSelect(notReal, constant(x, std::numeric_limits<double>::quiet_NaN()), result);
    Value* isOne = b_.CreateOr(b_.CreateFCmpOEQ(y, zero), b_.CreateFCmpOEQ(x, constant(x, 1)));
    return b_.CreateSelect(isOne, constant(x, 1), result);
}

llvm::Value* VectorMath::sinCos(Value* x, bool cosine) {
    if (isDouble(x))
        return libraryCall(cosine ? "cos" : "sin", std::array{x});
    // x = q pi/2 + r; pi/2 in three parts.
    Value* q = unary(Intrinsic::rint, b_.CreateFMul(x, constant(x, 0.63661977236758134308)));
    Value* r = fma(q, constant(x, -0x1.921fb0p0), x);
    r = fma(q, constant(x, -0x1.5110b4p-22), r);
    r = fma(q, constant(x, -0x1.846988p-48), r);
    Value* z = b_.CreateFMul(r, r);
    Value* sine = fma(b_.CreateFMul(r, z), horner(z, kSin), r);
    Value* cosineValue =
        fma(b_.CreateFMul(z, z), horner(z, kCos), fma(z, constant(x, -0.5), constant(x, 1)));
    Value* quadrant = b_.CreateFreeze(b_.CreateFPToSI(q, intTypeOf(x)));
    if (cosine)
        quadrant = b_.CreateAdd(quadrant, intConstant(x, 1));
    Value* odd = b_.CreateICmpNE(b_.CreateAnd(quadrant, intConstant(x, 1)), intConstant(x, 0));
    Value* result = b_.CreateSelect(odd, cosineValue, sine);
    Value* flip = b_.CreateICmpNE(b_.CreateAnd(quadrant, intConstant(x, 2)), intConstant(x, 0));
    return b_.CreateSelect(flip, b_.CreateFNeg(result), result);
}

llvm::Value* VectorMath::atan(Value* x) {
    if (isDouble(x))
        return libraryCall("atan", std::array{x});
    Value* a = abs(x);
    // atan a = pi/2 - atan(1/a) above tan(3 pi/8), pi/4 + atan((a-1)/(a+1)) above tan(pi/8).
    Value* big = b_.CreateFCmpOGT(a, constant(x, 2.414213562373095));
    Value* middle = b_.CreateFCmpOGT(a, constant(x, 0.4142135623730950));
    Value* one = constant(x, 1);
    Value* t = b_.CreateSelect(middle, b_.CreateFDiv(minus(a, one), b_.CreateFAdd(a, one)), a);
    t = b_.CreateSelect(big, b_.CreateFDiv(constant(x, -1), a), t);
    Value* z = b_.CreateFMul(t, t);
    Value* y = fma(b_.CreateFMul(t, z), horner(z, kAtan), t);
    Value* base = b_.CreateSelect(middle, constant(x, 0.78539816339744831), constant(x, 0));
    base = b_.CreateSelect(big, constant(x, 1.5707963267948966), base);
    return copySign(b_.CreateFAdd(base, y), x);
}

llvm::Value* VectorMath::round(Value* x) {
    // Half away from zero: the largest number below one half, so that 0.49999997 stays 0.
    const double half = isDouble(x) ? 0x1.fffffffffffffp-2 : 0x1.fffffep-2;
    Value* nudged = b_.CreateFAdd(x, copySign(constant(x, half), x));
    return unary(Intrinsic::trunc, nudged);
}

llvm::Value* VectorMath::libraryCall(const char* name, std::span<Value* const> args) {
    llvm::Type* type = args[0]->getType();
    llvm::Type* element = type->getScalarType();
    const std::string symbol = element->isDoubleTy() ? name : std::string(name) + "f";
    llvm::SmallVector<llvm::Type*, 2> types(args.size(), element);
    llvm::Module* module = b_.GetInsertBlock()->getModule();
    llvm::FunctionCallee callee =
        module->getOrInsertFunction(symbol, llvm::FunctionType::get(element, types, false));
    if (auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
        function->setDoesNotAccessMemory();
        function->setDoesNotThrow();
    }
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (!vector)
        return b_.CreateCall(callee, llvm::ArrayRef<Value*>(args.data(), args.size()));
    Value* result = llvm::PoisonValue::get(type);
    for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
        llvm::SmallVector<Value*, 2> scalars;
        for (Value* arg : args)
            scalars.push_back(b_.CreateExtractElement(arg, lane));
        result = b_.CreateInsertElement(result, b_.CreateCall(callee, scalars), lane);
    }
    return result;
}

llvm::Value* VectorMath::emit(Op op, std::span<Value* const> args) {
    Value* x = args[0];
    const auto times = [&](Value* v, double k) { return b_.CreateFMul(v, constant(v, k)); };
    switch (op) {
    case Op::Exp:
        return exp(x);
    case Op::Exp2:
        return exp(times(x, kLn2));
    case Op::Exp10:
        return exp(times(x, 2.30258509299404568402));
    case Op::Log:
        return log(x);
    case Op::Log2:
        return times(log(x), kLog2E);
    case Op::Log10:
        return times(log(x), 0.43429448190325182765);
    case Op::Log1p: {
        // log(u) x / (u - 1) with u = 1 + x repairs what rounding u loses.
        Value* u = b_.CreateFAdd(x, constant(x, 1));
        Value* d = b_.CreateFSub(u, constant(x, 1));
        Value* exact = b_.CreateFMul(log(u), b_.CreateFDiv(x, d));
        Value* tiny = b_.CreateFCmpOEQ(d, constant(x, 0));
        Value* infinite = b_.CreateFCmpOEQ(d, constant(x, std::numeric_limits<double>::infinity()));
        return b_.CreateSelect(tiny, x, b_.CreateSelect(infinite, x, exact));
    }
    case Op::Sqrt:
        return unary(Intrinsic::sqrt, x);
    case Op::Rsqrt:
        return b_.CreateFDiv(constant(x, 1), unary(Intrinsic::sqrt, x));
    case Op::Tanh:
        return tanh(x);
    case Op::Sigmoid:
        return sigmoid(x);
    case Op::Erf:
        return erf(x);
    case Op::Pow:
        return pow(x, args[1]);
    case Op::Sin:
        return sinCos(x, false);
    case Op::Cos:
        return sinCos(x, true);
    case Op::Tan:
        return b_.CreateFDiv(sinCos(x, false), sinCos(x, true));
    case Op::Sinh: {
        Value* e = exp(abs(x));
        Value* large = times(b_.CreateFSub(e, b_.CreateFDiv(constant(x, 1), e)), 0.5);
        Value* z = b_.CreateFMul(x, x);
        Value* small = fma(
            b_.CreateFMul(x, z),
            fma(z, fma(z, constant(x, 1.0 / 5040), constant(x, 1.0 / 120)), constant(x, 1.0 / 6)),
            x);
        return b_.CreateSelect(b_.CreateFCmpOLT(abs(x), constant(x, 0.5)), small,
                               copySign(large, x));
    }
    case Op::Cosh: {
        Value* e = exp(abs(x));
        return times(b_.CreateFAdd(e, b_.CreateFDiv(constant(x, 1), e)), 0.5);
    }
    case Op::Atan:
        return atan(x);
    case Op::Asin:
        return libraryCall("asin", args);
    case Op::Acos:
        return libraryCall("acos", args);
    case Op::Asinh:
        return libraryCall("asinh", args);
    case Op::Acosh:
        return libraryCall("acosh", args);
    case Op::Atanh:
        return libraryCall("atanh", args);
    case Op::Atan2:
        return libraryCall("atan2", args);
    case Op::Hypot: {
        Value* sum = fma(x, x, b_.CreateFMul(args[1], args[1]));
        return unary(Intrinsic::sqrt, sum);
    }
    case Op::Nextafter:
        return libraryCall("nextafter", args);
    case Op::Fmod: {
        Value* quotient = unary(Intrinsic::trunc, b_.CreateFDiv(x, args[1]));
        return fma(b_.CreateFNeg(quotient), args[1], x);
    }
    case Op::Fabs:
        return abs(x);
    case Op::Floor:
        return unary(Intrinsic::floor, x);
    case Op::Ceil:
        return unary(Intrinsic::ceil, x);
    case Op::Trunc:
        return unary(Intrinsic::trunc, x);
    case Op::Nearbyint:
        return unary(Intrinsic::rint, x);
    case Op::Round:
        return round(x);
    case Op::Copysign:
        return copySign(x, args[1]);
    case Op::Fma:
        return b_.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, args[1], args[2]});
    case Op::Isnan:
        return b_.CreateFCmpUNO(x, x);
    case Op::Isinf:
        return b_.CreateFCmpOEQ(abs(x), constant(x, std::numeric_limits<double>::infinity()));
    case Op::Isfinite:
        return b_.CreateFCmpOLT(abs(x), constant(x, std::numeric_limits<double>::infinity()));
    default:
        return nullptr;
    }
}

} // namespace tilewright::codegen
