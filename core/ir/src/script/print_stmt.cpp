// SPDX-License-Identifier: Apache-2.0
// Statements of TVMScript.
#include "literal_text.h"
#include "script_printer.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/structural.h>
#include <tilewright/ir/visit.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>

namespace tilewright::ir {

namespace {

/// The loops that one `T.grid` may stand for, outermost first.
std::vector<const ForNode*> gridRun(const ForNode& loop) {
    std::vector<const ForNode*> run;
    const ForNode* current = &loop;
    while (current) {
        if (current->forKind != ForKind::Serial || !current->annotations.empty() ||
            !isZero(current->min) || (current->step && !isOne(current->step)))
            break;
        const bool usesOuter = usesVar(current->extent, [&](const VarNode* var) {
            for (const ForNode* outer : run) {
                if (outer->loopVar.get() == var)
                    return true;
            }
            return false;
        });
        if (usesOuter)
            break;
        run.push_back(current);
        current = as<ForNode>(current->body);
    }
    return run;
}

bool loadsFrom(const Expr& expr, const BufferNode* buffer) {
    bool found = false;
    walk(expr, [&](const Node& node) {
        const auto* load = as<BufferLoadNode>(&node);
        found = found || (load && load->buffer.get() == buffer);
        return !found;
    });
    return found;
}

} // namespace

void ScriptPrinter::line(std::string_view text) {
    out_.append(static_cast<std::size_t>(indent_) * 4, ' ');
    out_.append(text);
    out_.push_back('\n');
}

void ScriptPrinter::printStmt(const Stmt& stmt) {
    printBody(stmt);
}

void ScriptPrinter::printBody(const Stmt& stmt) {
    if (const auto* seq = as<SeqStmtNode>(stmt))
        printSequence(seq->seq);
    else
        printStmtIn(stmt, true);
}

void ScriptPrinter::printNested(const Stmt& stmt) {
    ++indent_;
    names_.pushFrame();
    printBody(stmt);
    names_.popFrame();
    --indent_;
}

void ScriptPrinter::printSequence(std::span<const Stmt> statements) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
        if (const auto* alloc = as<AllocBufferNode>(statements[i])) {
            const Stmt* next = i + 1 < statements.size() ? &statements[i + 1] : nullptr;
            if (printAsScalar(*alloc, next)) {
                ++i;
                continue;
            }
        }
        printStmtIn(statements[i], i + 1 == statements.size());
    }
    if (statements.empty())
        line("pass");
}

/// `x: T.int32 = e` stands for a local buffer of one element and the store behind it.
bool ScriptPrinter::printAsScalar(const AllocBufferNode& alloc, const Stmt* next) {
    const BufferNode& buffer = *alloc.buffer;
    const auto* store = next ? as<BufferStoreNode>(*next) : nullptr;
    if (!store || store->buffer != alloc.buffer || store->predicate || buffer.scope != "local" ||
        buffer.shape.size() != 1 || !isOne(buffer.shape[0]) || !buffer.strides.empty() ||
        buffer.elemOffset || buffer.dataAlignment != 64 || buffer.offsetFactor != 1 ||
        !alloc.annotations.empty() || !isZero(store->indices[0]) ||
        store->value->dtype != buffer.dtype || loadsFrom(store->value, &buffer))
        return false;
    std::string value;
    appendTo(value, store->value);
    scalars_.insert(&buffer);
    const std::string& name = names_.define(&buffer, buffer.name, "buffer");
    line(base::concat(name, ": T.", toString(buffer.dtype), " = ", value));
    return true;
}

