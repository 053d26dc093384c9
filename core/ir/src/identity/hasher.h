// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "node_map.h"

#include <tilewright/ir/module.h>
#include <tilewright/ir/stmt.h>

#include <cstdint>
#include <string_view>

namespace tilewright::ir {

/// Hashes trees so that what Comparer calls equal hashes equal: variables and buffers count by the
/// order of their definitions, never by name or address.
class Hasher {
public:
    explicit Hasher(bool mapFreeVars) : mapFreeVars_(mapFreeVars) {}

    void function(const PrimFunc& function);
    void stmt(const Stmt& stmt);
    void expr(const Expr& expr);
    void attr(const AttrValue& value);
    void annotations(const Annotations& annotations);
    void text(std::string_view text);
    void number(std::uint64_t value);
    [[nodiscard]] std::uint64_t value() const { return state_; }

private:
    void optionalStmt(const Stmt& stmt);
    void optionalExpr(const Expr& expr);
    void exprList(const std::vector<Expr>& exprs);
    void range(const Range& range);
    void region(const std::vector<Range>& region);
    void bufferRegions(const std::vector<BufferRegion>& regions);
    void loop(const ForNode& node);
    void block(const BlockNode& node);
    void define(const Node* node);
    void defineVar(const VarNode* var);
    void defineBuffer(const BufferNode* buffer);
    void useVar(const VarNode* var);
    void useBuffer(const BufferNode* buffer);
    void bufferFields(const BufferNode& buffer);

    NodeMap<std::uint32_t> order_;
    std::uint64_t state_ = 0x74696c6577726967ULL;
    bool mapFreeVars_;
    bool definesFree_ = false;
};

} // namespace tilewright::ir
