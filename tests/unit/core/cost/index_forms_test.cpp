// SPDX-License-Identifier: Apache-2.0

// Canonical index forms mean the same as the expressions they were made of.

#include "index_forms.h"

#include <tilewright/base/floor_division.h>

#include <QtTest/QTest>

#include <array>

using namespace tilewright::cost;
using tilewright::base::floorDivide;
using tilewright::base::floorRemainder;

namespace {

/// Three loops: i in [0, 6), j in [0, 8), k in [0, 4).
struct Nest {
    IndexForms forms;
    IndexForm i = forms.loop(0, {0, 5});
    IndexForm j = forms.loop(1, {0, 7});
    IndexForm k = forms.loop(2, {0, 3});

    IndexForm sum(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t constant = 0) {
        IndexForm form = forms.add(forms.multiply(i, a), j, b);
        form = forms.add(form, k, c);
        form.constant += constant;
        return form;
    }

    std::int64_t valueOf(const IndexForm& form, const std::array<std::int64_t, 3>& at) const {
        std::int64_t value = form.constant;
        for (std::uint32_t t = 0; t < form.count; ++t) {
            const IndexTerm& term = forms.terms(form)[t];
            value += term.coeff * valueOf(forms.at(term.atom), at);
        }
        return value;
    }
    std::int64_t valueOf(const IndexAtom& atom, const std::array<std::int64_t, 3>& at) const {
        switch (atom.kind) {
        case IndexAtom::Kind::Loop:
            return at[static_cast<std::size_t>(atom.loopDepth)];
        case IndexAtom::Kind::Sum:
            return valueOf(atom.sum, at);
        case IndexAtom::Kind::Split: {
            std::int64_t value = valueOf(forms.at(atom.operand), at);
            if (atom.upper != 0)
                value = floorRemainder(value, atom.upper);
            return floorDivide(value, atom.lower);
        }
        default:
            return 0;
        }
    }
};

template <class Fn> void forEachPoint(Fn&& fn) {
    for (std::int64_t i = 0; i < 6; ++i)
        for (std::int64_t j = 0; j < 8; ++j)
            for (std::int64_t k = 0; k < 4; ++k)
                fn(std::array<std::int64_t, 3>{i, j, k});
}

} // namespace

class IndexFormsTest : public QObject {
    Q_OBJECT
private slots:
    void divisionsKeepTheirValue();
    void nestedDivisionsKeepTheirValue();
    void piecesJoin();
    void tiledIndicesCancel();
    void operationsAreThoseOfThePrintedSum();
    void boundsHold();
    void coefficients();
};

void IndexFormsTest::divisionsKeepTheirValue() {
    Nest nest;
    for (const std::int64_t a : {-8, 1, 3, 16, 32})
        for (const std::int64_t b : {-1, 0, 4, 6})
            for (const std::int64_t c : {0, 1, 5})
                for (const std::int64_t constant : {-7, 0, 2, 16})
                    for (const std::int64_t d : {1, 2, 3, 4, 8, 24}) {
                        const IndexForm form = nest.sum(a, b, c, constant);
                        const IndexForm quotient = nest.forms.divide(form, d);
                        const IndexForm rest = nest.forms.remainder(form, d);
                        forEachPoint([&](const std::array<std::int64_t, 3>& at) {
                            const std::int64_t value = nest.valueOf(form, at);
                            QCOMPARE(value, a * at[0] + b * at[1] + c * at[2] + constant);
                            QCOMPARE(nest.valueOf(quotient, at), floorDivide(value, d));
                            QCOMPARE(nest.valueOf(rest, at), floorRemainder(value, d));
                        });
                    }
}

void IndexFormsTest::nestedDivisionsKeepTheirValue() {
    Nest nest;
    const IndexForm fused = nest.sum(32, 4, 1);
    for (const std::int64_t a : {2, 3, 8, 12, 64})
        for (const std::int64_t b : {2, 4, 5, 6}) {
            const IndexForm rest = nest.forms.remainder(fused, a);
            const IndexForm quotient = nest.forms.divide(fused, a);
            const IndexForm forms[] = {nest.forms.divide(rest, b), nest.forms.remainder(rest, b),
                                       nest.forms.divide(quotient, b),
                                       nest.forms.remainder(quotient, b)};
            forEachPoint([&](const std::array<std::int64_t, 3>& at) {
                const std::int64_t value = nest.valueOf(fused, at);
                QCOMPARE(nest.valueOf(forms[0], at), value % a / b);
                QCOMPARE(nest.valueOf(forms[1], at), value % a % b);
                QCOMPARE(nest.valueOf(forms[2], at), value / a / b);
                QCOMPARE(nest.valueOf(forms[3], at), value / a % b);
            });
        }
}

