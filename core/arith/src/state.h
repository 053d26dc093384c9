// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "int_math.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/ir/make.h>

#include <optional>
#include <unordered_map>
#include <vector>

namespace tilewright::arith {

/// What is known about one variable.
struct VarFacts {
    ir::Var var;
    std::optional<ConstIntBound> bound;
    std::optional<ModularSet> modular;
    ir::Expr value; ///< replacement, or null
    std::optional<IntSet> range;
};

/// Variables in order of binding; few in practice, so a scan of addresses beats a hash table.
class VarTable {
public:
    VarFacts* find(const ir::VarNode* var) {
        if (keys_.size() > kScanLimit) {
            const auto it = index_.find(var);
            return it == index_.end() ? nullptr : &facts_[it->second];
        }
        for (std::size_t i = keys_.size(); i-- > 0;)
            if (keys_[i] == var)
                return &facts_[i];
        return nullptr;
    }
    VarFacts& at(const ir::Var& var) {
        if (VarFacts* known = find(var.get()))
            return *known;
        keys_.push_back(var.get());
        facts_.emplace_back().var = var;
        if (keys_.size() == kScanLimit + 1)
            for (std::size_t i = 0; i < keys_.size(); ++i)
                index_[keys_[i]] = i;
        else if (keys_.size() > kScanLimit)
            index_[var.get()] = keys_.size() - 1;
        return facts_.back();
    }
    [[nodiscard]] const std::vector<VarFacts>& all() const { return facts_; }

private:
    static constexpr std::size_t kScanLimit = 24;
    std::vector<const ir::VarNode*> keys_;
    std::vector<VarFacts> facts_;
    std::unordered_map<const ir::VarNode*, std::size_t> index_;
};

/// An expression known to lie within bounds (from a constraint).
struct BoundFact {
    ir::Expr expr;
    ConstIntBound bound;
};

/// `lhs <= rhs + offset` (from a constraint between symbolic expressions).
struct OrderFact {
    ir::Expr lhs;
    ir::Expr rhs;
    std::int64_t offset;
};

struct Analyzer::State {
    explicit State(Analyzer& analyzer) : owner(analyzer) {}
    Analyzer& owner;
    VarTable vars;
    std::vector<BoundFact> boundFacts;
    std::vector<ir::Expr> literals; ///< boolean expressions known to be true
    std::vector<OrderFact> orders;
    int rewriteDepth = 0;
    int proofDepth = 0;
};

ConstIntBound evalConstIntBound(Analyzer::State& state, const ir::Expr& expr);
ModularSet evalModularSet(Analyzer::State& state, const ir::Expr& expr);
/// One pass of the rewriting rules over the whole tree.
ir::Expr rewriteOnce(Analyzer::State& state, const ir::Expr& expr);
ir::Expr canonicalOnce(Analyzer::State& state, const ir::Expr& expr);
/// Bounds that a true condition implies for its operands.
void collectBoundFacts(const ir::Expr& condition, Analyzer::State& state);

/// What is known of `a` against `b`.
enum class Order : std::uint8_t { Unknown, EQ, LT, LE, GT, GE, NE };

} // namespace tilewright::arith
