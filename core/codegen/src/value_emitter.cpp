// SPDX-License-Identifier: Apache-2.0
#include "kernel_emitter.h"

#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <bit>
#include <limits>

namespace tilewright::codegen {

using namespace tilewright::ir;
using llvm::BasicBlock;

namespace {

/// Types whose arithmetic is done in float32.
bool computesInFloat32(DataType type) {
    return type.code == TypeCode::BFloat || (type.code == TypeCode::Float && type.bits == 16);
}

} // namespace

llvm::Type* KernelEmitter::typeOf(DataType type) const {
    llvm::Type* element = nullptr;
    if (type.isBool())
        element = llvm::Type::getInt1Ty(context_);
    else if (type.isInt() || type.isUInt())
        element = llvm::Type::getIntNTy(context_, type.bits);
    else if (type.code == TypeCode::BFloat && type.bits == 16)
        element = llvm::Type::getBFloatTy(context_);
    else if (type.code == TypeCode::Float && type.bits == 16)
        element = llvm::Type::getHalfTy(context_);
    else if (type.code == TypeCode::Float && type.bits == 32)
        element = llvm::Type::getFloatTy(context_);
    else if (type.code == TypeCode::Float && type.bits == 64)
        element = llvm::Type::getDoubleTy(context_);
    else if (type.isHandle())
        element = llvm::PointerType::get(context_, 0);
    if (!element || (type.isInt() && type.bits < 8))
        unsupported(base::concat("values of type ", toString(type.element()),
                                 "; accepted are bool, int and uint of 8 to 64 bits, float16 to "
                                 "float64, bfloat16"));
    if (type.scalable)
        unsupported("scalable vectors in a module; use fixed lanes");
    return type.lanes == 1 ? element : llvm::FixedVectorType::get(element, type.lanes);
}

llvm::Value* KernelEmitter::immediate(DataType type, double number) {
    llvm::Type* llvmType = typeOf(type);
    if (type.isFloating())
        return llvm::ConstantFP::get(llvmType, number);
    return llvm::ConstantInt::get(
        llvmType, static_cast<std::uint64_t>(static_cast<std::int64_t>(number)), true);
}

llvm::Value* KernelEmitter::value(const Expr& expr) {
    switch (expr->kind()) {
    case NodeKind::Var: {
        const auto it = frame_.vars.find(as<VarNode>(expr));
        if (it == frame_.vars.end())
            unsupported(base::concat("variable `", as<VarNode>(expr)->name,
                                     "` has no value; symbolic shapes must be bound to compile"));
        Value* known = it->second;
        llvm::Type* type = typeOf(expr->dtype);
        return known->getType() == type || type->isPointerTy() ? known
                                                               : b_.CreateSExtOrTrunc(known, type);
    }
    case NodeKind::IntImm:
        return llvm::ConstantInt::get(
            typeOf(expr->dtype), static_cast<std::uint64_t>(as<IntImmNode>(expr)->value), true);
    case NodeKind::FloatImm:
        return immediate(expr->dtype, as<FloatImmNode>(expr)->value);
    case NodeKind::Cast: {
        const auto* node = as<CastNode>(expr);
        return castTo(value(node->value), node->value->dtype, expr->dtype);
    }
    case NodeKind::Not:
        return b_.CreateNot(value(as<NotNode>(expr)->a));
    case NodeKind::Select: {
        const auto* node = as<SelectNode>(expr);
        return b_.CreateSelect(value(node->condition), value(node->trueValue),
                               value(node->falseValue));
    }
    case NodeKind::BufferLoad:
        return load(*as<BufferLoadNode>(expr));
    case NodeKind::Ramp: {
        const auto* node = as<RampNode>(expr);
        Value* base = b_.CreateVectorSplat(expr->dtype.lanes, value(node->base));
        Value* step = b_.CreateVectorSplat(expr->dtype.lanes, value(node->stride));
        llvm::SmallVector<llvm::Constant*, 16> lanes;
        for (int i = 0; i < expr->dtype.lanes; ++i)
            lanes.push_back(llvm::ConstantInt::get(typeOf(expr->dtype.element()),
                                                   static_cast<std::uint64_t>(i)));
        return b_.CreateAdd(base, b_.CreateMul(llvm::ConstantVector::get(lanes), step));
    }
    case NodeKind::Broadcast:
        return b_.CreateVectorSplat(expr->dtype.lanes, value(as<BroadcastNode>(expr)->value));
    case NodeKind::Let: {
        const auto* node = as<LetNode>(expr);
        frame_.vars[node->var.get()] = value(node->value);
        return value(node->body);
    }
    case NodeKind::Call:
        return call(*as<CallNode>(expr));
    default:
        break;
    }
    if (const auto* node = as<BinaryNode>(expr))
        return binary(*node);
    unsupported("an expression that cannot be compiled for a CPU");
}

llvm::Value* KernelEmitter::widened(Value* v, DataType type) {
    if (!computesInFloat32(type))
        return v;
    return castTo(v, type, DataType::f(32, type.lanes));
}
llvm::Value* KernelEmitter::narrowed(Value* v, DataType type) {
    return computesInFloat32(type) ? castTo(v, DataType::f(32, type.lanes), type) : v;
}

llvm::Value* KernelEmitter::binary(const BinaryNode& node) {
    const NodeKind kind = node.kind();
    if (kind == NodeKind::And)
        return b_.CreateAnd(value(node.a), value(node.b));
    if (kind == NodeKind::Or)
        return b_.CreateOr(value(node.a), value(node.b));
    const DataType type = node.a->dtype;
    Value* a = widened(value(node.a), type);
    Value* b = widened(value(node.b), type);
    if (kind >= NodeKind::EQ && kind <= NodeKind::GE)
        return compare(kind, a, b, type);
    return narrowed(arithmetic(kind, a, b, type), type);
}

llvm::Value* KernelEmitter::arithmetic(NodeKind kind, Value* a, Value* b, DataType type) {
    if (type.isFloating())
        return floatArithmetic(kind, a, b);
    return intArithmetic(kind, a, b, type.isInt());
}

llvm::Value* KernelEmitter::floatArithmetic(NodeKind kind, Value* a, Value* b) {
    switch (kind) {
    case NodeKind::Add:
        return b_.CreateFAdd(a, b);
    case NodeKind::Sub:
        return b_.CreateFSub(a, b);
    case NodeKind::Mul:
        return b_.CreateFMul(a, b);
    case NodeKind::Div:
        return b_.CreateFDiv(a, b);
    case NodeKind::FloorDiv:
        return b_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, b_.CreateFDiv(a, b));
    case NodeKind::Mod:
    case NodeKind::FloorMod: {
        const auto rounding =
            kind == NodeKind::Mod ? llvm::Intrinsic::trunc : llvm::Intrinsic::floor;
        Value* quotient = b_.CreateUnaryIntrinsic(rounding, b_.CreateFDiv(a, b));
        return b_.CreateFSub(a, b_.CreateFMul(quotient, b));
    }
    case NodeKind::Min:
        return b_.CreateSelect(b_.CreateFCmpOLT(a, b), a, b);
    case NodeKind::Max:
        return b_.CreateSelect(b_.CreateFCmpOGT(a, b), a, b);
    default:
        unsupported("an operator on floating-point values");
    }
}

