// SPDX-License-Identifier: Apache-2.0
#include "primitives/reverse_compute_inline.h"

#include "primitives/block_checks.h"
#include "primitives/block_inliner.h"
#include "primitives/cache_stage.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/expr_equal.h>
#include <tilewright/arith/int_set.h>
#include <tilewright/arith/iter_affine_map.h>
#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::schedule {
namespace {

/// The one buffer that the block reads and the scope writes.
Outcome<ir::Buffer> singleInput(const ScheduleState& state, SrefId block, SrefId scope) {
    const analysis::BufferWriters writers = writersIn(state, scope);
    ir::Buffer found;
    for (const auto& read : state.block(block)->reads) {
        if (read.buffer == found || writers.count(read.buffer.get()) == 0)
            continue;
        if (found)
            return fail("NotSingleReadWriteBuffer",
                        "The block is allowed to read only a single buffer region",
                        {state.block(block)->name});
        found = read.buffer;
    }
    if (found)
        return found;
    return fail("NotSingleReadWriteBuffer",
                "The block is allowed to read only a single buffer region that its scope writes",
                {state.block(block)->name});
}

/// Innermost blocks that write the buffer.
void collectProducers(const ScheduleState& state, SrefId scope, const ir::Buffer& buffer,
                      std::vector<SrefId>& found) {
    for (const SrefId child : state.childBlocks(scope)) {
        const std::size_t before = found.size();
        collectProducers(state, child, buffer, found);
        if (found.size() == before && findRegion(state.block(child)->writes, buffer))
            found.push_back(child);
    }
}

Outcome<SrefId> singleProducer(const ScheduleState& state, SrefId consumer, SrefId scope,
                               const ir::Buffer& buffer) {
    std::vector<SrefId> producers;
    collectProducers(state, scope, buffer, producers);
    if (producers.size() == 1 && checkComplete(state, producers[0], scope))
        return producers[0];
    return fail(
        "NonSingleProducerError",
        "The consumer block to be inlined is required to have only a single producer block, "
        "and the producer block should be a complete block who has only a single consumer",
        {state.block(consumer)->name});
}

/// Replaces the producer's store by the consumer's.
class ConsumerInliner final : public BlockInliner {
public:
    ConsumerInliner(ir::Buffer inlined, const ir::BlockNode* scope, const ir::BlockNode* producer,
                    const ir::BlockNode* consumer)
        : BlockInliner(std::move(inlined), scope), producer_(producer), consumer_(consumer) {}

    Outcome<void> analyze(const ir::BlockRealizeNode& consumerRealize) {
        if (!ir::isOne(consumerRealize.predicate))
            return bodyNotInlinable(*consumer_, "it has a predicate");
        store_ = ir::as<ir::BufferStoreNode>(consumer_->body);
        if (!store_)
            return bodyNotInlinable(*consumer_, "it is not a single store");
        std::vector<ir::Expr> indices;
        if (!commonLoadIndices(indices))
            return bodyNotInlinable(*consumer_, "its loads of the buffer have different indices");
        arith::Domain domain;
        for (const auto& iter : consumer_->iterVars) {
            domain.push_back({iter.var, iter.dom});
            if (ir::isOne(iter.dom.extent) && ir::constInt(iter.dom.min))
                values_[iter.var.get()] = iter.dom.min;
        }
        const arith::IterMapResult map = arith::detectIterMap(
            indices, domain, nullptr, arith::IterMapLevel::NoCheck, analyzer_, false);
        if (!map.ok() || map.indices.empty())
            return bodyNotInlinable(*consumer_, "its load indices are no affine map");
        const ir::BufferStoreNode* producerStore = storeOf(producer_->body);
        if (!producerStore)
            return bodyNotInlinable(*producer_, "it is not a single store");
        for (auto& [var, expr] : arith::inverseAffineIterMap(map.indices, producerStore->indices))
            values_[var] = expr;
        if (!producerCovers())
            return bodyNotInlinable(*producer_,
                                    "it does not cover what the consumer iterates over");
        return {};
    }

protected:
    using BlockInliner::rewriteNode;

