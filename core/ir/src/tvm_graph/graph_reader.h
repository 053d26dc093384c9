// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json_graph.h"

#include <tilewright/ir/index_map.h>
#include <tilewright/ir/module.h>

#include <unordered_map>
#include <vector>

namespace tilewright::ir {

/// Builds IR from a JSON graph of any era, in the newest era's form.
class GraphReader {
public:
    explicit GraphReader(const JsonGraph& graph);
    Module readModule();
    IndexMap readIndexMap(std::size_t node);
    IndexMap readIndexMap() { return readIndexMap(graph_.root()); }

private:
    PrimFunc function(std::size_t node);
    Param param(std::size_t node, const std::unordered_map<std::size_t, std::size_t>& buffers);

    Stmt stmt(std::size_t node);
    Stmt forLoop(std::size_t node);
    Stmt block(std::size_t node);
    Stmt realize(std::size_t node);
    Stmt attrStmt(std::size_t node);
    Stmt assertStmt(std::size_t node);
    Stmt withBody(Stmt first, std::size_t node);
    IterVar iterVar(std::size_t node);
    BufferRegion bufferRegion(std::size_t node);
    std::vector<BufferRegion> bufferRegions(std::size_t node);
    Range range(std::size_t node);

    Expr expr(std::size_t node);
    Expr buildExpr(std::size_t node);
    Expr optionalExpr(std::size_t node, std::string_view field);
    Expr field(std::size_t node, std::string_view name) { return expr(graph_.need(node, name)); }
    std::vector<Expr> exprList(std::size_t node);
    std::vector<Expr> listField(std::size_t node, std::string_view name);
    Expr call(std::size_t node, DataType type);
    Expr constant(std::size_t node, DataType type);
    Expr lanes(std::size_t node);
    Var var(std::size_t node);
    Buffer buffer(std::size_t node);
    [[nodiscard]] bool isBuffer(std::size_t node) const;
    DataType type(std::size_t node) const;
    DataType typeObject(std::size_t node) const;
    DataType dtypeText(std::string_view text, std::size_t node) const;

    AttrValue attr(std::size_t node);
    AttrValue target(std::size_t node);
    Annotations annotations(std::size_t node);
    Annotations annotationField(std::size_t node, std::string_view name);

    class Depth;

    const JsonGraph& graph_;
    std::vector<Expr> exprs_;
    std::vector<double> sizes_; ///< of the expanded expressions: shared nodes count each time
    std::vector<Var> vars_;
    std::vector<Buffer> buffers_;
    std::unordered_map<std::size_t, std::size_t> bufferOfPointer_; ///< eras A to C
    double size_ = 0;
    int depth_ = 0;
};

} // namespace tilewright::ir
