// SPDX-License-Identifier: Apache-2.0
#include "random_index.h"

#include "rewrite_rule.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/decide_condition.h>
#include <tilewright/arith/expr_equal.h>
#include <tilewright/arith/int_set.h>
#include <tilewright/arith/linear_equation.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>

#include <QtTest/QTest>

#include <bit>
#include <fstream>
#include <set>
#include <sstream>

using namespace tilewright;
using namespace tilewright::arith;
using namespace tilewright::arith::testing;
using namespace tilewright::ir;

namespace {

/// Value of a rule's pattern; throws on a division by zero.
std::int64_t evalPattern(const RewriteRule& rule, int index,
                         const std::array<std::int64_t, 16>& operands) {
    const PatternNode& node = rule.nodes[static_cast<std::size_t>(index)];
    switch (node.type) {
    case PatternNode::Type::Wild:
    case PatternNode::Type::Constant:
        return operands[node.slot];
    case PatternNode::Type::Literal:
        return node.value;
    case PatternNode::Type::Not:
        return evalPattern(rule, node.a, operands) == 0;
    case PatternNode::Type::Select:
        return evalPattern(rule, evalPattern(rule, node.a, operands) != 0 ? node.b : node.c,
                           operands);
    case PatternNode::Type::Operator:
        break;
    }
    const std::int64_t a = evalPattern(rule, node.a, operands);
    // The right side of a connective may divide by what the left side excludes.
    if ((node.op == NodeKind::And && a == 0) || (node.op == NodeKind::Or && a != 0))
        return a != 0;
    const std::int64_t b = evalPattern(rule, node.b, operands);
    const bool divides = node.op == NodeKind::FloorDiv || node.op == NodeKind::FloorMod ||
                         node.op == NodeKind::Div || node.op == NodeKind::Mod;
    if (divides && b == 0)
        throw std::domain_error("division by zero");
    return evalOp(node.op, a, b);
}

/// Slots that stand for boolean operands.
void markBooleans(const RewriteRule& rule, int index, bool boolean, std::array<bool, 16>& marks) {
    if (index < 0)
        return;
    const PatternNode& node = rule.nodes[static_cast<std::size_t>(index)];
    if (node.type == PatternNode::Type::Wild) {
        marks[node.slot] = boolean;
        return;
    }
    const bool logical = node.type == PatternNode::Type::Not ||
                         (node.type == PatternNode::Type::Operator &&
                          (node.op == NodeKind::And || node.op == NodeKind::Or));
    const bool select = node.type == PatternNode::Type::Select;
    markBooleans(rule, node.a, logical || select, marks);
    markBooleans(rule, node.b, logical, marks);
    markBooleans(rule, node.c, logical, marks);
}

bool sameTree(const Expr& a, const Expr& b) {
    return exprEqual(a, b);
}

} // namespace

class SimplifyTest : public QObject {
    Q_OBJECT
private slots:
    void answersRecordedForms();
    void everyRuleHolds();
    void keepsTheMeaning();
    void boundsHoldEveryValue();
    void setsHoldEveryValue();
    void constraintsEnd();
    void provesWithSymbolicExtents();
    void decidesByDifferences();
    void linearEquations();
};

void SimplifyTest::answersRecordedForms() {
    std::ifstream file(std::string(TW_TEST_DATA) + "/arith/simplified.txt");
    QVERIFY(file.good());
    std::string line;
    int cases = 0;
    while (std::getline(file, line)) {
        if (line.starts_with('#'))
            continue;
        const auto fields = fieldsOf(line, '|');
        QCOMPARE(fields.size(), std::size_t{3});
        Analyzer analyzer;
        VarScope scope;
        std::stringstream ranges(fields[0]);
        std::string range;
        while (ranges >> range) {
            const auto colon = range.find(':');
            const Var var = makeVar(range.substr(0, colon));
            scope.emplace_back(var->name, var);
            analyzer.bind(var, Range::fromExtent(makeInt(std::stoll(range.substr(colon + 1)))));
        }
        const Expr simple = analyzer.simplify(parseExpr(fields[1], scope));
        const Expr wanted = parseExpr(fields[2], scope);
        QVERIFY2(sameTree(simple, wanted), (line + "  ours: " + print(simple)).c_str());
        ++cases;
    }
    QVERIFY(cases > 200);
}

