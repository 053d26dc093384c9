// SPDX-License-Identifier: Apache-2.0
// Expressions of a script.
#include "linear_form.h"
#include "script_reader.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/structural.h>

#include <tilewright/base/concat.h>

#include <cmath>

namespace tilewright::ir {

namespace {

using python::ExprKind;

NodeKind binaryKind(std::string_view op) {
    if (op == "+")
        return NodeKind::Add;
    if (op == "-")
        return NodeKind::Sub;
    if (op == "*")
        return NodeKind::Mul;
    if (op == "/")
        return NodeKind::Div;
    if (op == "//")
        return NodeKind::FloorDiv;
    if (op == "%")
        return NodeKind::FloorMod;
    if (op == "==")
        return NodeKind::EQ;
    if (op == "!=")
        return NodeKind::NE;
    if (op == "<")
        return NodeKind::LT;
    if (op == "<=")
        return NodeKind::LE;
    if (op == ">")
        return NodeKind::GT;
    return NodeKind::GE;
}

std::optional<Op> bitOp(std::string_view op) {
    if (op == "&")
        return Op::BitwiseAnd;
    if (op == "|")
        return Op::BitwiseOr;
    if (op == "^")
        return Op::BitwiseXor;
    if (op == "<<")
        return Op::ShiftLeft;
    if (op == ">>")
        return Op::ShiftRight;
    return std::nullopt;
}

/// Two operands brought to one type, without folding the operation itself.
Expr compareUnfolded(NodeKind kind, const Expr& a, const Expr& b) {
    if (a->dtype == b->dtype)
        return makeBinary(kind, a, b);
    return foldBinary(kind, a, b);
}

bool isRoot(std::string_view name) {
    return name == "T" || name == "I" || name == "tir" || name == "tirx" || name == "R" ||
           name == "cls" || name == "tvm" || name == "ir" || name == "ty";
}

} // namespace

ScriptValue ScriptReader::eval(const Tree& tree) {
    switch (tree.kind) {
    case ExprKind::None:
        return {};
    case ExprKind::Bool:
        return ScriptValue::ofBool(tree.integer != 0);
    case ExprKind::Int:
        if (tree.isUnsigned)
            return ScriptValue::ofExpr(makeInt(tree.integer, DataType::u(64)));
        return ScriptValue::ofInt(tree.integer);
    case ExprKind::Float:
        return ScriptValue::ofFloat(tree.real);
    case ExprKind::String:
        return ScriptValue::ofString(tree.string);
    case ExprKind::Name:
        return evalName(tree);
    case ExprKind::Attribute:
        return evalAttribute(tree);
    case ExprKind::Call:
        return evalCall(tree);
    case ExprKind::Subscript:
        return evalSubscript(tree);
    case ExprKind::Tuple:
    case ExprKind::List: {
        ScriptValue list;
        list.kind = ValueKind::List;
        for (const Tree* item : tree.children) {
            if (item->kind == ExprKind::Starred) {
                const ScriptValue inner = eval(*item->children[0]);
                if (inner.kind != ValueKind::List)
                    fail(item->position, "only a list can be unpacked with '*'");
                list.items.insert(list.items.end(), inner.items.begin(), inner.items.end());
            } else {
                list.items.push_back(eval(*item));
            }
        }
        return list;
    }
    case ExprKind::Dict: {
        ScriptValue dict;
        dict.kind = ValueKind::Dict;
        for (const Tree* item : tree.children)
            dict.items.push_back(eval(*item));
        return dict;
    }
    case ExprKind::Binary:
        return evalBinary(tree);
    case ExprKind::Unary:
        return evalUnary(tree);
    case ExprKind::Boolean:
        return evalBoolean(tree);
    case ExprKind::Compare:
        return evalCompare(tree);
    case ExprKind::Lambda: {
        ScriptValue value;
        value.kind = ValueKind::Lambda;
        value.lambda = &tree;
        return value;
    }
    default:
        fail(tree.position, "this expression is not supported here");
    }
}

ScriptValue ScriptReader::evalName(const Tree& tree) {
    if (const ScriptValue* value = lookup(tree.text)) {
        if (value->kind == ValueKind::Tensor && value->isScalar)
            return ScriptValue::ofExpr(makeLoad(value->buffer, {makeInt(0)}));
        return *value;
    }
    if (isRoot(tree.text) || tree.text == className_)
        return ScriptValue::ofName(std::string(tree.text));
    if (tree.text == "range" || tree.text == "float" || tree.text == "int" || tree.text == "bool" ||
        tree.text == "IndexMap" || tree.text == "AXIS_SEPARATOR" || tree.text == "TypeVar" ||
        tree.text == "metadata")
        return ScriptValue::ofName(std::string(tree.text));
    for (const std::string& name : typeVars_) {
        if (name == tree.text && function_) {
            // A dimension shared by name: one variable a function.
            auto& var = function_->matchVars[name];
            if (!var)
                var = makeVar(name, DataType::i(64));
            return ScriptValue::ofExpr(var);
        }
    }
    fail(tree.position, base::concat("the name ", tree.text, " is not defined"));
}

ScriptValue ScriptReader::bufferAttribute(const Buffer& buffer, const Tree& tree) {
    const auto listOf = [](const std::vector<Expr>& exprs) {
        ScriptValue list;
        list.kind = ValueKind::List;
        for (const Expr& expr : exprs)
            list.items.push_back(ScriptValue::ofExpr(expr));
        return list;
    };
    if (tree.text == "data")
        return ScriptValue::ofExpr(
            makeCall(DataType::handle(), Op::BufferData,
                     {Expr(new RegionAccessNode(buffer, std::vector<Range>{}))}));
    if (tree.text == "shape")
        return listOf(buffer->shape);
    if (tree.text == "strides")
        return listOf(buffer->strides);
    if (tree.text == "elem_offset")
        return ScriptValue::ofExpr(buffer->elemOffset ? buffer->elemOffset
                                                      : makeInt(0, buffer->indexType()));
    if (tree.text == "dtype")
        return ScriptValue::ofString(toString(buffer->dtype));
    fail(tree.position, base::concat("a buffer has no attribute ", tree.text));
}

ScriptValue ScriptReader::evalAttribute(const Tree& tree) {
    const Tree& object = *tree.children[0];
    // A scalar's own buffer: `x.source`, `x.buffer`.
    if (object.kind == ExprKind::Name) {
        const ScriptValue* value = lookup(object.text);
        if (value && value->kind == ValueKind::Tensor && value->isScalar) {
            if (tree.text == "source" || tree.text == "buffer")
                return ScriptValue::ofBuffer(value->buffer);
            return bufferAttribute(value->buffer, tree);
        }
    }
    const ScriptValue value = eval(object);
    switch (value.kind) {
    case ValueKind::Named:
        return ScriptValue::ofName(base::concat(value.text, ".", tree.text));
    case ValueKind::Tensor:
        return bufferAttribute(value.buffer, tree);
    case ValueKind::Expression:
        if (tree.text == "dtype")
            return ScriptValue::ofString(toString(value.expr->dtype));
        if (const auto* access = as<RegionAccessNode>(value.expr); access && tree.text == "buffer")
            return ScriptValue::ofBuffer(access->buffer);
        break;
    default:
        break;
    }
    fail(tree.position, base::concat("there is no attribute ", tree.text, " here"));
}

namespace {

/// `lo : lo + n` has the extent n as it was written, unless it is a constant in disguise.
Expr extentOf(const Expr& lower, const Expr& upper) {
    Expr length = difference(upper, lower);
    if (constInt(length) || upper->kind() != NodeKind::Add)
        return length;
    const auto& sum = static_cast<const BinaryNode&>(*upper);
    return structuralEqual(sum.a, lower) ? sum.b : length;
}

} // namespace

ScriptValue ScriptReader::evalSubscript(const Tree& tree) {
    const ScriptValue object = eval(*tree.children[0]);
    if (object.kind == ValueKind::Named) {
        // `T.Buffer[(16, 16), "float32"]` is an old spelling of a call.
        if (object.text.ends_with(".Buffer"))
            return evalNamedCall(tree, object.text);
        return evalNamedCall(tree, base::concat(object.text, "[]"));
    }
    if (object.kind == ValueKind::List) {
        if (tree.children.size() != 2)
            fail(tree.position, "a list takes one index");
        std::int64_t index = evalInt(*tree.children[1]);
        const auto size = static_cast<std::int64_t>(object.items.size());
        index = index < 0 ? index + size : index;
        if (index < 0 || index >= size)
            fail(tree.position, base::concat("index ", index, " of a list of ", size));
        return object.items[static_cast<std::size_t>(index)];
    }
    if (object.kind != ValueKind::Tensor)
        fail(tree.position, "only a buffer or a list can be indexed");
    const Buffer& buffer = object.buffer;
    if (tree.children.size() - 1 != buffer->shape.size())
        fail(tree.position, base::concat("buffer ", buffer->name, " has ", buffer->shape.size(),
                                         " dimensions, not ", tree.children.size() - 1));
    ScriptValue result;
    result.kind = ValueKind::Region;
    result.buffer = buffer;
    bool anySlice = false;
    for (std::size_t i = 1; i < tree.children.size(); ++i) {
        const Tree& item = *tree.children[i];
        const Expr& extent = buffer->shape[i - 1];
        if (item.kind != ExprKind::Slice) {
            const Expr index = evalExpr(item);
            result.region.push_back({index, makeInt(1, index->dtype.element())});
            result.isSlice.push_back(false);
            result.steps.emplace_back();
            continue;
        }
        anySlice = true;
        Expr lower = item.children[0] ? evalExpr(*item.children[0]) : makeInt(0, extent->dtype);
        Expr upper = item.children[1] ? evalExpr(*item.children[1]) : extent;
        result.steps.push_back(item.children[2] ? evalExpr(*item.children[2]) : Expr());
        Expr length = extentOf(lower, upper);
        if (lower->dtype != length->dtype)
            lower = cast(length->dtype, lower);
        result.region.push_back({std::move(lower), std::move(length)});
        result.isSlice.push_back(true);
    }
    if (anySlice)
        return result;
    std::vector<Expr> indices;
    for (const Range& range : result.region)
        indices.push_back(range.min);
    return ScriptValue::ofExpr(makeLoad(buffer, std::move(indices)));
}

namespace {

/// `A[lo:hi:step]` as the vector index it stands for.
Expr sliceIndex(const Range& range, const Expr& step) {
    const Expr stride = step ? step : makeInt(1, range.min->dtype);
    const Expr lanes = step && !isOne(step)
                           ? floorDiv(add(range.extent, sub(step, makeInt(1))), step)
                           : range.extent;
    if (const auto count = constInt(lanes)) {
        if (*count == 1)
            return range.min;
        if (*count < 1 || *count > 4096)
            return nullptr;
        return makeRamp(range.min, stride, static_cast<int>(*count));
    }
    return nullptr;
}

} // namespace

Expr ScriptReader::toExpr(const ScriptValue& value, const Tree& tree, const Expr& like) {
    const DataType type = like ? like->dtype.element() : DataType::voidType();
    switch (value.kind) {
    case ValueKind::Expression:
        return value.expr;
    case ValueKind::Bool:
        return like && !type.isBool() ? makeConst(static_cast<double>(value.integer), type)
                                      : makeBool(value.integer != 0);
    case ValueKind::Int: {
        if (like && type.isFloating())
            return Expr(new FloatImmNode(type, static_cast<double>(value.integer)));
        if (like && type.isIntegral() && !type.isBool())
            return makeInt(value.integer, type);
        const bool fits = value.integer >= INT32_MIN && value.integer <= INT32_MAX;
        return makeInt(value.integer, DataType::i(fits ? 32 : 64));
    }
    case ValueKind::Float:
        return Expr(
            new FloatImmNode(like && type.isFloating() ? type : DataType::f(32), value.real));
    case ValueKind::String:
        return makeString(value.text);
    case ValueKind::Region: {
        std::vector<Expr> indices;
        for (std::size_t i = 0; i < value.region.size(); ++i) {
            Expr index = value.isSlice[i] ? sliceIndex(value.region[i], value.steps[i])
                                          : value.region[i].min;
            if (!index)
                fail(tree.position, "the slice has no constant length");
            indices.push_back(std::move(index));
        }
        return makeLoad(value.buffer, std::move(indices));
    }
    default:
        fail(tree.position, "expected an expression of numbers here");
    }
}

Expr ScriptReader::toArgument(const ScriptValue& value, const Tree& tree) {
    if (value.kind == ValueKind::Tensor)
        return Expr(new RegionAccessNode(value.buffer, std::vector<Range>{}));
    if (value.kind == ValueKind::Region) {
        bool hasStep = false;
        for (const Expr& step : value.steps)
            hasStep = hasStep || step;
        if (!hasStep)
            return Expr(new RegionAccessNode(value.buffer, value.region));
    }
    return toExpr(value, tree);
}

std::pair<Expr, Expr> ScriptReader::toPair(const ScriptValue& a, const ScriptValue& b,
                                           const Tree& tree) {
    if (a.isPlainNumber() && !b.isPlainNumber()) {
        const Expr right = toExpr(b, tree);
        return {toExpr(a, tree, right), right};
    }
    const Expr left = toExpr(a, tree);
    return {left, toExpr(b, tree, b.isPlainNumber() ? left : Expr())};
}

ScriptValue ScriptReader::evalPlainBinary(const Tree& tree, const ScriptValue& a,
                                          const ScriptValue& b) {
    const std::string_view op = tree.text;
    const bool isFloat = a.kind == ValueKind::Float || b.kind == ValueKind::Float;
    if (!isFloat && op != "/" && op != "**") {
        const Expr left = makeInt(a.integer, DataType::i(64));
        const Expr right = makeInt(b.integer, DataType::i(64));
        Expr result;
        if (op == "<<" && b.integer >= 0 && b.integer < 63)
            result = makeInt(
                static_cast<std::int64_t>(static_cast<std::uint64_t>(a.integer) << b.integer),
                DataType::i(64));
        else if (op == ">>" && b.integer >= 0 && b.integer < 64)
            result = makeInt(a.integer >> b.integer, DataType::i(64));
        else if (op == "&")
            result = makeInt(a.integer & b.integer, DataType::i(64));
        else if (op == "|")
            result = makeInt(a.integer | b.integer, DataType::i(64));
        else if (op == "^")
            result = makeInt(a.integer ^ b.integer, DataType::i(64));
        else if (!bitOp(op))
            result = foldBinary(binaryKind(op), left, right);
        if (const auto value = result ? constInt(result) : std::nullopt)
            return ScriptValue::ofInt(*value);
        fail(tree.position, "this arithmetic has no result");
    }
    const double x = a.kind == ValueKind::Float ? a.real : static_cast<double>(a.integer);
    const double y = b.kind == ValueKind::Float ? b.real : static_cast<double>(b.integer);
    if (op == "+")
        return ScriptValue::ofFloat(x + y);
    if (op == "-")
        return ScriptValue::ofFloat(x - y);
    if (op == "*")
        return ScriptValue::ofFloat(x * y);
    if (op == "/" && y != 0)
        return ScriptValue::ofFloat(x / y);
    if (op == "**") {
        const double power = std::pow(x, y);
        if (isFloat || y < 0)
            return ScriptValue::ofFloat(power);
        if (std::abs(power) < 9.0e15)
            return ScriptValue::ofInt(static_cast<std::int64_t>(power));
    }
    if (op == "//" && y != 0)
        return ScriptValue::ofFloat(std::floor(x / y));
    fail(tree.position, "this arithmetic has no result");
}

ScriptValue ScriptReader::evalBinary(const Tree& tree) {
    const ScriptValue a = eval(*tree.children[0]);
    const ScriptValue b = eval(*tree.children[1]);
    if (a.isPlainNumber() && b.isPlainNumber())
        return evalPlainBinary(tree, a, b);
    if (a.kind == ValueKind::List && b.kind == ValueKind::List && tree.text == "+") {
        ScriptValue list = a;
        list.items.insert(list.items.end(), b.items.begin(), b.items.end());
        return list;
    }
    if (tree.text == "**" || tree.text == "@")
        fail(tree.position, base::concat("the operator ", tree.text, " is not supported"));
    const auto [left, right] = toPair(a, b, tree);
    if (const auto op = bitOp(tree.text)) {
        const bool isBool = left->dtype.isBool() && right->dtype.isBool();
        if (isBool && (*op == Op::BitwiseAnd || *op == Op::BitwiseOr) && left->dtype.isScalar())
            return ScriptValue::ofExpr(*op == Op::BitwiseAnd ? logicalAnd(left, right)
                                                             : logicalOr(left, right));
        return ScriptValue::ofExpr(makeCall(left->dtype, *op, {left, right}));
    }
    const NodeKind kind = binaryKind(tree.text);
    if (kind == NodeKind::Div && left->dtype.isIntegral() && right->dtype.isIntegral())
        fail(tree.position, "integers are divided by //, T.Div or T.truncdiv, not by /");
    return ScriptValue::ofExpr(foldBinary(kind, left, right));
}

ScriptValue ScriptReader::evalUnary(const Tree& tree) {
    const ScriptValue value = eval(*tree.children[0]);
    if (tree.text == "not") {
        if (value.isPlainNumber())
            return ScriptValue::ofBool(value.kind == ValueKind::Float ? value.real == 0
                                                                      : value.integer == 0);
        const Expr operand = toExpr(value, tree);
        return ScriptValue::ofExpr(Expr(new NotNode(operand->dtype, operand)));
    }
    if (tree.text == "+")
        return value;
    if (tree.text == "~") {
        if (value.kind == ValueKind::Int)
            return ScriptValue::ofInt(~value.integer);
        const Expr operand = toExpr(value, tree);
        if (operand->dtype.isBool())
            return ScriptValue::ofExpr(Expr(new NotNode(operand->dtype, operand)));
        return ScriptValue::ofExpr(makeCall(operand->dtype, Op::BitwiseNot, {operand}));
    }
    if (value.kind == ValueKind::Float)
        return ScriptValue::ofFloat(-value.real);
    if (value.isPlainNumber())
        return ScriptValue::ofInt(
            static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value.integer)));
    const Expr operand = toExpr(value, tree);
    return ScriptValue::ofExpr(mul(operand, makeConst(-1, operand->dtype)));
}

