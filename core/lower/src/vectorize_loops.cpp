// SPDX-License-Identifier: Apache-2.0
#include "index_rewriter.h"
#include "lane_mask.h"
#include "loop_scope.h"
#include "passes.h"

#include <algorithm>
#include <numeric>

namespace tilewright::lower {

using namespace tilewright::ir;

namespace {

/// Thrown inside this file where a statement has no vector form; the lanes then run one by one.
struct NotVectorizable {};

/// Rewrites statements so that one run does the work of all lanes.
class LaneExpander {
public:
    /// Only the first `active` lanes do work.
    LaneExpander(IndexSimplifier& indices, Var lane, int lanes, int active)
        : indices_(indices), lane_(std::move(lane)), lanes_(lanes) {
        if (active < lanes)
            mask_ = firstLanes(active, lanes);
    }

    Stmt statement(const Stmt& stmt) {
        switch (stmt->kind()) {
        case NodeKind::BufferStore:
            return store(*as<BufferStoreNode>(stmt));
        case NodeKind::SeqStmt: {
            std::vector<Stmt> seq;
            for (const Stmt& child : as<SeqStmtNode>(stmt)->seq)
                seq.push_back(statement(child));
            return makeSeq(std::move(seq));
        }
        case NodeKind::For:
            return loop(*as<ForNode>(stmt));
        case NodeKind::IfThenElse:
            return branch(*as<IfThenElseNode>(stmt));
        case NodeKind::AttrStmt: {
            const auto* attr = as<AttrStmtNode>(stmt);
            return Stmt(
                new AttrStmtNode(attr->node, attr->key, attr->value, statement(attr->body)));
        }
        case NodeKind::Evaluate:
            if (isNoOp(stmt))
                return stmt;
            throw NotVectorizable{};
        default:
            throw NotVectorizable{};
        }
    }

private:
    static bool isVector(const Expr& expr) { return expr->dtype.lanes > 1; }
    Expr wide(const Expr& expr) const {
        return isVector(expr) ? expr : makeBroadcast(expr, lanes_);
    }

    Expr index(const Expr& expr) {
        const IndexForm form = indices_.form(expr);
        if (!form.uses(lane_.get()))
            return indices_.toExpr(form, expr->dtype);
        if (form.usesNonlinearly(lane_.get()))
            return structure(indices_.toExpr(form, expr->dtype));
        IndexForm base = form;
        const std::int64_t stride = form.coefficientOf(lane_.get());
        IndexSimplifier::addTerm(base, lane_, -stride);
        return makeRamp(indices_.toExpr(base, expr->dtype), makeInt(stride, expr->dtype), lanes_);
    }

    Expr value(const Expr& expr) {
        if (expr->dtype.lanes > 1 || expr->dtype.scalable)
            throw NotVectorizable{};
        return isIndexExpr(expr) ? index(expr) : structure(expr);
    }

    Expr structure(const Expr& expr) {
        switch (expr->kind()) {
        case NodeKind::Var: {
            if (expr == Expr(lane_))
                return makeRamp(makeInt(0, expr->dtype), makeInt(1, expr->dtype), lanes_);
            const auto it = bound_.find(as<VarNode>(expr));
            return it == bound_.end() ? expr : it->second;
        }
        case NodeKind::IntImm:
        case NodeKind::FloatImm:
        case NodeKind::StringImm:
            return expr;
        case NodeKind::Cast: {
            const Expr inner = value(as<CastNode>(expr)->value);
            return cast(expr->dtype.withLanes(inner->dtype.lanes), inner);
        }
        case NodeKind::Not: {
            const Expr inner = value(as<NotNode>(expr)->a);
            return isVector(inner) ? Expr(new NotNode(inner->dtype, inner)) : logicalNot(inner);
        }
        case NodeKind::Select: {
            const auto* node = as<SelectNode>(expr);
            return select(value(node->condition), value(node->trueValue), value(node->falseValue));
        }
        case NodeKind::BufferLoad:
            return load(*as<BufferLoadNode>(expr));
        case NodeKind::Call:
            return call(*as<CallNode>(expr));
        case NodeKind::Let: {
            const auto* node = as<LetNode>(expr);
            const Expr bound = value(node->value);
            const Var var = isVector(bound)
                                ? makeVar(node->var->name, node->var->dtype.withLanes(lanes_))
                                : node->var;
            bound_[node->var.get()] = var;
            const Expr body = value(node->body);
            return makeLet(var, bound, body);
        }
        default:
            break;
        }
        if (const auto* node = as<BinaryNode>(expr))
            return binary(expr->kind(), value(node->a), value(node->b));
        throw NotVectorizable{};
    }

