// SPDX-License-Identifier: Apache-2.0
// Statements of a script.
#include "script_nesting.h"
#include "script_reader.h"

#include <tilewright/ir/make.h>

#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::ir {

namespace {

using python::ExprKind;
using python::StmtKind;

std::string_view nameOf(const python::ExprTree& target) {
    return target.kind == ExprKind::Name ? target.text : std::string_view{};
}

} // namespace

void ScriptReader::emit(Stmt stmt) {
    sequence_->stmts.push_back(std::move(stmt));
}

/// Opens a scope over the rest of the suite.
void ScriptReader::open(Wrap wrap) {
    constexpr std::size_t kMaxOpen = 200;
    if (sequence_->wraps.size() >= kMaxOpen)
        fail(position_, "statements are nested too deep");
    sequence_->wraps.push_back(std::move(wrap));
}

Stmt ScriptReader::readSuite(const python::Suite& suite) {
    const Nesting nesting(*this);
    Sequence own;
    Sequence* outer = std::exchange(sequence_, &own);
    pushScope();
    readStatements(suite);
    popScope();
    sequence_ = outer;
    return own.stmts.empty() ? makeNoOp() : makeSeq(std::move(own.stmts));
}

/// Reads statements into the current sequence and closes the scopes that bare calls opened in them.
void ScriptReader::readStatements(const python::Suite& suite) {
    const std::size_t outerWraps = sequence_->wraps.size();
    for (const Statement* stmt : suite)
        readStatement(*stmt);
    auto& stmts = sequence_->stmts;
    while (sequence_->wraps.size() > outerWraps) {
        const Wrap wrap = std::move(sequence_->wraps.back());
        sequence_->wraps.pop_back();
        const auto start = stmts.begin() + static_cast<std::ptrdiff_t>(wrap.start);
        std::vector<Stmt> inner(start, stmts.end());
        stmts.erase(start, stmts.end());
        stmts.push_back(wrap.make(inner.empty() ? makeNoOp() : makeSeq(std::move(inner))));
    }
}

void ScriptReader::readStatement(const Statement& stmt) {
    position_ = stmt.position;
    switch (stmt.kind) {
    case StmtKind::Expression:
        return readExpressionStatement(*stmt.value);
    case StmtKind::Assign:
        return readAssign(stmt);
    case StmtKind::AugAssign:
        return readAugAssign(stmt);
    case StmtKind::AnnAssign:
        return readAnnAssign(stmt);
    case StmtKind::For:
        return readFor(stmt);
    case StmtKind::While: {
        const Expr condition = evalExpr(*stmt.value);
        return emit(Stmt(new WhileNode(condition, readSuite(stmt.body))));
    }
    case StmtKind::If:
        return readIf(stmt);
    case StmtKind::With:
        return readWith(stmt, 0);
    case StmtKind::Assert:
        return readAssert(stmt);
    case StmtKind::Return:
        return emit(Stmt(new ReturnNode(stmt.value ? evalExpr(*stmt.value) : Expr())));
    case StmtKind::Pass:
        return;
    case StmtKind::Break:
        return emit(Stmt(new BreakNode()));
    case StmtKind::Continue:
        return emit(Stmt(new ContinueNode()));
    default:
        fail(stmt.position, "a definition cannot stand here");
    }
}

// Assignments

void ScriptReader::readAssign(const Statement& stmt) {
    assign(*stmt.target, *stmt.value);
}

void ScriptReader::assign(const Tree& target, const Tree& value) {
    const bool isTuple = target.kind == ExprKind::Tuple || target.kind == ExprKind::List;
    const bool isTupleValue = value.kind == ExprKind::Tuple || value.kind == ExprKind::List;
    if (isTuple && isTupleValue && target.children.size() == value.children.size()) {
        for (std::size_t i = 0; i < target.children.size(); ++i)
            assign(*target.children[i], *value.children[i]);
        return;
    }
    if (assignDeclaring(target, value))
        return;
    if (target.kind == ExprKind::Subscript)
        return assignStore(target, eval(value));
    nameHint_ = std::string(nameOf(target));
    ScriptValue result = eval(value);
    nameHint_.clear();
    assignValue(target, std::move(result));
}