ScriptValue ScriptReader::evalBoolean(const Tree& tree) {
    const ScriptValue a = eval(*tree.children[0]);
    const ScriptValue b = eval(*tree.children[1]);
    const bool isAnd = tree.text == "and";
    if (a.isPlainNumber() && b.isPlainNumber())
        return ScriptValue::ofBool(isAnd ? a.integer && b.integer : a.integer || b.integer);
    const auto [left, right] = toPair(a, b, tree);
    if (left->dtype.element() != DataType::boolean() || right->dtype != left->dtype)
        fail(tree.position, base::concat("'", tree.text, "' joins conditions, not values of type ",
                                         toString(left->dtype), " and ", toString(right->dtype)));
    return ScriptValue::ofExpr(makeBinary(isAnd ? NodeKind::And : NodeKind::Or, left, right));
}

ScriptValue ScriptReader::evalCompare(const Tree& tree) {
    const ScriptValue a = eval(*tree.children[0]);
    const ScriptValue b = eval(*tree.children[1]);
    const NodeKind kind = binaryKind(tree.text);
    if (a.isPlainNumber() && b.isPlainNumber()) {
        const auto asDouble = [](const ScriptValue& v) {
            return v.kind == ValueKind::Float ? v.real : static_cast<double>(v.integer);
        };
        const Expr result = foldBinary(kind, makeFloat(asDouble(a), DataType::f(64)),
                                       makeFloat(asDouble(b), DataType::f(64)));
        return ScriptValue::ofBool(isOne(result));
    }
    const auto [left, right] = toPair(a, b, tree);
    return ScriptValue::ofExpr(compareUnfolded(kind, left, right));
}