    Expr binary(NodeKind kind, const Expr& a, const Expr& b) const {
        if (!isVector(a) && !isVector(b))
            return foldBinary(kind, a, b);
        return makeBinary(kind, wide(a), wide(b));
    }
    Expr select(const Expr& condition, const Expr& yes, const Expr& no) const {
        if (!isVector(condition) && !isVector(yes) && !isVector(no))
            return makeSelect(condition, yes, no);
        return makeSelect(wide(condition), wide(yes), wide(no));
    }
    Expr conjunction(const Expr& a, const Expr& b) const {
        return a ? binary(NodeKind::And, a, b) : b;
    }

    Expr load(const BufferLoadNode& node) {
        if (node.indices.size() != 1 || node.predicate)
            throw NotVectorizable{};
        const Expr at = value(node.indices[0]);
        if (!isVector(at))
            return makeLoad(node.buffer, {at});
        return makeLoad(node.buffer, {at}, mask_ ? wide(mask_) : nullptr);
    }

    Expr call(const CallNode& node) {
        if (node.op == Op::IfThenElse) {
            const Expr condition = value(node.args[0]);
            if (!isVector(condition)) {
                const Expr yes = value(node.args[1]);
                const Expr no = value(node.args[2]);
                if (!isVector(yes) && !isVector(no))
                    return makeCall(yes->dtype, node.op, {condition, yes, no});
                return makeCall(node.dtype.withLanes(lanes_), node.op,
                                {condition, wide(yes), wide(no)});
            }
            const Expr outer = mask_;
            mask_ = conjunction(outer, condition);
            const Expr yes = value(node.args[1]);
            mask_ = conjunction(outer, Expr(new NotNode(condition->dtype, condition)));
            const Expr no = value(node.args[2]);
            mask_ = outer;
            return select(condition, yes, no);
        }
        if (purity(node.op) != Purity::Pure)
            throw NotVectorizable{};
        std::vector<Expr> args;
        bool vector = false;
        for (const Expr& arg : node.args) {
            args.push_back(value(arg));
            vector = vector || isVector(args.back());
        }
        if (!vector)
            return makeCall(node.dtype, node.op, std::move(args), node.callee);
        if (node.op == Op::CallPureExtern || node.op == Op::CallLlvmPureIntrin ||
            node.op == Op::Unknown || node.op == Op::AddressOf || node.op == Op::BufferData)
            throw NotVectorizable{};
        for (Expr& arg : args)
            arg = wide(arg);
        return makeCall(node.dtype.withLanes(lanes_), node.op, std::move(args), node.callee);
    }

    Stmt store(const BufferStoreNode& node) {
        if (node.indices.size() != 1 || node.predicate)
            throw NotVectorizable{};
        const Expr at = value(node.indices[0]);
        const Expr stored = value(node.value);
        if (!isVector(at)) {
            if (isVector(stored) || mask_ || readsBuffer(stored, node.buffer.get()))
                throw NotVectorizable{};
            return makeStore(node.buffer, stored, {at});
        }
        return makeStore(node.buffer, wide(stored), {at}, mask_ ? wide(mask_) : nullptr);
    }

    static bool readsBuffer(const Expr& expr, const BufferNode* buffer) {
        bool found = false;
        walk(expr, [&](const Node& n) {
            found = found || (n.kind() == NodeKind::BufferLoad &&
                              static_cast<const BufferLoadNode&>(n).buffer.get() == buffer);
            return !found;
        });
        return found;
    }

    Stmt loop(const ForNode& node) {
        const Expr extent = value(node.extent);
        if (isVector(extent))
            throw NotVectorizable{};
        const LoopScope scope(indices_, node);
        const Stmt body = statement(node.body);
        const ForKind kind = node.forKind == ForKind::Unrolled ? node.forKind : ForKind::Serial;
        return makeFor(node.loopVar, node.min, extent, kind, body, node.annotations);
    }