llvm::Value* KernelEmitter::intArithmetic(NodeKind kind, Value* a, Value* b, bool isSigned) {
    switch (kind) {
    case NodeKind::Add:
        return b_.CreateAdd(a, b);
    case NodeKind::Sub:
        return b_.CreateSub(a, b);
    case NodeKind::Mul:
        return b_.CreateMul(a, b);
    case NodeKind::Div:
        return isSigned ? b_.CreateSDiv(a, b) : b_.CreateUDiv(a, b);
    case NodeKind::Mod:
        return isSigned ? b_.CreateSRem(a, b) : b_.CreateURem(a, b);
    case NodeKind::FloorDiv: {
        if (!isSigned)
            return b_.CreateUDiv(a, b);
        Value* quotient = b_.CreateSDiv(a, b);
        Value* rest = b_.CreateSRem(a, b);
        Value* zero = llvm::Constant::getNullValue(a->getType());
        Value* inexact = b_.CreateICmpNE(rest, zero);
        Value* mixed = b_.CreateICmpSLT(b_.CreateXor(rest, b), zero);
        Value* down = b_.CreateAnd(inexact, mixed);
        return b_.CreateSub(quotient, b_.CreateZExt(down, a->getType()));
    }
    case NodeKind::FloorMod: {
        if (!isSigned)
            return b_.CreateURem(a, b);
        Value* rest = b_.CreateSRem(a, b);
        Value* zero = llvm::Constant::getNullValue(a->getType());
        Value* mixed = b_.CreateICmpSLT(b_.CreateXor(rest, b), zero);
        Value* adjust = b_.CreateAnd(b_.CreateICmpNE(rest, zero), mixed);
        return b_.CreateSelect(adjust, b_.CreateAdd(rest, b), rest);
    }
    case NodeKind::Min:
        return b_.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, a,
                                        b);
    case NodeKind::Max:
        return b_.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, a,
                                        b);
    default:
        unsupported("an operator on integers");
    }
}