Expr ScriptReader::evalExpr(const Tree& tree) {
    return toExpr(eval(tree), tree);
}

std::string ScriptReader::evalString(const Tree& tree) {
    const ScriptValue value = eval(tree);
    if (value.kind == ValueKind::String)
        return value.text;
    if (value.kind == ValueKind::Expression) {
        if (const auto* imm = as<StringImmNode>(value.expr))
            return imm->value;
    }
    fail(tree.position, "expected a string here");
}

DataType ScriptReader::evalType(const Tree& tree) {
    const ScriptValue value = eval(tree);
    std::string name;
    if (value.kind == ValueKind::String)
        name = value.text;
    else if (value.kind == ValueKind::Named && value.text.find('.') != std::string::npos)
        name = value.text.substr(value.text.find('.') + 1);
    if (name == "boolean")
        name = "bool";
    if (const auto type = parseDataType(name); type && !name.empty())
        return *type;
    fail(tree.position,
         base::concat("expected a data type such as \"float32\"", name.empty() ? "" : ", found \"",
                      name, name.empty() ? "" : "\""));
}

std::int64_t ScriptReader::evalInt(const Tree& tree) {
    const ScriptValue value = eval(tree);
    if (value.kind == ValueKind::Int || value.kind == ValueKind::Bool)
        return value.integer;
    if (value.kind == ValueKind::Expression) {
        if (const auto constant = constInt(value.expr))
            return *constant;
    }
    fail(tree.position, "expected a constant integer here");
}

