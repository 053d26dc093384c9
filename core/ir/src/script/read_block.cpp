// SPDX-License-Identifier: Apache-2.0
// Loops and blocks of a script.
#include "access_detection.h"
#include "linear_form.h"
#include "script_nesting.h"
#include "script_reader.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/structural.h>

#include <tilewright/base/concat.h>

namespace tilewright::ir {

namespace {

using python::ExprKind;

struct LoopSpec {
    Expr min;
    Expr extent;
    ForKind kind = ForKind::Serial;
    std::string tag;
    Annotations annotations;
    Expr step;
};

std::optional<ForKind> loopKind(std::string_view name) {
    if (name == "range" || name == "serial" || name == "grid")
        return ForKind::Serial;
    if (name == "parallel")
        return ForKind::Parallel;
    if (name == "vectorized")
        return ForKind::Vectorized;
    if (name == "unroll")
        return ForKind::Unrolled;
    if (name == "thread_binding")
        return ForKind::ThreadBinding;
    return std::nullopt;
}

/// `high - low`; the n of `low + n` as it was written.
Expr extentFrom(const Expr& low, const Expr& high) {
    if (high->kind() == NodeKind::Add) {
        const auto& sum = static_cast<const BinaryNode&>(*high);
        if (structuralEqual(sum.a, low))
            return sum.b;
    }
    return sub(high, low);
}

} // namespace

void ScriptReader::readFor(const Statement& stmt) {
    const Tree& iterated = *stmt.value;
    const std::string name = calledName(iterated);
    const auto kind = loopKind(name);
    if (!kind)
        fail(iterated.position, "a loop runs over range, T.grid, T.serial, T.parallel, "
                                "T.vectorized, T.unroll or T.thread_binding");
    std::vector<LoopSpec> loops;
    if (name == "grid") {
        for (std::size_t i = 1; i < iterated.children.size(); ++i) {
            LoopSpec loop;
            const ScriptValue extent = eval(*iterated.children[i]);
            if (extent.kind == ValueKind::List && extent.items.size() == 2) {
                const auto [low, high] =
                    toPair(extent.items[0], extent.items[1], *iterated.children[i]);
                loop.min = low;
                loop.extent = sub(high, low);
            } else {
                loop.extent = toExpr(extent, *iterated.children[i]);
                loop.min = makeInt(0, loop.extent->dtype);
            }
            loops.push_back(std::move(loop));
        }
    } else {
        // range takes its step in the third place, the others by name.
        const Args args =
            name == "range" ? arguments(iterated, {"start", "stop", "step"})
            : *kind == ForKind::ThreadBinding
                ? arguments(iterated, {"start", "stop", "thread", "annotations", "step"})
                : arguments(iterated, {"start", "stop", "annotations", "step", "unroll"});
        if (!args[0])
            fail(iterated.position, "the extent is missing");
        LoopSpec loop;
        loop.kind = *kind;
        const Tree* stop = args[1];
        if (*kind == ForKind::ThreadBinding) {
            const Tree* tag = args[2];
            // `T.thread_binding(4, "threadIdx.x")`
            if (!tag && stop && stop->kind == ExprKind::String)
                std::swap(tag, stop);
            if (!tag)
                fail(iterated.position, "the thread of the binding is missing");
            loop.tag = evalString(*tag);
        }
        if (stop) {
            auto [low, high] = toPair(eval(*args[0]), eval(*stop), iterated);
            loop.extent = extentFrom(low, high);
            loop.min = cast(loop.extent->dtype, low);
        } else {
            loop.extent = evalExpr(*args[0]);
            loop.min = makeInt(0, loop.extent->dtype);
        }
        const bool isRange = name == "range";
        const std::size_t notes = *kind == ForKind::ThreadBinding ? 3 : 2;
        const std::size_t step = isRange ? 2 : notes + 1;
        if (!isRange && args[notes])
            loop.annotations = evalAnnotations(*args[notes]);
        if (args[step]) {
            const Expr value = evalExpr(*args[step]);
            if (!isOne(value))
                loop.step = cast(loop.extent->dtype, value);
        }
        if (!isRange && *kind != ForKind::ThreadBinding && args[4]) {
            const ScriptValue unroll = eval(*args[4]);
            if (unroll.kind == ValueKind::Bool && unroll.integer == 0)
                loop.annotations.set("disable_unroll", true);
            else
                loop.annotations.set("pragma_unroll", toAttr(unroll, *args[4]));
        }
        loops.push_back(std::move(loop));
    }
    std::vector<const Tree*> targets;
    if (stmt.target->kind == ExprKind::Tuple)
        targets.assign(stmt.target->children.begin(), stmt.target->children.end());
    else
        targets.push_back(stmt.target);
    if (targets.size() != loops.size())
        fail(stmt.position, base::concat(targets.size(), " names for ", loops.size(), " loops"));
    const Nesting nesting(*this, static_cast<int>(std::min<std::size_t>(loops.size(), 100000)));
    pushScope();
    std::vector<Var> vars;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (!loops[i].extent->dtype.isIntegral() || !loops[i].extent->dtype.isScalar())
            fail(iterated.position, "the extent of a loop is an integer");
        vars.push_back(makeVar(std::string(targets[i]->text), loops[i].extent->dtype));
        loopRanges_[vars[i].get()] = {loops[i].min, loops[i].extent};
        define(targets[i]->text, ScriptValue::ofExpr(vars[i]));
    }
    Stmt body = readSuite(stmt.body);
    popScope();
    for (std::size_t i = loops.size(); i-- > 0;) {
        loopRanges_.erase(vars[i].get());
        body = makeFor(vars[i], loops[i].min, loops[i].extent, loops[i].kind, std::move(body),
                       std::move(loops[i].annotations), std::move(loops[i].tag),
                       std::move(loops[i].step));
    }
    emit(body);
}

