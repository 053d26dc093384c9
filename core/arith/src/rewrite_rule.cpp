// SPDX-License-Identifier: Apache-2.0
#include "rewrite_rule.h"

#include <tilewright/arith/expr_equal.h>
#include <tilewright/base/check.h>

#include <cctype>
#include <string>

namespace tilewright::arith {

using namespace ir;
using Type = PatternNode::Type;

namespace {

/// Reads one rule. Operators marked `~` are read in the order that the bits of `variant` ask for.
class RuleParser {
public:
    RuleParser(std::string_view text, unsigned variant) : text_(text), variant_(variant) {
        rule_.text = text;
    }

    RewriteRule parse() {
        rule_.lhs = parseOr();
        skip();
        TW_CHECK(take("=>")) << "rule without arrow: " << std::string(text_);
        rule_.again = take(">");
        rule_.rhs = parseOr();
        if (takeWord("if"))
            rule_.condition = parseOr();
        skip();
        TW_CHECK(at_ == text_.size())
            << "rule with a rest: " << std::string(text_) << " at " << at_;
        setRootKinds();
        return std::move(rule_);
    }
    [[nodiscard]] int marks() const { return marks_; }

private:
    void skip() {
        while (at_ < text_.size() && text_[at_] == ' ')
            ++at_;
    }
    bool take(std::string_view token) {
        skip();
        if (text_.substr(at_, token.size()) != token)
            return false;
        at_ += token.size();
        return true;
    }
    bool peek(std::string_view token) {
        skip();
        return text_.substr(at_, token.size()) == token;
    }
    bool takeWord(std::string_view word) {
        skip();
        if (text_.substr(at_, word.size()) != word)
            return false;
        const std::size_t end = at_ + word.size();
        if (end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end])))
            return false;
        at_ = end;
        return true;
    }
    bool swapped() {
        if (!take("~"))
            return false;
        return (variant_ >> marks_++ & 1U) != 0;
    }
    int push(PatternNode node) {
        rule_.nodes.push_back(node);
        return static_cast<int>(rule_.nodes.size()) - 1;
    }
    int binary(NodeKind op, int a, int b, bool swap) {
        PatternNode node;
        node.type = Type::Operator;
        node.op = op;
        node.a = static_cast<std::int16_t>(swap ? b : a);
        node.b = static_cast<std::int16_t>(swap ? a : b);
        node.ground = rule_.nodes[static_cast<std::size_t>(a)].ground &&
                      rule_.nodes[static_cast<std::size_t>(b)].ground;
        return push(node);
    }
    int parseOr() {
        int a = parseAnd();
        while (take("||")) {
            const bool swap = swapped();
            a = binary(NodeKind::Or, a, parseAnd(), swap);
        }
        return a;
    }
    int parseAnd() {
        int a = parseNot();
        while (take("&&")) {
            const bool swap = swapped();
            a = binary(NodeKind::And, a, parseNot(), swap);
        }
        return a;
    }
    int parseNot() {
        skip();
        if (peek("!") && !peek("!=")) {
            take("!");
            PatternNode node;
            node.type = Type::Not;
            node.a = static_cast<std::int16_t>(parseNot());
            node.ground = rule_.nodes[static_cast<std::size_t>(node.a)].ground;
            return push(node);
        }
        return parseComparison();
    }
    int parseComparison() {
        const int a = parseSum();
        if (peek("=>"))
            return a;
        static constexpr std::pair<std::string_view, NodeKind> kOps[] = {
            {"==", NodeKind::EQ}, {"!=", NodeKind::NE}, {"<=", NodeKind::LE},
            {">=", NodeKind::GE}, {"<", NodeKind::LT},  {">", NodeKind::GT}};
        for (const auto& [token, op] : kOps)
            if (take(token)) {
                const bool swap = swapped();
                return binary(op, a, parseSum(), swap);
            }
        return a;
    }
    int parseSum() {
        int a = parseProduct();
        for (;;) {
            if (take("+")) {
                const bool swap = swapped();
                a = binary(NodeKind::Add, a, parseProduct(), swap);
            } else if (take("-")) {
                a = binary(NodeKind::Sub, a, parseProduct(), false);
            } else {
                return a;
            }
        }
    }
    int parseProduct() {
        int a = parseAtom();
        for (;;) {
            if (take("*")) {
                const bool swap = swapped();
                a = binary(NodeKind::Mul, a, parseAtom(), swap);
            } else if (take("//")) {
                a = binary(NodeKind::FloorDiv, a, parseAtom(), false);
            } else if (take("%")) {
                a = binary(NodeKind::FloorMod, a, parseAtom(), false);
            } else {
                return a;
            }
        }
    }
    int parseCall(NodeKind op) {
        const bool swap = swapped();
        TW_CHECK(take("(")) << std::string(text_);
        const int a = parseOr();
        TW_CHECK(take(",")) << std::string(text_);
        const int b = parseOr();
        TW_CHECK(take(")")) << std::string(text_);
        return binary(op, a, b, swap);
    }
    int parseSelect() {
        PatternNode node;
        node.type = Type::Select;
        TW_CHECK(take("(")) << std::string(text_);
        node.a = static_cast<std::int16_t>(parseOr());
        TW_CHECK(take(",")) << std::string(text_);
        node.b = static_cast<std::int16_t>(parseOr());
        TW_CHECK(take(",")) << std::string(text_);
        node.c = static_cast<std::int16_t>(parseOr());
        TW_CHECK(take(")")) << std::string(text_);
        return push(node);
    }
    int literal(std::int64_t value, bool boolean) {
        PatternNode node;
        node.type = Type::Literal;
        node.value = value;
        node.boolean = boolean;
        node.ground = true;
        return push(node);
    }
    int parseAtom() {
        if (take("(")) {
            const int inner = parseOr();
            TW_CHECK(take(")")) << "unbalanced rule: " << std::string(text_);
            return inner;
        }
        if (takeWord("true"))
            return literal(1, true);
        if (takeWord("false"))
            return literal(0, true);
        static constexpr std::pair<std::string_view, NodeKind> kCalls[] = {{"min", NodeKind::Min},
                                                                           {"max", NodeKind::Max},
                                                                           {"tdiv", NodeKind::Div},
                                                                           {"tmod", NodeKind::Mod}};
        for (const auto& [word, op] : kCalls)
            if (takeWord(word))
                return parseCall(op);
        if (takeWord("select"))
            return parseSelect();
        skip();
        TW_CHECK(at_ < text_.size()) << "rule ends early: " << std::string(text_);
        if (std::isdigit(static_cast<unsigned char>(text_[at_]))) {
            std::int64_t value = 0;
            while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])))
                value = value * 10 + (text_[at_++] - '0');
            return literal(value, false);
        }
        return parseName();
    }
    int parseName() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])))
            ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        TW_CHECK(!name.empty()) << "no name at " << begin << " of " << std::string(text_);
        PatternNode node;
        std::size_t slot = 0;
        while (slot < names_.size() && names_[slot] != name)
            ++slot;
        if (slot == names_.size())
            names_.push_back(name);
        node.slot = static_cast<std::uint8_t>(slot);
        const bool constant = name.size() == 2 && name[0] == 'c';
        node.type = constant ? Type::Constant : Type::Wild;
        node.ground = constant;
        return push(node);
    }
    [[nodiscard]] std::uint64_t kindsOf(int index) const {
        if (index < 0)
            return ~std::uint64_t{0};
        const PatternNode& node = rule_.nodes[static_cast<std::size_t>(index)];
        switch (node.type) {
        case Type::Wild:
            return ~std::uint64_t{0};
        case Type::Constant:
        case Type::Literal:
            return std::uint64_t{1} << static_cast<unsigned>(NodeKind::IntImm);
        case Type::Operator:
            return std::uint64_t{1} << static_cast<unsigned>(node.op);
        case Type::Not:
            return std::uint64_t{1} << static_cast<unsigned>(NodeKind::Not);
        case Type::Select:
            return std::uint64_t{1} << static_cast<unsigned>(NodeKind::Select);
        }
        return 0;
    }
    void setRootKinds() {
        const PatternNode& root = rule_.nodes[static_cast<std::size_t>(rule_.lhs)];
        rule_.aKinds = kindsOf(root.a);
        rule_.bKinds = kindsOf(root.b);
    }

    std::string_view text_;
    unsigned variant_;
    int marks_ = 0;
    std::size_t at_ = 0;
    std::vector<std::string_view> names_;
    RewriteRule rule_;
};

