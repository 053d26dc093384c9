// SPDX-License-Identifier: Apache-2.0
// Functions and modules of TVMScript; the entry points of printer.h.
#include "literal_text.h"
#include "script_printer.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/visit.h>

#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::ir {

namespace {

bool containsRealize(const Stmt& stmt) {
    bool found = false;
    walk(stmt, [&](const Node& node) {
        found = found || node.kind() == NodeKind::BlockRealize;
        return !found;
    });
    return found;
}

/// True when the parser would put this very root block back.
bool isImplicitRoot(const BlockRealizeNode& realize) {
    const BlockNode& block = *realize.block;
    if (!block.iterVars.empty() || !isOne(realize.predicate) || !block.annotations.empty() ||
        !block.matchBuffers.empty() || !block.reads.empty() || !block.writes.empty() ||
        block.init || block.name != "root")
        return false;
    if (!block.allocBuffers.empty())
        return true;
    if (const auto* inner = as<BlockRealizeNode>(block.body))
        return !inner->block->iterVars.empty();
    return containsRealize(block.body);
}

bool isTrue(const AttrValue* value) {
    return value && value->toInt(0) != 0;
}

std::string header(bool withModule, bool withTypeVars) {
    std::string text;
    if (withTypeVars)
        text.append("# from typing import TypeVar\n");
    if (withModule)
        text.append("# from tvm.script import ir as I\n");
    text.append("# from tvm.script import tirx as T\n# from tvm.tirx.layout import Axis\n\n");
    return text;
}

std::string withHeader(ScriptPrinter& printer, bool withModule) {
    std::string text = header(withModule, !printer.typeVars().empty());
    for (const std::string& name : printer.typeVars())
        text.append(name).append(" = TypeVar(\"").append(name).append("\")\n");
    return text.append(printer.take());
}

} // namespace

std::string ScriptPrinter::take() {
    if (out_.ends_with('\n'))
        out_.pop_back();
    return std::move(out_);
}

void ScriptPrinter::printModule(const Module& module) {
    inModule_ = true;
    names_.reserve("Module");
    line("@I.ir_module");
    line("class Module:");
    ++indent_;
    if (!module.attrs.empty()) {
        std::string dict;
        appendDict(dict, module.attrs);
        line(base::concat("I.module_attrs(", dict, ")"));
    }
    std::vector<Module::Entry> functions = module.functions();
    std::stable_sort(functions.begin(), functions.end(), [](const auto& a, const auto& b) {
        const bool aIsMain = a.first == "main";
        const bool bIsMain = b.first == "main";
        return aIsMain != bIsMain ? bIsMain : a.first < b.first;
    });
    for (std::size_t i = 0; i < functions.size(); ++i) {
        if (i != 0)
            out_.push_back('\n');
        printFunction(functions[i].second, functions[i].first);
    }
    if (functions.empty() && module.attrs.empty())
        line("pass");
    --indent_;
}

/// Shape entries over variables not bound yet are quoted; free int64 ones become type variables.
void ScriptPrinter::appendParamShape(std::string& out, const BufferNode& buffer,
                                     const std::unordered_set<const VarNode*>& laterParams) {
    out.push_back('(');
    for (std::size_t i = 0; i < buffer.shape.size(); ++i) {
        if (i != 0)
            out.append(", ");
        const Expr& extent = buffer.shape[i];
        bool isBound = true;
        for (const Var& var : collectVars(extent)) {
            if (names_.find(var.get()))
                continue;
            const bool isTypeVar =
                var->dtype == DataType::i(64) && !laterParams.contains(var.get());
            const std::string& name = names_.define(var.get(), var->name, "v");
            if (isTypeVar)
                typeVars_.insert(name);
            isBound = isBound && isTypeVar && var.get() == extent.get();
        }
        std::string text;
        appendTo(text, extent);
        if (isBound)
            out.append(text);
        else
            appendQuoted(out, text);
    }
    out.append(buffer.shape.size() == 1 ? ",)" : ")");
}

void ScriptPrinter::printParams(std::string& text, const PrimFuncNode& function) {
    std::unordered_set<const VarNode*> scalars;
    for (const Param& param : function.params) {
        if (!param.buffer)
            scalars.insert(param.var.get());
    }
    for (std::size_t i = 0; i < function.params.size(); ++i) {
        const Param& param = function.params[i];
        if (i != 0)
            text.append(", ");
        if (!param.buffer) {
            const std::string* known = names_.find(param.var.get());
            text.append(known ? *known : names_.define(param.var.get(), param.var->name, "v"));
            text.append(": ");
            appendVarType(text, *param.var);
            continue;
        }
        const BufferNode& buffer = *param.buffer;
        text.append(names_.define(&buffer, buffer.name, "buffer")).append(": T.Buffer(");
        appendParamShape(text, buffer, scalars);
        text.append(", ");
        appendQuoted(text, toString(buffer.dtype));
        appendBufferOptions(text, buffer);
        text.push_back(')');
    }
}