void ScriptPrinter::printStmtIn(const Stmt& stmt, bool isLast) {
    std::string text;
    switch (stmt->kind()) {
    case NodeKind::For:
        return printFor(*as<ForNode>(stmt));
    case NodeKind::SeqStmt:
        return printSequence(as<SeqStmtNode>(stmt)->seq);
    case NodeKind::BufferStore:
        return printStore(*as<BufferStoreNode>(stmt));
    case NodeKind::AttrStmt:
        return printAttrStmt(*as<AttrStmtNode>(stmt), isLast);
    case NodeKind::AllocBuffer:
        return printAlloc(*as<AllocBufferNode>(stmt));
    case NodeKind::Block:
        return printBlock(*as<BlockNode>(stmt), nullptr);
    case NodeKind::BlockRealize: {
        const auto* realize = as<BlockRealizeNode>(stmt);
        return printBlock(*realize->block, realize);
    }
    case NodeKind::IfThenElse: {
        const auto* node = as<IfThenElseNode>(stmt);
        appendTo(text, node->condition);
        line(base::concat("if ", text, ":"));
        printNested(node->thenCase);
        if (node->elseCase) {
            line("else:");
            printNested(node->elseCase);
        }
        return;
    }
    case NodeKind::While: {
        const auto* node = as<WhileNode>(stmt);
        appendTo(text, node->condition);
        line(base::concat("while ", text, ":"));
        printNested(node->body);
        return;
    }
    case NodeKind::Evaluate: {
        const auto* node = as<EvaluateNode>(stmt);
        appendTo(text, node->value);
        const auto* call = as<CallNode>(node->value);
        const bool isBare =
            call && (text.starts_with("T.") || call->op == Op::CallGlobal) && text.ends_with(')');
        return line(isBare ? text : base::concat("T.evaluate(", text, ")"));
    }
    case NodeKind::AssertStmt: {
        const auto* node = as<AssertStmtNode>(stmt);
        text = "assert ";
        appendTo(text, node->condition);
        text.append(", (");
        appendQuoted(text, node->errorKind);
        text.append(", [");
        for (std::size_t i = 0; i < node->messageParts.size(); ++i) {
            if (i != 0)
                text.append(", ");
            appendQuoted(text, node->messageParts[i]);
        }
        return line(text.append("])"));
    }
    case NodeKind::Bind: {
        const auto* node = as<BindNode>(stmt);
        std::string value;
        appendTo(value, node->value);
        text = names_.define(node->var.get(), node->var->name, "v");
        text.append(": T.let[");
        appendVarType(text, *node->var);
        return line(text.append("] = ").append(value));
    }
    case NodeKind::DeclBuffer: {
        const auto* node = as<DeclBufferNode>(stmt);
        std::string data;
        if (node->data)
            appendTo(data, node->data);
        text = names_.define(node->buffer.get(), node->buffer->name, "buffer");
        text.append(" = T.decl_buffer(");
        appendBufferDeclaration(text, *node->buffer, node->data ? &node->data : nullptr);
        return line(text.append(")"));
    }
    case NodeKind::Return: {
        const auto* node = as<ReturnNode>(stmt);
        text = "return";
        if (node->value) {
            text.push_back(' ');
            appendTo(text, node->value);
        }
        return line(text);
    }
    case NodeKind::Break:
        return line("break");
    case NodeKind::Continue:
        return line("continue");
    default:
        TW_CHECK(false) << "no statement";
    }
}

std::string ScriptPrinter::forHeader(const ForNode& loop) {
    const bool hasStep = loop.step && !isOne(loop.step);
    const bool isRange = loop.forKind == ForKind::Serial && loop.annotations.empty();
    static constexpr const char* kForms[] = {"T.serial", "T.parallel", "T.vectorized", "T.unroll",
                                             "T.thread_binding"};
    std::string text = isRange ? "range" : kForms[static_cast<int>(loop.forKind)];
    text.push_back('(');
    if (isZero(loop.min) && !(isRange && hasStep)) {
        appendTo(text, loop.extent);
    } else {
        appendTo(text, loop.min);
        text.append(", ");
        appendTo(text, add(loop.min, loop.extent));
    }
    if (loop.forKind == ForKind::ThreadBinding) {
        text.append(", thread=");
        appendQuoted(text, loop.threadTag);
    }
    if (!loop.annotations.empty()) {
        const auto& [key, value] = *loop.annotations.begin();
        const bool isSingle = loop.annotations.size() == 1 && loop.forKind == ForKind::Serial;
        if (isSingle && key == "disable_unroll" && value.asBool() && *value.asBool()) {
            text.append(", unroll=False");
        } else if (isSingle && key == "pragma_unroll") {
            text.append(", unroll=");
            appendAttr(text, value);
        } else {
            text.append(", annotations=");
            appendDict(text, loop.annotations);
        }
    }
    if (hasStep) {
        text.append(isRange ? ", " : ", step=");
        appendTo(text, loop.step);
    }
    text.push_back(')');
    return text;
}

