// SPDX-License-Identifier: Apache-2.0
// Calls in a script: `T.exp(x)`, `A.access_ptr("r")`, `cls.other(A)`.
#include "linear_form.h"
#include "script_reader.h"
#include "typed_calls.h"

#include <tilewright/ir/make.h>

#include <tilewright/base/concat.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::ir {

namespace {

using python::ExprKind;

struct Arithmetic {
    std::string_view name;
    NodeKind kind;
    bool folds;
};

/// Function forms of the operators; those in capitals make the node as it stands.
const Arithmetic* findArithmetic(std::string_view name) {
    using K = NodeKind;
    static constexpr Arithmetic kAll[] = {{"Add", K::Add, false},
                                          {"Sub", K::Sub, false},
                                          {"Mul", K::Mul, false},
                                          {"Div", K::Div, false},
                                          {"Mod", K::Mod, false},
                                          {"FloorDiv", K::FloorDiv, false},
                                          {"FloorMod", K::FloorMod, false},
                                          {"Min", K::Min, false},
                                          {"Max", K::Max, false},
                                          {"EQ", K::EQ, false},
                                          {"NE", K::NE, false},
                                          {"LT", K::LT, false},
                                          {"LE", K::LE, false},
                                          {"GT", K::GT, false},
                                          {"GE", K::GE, false},
                                          {"And", K::And, false},
                                          {"Or", K::Or, false},
                                          {"min", K::Min, true},
                                          {"max", K::Max, true},
                                          {"truncdiv", K::Div, true},
                                          {"truncmod", K::Mod, true},
                                          {"floordiv", K::FloorDiv, true},
                                          {"floormod", K::FloorMod, true},
                                          {"indexdiv", K::FloorDiv, true},
                                          {"indexmod", K::FloorMod, true},
                                          {"div", K::Div, true},
                                          {"add", K::Add, true},
                                          {"subtract", K::Sub, true},
                                          {"multiply", K::Mul, true},
                                          {"equal", K::EQ, true}};
    const auto* found = std::find_if(std::begin(kAll), std::end(kAll),
                                     [&](const Arithmetic& item) { return item.name == name; });
    return found == std::end(kAll) ? nullptr : found;
}

/// Result type of an intrinsic whose text does not carry one.
DataType resultType(Op op, const std::vector<Expr>& args) {
    const DataType first = args.empty() ? DataType::voidType() : args[0]->dtype;
    switch (op) {
    case Op::Isnan:
    case Op::Isfinite:
    case Op::Isinf:
    case Op::Assume: {
        DataType type = DataType::boolean(first.lanes);
        type.scalable = first.scalable;
        return type;
    }
    case Op::AccessPtr:
    case Op::AddressOf:
    case Op::BufferData:
        return DataType::handle();
    case Op::Undef:
    case Op::Vscale:
    case Op::QMultiplyShift:
    case Op::QMultiplyShiftPerAxis:
    case Op::CallPacked:
    case Op::CallPackedScript:
        return DataType::i(32);
    case Op::WarpActivemask:
        return DataType::u(32);
    case Op::Large_Uint_Imm:
        return DataType::u(64);
    default:
        return purity(op) == Purity::Pure ? first : DataType::voidType();
    }
}

double lowest(DataType type) {
    if (type.isInt())
        return type.bits >= 64 ? -9223372036854775808.0 : -std::ldexp(1.0, type.bits - 1);
    if (type.isUInt() || type.isBool())
        return 0;
    return type.bits == 16 && type.code == TypeCode::Float ? -65504.0
           : type.bits == 64                               ? std::numeric_limits<double>::lowest()
                             : static_cast<double>(std::numeric_limits<float>::lowest());
}

Expr extremeValue(DataType type, bool isMax) {
    if (type.isFloating())
        return makeFloat(isMax ? -lowest(type) : lowest(type), type);
    if (!isMax)
        return makeInt(type.isInt() && type.bits >= 64 ? INT64_MIN
                                                       : static_cast<std::int64_t>(lowest(type)),
                       type);
    if (type.isUInt())
        return makeInt(type.bits >= 64 ? -1 : (std::int64_t{1} << type.bits) - 1, type);
    if (type.isBool())
        return makeInt(1, type);
    return makeInt(type.bits >= 64 ? INT64_MAX : (std::int64_t{1} << (type.bits - 1)) - 1, type);
}

} // namespace