    ir::Stmt rewriteNode(const ir::BlockRealizeNode& realize) override {
        const ir::Stmt after = BlockInliner::rewriteNode(realize);
        if (realize.block.get() != producer_)
            return after;
        const auto* inlined = ir::as<ir::BlockRealizeNode>(after);
        ir::Block block = inlined->block;
        ir::Expr predicate = consumerPredicate(*inlined);
        if (const auto* branch = ir::as<ir::IfThenElseNode>(block->body)) {
            const auto constraint = analyzer_.withConstraint(predicate);
            const ir::Expr condition = analyzer_.simplify(branch->condition);
            if (!arith::exprEqual(predicate, condition))
                predicate = analyzer_.simplify(ir::logicalAnd(predicate, branch->condition));
            const ir::Stmt body = branch->thenCase;
            const ir::BlockNode* old = block.get();
            block = ir::edited(block, [&](ir::BlockNode& node) { node.body = body; });
            renameReuse(old, block.get());
        }
        return ir::makeBlockRealize(inlined->iterValues, predicate, block);
    }
    ir::Stmt rewriteNode(const ir::BufferStoreNode& store) override {
        if (store.buffer != inlined_)
            return Rewriter::rewriteNode(store);
        return StoreSubstitution(*this, rewrite(store.value)).rewrite(ir::Stmt(store_));
    }

private:
    /// The consumer's store in terms of the producer.
    class StoreSubstitution final : public ir::Rewriter {
    public:
        StoreSubstitution(const ConsumerInliner& inliner, ir::Expr value)
            : inliner_(inliner), value_(std::move(value)) {}
        using ir::Rewriter::rewrite;

    protected:
        using ir::Rewriter::rewriteNode;
        ir::Expr rewriteNode(const ir::VarNode& var) override {
            const auto at = inliner_.values_.find(&var);
            return at == inliner_.values_.end() ? ir::Expr(&var) : at->second;
        }
        ir::Expr rewriteNode(const ir::BufferLoadNode& load) override {
            return load.buffer == inliner_.inlined_ ? value_ : Rewriter::rewriteNode(load);
        }

    private:
        const ConsumerInliner& inliner_;
        ir::Expr value_;
    };

    bool commonLoadIndices(std::vector<ir::Expr>& indices) {
        bool any = false;
        bool same = true;
        ir::walk(ir::Stmt(store_), [&](const ir::Node& node) {
            if (node.kind() != ir::NodeKind::BufferLoad)
                return true;
            const auto& load = static_cast<const ir::BufferLoadNode&>(node);
            if (load.buffer != inlined_)
                return true;
            if (any)
                same = same && std::equal(indices.begin(), indices.end(), load.indices.begin(),
                                          load.indices.end(), arith::exprEqual);
            else
                indices = load.indices;
            any = true;
            return true;
        });
        return any && same;
    }

    [[nodiscard]] const ir::BufferStoreNode* storeOf(const ir::Stmt& body) const {
        if (const auto* branch = ir::as<ir::IfThenElseNode>(body))
            return branch->elseCase ? nullptr : ir::as<ir::BufferStoreNode>(branch->thenCase);
        if (!producer_->annotations.contains("auto_copy"))
            return ir::as<ir::BufferStoreNode>(body);
        ir::Stmt at = body;
        while (const auto* loop = ir::as<ir::ForNode>(at))
            at = loop->body;
        return ir::as<ir::BufferStoreNode>(at);
    }

    arith::SetDomain producerDomain() const {
        arith::SetDomain domain;
        for (const auto& iter : producer_->iterVars)
            domain.push_back({iter.var, arith::IntSet::fromRange(iter.dom)});
        ir::Stmt at = producer_->body;
        while (const auto* loop = ir::as<ir::ForNode>(at)) {
            domain.push_back(
                {loop->loopVar, arith::IntSet::fromMinExtent(loop->min, loop->extent)});
            at = loop->body;
        }
        return domain;
    }

