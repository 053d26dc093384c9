// SPDX-License-Identifier: Apache-2.0
#include <tilewright/schedule/schedule_state.h>

#include "statement_walk.h"

#include <tilewright/base/check.h>
#include <tilewright/ir/make.h>

#include <algorithm>

namespace tilewright::schedule {

using ir::as;
using ir::Block;
using ir::BlockNode;
using ir::BlockRealizeNode;
using ir::ForNode;
using ir::Stmt;
using ir::StmtNode;

namespace {

/// `body` with the statement (or block inside a realize) `oldSlot` replaced; `body` itself when it
/// does not occur. Does not enter loops and blocks.
Stmt withChild(const Stmt& body, const StmtNode* oldSlot, const Stmt& newSlot) {
    if (!body)
        return body;
    if (body.get() == oldSlot)
        return newSlot;
    switch (body->kind()) {
    case ir::NodeKind::BlockRealize: {
        const auto* realize = static_cast<const BlockRealizeNode*>(body.get());
        if (realize->block.get() != oldSlot)
            return body;
        return ir::makeBlockRealize(realize->iterValues, realize->predicate,
                                    ir::refAs<BlockNode>(newSlot));
    }
    case ir::NodeKind::SeqStmt: {
        const auto& seq = static_cast<const ir::SeqStmtNode*>(body.get())->seq;
        for (std::size_t i = 0; i < seq.size(); ++i) {
            Stmt changed = withChild(seq[i], oldSlot, newSlot);
            if (changed == seq[i])
                continue;
            std::vector<Stmt> copy = seq;
            copy[i] = std::move(changed);
            return ir::makeSeq(std::move(copy));
        }
        return body;
    }
    case ir::NodeKind::IfThenElse: {
        const auto* branch = static_cast<const ir::IfThenElseNode*>(body.get());
        const Stmt thenCase = withChild(branch->thenCase, oldSlot, newSlot);
        const Stmt elseCase = withChild(branch->elseCase, oldSlot, newSlot);
        if (thenCase == branch->thenCase && elseCase == branch->elseCase)
            return body;
        return ir::makeIf(branch->condition, thenCase, elseCase);
    }
    case ir::NodeKind::AttrStmt: {
        const auto* attr = static_cast<const ir::AttrStmtNode*>(body.get());
        const Stmt inner = withChild(attr->body, oldSlot, newSlot);
        if (inner == attr->body)
            return body;
        return Stmt(new ir::AttrStmtNode(attr->node, attr->key, attr->value, inner));
    }
    case ir::NodeKind::While: {
        const auto* loop = static_cast<const ir::WhileNode*>(body.get());
        const Stmt inner = withChild(loop->body, oldSlot, newSlot);
        if (inner == loop->body)
            return body;
        return Stmt(new ir::WhileNode(loop->condition, inner));
    }
    default:
        return body;
    }
}

} // namespace

void ScheduleState::setNode(SrefId id, const StmtNode* node) {
    Entry& entry = entries_[static_cast<std::size_t>(id.value)];
    if (entry.node == node)
        return;
    if (index_.find(entry.node) == id)
        index_.erase(entry.node);
    entry.node = node;
    index_.insert(node, id);
}

void ScheduleState::expire(SrefId id) {
    Entry& entry = entries_[static_cast<std::size_t>(id.value)];
    if (index_.find(entry.node) == id)
        index_.erase(entry.node);
    entry.node = nullptr;
    entry.realize = nullptr;
    forgetScope(id);
}

/// One update of the entries below a node.
struct ScheduleState::Update {
    ScheduleState& state;
    const BlockReuse& reuse;
    std::vector<SrefId> old{};
    std::vector<char> kept{}; ///< by id
    bool blocksChanged = false;

    void collect(const Stmt& tree) {
        forEachEntry(tree, [&](const StmtNode* node, const BlockRealizeNode*) {
            const SrefId id = state.find(node);
            TW_CHECK(id.valid()) << "a loop or block of the old tree has no entry";
            old.push_back(id);
            collect(bodyOf(node));
        });
    }