ScriptReader::Args ScriptReader::argumentsOf(const Tree& call,
                                             const std::vector<std::string_view>& names) {
    Args args(names.size(), nullptr);
    for (std::size_t i = 1; i < call.children.size(); ++i) {
        if (i > names.size())
            fail(call.children[i]->position,
                 base::concat("too many arguments, at most ", names.size(), " are accepted"));
        args[i - 1] = call.children[i];
    }
    for (const auto& [name, value] : call.keywords) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
            fail(value->position, base::concat("there is no parameter ", name, "; accepted are ",
                                               base::join(names, ", ")));
        args[static_cast<std::size_t>(found - names.begin())] = value;
    }
    for (const Tree*& arg : args) {
        if (arg && arg->kind == ExprKind::None)
            arg = nullptr;
    }
    return args;
}

ScriptReader::Args ScriptReader::arguments(const Tree& call,
                                           std::initializer_list<std::string_view> names) {
    return argumentsOf(call, std::vector<std::string_view>(names));
}

std::string ScriptReader::dottedName(const Tree& tree) const {
    if (tree.kind == ExprKind::Name)
        return lookup(tree.text) ? std::string() : std::string(tree.text);
    if (tree.kind != ExprKind::Attribute)
        return {};
    std::string object = dottedName(*tree.children[0]);
    return object.empty() ? object : base::concat(object, ".", tree.text);
}

std::string ScriptReader::calledName(const Tree& tree) const {
    if (tree.kind != ExprKind::Call)
        return {};
    const std::string name = dottedName(*tree.children[0]);
    const auto dot = name.find('.');
    if (dot == std::string::npos)
        return name;
    const std::string_view root = std::string_view(name).substr(0, dot);
    const bool isScriptRoot = root == "T" || root == "tir" || root == "tirx";
    return isScriptRoot ? name.substr(dot + 1) : name;
}

ScriptValue ScriptReader::evalCall(const Tree& tree) {
    const Tree& callee = *tree.children[0];
    if (callee.kind == ExprKind::Attribute) {
        const Tree& object = *callee.children[0];
        if (dottedName(object).empty()) {
            const ScriptValue* scalar =
                object.kind == ExprKind::Name ? lookup(object.text) : nullptr;
            if (scalar && scalar->kind == ValueKind::Tensor)
                return evalMethod(tree, *scalar, callee.text);
            return evalMethod(tree, eval(object), callee.text);
        }
    }
    const ScriptValue function = eval(callee);
    if (function.kind == ValueKind::Lambda) {
        const Tree& lambda = *function.lambda;
        if (lambda.names.size() != tree.children.size() - 1)
            fail(tree.position, "the lambda takes another number of arguments");
        std::vector<ScriptValue> values;
        for (std::size_t i = 1; i < tree.children.size(); ++i)
            values.push_back(eval(*tree.children[i]));
        pushScope();
        for (std::size_t i = 0; i < values.size(); ++i)
            define(lambda.names[i], values[i]);
        ScriptValue result = eval(*lambda.children[0]);
        popScope();
        return result;
    }
    if (function.kind != ValueKind::Named)
        fail(tree.position, "this value cannot be called");
    return evalNamedCall(tree, function.text);
}

ScriptValue ScriptReader::evalAccessPtr(const Tree& tree, const Buffer& buffer) {
    const Args args =
        arguments(tree, {"access_mask", "ptr_type", "content_lanes", "offset", "extent"});
    std::int64_t mask = 0;
    if (args[0]) {
        const ScriptValue value = eval(*args[0]);
        if (value.kind == ValueKind::String) {
            for (const char c : value.text)
                mask |= c == 'r' ? 1 : c == 'w' ? 2 : 0;
        } else {
            mask = evalInt(*args[0]);
        }
    }
    Expr size = makeInt(1, buffer->indexType());
    for (const Expr& extent : buffer->shape)
        size = mul(size, extent);
    const Expr start = buffer->elemOffset ? buffer->elemOffset : makeInt(0, buffer->indexType());
    const Expr offset = args[3] ? evalExpr(*args[3]) : Expr();
    const Expr extent = args[4] ? evalExpr(*args[4]) : offset ? sub(size, offset) : size;
    const Expr type = makeCall(buffer->dtype, Op::TypeAnnotation, {});
    const Expr data = makeCall(DataType::handle(), Op::BufferData,
                               {Expr(new RegionAccessNode(buffer, std::vector<Range>{}))});
    return ScriptValue::ofExpr(
        makeCall(DataType::handle(), Op::AccessPtr,
                 {type, data, offset ? add(start, offset) : start, extent, makeInt(mask)}));
}

