// SPDX-License-Identifier: Apache-2.0
#include <tilewright/arith/analyzer.h>

#include "state.h"

#include <tilewright/arith/expr_equal.h>
#include <tilewright/arith/linear_equation.h>
#include <tilewright/base/check.h>

#include <algorithm>
#include <array>

namespace tilewright::arith {

using namespace ir;

Analyzer::Analyzer() : state_(std::make_unique<State>(*this)) {}
Analyzer::~Analyzer() = default;

void Analyzer::bind(const Var& var, const Range& range, bool allowOverride) {
    if (isOne(range.extent)) {
        bind(var, range.min, allowOverride);
        return;
    }
    const ConstIntBound min = evalConstIntBound(*state_, range.min);
    const ConstIntBound extent = evalConstIntBound(*state_, range.extent);
    VarFacts& facts = state_->vars.at(var);
    facts.value = nullptr;
    facts.modular.reset();
    facts.bound = ConstIntBound{min.min, addInf(addInf(min.max, extent.max), -1)};
    facts.range = IntSet::fromRange(range);
    // Symbolic extents: var < min + extent is remembered as an order.
    if (!constInt(range.extent) || !constInt(range.min)) {
        const Expr last = isZero(range.min) ? range.extent : simplify(range.min + range.extent);
        if (!constInt(last))
            state_->orders.push_back({var, last, -1});
        if (!constInt(range.min))
            state_->orders.push_back({range.min, var, 0});
    }
}

void Analyzer::bind(const Var& var, const Expr& value, bool) {
    const Expr simple = simplify(value, 1);
    const ConstIntBound bound = evalConstIntBound(*state_, simple);
    const ModularSet modular = evalModularSet(*state_, simple);
    VarFacts& facts = state_->vars.at(var);
    facts.value = simple->dtype == var->dtype ? simple : cast(var->dtype, simple);
    facts.bound = bound;
    facts.modular = modular;
    facts.range = IntSet::point(facts.value);
}

void Analyzer::bind(const Domain& domain, bool allowOverride) {
    for (const VarRange& entry : domain)
        bind(entry.var, entry.range, allowOverride);
}

void Analyzer::assumeBound(const Var& var, ConstIntBound bound) {
    VarFacts& facts = state_->vars.at(var);
    facts.bound = facts.bound ? intersectBounds(*facts.bound, bound) : bound;
}

Expr Analyzer::rewriteSimplify(const Expr& expr) {
    Expr current = expr;
    for (int i = 0; i < 2; ++i) {
        Expr next = rewriteOnce(*state_, current);
        if (next == current)
            break;
        current = std::move(next);
    }
    return current;
}

Expr Analyzer::canonicalSimplify(const Expr& expr) {
    return canonicalOnce(*state_, expr);
}

namespace {

/// A term of a canonical sum: a variable, or quotients and remainders of one by constants.
struct SumTerm {
    const ExprNode* var = nullptr;
    bool whole = true; ///< the variable itself
    bool negative = false;
};

bool readTerm(const Expr& e, SumTerm& term) {
    const ExprNode* node = e.get();
    const auto constantRight = [&](NodeKind kind) {
        if (node->kind() != kind)
            return false;
        const auto* binary = static_cast<const BinaryNode*>(node);
        return binary->b->kind() == NodeKind::IntImm;
    };
    if (constantRight(NodeKind::Mul)) {
        const auto* binary = static_cast<const BinaryNode*>(node);
        term.negative = static_cast<const IntImmNode*>(binary->b.get())->value < 0;
        node = binary->a.get();
    }
    for (const NodeKind kind : {NodeKind::FloorDiv, NodeKind::FloorMod})
        if (constantRight(kind)) {
            term.whole = false;
            node = static_cast<const BinaryNode*>(node)->a.get();
        }
    term.var = node;
    return node->kind() == NodeKind::Var;
}

/// A canonical sum over variables and their quotients and remainders that no rewriting rule
/// changes: rewriting and canonical form give it back.
bool isFinalSum(const Expr& expr) {
    std::array<SumTerm, 10> seen{};
    std::size_t count = 0;
    const auto take = [&](const Expr& e, bool negative) {
        if (count == seen.size())
            return false;
        SumTerm term;
        if (!readTerm(e, term))
            return false;
        term.negative = term.negative != negative;
        for (std::size_t i = 0; i < count; ++i)
            if (seen[i].var == term.var &&
                (seen[i].whole || term.whole || seen[i].negative || term.negative))
                return false;
        seen[count++] = term;
        return true;
    };
    const Expr* current = &expr;
    bool outermost = true;
    while ((*current)->kind() == NodeKind::Add || (*current)->kind() == NodeKind::Sub) {
        const auto* node = static_cast<const BinaryNode*>(current->get());
        if (!(outermost && node->b->kind() == NodeKind::IntImm) &&
            !take(node->b, node->kind() == NodeKind::Sub))
            return false;
        outermost = false;
        current = &node->a;
    }
    return take(*current, false);
}

} // namespace

Expr Analyzer::simplify(const Expr& expr, int steps) {
    if (expr->kind() == NodeKind::IntImm)
        return expr;
    Expr current = canonicalOnce(*state_, expr);
    if (isIndexType(current->dtype) && isFinalSum(current))
        return current;
    for (int i = 0; i < steps; ++i) {
        if (current->kind() == NodeKind::IntImm)
            return current;
        current = i % 2 == 0 ? rewriteSimplify(current) : canonicalOnce(*state_, current);
    }
    return current;
}

bool Analyzer::canProve(const Expr& condition, ProofStrength strength) {
    if (const auto value = constInt(condition))
        return *value != 0;
    if (state_->proofDepth > 4)
        return false;
    struct Depth {
        int& depth;
        explicit Depth(int& d) : depth(d) { ++depth; }
        ~Depth() { --depth; }
    } const guard(state_->proofDepth);
    Expr simple = rewriteSimplify(condition);
    if (const auto value = constInt(simple))
        return *value != 0;
    simple = simplify(condition);
    if (const auto value = constInt(simple))
        return *value != 0;
    const auto* node = as<BinaryNode>(simple);
    if (!node)
        return false;
    if (node->kind() == NodeKind::And)
        return canProve(node->a, strength) && canProve(node->b, strength);
    if (node->kind() == NodeKind::Or)
        return canProve(node->a, strength) || canProve(node->b, strength);
    if (strength == ProofStrength::SymbolicBound && node->a->dtype.isInt()) {
        // The symbolic interval of the difference decides where constant bounds do not.
        Expr small;
        Expr large;
        std::int64_t least = 0;
        switch (node->kind()) {
        case NodeKind::LE:
            small = node->a, large = node->b;
            break;
        case NodeKind::LT:
            small = node->a, large = node->b, least = 1;
            break;
        case NodeKind::GE:
            small = node->b, large = node->a;
            break;
        case NodeKind::GT:
            small = node->b, large = node->a, least = 1;
            break;
        default:
            return false;
        }
        const IntSet set = intSet(simplify(large - small));
        if (!set.hasLower())
            return false;
        return evalConstIntBound(*state_, simplify(set.min())).min >= least;
    }
    return false;
}

bool Analyzer::canProveEqual(const Expr& a, const Expr& b) {
    if (exprEqual(a, b))
        return true;
    const auto x = constInt(a);
    const auto y = constInt(b);
    if (x && y)
        return *x == *y;
    if (state_->proofDepth > 4)
        return false;
    ++state_->proofDepth;
    const Expr difference = simplify(a - b);
    --state_->proofDepth;
    return isZero(difference);
}

bool Analyzer::canProveLess(const Expr& a, const Expr& b) {
    return canProve(less(a, b));
}

bool Analyzer::canProveLessEqual(const Expr& a, const Expr& b) {
    return canProve(lessEqual(a, b));
}

bool Analyzer::canProveGreaterEqual(const Expr& expr, std::int64_t lowerBound) {
    return constIntBound(rewriteSimplify(expr)).min >= lowerBound;
}

bool Analyzer::canProveLess(const Expr& expr, std::int64_t upperBound) {
    return constIntBound(rewriteSimplify(expr)).max < upperBound;
}

ConstIntBound Analyzer::constIntBound(const Expr& expr) {
    return evalConstIntBound(*state_, expr);
}

ModularSet Analyzer::modularSet(const Expr& expr) {
    return evalModularSet(*state_, expr);
}

IntSet Analyzer::intSet(const Expr& expr, const SetDomain& domain) {
    return evalSet(expr, domain, *this);
}

IntSet Analyzer::intSet(const Expr& expr) {
    SetDomain domain;
    for (const VarFacts& facts : state_->vars.all())
        if (facts.range)
            domain.push_back({facts.var, *facts.range});
    return evalSet(expr, domain, *this);
}

/// Lengths of the fact lists to return to, and the facts of a variable that was changed.
struct Analyzer::Constraint::Saved {
    std::size_t boundFacts = 0;
    std::size_t literals = 0;
    std::size_t orders = 0;
    std::vector<std::pair<Var, std::optional<ModularSet>>> modular;
};

Analyzer::Constraint::Constraint(Analyzer& analyzer, std::unique_ptr<Saved> saved)
    : analyzer_(&analyzer), saved_(std::move(saved)) {}
Analyzer::Constraint::Constraint(Constraint&& other) noexcept = default;

Analyzer::Constraint::~Constraint() {
    if (!saved_)
        return;
    State& state = *analyzer_->state_;
    state.boundFacts.resize(saved_->boundFacts);
    state.literals.resize(saved_->literals);
    state.orders.resize(saved_->orders);
    for (auto& [var, modular] : saved_->modular)
        state.vars.at(var).modular = modular;
}

Analyzer::Constraint Analyzer::withConstraint(const Expr& condition) {
    State& state = *state_;
    auto saved = std::make_unique<Constraint::Saved>();
    saved->boundFacts = state.boundFacts.size();
    saved->literals = state.literals.size();
    saved->orders = state.orders.size();
    for (const Expr& part : conjuncts(condition)) {
        if (part->kind() == NodeKind::IntImm)
            continue;
        const Expr simple = rewriteSimplify(part);
        collectBoundFacts(part, state);
        state.literals.push_back(part);
        if (simple->kind() != NodeKind::IntImm && !exprEqual(simple, part)) {
            collectBoundFacts(simple, state);
            for (const Expr& piece : conjuncts(simple))
                state.literals.push_back(piece);
        }
        // x % c == r fixes the residue of a variable.
        const auto* equality = as<BinaryNode>(part);
        if (!equality || equality->kind() != NodeKind::EQ)
            continue;
        const auto* remainder = as<BinaryNode>(equality->a);
        const auto residue = constInt(equality->b);
        if (!remainder || remainder->kind() != NodeKind::FloorMod || !residue)
            continue;
        const Var var = refAs<VarNode>(remainder->a);
        const auto modulus = constInt(remainder->b);
        if (var && modulus && *modulus > 1) {
            VarFacts& facts = state.vars.at(var);
            if (facts.modular && facts.modular->coeff % *modulus != 0 && facts.modular->coeff != 1)
                continue;
            saved->modular.emplace_back(var, facts.modular);
            facts.modular = ModularSet{*modulus, *residue};
        }
    }
    return {*this, std::move(saved)};
}

} // namespace tilewright::arith
