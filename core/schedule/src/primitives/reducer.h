// SPDX-License-Identifier: Apache-2.0
#pragma once

// Recognises the commutative reducer of a reduction block: sum, product, minimum, maximum, sums of
// pairs, and arg-minimum and -maximum.

#include "primitives/primitive.h"

#include <tilewright/ir/visit.h>

#include <vector>

namespace tilewright::schedule {

/// A reducer over tuples: `result[i]` is an expression of the placeholder variables lhs and rhs.
struct Reducer {
    std::vector<ir::Var> lhs;
    std::vector<ir::Var> rhs;
    std::vector<ir::Expr> result;
    std::vector<ir::Expr> identity;
    /// The reducer applied to values.
    [[nodiscard]] std::vector<ir::Expr> combine(const std::vector<ir::Expr>& left,
                                                const std::vector<ir::Expr>& right) const;
};

/// The stores that make up a reduction: for each output buffer its initial value and its update.
struct ReductionParts {
    std::vector<ir::Expr> initValues;
    std::vector<ir::Buffer> buffers;
    std::vector<std::vector<ir::Expr>> indices;
    std::vector<ir::Expr> updates; ///< values stored, bound variables replaced
};
/// RFactorNotApplicableError when init or body have another form.
Outcome<ReductionParts> reductionParts(const ir::BlockNode& block);

/// A reducer with the values it combines: `left[i]` is the load of the i-th output.
struct MatchedReducer {
    Reducer reducer;
    std::vector<ir::Expr> left;
    std::vector<ir::Expr> right;
};
/// NoMatchedReducerError when there is none.
Outcome<MatchedReducer> matchReducer(const ReductionParts& parts, const std::string& blockName);

} // namespace tilewright::schedule