ScriptValue ScriptReader::evalMethod(const Tree& tree, const ScriptValue& object,
                                     std::string_view method) {
    if (object.kind == ValueKind::Tensor) {
        if (method == "access_ptr")
            return evalAccessPtr(tree, object.buffer);
        if (method == "vload" || method == "vstore") {
            const bool isLoad = method == "vload";
            const Args args = isLoad ? arguments(tree, {"begin", "dtype", "predicate"})
                                     : arguments(tree, {"begin", "value", "predicate"});
            if (!args[0])
                fail(tree.position, "the indices are missing");
            std::vector<Expr> indices;
            const ScriptValue begin = eval(*args[0]);
            if (begin.kind == ValueKind::List) {
                for (const ScriptValue& item : begin.items)
                    indices.push_back(toExpr(item, tree));
            } else {
                indices.push_back(toExpr(begin, tree));
            }
            if (indices.size() != object.buffer->shape.size())
                fail(tree.position, "another number of indices than the buffer has dimensions");
            const Expr predicate = args[2] ? evalExpr(*args[2]) : Expr();
            if (isLoad) {
                const DataType type = args[1] ? evalType(*args[1]) : DataType::voidType();
                if (type.lanes > 1 && indices.back()->dtype.isScalar())
                    indices.back() =
                        makeRamp(indices.back(), makeInt(1, indices.back()->dtype), type.lanes);
                return ScriptValue::ofExpr(makeLoad(object.buffer, std::move(indices), predicate));
            }
            const Expr value = args[1] ? evalExpr(*args[1]) : Expr();
            if (!value)
                fail(tree.position, "the stored value is missing");
            if (value->dtype.lanes > 1 && indices.back()->dtype.isScalar())
                indices.back() =
                    makeRamp(indices.back(), makeInt(1, indices.back()->dtype), value->dtype.lanes);
            emit(makeStore(object.buffer, value, std::move(indices), predicate));
            return {};
        }
    }
    if (object.kind == ValueKind::Expression && method == "astype") {
        const Args args = arguments(tree, {"dtype"});
        if (args[0])
            return ScriptValue::ofExpr(cast(evalType(*args[0]), object.expr));
    }
    fail(tree.position, base::concat("there is no method ", method, " here"));
}

std::vector<Expr> ScriptReader::callArgs(const Tree& tree, std::size_t first) {
    std::vector<Expr> args;
    for (std::size_t i = first + 1; i < tree.children.size(); ++i)
        args.push_back(toArgument(eval(*tree.children[i]), *tree.children[i]));
    return args;
}

ScriptValue ScriptReader::evalTypeCall(const Tree& tree, DataType type) {
    if (tree.children.size() == 1) {
        // A variable being declared, `n = T.int32()`.
        return ScriptValue::ofExpr(makeVar(nameHint_.empty() ? "v" : nameHint_, type));
    }
    const ScriptValue value = eval(*tree.children[1]);
    if (value.kind == ValueKind::String) {
        const double number =
            value.text == "inf"    ? std::numeric_limits<double>::infinity()
            : value.text == "-inf" ? -std::numeric_limits<double>::infinity()
            : value.text == "nan"
                ? std::numeric_limits<double>::quiet_NaN()
                : (fail(tree.position, "the strings \"inf\", \"-inf\" and \"nan\" are accepted"),
                   0.0);
        if (!type.isFloating())
            fail(tree.position, base::concat(toString(type), " has no such value"));
        return ScriptValue::ofExpr(Expr(new FloatImmNode(type.element(), number)));
    }
    if (value.isPlainNumber()) {
        const DataType element = type.element();
        Expr constant;
        if (element.isFloating())
            constant = Expr(new FloatImmNode(element, value.kind == ValueKind::Float
                                                          ? value.real
                                                          : static_cast<double>(value.integer)));
        else
            constant =
                makeInt(value.kind == ValueKind::Float ? static_cast<std::int64_t>(value.real)
                                                       : value.integer,
                        element);
        return ScriptValue::ofExpr(type.isScalar() ? constant
                                                   : makeBroadcast(constant, type.lanes));
    }
    return ScriptValue::ofExpr(cast(type, toExpr(value, tree)));
}