void IndexFormsTest::piecesJoin() {
    IndexForms forms;
    const IndexForm f = forms.loop(0, {0, 223});
    const IndexForm whole =
        forms.add(forms.multiply(forms.divide(f, 56), 56), forms.remainder(f, 56), 1);
    QVERIFY(forms.equalTerms(whole, f));
    // (f % 56 // 8) * 8 + f % 8 = f % 56
    const IndexForm part = forms.add(forms.multiply(forms.divide(forms.remainder(f, 56), 8), 8),
                                     forms.remainder(f, 8), 1);
    QVERIFY(forms.equalTerms(part, forms.remainder(f, 56)));
}

void IndexFormsTest::tiledIndicesCancel() {
    Nest nest;
    const IndexForm tiled = nest.sum(32, 4, 1);
    QVERIFY(nest.forms.equalTerms(nest.forms.divide(tiled, 32), nest.i));
    QVERIFY(nest.forms.equalTerms(nest.forms.remainder(tiled, 4), nest.k));
    QVERIFY(nest.forms.equalTerms(nest.forms.divide(nest.forms.remainder(tiled, 32), 4), nest.j));
}

void IndexFormsTest::operationsAreThoseOfThePrintedSum() {
    Nest nest;
    const auto count = [&](const IndexForm& form) {
        IndexOps ops;
        nest.forms.countOps(form, ops);
        return std::array<int, 3>{ops.addSub, ops.mul, ops.divMod};
    };
    QCOMPARE(count(nest.sum(32, 4, 1)), (std::array<int, 3>{2, 2, 0}));
    QCOMPARE(count(nest.sum(1, 1, 0, -1)), (std::array<int, 3>{2, 0, 0})); // i + j - 1
    QCOMPARE(count(nest.sum(0, -1, 0, 3)), (std::array<int, 3>{1, 0, 0})); // 3 - j
    QCOMPARE(count(IndexForms::constant(3)), (std::array<int, 3>{0, 0, 0}));
    const IndexForm f = nest.forms.loop(3, {0, 111});
    const IndexForm split = nest.forms.divide(nest.forms.remainder(f, 56), 8);
    QCOMPARE(count(nest.forms.multiply(split, 2)), (std::array<int, 3>{0, 1, 2}));
}

void IndexFormsTest::boundsHold() {
    Nest nest;
    const IndexForm form = nest.sum(8, 1, -2, 1);
    QCOMPARE(nest.forms.bounds(form).lo, std::int64_t{-5});
    QCOMPARE(nest.forms.bounds(form).hi, std::int64_t{48});
    QCOMPARE(nest.forms.boundsBelow(form, 1).hi, std::int64_t{8});
    QCOMPARE(nest.forms.boundsBelow(form, 2).lo, std::int64_t{-5});
    QCOMPARE(nest.forms.boundsBelow(form, 3).lo, std::int64_t{1});
}

void IndexFormsTest::coefficients() {
    IndexForms forms;
    const IndexForm i = forms.loop(0, {0, 5});
    const IndexForm j = forms.loop(1, {0, 7});
    const IndexForm k = forms.loop(2, {0, 3});
    const IndexForm tiled = forms.add(forms.multiply(i, 8), j, 1);
    QCOMPARE(forms.coefficient(tiled, 0), std::int64_t{8});
    QCOMPARE(forms.coefficient(tiled, 1), std::int64_t{1});
    QCOMPARE(forms.coefficient(tiled, 2), std::int64_t{0});
    // The published features read the last factor behind the variable: i * 32 + j * 4 + k.
    const IndexForm three =
        forms.add(forms.add(forms.multiply(i, 32), forms.multiply(j, 4), 1), k, 1);
    QCOMPARE(forms.coefficient(three, 0), std::int64_t{4});
    QCOMPARE(forms.coefficient(three, 1), std::int64_t{4});
    QCOMPARE(forms.coefficient(three, 2), std::int64_t{1});
}

QTEST_GUILESS_MAIN(IndexFormsTest)
#include "index_forms_test.moc"