ScriptValue ScriptReader::addIterVar(const std::string& name, IterType type, Range dom,
                                     Expr binding) {
    if (binding) {
        if (!binding->dtype.isIntegral() || !binding->dtype.isScalar())
            fail(position_, "an iterator is bound to an integer");
        // The iterator has the type of its binding; constants in its domain follow.
        const DataType type2 = binding->dtype;
        if (constInt(dom.min))
            dom.min = cast(type2, dom.min);
        if (constInt(dom.extent))
            dom.extent = cast(type2, dom.extent);
    }
    const DataType varType = binding ? binding->dtype : dom.extent->dtype;
    const Var var = makeVar(name.empty() ? "v" : name, varType);
    block_->block->iterVars.push_back({std::move(dom), var, type});
    if (block_->isRealize) {
        if (!binding)
            fail(position_, "the binding of the iterator is missing");
        block_->iterValues.push_back(std::move(binding));
    }
    return ScriptValue::ofExpr(var);
}

std::vector<ScriptValue> ScriptReader::readAxis(const std::string& kind, const Tree& call,
                                                const std::vector<std::string>& names) {
    if (!block_)
        fail(call.position, "an axis stands outside of a block");
    std::vector<ScriptValue> out;
    if (kind == "remap") {
        const Args args = arguments(call, {"kinds", "bindings", "dtype"});
        if (!args[0] || !args[1])
            fail(call.position, "T.axis.remap takes kinds and bindings");
        const std::string kinds = evalString(*args[0]);
        const ScriptValue bindings = eval(*args[1]);
        if (bindings.kind != ValueKind::List || bindings.items.size() != kinds.size())
            fail(call.position, "there are as many kinds as bindings");
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const Expr binding = toExpr(bindings.items[i], *args[1]);
            const auto loop = loopRanges_.find(as<VarNode>(binding));
            if (loop == loopRanges_.end())
                fail(args[1]->position, "T.axis.remap binds loop variables only");
            if (kinds[i] != 'S' && kinds[i] != 'R')
                fail(args[0]->position, "the kinds are S and R");
            const std::string name = i < names.size() ? names[i] : std::string();
            out.push_back(addIterVar(name,
                                     kinds[i] == 'S' ? IterType::DataPar : IterType::CommReduce,
                                     loop->second, binding));
        }
        return out;
    }
    IterType type = IterType::DataPar;
    if (kind == "reduce" || kind == "R")
        type = IterType::CommReduce;
    else if (kind == "scan")
        type = IterType::Ordered;
    else if (kind == "opaque")
        type = IterType::Opaque;
    else if (kind != "spatial" && kind != "S")
        fail(call.position, base::concat("there is no T.axis.", kind,
                                         "; accepted are spatial, reduce, scan, opaque, remap"));
    const Args args = arguments(call, {"dom", "binding", "dtype"});
    if (!args[0])
        fail(call.position, "the domain of the axis is missing");
    const ScriptValue domain = eval(*args[0]);
    Range dom;
    if (domain.kind == ValueKind::List) {
        if (domain.items.size() != 2)
            fail(call.position, "a domain is an extent or (begin, end)");
        const auto [low, high] = toPair(domain.items[0], domain.items[1], *args[0]);
        dom = {low, difference(high, low)};
    } else {
        const Expr extent = toExpr(domain, *args[0]);
        dom = {makeInt(0, extent->dtype), extent};
    }
    out.push_back(addIterVar(names.empty() ? std::string() : names[0], type, std::move(dom),
                             args[1] ? evalExpr(*args[1]) : Expr()));
    return out;
}

void ScriptReader::readBlock(const Statement& stmt, const Tree& call) {
    const Nesting nesting(*this, 2);
    const Args args = arguments(call, {"name", "no_realize", "exec_scope"});
    auto* node = new BlockNode();
    const Block block(node);
    BlockFrame frame;
    frame.block = node;
    frame.predicate = makeBool(true);
    frame.isRealize = !(args[1] && evalBool(*args[1]));
    if (args[0])
        node->name = evalString(*args[0]);
    BlockFrame* outer = std::exchange(block_, &frame);
    node->body = readSuite(stmt.body);
    block_ = outer;
    position_ = stmt.position;
    if (!frame.hasReads || !frame.hasWrites) {
        DetectedAccesses accesses = detectAccesses(*node);
        if (!frame.hasReads)
            node->reads = std::move(accesses.reads);
        if (!frame.hasWrites)
            node->writes = std::move(accesses.writes);
        detected_[node] = {!frame.hasReads, !frame.hasWrites, accesses.isOpaque};
    }
    if (frame.isRealize)
        emit(makeBlockRealize(std::move(frame.iterValues), frame.predicate, block));
    else
        emit(block);
}

} // namespace tilewright::ir
