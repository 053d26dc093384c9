// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/expr.h>

#include <vector>

namespace tilewright::arith {

/// A variable and the half-open range it runs over.
struct VarRange {
    ir::Var var;
    ir::Range range;
};

/// Loop domain, outermost first. Ranges must not mention variables of the same domain.
using Domain = std::vector<VarRange>;

/// The range of `var`, or null when it is no variable of the domain.
inline const ir::Range* findRange(const Domain& domain, const ir::VarNode* var) {
    for (const VarRange& entry : domain)
        if (entry.var.get() == var)
            return &entry.range;
    return nullptr;
}

} // namespace tilewright::arith
