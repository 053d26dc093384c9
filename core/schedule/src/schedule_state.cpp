// SPDX-License-Identifier: Apache-2.0
#include <tilewright/schedule/schedule_state.h>

#include "statement_walk.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>

#include <algorithm>

namespace tilewright::schedule {

using ir::as;
using ir::BlockNode;
using ir::BlockRealizeNode;
using ir::ForNode;
using ir::Stmt;
using ir::StmtNode;

// ---- BlockScope

int BlockScope::position(SrefId block) const {
    const auto it = std::find(children.begin(), children.end(), block);
    return it == children.end() ? -1 : static_cast<int>(it - children.begin());
}

namespace {

std::vector<SrefId> pick(const std::vector<SrefId>& children, const std::vector<int>& positions) {
    std::vector<SrefId> result;
    result.reserve(positions.size());
    for (const int position : positions)
        result.push_back(children[static_cast<std::size_t>(position)]);
    return result;
}

} // namespace

std::vector<SrefId> BlockScope::producers(SrefId block) const {
    const int at = position(block);
    return at < 0 ? std::vector<SrefId>{} : pick(children, graph.producers(at));
}

std::vector<SrefId> BlockScope::consumers(SrefId block) const {
    const int at = position(block);
    return at < 0 ? std::vector<SrefId>{} : pick(children, graph.consumers(at));
}

// ---- construction

ScheduleState::ScheduleState(ir::Module module) : module_(std::move(module)) {
    for (const auto& [name, function] : module_.functions()) {
        const auto* realize = as<BlockRealizeNode>(function->body);
        if (!realize || !realize->block->iterVars.empty())
            continue;
        const SrefId root = addEntry(realize->block.get(), SrefId());
        entries_[static_cast<std::size_t>(root.value)].function =
            static_cast<std::int32_t>(roots_.size());
        entries_[static_cast<std::size_t>(root.value)].realize = realize;
        roots_.push_back({name, root});
        addTree(realize->block->body, root);
        refreshFlags(root);
        // Copies of a fresh state are many: they share what is found here.
        settleFlags();
    }
}

void ScheduleState::addTree(const Stmt& stmt, SrefId parent) {
    forEachEntry(stmt, [&](const StmtNode* node, const BlockRealizeNode* realize) {
        const SrefId id = addEntry(node, parent);
        entries_[static_cast<std::size_t>(id.value)].realize = realize;
        addTree(bodyOf(node), id);
    });
}

SrefId ScheduleState::addEntry(const StmtNode* node, SrefId parent) {
    const SrefId id(static_cast<std::int32_t>(entries_.size()));
    Entry entry;
    entry.node = node;
    entry.parent = parent;
    entries_.push_back(entry);
    index_.insert(node, id);
    return id;
}

// ---- looking things up

bool ScheduleState::expired(SrefId id) const {
    return !id.valid() || static_cast<std::size_t>(id.value) >= entries_.size() ||
           entries_[static_cast<std::size_t>(id.value)].node == nullptr;
}

const StmtNode* ScheduleState::stmt(SrefId id) const {
    TW_CHECK(!expired(id)) << "an expired loop or block: " << id.value;
    return entries_[static_cast<std::size_t>(id.value)].node;
}

bool ScheduleState::isLoop(SrefId id) const {
    return stmt(id)->kind() == ir::NodeKind::For;
}

const ForNode* ScheduleState::loop(SrefId id) const {
    const auto* node = as<ForNode>(stmt(id));
    TW_CHECK(node) << "a block where a loop is expected";
    return node;
}

const BlockNode* ScheduleState::block(SrefId id) const {
    const auto* node = as<BlockNode>(stmt(id));
    TW_CHECK(node) << "a loop where a block is expected";
    return node;
}

const BlockRealizeNode* ScheduleState::realize(SrefId id) const {
    TW_CHECK(isBlock(id));
    return entries_[static_cast<std::size_t>(id.value)].realize;
}

SrefId ScheduleState::parent(SrefId id) const {
    TW_CHECK(!expired(id));
    return entries_[static_cast<std::size_t>(id.value)].parent;
}

SrefId ScheduleState::find(const StmtNode* node) const {
    return index_.find(node);
}

SrefId ScheduleState::root(std::string_view function) const {
    for (const auto& root : roots_)
        if (root.function == function)
            return root.block;
    return SrefId();
}

SrefId ScheduleState::rootOf(SrefId id) const {
    while (parent(id).valid())
        id = parent(id);
    return id;
}

const std::string& ScheduleState::functionOf(SrefId id) const {
    const auto index = entries_[static_cast<std::size_t>(rootOf(id).value)].function;
    return roots_[static_cast<std::size_t>(index)].function;
}

ir::PrimFunc ScheduleState::functionNode(SrefId id) const {
    return module_.find(functionOf(id));
}

SrefId ScheduleState::parentBlock(SrefId id) const {
    for (id = parent(id); id.valid() && isLoop(id);)
        id = parent(id);
    return id;
}

Outcome<SrefId> ScheduleState::scopeRoot(SrefId id, bool requireStagePipeline) const {
    const SrefId scopeBlock = parentBlock(id);
    if (!scopeBlock.valid())
        return fail("RootBlockError", "The primitive does not operate on the root block",
                    {block(id)->name});
    if (requireStagePipeline && enableCheck_ && !stagePipeline(scopeBlock))
        return fail("NotStagePipelineError",
                    base::concat("The scope ", block(scopeBlock)->name, " is not a stage pipeline"),
                    {block(scopeBlock)->name});
    return scopeBlock;
}

std::vector<SrefId> ScheduleState::loopsAbove(SrefId id) const {
    std::vector<SrefId> loops;
    for (id = parent(id); id.valid() && isLoop(id); id = parent(id))
        loops.push_back(id);
    std::reverse(loops.begin(), loops.end());
    return loops;
}

bool ScheduleState::isAncestor(SrefId ancestor, SrefId id) const {
    for (id = parent(id); id.valid(); id = parent(id))
        if (id == ancestor)
            return true;
    return false;
}

SrefId ScheduleState::lowestCommonAncestor(std::span<const SrefId> ids) const {
    TW_CHECK(!ids.empty());
    SrefId common = ids[0];
    for (const SrefId id : ids.subspan(1))
        while (common.valid() && common != id && !isAncestor(common, id))
            common = parent(common);
    return common;
}

std::vector<SrefId> ScheduleState::childBlocks(SrefId id) const {
    std::vector<SrefId> result;
    forEachChildBlock(bodyOf(stmt(id)), [&](const BlockRealizeNode* child) {
        result.push_back(find(child->block.get()));
    });
    return result;
}

std::vector<SrefId> ScheduleState::children(SrefId id) const {
    std::vector<SrefId> result;
    forEachEntry(bodyOf(stmt(id)), [&](const StmtNode* node, const BlockRealizeNode*) {
        result.push_back(find(node));
    });
    return result;
}

std::vector<SrefId> ScheduleState::blocksNamed(std::string_view name,
                                               std::string_view function) const {
    std::vector<SrefId> result;
    const SrefId top = root(function);
    if (!top.valid())
        return result;
    const auto search = [&](auto&& self, const BlockNode* node, SrefId id) -> void {
        if (node->name == name)
            result.push_back(id);
        forEachChildBlock(node->body, [&](const BlockRealizeNode* child) {
            self(self, child->block.get(), find(child->block.get()));
        });
    };
    search(search, block(top), top);
    return result;
}

// ---- facts about blocks

const BlockScope& ScheduleState::scope(SrefId scopeBlock) const {
    for (const auto& [id, kept] : scopes_)
        if (id == scopeBlock)
            return *kept;
    auto made = std::make_shared<BlockScope>();
    std::vector<const BlockNode*> nodes;
    forEachChildBlock(block(scopeBlock)->body, [&](const BlockRealizeNode* child) {
        nodes.push_back(child->block.get());
        made->children.push_back(find(child->block.get()));
    });
    made->graph = analysis::DependenceGraph(nodes);
    scopes_.emplace_back(scopeBlock, std::move(made));
    return *scopes_.back().second;
}

void ScheduleState::forgetScope(SrefId id) const {
    std::erase_if(scopes_, [&](const auto& kept) { return kept.first == id; });
}

std::vector<SrefId> ScheduleState::producers(SrefId id) const {
    return scope(parentBlock(id)).producers(id);
}

std::vector<SrefId> ScheduleState::consumers(SrefId id) const {
    return scope(parentBlock(id)).consumers(id);
}

// ---- the index

std::size_t ScheduleState::Index::home(const void* key) const {
    const auto bits = reinterpret_cast<std::uintptr_t>(key) >> 4;
    return (bits * 0x9e3779b97f4a7c15ULL >> 32) & (slots_.size() - 1);
}

SrefId ScheduleState::Index::find(const void* key) const {
    if (slots_.empty())
        return SrefId();
    for (std::size_t i = home(key); slots_[i].key; i = (i + 1) & (slots_.size() - 1))
        if (slots_[i].key == key)
            return slots_[i].id;
    return SrefId();
}

void ScheduleState::Index::grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 64 : old.size() * 2, Slot{});
    used_ = 0;
    for (const Slot& slot : old)
        if (slot.key)
            insert(slot.key, slot.id);
}

void ScheduleState::Index::insert(const void* key, SrefId id) {
    if (slots_.empty() || used_ * 2 >= slots_.size())
        grow();
    std::size_t i = home(key);
    while (slots_[i].key && slots_[i].key != key)
        i = (i + 1) & (slots_.size() - 1);
    used_ += slots_[i].key ? 0 : 1;
    slots_[i] = {key, id};
}

void ScheduleState::Index::erase(const void* key) {
    if (slots_.empty())
        return;
    const std::size_t mask = slots_.size() - 1;
    std::size_t hole = home(key);
    while (slots_[hole].key != key) {
        if (!slots_[hole].key)
            return;
        hole = (hole + 1) & mask;
    }
    --used_;
    // Later entries of the same run move up, so that no search ends early at the hole.
    for (std::size_t i = (hole + 1) & mask; slots_[i].key; i = (i + 1) & mask) {
        const std::size_t wanted = home(slots_[i].key);
        if (((i - wanted) & mask) >= ((i - hole) & mask)) {
            slots_[hole] = slots_[i];
            hole = i;
        }
    }
    slots_[hole] = Slot{};
}

} // namespace tilewright::schedule