llvm::Value* KernelEmitter::compare(NodeKind kind, Value* a, Value* b, DataType type) {
    using P = llvm::CmpInst;
    const bool real = type.isFloating();
    const bool isSigned = type.isInt();
    const auto pick = [&](P::Predicate ordered, P::Predicate s, P::Predicate u) {
        return real ? ordered : isSigned ? s : u;
    };
    P::Predicate predicate = P::BAD_ICMP_PREDICATE;
    switch (kind) {
    case NodeKind::EQ:
        predicate = pick(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ);
        break;
    case NodeKind::NE:
        predicate = pick(P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE);
        break;
    case NodeKind::LT:
        predicate = pick(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT);
        break;
    case NodeKind::LE:
        predicate = pick(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE);
        break;
    case NodeKind::GT:
        predicate = pick(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT);
        break;
    default:
        predicate = pick(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE);
        break;
    }
    return b_.CreateCmp(predicate, a, b);
}

llvm::Value* KernelEmitter::castTo(Value* v, DataType from, DataType to) {
    if (from == to)
        return v;
    llvm::Type* type = typeOf(to);
    // bfloat16 through its bits: not every CPU converts, and a library call must not appear.
    if (from.code == TypeCode::BFloat) {
        const DataType bits16 = DataType::u(16, from.lanes);
        const DataType bits32 = DataType::u(32, from.lanes);
        Value* bits = b_.CreateZExt(b_.CreateBitCast(v, typeOf(bits16)), typeOf(bits32));
        bits = b_.CreateShl(bits, llvm::ConstantInt::get(bits->getType(), 16));
        return castTo(b_.CreateBitCast(bits, typeOf(DataType::f(32, from.lanes))),
                      DataType::f(32, from.lanes), to);
    }
    if (to.code == TypeCode::BFloat) {
        Value* wide = castTo(v, from, DataType::f(32, from.lanes));
        Value* bits = b_.CreateBitCast(wide, typeOf(DataType::u(32, from.lanes)));
        const auto number = [&](std::uint64_t n) {
            return llvm::ConstantInt::get(bits->getType(), n);
        };
        Value* odd = b_.CreateAnd(b_.CreateLShr(bits, number(16)), number(1));
        Value* rounded = b_.CreateAdd(bits, b_.CreateAdd(odd, number(0x7fff)));
        Value* quiet = b_.CreateOr(bits, number(0x400000));
        rounded = b_.CreateSelect(b_.CreateFCmpUNO(wide, wide), quiet, rounded);
        Value* half =
            b_.CreateTrunc(b_.CreateLShr(rounded, number(16)), typeOf(DataType::u(16, from.lanes)));
        return b_.CreateBitCast(half, type);
    }
    if (to.isBool()) {
        Value* zero = llvm::Constant::getNullValue(v->getType());
        return from.isFloating() ? b_.CreateFCmpUNE(v, zero) : b_.CreateICmpNE(v, zero);
    }
    const bool fromSigned = from.isInt();
    if (from.isFloating() && to.isFloating())
        return b_.CreateFPCast(v, type);
    if (from.isFloating())
        return to.isInt() ? b_.CreateFPToSI(v, type) : b_.CreateFPToUI(v, type);
    if (to.isFloating())
        return fromSigned ? b_.CreateSIToFP(v, type) : b_.CreateUIToFP(v, type);
    return b_.CreateIntCast(v, type, fromSigned);
}