bool ScriptReader::evalBool(const Tree& tree) {
    return evalInt(tree) != 0;
}

AttrValue ScriptReader::toAttr(const ScriptValue& value, const Tree& tree) {
    switch (value.kind) {
    case ValueKind::None:
        return {};
    case ValueKind::Bool:
        return value.integer != 0;
    case ValueKind::Int:
        return value.integer;
    case ValueKind::Float:
        return value.real;
    case ValueKind::String:
        return value.text;
    case ValueKind::List: {
        AttrValue::List list;
        for (const ScriptValue& item : value.items)
            list.push_back(toAttr(item, tree));
        return list;
    }
    case ValueKind::Dict: {
        AttrValue::Dict dict;
        for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
            if (value.items[i].kind != ValueKind::String)
                fail(tree.position, "the keys of an annotation are strings");
            dict.emplace_back(value.items[i].text, toAttr(value.items[i + 1], tree));
        }
        return dict;
    }
    case ValueKind::Target:
        return toAttr(value.items.at(0), tree);
    case ValueKind::Tensor:
        return toArgument(value, tree);
    case ValueKind::Expression:
        // `T.bool(True)` is how some eras print a plain truth value.
        if (const auto* imm = as<IntImmNode>(value.expr); imm && imm->dtype.isBool())
            return imm->value != 0;
        return value.expr;
    default:
        return toExpr(value, tree);
    }
}

AttrValue ScriptReader::evalAttr(const Tree& tree) {
    return toAttr(eval(tree), tree);
}

Annotations ScriptReader::evalAnnotations(const Tree& tree) {
    const ScriptValue value = eval(tree);
    Annotations out;
    if (value.kind == ValueKind::None)
        return out;
    if (value.kind != ValueKind::Dict)
        fail(tree.position, "expected a dictionary of annotations");
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
        if (value.items[i].kind != ValueKind::String)
            fail(tree.position, "the keys of annotations are strings");
        std::string key = value.items[i].text;
        if (key.starts_with("tir."))
            key.insert(3, "x");
        out.set(key, toAttr(value.items[i + 1], tree));
    }
    return out;
}

} // namespace tilewright::ir
