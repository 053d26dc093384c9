// SPDX-License-Identifier: Apache-2.0
#include "index_rewriter.h"
#include "passes.h"

#include <tilewright/ir/make.h>

#include <algorithm>

namespace tilewright::lower {

using namespace tilewright::ir;

namespace {

constexpr std::string_view kMaxStep = "pragma_auto_unroll_max_step";
constexpr std::string_view kExplicit = "pragma_unroll_explicit";

/// Stores and evaluations that a statement runs, each loop in it counted once.
std::int64_t countSteps(const Stmt& stmt) {
    std::int64_t steps = 0;
    walk(stmt, [&](const Node& n) {
        steps += n.kind() == NodeKind::BufferStore || n.kind() == NodeKind::Evaluate;
        return StmtNode::classof(n.kind());
    });
    return steps;
}

bool isExpanded(Op op) {
    return op >= Op::Exp && op <= Op::Pow && op != Op::Sqrt && op != Op::Rsqrt;
}

/// Rough amount of code: a step is 1, an elementary function in it 16 more (they are inline).
std::int64_t countCode(const Stmt& stmt) {
    std::int64_t size = countSteps(stmt);
    walk(stmt, [&](const Node& n) {
        if (n.kind() == NodeKind::Call)
            size += isExpanded(static_cast<const CallNode&>(n).op) ? 16 : 1;
        return true;
    });
    return size;
}

bool hasVectors(const Stmt& stmt) {
    bool found = false;
    walk(stmt, [&](const Node& n) {
        found = found ||
                (ExprNode::classof(n.kind()) && static_cast<const ExprNode&>(n).dtype.lanes > 1);
        return !found;
    });
    return found;
}

bool containsLoop(const Stmt& stmt) {
    bool found = false;
    walk(stmt, [&](const Node& n) {
        found = found || n.kind() == NodeKind::For || n.kind() == NodeKind::While;
        return !found && StmtNode::classof(n.kind());
    });
    return found;
}

class Unroller final : public IndexRewriter {
public:
    explicit Unroller(const LowerOptions& options) : options_(options) {}

protected:
    using IndexRewriter::rewriteNode;
    Stmt rewriteNode(const AttrStmtNode& node) override {
        const std::int64_t saved = maxStep_;
        const bool pragma = node.key == kMaxStep || node.key == kExplicit;
        if (node.key == kMaxStep)
            maxStep_ = constInt(node.value).value_or(0);
        Stmt result = pragma ? rewrite(node.body) : IndexRewriter::rewriteNode(node);
        maxStep_ = saved;
        return result;
    }
    Stmt rewriteNode(const ForNode& node) override {
        const std::int64_t saved = maxStep_;
        if (const AttrValue* value = node.annotations.find(kMaxStep))
            maxStep_ = value->toInt(0);
        Stmt result = unrolled(node);
        maxStep_ = saved;
        return result;
    }

private:
    /// Loops this short cost more to run as loops than as straight code, asked for or not.
    static constexpr std::int64_t kShortLoop = 16;
    static constexpr std::int64_t kShortSteps = 32;
    /// Annotations count a vector of any width as one step and may ask for hundreds; beyond this a
    /// longer body only costs compile time and instruction cache.
    static constexpr std::int64_t kMostSteps = 64;
    static constexpr std::int64_t kShortReduction = 8;

    /// Reductions in registers keep their loop: as straight code, what they load would look
    /// invariant to the loops around, and hoisting it would take the registers. Scalar code keeps
    /// loops for LLVM's vectoriser to find.
    std::int64_t stepLimit(const ForNode& loop) const {
        bool inRegisters = false;
        walk(loop.body, [&](const Node& n) {
            inRegisters =
                inRegisters || (n.kind() == NodeKind::BufferStore &&
                                static_cast<const BufferStoreNode&>(n).buffer->scope == "register");
            return !inRegisters;
        });
        const std::int64_t extent = *constInt(loop.extent);
        if (inRegisters && hasVectors(loop.body))
            return extent <= kShortReduction ? kMostSteps : 0;
        const std::int64_t most = hasVectors(loop.body) ? kMostSteps : kShortSteps;
        return std::max(std::min(maxStep_, most), extent <= kShortLoop ? kShortSteps : 0);
    }

    Stmt unrolled(const ForNode& node) {
        const auto extent = constInt(node.extent);
        const bool candidate =
            extent &&
            (node.forKind == ForKind::Unrolled ||
             (node.forKind == ForKind::Serial && (maxStep_ > 0 || *extent <= kShortLoop)));
        if (!candidate)
            return isUnit(node) ? replicate(node, 1) : IndexRewriter::rewriteNode(node);
        const Stmt rolled = IndexRewriter::rewriteNode(node);
        const auto* loop = as<ForNode>(rolled);
        if (!loop)
            return rolled;
        const std::int64_t steps = countSteps(loop->body) * *extent;
        if (countCode(loop->body) * *extent > options_.unrollLimit)
            return partial(serial(*loop), *extent);
        if (loop->forKind == ForKind::Unrolled || *extent == 1)
            return replicate(*loop, *extent);
        if (steps <= stepLimit(*loop) && !containsLoop(loop->body))
            return replicate(*loop, *extent);
        return partial(rolled, *extent);
    }

    /// A few copies of a tiny vector body: the loop's own instructions then hardly count, and more
    /// of the work ahead is in the core's view. Scalar bodies are left to LLVM's vectoriser.
    Stmt partial(const Stmt& rolled, std::int64_t extent) {
        const auto* loop = as<ForNode>(rolled);
        const std::int64_t code = countCode(loop->body);
        if (loop->forKind != ForKind::Serial || code * 2 > kShortSteps ||
            containsLoop(loop->body) || !hasVectors(loop->body))
            return rolled;
        std::int64_t factor = std::min<std::int64_t>(8, kShortSteps / code);
        while (extent % factor != 0)
            --factor;
        if (factor < 2)
            return rolled;
        const DataType type = loop->loopVar->dtype;
        const Var outer = makeVar(loop->loopVar->name, type);
        indices_.bind(outer, {0, extent / factor - 1});
        std::vector<Stmt> seq;
        for (std::int64_t i = 0; i < factor; ++i) {
            IndexForm value;
            value.constant = i;
            IndexSimplifier::addTerm(value, outer, factor);
            indices_.define(loop->loopVar, value);
            seq.push_back(rewrite(loop->body));
        }
        indices_.unbind(loop->loopVar.get());
        indices_.unbind(outer.get());
        return makeFor(outer, makeInt(0, type), makeInt(extent / factor, type), ForKind::Serial,
                       makeSeq(std::move(seq)), loop->annotations);
    }
    static bool isUnit(const ForNode& node) {
        return isOne(node.extent) && node.forKind != ForKind::ThreadBinding;
    }
    static Stmt serial(const ForNode& loop) {
        return edited(&loop, [](ForNode& n) { n.forKind = ForKind::Serial; });
    }

    LowerOptions options_;
    std::int64_t maxStep_ = 0;
};

} // namespace

Stmt unrollLoops(const Stmt& body, const LowerOptions& options) {
    return Unroller(options).rewrite(body);
}

} // namespace tilewright::lower
