// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/index_map.h>

#include "identity/comparer.h"
#include "script/script_printer.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

namespace tilewright::ir {

namespace {

/// Gives every integer of an expression the dtype `type`; variables are replaced as `vars` says.
class Retyper final : public Rewriter {
public:
    Retyper(DataType type, const VarMap& vars) : type_(type), vars_(vars) {}

protected:
    Expr rewriteNode(const VarNode& node) override {
        const auto it = vars_.find(&node);
        return it == vars_.end() ? Expr(&node) : it->second;
    }
    Expr rewriteNode(const IntImmNode& node) override {
        return node.dtype.isBool() ? Expr(&node) : makeInt(node.value, type_);
    }
    Expr rewriteNode(const CastNode& node) override {
        const Expr value = rewrite(node.value);
        return node.dtype.isInt() ? cast(type_, value) : cast(node.dtype, value);
    }
    Expr rewriteNode(const BinaryNode& node) override {
        return foldBinary(node.kind(), rewrite(node.a), rewrite(node.b));
    }

private:
    DataType type_;
    const VarMap& vars_;
};

} // namespace

IndexMap IndexMap::of(int rank, const std::function<std::vector<Expr>(const std::vector<Var>&)>& fn,
                      DataType indexType) {
    IndexMap map;
    for (int i = 0; i < rank; ++i)
        map.initialIndices.push_back(makeVar(base::concat("i", i), indexType));
    map.finalIndices = fn(map.initialIndices);
    return map;
}

std::vector<Expr> IndexMap::apply(const std::vector<Expr>& indices) const {
    TW_CHECK(indices.size() == initialIndices.size())
        << "the map takes " << initialIndices.size() << " indices, not " << indices.size();
    VarMap values;
    for (std::size_t i = 0; i < indices.size(); ++i)
        values.emplace(initialIndices[i].get(), indices[i]);
    std::vector<Expr> out;
    out.reserve(finalIndices.size());
    for (const Expr& index : finalIndices)
        out.push_back(substitute(index, values));
    return out;
}

bool IndexMap::isIdentity() const {
    if (initialIndices.size() != finalIndices.size())
        return false;
    for (std::size_t i = 0; i < finalIndices.size(); ++i) {
        if (finalIndices[i].get() != initialIndices[i].get())
            return false;
    }
    return true;
}

std::string print(const IndexMap& map) {
    ScriptPrinter printer(true);
    std::string text = "lambda ";
    for (std::size_t i = 0; i < map.initialIndices.size(); ++i) {
        const Var& var = map.initialIndices[i];
        text.append(i == 0 ? "" : ", ");
        text.append(printer.names().define(var.get(), var->name, "i"));
    }
    text.append(": (");
    for (std::size_t i = 0; i < map.finalIndices.size(); ++i) {
        if (i != 0)
            text.append(", ");
        printer.appendExpr(text, map.finalIndices[i]);
    }
    return text.append(map.finalIndices.size() == 1 ? ",)" : ")");
}

IndexMap withIndexType(const IndexMap& map, DataType indexType) {
    IndexMap out;
    VarMap vars;
    for (const Var& var : map.initialIndices) {
        out.initialIndices.push_back(makeVar(var->name, indexType));
        vars.emplace(var.get(), out.initialIndices.back());
    }
    Retyper retyper(indexType, vars);
    for (const Expr& index : map.finalIndices)
        out.finalIndices.push_back(retyper.rewrite(index));
    if (map.inverse)
        out.inverse = std::make_shared<const IndexMap>(withIndexType(*map.inverse, indexType));
    return out;
}

bool structuralEqual(const IndexMap& a, const IndexMap& b) {
    if (a.initialIndices.size() != b.initialIndices.size() ||
        a.finalIndices.size() != b.finalIndices.size())
        return false;
    Comparer comparer(false);
    for (std::size_t i = 0; i < a.initialIndices.size(); ++i) {
        if (!comparer.defineVar(a.initialIndices[i].get(), b.initialIndices[i].get()))
            return false;
    }
    for (std::size_t i = 0; i < a.finalIndices.size(); ++i) {
        if (!comparer.exprs(a.finalIndices[i], b.finalIndices[i]))
            return false;
    }
    return true;
}

} // namespace tilewright::ir
