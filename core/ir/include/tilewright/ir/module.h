// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/stmt.h>

#include <string>
#include <utility>
#include <vector>

namespace tilewright::ir {

/// A parameter of a function. A tensor parameter has a buffer (and `var` is its handle);
/// a scalar or raw pointer has none.
struct Param {
    Var var;
    Buffer buffer; ///< null for scalars and raw pointers
};

/// `@T.prim_func def main(A: T.Buffer(…), …)`. A schedulable body is one block realize, the root
/// block, without iterators and with a true predicate.
class PrimFuncNode final : public Node {
public:
    std::vector<Param> params;
    DataType returnType = DataType::voidType();
    Stmt body;
    /// `global_symbol`, `tirx.noalias`, `target`, `layout_free_buffers`, … (era-D key names)
    Annotations attrs;
    static bool classof(NodeKind k) { return k == NodeKind::PrimFunc; }
    PrimFuncNode() : Node(NodeKind::PrimFunc) {}
    PrimFuncNode(const PrimFuncNode& o)
        : Node(NodeKind::PrimFunc), params(o.params), returnType(o.returnType), body(o.body),
          attrs(o.attrs) {}
};
using PrimFunc = Ref<PrimFuncNode>;

/// Functions by name, a value with cheap copies (functions are shared).
class Module {
public:
    using Entry = std::pair<std::string, PrimFunc>;
    Module() = default;
    /// A module of one function.
    static Module of(PrimFunc function, std::string name = "main");

    [[nodiscard]] const std::vector<Entry>& functions() const { return functions_; }
    /// Null handle when absent.
    [[nodiscard]] PrimFunc find(std::string_view name) const;
    /// Adds or replaces.
    void set(std::string_view name, PrimFunc function);
    /// Name of the entry function: the one marked `tirx.is_entry_func`, else `main`, else the only
    /// one; empty when there is none.
    [[nodiscard]] std::string entryName() const;
    Annotations attrs;

private:
    std::vector<Entry> functions_; ///< sorted by name
};

} // namespace tilewright::ir