    bool producerCovers() {
        const arith::SetDomain domain = producerDomain();
        for (const auto& iter : consumer_->iterVars) {
            const auto at = values_.find(iter.var.get());
            if (at == values_.end())
                return false;
            const arith::IntSet set = arith::evalSet(at->second, domain, analyzer_);
            if (!set.isBounded())
                continue;
            const ir::Expr last =
                iter.dom.min + iter.dom.extent - ir::makeInt(1, iter.dom.extent->dtype);
            if (analyzer_.canProve(ir::greater(set.min(), iter.dom.min)) ||
                analyzer_.canProve(ir::less(set.max(), last)))
                return false;
        }
        return true;
    }

    /// The producer's predicate with the consumer's iteration domain, where that is smaller.
    ir::Expr consumerPredicate(const ir::BlockRealizeNode& realize) {
        ir::VarMap bindings;
        for (std::size_t i = 0; i < producer_->iterVars.size(); ++i) {
            const ir::IterVar& iter = producer_->iterVars[i];
            bindings.emplace(iter.var.get(), realize.iterValues[i]);
            analyzer_.bind(iter.var, iter.dom, true);
        }
        ir::Expr predicate = ir::makeBool(true);
        for (const auto& iter : consumer_->iterVars) {
            const ir::Expr& value = values_.at(iter.var.get());
            predicate = ir::logicalAnd(predicate, ir::greaterEqual(value, iter.dom.min));
            predicate = ir::logicalAnd(predicate, ir::less(value, iter.dom.min + iter.dom.extent));
        }
        predicate = analyzer_.simplify(predicate);
        if (ir::isOne(predicate))
            return realize.predicate;
        return analyzer_.simplify(
            ir::logicalAnd(realize.predicate, ir::substitute(predicate, bindings)));
    }

    void renameReuse(const ir::BlockNode* from, const ir::BlockNode* to) {
        renamed_.emplace_back(from, to);
    }

public:
    /// Reuse pairs with the blocks whose `if` moved into the predicate.
    [[nodiscard]] BlockReuse finalReuse() const {
        BlockReuse result = reuse();
        for (auto& [old, now] : result)
            for (const auto& [from, to] : renamed_)
                if (now == from)
                    now = to;
        return result;
    }

private:
    const ir::BlockNode* producer_;
    const ir::BlockNode* consumer_;
    const ir::BufferStoreNode* store_ = nullptr;
    ir::VarMap values_;
    arith::Analyzer analyzer_;
    std::vector<std::pair<const ir::BlockNode*, const ir::BlockNode*>> renamed_;
};

} // namespace

Outcome<void> reverseComputeInline(ScheduleState& state, SrefId blockId, bool checkOnly) {
    const ir::Block block(state.block(blockId));
    TW_TRY(checkNoInit(*block));
    TW_ASSIGN(const SrefId scope, state.scopeRoot(blockId, true));
    TW_ASSIGN(const ir::Buffer buffer, singleInput(state, blockId, scope));
    TW_TRY(checkComplete(state, blockId, scope));
    TW_ASSIGN(const SrefId producer, singleProducer(state, blockId, scope, buffer));
    TW_TRY(checkNotOutput(state, producer, scope));
    ConsumerInliner inliner(buffer, state.block(scope), state.block(producer), block.get());
    TW_TRY(inliner.analyze(*state.realize(blockId)));
    TW_ASSIGN(const LeafRemoval removal, planLeafRemoval(state, blockId));
    const ir::Stmt newScope = inliner.run(state, removal);
    if (inliner.hasOpaqueAccess())
        return opaqueAccess(buffer);
    if (checkOnly)
        return {};
    state.replace(scope, newScope, inliner.finalReuse());
    BlockFlags flags = state.flags(producer);
    flags.affineBinding = hasAffineBinding(state, producer);
    state.setFlags(producer, flags);
    return {};
}

} // namespace tilewright::schedule
