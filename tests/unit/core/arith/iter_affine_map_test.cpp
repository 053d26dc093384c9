// SPDX-License-Identifier: Apache-2.0
#include "random_index.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/expr_equal.h>
#include <tilewright/arith/index_map_inverse.h>
#include <tilewright/arith/int_set.h>
#include <tilewright/arith/iter_affine_map.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/visit.h>

#include <QtTest/QTest>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace tilewright;
using namespace tilewright::arith;
using namespace tilewright::arith::testing;
using namespace tilewright::ir;

namespace {

/// A random regrouping of loops: fusions and splits with exact divisors.
std::vector<Expr> regroup(const Domain& domain, base::RandomState& random) {
    struct Piece {
        Expr value;
        std::int64_t extent;
    };
    std::vector<Piece> pieces;
    for (const VarRange& entry : domain)
        pieces.push_back({entry.var - entry.range.min, *constInt(entry.range.extent)});
    const auto take = [&] {
        const auto at =
            static_cast<std::size_t>(random.sampleInt(0, static_cast<std::int64_t>(pieces.size())));
        const Piece piece = pieces[at];
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at));
        return piece;
    };
    for (int step = 0; step < 4; ++step) {
        if (random.sampleInt(0, 2) == 0 && pieces.size() >= 2) {
            const Piece outer = take();
            const Piece inner = take();
            pieces.push_back(
                {outer.value * makeInt(inner.extent) + inner.value, outer.extent * inner.extent});
            continue;
        }
        const Piece whole = take();
        std::vector<std::int64_t> divisors;
        for (std::int64_t d = 2; d < whole.extent; ++d)
            if (whole.extent % d == 0)
                divisors.push_back(d);
        if (divisors.empty()) {
            pieces.push_back(whole);
            continue;
        }
        const std::int64_t d = divisors[static_cast<std::size_t>(
            random.sampleInt(0, static_cast<std::int64_t>(divisors.size())))];
        pieces.push_back({floorDiv(whole.value, makeInt(d)), whole.extent / d});
        pieces.push_back({floorMod(whole.value, makeInt(d)), d});
    }
    std::vector<Expr> indices;
    for (const Piece& piece : pieces)
        indices.push_back(piece.value);
    return indices;
}

std::int64_t pointsOf(const Domain& domain) {
    std::int64_t points = 1;
    for (const VarRange& entry : domain)
        points *= *constInt(entry.range.extent);
    return points;
}

} // namespace

class IterAffineMapTest : public QObject {
    Q_OBJECT
private slots:
    void answersRecordedMaps();
    void regroupedLoopsAreBijective();
    void simplificationKeepsTheMeaning();
    void surjectiveMapsCoverTheirBox();
    void inverseUndoesTheMap();
    void paddingPredicateMarksHoles();
    void subspaceDivides();
    void regionBoundsAreTight();
};

void IterAffineMapTest::answersRecordedMaps() {
    std::ifstream file(std::string(TW_TEST_DATA) + "/arith/iter_maps.txt");
    QVERIFY(file.good());
    std::string line;
    int cases = 0;
    while (std::getline(file, line)) {
        if (line.starts_with('#'))
            continue;
        const auto fields = fieldsOf(line, '|');
        QCOMPARE(fields.size(), std::size_t{5});
        Domain domain;
        VarScope scope;
        std::stringstream ranges(fields[1]);
        std::string range;
        while (ranges >> range) {
            const auto parts = fieldsOf(range, ':');
            const Var var = makeVar(parts[0]);
            scope.emplace_back(var->name, var);
            domain.push_back({var, {makeInt(std::stoll(parts[1])), makeInt(std::stoll(parts[2]))}});
        }
        std::vector<Expr> indices;
        for (const std::string& index : fieldsOf(fields[3], ';'))
            indices.push_back(parseExpr(index, scope));
        const IterMapLevel level = fields[0].starts_with("bijective")    ? IterMapLevel::Bijective
                                   : fields[0].starts_with("surjective") ? IterMapLevel::Surjective
                                                                         : IterMapLevel::NoCheck;
        Analyzer analyzer;
        const IterMapResult map =
            detectIterMap(indices, domain, parseExpr(fields[2], scope), level, analyzer);
        const bool shouldFail = fields[4].find("fail") != std::string::npos;
        QVERIFY2(map.ok() != shouldFail, line.c_str());
        if (!shouldFail) {
            const auto wanted = fieldsOf(fields[4], ';');
            QCOMPARE(map.indices.size(), wanted.size());
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                const Expr ours = analyzer.simplify(normalizeIter(map.indices[i]));
                QVERIFY2(exprEqual(ours, parseExpr(wanted[i], scope)),
                         (line + "  ours: " + print(ours)).c_str());
            }
        }
        ++cases;
    }
    QVERIFY(cases >= 200);
}