void ScriptPrinter::printFor(const ForNode& loop) {
    const std::vector<const ForNode*> run = gridRun(loop);
    const std::size_t known = loops_.size();
    names_.pushFrame();
    std::string vars;
    std::string header;
    const ForNode* innermost = &loop;
    if (run.size() > 1) {
        header = "T.grid(";
        for (const ForNode* item : run) {
            if (item != run.front()) {
                header.append(", ");
                vars.append(", ");
            }
            appendTo(header, item->extent);
            vars.append(names_.define(item->loopVar.get(), item->loopVar->name, "v"));
        }
        header.push_back(')');
        innermost = run.back();
        loops_.insert(loops_.end(), run.begin(), run.end());
    } else {
        header = forHeader(loop);
        vars = names_.define(loop.loopVar.get(), loop.loopVar->name, "v");
        loops_.push_back(&loop);
    }
    line(base::concat("for ", vars, " in ", header, ":"));
    ++indent_;
    printBody(innermost->body);
    --indent_;
    loops_.resize(known);
    names_.popFrame();
}

bool ScriptPrinter::isSimpleRemap(const IterVar& iter, const Expr& value) const {
    if (iter.type != IterType::DataPar && iter.type != IterType::CommReduce)
        return false;
    for (const ForNode* loop : loops_) {
        if (loop->loopVar.get() == value.get())
            return structuralEqual(loop->min, iter.dom.min) &&
                   structuralEqual(loop->extent, iter.dom.extent);
    }
    return false;
}

void ScriptPrinter::printIterVars(const BlockNode& block, const BlockRealizeNode* realize) {
    const auto& iters = block.iterVars;
    for (std::size_t i = 0; i < iters.size();) {
        std::size_t end = i;
        while (realize && end < iters.size() && isSimpleRemap(iters[end], realize->iterValues[end]))
            ++end;
        if (end - i > 1) {
            std::string names;
            std::string kinds;
            std::string values;
            for (; i < end; ++i) {
                const char* separator = names.empty() ? "" : ", ";
                values.append(separator);
                appendTo(values, realize->iterValues[i]);
                names.append(separator);
                names.append(names_.define(iters[i].var.get(), iters[i].var->name, "v"));
                kinds.push_back(iters[i].type == IterType::DataPar ? 'S' : 'R');
            }
            line(base::concat(names, " = T.axis.remap(\"", kinds, "\", [", values, "])"));
            continue;
        }
        static constexpr const char* kKinds[] = {"spatial", "thread", "reduce", "scan", "opaque"};
        const IterVar& iter = iters[i];
        std::string args;
        if (isZero(iter.dom.min))
            appendTo(args, iter.dom.extent);
        else
            appendTuple(args, {iter.dom.min, add(iter.dom.min, iter.dom.extent)});
        if (realize) {
            args.append(", ");
            appendTo(args, realize->iterValues[i]);
        }
        const std::string& name = names_.define(iter.var.get(), iter.var->name, "v");
        line(base::concat(name, " = T.axis.", kKinds[static_cast<int>(iter.type)], "(", args, ")"));
        ++i;
    }
}

