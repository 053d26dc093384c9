// SPDX-License-Identifier: Apache-2.0
#include "compiler.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/printer.h>

#include <tilewright/base/concat.h>

namespace tilewright::interp {

using ir::as;
using ir::NodeKind;

namespace {

void countIteration(Frame& frame) {
    if (frame.iterationsLeft < 0)
        return;
    if (frame.iterationsLeft-- == 0)
        throw base::UserError("interpreter-limit", "the run has more iterations than allowed");
}

} // namespace

StmtPtr Compiler::loop(const ir::Var& var, const ir::Expr& min, const ir::Expr& extent,
                       const ir::Expr& step, const ir::Stmt& body) {
    IntPtr first = ints(min);
    IntPtr count = ints(extent);
    IntPtr stride = step ? ints(step) : intCode([](Frame&, int) -> std::int64_t { return 1; });
    const auto slot = static_cast<std::size_t>(defineVar(var.get()));
    return stmtCode([first = std::move(first), count = std::move(count), stride = std::move(stride),
                     slot, code = stmt(body)](Frame& f) {
        const std::int64_t begin = first->eval(f, 0);
        const std::int64_t end = begin + count->eval(f, 0);
        const std::int64_t by = stride->eval(f, 0);
        if (by <= 0)
            throw base::UserError("interpreter-unsupported", "the step of a loop is positive");
        for (std::int64_t i = begin; i < end; i += by) {
            countIteration(f);
            f.ints[slot] = i;
            const Flow flow = code->exec(f);
            if (flow == Flow::Break)
                break;
            if (flow == Flow::Return)
                return flow;
        }
        return Flow::Next;
    });
}

StmtPtr Compiler::sequence(const std::vector<ir::Stmt>& stmts) {
    std::vector<StmtPtr> codes;
    for (const ir::Stmt& item : stmts)
        codes.push_back(stmt(item));
    return stmtCode([codes = std::move(codes)](Frame& f) {
        for (const StmtPtr& code : codes) {
            const Flow flow = code->exec(f);
            if (flow != Flow::Next)
                return flow;
        }
        return Flow::Next;
    });
}

StmtPtr Compiler::bind(const ir::Var& var, const ir::Expr& value) {
    if (value->dtype.isHandle()) {
        const auto* call = as<ir::CallNode>(value);
        if (call && call->op == ir::Op::BufferData)
            pointers_[var.get()] = as<ir::RegionAccessNode>(call->args.at(0))->buffer.get();
        return stmtCode([](Frame&) { return Flow::Next; });
    }
    const int lanes = std::max<int>(1, var->dtype.lanes);
    if (var->dtype.isFloating()) {
        RealPtr code = reals(value);
        const auto slot = static_cast<std::size_t>(defineVar(var.get()));
        return stmtCode([code = std::move(code), slot, lanes](Frame& f) {
            for (int lane = 0; lane < lanes; ++lane)
                f.reals[slot + static_cast<std::size_t>(lane)] = code->eval(f, lane);
            return Flow::Next;
        });
    }
    IntPtr code = ints(value);
    const auto slot = static_cast<std::size_t>(defineVar(var.get()));
    return stmtCode([code = std::move(code), slot, lanes](Frame& f) {
        for (int lane = 0; lane < lanes; ++lane)
            f.ints[slot + static_cast<std::size_t>(lane)] = code->eval(f, lane);
        return Flow::Next;
    });
}

StmtPtr Compiler::realize(const ir::BlockRealizeNode& node) {
    const ir::BlockNode& block = *node.block;
    std::vector<IntPtr> values;
    for (const ir::Expr& value : node.iterValues)
        values.push_back(ints(value));
    IntPtr predicate;
    if (!ir::isOne(node.predicate))
        predicate = ints(node.predicate);
    std::vector<std::size_t> slots;
    std::vector<std::pair<std::size_t, IntPtr>> reductions;
    for (const ir::IterVar& iter : block.iterVars)
        slots.push_back(static_cast<std::size_t>(defineVar(iter.var.get())));
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (block.iterVars[i].type == ir::IterType::CommReduce)
            reductions.emplace_back(slots[i], ints(block.iterVars[i].dom.min));
    }
    std::vector<Prepare> preparations;
    for (const ir::Buffer& buffer : block.allocBuffers)
        preparations.push_back(allocation(buffer));
    for (const ir::MatchBufferRegion& region : block.matchBuffers)
        preparations.push_back(match(region));
    StmtPtr init = block.init ? stmt(block.init) : nullptr;
    StmtPtr body = stmt(block.body);
    return stmtCode([values = std::move(values), predicate = std::move(predicate),
                     slots = std::move(slots), reductions = std::move(reductions),
                     preparations = std::move(preparations), init = std::move(init),
                     body = std::move(body)](Frame& f) {
        if (predicate && predicate->eval(f, 0) == 0)
            return Flow::Next;
        for (std::size_t i = 0; i < slots.size(); ++i)
            f.ints[slots[i]] = values[i]->eval(f, 0);
        for (const Prepare& prepare : preparations)
            prepare(f);
        if (init) {
            bool isFirst = true;
            for (const auto& [slot, min] : reductions)
                isFirst = isFirst && f.ints[slot] == min->eval(f, 0);
            if (isFirst)
                init->exec(f);
        }
        return body->exec(f);
    });
}