/// Assignments whose right side declares something: an axis, a buffer, a thread.
bool ScriptReader::assignDeclaring(const Tree& target, const Tree& value) {
    const std::string function = calledName(value);
    if (function.empty())
        return false;
    const std::string name(nameOf(target));
    if (function.starts_with("axis.")) {
        std::vector<std::string> names;
        if (target.kind == ExprKind::Tuple || target.kind == ExprKind::List) {
            for (const Tree* item : target.children)
                names.emplace_back(nameOf(*item));
        } else {
            names.push_back(name);
        }
        const std::vector<ScriptValue> iters = readAxis(function.substr(5), value, names);
        if (iters.size() != names.size() && names.size() != 1)
            fail(target.position,
                 base::concat(iters.size(), " iterators are bound to ", names.size(), " names"));
        for (std::size_t i = 0; i < names.size() && i < iters.size(); ++i) {
            if (iters.size() > 1 && names.size() == 1) {
                ScriptValue list;
                list.kind = ValueKind::List;
                list.items = iters;
                define(names[0], list);
                break;
            }
            define(names[i], iters[i]);
        }
        return true;
    }
    if (name.empty())
        return false;
    if (function == "match_buffer") {
        readMatchBuffer(name, value);
    } else if (function == "sblock_alloc_buffer" || function == "alloc_buffer" ||
               function == "alloc_local" || function == "alloc_shared") {
        readAllocBuffer(name, value, function);
    } else if (function == "decl_buffer") {
        readDeclBuffer(name, value);
    } else if (function == "allocate") {
        readAllocate(name, value);
    } else if (function == "local_scalar") {
        const Args args = arguments(value, {"dtype"});
        if (!args[0])
            fail(value.position, "T.local_scalar needs a data type");
        declareScalar(name, evalType(*args[0]), nullptr);
    } else if (function == "launch_thread") {
        open(launchThread(value, name));
    } else if (function == "env_thread") {
        const Args args = arguments(value, {"thread_tag", "dtype"});
        const Var var = makeVar(name, args[1] ? evalType(*args[1]) : DataType::i(32));
        threadTags_[var.get()] = args[0] ? evalString(*args[0]) : std::string();
        define(name, ScriptValue::ofExpr(var));
    } else {
        return false;
    }
    return true;
}

void ScriptReader::assignStore(const Tree& target, ScriptValue value) {
    // The left side is read like a load, slices standing for vector indices.
    const ScriptValue place = eval(target);
    const Expr access = toExpr(place, target);
    const auto* load = as<BufferLoadNode>(access);
    if (!load)
        fail(target.position, "only an element of a buffer can be assigned");
    const Buffer& buffer = load->buffer;
    const DataType type = access->dtype;
    Expr stored = value.isPlainNumber() ? toExpr(value, target, access) : toExpr(value, target);
    if (stored->dtype.lanes != type.lanes && stored->dtype.isScalar())
        stored = makeBroadcast(stored, type.lanes);
    if (!(stored->dtype == type)) {
        if (stored->dtype.lanes != type.lanes || stored->dtype.scalable != type.scalable ||
            stored->dtype.isHandle())
            fail(target.position,
                 base::concat("a value of type ", toString(stored->dtype),
                              " does not fit an element of type ", toString(type)));
        stored = cast(type, stored);
    }
    emit(makeStore(buffer, std::move(stored), load->indices));
}