void ScriptPrinter::printBlock(const BlockNode& block, const BlockRealizeNode* realize) {
    std::string text = "with T.sblock(";
    appendQuoted(text, block.name);
    text.append(realize ? "):" : ", no_realize=True):");
    line(text);
    ++indent_;
    names_.pushFrame();
    printIterVars(block, realize);
    if (realize && !isOne(realize->predicate)) {
        std::string predicate;
        appendTo(predicate, realize->predicate);
        line(base::concat("T.where(", predicate, ")"));
    }
    for (const bool isRead : {true, false}) {
        std::string regions;
        for (const BufferRegion& region : isRead ? block.reads : block.writes) {
            if (!regions.empty())
                regions.append(", ");
            appendRegion(regions, region.buffer, region.region);
        }
        line(base::concat(isRead ? "T.reads(" : "T.writes(", regions, ")"));
    }
    if (!block.annotations.empty()) {
        std::string dict;
        appendDict(dict, block.annotations);
        line(base::concat("T.sblock_attr(", dict, ")"));
    }
    printBlockContents(block);
    names_.popFrame();
    --indent_;
}

void ScriptPrinter::printBlockContents(const BlockNode& block) {
    for (const Buffer& buffer : block.allocBuffers) {
        std::string text = names_.define(buffer.get(), buffer->name, "buffer");
        text.append(" = T.sblock_alloc_buffer(");
        appendBufferDeclaration(text, *buffer, nullptr);
        line(text.append(")"));
    }
    for (const MatchBufferRegion& match : block.matchBuffers) {
        std::string source;
        appendRegion(source, match.source.buffer, match.source.region);
        std::string text = names_.define(match.buffer.get(), match.buffer->name, "buffer");
        text.append(" = T.match_buffer(").append(source).append(", ");
        appendBufferDeclaration(text, *match.buffer, nullptr);
        line(text.append(")"));
    }
    if (block.init) {
        line("with T.init():");
        printNested(block.init);
    }
    printBody(block.body);
}

void ScriptPrinter::printStore(const BufferStoreNode& store) {
    std::string text;
    appendBuffer(text, store.buffer.get());
    if (store.predicate) {
        text.append(".vstore([");
        appendArgs(text, store.indices);
        text.append("], ");
        appendTo(text, store.value);
        text.append(", predicate=");
        appendTo(text, store.predicate);
        return line(text.append(")"));
    }
    if (!scalars_.contains(store.buffer.get())) {
        text.push_back('[');
        if (store.indices.empty())
            text.append("()");
        for (std::size_t i = 0; i < store.indices.size(); ++i) {
            if (i != 0)
                text.append(", ");
            const auto* ramp = as<RampNode>(store.indices[i]);
            if (!ramp) {
                appendTo(text, store.indices[i]);
                continue;
            }
            appendTo(text, ramp->base);
            text.push_back(':');
            appendTo(text, add(ramp->base, mul(ramp->lanes, ramp->stride)));
            if (!isOne(ramp->stride)) {
                text.push_back(':');
                appendTo(text, ramp->stride);
            }
        }
        text.push_back(']');
    }
    text.append(" = ");
    appendTo(text, store.value);
    line(text);
}

void ScriptPrinter::printLaunchThread(const AttrStmtNode& stmt, const Var& var,
                                      const std::string& tag, bool isLast) {
    std::string text = "T.launch_thread(";
    appendQuoted(text, tag);
    text.append(", ");
    appendTo(text, stmt.value);
    text.push_back(')');
    if (isLast) {
        const std::string& name = names_.define(var.get(), var->name, "v");
        line(base::concat(name, " = ", text));
        return printBody(stmt.body);
    }
    names_.pushFrame();
    const std::string& name = names_.define(var.get(), var->name, "v");
    line(base::concat("with ", text, " as ", name, ":"));
    ++indent_;
    printBody(stmt.body);
    --indent_;
    names_.popFrame();
}

void ScriptPrinter::printAttrStmt(const AttrStmtNode& stmt, bool isLast) {
    if (const AttrValue::List* list = stmt.node.asList();
        list && list->size() == 2 &&
        (stmt.key == "thread_extent" || stmt.key == "virtual_thread")) {
        const Expr* expr = (*list)[0].asExpr();
        const std::string* tag = (*list)[1].asString();
        if (expr && tag && !names_.find(expr->get()))
            return printLaunchThread(stmt, refAs<VarNode>(*expr), *tag, isLast);
    }
    std::string text = "with T.attr(";
    std::string key;
    appendQuoted(key, stmt.key);
    if (stmt.node.asInt() && *stmt.node.asInt() == 0) {
        text.append("{").append(key).append(": ");
        appendTo(text, stmt.value);
        text.append("}):");
    } else {
        appendAttr(text, stmt.node);
        text.append(", ").append(key).append(", ");
        appendTo(text, stmt.value);
        text.append("):");
    }
    line(text);
    printNested(stmt.body);
}

