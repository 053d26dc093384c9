// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/make.h>

#include <tilewright/base/check.h>

namespace tilewright::ir {

namespace {

DataType vectorType(DataType element, int lanes) {
    return element.withLanes(lanes * std::max<int>(1, element.lanes));
}

} // namespace

Expr makeInt(std::int64_t value, DataType type) {
    return Expr(new IntImmNode(type, value));
}
Expr makeBool(bool value) {
    return Expr(new IntImmNode(DataType::boolean(), value ? 1 : 0));
}
Expr makeFloat(double value, DataType type) {
    // Keep what the type can hold, so that equal constants compare equal.
    if (type.code == TypeCode::Float && type.bits == 32)
        value = static_cast<double>(static_cast<float>(value));
    return Expr(new FloatImmNode(type, value));
}

Expr makeConst(double value, DataType type) {
    if (!type.isScalar())
        return makeBroadcast(makeConst(value, type.element()), type.lanes);
    if (type.isFloating())
        return makeFloat(value, type);
    return makeInt(static_cast<std::int64_t>(value), type);
}

Expr makeString(std::string value) {
    return Expr(new StringImmNode(std::move(value)));
}
Var makeVar(std::string name, DataType type) {
    return Var(new VarNode(std::move(name), type));
}

Var makePointer(std::string name, DataType pointee, std::string scope) {
    auto* node = new VarNode(std::move(name), DataType::handle());
    node->pointee = pointee;
    node->scope = std::move(scope);
    return Var(node);
}

Expr makeBinary(NodeKind kind, Expr a, Expr b) {
    TW_CHECK(BinaryNode::classof(kind));
    TW_CHECK(a && b && a->dtype == b->dtype)
        << "operand types differ: " << toString(a->dtype) << " and " << toString(b->dtype);
    const bool isComparison = kind >= NodeKind::EQ && kind <= NodeKind::Or;
    DataType type = a->dtype;
    if (isComparison) {
        type = DataType::boolean(a->dtype.lanes);
        type.scalable = a->dtype.scalable;
    }
    return Expr(new BinaryNode(kind, type, std::move(a), std::move(b)));
}

Expr makeCast(DataType type, Expr value) {
    return Expr(new CastNode(type, std::move(value)));
}
Expr makeSelect(Expr condition, Expr trueValue, Expr falseValue) {
    TW_CHECK(trueValue->dtype == falseValue->dtype);
    const DataType type = trueValue->dtype;
    return Expr(
        new SelectNode(type, std::move(condition), std::move(trueValue), std::move(falseValue)));
}
Expr makeRamp(Expr base, Expr stride, int lanes) {
    const DataType type = vectorType(base->dtype, lanes);
    return Expr(new RampNode(type, std::move(base), std::move(stride), makeInt(lanes)));
}
Expr makeBroadcast(Expr value, int lanes) {
    const DataType type = vectorType(value->dtype, lanes);
    return Expr(new BroadcastNode(type, std::move(value), makeInt(lanes)));
}
Expr makeLet(Var var, Expr value, Expr body) {
    return Expr(new LetNode(std::move(var), std::move(value), std::move(body)));
}
Expr makeCall(DataType type, Op op, std::vector<Expr> args, std::string callee) {
    return Expr(new CallNode(type, op, std::move(args), std::move(callee)));
}

Expr makeLoad(Buffer buffer, std::vector<Expr> indices, Expr predicate) {
    DataType type = buffer->dtype;
    if (!indices.empty() && !indices.back()->dtype.isScalar()) {
        const DataType index = indices.back()->dtype;
        type = type.withLanes(index.lanes * type.lanes);
        type.scalable = index.scalable;
    }
    return Expr(
        new BufferLoadNode(type, std::move(buffer), std::move(indices), std::move(predicate)));
}

Buffer makeBuffer(std::string name, DataType type, std::vector<Expr> shape, std::string scope) {
    return Buffer(new BufferNode(std::move(name), type, std::move(shape), std::move(scope)));
}
Buffer makeBuffer(std::string name, DataType type, const std::vector<std::int64_t>& shape,
                  std::string scope) {
    std::vector<Expr> extents;
    extents.reserve(shape.size());
    for (const std::int64_t extent : shape)
        extents.push_back(makeInt(extent));
    return makeBuffer(std::move(name), type, std::move(extents), std::move(scope));
}

Buffer copyBuffer(const Buffer& buffer, std::string name, std::string scope) {
    auto* node = new BufferNode(std::move(name), buffer->dtype, buffer->shape, std::move(scope));
    node->strides = buffer->strides;
    node->elemOffset = buffer->elemOffset;
    node->dataAlignment = buffer->dataAlignment;
    node->offsetFactor = buffer->offsetFactor;
    node->axisSeparators = buffer->axisSeparators;
    return Buffer(node);
}

Stmt makeFor(Var loopVar, Expr min, Expr extent, ForKind kind, Stmt body, Annotations annotations,
             std::string threadTag, Expr step) {
    return built<ForNode>([&](ForNode& n) {
        n.loopVar = std::move(loopVar);
        n.min = std::move(min);
        n.extent = std::move(extent);
        n.forKind = kind;
        n.body = std::move(body);
        n.annotations = std::move(annotations);
        n.threadTag = std::move(threadTag);
        n.step = std::move(step);
    });
}

Stmt makeSeq(std::vector<Stmt> statements) {
    TW_CHECK(!statements.empty()) << "an empty sequence";
    bool nested = false;
    for (const Stmt& stmt : statements)
        nested = nested || stmt->kind() == NodeKind::SeqStmt;
    if (nested) {
        std::vector<Stmt> flat;
        for (Stmt& stmt : statements) {
            if (const auto* inner = as<SeqStmtNode>(stmt))
                flat.insert(flat.end(), inner->seq.begin(), inner->seq.end());
            else
                flat.push_back(std::move(stmt));
        }
        statements = std::move(flat);
    }
    if (statements.size() == 1)
        return statements.front();
    return Stmt(new SeqStmtNode(std::move(statements)));
}

Stmt makeStore(Buffer buffer, Expr value, std::vector<Expr> indices, Expr predicate) {
    return Stmt(new BufferStoreNode(std::move(buffer), std::move(value), std::move(indices),
                                    std::move(predicate)));
}
Stmt makeIf(Expr condition, Stmt thenCase, Stmt elseCase) {
    return Stmt(new IfThenElseNode(std::move(condition), std::move(thenCase), std::move(elseCase)));
}
Stmt makeEvaluate(Expr value) {
    return Stmt(new EvaluateNode(std::move(value)));
}
Stmt makeNoOp() {
    return makeEvaluate(makeInt(0));
}
Stmt makeBlockRealize(std::vector<Expr> iterValues, Expr predicate, Block block) {
    TW_CHECK(iterValues.size() == block->iterVars.size());
    return Stmt(
        new BlockRealizeNode(std::move(iterValues), std::move(predicate), std::move(block)));
}

std::optional<std::int64_t> constInt(const Expr& expr) {
    if (const auto* imm = as<IntImmNode>(expr))
        return imm->value;
    return std::nullopt;
}

bool isConstInt(const Expr& expr, std::int64_t value) {
    const auto* imm = as<IntImmNode>(expr);
    return imm && imm->value == value;
}

} // namespace tilewright::ir