bool ScriptReader::storeToScalar(std::string_view name, const ScriptValue& value) {
    const ScriptValue* known = lookup(name);
    if (!known || known->kind != ValueKind::Tensor || known->buffer->shape.size() != 1 ||
        !isOne(known->buffer->shape[0]) || value.kind == ValueKind::Tensor)
        return false;
    const Buffer buffer = known->buffer;
    const Expr place = makeLoad(buffer, {makeInt(0)});
    const Expr stored = toExpr(value, Tree{}, value.isPlainNumber() ? place : Expr());
    emit(makeStore(buffer, cast(buffer->dtype, stored), {makeInt(0)}));
    return true;
}

void ScriptReader::assignValue(const Tree& target, ScriptValue value) {
    if (target.kind == ExprKind::Tuple || target.kind == ExprKind::List) {
        if (value.kind != ValueKind::List || value.items.size() != target.children.size())
            fail(target.position, "the two sides of the assignment have different lengths");
        for (std::size_t i = 0; i < target.children.size(); ++i)
            assignValue(*target.children[i], value.items[i]);
        return;
    }
    if (target.kind == ExprKind::Subscript)
        return assignStore(target, std::move(value));
    const std::string name(nameOf(target));
    if (name.empty())
        fail(target.position, "this cannot be assigned");
    if (storeToScalar(name, value))
        return;
    switch (value.kind) {
    case ValueKind::Tensor:
    case ValueKind::List:
    case ValueKind::Dict:
    case ValueKind::Lambda:
    case ValueKind::Region:
    case ValueKind::Named:
    case ValueKind::Target:
        return define(name, std::move(value));
    case ValueKind::Expression:
        if (const auto* var = as<VarNode>(value.expr)) {
            // `n = T.int32()`: a variable of a quoted shape is declared once more.
            const bool isKnown = function_ && function_->matchVars.contains(name);
            const ScriptValue* known = lookup(name);
            if (isKnown && known && known->kind == ValueKind::Expression &&
                known->expr == Expr(function_->matchVars.find(name)->second))
                return;
            const bool isTypeVar =
                std::find(typeVars_.begin(), typeVars_.end(), name) != typeVars_.end();
            if (isKnown && isTypeVar)
                return define(name, ScriptValue::ofExpr(function_->matchVars[name]));
            if (var->name == name || !isScalarEra_)
                return define(name, std::move(value));
        }
        if (isScalarEra_ && !value.expr->dtype.isHandle() && !value.expr->dtype.isVoid())
            return declareScalar(name, value.expr->dtype, &value);
        return bind(name, value.expr);
    default: {
        const Expr constant = toExpr(value, target);
        const ScriptValue asExpr = ScriptValue::ofExpr(constant);
        if (isScalarEra_ && value.isPlainNumber())
            return declareScalar(name, constant->dtype, &asExpr);
        return bind(name, constant);
    }
    }
}

void ScriptReader::bind(std::string name, Expr value, std::optional<DataType> type) {
    if (type && !type->isHandle())
        value = cast(*type, value);
    Var var;
    if (value->dtype.isHandle()) {
        const auto* source = as<VarNode>(value);
        DataType pointee = source ? source->pointee : DataType::voidType();
        std::string scope = source ? source->scope : "global";
        if (const auto* call = as<CallNode>(value); call && call->op == Op::BufferData) {
            const auto& buffer = as<RegionAccessNode>(call->args[0])->buffer;
            pointee = buffer->dtype;
            scope = buffer->scope;
        }
        var = makePointer(name, pointee, scope);
    } else {
        var = makeVar(name, value->dtype);
    }
    emit(Stmt(new BindNode(var, std::move(value))));
    define(name, ScriptValue::ofExpr(var));
}

void ScriptReader::declareScalar(const std::string& name, DataType type, const ScriptValue* value) {
    const Buffer buffer = makeBuffer(name, type, std::vector<Expr>{makeInt(1)}, "local");
    emit(Stmt(new AllocBufferNode(buffer, {})));
    define(name, ScriptValue::ofBuffer(buffer, true));
    if (value)
        storeToScalar(name, *value);
}

