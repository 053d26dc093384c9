// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store_nest.h"

#include <optional>
#include <unordered_map>

namespace tilewright::cost {

/// Reads expressions of a function into a nest: indices become forms over the loops, loads become
/// accesses, operations are counted.
class ValueReader {
public:
    explicit ValueReader(StoreNest& nest) : nest_(nest) { bindings_.reserve(256); }

    /// `var` has this value from now on.
    void bind(const ir::VarNode* var, IndexForm value) { bindings_[var] = value; }
    /// `buffer` stands for a region of another one.
    void match(const ir::MatchBufferRegion& match);
    /// Form of an expression; what is no index arithmetic is opaque.
    IndexForm index(const ir::Expr& expr);
    int bufferId(const ir::BufferNode* buffer);

    /// Records an access and returns its number.
    std::uint32_t access(const ir::BufferNode* buffer, const std::vector<ir::Expr>& indices,
                         int loop);
    /// Counts the operations of a stored value and records its loads.
    void readValue(const ir::Expr& value, int loop, OpCounts& ops);
    /// Records the loads only.
    void readAside(const ir::Expr& expr, int loop);
    void readAsideAll(const std::vector<ir::Expr>& exprs, int loop);
    /// True or false when a condition is the same in all iterations.
    std::optional<bool> prove(const ir::Expr& condition);

private:
    struct Alias {
        const ir::BufferNode* source;
        std::vector<IndexForm> mins;
    };
    bool tryIndex(const ir::Expr& expr, IndexForm& form);
    bool tryBinary(const ir::BinaryNode& node, IndexForm& form);
    IndexForm opaqueIndex(const ir::Expr& expr);
    void visit(const ir::Expr& expr);
    void visitBinary(const ir::BinaryNode& node);
    bool visitCompare(const ir::BinaryNode& node);
    void visitChoice(const ir::Expr& condition, const ir::Expr& ifTrue, const ir::Expr& ifFalse);
    void addIndexOps(const IndexForm& form);

    StoreNest& nest_;
    std::unordered_map<const ir::VarNode*, IndexForm> bindings_;
    std::unordered_map<const ir::BufferNode*, Alias> aliases_;
    OpCounts* ops_ = nullptr;
    int loop_ = -1;
    int nextKey_ = 0;
};

} // namespace tilewright::cost
