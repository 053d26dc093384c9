// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/arith/analyzer.h>

#include <optional>
#include <string>
#include <vector>

namespace tilewright::arith {

/// Inverse of a map of indices: `initial` variables as expressions of fresh `outputs` variables.
struct InverseIndexMap {
    std::vector<ir::Var> outputs;  ///< one per final index, named axis0, axis1, …
    std::vector<ir::Expr> initial; ///< value of each initial variable
    /// True at the points of the final space that no initial index reaches (padding); a false
    /// constant for bijective maps.
    ir::Expr paddingPredicate;
    std::string error; ///< why there is no inverse; empty on success
    [[nodiscard]] bool ok() const { return error.empty(); }
};

/// Exact inverse over `[min, extent)` ranges of the initial variables; fails unless bijective.
InverseIndexMap invertIndexMap(const std::vector<ir::Var>& initial,
                               const std::vector<ir::Expr>& final,
                               const std::vector<ir::Range>& ranges, Analyzer& analyzer);
/// Inverse of an injective map whose image may have holes (padding introduced by the map).
InverseIndexMap invertNonSurjectiveIndexMap(const std::vector<ir::Var>& initial,
                                            const std::vector<ir::Expr>& final,
                                            const std::vector<ir::Range>& ranges,
                                            Analyzer& analyzer);

/// Ranges of the final indices while the initial ones run over `ranges`.
std::vector<ir::Range> mapRanges(const std::vector<ir::Var>& initial,
                                 const std::vector<ir::Expr>& final,
                                 const std::vector<ir::Range>& ranges, Analyzer& analyzer);

} // namespace tilewright::arith