void ScriptReader::readAugAssign(const Statement& stmt) {
    Tree op;
    op.kind = ExprKind::Binary;
    op.position = stmt.position;
    op.text = stmt.name;
    op.children = {stmt.target, stmt.value};
    assignValue(*stmt.target, eval(op));
}

void ScriptReader::readAnnAssign(const Statement& stmt) {
    const std::string name(nameOf(*stmt.target));
    if (name.empty())
        fail(stmt.position, "only a name can be declared");
    const Tree& annotation = *stmt.annotation;
    const bool isLet = annotation.kind == ExprKind::Subscript &&
                       dottedName(*annotation.children[0]).ends_with(".let");
    const bool isBareLet = dottedName(annotation).ends_with(".let");
    if (isLet || isBareLet || !isScalarEra_) {
        if (!stmt.value)
            fail(stmt.position, "the value is missing");
        const Expr value = evalExpr(*stmt.value);
        if (isBareLet)
            return bind(name, value);
        const Tree& type = isLet ? *annotation.children[1] : annotation;
        if (type.kind == ExprKind::Call || dottedName(type).ends_with(".handle") ||
            dottedName(type).ends_with(".Ptr")) {
            nameHint_ = name;
            const ScriptValue declared =
                type.kind == ExprKind::Call
                    ? eval(type)
                    : ScriptValue::ofExpr(makePointer(name, DataType::voidType()));
            nameHint_.clear();
            const Var var = refAs<VarNode>(toExpr(declared, type));
            if (!var)
                fail(type.position, "expected a type");
            emit(Stmt(new BindNode(var, value)));
            return define(name, ScriptValue::ofExpr(var));
        }
        return bind(name, value, evalType(type));
    }
    const DataType type = evalType(annotation);
    if (!stmt.value)
        return declareScalar(name, type, nullptr);
    const ScriptValue value = eval(*stmt.value);
    declareScalar(name, type, nullptr);
    storeToScalar(name, value.kind == ValueKind::Region
                            ? ScriptValue::ofExpr(toExpr(value, *stmt.value))
                            : value);
}

// Calls as statements

void ScriptReader::readExpressionStatement(const Tree& tree) {
    if (tree.kind == ExprKind::String)
        return;
    const std::string name = calledName(tree);
    if (!name.empty() && readBlockStatement(name, tree))
        return;
    const std::size_t before = sequence_->stmts.size();
    const ScriptValue value = eval(tree);
    if (value.kind == ValueKind::None && sequence_->stmts.size() > before)
        return; // A vstore made its statement itself.
    emit(makeEvaluate(toArgument(value, tree)));
}

bool ScriptReader::readBlockStatement(const std::string& name, const Tree& call) {
    if (name == "reads" || name == "writes") {
        if (!block_)
            fail(call.position, base::concat("T.", name, " stands outside of a block"));
        const bool isReads = name == "reads";
        (isReads ? block_->hasReads : block_->hasWrites) = true;
        (isReads ? block_->block->reads : block_->block->writes) = readRegions(call);
    } else if (name == "where") {
        if (!block_ || call.children.size() != 2)
            fail(call.position, "T.where takes one condition and stands in a block");
        Expr predicate = evalExpr(*call.children[1]);
        if (!predicate->dtype.isBool())
            predicate = cast(DataType::boolean(), predicate);
        block_->predicate = predicate;
    } else if (name == "sblock_attr" || name == "block_attr") {
        if (!block_ || call.children.size() != 2)
            fail(call.position, "the attributes of a block are one dictionary");
        for (const auto& [key, value] : evalAnnotations(*call.children[1]))
            block_->block->annotations.set(key, value);
    } else if (name == "func_attr") {
        if (call.children.size() != 2)
            fail(call.position, "the attributes of a function are one dictionary");
        for (const auto& [key, value] : evalAnnotations(*call.children[1]))
            function_->attrs.set(key, value);
    } else if (name == "evaluate") {
        if (call.children.size() != 2)
            fail(call.position, "T.evaluate takes one value");
        const Tree& argument = *call.children[1];
        emit(makeEvaluate(toArgument(eval(argument), argument)));
    } else if (name == "attr") {
        std::vector<Wrap> wraps;
        openAttr(call, wraps);
        for (Wrap& wrap : wraps)
            open(std::move(wrap));
    } else if (name == "launch_thread") {
        open(launchThread(call, "tx"));
    } else if (name == "return" || name == "Return") {
        emit(Stmt(new ReturnNode(call.children.size() > 1 ? evalExpr(*call.children[1]) : Expr())));
    } else if (name == "ret" && call.children.size() == 2) {
        emit(Stmt(new ReturnNode(evalExpr(*call.children[1]))));
    } else if (name.starts_with("axis.")) {
        readAxis(name.substr(5), call, {""});
    } else {
        return false;
    }
    return true;
}

