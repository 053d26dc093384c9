// SPDX-License-Identifier: Apache-2.0
#include "primitives/split.h"

#include "primitives/loop_transform.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::schedule {

using ir::Expr;
using ir::Stmt;

namespace {

/// The factors with the inferred one filled in.
Outcome<std::vector<Expr>> resolveFactors(const ir::ForNode& loop,
                                          const std::vector<Expr>& factors) {
    std::vector<Expr> resolved = factors;
    int inferred = -1;
    Expr product = ir::makeInt(1, loop.extent->dtype);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (!factors[i]) {
            if (inferred >= 0)
                return fail("NotSingleInferFactorError",
                            "only one factor can be inferred (None), found more");
            inferred = static_cast<int>(i);
            continue;
        }
        if (const auto number = ir::constInt(factors[i]); number && *number <= 0)
            return fail("NonPositiveFactorError",
                        base::concat("factor ", i, " is ", *number, "; it must be positive"));
        if (factors[i]->dtype.bits > loop.extent->dtype.bits)
            resolved[i] = ir::cast(loop.extent->dtype, factors[i]);
        product = product * resolved[i];
    }
    arith::Analyzer analyzer;
    if (inferred >= 0) {
        const Expr one = ir::makeInt(1, loop.extent->dtype);
        resolved[static_cast<std::size_t>(inferred)] =
            analyzer.simplify(ir::floorDiv(loop.extent + product - one, product));
    } else if (!analyzer.canProve(ir::greaterEqual(product, loop.extent))) {
        return fail("WrongFactorError",
                    base::concat("the product of the factors is less than the extent of the loop ",
                                 loop.loopVar->name));
    }
    return resolved;
}

} // namespace

Outcome<std::vector<SrefId>> split(ScheduleState& state, SrefId loopId,
                                   const std::vector<Expr>& givenFactors, bool preserveUnitIters,
                                   bool disablePredication) {
    const ir::ForNode& loop = *state.loop(loopId);
    TW_ASSIGN(const std::vector<Expr> factors, resolveFactors(loop, givenFactors));
    TW_TRY(checkPlainLoop(loop));
    TW_TRY(checkStartsWithZero(loop));
    if (factors.empty())
        return fail("ValueError", "split needs at least one factor");

    int bits = loop.loopVar->dtype.bits;
    for (const Expr& factor : factors)
        bits = std::max<int>(bits, factor->dtype.bits);
    const auto type = ir::DataType::i(bits);
    arith::Analyzer analyzer;
    std::vector<ir::Var> vars;
    Expr value = ir::makeInt(0, type);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        vars.push_back(derivedVar(loop.loopVar, base::concat('_', i), type));
        value = value * factors[i] + vars.back();
        analyzer.bind(vars.back(), {ir::makeInt(0, type), ir::cast(type, factors[i])});
    }
    BlockReuse reuse;
    Stmt body =
        replaceVars(loop.body, {{loop.loopVar.get(), ir::cast(loop.loopVar->dtype, value)}}, reuse);
    const Expr inside = ir::less(value, loop.extent);
    if (!disablePredication && !analyzer.canProve(inside, arith::ProofStrength::SymbolicBound))
        body = guardBlocks(body, inside);
    for (std::size_t i = factors.size(); i-- > 0;) {
        const auto number = ir::constInt(factors[i]);
        body = ir::makeFor(vars[i], ir::makeInt(0, type),
                           number ? ir::makeInt(*number, type) : factors[i], ir::ForKind::Serial,
                           body);
    }
    body = simplifyBindings(body, domainAbove(state, loopId), preserveUnitIters, reuse);
    state.replace(loopId, body, reuse);

    std::vector<SrefId> loops;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        loops.push_back(state.find(body));
        body = static_cast<const ir::ForNode*>(body.get())->body;
    }
    return loops;
}

} // namespace tilewright::schedule
