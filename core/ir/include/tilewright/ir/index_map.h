// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/attr_value.h>
#include <tilewright/ir/expr.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::ir {

/// A mapping of indices: `lambda i, j: (i // 4, j, i % 4)`. A value; copies share the expressions.
struct IndexMap {
    std::vector<Var> initialIndices;
    std::vector<Expr> finalIndices;
    /// The inverse that came with the map, if any (never computed here).
    std::shared_ptr<const IndexMap> inverse;

    /// Makes a map of `rank` fresh variables i0, i1, … through a function.
    static IndexMap of(int rank,
                       const std::function<std::vector<Expr>(const std::vector<Var>&)>& fn,
                       DataType indexType = DataType::i(32));

    /// The final indices at the given initial ones (as many as initialIndices); constants fold, no
    /// other simplification.
    [[nodiscard]] std::vector<Expr> apply(const std::vector<Expr>& indices) const;
    /// True when every final index is the initial one at the same place.
    [[nodiscard]] bool isIdentity() const;
};

/// `lambda i, j: (i // 4, j, i % 4)`; duplicate names are told apart.
std::string print(const IndexMap& map);

/// A copy whose variables have the dtype `indexType`, expressions and constants following.
IndexMap withIndexType(const IndexMap& map, DataType indexType);

/// Structure equal up to the names of variables.
bool structuralEqual(const IndexMap& a, const IndexMap& b);

enum class JsonLayout : std::uint8_t {
    Compact, ///< as TVM holds it in memory
    Indented ///< by two blanks, as TVM's instruction JSON has it
};
/// TVM's JSON graph of an index map.
std::string indexMapToTvmJson(const IndexMap& map, JsonLayout layout = JsonLayout::Indented);
/// Reads the graph of any era. Throws base::ParseError (kind `tvm-json`).
IndexMap indexMapFromTvmJson(std::string_view json);

} // namespace tilewright::ir