void IterAffineMapTest::regroupedLoopsAreBijective() {
    RandomIndex make(2);
    for (int i = 0; i < 400; ++i) {
        const Domain domain = make.domain();
        const std::vector<Expr> indices = regroup(domain, make.random());
        Analyzer analyzer;
        const IterMapResult map =
            detectIterMap(indices, domain, nullptr, IterMapLevel::Bijective, analyzer);
        // What is called bijective is; failing is allowed only when pieces overlap in extents of 1.
        if (!map.ok())
            continue;
        std::set<std::vector<std::int64_t>> seen;
        forEachPoint(domain, [&](const Values& values) {
            std::vector<std::int64_t> point;
            for (const Expr& index : indices)
                point.push_back(eval(index, values));
            seen.insert(point);
        });
        QCOMPARE(static_cast<std::int64_t>(seen.size()), pointsOf(domain));
    }
}

void IterAffineMapTest::simplificationKeepsTheMeaning() {
    RandomIndex make(4);
    for (int i = 0; i < 600; ++i) {
        const Domain domain = make.domain();
        std::vector<Expr> indices = regroup(domain, make.random());
        if (i % 2 == 0)
            indices = {make.expr(domain, 3), make.expr(domain, 2)};
        Analyzer analyzer;
        const auto level = i % 3 == 0   ? IterMapLevel::Bijective
                           : i % 3 == 1 ? IterMapLevel::Surjective
                                        : IterMapLevel::NoCheck;
        const std::vector<Expr> simple = iterMapSimplify(indices, domain, nullptr, level, analyzer);
        for (int p = 0; p < 12; ++p) {
            const Values values = make.point(domain);
            for (std::size_t k = 0; k < indices.size(); ++k)
                QVERIFY2(eval(indices[k], values) == eval(simple[k], values),
                         (print(indices[k]) + " -> " + print(simple[k])).c_str());
        }
    }
}

void IterAffineMapTest::surjectiveMapsCoverTheirBox() {
    RandomIndex make(6);
    int found = 0;
    for (int i = 0; i < 600; ++i) {
        const Domain domain = make.domain();
        if (pointsOf(domain) > 3000)
            continue;
        std::vector<Expr> indices = regroup(domain, make.random());
        if (indices.size() > 1 && i % 2 == 0)
            indices.pop_back();
        Analyzer analyzer;
        const IterMapResult map =
            detectIterMap(indices, domain, nullptr, IterMapLevel::Surjective, analyzer);
        if (!map.ok())
            continue;
        ++found;
        std::int64_t box = 1;
        for (const IterSum& sum : map.indices)
            if (!sum.args.empty())
                box *= *constInt(sum.args[0].extent);
        std::set<std::vector<std::int64_t>> seen;
        forEachPoint(domain, [&](const Values& values) {
            std::vector<std::int64_t> point;
            for (const Expr& index : indices)
                point.push_back(eval(index, values));
            seen.insert(point);
        });
        QCOMPARE(static_cast<std::int64_t>(seen.size()), box);
    }
    QVERIFY(found > 100);
}

void IterAffineMapTest::inverseUndoesTheMap() {
    RandomIndex make(8);
    int found = 0;
    for (int i = 0; i < 300; ++i) {
        const Domain domain = make.domain();
        const std::vector<Expr> indices = regroup(domain, make.random());
        std::vector<Var> vars;
        std::vector<Range> ranges;
        for (const VarRange& entry : domain) {
            vars.push_back(entry.var);
            ranges.push_back(entry.range);
        }
        Analyzer analyzer;
        const InverseIndexMap inverse = invertIndexMap(vars, indices, ranges, analyzer);
        if (!inverse.ok())
            continue;
        ++found;
        for (int p = 0; p < 12; ++p) {
            const Values values = make.point(domain);
            Values outputs;
            for (std::size_t k = 0; k < indices.size(); ++k)
                outputs[inverse.outputs[k].get()] = eval(indices[k], values);
            for (std::size_t k = 0; k < vars.size(); ++k)
                QCOMPARE(eval(inverse.initial[k], outputs), values.at(vars[k].get()));
        }
    }
    QVERIFY(found > 100);
}