llvm::Value* KernelEmitter::ifThenElse(const CallNode& node) {
    Value* condition = value(node.args[0]);
    if (condition->getType()->isVectorTy())
        return b_.CreateSelect(condition, value(node.args[1]), value(node.args[2]));
    if (Value* result = loadOrConstant(node, condition))
        return result;
    BasicBlock* yes = BasicBlock::Create(context_, "if", frame_.function);
    BasicBlock* no = BasicBlock::Create(context_, "otherwise", frame_.function);
    BasicBlock* done = BasicBlock::Create(context_, "value", frame_.function);
    b_.CreateCondBr(condition, yes, no);
    b_.SetInsertPoint(yes);
    Value* a = value(node.args[1]);
    BasicBlock* yesEnd = b_.GetInsertBlock();
    b_.CreateBr(done);
    b_.SetInsertPoint(no);
    Value* b = value(node.args[2]);
    BasicBlock* noEnd = b_.GetInsertBlock();
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
    llvm::PHINode* phi = b_.CreatePHI(a->getType(), 2);
    phi->addIncoming(a, yesEnd);
    phi->addIncoming(b, noEnd);
    return phi;
}

/// `T.call_llvm_pure_intrin("type", "llvm.x86.…", arguments…)`: tensor intrinsics name them.
llvm::Value* KernelEmitter::llvmIntrinsic(const CallNode& node) {
    const auto* name = node.args.empty() ? nullptr : as<StringImmNode>(node.args[0]);
    const auto id =
        name ? llvm::Intrinsic::lookupIntrinsicID(name->value) : llvm::Intrinsic::not_intrinsic;
    if (id == llvm::Intrinsic::not_intrinsic || llvm::Intrinsic::isOverloaded(id))
        unsupported(base::concat("LLVM intrinsic `", name ? name->value : "?", "` is not known"));
    llvm::Function* callee = llvm::Intrinsic::getOrInsertDeclaration(&module_, id);
    llvm::SmallVector<Value*, 4> args;
    for (std::size_t i = 1; i < node.args.size(); ++i) {
        if (args.size() == callee->arg_size())
            break; // older modules also pass a count
        // The same bits under another type: int32x16 for the 64 bytes that vpdpbusd multiplies.
        Value* arg = value(node.args[i]);
        args.push_back(
            b_.CreateBitCast(arg, callee->getArg(static_cast<unsigned>(i - 1))->getType()));
    }
    return b_.CreateBitCast(b_.CreateCall(callee, args), typeOf(node.dtype));
}

llvm::Value* KernelEmitter::limitOf(const CallNode& node) {
    const DataType type = node.dtype;
    const double infinity = std::numeric_limits<double>::infinity();
    if (node.op == Op::Infinity)
        return immediate(type, infinity);
    const bool greatest = node.op == Op::MaxValue;
    if (type.isFloating()) {
        const auto& semantics = typeOf(type)->getScalarType()->getFltSemantics();
        return llvm::ConstantFP::get(typeOf(type), llvm::APFloat::getLargest(semantics, !greatest));
    }
    if (type.isInt())
        return llvm::ConstantInt::get(typeOf(type),
                                      greatest ? llvm::APInt::getSignedMaxValue(type.bits)
                                               : llvm::APInt::getSignedMinValue(type.bits));
    return greatest ? llvm::Constant::getAllOnesValue(typeOf(type))
                    : llvm::Constant::getNullValue(typeOf(type));
}

