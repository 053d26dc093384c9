// SPDX-License-Identifier: Apache-2.0
#include "primitives/compute_inline.h"

#include "primitives/block_checks.h"
#include "primitives/block_inliner.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/iter_affine_map.h>
#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::schedule {
namespace {

/// Replaces loads of the buffer by the stored value.
class ProducerInliner final : public BlockInliner {
public:
    using BlockInliner::BlockInliner;

    /// The body must be one store whose indices determine the iterators.
    Outcome<void> analyze(const ir::BlockNode& producer) {
        const auto* store = ir::as<ir::BufferStoreNode>(producer.body);
        if (!store)
            return bodyNotInlinable(producer, "it is not a single store");
        value_ = store->value;
        if (storesAtIterators(producer, *store)) {
            for (const auto& iter : producer.iterVars)
                indexVars_.push_back(iter.var);
            return {};
        }
        const bool scalar = store->indices.empty() && !producer.iterVars.empty();
        arith::Domain domain;
        for (const auto& iter : producer.iterVars)
            domain.push_back({iter.var, iter.dom});
        arith::Analyzer analyzer;
        const arith::IterMapResult map = arith::detectIterMap(
            store->indices, domain, nullptr, arith::IterMapLevel::Bijective, analyzer, false);
        const bool allUnit =
            std::all_of(producer.iterVars.begin(), producer.iterVars.end(), [](const auto& iter) {
                return ir::constInt(iter.dom.min) && ir::isOne(iter.dom.extent);
            });
        if (scalar ? !allUnit : !map.ok() || map.indices.empty())
            return bodyNotInlinable(
                producer, "its store indices are no bijective affine map of the iterators");
        std::vector<ir::Expr> placeholders;
        for (std::size_t i = 0; i < store->indices.size(); ++i) {
            indexVars_.push_back(ir::makeVar(base::concat("index", i), store->indices[i]->dtype));
            placeholders.push_back(indexVars_.back());
        }
        ir::VarMap inverse;
        if (!scalar)
            for (auto& [var, expr] : arith::inverseAffineIterMap(map.indices, placeholders))
                inverse[var] = expr;
        for (const auto& iter : producer.iterVars)
            if (ir::constInt(iter.dom.min) && ir::isOne(iter.dom.extent))
                inverse[iter.var.get()] = iter.dom.min;
        value_ = ir::substitute(value_, inverse);
        return {};
    }

protected:
    using BlockInliner::rewriteNode;
    ir::Expr rewriteNode(const ir::BufferLoadNode& load) override {
        const ir::Expr after = Rewriter::rewriteNode(load);
        if (load.buffer != inlined_)
            return after;
        const auto* inner = ir::as<ir::BufferLoadNode>(after);
        ir::VarMap values;
        for (std::size_t i = 0; i < indexVars_.size(); ++i)
            values.emplace(indexVars_[i].get(), inner->indices[i]);
        return ir::substitute(value_, values);
    }

private:
    /// Indices are the iterators in order; 0 is as good for an iterator over [0, 1).
    static bool storesAtIterators(const ir::BlockNode& block, const ir::BufferStoreNode& store) {
        if (block.iterVars.size() != store.indices.size())
            return false;
        for (std::size_t i = 0; i < store.indices.size(); ++i) {
            const ir::IterVar& iter = block.iterVars[i];
            const bool unit = ir::isZero(iter.dom.min) && ir::isOne(iter.dom.extent);
            if (store.indices[i].get() != iter.var.get() && !(unit && ir::isZero(store.indices[i])))
                return false;
        }
        return true;
    }

    ir::Expr value_;
    std::vector<ir::Var> indexVars_;
};

} // namespace

Outcome<void> computeInline(ScheduleState& state, SrefId blockId, bool checkOnly) {
    const ir::Block block(state.block(blockId));
    TW_TRY(checkNoInit(*block));
    if (block->writes.size() != 1)
        return fail("NotSingleReadWriteBuffer",
                    "The block is allowed to write only a single buffer region", {block->name});
    TW_ASSIGN(const SrefId scope, state.scopeRoot(blockId, true));
    TW_TRY(checkNotOutput(state, blockId, scope));
    TW_TRY(checkComplete(state, blockId, scope));
    const ir::Buffer buffer = block->writes[0].buffer;
    ProducerInliner inliner(buffer, state.block(scope));
    TW_TRY(inliner.analyze(*block));
    TW_ASSIGN(const LeafRemoval removal, planLeafRemoval(state, blockId));
    const ir::Stmt newScope = inliner.run(state, removal);
    if (inliner.hasOpaqueAccess())
        return opaqueAccess(buffer);
    if (!checkOnly)
        state.replace(scope, newScope, inliner.reuse());
    return {};
}

} // namespace tilewright::schedule
