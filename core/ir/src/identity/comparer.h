// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "node_map.h"

#include <tilewright/ir/module.h>
#include <tilewright/ir/stmt.h>

#include <string>
#include <vector>

namespace tilewright::ir {

/// Compares two trees, mapping variables and buffers where they are defined. One object serves one
/// comparison.
class Comparer {
public:
    /// `records` keeps the path to the first difference (slower).
    explicit Comparer(bool mapFreeVars, bool records = false)
        : mapFreeVars_(mapFreeVars), records_(records) {}

    bool functions(const PrimFunc& a, const PrimFunc& b);
    bool stmts(const Stmt& a, const Stmt& b);
    bool exprs(const Expr& a, const Expr& b);
    bool attrs(const AttrValue& a, const AttrValue& b);
    bool annotations(const Annotations& a, const Annotations& b);
    /// Maps two variables to each other as a definition does.
    bool defineVar(const VarNode* a, const VarNode* b);

    /// Steps from the root to the difference, outermost first.
    [[nodiscard]] std::vector<std::string> path() const { return {path_.rbegin(), path_.rend()}; }
    [[nodiscard]] const std::string& leftExcerpt() const { return left_; }
    [[nodiscard]] const std::string& rightExcerpt() const { return right_; }

private:
    bool optionalStmts(const Stmt& a, const Stmt& b);
    bool optionalExprs(const Expr& a, const Expr& b);
    bool exprLists(const std::vector<Expr>& a, const std::vector<Expr>& b);
    bool exprFields(const ExprNode& a, const ExprNode& b);
    bool stmtFields(const StmtNode& a, const StmtNode& b);
    bool loops(const ForNode& a, const ForNode& b);
    bool blocks(const BlockNode& a, const BlockNode& b);
    bool ranges(const Range& a, const Range& b);
    bool regions(const std::vector<Range>& a, const std::vector<Range>& b);
    bool bufferRegions(const std::vector<BufferRegion>& a, const std::vector<BufferRegion>& b);
    bool useVar(const VarNode* a, const VarNode* b);
    bool useBuffer(const BufferNode* a, const BufferNode* b);
    bool defineBuffer(const BufferNode* a, const BufferNode* b, bool definesVars);
    bool bufferFields(const BufferNode& a, const BufferNode& b, bool definesVars);
    /// An extent, stride or offset of a buffer: a free variable in it is defined there.
    bool bufferExprs(const Expr& a, const Expr& b, bool definesVars);
    bool map(const Node* a, const Node* b);
    /// Records a step of the path when `ok` is false.
    bool at(bool ok, const char* step);
    bool at(bool ok, const char* step, std::string_view name);
    void excerpt(std::string left, std::string right);

    NodeMap<const Node*> leftToRight_;
    NodeMap<const Node*> rightToLeft_;
    bool mapFreeVars_;
    bool records_;
    bool isIdentity_ = true; ///< every mapping so far maps a node to itself
    bool definesFree_ = false;
    std::vector<std::string> path_;
    std::string left_;
    std::string right_;
};

} // namespace tilewright::ir