StmtPtr Compiler::stmt(const ir::Stmt& node) {
    switch (node->kind()) {
    case NodeKind::For: {
        const auto* item = as<ir::ForNode>(node);
        return loop(item->loopVar, item->min, item->extent, item->step, item->body);
    }
    case NodeKind::SeqStmt:
        return sequence(as<ir::SeqStmtNode>(node)->seq);
    case NodeKind::BufferStore:
        return store(*as<ir::BufferStoreNode>(node));
    case NodeKind::BlockRealize:
        return realize(*as<ir::BlockRealizeNode>(node));
    case NodeKind::IfThenElse: {
        const auto* item = as<ir::IfThenElseNode>(node);
        return stmtCode([condition = ints(item->condition), then = stmt(item->thenCase),
                         other = item->elseCase ? stmt(item->elseCase) : nullptr](Frame& f) {
            if (condition->eval(f, 0) != 0)
                return then->exec(f);
            return other ? other->exec(f) : Flow::Next;
        });
    }
    case NodeKind::While: {
        const auto* item = as<ir::WhileNode>(node);
        return stmtCode([condition = ints(item->condition), body = stmt(item->body)](Frame& f) {
            while (condition->eval(f, 0) != 0) {
                countIteration(f);
                const Flow flow = body->exec(f);
                if (flow == Flow::Break)
                    break;
                if (flow == Flow::Return)
                    return flow;
            }
            return Flow::Next;
        });
    }
    case NodeKind::Evaluate:
        return evaluate(as<ir::EvaluateNode>(node)->value);
    case NodeKind::AttrStmt: {
        const auto* item = as<ir::AttrStmtNode>(node);
        const ir::AttrValue::List* list = item->node.asList();
        const bool isThread = (item->key == "thread_extent" || item->key == "virtual_thread") &&
                              list && !list->empty() && list->front().asExpr();
        // Threads run one after the other.
        if (const auto* var = isThread ? as<ir::VarNode>(*list->front().asExpr()) : nullptr;
            var && !isDefined(var))
            return loop(ir::Var(var), ir::makeInt(0, item->value->dtype), item->value, nullptr,
                        item->body);
        return stmt(item->body);
    }
    case NodeKind::AssertStmt: {
        const auto* item = as<ir::AssertStmtNode>(node);
        std::string message = base::join(item->messageParts, "");
        return stmtCode([condition = ints(item->condition),
                         message = std::move(message)](Frame& f) {
            if (condition->eval(f, 0) == 0)
                throw base::UserError("assertion", base::concat("an assertion fails: ", message));
            return Flow::Next;
        });
    }
    case NodeKind::Bind:
        return bind(as<ir::BindNode>(node)->var, as<ir::BindNode>(node)->value);
    case NodeKind::AllocBuffer:
        return stmtCode([prepare = allocation(as<ir::AllocBufferNode>(node)->buffer)](Frame& f) {
            prepare(f);
            return Flow::Next;
        });
    case NodeKind::DeclBuffer: {
        const auto* item = as<ir::DeclBufferNode>(node);
        return stmtCode([prepare = alias(item->buffer, item->data)](Frame& f) {
            prepare(f);
            return Flow::Next;
        });
    }
    case NodeKind::Return:
        return stmtCode([](Frame&) { return Flow::Return; });
    case NodeKind::Break:
        return stmtCode([](Frame&) { return Flow::Break; });
    case NodeKind::Continue:
        return stmtCode([](Frame&) { return Flow::Continue; });
    default:
        unsupported("a block without its realize is not interpreted");
    }
}

} // namespace tilewright::interp