ScriptValue ScriptReader::evalArithmeticCall(const Tree& tree, NodeKind kind, bool folds) {
    if (tree.children.size() != 3)
        fail(tree.position, "two operands are expected");
    const auto [a, b] = toPair(eval(*tree.children[1]), eval(*tree.children[2]), tree);
    if (folds || a->dtype != b->dtype)
        return ScriptValue::ofExpr(foldBinary(kind, a, b));
    return ScriptValue::ofExpr(makeBinary(kind, a, b));
}

ScriptValue ScriptReader::evalSelect(const Tree& tree, bool isLazy) {
    const Args args = isLazy ? arguments(tree, {"cond", "t", "f"})
                             : arguments(tree, {"condition", "true_value", "false_value"});
    if (!args[0] || !args[1] || !args[2])
        fail(tree.position, "a condition and two values are expected");
    const Expr condition = evalExpr(*args[0]);
    auto [a, b] = toPair(eval(*args[1]), eval(*args[2]), tree);
    if (a->dtype != b->dtype) {
        // One type for both, found the way an addition would.
        const Expr probe =
            foldBinary(NodeKind::Add, makeVar("a", a->dtype), makeVar("b", b->dtype));
        a = cast(probe->dtype, a);
        b = cast(probe->dtype, b);
    }
    if (!isLazy)
        return ScriptValue::ofExpr(makeSelect(condition, a, b));
    if (const auto constant = constInt(condition))
        return ScriptValue::ofExpr(*constant != 0 ? a : b);
    return ScriptValue::ofExpr(makeCall(a->dtype, Op::IfThenElse, {condition, a, b}));
}

ScriptValue ScriptReader::evalLet(const Tree& tree) {
    const Args args = arguments(tree, {"expr", "where"});
    if (!args[0] || !args[1] || args[1]->kind != ExprKind::Dict || args[1]->children.size() != 2)
        fail(tree.position, "expected T.Let(body, where={variable: value})");
    const Tree& key = *args[1]->children[0];
    const Expr value = evalExpr(*args[1]->children[1]);
    Var var;
    if (key.kind == ExprKind::Name && !lookup(key.text))
        var = makeVar(std::string(key.text), value->dtype);
    else
        var = refAs<VarNode>(evalExpr(key));
    if (!var)
        fail(key.position, "expected a variable");
    pushScope();
    if (key.kind == ExprKind::Name)
        define(key.text, ScriptValue::ofExpr(var));
    const Expr body = evalExpr(*args[0]);
    popScope();
    return ScriptValue::ofExpr(makeLet(var, value, body));
}

ScriptValue ScriptReader::evalTypedCall(const Tree& tree, Op op, std::string callee) {
    if (tree.children.size() < 2)
        fail(tree.position, "the first argument is the data type");
    const DataType type = evalType(*tree.children[1]);
    std::vector<Expr> args = callArgs(tree, 1);
    if (op == Op::Reinterpret && args.size() == 1 && args[0]->dtype == type)
        return ScriptValue::ofExpr(args[0]);
    return ScriptValue::ofExpr(makeCall(type, op, std::move(args), std::move(callee)));
}

ScriptValue ScriptReader::evalOpCall(const Tree& tree, Op op, std::string callee) {
    std::vector<ScriptValue> values;
    for (std::size_t i = 1; i < tree.children.size(); ++i)
        values.push_back(eval(*tree.children[i]));
    for (const auto& [name, value] : tree.keywords)
        values.push_back(eval(*value));
    // Plain numbers beside an expression take its type.
    Expr like;
    const bool adapts = purity(op) == Purity::Pure && op != Op::Unknown;
    for (const ScriptValue& value : values) {
        if (!like && adapts && value.kind == ValueKind::Expression && !value.expr->dtype.isHandle())
            like = value.expr;
    }
    std::vector<Expr> args;
    for (const ScriptValue& value : values)
        args.push_back(value.isPlainNumber() ? toExpr(value, tree, like) : toArgument(value, tree));
    if (op == Op::StorageSync && args.size() == 1) {
        args.push_back(makeBool(false));
        args.push_back(makeInt(-1));
    }
    const DataType type = resultType(op, args);
    return ScriptValue::ofExpr(makeCall(type, op, std::move(args), std::move(callee)));
}