void ScriptReader::openAttr(const Tree& call, std::vector<Wrap>& wraps) {
    const std::size_t start = sequence_->stmts.size();
    if (call.children.size() == 2) {
        // `T.attr({"key": value})` hangs on nothing.
        for (const auto& [key, value] : evalAnnotations(*call.children[1])) {
            const Expr* expr = value.asExpr();
            const Expr shown = expr               ? *expr
                               : value.asString() ? makeString(*value.asString())
                               : value.asFloat()  ? makeFloat(*value.asFloat())
                               : value.asBool()   ? makeBool(*value.asBool())
                                                  : makeInt(value.toInt(0));
            wraps.push_back({start, [key = key, shown](Stmt body) {
                                 return Stmt(new AttrStmtNode(AttrValue(0), key, shown, body));
                             }});
        }
        return;
    }
    const Args args = arguments(call, {"node", "attr_key", "value"});
    if (!args[0] || !args[1] || !args[2])
        fail(call.position, "T.attr takes a node, a key and a value");
    const std::string key = evalString(*args[1]);
    const Expr value = evalExpr(*args[2]);
    if (calledName(*args[0]) == "iter_var") {
        const Args iter = arguments(*args[0], {"v", "dom", "iter_type", "thread_tag"});
        const AttrValue::List node{evalExpr(*iter[0]), iter[3] ? evalString(*iter[3]) : ""};
        wraps.push_back({start, [key, value, node](Stmt body) {
                             return Stmt(new AttrStmtNode(AttrValue(node), key, value, body));
                         }});
        return;
    }
    const AttrValue node = evalAttr(*args[0]);
    wraps.push_back({start, [key, value, node](Stmt body) {
                         return Stmt(new AttrStmtNode(node, key, value, body));
                     }});
}

ScriptReader::Wrap ScriptReader::launchThread(const Tree& call, const std::string& name) {
    const Args args = arguments(call, {"thread", "extent"});
    if (!args[0] || !args[1])
        fail(call.position, "T.launch_thread takes a thread and an extent");
    const Expr extent = evalExpr(*args[1]);
    const ScriptValue thread = eval(*args[0]);
    Var var;
    std::string tag;
    if (thread.kind == ValueKind::String) {
        var = makeVar(name, extent->dtype);
        tag = thread.text;
        define(name, ScriptValue::ofExpr(var));
    } else {
        var = refAs<VarNode>(toExpr(thread, *args[0]));
        const auto known = var ? threadTags_.find(var.get()) : threadTags_.end();
        if (known == threadTags_.end())
            fail(args[0]->position, "expected a thread");
        tag = known->second;
        if (name != var->name)
            define(name, ScriptValue::ofExpr(var));
    }
    const bool isVirtual = tag.starts_with("vthread") || tag.starts_with("cthread");
    const std::string key = isVirtual ? "virtual_thread" : "thread_extent";
    const AttrValue::List node{Expr(var), tag};
    return {sequence_->stmts.size(), [key, extent, node](Stmt body) {
                return Stmt(new AttrStmtNode(AttrValue(node), key, extent, body));
            }};
}