bool matchNode(const RewriteRule& rule, int index, const ExprNode* expr, RuleBindings& bound) {
    const PatternNode& node = rule.nodes[static_cast<std::size_t>(index)];
    switch (node.type) {
    case Type::Constant:
        if (expr->kind() != NodeKind::IntImm)
            return false;
        [[fallthrough]];
    case Type::Wild: {
        const ExprNode*& slot = bound.slots[node.slot];
        if (!slot) {
            slot = expr;
            if (!expr->dtype.isBool())
                bound.indexType = expr->dtype;
            return true;
        }
        return slot == expr || (slot->kind() == expr->kind() && exprEqual(Expr(slot), Expr(expr)));
    }
    case Type::Literal:
        return expr->kind() == NodeKind::IntImm &&
               static_cast<const IntImmNode*>(expr)->value == node.value;
    case Type::Operator: {
        if (expr->kind() != node.op)
            return false;
        const auto* binary = static_cast<const BinaryNode*>(expr);
        return matchNode(rule, node.a, binary->a.get(), bound) &&
               matchNode(rule, node.b, binary->b.get(), bound);
    }
    case Type::Not:
        return expr->kind() == NodeKind::Not &&
               matchNode(rule, node.a, static_cast<const NotNode*>(expr)->a.get(), bound);
    case Type::Select: {
        if (expr->kind() != NodeKind::Select)
            return false;
        const auto* select = static_cast<const SelectNode*>(expr);
        return matchNode(rule, node.a, select->condition.get(), bound) &&
               matchNode(rule, node.b, select->trueValue.get(), bound) &&
               matchNode(rule, node.c, select->falseValue.get(), bound);
    }
    }
    return false;
}

