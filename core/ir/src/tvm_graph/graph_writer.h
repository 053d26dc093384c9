// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/index_map.h>
#include <tilewright/ir/module.h>
#include <tilewright/json/value.h>

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tilewright::ir {

/// Writes the JSON graph of the newest era: children before parents, plain values shared.
class GraphWriter {
public:
    std::size_t module(const Module& module);
    std::size_t indexMap(const IndexMap& map);
    /// The document with `root` as its root; ends the writing.
    json::Value finish(std::size_t root);

private:
    using Index = std::size_t;

    /// Fields of an object, written in order.
    class Fields;

    Index add(std::string_view type, json::Value data);
    Index shared(std::string_view type, json::Value data, const std::string& key);
    Index none();
    Index missingType();
    Index string(std::string_view text);
    Index boxedInt(std::int64_t value);
    Index array(const std::vector<Index>& items);
    Index primType(DataType type);
    Index pointerType(DataType element, std::string_view scope);

    Index function(const PrimFunc& function);
    Index signature(const PrimFuncNode& function);
    Index var(const VarNode& var);
    Index buffer(const BufferNode& buffer);
    Index expr(const Expr& expr);
    Index optionalExpr(const Expr& expr);
    Index exprList(const std::vector<Expr>& exprs);
    Index intImm(std::int64_t value, DataType type);
    Index call(const CallNode& call);
    Index callType(const CallNode& call);
    Index range(const Range& range);
    Index ranges(const std::vector<Range>& region);
    Index region(const Buffer& buffer, const std::vector<Range>& region);
    Index regions(const std::vector<BufferRegion>& regions);
    Index stmt(const Stmt& stmt);
    Index optionalStmt(const Stmt& stmt);
    Index loop(const ForNode& loop);
    Index block(const BlockNode& block);
    Index attrStmt(const AttrStmtNode& stmt);
    Index iterVar(const IterVar& iter);
    Index threadIter(Index dom, const VarNode* var, std::string_view name, DataType type,
                     std::string_view tag);
    Index attr(const AttrValue& value);
    Index target(const AttrValue::Dict& dict);
    Index dictAttrs(const Annotations& annotations);
    Index annotations(const Annotations& annotations);
    Index globalVar(const std::string& name);

    json::Array nodes_;
    std::map<std::string, Index, std::less<>> shared_;
    std::unordered_map<const Node*, Index> objects_;
};

} // namespace tilewright::ir
