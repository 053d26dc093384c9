// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/analysis/dependence_graph.h>
#include <tilewright/base/strong_id.h>
#include <tilewright/ir/module.h>
#include <tilewright/ir/stmt.h>
#include <tilewright/schedule/failure.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::schedule {

/// A loop or block of the module under schedule. Stays valid while edits rewrite the node it stands
/// for, and across copies of the state; invalid (`state.expired(id)`) once its node is gone.
using SrefId = base::StrongId<struct SrefTag>;

/// Dependences between the direct child blocks of a scope block.
struct BlockScope {
    std::vector<SrefId> children;    ///< in textual order
    analysis::DependenceGraph graph; ///< by position in `children`
    /// Position of a child block, -1 when it is none.
    [[nodiscard]] int position(SrefId block) const;
    /// Sources / targets of RAW and WAW edges of `block`, without repetition, in order of
    /// insertion.
    [[nodiscard]] std::vector<SrefId> producers(SrefId block) const;
    [[nodiscard]] std::vector<SrefId> consumers(SrefId block) const;
};

/// Facts kept per block. Computed for every block of the initial module; afterwards they are kept
/// as they are while the block is reused, and whoever makes a new block sets them (all false until
/// then), exactly as MetaSchedule does: errors depend on it.
struct BlockFlags {
    bool affineBinding = false;
    bool regionCover = false;
    bool stagePipeline = false;
    bool operator==(const BlockFlags&) const = default;
};

/// Which new block takes the place (and the SrefId and flags) of which old one.
using BlockReuse = std::vector<std::pair<const ir::BlockNode*, const ir::BlockNode*>>;

/// The module under schedule with a table of its loops and blocks. A value: copying costs a few
/// vectors of plain data, the nodes are shared. Only `replace` edits.
class ScheduleState {
public:
    /// Functions whose body is no root block are kept but not scheduled.
    explicit ScheduleState(ir::Module module);

    [[nodiscard]] const ir::Module& module() const { return module_; }
    /// Checks of legality that a caller may switch off (compact dataflow, stage pipeline).
    [[nodiscard]] bool enableCheck() const { return enableCheck_; }
    void setEnableCheck(bool on) { enableCheck_ = on; }

    // ---- the tree of loops and blocks
    [[nodiscard]] bool expired(SrefId id) const;
    /// The For or Block node; the id must not be expired.
    [[nodiscard]] const ir::StmtNode* stmt(SrefId id) const;
    [[nodiscard]] bool isLoop(SrefId id) const;
    [[nodiscard]] bool isBlock(SrefId id) const { return !isLoop(id); }
    [[nodiscard]] const ir::ForNode* loop(SrefId id) const;
    [[nodiscard]] const ir::BlockNode* block(SrefId id) const;
    /// The realize around a block.
    [[nodiscard]] const ir::BlockRealizeNode* realize(SrefId block) const;
    [[nodiscard]] SrefId parent(SrefId id) const; ///< invalid for a root block
    /// The entry of a node of the current module; invalid when it has none (blocks inside an init).
    [[nodiscard]] SrefId find(const ir::StmtNode* node) const;
    [[nodiscard]] SrefId find(const ir::Stmt& node) const { return find(node.get()); }
    /// Root block of a function; invalid when there is none.
    [[nodiscard]] SrefId root(std::string_view function) const;
    /// Root block above (or at) `id`.
    [[nodiscard]] SrefId rootOf(SrefId id) const;
    /// Name of the function that holds `id`.
    [[nodiscard]] const std::string& functionOf(SrefId id) const;
    [[nodiscard]] ir::PrimFunc functionNode(SrefId id) const;

    /// Nearest block strictly above; invalid for a root block.
    [[nodiscard]] SrefId parentBlock(SrefId id) const;
    /// As parentBlock, failing with `RootBlockError` at a root; with `requireStagePipeline` also
    /// with `NotStagePipelineError` (unless checks are off).
    [[nodiscard]] Outcome<SrefId> scopeRoot(SrefId id, bool requireStagePipeline) const;
    /// Loops around a block up to the next block, outermost first.
    [[nodiscard]] std::vector<SrefId> loopsAbove(SrefId block) const;
    /// True when `ancestor` is strictly above `id`.
    [[nodiscard]] bool isAncestor(SrefId ancestor, SrefId id) const;
    /// Lowest entry above or at all of the given ones.
    [[nodiscard]] SrefId lowestCommonAncestor(std::span<const SrefId> ids) const;
    /// Blocks below `id` with no block in between, in textual order (not entering init).
    [[nodiscard]] std::vector<SrefId> childBlocks(SrefId id) const;
    /// Loops and blocks directly below, in textual order.
    [[nodiscard]] std::vector<SrefId> children(SrefId id) const;
    /// All blocks named so in a function, nested ones included, in textual order.
    [[nodiscard]] std::vector<SrefId> blocksNamed(std::string_view name,
                                                  std::string_view function) const;

