// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rewriting rules as text: `(x + y) - y => x`, `x * c1 < c2 => x < (c2 - 1) // c1 + 1 if c1 > 0`.
//
// Names: c1 … c4 match integer constants, every other name matches any expression; a name met twice
// must match equal expressions. `//` and `%` are floor division and its remainder, tdiv() and
// tmod() truncate, `+~ *~ ==~ &&~ ||~` and min~() max~() match both orders of their operands. `=>>`
// applies rules to the result again. In conditions, comparisons of constants are computed; others
// are proved.

#include "state.h"

#include <array>
#include <deque>
#include <string_view>
#include <vector>

namespace tilewright::arith {

struct PatternNode {
    enum class Type : std::uint8_t { Wild, Constant, Literal, Operator, Not, Select };
    Type type = Type::Wild;
    ir::NodeKind op = ir::NodeKind::Add;
    std::uint8_t slot = 0;
    bool ground = false; ///< only constants and literals below
    bool boolean = false;
    std::int16_t a = -1;
    std::int16_t b = -1;
    std::int16_t c = -1;
    std::int64_t value = 0;
};

struct RewriteRule {
    std::string_view text;
    std::vector<PatternNode> nodes;
    int lhs = -1;
    int rhs = -1;
    int condition = -1;
    bool again = false;
    std::uint64_t aKinds = 0; ///< kinds that the root's first operand may have
    std::uint64_t bKinds = 0;
};

/// What a match bound; pointers into the matched expression, which the caller keeps alive.
struct RuleBindings {
    std::array<const ir::ExprNode*, 16> slots{};
    ir::DataType indexType;
};

/// Rules by the kinds of their root and its first operand, in the order written.
class RuleSet {
public:
    explicit RuleSet(const std::vector<std::string_view>& texts);
    [[nodiscard]] const std::vector<const RewriteRule*>& of(ir::NodeKind root,
                                                            ir::NodeKind first) const {
        return byKinds_[static_cast<std::size_t>(root) * kKinds + static_cast<std::size_t>(first)];
    }

private:
    static constexpr std::size_t kKinds = 64;
    std::deque<RewriteRule> rules_;
    std::vector<std::vector<const RewriteRule*>> byKinds_;
};

/// Matches `a op b` (or `not a`, with a null `b`; `select(a, b, c)`).
bool matchRule(const RewriteRule& rule, const ir::ExprNode* a, const ir::ExprNode* b,
               const ir::ExprNode* c, RuleBindings& bindings);
/// Whether the rule's condition holds under what the analyzer knows.
bool conditionHolds(const RewriteRule& rule, const RuleBindings& bindings, Analyzer::State& state);
ir::Expr buildResult(const RewriteRule& rule, const RuleBindings& bindings,
                     ir::DataType resultType);

/// The simplifier's rules.
const RuleSet& simplifierRules();
/// Their texts (a test checks each one on random values).
std::vector<std::string_view> simplifierRuleTexts();

} // namespace tilewright::arith