llvm::Value* KernelEmitter::integerCall(const CallNode& node) {
    const auto arg = [&](std::size_t i) { return value(node.args[i]); };
    const bool isSigned = node.dtype.isInt();
    switch (node.op) {
    case Op::BitwiseAnd:
        return b_.CreateAnd(arg(0), arg(1));
    case Op::BitwiseOr:
        return b_.CreateOr(arg(0), arg(1));
    case Op::BitwiseXor:
        return b_.CreateXor(arg(0), arg(1));
    case Op::BitwiseNot:
        return b_.CreateNot(arg(0));
    case Op::ShiftLeft:
        return b_.CreateShl(arg(0), arg(1));
    case Op::ShiftRight:
        return isSigned ? b_.CreateAShr(arg(0), arg(1)) : b_.CreateLShr(arg(0), arg(1));
    case Op::Popcount:
        return b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, arg(0));
    case Op::Clz: {
        Value* x = arg(0);
        Value* zeros =
            b_.CreateIntrinsic(llvm::Intrinsic::ctlz, {x->getType()}, {x, b_.getFalse()});
        return b_.CreateIntCast(zeros, typeOf(node.dtype), false);
    }
    case Op::QMultiplyShift: {
        // round(x * y / 2^(q + s)) in 64 bits; s is a left shift of x.
        const DataType wide = DataType::i(64, node.dtype.lanes);
        const auto widen = [&](std::size_t i) {
            Value* v =
                castTo(arg(i), node.args[i]->dtype, wide.withLanes(node.args[i]->dtype.lanes));
            return v->getType() == typeOf(wide) ? v : b_.CreateVectorSplat(wide.lanes, v);
        };
        Value* one = llvm::ConstantInt::get(typeOf(wide), 1);
        Value* total = b_.CreateSub(widen(2), widen(3));
        Value* half = b_.CreateShl(one, b_.CreateSub(total, one));
        Value* product = b_.CreateAdd(b_.CreateMul(widen(0), widen(1)), half);
        return b_.CreateTrunc(b_.CreateAShr(product, total), typeOf(node.dtype));
    }
    case Op::Reinterpret: {
        if (node.dtype.isBool() || node.args[0]->dtype.isBool())
            return castTo(arg(0), node.args[0]->dtype, node.dtype);
        return b_.CreateBitCast(arg(0), typeOf(node.dtype));
    }
    default:
        return nullptr;
    }
}

llvm::Value* KernelEmitter::call(const CallNode& node) {
    switch (node.op) {
    case Op::IfThenElse:
        return ifThenElse(node);
    case Op::Likely:
        return value(node.args[0]);
    case Op::Infinity:
    case Op::MaxValue:
    case Op::MinValue:
        return limitOf(node);
    case Op::CallLlvmPureIntrin:
    case Op::CallLlvmIntrin:
        return llvmIntrinsic(node);
    case Op::Undef:
        return llvm::UndefValue::get(typeOf(node.dtype));
    case Op::Assume:
    case Op::Prefetch:
        return b_.getInt32(0);
    case Op::Large_Uint_Imm: {
        const auto low = static_cast<std::uint64_t>(constInt(node.args[0]).value_or(0));
        const auto high = static_cast<std::uint64_t>(constInt(node.args[1]).value_or(0));
        return llvm::ConstantInt::get(typeOf(node.dtype), high << 32 | low);
    }
    default:
        break;
    }
    if (Value* result = integerCall(node))
        return result;
    if (!node.args.empty()) {
        const DataType type = node.args[0]->dtype;
        if (type.isFloating()) {
            if (node.op == Op::Ldexp) {
                Value* x = widened(value(node.args[0]), type);
                Value* power =
                    castTo(value(node.args[1]), node.args[1]->dtype, DataType::f(32, type.lanes));
                power = castTo(power, DataType::f(32, type.lanes),
                               computesInFloat32(type) ? DataType::f(32, type.lanes) : type);
                Value* two = llvm::ConstantFP::get(x->getType(), 2.0);
                return narrowed(b_.CreateFMul(x, math_.pow(two, power)), type);
            }
            llvm::SmallVector<Value*, 3> args;
            for (const Expr& arg : node.args)
                args.push_back(widened(value(arg), arg->dtype));
            if (Value* result = math_.emit(node.op, {args.data(), args.size()}))
                return node.dtype.isFloating() ? narrowed(result, node.dtype) : result;
        } else if (node.op == Op::Fabs || node.op == Op::Floor || node.op == Op::Ceil ||
                   node.op == Op::Trunc || node.op == Op::Round || node.op == Op::Nearbyint) {
            Value* x = value(node.args[0]);
            return node.op == Op::Fabs && type.isInt()
                       ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b_.getFalse())
                       : x;
        } else if (node.op == Op::Isnan || node.op == Op::Isinf) {
            return llvm::Constant::getNullValue(typeOf(node.dtype));
        }
    }
    const std::string name = node.callee.empty() ? std::string(spelling(node.op)) : node.callee;
    unsupported(base::concat("T.", name, " has no CPU code"));
}

