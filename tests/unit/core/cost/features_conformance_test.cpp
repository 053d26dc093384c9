// SPDX-License-Identifier: Apache-2.0

// Features of 90 scheduled modules are those that TVM 0.27 gives.

#include "recorded_features.h"

#include <tilewright/cost/per_store_feature.h>

#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

using namespace tilewright;

namespace {

/// The first difference of a row, empty when there is none.
QString difference(const json::Value& want, const float* have, std::size_t columns) {
    for (std::size_t c = 0; c < columns; ++c) {
        const double w = want.at(c).asDouble();
        const double h = have[c];
        if (!(std::abs(h - w) <= 1e-3 * std::max(std::abs(w), 1e-3)))
            return QString("column %1: %2 for %3").arg(c).arg(h).arg(w);
    }
    return {};
}

} // namespace

class FeaturesConformanceTest : public QObject {
    Q_OBJECT
private slots:
    void rowsOfTvm();
    void workloadColumnsOfTvm();
};

void FeaturesConformanceTest::workloadColumnsOfTvm() {
    const auto cases = test::readRecordedFeatures();
    if (cases.empty())
        QSKIP("the recorded cases are not here");
    cost::PerStoreFeatureOptions options;
    options.extractWorkload = true;
    for (const test::RecordedFeatures& recorded : cases) {
        const ir::Module unscheduled = schedule::caseModule(recorded.request);
        const auto m = cost::extractPerStoreFeatures(unscheduled, options);
        const QString why =
            difference(recorded.workloadColumns.at(std::size_t{0}), m.values.data() + 164, 8);
        QVERIFY2(why.isEmpty(), qPrintable(QString::fromStdString(recorded.name) + ": " + why));
    }
}

void FeaturesConformanceTest::rowsOfTvm() {
    const auto cases = test::readRecordedFeatures();
    if (cases.empty())
        QSKIP("the recorded cases are not here");
    int wrong = 0;
    for (const test::RecordedFeatures& recorded : cases) {
        cost::PerStoreFeatureOptions options;
        options.isGpu = recorded.isGpu;
        const auto m = cost::extractPerStoreFeatures(test::moduleOf(recorded), options);
        if (m.rows() != recorded.rows.size()) {
            qWarning("%s: %zu rows for %zu", recorded.name.c_str(), m.rows(), recorded.rows.size());
            ++wrong;
            continue;
        }
        for (std::size_t r = 0; r < m.rows(); ++r) {
            const float* row = m.values.data() + r * m.columns;
            QString why = difference(recorded.rows.at(r), row, 164);
            if (!why.isEmpty()) {
                qWarning("%s row %zu: %s", recorded.name.c_str(), r, qPrintable(why));
                ++wrong;
            }
        }
    }
    QCOMPARE(wrong, 0);
    QVERIFY(cases.size() >= 90);
}

QTEST_GUILESS_MAIN(FeaturesConformanceTest)
#include "features_conformance_test.moc"
