// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/expr.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::ir {

namespace python {
struct ExprTree;
}

enum class ValueKind : std::uint8_t {
    None,
    Bool,
    Int,
    Float,
    String,
    Expression,
    Tensor,
    Region, ///< `A[0:4, i]`
    List,   ///< also a tuple
    Dict,   ///< items = key, value, …
    Target, ///< `T.target(…)`: items[0]
    Named,  ///< an unresolved dotted name such as `T.axis.spatial`
    Lambda
};

/// What an expression of a script evaluates to while it is read.
struct ScriptValue {
    ValueKind kind = ValueKind::None;
    std::int64_t integer = 0; ///< also Bool
    double real = 0;
    std::string text; ///< of a String; the dotted name of Named
    Expr expr;
    Buffer buffer;
    bool isScalar = false; ///< a buffer of one element that stands for its value
    std::vector<Range> region;
    std::vector<bool> isSlice; ///< which entries of `region` were slices
    std::vector<Expr> steps;   ///< of the slices; null where there is none
    std::vector<ScriptValue> items;
    const python::ExprTree* lambda = nullptr;

    static ScriptValue ofExpr(Expr e) {
        ScriptValue v;
        v.kind = ValueKind::Expression;
        v.expr = std::move(e);
        return v;
    }
    static ScriptValue ofBuffer(Buffer b, bool scalar = false) {
        ScriptValue v;
        v.kind = ValueKind::Tensor;
        v.buffer = std::move(b);
        v.isScalar = scalar;
        return v;
    }
    static ScriptValue ofInt(std::int64_t i) {
        ScriptValue v;
        v.kind = ValueKind::Int;
        v.integer = i;
        return v;
    }
    static ScriptValue ofBool(bool b) {
        ScriptValue v;
        v.kind = ValueKind::Bool;
        v.integer = b ? 1 : 0;
        return v;
    }
    static ScriptValue ofFloat(double d) {
        ScriptValue v;
        v.kind = ValueKind::Float;
        v.real = d;
        return v;
    }
    static ScriptValue ofString(std::string s) {
        ScriptValue v;
        v.kind = ValueKind::String;
        v.text = std::move(s);
        return v;
    }
    static ScriptValue ofName(std::string s) {
        ScriptValue v;
        v.kind = ValueKind::Named;
        v.text = std::move(s);
        return v;
    }
    [[nodiscard]] bool isPlainNumber() const {
        return kind == ValueKind::Int || kind == ValueKind::Float || kind == ValueKind::Bool;
    }
};

} // namespace tilewright::ir
