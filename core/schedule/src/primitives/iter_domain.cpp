// SPDX-License-Identifier: Apache-2.0
#include "primitives/iter_domain.h"

#include <tilewright/arith/iter_affine_map.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/printer.h>

#include <algorithm>

namespace tilewright::schedule {
namespace {

using arith::Analyzer;
using arith::IntSet;
using arith::IntSetRegion;
using ir::Expr;

bool isSinglePoint(const IntSet& set, Analyzer& analyzer) {
    return set.isBounded() && (set.isPoint() || analyzer.canProveEqual(set.min(), set.max()));
}

IntSet simplified(const IntSet& set, Analyzer& analyzer) {
    return IntSet::interval(set.hasLower() ? analyzer.simplify(set.min()) : nullptr,
                            set.hasUpper() ? analyzer.simplify(set.max()) : nullptr);
}

/// Union that knows nothing as the neutral element.
IntSet joined(const IntSet& a, const IntSet& b, Analyzer& analyzer) {
    if (a.isNothing())
        return b;
    return b.isNothing() ? a : arith::unionSets(a, b, analyzer);
}

void join(IterDomain& into, const IterDomain& other, Analyzer& analyzer) {
    into.dom = joined(into.dom, other.dom, analyzer);
    into.bound = joined(into.bound, other.bound, analyzer);
}

bool sameSet(const IntSet& a, const IntSet& b, Analyzer& analyzer) {
    return a.isBounded() && b.isBounded() && analyzer.canProveEqual(a.min(), b.min()) &&
           analyzer.canProveEqual(a.max(), b.max());
}

/// Merges the bound into the domain where that loses nothing.
void settle(IterDomain& domain, Analyzer& analyzer) {
    if (domain.dom.isNothing()) {
        if (domain.bound.isBounded()) {
            domain.dom = simplified(domain.bound, analyzer);
            domain.bound = IntSet::nothing();
        }
        return;
    }
    domain.dom = simplified(domain.dom, analyzer);
    domain.bound = simplified(domain.bound, analyzer);
    const IntSet both =
        simplified(arith::intersectSets(domain.dom, domain.bound, analyzer), analyzer);
    if (sameSet(domain.dom, both, analyzer)) {
        domain.bound = IntSet::nothing();
    } else if (sameSet(domain.bound, both, analyzer)) {
        domain.dom = domain.bound;
        domain.bound = IntSet::nothing();
    } else if (both.isBounded() && ir::constInt(both.min()) && ir::constInt(both.max())) {
        domain.dom = both;
        domain.bound = IntSet::nothing();
    }
}

class DomainSolver {
public:
    DomainSolver(const std::vector<ir::IterVar>& iters, Analyzer& analyzer)
        : iters_(iters), analyzer_(analyzer), domains_(iters.size()) {}

    Outcome<std::vector<IterDomain>> solve(const std::vector<RegionDemand>& demands) {
        for (const RegionDemand& demand : demands) {
            if (demand.required.empty())
                continue;
            const IntSetRegion required = arith::unionRegions(demand.required, analyzer_);
            const IntSetRegion provided = arith::unionRegions(demand.provided, analyzer_);
            if (!solveAffine(*demand.buffer, provided, required))
                TW_TRY(solveByDimension(*demand.buffer, provided, required));
        }
        for (std::size_t i = 0; i < iters_.size(); ++i) {
            IterDomain& domain = domains_[i];
            const IntSet whole = IntSet::fromRange(iters_[i].dom);
            domain.bound = domain.bound.isNothing()
                               ? whole
                               : arith::intersectSets(domain.bound, whole, analyzer_);
            settle(domain, analyzer_);
            if (domain.dom.isNothing())
                return fail("ValueError", base::concat("The iterator ", iters_[i].var->name,
                                                       " has no bounded domain"));
        }
        return std::move(domains_);
    }

private:
    IterDomain* find(const ir::VarNode* var) {
        for (std::size_t i = 0; i < iters_.size(); ++i)
            if (iters_[i].var.get() == var)
                return &domains_[i];
        return nullptr;
    }

    static Expr lastIndex(const Expr& extent) {
        return ir::maximum(extent - ir::makeInt(1, extent->dtype), ir::makeInt(0, extent->dtype));
    }