std::optional<ScriptValue> ScriptReader::evalSpecialCall(const Tree& tree,
                                                         const std::string& name) {
    const auto argument = [&](std::size_t i) -> const Tree& {
        if (tree.children.size() <= i + 1)
            fail(tree.position, base::concat("T.", name, " needs more arguments"));
        return *tree.children[i + 1];
    };
    if (name == "Cast" || name == "cast") {
        const bool typeFirst = name == "Cast";
        const DataType type = evalType(argument(typeFirst ? 0 : 1));
        const Expr value = evalExpr(argument(typeFirst ? 1 : 0));
        return ScriptValue::ofExpr(typeFirst && !(value->dtype == type) ? makeCast(type, value)
                                                                        : cast(type, value));
    }
    if (name == "Select")
        return evalSelect(tree, false);
    if (name == "if_then_else")
        return evalSelect(tree, true);
    if (name == "Let")
        return evalLet(tree);
    if (name == "Not") {
        const Expr operand = evalExpr(argument(0));
        return ScriptValue::ofExpr(Expr(new NotNode(operand->dtype, operand)));
    }
    if (name == "Ramp" || name == "ramp") {
        const auto [base, stride] = toPair(eval(argument(0)), eval(argument(1)), tree);
        const Expr lanes = evalExpr(argument(2));
        if (const auto count = constInt(lanes)) {
            if (*count < 1 || *count > 4096)
                fail(tree.position, "lanes are 1 to 4096");
            return ScriptValue::ofExpr(makeRamp(base, stride, static_cast<int>(*count)));
        }
        DataType type = base->dtype;
        type.scalable = true;
        if (const auto* product = lanes->kind() == NodeKind::Mul
                                      ? static_cast<const BinaryNode*>(lanes.get())
                                      : nullptr) {
            const auto factor = constInt(product->b) ? constInt(product->b) : constInt(product->a);
            type.lanes = static_cast<std::uint16_t>(factor.value_or(1));
        }
        return ScriptValue::ofExpr(Expr(new RampNode(type, base, stride, lanes)));
    }
    if (name == "Broadcast" || name == "broadcast") {
        const Expr value = evalExpr(argument(0));
        const std::int64_t lanes = evalInt(argument(1));
        if (lanes < 1 || lanes > 4096)
            fail(tree.position, "lanes are 1 to 4096");
        return ScriptValue::ofExpr(makeBroadcast(value, static_cast<int>(lanes)));
    }
    if (name == "Shuffle") {
        std::vector<Expr> vectors;
        std::vector<Expr> indices;
        for (const ScriptValue& item : eval(argument(0)).items)
            vectors.push_back(toExpr(item, tree));
        for (const ScriptValue& item : eval(argument(1)).items)
            indices.push_back(toExpr(item, tree));
        if (vectors.empty())
            fail(tree.position, "T.Shuffle needs a vector");
        const DataType type = vectors[0]->dtype.withLanes(static_cast<int>(indices.size()));
        return ScriptValue::ofExpr(
            Expr(new ShuffleNode(type, std::move(vectors), std::move(indices))));
    }
    if (name == "abs") {
        const Expr x = evalExpr(argument(0));
        if (x->dtype.isFloating())
            return ScriptValue::ofExpr(makeCall(x->dtype, Op::Fabs, {x}));
        if (x->dtype.isUInt())
            return ScriptValue::ofExpr(x);
        const Expr zero = makeConst(0, x->dtype);
        return ScriptValue::ofExpr(makeSelect(greaterEqual(x, zero), x, sub(zero, x)));
    }
    if (name == "infinity")
        return ScriptValue::ofExpr(
            Expr(new FloatImmNode(evalType(argument(0)), std::numeric_limits<double>::infinity())));
    if (name == "max_value" || name == "min_value")
        return ScriptValue::ofExpr(extremeValue(evalType(argument(0)), name == "max_value"));
    if (name == "ceildiv") {
        const auto [a, b] = toPair(eval(argument(0)), eval(argument(1)), tree);
        return ScriptValue::ofExpr(floorDiv(sub(add(a, b), makeInt(1, b->dtype)), b));
    }
    if (name == "isinf" || name == "isfinite") {
        const Expr x = evalExpr(argument(0));
        const Expr isNan = makeCall(DataType::boolean(x->dtype.lanes), Op::Isnan, {x});
        const Expr infinite =
            equal(makeCall(x->dtype, Op::Fabs, {x}),
                  Expr(new FloatImmNode(x->dtype, std::numeric_limits<double>::infinity())));
        const Expr isInf = logicalAnd(infinite, logicalNot(isNan));
        return ScriptValue::ofExpr(
            name == "isinf" ? isInf : logicalAnd(logicalNot(isInf), logicalNot(isNan)));
    }
    if (name == "target") {
        ScriptValue target;
        target.kind = ValueKind::Target;
        target.items.push_back(eval(argument(0)));
        return target;
    }
    if (name == "meta_var")
        return eval(argument(0));
    if (name == "call_packed" || name == "call_cpacked")
        return evalOpCall(tree, Op::CallPacked, "");
    if (name == "call_intrin") {
        const DataType type = evalType(argument(0));
        std::string op = evalString(argument(1));
        if (const auto dot = op.find('.'); dot != std::string::npos)
            op = op.substr(dot + 1);
        const auto known = opFromSpelling(op);
        return ScriptValue::ofExpr(
            makeCall(type, known.value_or(Op::Unknown), callArgs(tree, 2), known ? "" : op));
    }
    if (name == "StringImm")
        return eval(argument(0));
    if (name == "Buffer" || name == "buffer_decl" || name == "buffer")
        return ScriptValue::ofBuffer(readBufferCall(nameHint_.empty() ? "buffer" : nameHint_, tree,
                                                    function_ && function_->inSignature));
    if (name == "handle" || name == "Ptr" || name == "ptr") {
        DataType pointee = DataType::voidType();
        std::string scope = "global";
        if (tree.children.size() > 1)
            pointee = evalType(argument(0));
        if (tree.children.size() > 2)
            scope = evalString(argument(1));
        return ScriptValue::ofExpr(
            makePointer(nameHint_.empty() ? "p" : nameHint_, pointee, scope));
    }
    return std::nullopt;
}