Expr buildNode(const RewriteRule& rule, int index, const RuleBindings& bound) {
    const PatternNode& node = rule.nodes[static_cast<std::size_t>(index)];
    switch (node.type) {
    case Type::Constant:
    case Type::Wild:
        return Expr(bound.slots[node.slot]);
    case Type::Literal:
        return node.boolean ? makeBool(node.value != 0) : makeInt(node.value, bound.indexType);
    case Type::Operator:
        return foldBinary(node.op, buildNode(rule, node.a, bound), buildNode(rule, node.b, bound));
    case Type::Not:
        return logicalNot(buildNode(rule, node.a, bound));
    case Type::Select:
        return makeSelect(buildNode(rule, node.a, bound), buildNode(rule, node.b, bound),
                          buildNode(rule, node.c, bound));
    }
    return nullptr;
}

/// Value of a ground pattern; nullopt for a division by zero.
std::optional<std::int64_t> evalGround(const RewriteRule& rule, int index,
                                       const RuleBindings& bound) {
    const PatternNode& node = rule.nodes[static_cast<std::size_t>(index)];
    if (node.type == Type::Literal)
        return node.value;
    if (node.type == Type::Constant)
        return static_cast<const IntImmNode*>(bound.slots[node.slot])->value;
    if (node.type == Type::Not) {
        const auto value = evalGround(rule, node.a, bound);
        return value ? std::optional<std::int64_t>(*value == 0) : std::nullopt;
    }
    const auto a = evalGround(rule, node.a, bound);
    if (a && node.op == NodeKind::And && *a == 0)
        return 0;
    if (a && node.op == NodeKind::Or && *a != 0)
        return 1;
    const auto b = evalGround(rule, node.b, bound);
    if (!a || !b)
        return std::nullopt;
    switch (node.op) {
    case NodeKind::Add:
        return *a + *b;
    case NodeKind::Sub:
        return *a - *b;
    case NodeKind::Mul:
        return *a * *b;
    case NodeKind::FloorDiv:
        return *b == 0 ? std::nullopt : std::optional(floorDivide(*a, *b));
    case NodeKind::FloorMod:
        return *b == 0 ? std::nullopt : std::optional(floorRemainder(*a, *b));
    case NodeKind::Div:
        return *b == 0 ? std::nullopt : std::optional(*a / *b);
    case NodeKind::Mod:
        return *b == 0 ? std::nullopt : std::optional(*a % *b);
    case NodeKind::Min:
        return std::min(*a, *b);
    case NodeKind::Max:
        return std::max(*a, *b);
    case NodeKind::EQ:
        return *a == *b;
    case NodeKind::NE:
        return *a != *b;
    case NodeKind::LT:
        return *a < *b;
    case NodeKind::LE:
        return *a <= *b;
    case NodeKind::GT:
        return *a > *b;
    case NodeKind::GE:
        return *a >= *b;
    case NodeKind::And:
    case NodeKind::Or:
        return *b != 0;
    default:
        return std::nullopt;
    }
}

