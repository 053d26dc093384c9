// SPDX-License-Identifier: Apache-2.0
#include "loaded_kernel.h"
#include "matmul_module.h"

#include <tilewright/codegen/peaks.h>
#include <tilewright/target/host.h>

#include <QtTest/QTest>

#include <ctime>

namespace {

using namespace tilewright;

/// Seconds of this thread's processor time, which other programs on the machine do not add to.
double processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class MatmulBench : public QObject {
    Q_OBJECT

private slots:
    /// Prints what share of a core's measured multiply-add rate matrix products reach.
    void shareOfPeak() {
        struct Case {
            const char* name;
            test::MatmulTiles tiles;
            double least; ///< share that is a defect to miss on a quiet machine
        };
        const std::vector<Case> cases{
            {"in cache",
             {.n = 126, .m = 128, .k = 256, .i2 = 21, .i3 = 6, .j3 = 16, .k1 = 256},
             0.85},
            {"504 x 512 x 512, packed",
             {.n = 504, .m = 512, .k = 512, .i2 = 28, .i3 = 6, .j3 = 16, .k1 = 256, .pack = 16},
             0.85},
            {"512 x 512 x 512, wide tiles",
             {.n = 512, .m = 512, .k = 512, .i2 = 32, .i3 = 16, .j3 = 64, .k1 = 256, .pack = 16},
             0.7},
        };
        const auto peaks = codegen::measurePeaks(0.5);
        QVERIFY(peaks.has_value());
        for (const Case& c : cases) {
            const auto object =
                codegen::compileModule(test::matmulModule(c.tiles), target::hostTarget());
            QVERIFY(object.has_value());
            test::LoadedKernel kernel(*object);
            const auto size = [](int rows, int columns) {
                return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
            };
            test::AlignedArray<float> a(size(c.tiles.n, c.tiles.k), 0.5F);
            test::AlignedArray<float> b(size(c.tiles.k, c.tiles.m), 0.25F);
            test::AlignedArray<float> out(size(c.tiles.n, c.tiles.m));
            double best = 1e9;
            for (int round = 0; round < 200; ++round) {
                const double start = processorSeconds();
                QCOMPARE(kernel.run({a.data(), b.data(), out.data()}), 0);
                best = std::min(best, processorSeconds() - start);
            }
            const double gflops = 2.0 * c.tiles.n * c.tiles.m * c.tiles.k / best / 1e9;
            const double share = gflops / peaks->bestGflops();
            qInfo("%s: %.1f us, %.1f GFLOP/s, %.0f %% of %.1f", c.name, best * 1e6, gflops,
                  100 * share, peaks->bestGflops());
            if (share < c.least)
                qWarning("below %.0f %%: a defect, or a machine that others keep busy",
                         100 * c.least);
        }
    }
};

} // namespace

QTEST_GUILESS_MAIN(MatmulBench)
#include "matmul_bench.moc"