    /// One point per instance, found by a bijective affine map: invert the map at both ends.
    bool solveAffine(const ir::BufferNode& buffer, const IntSetRegion& provided,
                     const IntSetRegion& required) {
        std::vector<Expr> indices;
        for (const IntSet& set : provided) {
            if (!isSinglePoint(set, analyzer_))
                return false;
            indices.push_back(set.min());
        }
        arith::Domain domain;
        for (const auto& iter : iters_)
            domain.push_back({iter.var, iter.dom});
        const arith::IterMapResult map = arith::detectIterMap(
            indices, domain, nullptr, arith::IterMapLevel::Bijective, analyzer_, false);
        if (!map.ok() || map.indices.empty())
            return false;
        std::vector<Expr> low, high, zero, last;
        for (std::size_t i = 0; i < required.size(); ++i) {
            if (!required[i].isBounded())
                return false;
            low.push_back(required[i].min());
            high.push_back(required[i].max());
            zero.push_back(ir::makeInt(0, buffer.shape[i]->dtype));
            last.push_back(lastIndex(buffer.shape[i]));
        }
        const auto domLow = arith::inverseAffineIterMap(map.indices, low);
        const auto domHigh = arith::inverseAffineIterMap(map.indices, high);
        const auto boundLow = arith::inverseAffineIterMap(map.indices, zero);
        const auto boundHigh = arith::inverseAffineIterMap(map.indices, last);
        const auto interval = [&](const Expr& a, const Expr& b) {
            return IntSet::interval(analyzer_.simplify(ir::minimum(a, b)),
                                    analyzer_.simplify(ir::maximum(a, b)));
        };
        for (std::size_t i = 0; i < iters_.size(); ++i) {
            const ir::VarNode* var = iters_[i].var.get();
            const auto at = domLow.find(var);
            if (at == domLow.end())
                continue;
            join(domains_[i],
                 {interval(at->second, domHigh.at(var)),
                  interval(boundLow.at(var), boundHigh.at(var))},
                 analyzer_);
        }
        return true;
    }

    Outcome<void> solveByDimension(const ir::BufferNode& buffer, const IntSetRegion& provided,
                                   const IntSetRegion& required) {
        for (std::size_t i = 0; i < provided.size(); ++i) {
            if (isSinglePoint(provided[i], analyzer_) && ir::constInt(provided[i].min()))
                continue;
            if (!provided[i].isBounded() || !required[i].isBounded())
                return fail("ValueError", "A buffer region without bounds cannot be solved");
            IterDomain found;
            TW_ASSIGN(const ir::VarNode* var, solvePattern(analyzer_.simplify(provided[i].min()),
                                                           analyzer_.simplify(provided[i].max()),
                                                           analyzer_.simplify(required[i].min()),
                                                           analyzer_.simplify(required[i].max()),
                                                           lastIndex(buffer.shape[i]), found));
            if (IterDomain* domain = find(var))
                join(*domain, found, analyzer_);
        }
        return {};
    }

    /// `low <= e(v) <= high` for the supported forms of e: v * c, v, v // c, v % c and quotients of
    /// those.
    Outcome<const ir::VarNode*> solvePattern(const Expr& provided, const Expr& providedMax,
                                             const Expr& low, const Expr& high, const Expr& last,
                                             IterDomain& found) {
        const auto zero = ir::makeInt(0, last->dtype);
        const auto* binary = ir::as<ir::BinaryNode>(provided);
        if (provided->kind() == ir::NodeKind::Mul) {
            const auto* left = ir::as<ir::VarNode>(binary->a);
            const auto* right = ir::as<ir::VarNode>(binary->b);
            if (left || right) {
                const Expr& scale = left ? binary->b : binary->a;
                found.dom = IntSet::interval(ir::floorDiv(low, scale), ir::floorDiv(high, scale));
                found.bound = IntSet::interval(zero, ir::floorDiv(last, scale));
                return left ? left : right;
            }
        }
        if (analyzer_.canProveEqual(provided, providedMax)) {
            if (const auto* var = ir::as<ir::VarNode>(provided)) {
                found.dom = IntSet::interval(low, high);
                found.bound = IntSet::interval(zero, last);
                return var;
            }
            if (provided->kind() == ir::NodeKind::FloorMod) {
                // Any value of v may be needed.
                if (const auto* var = ir::as<ir::VarNode>(binary->a))
                    return var;
            }
            if (provided->kind() == ir::NodeKind::FloorDiv &&
                analyzer_.canProveGreaterEqual(binary->b, 1)) {
                const Expr& factor = binary->b;
                const Expr rest = factor - ir::makeInt(1, factor->dtype);
                return solvePattern(binary->a, binary->a, low * factor,
                                    analyzer_.simplify(high * factor + rest),
                                    analyzer_.simplify(last * factor + rest), found);
            }
        }
        return fail("ValueError",
                    base::concat("TensorRegion pattern match failed: ", ir::print(provided)));
    }

    const std::vector<ir::IterVar>& iters_;
    Analyzer& analyzer_;
    std::vector<IterDomain> domains_;
};

} // namespace

Outcome<std::vector<IterDomain>> solveIterDomains(const std::vector<ir::IterVar>& iters,
                                                  const std::vector<RegionDemand>& demands,
                                                  arith::Analyzer& analyzer) {
    return DomainSolver(iters, analyzer).solve(demands);
}

} // namespace tilewright::schedule