bool holds(const RewriteRule& rule, int index, const RuleBindings& bound, Analyzer::State& state) {
    const PatternNode& node = rule.nodes[static_cast<std::size_t>(index)];
    if (node.ground)
        return evalGround(rule, index, bound).value_or(0) != 0;
    if (node.op == NodeKind::And)
        return holds(rule, node.a, bound, state) && holds(rule, node.b, bound, state);
    if (node.op == NodeKind::Or)
        return holds(rule, node.a, bound, state) || holds(rule, node.b, bound, state);
    const PatternNode& right = rule.nodes[static_cast<std::size_t>(node.b)];
    const Expr a = buildNode(rule, node.a, bound);
    if (right.ground &&
        (node.op == NodeKind::GE || node.op == NodeKind::LT || node.op == NodeKind::NE)) {
        const auto limit = evalGround(rule, node.b, bound);
        if (!limit)
            return false;
        const ConstIntBound range = evalConstIntBound(state, a);
        if (node.op == NodeKind::GE)
            return range.min >= *limit;
        if (node.op == NodeKind::LT)
            return range.max < *limit;
        return range.min > *limit || range.max < *limit;
    }
    const Expr b = buildNode(rule, node.b, bound);
    if (node.op == NodeKind::EQ)
        return state.owner.canProveEqual(a, b);
    return state.owner.canProve(foldBinary(node.op, a, b));
}

} // namespace

RuleSet::RuleSet(const std::vector<std::string_view>& texts) : byKinds_(kKinds * kKinds) {
    for (const std::string_view text : texts) {
        RuleParser first(text, 0);
        first.parse();
        const unsigned variants = 1U << first.marks();
        for (unsigned variant = 0; variant < variants; ++variant) {
            RewriteRule rule = RuleParser(text, variant).parse();
            const PatternNode& root = rule.nodes[static_cast<std::size_t>(rule.lhs)];
            const NodeKind kind = root.type == Type::Not      ? NodeKind::Not
                                  : root.type == Type::Select ? NodeKind::Select
                                                              : root.op;
            const RewriteRule& stored = rules_.emplace_back(std::move(rule));
            for (std::size_t first = 0; first < kKinds; ++first)
                if (stored.aKinds >> first & 1U)
                    byKinds_[static_cast<std::size_t>(kind) * kKinds + first].push_back(&stored);
        }
    }
}

bool matchRule(const RewriteRule& rule, const ExprNode* a, const ExprNode* b, const ExprNode* c,
               RuleBindings& bound) {
    const PatternNode& root = rule.nodes[static_cast<std::size_t>(rule.lhs)];
    bound.slots = {};
    if (!a->dtype.isBool())
        bound.indexType = a->dtype;
    return matchNode(rule, root.a, a, bound) && (!b || matchNode(rule, root.b, b, bound)) &&
           (!c || matchNode(rule, root.c, c, bound));
}

bool conditionHolds(const RewriteRule& rule, const RuleBindings& bound, Analyzer::State& state) {
    return rule.condition < 0 || holds(rule, rule.condition, bound, state);
}

Expr buildResult(const RewriteRule& rule, const RuleBindings& bound, DataType resultType) {
    const PatternNode& root = rule.nodes[static_cast<std::size_t>(rule.rhs)];
    if (root.type == Type::Literal)
        return makeInt(root.value, resultType);
    Expr result = buildNode(rule, rule.rhs, bound);
    return result;
}

} // namespace tilewright::arith
