// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/base/floor_division.h>
#include <tilewright/base/profiler.h>
#include <tilewright/base/random_state.h>
#include <tilewright/base/result.h>
#include <tilewright/base/thread_pool.h>

#include <QtTest/QTest>

#include <atomic>
#include <cmath>
#include <limits>
#include <random>

using namespace tilewright::base;

class BaseTest : public QObject {
    Q_OBJECT

private slots:
    void sampleIntFollowsTheStandardLibrary() {
        // TVM's engine reports a minimum of 0, which shifts nothing: the same draws come out of the
        // standard library's own distribution on such an engine.
        struct Engine {
            using result_type = std::uint32_t;
            RandomState state{42};
            static constexpr result_type min() { return 0; }
            static constexpr result_type max() { return 2147483646; }
            result_type operator()() { return state.next(); }
        };
        Engine engine;
        RandomState ours(42);
        for (int i = 2; i < 200; ++i) {
            std::uniform_int_distribution<std::int32_t> distribution(0, i - 1);
            QCOMPARE(ours.sampleInt(0, i), static_cast<std::int64_t>(distribution(engine)));
        }
    }

    void floorDivisionRoundsDown() {
        for (std::int64_t a = -20; a <= 20; ++a)
            for (std::int64_t b = -6; b <= 6; ++b) {
                if (b == 0)
                    continue;
                const std::int64_t q = floorDivide(a, b);
                QCOMPARE(q, static_cast<std::int64_t>(
                                std::floor(static_cast<double>(a) / static_cast<double>(b))));
                QCOMPARE(floorRemainder(a, b), a - q * b);
            }
        // a - floorDivide(a, b) * b would overflow here.
        QCOMPARE(floorRemainder(std::numeric_limits<std::int64_t>::min(), 3), std::int64_t{1});
    }

    void rangeOfOneDrawsNothing() {
        RandomState random(7);
        const auto before = random.state();
        QCOMPARE(random.sampleInt(5, 6), std::int64_t{5});
        QCOMPARE(random.state(), before);
    }

    void choosesWithoutReplacement() {
        RandomState random(3);
        for (int k = 0; k <= 9; ++k) {
            std::vector<int> chosen = random.sampleWithoutReplacement(9, k);
            std::sort(chosen.begin(), chosen.end());
            QCOMPARE(static_cast<int>(chosen.size()), k);
            QVERIFY(std::adjacent_find(chosen.begin(), chosen.end()) == chosen.end());
        }
    }

    void categoricalFollowsItsWeights() {
        RandomState random(11);
        const std::vector<double> weights{1, 0, 3};
        int counts[3] = {};
        for (int i = 0; i < 4000; ++i)
            ++counts[random.sampleCategorical(weights)];
        QCOMPARE(counts[1], 0);
        QVERIFY(counts[2] > 2700 && counts[2] < 3300);
    }

    void everyItemRunsOnceOnAnyNumberOfThreads() {
        for (const int threads : {1, 2, 5}) {
            ThreadPool pool(threads);
            for (int repeat = 0; repeat < 50; ++repeat) {
                std::vector<std::atomic<int>> hits(97);
                pool.parallelFor(hits.size(), [&](std::size_t i) { ++hits[i]; });
                for (const auto& hit : hits)
                    QCOMPARE(hit.load(), 1);
            }
        }
    }

    void theFirstExceptionComesBack() {
        ThreadPool pool(3);
        try {
            pool.parallelFor(20, [](std::size_t i) {
                if (i == 4 || i == 15)
                    throw std::runtime_error(std::to_string(i));
            });
            QFAIL("no exception came back");
        } catch (const std::runtime_error& error) {
            QCOMPARE(QString(error.what()), QString("4"));
        }
        int done = 0;
        pool.parallelFor(1, [&](std::size_t) { ++done; });
        QCOMPARE(done, 1);
    }

    void diagnosticsNameTheirPlace() {
        const Diagnostic diagnostic("syntax", "an expression is expected",
                                    {TextLocation{"a.py", 3, 7}});
        QCOMPARE(QString::fromStdString(diagnostic.toString()),
                 QString("a.py:3:7: an expression is expected [syntax]"));
    }

    void resultsHoldOneOrTheOther() {
        const Result<int, std::string> value(4);
        QVERIFY(value.has_value());
        QCOMPARE(*value, 4);
        const Result<int, std::string> error = Unexpected(std::string("no"));
        QVERIFY(!error);
        QCOMPARE(error.error(), std::string("no"));
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(error.value()), InternalError);
    }

    void profilerAddsUp() {
        Profiler profiler;
        profiler.add("a", 1);
        profiler.add("b", 3);
        profiler.add("a", 1);
        QCOMPARE(profiler.seconds("a"), 2.0);
        QCOMPARE(profiler.rows().front().first, std::string("b"));
        QVERIFY(profiler.table().find("Total") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(BaseTest)
#include "base_test.moc"