// Compound statements

void ScriptReader::readIf(const Statement& stmt) {
    const ScriptValue condition = eval(*stmt.value);
    if (condition.isPlainNumber()) {
        readStatements(condition.integer != 0 ? stmt.body : stmt.otherwise);
        return;
    }
    const Expr test = toExpr(condition, *stmt.value);
    Stmt thenCase = readSuite(stmt.body);
    Stmt elseCase = stmt.otherwise.empty() ? Stmt() : readSuite(stmt.otherwise);
    emit(makeIf(test, std::move(thenCase), std::move(elseCase)));
}

void ScriptReader::readAssert(const Statement& stmt) {
    const Expr condition = evalExpr(*stmt.value);
    std::string kind = "RuntimeError";
    std::vector<std::string> parts;
    if (stmt.annotation) {
        const ScriptValue message = eval(*stmt.annotation);
        if (message.kind == ValueKind::List && message.items.size() == 2 &&
            message.items[1].kind == ValueKind::List) {
            kind = message.items[0].text;
            for (const ScriptValue& part : message.items[1].items)
                parts.push_back(part.text);
        } else {
            parts.push_back(message.text);
        }
    }
    emit(Stmt(new AssertStmtNode(condition, std::move(kind), std::move(parts))));
}

void ScriptReader::readWith(const Statement& stmt, std::size_t item) {
    if (item == stmt.items.size())
        return readStatements(stmt.body);
    const Tree& context = *stmt.items[item].context;
    const Tree* target = stmt.items[item].target;
    const std::string name = target ? std::string(nameOf(*target)) : std::string();
    const std::string function = calledName(context);
    const bool isLast = item + 1 == stmt.items.size();
    if (function == "sblock" || function == "block") {
        if (!isLast)
            fail(context.position, "a block stands alone in its with-statement");
        return readBlock(stmt, context);
    }
    if (function == "init")
        return readInit(stmt);
    if (function == "attr" || function == "launch_thread") {
        const Nesting nesting(*this);
        std::vector<Wrap> wraps;
        pushScope();
        if (function == "attr")
            openAttr(context, wraps);
        else
            wraps.push_back(launchThread(context, name.empty() ? "tx" : name));
        Sequence own;
        Sequence* outer = std::exchange(sequence_, &own);
        readWith(stmt, item + 1);
        sequence_ = outer;
        popScope();
        Stmt body = own.stmts.empty() ? makeNoOp() : makeSeq(std::move(own.stmts));
        for (auto wrap = wraps.rbegin(); wrap != wraps.rend(); ++wrap)
            body = wrap->make(body);
        return emit(body);
    }
    // The rest is flat: it scopes over what follows.
    if (function == "LetStmt" || function == "let") {
        const Args args = arguments(context, {"value", "type_annotation", "var"});
        if (!args[0])
            fail(context.position, "the value is missing");
        bind(name.empty() ? "v" : name, evalExpr(*args[0]));
    } else if (function == "Assert") {
        const Args args = arguments(context, {"condition", "message"});
        if (!args[0])
            fail(context.position, "the condition is missing");
        std::vector<std::string> parts;
        if (args[1])
            parts.push_back(evalString(*args[1]));
        emit(Stmt(new AssertStmtNode(evalExpr(*args[0]), "RuntimeError", std::move(parts))));
    } else if (function == "allocate") {
        readAllocate(name, context);
    } else if (function == "decl_buffer") {
        readDeclBuffer(name, context);
    } else {
        fail(context.position,
             base::concat("'with' expects T.sblock, T.init, T.attr or T.launch_thread",
                          function.empty() ? "" : ", found ", function));
    }
    readWith(stmt, item + 1);
}

void ScriptReader::readInit(const Statement& stmt) {
    if (!block_ || block_->block->init)
        fail(stmt.position, "T.init stands in a block, once");
    block_->block->init = readSuite(stmt.body);
}

} // namespace tilewright::ir
