// SPDX-License-Identifier: Apache-2.0
// Modules and functions of a script; the entry points of parser.h.
#include "../python/syntax_parser.h"
#include "script_reader.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/visit.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <algorithm>

namespace tilewright::ir {

namespace {

using python::ExprKind;
using python::StmtKind;

bool containsRealize(const Stmt& stmt) {
    bool found = false;
    walk(stmt, [&](const Node& node) {
        found = found || node.kind() == NodeKind::BlockRealize;
        return !found && !ExprNode::classof(node.kind());
    });
    return found;
}

/// Runs a reader; broken rules of the node factories become located errors of the text.
template <class Fn> auto guarded(ScriptReader& reader, Fn&& read) {
    try {
        return read();
    } catch (const base::InternalError& error) {
        std::string_view message = error.what();
        if (const auto cut = message.rfind(": "); cut != std::string_view::npos)
            message.remove_prefix(cut + 2);
        reader.fail(reader.position(), base::concat("this has no meaning: ", message));
    }
}

bool hasTrueKeyword(const python::ExprTree& decorator, std::string_view name) {
    for (const auto& [key, value] : decorator.keywords) {
        if (key == name)
            return value->kind == ExprKind::Bool && value->integer != 0;
    }
    return false;
}

} // namespace

ScriptReader::ScriptReader(std::string_view text, std::string_view fileName)
    : text_(text), fileName_(fileName) {}

void ScriptReader::fail(python::Position position, std::string message) const {
    throw base::ParseError(
        "tvmscript-syntax", std::move(message),
        {base::TextLocation{std::string(fileName_), position.line, position.column}});
}

void ScriptReader::popScope() {
    const std::size_t mark = scopeMarks_.back();
    scopeMarks_.pop_back();
    while (undo_.size() > mark) {
        auto& [name, before] = undo_.back();
        if (before)
            vars_[name] = std::move(*before);
        else
            vars_.erase(name);
        undo_.pop_back();
    }
}

void ScriptReader::define(std::string_view name, ScriptValue value) {
    const std::string key(name);
    const auto it = vars_.find(key);
    if (it == vars_.end()) {
        undo_.emplace_back(key, std::nullopt);
        vars_.emplace(key, std::move(value));
    } else {
        undo_.emplace_back(key, std::move(it->second));
        it->second = std::move(value);
    }
}

const ScriptValue* ScriptReader::lookup(std::string_view name) const {
    const auto it = vars_.find(std::string(name));
    return it == vars_.end() ? nullptr : &it->second;
}

void ScriptReader::detectEra() {
    mentionsTirx_ = text_.find("tirx") != std::string_view::npos ||
                    text_.find("T.sblock") != std::string_view::npos ||
                    text_.find("s_tir=") != std::string_view::npos;
    mentionsStir_ = text_.find("s_tir") != std::string_view::npos;
    // `x: T.int32 = e` is a binding up to 0.24, a scalar buffer since. The header tells, or the
    // decorator.
    isScalarEra_ = mentionsStir_ || text_.find("tirx.layout") != std::string_view::npos;
}

DataType ScriptReader::readReturnType(const Tree& annotation) {
    if (annotation.kind == ExprKind::None)
        return DataType::voidType();
    if (annotation.kind == ExprKind::Call)
        return DataType::handle();
    return evalType(annotation);
}

Param ScriptReader::readParam(const python::ParameterTree& parameter) {
    if (!parameter.annotation)
        fail(parameter.position, "the type of the parameter is missing");
    const std::string name(parameter.name);
    const Tree& annotation = *parameter.annotation;
    Param param;
    const bool isCall = annotation.kind == ExprKind::Call || annotation.kind == ExprKind::Subscript;
    if (!isCall) {
        const std::string dotted = dottedName(annotation);
        if (dotted.ends_with(".handle")) {
            param.var = makePointer(name, DataType::voidType());
        } else {
            const DataType type = evalType(annotation);
            // A quoted extent may have made the variable already.
            const auto match = function_->matchVars.find(name);
            param.var = match != function_->matchVars.end() && match->second->dtype == type
                            ? match->second
                            : makeVar(name, type);
        }
        define(name, ScriptValue::ofExpr(param.var));
        return param;
    }
    nameHint_ = name;
    ScriptValue value;
    if (annotation.kind == ExprKind::Subscript &&
        dottedName(*annotation.children[0]).ends_with(".Ptr")) {
        const DataType pointee = evalType(*annotation.children[1]);
        value = ScriptValue::ofExpr(makePointer(name, pointee));
    } else if (annotation.kind == ExprKind::Call && annotation.children.size() == 1 &&
               annotation.keywords.empty() &&
               dottedName(*annotation.children[0]).ends_with(".handle")) {
        value = ScriptValue::ofExpr(makePointer(name, DataType::voidType()));
    } else {
        value = eval(annotation);
    }
    nameHint_.clear();
    if (value.kind == ValueKind::Tensor) {
        param.buffer = value.buffer;
        param.var = makePointer(name, value.buffer->dtype, value.buffer->scope);
    } else {
        param.var = refAs<VarNode>(toExpr(value, annotation));
        if (!param.var)
            fail(annotation.position, "expected the type of a parameter");
    }
    define(name, std::move(value));
    return param;
}

void ScriptReader::readParams(const Statement& def) {
    for (const python::ParameterTree& parameter : def.parameters) {
        const Tree* annotation = parameter.annotation;
        if (!annotation || annotation->kind != ExprKind::Attribute)
            continue;
        const auto type = parseDataType(annotation->text);
        if (type && !type->isHandle())
            function_->scalarTypes.emplace(std::string(parameter.name), *type);
    }
    function_->inSignature = true;
    for (const python::ParameterTree& parameter : def.parameters)
        function_->params.push_back(readParam(parameter));
    function_->inSignature = false;
    if (def.annotation)
        function_->returnType = readReturnType(*def.annotation);
}

Stmt ScriptReader::completeRoot(Stmt body, Block rootParts) {
    const auto* realize = as<BlockRealizeNode>(body);
    const bool isNeeded = !rootParts->allocBuffers.empty() ||
                          (realize ? !realize->block->iterVars.empty() : containsRealize(body));
    if (!isNeeded)
        return body;
    const Block root = built<BlockNode>([&](BlockNode& node) {
        node.name = "root";
        node.allocBuffers = rootParts->allocBuffers;
        node.body = std::move(body);
    });
    return makeBlockRealize({}, makeBool(true), root);
}

PrimFunc ScriptReader::readFunction(const Statement& def) {
    position_ = def.position;
    FunctionState state;
    function_ = &state;
    bool isPrivate = false;
    bool saysStir = false;
    for (const Tree* decorator : def.decorators) {
        isPrivate = isPrivate || hasTrueKeyword(*decorator, "private");
        saysStir = saysStir || hasTrueKeyword(*decorator, "s_tir");
    }
    // Up to 0.24 every function followed these rules; the newest eras mark those that do.
    isSchedulable_ = saysStir || !mentionsTirx_ || !mentionsStir_;
    if (mentionsTirx_ && !mentionsStir_ && text_.find("T.sblock") == std::string_view::npos)
        isSchedulable_ = false;
    if (!isPrivate)
        state.attrs.set("global_symbol", std::string(def.name));
    if (isSchedulable_)
        state.attrs.set("s_tir", true);
    pushScope();
    readParams(def);
    auto* rootNode = new BlockNode();
    const Block rootParts(rootNode);
    BlockFrame frame;
    frame.block = rootNode;
    frame.predicate = makeBool(true);
    BlockFrame* outer = std::exchange(block_, &frame);
    Stmt body = readSuite(def.body);
    block_ = outer;
    popScope();
    position_ = def.position;
    if (!rootNode->iterVars.empty() || !rootNode->annotations.empty() || frame.hasReads ||
        frame.hasWrites || rootNode->init || !rootNode->matchBuffers.empty())
        fail(def.position,
             base::concat("function ", def.name, " has parts of a block outside of any block"));
    if (isSchedulable_)
        body = completeRoot(std::move(body), rootParts);
    // Nothing is detected for the root block.
    const auto* realize = as<BlockRealizeNode>(body);
    const BlockNode* rootBlock = realize ? realize->block.get() : nullptr;
    if (const auto it = detected_.find(rootBlock);
        it != detected_.end() && rootBlock->iterVars.empty()) {
        const Block cleared = edited(realize->block, [&](BlockNode& node) {
            if (it->second.reads)
                node.reads.clear();
            if (it->second.writes)
                node.writes.clear();
        });
        body = makeBlockRealize({}, realize->predicate, cleared);
    }
    detected_.clear();
    loopRanges_.clear();
    function_ = nullptr;
    return built<PrimFuncNode>([&](PrimFuncNode& node) {
        node.params = std::move(state.params);
        node.returnType = state.returnType;
        node.attrs = std::move(state.attrs);
        node.body = std::move(body);
    });
}

void ScriptReader::readModuleStatement(const Statement& stmt, Module& module) {
    position_ = stmt.position;
    if (stmt.kind == StmtKind::Function) {
        if (module.find(stmt.name))
            fail(stmt.position, base::concat("function ", stmt.name, " is defined twice"));
        module.set(stmt.name, readFunction(stmt));
        return;
    }
    if (stmt.kind == StmtKind::Class) {
        className_ = std::string(stmt.name);
        for (const Statement* inner : stmt.body)
            readModuleStatement(*inner, module);
        return;
    }
    if (stmt.kind == StmtKind::Pass)
        return;
    if (stmt.kind == StmtKind::Expression) {
        const Tree& tree = *stmt.value;
        if (tree.kind == ExprKind::String)
            return;
        const std::string name = calledName(tree);
        if (name == "I.module_attrs" && tree.children.size() == 2) {
            for (const auto& [key, value] : evalAnnotations(*tree.children[1]))
                module.attrs.set(key, value);
            return;
        }
        if (name == "I.module_global_infos")
            return;
    }
    if (stmt.kind == StmtKind::Assign && stmt.target->kind == ExprKind::Name) {
        if (calledName(*stmt.value) == "TypeVar") {
            typeVars_.emplace_back(stmt.target->text);
            return;
        }
        // `metadata = tvm.ir.load_json(…)` and constants of the file.
        if (stmt.value->kind == ExprKind::Call)
            fail(stmt.position, "outside of functions only constants can be assigned");
        define(stmt.target->text, eval(*stmt.value));
        return;
    }
    fail(stmt.position, "expected a function decorated with @T.prim_func or a class with such");
}

Module ScriptReader::readModule() {
    if (text_.find('\0') != std::string_view::npos)
        fail({}, "the text holds zero bytes: this is no TVMScript");
    python::SyntaxParser(text_, fileName_, tree_).parseFile();
    detectEra();
    pushScope();
    Module module;
    for (const Statement* stmt : tree_.body)
        readModuleStatement(*stmt, module);
    popScope();
    if (module.functions().empty() && className_.empty())
        fail({}, "the text holds no function");
    return module;
}

Expr ScriptReader::readExpr(const VarScope& scope) {
    const Tree* tree = python::SyntaxParser(text_, fileName_, tree_).parseSingleExpr();
    pushScope();
    for (const auto& [name, var] : scope)
        define(name, ScriptValue::ofExpr(var));
    Expr expr = evalExpr(*tree);
    popScope();
    return expr;
}

IndexMap ScriptReader::readIndexMap() {
    const Tree* tree = python::SyntaxParser(text_, fileName_, tree_).parseSingleExpr();
    const Tree* inverse = nullptr;
    if (tree->kind == ExprKind::Call) {
        const std::string name = calledName(*tree);
        if (name != "index_map" && !name.ends_with("IndexMap.from_func"))
            fail(tree->position, "expected a lambda or T.index_map(lambda …)");
        for (const auto& [key, value] : tree->keywords) {
            if (key == "inverse_index_map" && value->kind == ExprKind::Lambda)
                inverse = value;
        }
        if (tree->children.size() < 2)
            fail(tree->position, "the lambda is missing");
        tree = tree->children[1];
    }
    const auto readLambda = [&](const Tree& lambda) {
        if (lambda.kind != ExprKind::Lambda)
            fail(lambda.position, "expected a lambda");
        IndexMap map;
        pushScope();
        for (const std::string_view name : lambda.names) {
            map.initialIndices.push_back(makeVar(std::string(name)));
            define(name, ScriptValue::ofExpr(map.initialIndices.back()));
        }
        const Tree& body = *lambda.children[0];
        std::vector<const Tree*> items{&body};
        if (body.kind == ExprKind::Tuple || body.kind == ExprKind::List)
            items.assign(body.children.begin(), body.children.end());
        for (const Tree* item : items) {
            if (!dottedName(*item).ends_with("AXIS_SEPARATOR"))
                map.finalIndices.push_back(evalExpr(*item));
        }
        popScope();
        return map;
    };
    IndexMap map = readLambda(*tree);
    if (inverse)
        map.inverse = std::make_shared<const IndexMap>(readLambda(*inverse));
    return map;
}

Module parseModule(std::string_view text, std::string_view fileName) {
    ScriptReader reader(text, fileName);
    return guarded(reader, [&] { return reader.readModule(); });
}

PrimFunc parseFunction(std::string_view text, std::string_view fileName) {
    ScriptReader reader(text, fileName);
    const Module module = guarded(reader, [&] { return reader.readModule(); });
    if (module.functions().size() != 1)
        reader.fail({}, base::concat("expected one function, found ", module.functions().size()));
    return module.functions()[0].second;
}

Expr parseExpr(std::string_view text, const VarScope& scope, std::string_view fileName) {
    ScriptReader reader(text, fileName);
    return guarded(reader, [&] { return reader.readExpr(scope); });
}

IndexMap parseIndexMap(std::string_view text, std::string_view fileName) {
    ScriptReader reader(text, fileName);
    return guarded(reader, [&] { return reader.readIndexMap(); });
}

} // namespace tilewright::ir
