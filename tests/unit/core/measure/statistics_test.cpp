// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/random_state.h>
#include <tilewright/measure/statistics.h>

#include <QtTest/QTest>

#include <cmath>

using namespace tilewright::measure;

class StatisticsTest : public QObject {
    Q_OBJECT
private slots:
    void takesMedians() {
        QVERIFY(std::isnan(median({})));
        QCOMPARE(median(std::vector<double>{3}), 3.0);
        QCOMPARE(median(std::vector<double>{9, 1, 5}), 5.0);
        QCOMPARE(median(std::vector<double>{4, 1, 2, 3}), 2.5);
        QCOMPARE(quantile(std::vector<double>{0, 10}, 0.25), 2.5);
        QCOMPARE(quantile(std::vector<double>{0, 10}, 2), 10.0);
    }

    void knowsTheTableOfOrderStatistics() {
        // Ranks (from 1) of the classic table for 95 %: n=6: 1,6; n=10: 2,9; n=20: 6,15.
        const auto ranks = [](std::size_t n) {
            std::vector<double> samples(n);
            for (std::size_t i = 0; i < n; ++i)
                samples[i] = static_cast<double>(i + 1);
            const auto interval = medianInterval(samples);
            return std::pair(interval->low, interval->high);
        };
        QCOMPARE(ranks(6), std::pair(1.0, 6.0));
        QCOMPARE(ranks(10), std::pair(2.0, 9.0));
        QCOMPARE(ranks(20), std::pair(6.0, 15.0));
        QVERIFY(!medianInterval(std::vector<double>{1}));
        const auto two = medianInterval(std::vector<double>{1, 2});
        QCOMPARE(two->coverage, 0.5);
        QVERIFY(medianInterval(std::vector<double>(5000, 1.0))->coverage >= 0.95);
    }

    void coversTheMedianAsOftenAsItSays() {
        tilewright::base::RandomState random(7);
        int hits = 0;
        constexpr int kRounds = 2000;
        for (int round = 0; round < kRounds; ++round) {
            std::vector<double> samples(15);
            for (double& sample : samples)
                sample = -std::log(1 - random.sampleUnit()); // exponential: median ln 2
            const auto interval = medianInterval(samples);
            hits += interval->low <= std::log(2.0) && std::log(2.0) <= interval->high;
        }
        QVERIFY(hits >= kRounds * 0.945);
    }

    void decidesWhatIsClearlyWorse() {
        QVERIFY(isClearlyWorse(1.6, 1.0));
        QVERIFY(!isClearlyWorse(1.4, 1.0));
        QVERIFY(!isClearlyWorse(100, 0));
    }

    void comparesSeries() {
        std::vector<double> slow(12), fast(12);
        for (std::size_t i = 0; i < 12; ++i) {
            slow[i] = 1.0 + 0.001 * static_cast<double>(i);
            fast[i] = slow[i] * 0.9;
        }
        QCOMPARE(compareSamples(fast, slow).verdict, -1);
        QCOMPARE(compareSamples(slow, fast).verdict, 1);
        QCOMPARE(compareSamples(slow, slow).verdict, 0);
        QCOMPARE(compareSamples(std::vector<double>{1}, slow).verdict, 0);
        QVERIFY(std::abs(compareSamples(fast, slow).ratio - 0.9) < 1e-9);
    }
};

QTEST_GUILESS_MAIN(StatisticsTest)
#include "statistics_test.moc"