llvm::Value* KernelEmitter::index(const Expr& expr) {
    const int lanes = expr->dtype.lanes;
    llvm::Type* type = typeOf(DataType::i(64, lanes));
    if (const auto c = constInt(expr))
        return llvm::ConstantInt::get(type, static_cast<std::uint64_t>(*c), true);
    const bool isInteger = expr->dtype.isInt() || expr->dtype.isUInt();
    switch (expr->kind()) {
    case NodeKind::Cast: {
        const auto* node = as<CastNode>(expr);
        if (isInteger && expr->dtype.bits >= 32 && node->value->dtype.isInt())
            return index(node->value);
        break;
    }
    case NodeKind::Var: {
        const auto it = frame_.vars.find(as<VarNode>(expr));
        if (it != frame_.vars.end() && it->second->getType() == type)
            return it->second;
        break;
    }
    case NodeKind::Ramp: {
        const auto* node = as<RampNode>(expr);
        Value* base = b_.CreateVectorSplat(static_cast<unsigned>(lanes), index(node->base));
        Value* step = b_.CreateVectorSplat(static_cast<unsigned>(lanes), index(node->stride));
        llvm::SmallVector<llvm::Constant*, 16> numbers;
        for (int i = 0; i < lanes; ++i)
            numbers.push_back(b_.getInt64(static_cast<std::uint64_t>(i)));
        return b_.CreateAdd(base, b_.CreateMul(llvm::ConstantVector::get(numbers), step));
    }
    case NodeKind::Broadcast:
        return b_.CreateVectorSplat(static_cast<unsigned>(lanes),
                                    index(as<BroadcastNode>(expr)->value));
    case NodeKind::Add:
    case NodeKind::Sub:
    case NodeKind::Mul: {
        if (expr->dtype.bits < 32 || !expr->dtype.isInt())
            break;
        const auto* node = as<BinaryNode>(expr);
        Value* a = index(node->a);
        Value* b = index(node->b);
        return expr->kind() == NodeKind::Add   ? b_.CreateNSWAdd(a, b)
               : expr->kind() == NodeKind::Sub ? b_.CreateNSWSub(a, b)
                                               : b_.CreateNSWMul(a, b);
    }
    case NodeKind::FloorDiv:
    case NodeKind::FloorMod:
        if (expr->dtype.isInt() && expr->dtype.bits >= 32)
            return indexDivision(*as<BinaryNode>(expr));
        break;
    default:
        break;
    }
    return b_.CreateIntCast(value(expr), type, expr->dtype.isInt());
}

/// Loop variables start at 0 after lowering; what else a variable holds is not known.
bool KernelEmitter::isNonNegative(const Expr& expr) const {
    if (const auto c = constInt(expr))
        return *c >= 0;
    switch (expr->kind()) {
    case NodeKind::Var:
        return counters_.contains(as<VarNode>(expr));
    case NodeKind::Cast:
        return isNonNegative(as<CastNode>(expr)->value);
    case NodeKind::Ramp:
        return isNonNegative(as<RampNode>(expr)->base) && isNonNegative(as<RampNode>(expr)->stride);
    case NodeKind::Broadcast:
        return isNonNegative(as<BroadcastNode>(expr)->value);
    case NodeKind::Add:
    case NodeKind::Mul:
    case NodeKind::FloorDiv:
    case NodeKind::FloorMod:
    case NodeKind::Min:
        return isNonNegative(as<BinaryNode>(expr)->a) && isNonNegative(as<BinaryNode>(expr)->b);
    default:
        return false;
    }
}

llvm::Value* KernelEmitter::indexDivision(const BinaryNode& node) {
    Value* a = index(node.a);
    Value* b = index(node.b);
    const bool quotient = node.kind() == NodeKind::FloorDiv;
    if (isNonNegative(node.a) && isNonNegative(node.b))
        return quotient ? b_.CreateUDiv(a, b) : b_.CreateURem(a, b);
    return intArithmetic(node.kind(), a, b, true);
}

} // namespace tilewright::codegen