void ScriptPrinter::printFunctionAttrs(const PrimFuncNode& function, const std::string& name) {
    Annotations shown = function.attrs;
    const AttrValue* symbol = shown.find("global_symbol");
    if (symbol && symbol->asString() && *symbol->asString() == name)
        shown.erase("global_symbol");
    shown.erase("s_tir");
    if (shown.empty())
        return;
    std::string text = "T.func_attr({";
    bool first = true;
    for (const auto& [key, value] : shown) {
        if (!first)
            text.append(", ");
        first = false;
        appendQuoted(text, key);
        text.append(": ");
        const bool isTarget = key == "target" && value.asDict();
        if (isTarget)
            text.append("T.target(");
        appendAttr(text, value);
        if (isTarget)
            text.push_back(')');
    }
    line(text.append("})"));
}

void ScriptPrinter::printFunction(const PrimFunc& function, const std::string& name) {
    names_.pushFrame();
    const bool isPrivate = !function->attrs.contains("global_symbol");
    const bool isSchedulable = isTrue(function->attrs.find("s_tir"));
    std::string options = isPrivate ? "private=True" : "";
    if (isSchedulable)
        options.append(isPrivate ? ", s_tir=True" : "s_tir=True");
    line(options.empty() ? "@T.prim_func" : base::concat("@T.prim_func(", options, ")"));
    std::string signature = base::concat("def ", name, "(");
    printParams(signature, *function);
    signature.push_back(')');
    if (!function->returnType.isVoid())
        signature.append(" -> T.").append(toString(function->returnType));
    line(signature.append(":"));
    ++indent_;
    printFunctionAttrs(*function, name);
    printFunctionBody(*function, isSchedulable);
    --indent_;
    names_.popFrame();
}

void ScriptPrinter::printFunctionBody(const PrimFuncNode& function, bool isSchedulable) {
    // Variables of quoted shapes that are neither parameters nor type variables.
    std::string names;
    std::string types;
    std::unordered_set<const VarNode*> seen;
    for (const Param& param : function.params) {
        if (!param.buffer)
            seen.insert(param.var.get());
    }
    for (const Param& param : function.params) {
        if (!param.buffer)
            continue;
        for (const Expr& extent : param.buffer->shape) {
            for (const Var& var : collectVars(extent)) {
                if (!seen.insert(var.get()).second || typeVars_.contains(*names_.find(var.get())))
                    continue;
                const char* separator = names.empty() ? "" : ", ";
                names.append(separator).append(*names_.find(var.get()));
                types.append(separator).append("T.").append(toString(var->dtype)).append("()");
            }
        }
    }
    if (!names.empty())
        line(base::concat(names, " = ", types));
    const auto* realize = as<BlockRealizeNode>(function.body);
    if (realize && isSchedulable && isImplicitRoot(*realize)) {
        line("# with T.sblock(\"root\"):");
        printBlockContents(*realize->block);
    } else {
        printBody(function.body);
    }
}

std::string print(const Module& module) {
    ScriptPrinter printer(false);
    printer.printModule(module);
    return withHeader(printer, true);
}

std::string print(const PrimFunc& function, std::string_view name) {
    ScriptPrinter printer(false);
    const AttrValue* symbol = function->attrs.find("global_symbol");
    printer.printFunction(function,
                          symbol && symbol->asString() ? *symbol->asString() : std::string(name));
    return withHeader(printer, false);
}

std::string print(const Stmt& stmt) {
    ScriptPrinter printer(true);
    printer.printStmt(stmt);
    return printer.take();
}

std::string print(const Expr& expr) {
    ScriptPrinter printer(true);
    std::string out;
    printer.appendExpr(out, expr);
    return out;
}

std::string print(const BufferRegion& region) {
    ScriptPrinter printer(true);
    std::string out;
    printer.appendRegion(out, region.buffer, region.region);
    return out;
}

std::string print(const AttrValue& value) {
    ScriptPrinter printer(true);
    std::string out;
    printer.appendAttr(out, value);
    return out;
}

} // namespace tilewright::ir