void SimplifyTest::everyRuleHolds() {
    base::RandomState random(7);
    std::set<std::string> wrong;
    for (const std::string_view text : simplifierRuleTexts()) {
        const RuleSet rules({text});
        int checked = 0;
        for (int kind = 0; kind < 64; ++kind)
            for (int first = 0; first < 64; ++first)
                for (const RewriteRule* rule :
                     rules.of(static_cast<NodeKind>(kind), static_cast<NodeKind>(first))) {
                    // A rule is listed under each kind its first operand may have: once is enough.
                    if (first != std::countr_zero(rule->aKinds))
                        continue;
                    std::array<bool, 16> booleans{};
                    markBooleans(*rule, rule->lhs, false, booleans);
                    for (int trial = 0; trial < 3000; ++trial) {
                        std::array<std::int64_t, 16> operands{};
                        for (std::size_t s = 0; s < operands.size(); ++s)
                            operands[s] =
                                booleans[s] ? random.sampleInt(0, 2) : random.sampleInt(-9, 13);
                        try {
                            if (rule->condition >= 0 &&
                                evalPattern(*rule, rule->condition, operands) == 0)
                                continue;
                            const std::int64_t left = evalPattern(*rule, rule->lhs, operands);
                            const std::int64_t right = evalPattern(*rule, rule->rhs, operands);
                            if (left != right)
                                wrong.insert(std::string(text));
                            ++checked;
                        } catch (const std::domain_error&) {
                        }
                    }
                }
        if (checked == 0)
            qInfo("never applicable at random: %s", std::string(text).c_str());
    }
    QVERIFY2(wrong.empty(), base::join(wrong, "\n").c_str());
}

void SimplifyTest::keepsTheMeaning() {
    RandomIndex make(3);
    for (int i = 0; i < 4000; ++i) {
        const Domain domain = make.domain();
        Analyzer analyzer;
        analyzer.bind(domain);
        const Expr expr = i % 3 == 0 ? make.condition(domain, 2) : make.expr(domain, 3);
        const Expr simple = analyzer.simplify(expr);
        for (int p = 0; p < 12; ++p) {
            const Values values = make.point(domain);
            QVERIFY2(eval(expr, values) == eval(simple, values),
                     (print(expr) + " -> " + print(simple)).c_str());
        }
    }
}

void SimplifyTest::boundsHoldEveryValue() {
    RandomIndex make(5);
    for (int i = 0; i < 4000; ++i) {
        const Domain domain = make.domain();
        Analyzer analyzer;
        analyzer.bind(domain);
        const Expr expr = make.expr(domain, 3);
        const ConstIntBound bound = analyzer.constIntBound(expr);
        const ModularSet set = analyzer.modularSet(expr);
        for (int p = 0; p < 12; ++p) {
            const std::int64_t value = eval(expr, make.point(domain));
            QVERIFY2(value >= bound.min && value <= bound.max, print(expr).c_str());
            QVERIFY2(set.coeff == 0 ? value == set.base : (value - set.base) % set.coeff == 0,
                     print(expr).c_str());
        }
    }
}

void SimplifyTest::setsHoldEveryValue() {
    RandomIndex make(9);
    for (int i = 0; i < 1500; ++i) {
        const Domain domain = make.domain();
        Analyzer analyzer;
        const Expr expr = make.expr(domain, 3);
        // The first variable stays symbolic.
        const Domain inner(domain.begin() + 1, domain.end());
        const IntSet set = evalSet(expr, inner, analyzer);
        for (int p = 0; p < 12; ++p) {
            const Values values = make.point(domain);
            const std::int64_t value = eval(expr, values);
            QVERIFY2(!set.hasLower() || eval(set.min(), values) <= value, print(expr).c_str());
            QVERIFY2(!set.hasUpper() || eval(set.max(), values) >= value, print(expr).c_str());
        }
    }
}

void SimplifyTest::constraintsEnd() {
    Analyzer analyzer;
    const Var x = makeVar("x");
    const Var y = makeVar("y");
    analyzer.bind(x, Range::fromExtent(makeInt(64)));
    const Expr ten = makeInt(10);
    {
        const auto guard = analyzer.withConstraint(less(x, ten));
        QVERIFY(analyzer.canProve(less(x, makeInt(12))));
        QVERIFY(analyzer.canProve(less(x, ten)));
        QVERIFY(isZero(analyzer.simplify(floorDiv(x, ten))));
        const auto inner = analyzer.withConstraint(lessEqual(x, y));
        QVERIFY(analyzer.canProve(less(x, y + makeInt(1))));
    }
    QVERIFY(!analyzer.canProve(less(x, makeInt(12))));
    QVERIFY(!analyzer.canProve(lessEqual(x, y)));
}