void IterAffineMapTest::paddingPredicateMarksHoles() {
    for (const auto& [extent, tile, shift] :
         std::vector<std::array<std::int64_t, 3>>{{14, 4, 0}, {16, 4, 0}, {14, 4, 3}, {7, 8, 0}}) {
        const Var i = makeVar("i");
        const Expr moved = i + makeInt(shift);
        Analyzer analyzer;
        const std::vector<Expr> finals = {floorDiv(moved, makeInt(tile)),
                                          floorMod(moved, makeInt(tile))};
        const std::vector<Range> ranges = {Range::fromExtent(makeInt(extent))};
        const InverseIndexMap inverse = invertNonSurjectiveIndexMap({i}, finals, ranges, analyzer);
        QVERIFY2(inverse.ok(), inverse.error.c_str());
        const std::vector<Range> outputs = mapRanges({i}, finals, ranges, analyzer);
        QCOMPARE(*constInt(outputs[0].extent), (extent + shift + tile - 1) / tile);
        for (std::int64_t a = 0; a < *constInt(outputs[0].extent); ++a)
            for (std::int64_t b = 0; b < tile; ++b) {
                const Values values = {{inverse.outputs[0].get(), a},
                                       {inverse.outputs[1].get(), b}};
                const std::int64_t source = a * tile + b - shift;
                const bool hole = source < 0 || source >= extent;
                QCOMPARE(eval(inverse.paddingPredicate, values) != 0, hole);
                if (!hole)
                    QCOMPARE(eval(inverse.initial[0], values), source);
            }
    }
}

void IterAffineMapTest::subspaceDivides() {
    const Var io = makeVar("io");
    const Var ii = makeVar("ii");
    const Var j = makeVar("j");
    const Domain domain = {{io, Range::fromExtent(makeInt(4))},
                           {ii, Range::fromExtent(makeInt(8))},
                           {j, Range::fromExtent(makeInt(16))}};
    Analyzer analyzer;
    const auto parts = subspaceDivide({io * makeInt(8) + ii, j}, domain, {ii, j}, makeBool(true),
                                      IterMapLevel::Surjective, analyzer);
    QCOMPARE(parts.size(), std::size_t{3});
    QVERIFY(parts[0].outer == io);
    QVERIFY(parts[0].inner == ii);
    QVERIFY(isConstInt(parts[0].outerExtent, 4));
    QVERIFY(isConstInt(parts[0].innerExtent, 8));
    QVERIFY(isZero(parts[1].outer));
    QVERIFY(parts[1].inner == j);
    QVERIFY(isOne(parts[2].outer));
    // The outer loop inside, the inner one outside: no division.
    QVERIFY(subspaceDivide({io * makeInt(8) + ii}, domain, {io}, makeBool(true),
                           IterMapLevel::Surjective, analyzer)
                .empty());
}

void IterAffineMapTest::regionBoundsAreTight() {
    RandomIndex make(12);
    for (int i = 0; i < 300; ++i) {
        const Domain domain = make.domain();
        if (pointsOf(domain) > 3000)
            continue;
        const std::vector<Expr> indices = regroup(domain, make.random());
        std::vector<Range> region;
        for (const Expr& index : indices)
            region.push_back({index, makeInt(make.random().sampleInt(1, 4))});
        Analyzer analyzer;
        const auto lower = estimateRegionLowerBound(region, domain, nullptr, analyzer);
        const IntSetRegion upper = estimateRegionUpperBound(region, domain, nullptr, analyzer);
        for (std::size_t d = 0; d < region.size(); ++d) {
            std::set<std::int64_t> touched;
            forEachPoint(domain, [&](const Values& values) {
                const std::int64_t first = eval(region[d].min, values);
                for (std::int64_t k = 0; k < *constInt(region[d].extent); ++k)
                    touched.insert(first + k);
            });
            QVERIFY(upper[d].isBounded());
            QVERIFY(eval(upper[d].min(), {}) <= *touched.begin());
            QVERIFY(eval(upper[d].max(), {}) >= *touched.rbegin());
            if (lower)
                for (std::int64_t k = eval((*lower)[d].min(), {}); k <= eval((*lower)[d].max(), {});
                     ++k)
                    QVERIFY(touched.contains(k));
        }
    }
}

QTEST_GUILESS_MAIN(IterAffineMapTest)
#include "iter_affine_map_test.moc"