    /// True when both ends of the lanes satisfying the condition means that all do.
    static bool isConvex(const Expr& condition) {
        const auto* node = as<BinaryNode>(condition);
        if (!node)
            return false;
        switch (node->kind()) {
        case NodeKind::And:
            return isConvex(node->a) && isConvex(node->b);
        case NodeKind::LT:
        case NodeKind::LE:
        case NodeKind::GT:
        case NodeKind::GE:
            return isIndexExpr(node->a) && isIndexExpr(node->b);
        default:
            return false;
        }
    }
    Expr atLane(const Expr& condition, std::int64_t lane) {
        return ir::substitute(indexed(condition), {{lane_.get(), makeInt(lane, lane_->dtype)}});
    }
    /// The scalar condition with outer definitions put in.
    Expr indexed(const Expr& condition) {
        if (const auto* node = as<BinaryNode>(condition)) {
            if (node->kind() == NodeKind::And)
                return logicalAnd(indexed(node->a), indexed(node->b));
            return foldBinary(node->kind(), indices_.toExpr(indices_.form(node->a), node->a->dtype),
                              indices_.toExpr(indices_.form(node->b), node->b->dtype));
        }
        return condition;
    }

    Stmt branch(const IfThenElseNode& node) {
        if (const auto known = indices_.prove(node.condition)) {
            if (*known)
                return statement(node.thenCase);
            return node.elseCase ? statement(node.elseCase) : makeNoOp();
        }
        const Expr condition = value(node.condition);
        if (!isVector(condition))
            return makeIf(condition, statement(node.thenCase),
                          node.elseCase ? statement(node.elseCase) : nullptr);
        const Expr outer = mask_;
        mask_ = conjunction(outer, condition);
        Stmt masked = statement(node.thenCase);
        if (node.elseCase) {
            mask_ = conjunction(outer, Expr(new NotNode(condition->dtype, condition)));
            masked = makeSeq({masked, statement(node.elseCase)});
        }
        mask_ = outer;
        if (!isConvex(node.condition))
            return masked;
        // Most iterations have all lanes inside: keep those free of masks.
        const Expr all = logicalAnd(atLane(node.condition, 0), atLane(node.condition, lanes_ - 1));
        return makeIf(all, statement(node.thenCase), masked);
    }

    IndexSimplifier& indices_;
    Var lane_;
    int lanes_;
    Expr mask_;
    VarMap bound_;
};

class LoopVectorizer final : public IndexRewriter {
public:
    explicit LoopVectorizer(const LowerOptions& options) : options_(options) {}

protected:
    using IndexRewriter::rewriteNode;
    Stmt rewriteNode(const ForNode& node) override {
        if (node.forKind != ForKind::Vectorized) {
            const bool serial = node.forKind == ForKind::Serial;
            if (serial)
                serialLoops_.push_back(&node);
            const Stmt result = IndexRewriter::rewriteNode(node);
            if (serial)
                serialLoops_.pop_back();
            return result;
        }
        const auto extent = constInt(node.extent);
        if (!extent || containsVectorLoop(node.body) || !isZero(node.min))
            return IndexRewriter::rewriteNode(
                *edited(Ref<ForNode>(&node), [](ForNode& n) { n.forKind = ForKind::Serial; }));
        return vectorize(node, *extent);
    }

private:
    static bool containsVectorLoop(const Stmt& body) {
        bool found = false;
        walk(body, [&](const Node& n) {
            found = found || (n.kind() == NodeKind::For &&
                              static_cast<const ForNode&>(n).forKind == ForKind::Vectorized);
            return !found;
        });
        return found;
    }

    /// Widest element that the loop stores or loads, in bits.
    static int elementBits(const Stmt& body) {
        int bits = 8;
        walk(body, [&](const Node& n) {
            if (n.kind() == NodeKind::BufferLoad)
                bits = std::max<int>(bits, static_cast<const BufferLoadNode&>(n).dtype.bits);
            if (n.kind() == NodeKind::BufferStore)
                bits =
                    std::max<int>(bits, static_cast<const BufferStoreNode&>(n).buffer->dtype.bits);
            return true;
        });
        return bits;
    }

    /// Length of the runs of iterations within which every index is linear.
    std::int64_t linearRun(const ForNode& node, std::int64_t extent) {
        std::int64_t run = extent;
        const LoopScope scope(indices_, node);
        walk(node.body, [&](const Node& n) {
            if (n.kind() != NodeKind::FloorDiv && n.kind() != NodeKind::FloorMod)
                return true;
            const auto& division = static_cast<const BinaryNode&>(n);
            const auto divisor = constInt(division.b);
            if (!divisor || !isIndexExpr(division.a))
                return true;
            const std::int64_t k = indices_.form(division.a).coefficientOf(node.loopVar.get());
            if (k != 0)
                run = std::gcd(run, *divisor / std::gcd(std::abs(k), *divisor));
            return true;
        });
        // Runs of one or two lanes gain nothing over gathers.
        return run < 3 && extent > 3 ? extent : run;
    }