void SimplifyTest::provesWithSymbolicExtents() {
    Analyzer analyzer;
    const Var n = makeVar("n");
    const Var i = makeVar("i");
    analyzer.assumeBound(n, {1, ConstIntBound::kPosInf});
    analyzer.bind(i, Range::fromExtent(n));
    QVERIFY(analyzer.canProve(less(i, n)));
    QVERIFY(analyzer.canProve(greaterEqual(i, makeInt(0))));
    QVERIFY(analyzer.canProveEqual(i * n + n, n * (i + makeInt(1))));
    QVERIFY(analyzer.canProveEqual(floorDiv(n * makeInt(4), n), makeInt(4)));
    QVERIFY(!analyzer.canProve(less(i, n - makeInt(1))));
}

/// Conditions over x in [0, 9] and y in [10, 19], decided by the bounds of differences alone.
void SimplifyTest::decidesByDifferences() {
    const Var x = makeVar("x");
    const Var y = makeVar("y");
    Analyzer analyzer;
    analyzer.bind(x, {makeInt(0), makeInt(10)});
    analyzer.bind(y, {makeInt(10), makeInt(10)});
    const auto decide = [&](const Expr& condition) {
        return decideCondition(condition, [&](const Expr& a, const Expr& b) {
            return std::optional(analyzer.constIntBound(a - b));
        });
    };
    const Expr below = less(x, y);
    const Expr above = greaterEqual(x, y);
    const Expr open = less(x, makeInt(5));
    QVERIFY(decide(below) == true);
    QVERIFY(decide(above) == false);
    QVERIFY(decide(open) == std::nullopt);
    QVERIFY(decide(logicalNot(below)) == false);
    QVERIFY(decide(logicalAnd(open, above)) == false);
    QVERIFY(decide(logicalOr(open, below)) == true);
    QVERIFY(decide(logicalAnd(open, below)) == std::nullopt);
    QVERIFY(decide(x + y) == std::nullopt);
    for (const std::int64_t low : {-1, 0, 1})
        for (std::int64_t high = low; high <= 1; ++high) {
            const ConstIntBound between{low, high};
            const auto lt = decideComparison(NodeKind::LT, between);
            const auto ge = decideComparison(NodeKind::GE, between);
            QVERIFY(lt.has_value() == (high < 0 || low >= 0));
            QVERIFY(lt.has_value() == ge.has_value() && (!lt || *lt == !*ge));
            const auto eq = decideComparison(NodeKind::EQ, between);
            const auto ne = decideComparison(NodeKind::NE, between);
            QVERIFY(eq.has_value() == (low > 0 || high < 0 || low == high));
            QVERIFY(eq.has_value() == ne.has_value() && (!eq || *eq == !*ne));
            const auto le = decideComparison(NodeKind::LE, between);
            const auto gt = decideComparison(NodeKind::GT, between);
            QVERIFY(le.has_value() == (high <= 0 || low > 0));
            QVERIFY(le.has_value() == gt.has_value() && (!le || *le == !*gt));
        }
}

void SimplifyTest::linearEquations() {
    const Var i = makeVar("i");
    const Var j = makeVar("j");
    const Var n = makeVar("n");
    const auto found = detectLinearEquation(i * makeInt(4) + n - j, {i, j});
    QVERIFY(found);
    QVERIFY(isConstInt((*found)[0], 4));
    QVERIFY(isConstInt((*found)[1], -1));
    QVERIFY((*found)[2] == n);
    QVERIFY(!detectLinearEquation(i * j, {i, j}));
    const auto bounds = detectClipBound(logicalAnd(less(i, makeInt(7)), lessEqual(n, i)), {i});
    QVERIFY(bounds);
    QVERIFY(isConstInt((*bounds)[0].max, 6));
    QVERIFY((*bounds)[0].min == n);
}

QTEST_GUILESS_MAIN(SimplifyTest)
#include "simplify_test.moc"
