// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/expr.h>

#include <llvm/IR/IRBuilder.h>

#include <span>

namespace tilewright::codegen {

/// Emits elementary functions inline, for scalars and vectors of any number of lanes. float32 is
/// within 2 to 4 ulp (sin and cos: absolute 1e-7 for |x| < 8192); float64 exp, log and what is made
/// of them within a few ulp. Where no polynomial is known a C library call an element stands in.
/// float16 and bfloat16 must have been widened by the caller.
class VectorMath {
public:
    explicit VectorMath(llvm::IRBuilder<>& builder) : b_(builder) {}

    /// The value of op(args), or null when `op` is no elementary function.
    llvm::Value* emit(ir::Op op, std::span<llvm::Value* const> args);

    llvm::Value* exp(llvm::Value* x);
    llvm::Value* log(llvm::Value* x);
    llvm::Value* tanh(llvm::Value* x);
    llvm::Value* erf(llvm::Value* x);
    llvm::Value* sigmoid(llvm::Value* x);
    llvm::Value* pow(llvm::Value* x, llvm::Value* y);
    llvm::Value* sinCos(llvm::Value* x, bool cosine);
    llvm::Value* atan(llvm::Value* x);
    llvm::Value* round(llvm::Value* x);

private:
    using Value = llvm::Value;
    [[nodiscard]] static bool isDouble(Value* x) {
        return x->getType()->getScalarType()->isDoubleTy();
    }
    Value* constant(Value* like, double value);
    Value* intConstant(Value* like, std::int64_t value);
    llvm::Type* intTypeOf(Value* x);
    Value* fma(Value* a, Value* b, Value* c);
    Value* horner(Value* x, std::span<const double> coefficients);
    Value* unary(llvm::Intrinsic::ID id, Value* x);
    Value* abs(Value* x) { return unary(llvm::Intrinsic::fabs, x); }
    Value* copySign(Value* magnitude, Value* sign);
    Value* powerOfTwo(Value* exponent, Value* like);
    Value* scaleByPower(Value* x, Value* n);
    void splitExponent(Value* x, Value*& mantissa, Value*& exponent);
    Value* powDouble(Value* x, Value* y);
    Value* libraryCall(const char* name, std::span<Value* const> args);
    Value* minus(Value* a, Value* c) { return b_.CreateFSub(a, c); }

    llvm::IRBuilder<>& b_;
};

} // namespace tilewright::codegen