    [[nodiscard]] bool isKept(SrefId id) const {
        return kept[static_cast<std::size_t>(id.value)] != 0;
    }

    /// The old entry that a new node takes over; invalid when there is none.
    [[nodiscard]] SrefId predecessor(const StmtNode* node) const {
        if (node->kind() == ir::NodeKind::For) {
            const auto& var = static_cast<const ForNode*>(node)->loopVar;
            for (const SrefId id : old)
                if (const auto* loop = as<ForNode>(state.stmt(id)); loop && loop->loopVar == var)
                    return isKept(id) ? SrefId() : id;
            return SrefId();
        }
        for (const auto& [before, after] : reuse)
            if (after == node)
                for (const SrefId id : old)
                    if (state.stmt(id) == before)
                        return isKept(id) ? SrefId() : id;
        return SrefId();
    }

    void place(const Stmt& tree, SrefId parent) {
        forEachEntry(tree, [&](const StmtNode* node, const BlockRealizeNode* realize) {
            SrefId id = state.find(node);
            if (!id.valid()) {
                if (realize)
                    blocksChanged = true;
                id = predecessor(node);
                if (id.valid()) {
                    state.setNode(id, node);
                } else {
                    id = state.addEntry(node, parent);
                    kept.push_back(0);
                }
                if (realize)
                    state.forgetScope(id);
            }
            TW_CHECK(!isKept(id)) << "one loop or block occurs twice in the new tree";
            kept[static_cast<std::size_t>(id.value)] = 1;
            Entry& entry = state.entries_[static_cast<std::size_t>(id.value)];
            entry.parent = parent;
            entry.realize = realize;
            const bool outer = std::exchange(blocksChanged, false);
            place(bodyOf(node), id);
            // The dependences of a scope belong to its direct child blocks.
            if (realize) {
                if (blocksChanged)
                    state.forgetScope(id);
                blocksChanged = outer;
            } else {
                blocksChanged = blocksChanged || outer;
            }
        });
    }
};

void ScheduleState::updateBelow(SrefId parent, const Stmt& oldTree, const Stmt& newTree,
                                const BlockReuse& reuse) {
    Update update{*this, reuse};
    update.collect(oldTree);
    update.kept.resize(entries_.size(), 0);
    update.place(newTree, parent);
    bool expiredBlock = false;
    for (const SrefId id : update.old) {
        if (update.isKept(id))
            continue;
        if (entries_[static_cast<std::size_t>(id.value)].realize) {
            expiredBlock = true;
        }
        expire(id);
    }
    if (!parent.valid())
        return;
    if (update.blocksChanged || expiredBlock) {
        const SrefId scopeBlock = isBlock(parent) ? parent : parentBlock(parent);
        if (scopeBlock.valid())
            forgetScope(scopeBlock);
    }
}

void ScheduleState::copyAncestors(SrefId above, const StmtNode* oldSlot, Stmt newSlot) {
    for (SrefId id = above; id.valid(); id = parent(id)) {
        const StmtNode* oldNode = stmt(id);
        const Stmt oldBody = bodyOf(oldNode);
        Stmt newBody = withChild(oldBody, oldSlot, newSlot);
        TW_CHECK(!(newBody == oldBody)) << "the replaced statement is not below its parent";
        if (const auto* loopNode = as<ForNode>(oldNode)) {
            ir::For copy = ir::edited(loopNode, [&](ForNode& n) { n.body = newBody; });
            oldSlot = oldNode;
            setNode(id, copy.get());
            newSlot = copy;
            continue;
        }
        Block copy = ir::edited(static_cast<const BlockNode*>(oldNode),
                                [&](BlockNode& n) { n.body = newBody; });
        setNode(id, copy.get());
        Entry& entry = entries_[static_cast<std::size_t>(id.value)];
        oldSlot = entry.realize;
        newSlot = ir::makeBlockRealize(entry.realize->iterValues, entry.realize->predicate, copy);
        entry.realize = static_cast<const BlockRealizeNode*>(newSlot.get());
        if (entry.function >= 0) {
            const std::string& name = roots_[static_cast<std::size_t>(entry.function)].function;
            const ir::PrimFunc function = module_.find(name);
            module_.set(name, ir::edited(function, [&](ir::PrimFuncNode& f) { f.body = newSlot; }));
        }
    }
}

void ScheduleState::replace(SrefId target, const Stmt& tree, const BlockReuse& reuse) {
    const ir::Module before = module_; // keeps the old nodes alive until the table is up to date
    const StmtNode* oldNode = stmt(target);
    if (oldNode == tree.get())
        return;
    const SrefId above = parent(target);
    if (!above.valid()) {
        const auto* newBlock = as<BlockNode>(tree);
        TW_CHECK(newBlock) << "a root block can only be replaced by a block";
        const auto* realizeNode = realize(target);
        const Stmt newRealize =
            ir::makeBlockRealize(realizeNode->iterValues, realizeNode->predicate, Block(newBlock));
        const ir::PrimFunc function = functionNode(target);
        replaceFunction(
            target, ir::edited(function, [&](ir::PrimFuncNode& f) { f.body = newRealize; }), reuse);
        return;
    }
    if (tree->kind() == ir::NodeKind::Block) {
        // Only the block changes: its realize is copied around the new one.
        TW_CHECK(isBlock(target)) << "a block cannot take the place of a loop";
        const Stmt oldRealize{realize(target)};
        const Stmt newRealize = withChild(oldRealize, oldNode, tree);
        BlockReuse withTarget = reuse;
        withTarget.emplace_back(static_cast<const BlockNode*>(oldNode),
                                static_cast<const BlockNode*>(tree.get()));
        updateBelow(above, oldRealize, newRealize, withTarget);
        copyAncestors(above, oldRealize.get(), newRealize);
        return;
    }
    const Stmt oldTree = isLoop(target) ? Stmt(oldNode) : Stmt(realize(target));
    updateBelow(above, oldTree, tree, reuse);
    copyAncestors(above, oldTree.get(), tree);
}

void ScheduleState::replaceFunction(SrefId root, const ir::PrimFunc& function,
                                    const BlockReuse& reuse) {
    const ir::Module before = module_;
    const auto* newRealize = as<BlockRealizeNode>(function->body);
    TW_CHECK(newRealize) << "the body of a function must be its root block";
    const Stmt oldBody{realize(root)};
    BlockReuse withRoot = reuse;
    withRoot.emplace_back(block(root), newRealize->block.get());
    const std::string name = functionOf(root);
    updateBelow(SrefId(), oldBody, function->body, withRoot);
    module_.set(name, function);
}

void ScheduleState::verify() const {
    std::size_t seen = 0;
    const auto check = [&](auto&& self, const StmtNode* node, const BlockRealizeNode* realizeNode,
                           SrefId parentId) -> void {
        ++seen;
        const SrefId id = find(node);
        TW_CHECK(id.valid()) << "a loop or block has no entry";
        const Entry& entry = entries_[static_cast<std::size_t>(id.value)];
        TW_CHECK(entry.node == node) << "an entry points elsewhere";
        TW_CHECK(entry.realize == realizeNode) << "an entry's realize is another";
        TW_CHECK(entry.parent == parentId) << "an entry's parent is another";
        forEachEntry(bodyOf(node),
                     [&](const StmtNode* child, const BlockRealizeNode* childRealize) {
                         self(self, child, childRealize, id);
                     });
    };
    for (const auto& root : roots_) {
        const ir::PrimFunc function = module_.find(root.function);
        const auto* realizeNode = as<BlockRealizeNode>(function->body);
        TW_CHECK(realizeNode);
        check(check, realizeNode->block.get(), realizeNode, SrefId());
    }
    const auto live = static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(), [](const Entry& e) { return e.node; }));
    TW_CHECK(live == seen) << "entries without a node: " << live - seen;
    for (const auto& [id, kept] : scopes_)
        TW_CHECK(kept->children == childBlocks(id)) << "dependences of a scope are out of date";
}

} // namespace tilewright::schedule