ScriptValue ScriptReader::evalNamedCall(const Tree& tree, std::string name) {
    const auto dot = name.find('.');
    const std::string root = name.substr(0, dot);
    if (name == "float" && tree.children.size() == 2) {
        const std::string text = evalString(*tree.children[1]);
        if (text == "inf" || text == "-inf")
            return ScriptValue::ofFloat(text == "inf" ? HUGE_VAL : -HUGE_VAL);
        if (text == "nan")
            return ScriptValue::ofFloat(std::numeric_limits<double>::quiet_NaN());
    }
    if (dot == std::string::npos)
        fail(tree.position, base::concat("there is no function ", name));
    std::string rest = name.substr(dot + 1);
    if (root == "cls" || (!className_.empty() && root == className_))
        return ScriptValue::ofExpr(
            makeCall(DataType::voidType(), Op::CallGlobal, callArgs(tree), rest));
    if (root != "T" && root != "tir" && root != "tirx" && root != "ty")
        fail(tree.position, base::concat("there is no function ", name));
    if (auto special = evalSpecialCall(tree, rest))
        return *special;
    if (const Arithmetic* arithmetic = findArithmetic(rest))
        return evalArithmeticCall(tree, arithmetic->kind, arithmetic->folds);
    if (const auto type = parseDataType(rest == "boolean" ? "bool" : rest);
        type && !type->isHandle() && !type->isVoid())
        return evalTypeCall(tree, *type);
    if (rest == "power")
        rest = "pow";
    const auto op = opFromSpelling(rest);
    if (typeComesFirst(rest))
        return evalTypedCall(tree, op.value_or(Op::Unknown), op ? "" : rest);
    if (op)
        return evalOpCall(tree, *op, "");
    static constexpr std::string_view kStatements[] = {
        "sblock", "block", "reads", "writes", "grid", "serial", "parallel", "match_buffer"};
    if (std::find(std::begin(kStatements), std::end(kStatements), rest) != std::end(kStatements))
        fail(tree.position, base::concat("T.", rest, " stands in the wrong place"));
    if (rest.ends_with("[]"))
        fail(tree.position, base::concat(name, " cannot be used as a value"));
    return evalOpCall(tree, Op::Unknown, rest);
}

} // namespace tilewright::ir