    // ---- facts about blocks
    [[nodiscard]] BlockFlags flags(SrefId block) const;
    /// One flag; cheaper than all of them when they are still to be computed.
    [[nodiscard]] bool affineBinding(SrefId block) const;
    [[nodiscard]] bool regionCover(SrefId block) const;
    [[nodiscard]] bool stagePipeline(SrefId block) const;
    void setFlags(SrefId block, BlockFlags flags);
    /// Recomputes one flag from the module as it is now (what TVM does after building a block).
    void refreshAffineBinding(SrefId block);
    /// Recomputes all flags of `block` and of every block nested in it from the module as it is
    /// now. The block's own regionCover becomes true. The work is put off until a flag is asked
    /// for.
    void refreshFlags(SrefId block);
    /// Dependences among the child blocks of a scope block; computed when asked for, and kept.
    [[nodiscard]] const BlockScope& scope(SrefId scopeBlock) const;
    [[nodiscard]] std::vector<SrefId> producers(SrefId block) const;
    [[nodiscard]] std::vector<SrefId> consumers(SrefId block) const;

    // ---- editing
    /// Puts `tree` in the place of `target`'s node and rewrites the ancestors. `tree` is a Block
    /// when target is a block (its realize stays), or any statement (a loop, a block realize, a
    /// sequence) that takes the place of the loop, or of the block with its realize.
    /// Entries below: a node that is the same object keeps its id; a loop whose loop variable
    /// occurs in the old tree takes over that loop's id; blocks take over by `reuse`; other nodes
    /// get new ids, other old ids expire. Ids above `target` stay.
    void replace(SrefId target, const ir::Stmt& tree, const BlockReuse& reuse = {});
    /// Puts a new function in place of the one that holds `root`, whose body is `root`'s new tree:
    /// for edits of parameters and attributes along with the body.
    void replaceFunction(SrefId root, const ir::PrimFunc& function, const BlockReuse& reuse = {});
    /// Throws InternalError when the table does not describe the module.
    void verify() const;

private:
    struct Entry {
        const ir::StmtNode* node = nullptr;            ///< null = expired
        const ir::BlockRealizeNode* realize = nullptr; ///< of blocks
        SrefId parent;
        mutable BlockFlags flags;
        mutable std::uint8_t pending = 0; ///< flags that wait in pending_
        std::int32_t function = -1;       ///< of root blocks: index in roots_
    };
    struct Root {
        std::string function;
        SrefId block;
    };
    /// Node → id, open addressing over plain memory so that copies are one memcpy.
    class Index {
    public:
        [[nodiscard]] SrefId find(const void* key) const;
        void insert(const void* key, SrefId id);
        void erase(const void* key);

    private:
        struct Slot {
            const void* key = nullptr;
            SrefId id;
        };
        [[nodiscard]] std::size_t home(const void* key) const;
        void grow();
        std::vector<Slot> slots_;
        std::size_t used_ = 0;
    };
    struct Update;
    struct PendingFlags;
    struct PendingItem;

    SrefId addEntry(const ir::StmtNode* node, SrefId parent);
    void setNode(SrefId id, const ir::StmtNode* node);
    void expire(SrefId id);
    void addTree(const ir::Stmt& stmt, SrefId parent);
    void updateBelow(SrefId parent, const ir::Stmt& oldTree, const ir::Stmt& newTree,
                     const BlockReuse& reuse);
    void copyAncestors(SrefId target, const ir::StmtNode* oldSlot, ir::Stmt newSlot);
    void forgetScope(SrefId block) const;
    /// Computes all flags that wait.
    void settleFlags();
    void settle(SrefId block, std::uint8_t wanted) const;
    void settleScope(const PendingItem& scope) const;
    void settleCover(const PendingItem& item) const;

    ir::Module module_;
    std::vector<Entry> entries_;
    Index index_;
    std::vector<Root> roots_;
    /// Kept dependences of scope blocks; few.
    mutable std::vector<std::pair<SrefId, std::shared_ptr<const BlockScope>>> scopes_;
    /// Flags still to be computed, from a module that may be older than module_; null = none.
    std::shared_ptr<const PendingFlags> pending_;
    bool enableCheck_ = true;
};

} // namespace tilewright::schedule