    /// True when a loop around or inside adds to the same vectors again and again: they stay in
    /// registers, and masked memory is paid for once a reduction instead of once an element.
    bool accumulates(const Stmt& body) const {
        std::vector<const ForNode*> loops = serialLoops_;
        walk(body, [&](const Node& n) {
            if (n.kind() == NodeKind::For)
                loops.push_back(static_cast<const ForNode*>(&n));
            return StmtNode::classof(n.kind());
        });
        bool found = false;
        walk(body, [&](const Node& n) {
            if (n.kind() != NodeKind::BufferStore)
                return !found;
            const auto& store = static_cast<const BufferStoreNode&>(n);
            bool reads = false;
            walk(store.value, [&](const Node& v) {
                reads = reads || (v.kind() == NodeKind::BufferLoad &&
                                  static_cast<const BufferLoadNode&>(v).buffer == store.buffer);
                return !reads;
            });
            found = found || (reads && std::any_of(loops.begin(), loops.end(), [&](auto* loop) {
                                  return !usesVar(store.indices[0], loop->loopVar.get());
                              }));
            return !found;
        });
        return found;
    }

    Stmt vectorize(const ForNode& node, std::int64_t extent) {
        const std::int64_t run = linearRun(node, extent);
        const int native = std::max(1, options_.vectorBits / elementBits(node.body));
        const DataType type = node.loopVar->dtype;
        const Var outer = makeVar(node.loopVar->name + "_run", type);
        const bool runs = run < extent;
        if (runs)
            indices_.bind(outer, {0, extent / run - 1});
        std::vector<Stmt> pieces;
        std::int64_t done = 0;
        const bool masks = options_.maskedMemory && accumulates(node.body);
        for (std::int64_t lanes = native; done < run; lanes /= 2) {
            const std::int64_t rest = run - done;
            const bool tail = masks && rest < lanes && rest > lanes / 2;
            const std::int64_t count = tail ? 1 : rest / lanes;
            if (count == 0)
                continue;
            IndexForm start;
            start.constant = done;
            if (runs)
                IndexSimplifier::addTerm(start, outer, run);
            pieces.push_back(chunks(node, start, count, static_cast<int>(lanes),
                                    static_cast<int>(tail ? rest : lanes)));
            done += tail ? rest : count * lanes;
        }
        Stmt result = makeSeq(std::move(pieces));
        if (!runs)
            return result;
        indices_.unbind(outer.get());
        return makeFor(outer, makeInt(0, type), makeInt(extent / run, type), ForKind::Unrolled,
                       result);
    }

    /// `count` chunks of `lanes` iterations each, from `start` on.
    Stmt chunks(const ForNode& node, IndexForm start, std::int64_t count, int lanes, int active) {
        const DataType type = node.loopVar->dtype;
        const Var chunk = makeVar(node.loopVar->name + "_chunk", type);
        const Var lane = makeVar(node.loopVar->name, type);
        if (count > 1) {
            indices_.bind(chunk, {0, count - 1});
            IndexSimplifier::addTerm(start, chunk, lanes);
        }
        Stmt body = lanesOf(node, std::move(start), lane, lanes, active);
        if (count == 1)
            return body;
        indices_.unbind(chunk.get());
        return makeFor(chunk, makeInt(0, type), makeInt(count, type), ForKind::Unrolled, body);
    }

    Stmt lanesOf(const ForNode& node, IndexForm start, const Var& lane, int lanes, int active) {
        const DataType type = node.loopVar->dtype;
        if (lanes > 1) {
            indices_.bind(lane, {0, lanes - 1});
            IndexSimplifier::addTerm(start, lane, 1);
        }
        indices_.define(node.loopVar, std::move(start));
        Stmt result;
        if (lanes > 1) {
            try {
                result = LaneExpander(indices_, lane, lanes, active).statement(node.body);
            } catch (const NotVectorizable&) {
                result = makeFor(lane, makeInt(0, type), makeInt(active, type), ForKind::Serial,
                                 rewrite(node.body));
            }
            indices_.unbind(lane.get());
        } else {
            result = rewrite(node.body);
        }
        indices_.unbind(node.loopVar.get());
        return result;
    }

    LowerOptions options_;
    std::vector<const ForNode*> serialLoops_;
};

} // namespace

Stmt vectorizeLoops(const Stmt& body, const LowerOptions& options) {
    return LoopVectorizer(options).rewrite(body);
}

} // namespace tilewright::lower
