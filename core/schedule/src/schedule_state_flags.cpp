// SPDX-License-Identifier: Apache-2.0

// The cached facts about blocks: affine binding, region cover, stage pipeline.

#include "pending_flags.h"

#include <tilewright/analysis/scope_analysis.h>
#include <tilewright/arith/analyzer.h>
#include <tilewright/base/check.h>

namespace tilewright::schedule {

using ir::BlockRealizeNode;
using ir::ForNode;

namespace {

constexpr std::uint8_t kAffine = 1;
constexpr std::uint8_t kCover = 2;
constexpr std::uint8_t kPipeline = 4;

} // namespace

const ScheduleState::PendingItem* ScheduleState::PendingFlags::find(SrefId id) const {
    for (const PendingItem& item : items)
        if (item.id == id)
            return &item;
    return nullptr;
}

std::vector<const ScheduleState::PendingItem*>
ScheduleState::PendingFlags::childrenOf(const PendingItem& scope) const {
    const int position = static_cast<int>(&scope - items.data());
    std::vector<const PendingItem*> children;
    for (const PendingItem& item : items)
        if (item.scope == position)
            children.push_back(&item);
    return children;
}

BlockFlags ScheduleState::flags(SrefId id) const {
    TW_CHECK(isBlock(id));
    settle(id, kAffine | kCover | kPipeline);
    return entries_[static_cast<std::size_t>(id.value)].flags;
}

bool ScheduleState::affineBinding(SrefId id) const {
    TW_CHECK(isBlock(id));
    settle(id, kAffine);
    return entries_[static_cast<std::size_t>(id.value)].flags.affineBinding;
}

bool ScheduleState::regionCover(SrefId id) const {
    TW_CHECK(isBlock(id));
    settle(id, kCover);
    return entries_[static_cast<std::size_t>(id.value)].flags.regionCover;
}

bool ScheduleState::stagePipeline(SrefId id) const {
    TW_CHECK(isBlock(id));
    settle(id, kPipeline);
    return entries_[static_cast<std::size_t>(id.value)].flags.stagePipeline;
}

void ScheduleState::setFlags(SrefId id, BlockFlags flags) {
    TW_CHECK(isBlock(id));
    Entry& entry = entries_[static_cast<std::size_t>(id.value)];
    entry.flags = flags;
    entry.pending = 0;
}

void ScheduleState::refreshAffineBinding(SrefId id) {
    arith::Analyzer analyzer;
    std::vector<const ForNode*> loops;
    for (const SrefId loopId : loopsAbove(id))
        loops.push_back(loop(loopId));
    Entry& entry = entries_[static_cast<std::size_t>(id.value)];
    entry.flags.affineBinding = analysis::isAffineBinding(*realize(id), loops, analyzer);
    entry.pending &= static_cast<std::uint8_t>(~kAffine);
}

void ScheduleState::refreshFlags(SrefId id) {
    if (pending_) {
        // What waits for blocks that are not refreshed now must not be lost.
        for (const auto& item : pending_->items)
            if (!expired(item.id) && item.id != id && !isAncestor(id, item.id))
                settle(item.id, kAffine | kCover | kPipeline);
    }
    auto pending = std::make_shared<PendingFlags>();
    pending->module = module_;
    PendingItem top;
    top.id = id;
    top.realize = realize(id);
    for (const SrefId loopId : loopsAbove(id))
        top.loops.push_back(loop(loopId));
    pending->items.push_back(std::move(top));
    for (std::size_t scope = 0; scope < pending->items.size(); ++scope) {
        const BlockRealizeNode* around = pending->items[scope].realize;
        for (auto& child : analysis::collectChildren(around->block->body)) {
            PendingItem item;
            item.id = find(&child.block());
            item.scope = static_cast<int>(scope);
            item.realize = child.realize;
            item.loops = std::move(child.loops);
            pending->items.push_back(std::move(item));
        }
    }
    for (const auto& item : pending->items)
        entries_[static_cast<std::size_t>(item.id.value)].pending = kAffine | kCover | kPipeline;
    Entry& entry = entries_[static_cast<std::size_t>(id.value)];
    entry.flags.regionCover = true;
    entry.pending &= static_cast<std::uint8_t>(~kCover);
    pending_ = std::move(pending);
}

void ScheduleState::settleFlags() {
    if (!pending_)
        return;
    for (const auto& item : pending_->items)
        if (!expired(item.id))
            settle(item.id, kAffine | kCover | kPipeline);
    pending_ = nullptr;
}

void ScheduleState::settle(SrefId id, std::uint8_t wanted) const {
    const Entry& entry = entries_[static_cast<std::size_t>(id.value)];
    const std::uint8_t missing = entry.pending & wanted;
    if (missing == 0)
        return;
    const PendingItem* item = pending_->find(id);
    TW_CHECK(item) << "flags wait for a block that was not refreshed";
    if (missing & kAffine) {
        arith::Analyzer analyzer;
        entry.flags.affineBinding =
            entry.function >= 0 ? item->realize->block->iterVars.empty()
                                : analysis::isAffineBinding(*item->realize, item->loops, analyzer);
        entry.pending &= static_cast<std::uint8_t>(~kAffine);
    }
    if (missing & kPipeline)
        settleScope(*item);
    if (missing & kCover)
        settleCover(*item);
}

void ScheduleState::settleCover(const PendingItem& item) const {
    const Entry& entry = entries_[static_cast<std::size_t>(item.id.value)];
    if ((entry.pending & kCover) == 0)
        return; // the pipeline of its own scope has settled it
    const PendingItem& scope = pending_->items[static_cast<std::size_t>(item.scope)];
    const auto items = pending_->childrenOf(scope);
    std::vector<analysis::ScopeChild> children;
    children.reserve(items.size());
    std::size_t index = 0;
    for (const auto* sibling : items) {
        if (sibling->id == item.id)
            index = children.size();
        children.push_back({sibling->realize, sibling->loops});
    }
    arith::Analyzer analyzer;
    entry.flags.regionCover = analysis::isRegionCovered(children, index, analyzer);
    entry.pending &= static_cast<std::uint8_t>(~kCover);
}

void ScheduleState::settleScope(const PendingItem& scope) const {
    const auto items = pending_->childrenOf(scope);
    std::vector<analysis::ScopeChild> children;
    children.reserve(items.size());
    for (const auto* item : items)
        children.push_back({item->realize, item->loops});
    arith::Analyzer analyzer;
    const auto facts = analysis::analyzeScope(children, analyzer);
    const auto put = [this](SrefId id, std::uint8_t flag, auto&& set) {
        const Entry& entry = entries_[static_cast<std::size_t>(id.value)];
        if (entry.pending & flag)
            set(entry.flags);
        entry.pending &= static_cast<std::uint8_t>(~flag);
    };
    put(scope.id, kPipeline, [&](BlockFlags& f) { f.stagePipeline = facts.stagePipeline; });
    for (std::size_t i = 0; i < items.size(); ++i)
        put(items[i]->id, kCover,
            [&](BlockFlags& f) { f.regionCover = facts.regionCover[i] != 0; });
}

} // namespace tilewright::schedule