void ScriptPrinter::printAlloc(const AllocBufferNode& alloc) {
    const BufferNode& buffer = *alloc.buffer;
    std::string text = names_.define(&buffer, buffer.name, "buffer");
    const bool isShort = buffer.scope == "local" || buffer.scope == "shared";
    text.append(" = T.alloc_").append(isShort ? buffer.scope : "buffer").push_back('(');
    appendBufferDeclaration(text, buffer, nullptr, !isShort);
    if (!alloc.annotations.empty()) {
        text.append(", annotations=");
        appendDict(text, alloc.annotations);
    }
    line(text.append(")"));
}

void ScriptPrinter::appendBufferDeclaration(std::string& out, const BufferNode& buffer,
                                            const Expr* data, bool withScope) {
    appendTuple(out, buffer.shape);
    if (buffer.dtype != DataType::f(32)) {
        out.append(", ");
        appendQuoted(out, toString(buffer.dtype));
    }
    if (data) {
        out.append(", data=");
        appendTo(out, *data);
    }
    std::string options;
    appendBufferOptions(options, buffer);
    if (!withScope) {
        // The function's name says the scope.
        std::string scope = ", scope=";
        appendQuoted(scope, buffer.scope);
        if (const auto at = options.find(scope); at != std::string::npos)
            options.erase(at, scope.size());
    }
    out.append(options);
}

void ScriptPrinter::appendBufferOptions(std::string& out, const BufferNode& buffer) {
    const std::string name = *names_.find(&buffer);
    if (!buffer.strides.empty()) {
        out.append(", strides=(");
        for (std::size_t i = 0; i < buffer.strides.size(); ++i) {
            if (i != 0)
                out.append(", ");
            const auto* var = as<VarNode>(buffer.strides[i]);
            if (var && !names_.find(var)) {
                names_.defineText(var, base::concat(name, ".strides[", i, "]"));
                appendQuoted(out, var->name);
            } else {
                appendTo(out, buffer.strides[i]);
            }
        }
        out.append(buffer.strides.size() == 1 ? ",)" : ")");
    }
    bool needsFactor = buffer.offsetFactor != 1;
    if (buffer.elemOffset && !isZero(buffer.elemOffset)) {
        const auto* var = as<VarNode>(buffer.elemOffset);
        if (var && !names_.find(var)) {
            names_.defineText(var, base::concat(name, ".elem_offset"));
            needsFactor = true;
        } else {
            out.append(", elem_offset=");
            appendTo(out, buffer.elemOffset);
        }
    }
    if (buffer.scope != "global" && !buffer.scope.empty()) {
        out.append(", scope=");
        appendQuoted(out, buffer.scope);
    }
    if (buffer.dataAlignment != 64)
        out.append(base::concat(", align=", buffer.dataAlignment));
    if (needsFactor)
        out.append(base::concat(", offset_factor=", buffer.offsetFactor));
    if (!buffer.axisSeparators.empty()) {
        out.append(", axis_separators=[").append(base::join(buffer.axisSeparators, ", "));
        out.push_back(']');
    }
}

void ScriptPrinter::defineFree(const VarNode* var) {
    const std::string& name = names_.define(var, var->name, "v");
    if (isFragment_)
        return;
    std::string type;
    appendVarType(type, *var);
    line(base::concat(name, " = ", type, type.ends_with(')') ? "" : "()"));
}

void ScriptPrinter::defineFree(const BufferNode* buffer) {
    const std::string name = names_.define(buffer, buffer->name, "buffer");
    if (isFragment_)
        return;
    std::string text = base::concat(name, " = T.Buffer(");
    appendBufferDeclaration(text, *buffer, nullptr);
    line(text.append(")"));
}

} // namespace tilewright::ir
