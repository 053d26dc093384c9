// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long a tuning curve of 200,000 trials takes to replot.
#include <tilewright/ui/curve_plot.h>

#include <QApplication>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>

using namespace tilewright::ui;

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    std::mt19937 random(1);
    std::lognormal_distribution<double> latency(6, 1);
    for (const int count : {10000, 100000, 200000}) {
        CurveData data;
        for (int i = 0; i < count; ++i) {
            data.trials.append({static_cast<double>(i), latency(random), i});
            if (data.best.isEmpty() || data.trials.last().y < data.best.last().y)
                data.best.append(data.trials.last());
        }
        CurvePlot plot;
        plot.setAxisTitles(QStringLiteral("trial"), QStringLiteral("latency (µs)"));
        plot.resize(1200, 700);
        plot.show();
        plot.setData(data);
        // Processor time: what the plot costs, whatever else the machine does.
        QVector<double> times;
        for (int i = 0; i < 15; ++i) {
            const std::clock_t start = std::clock();
            plot.fit();
            times.append(1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        }
        std::sort(times.begin(), times.end());
        std::printf("replot of %d trials: median %.1f ms, best %.1f ms of processor time\n", count,
                    times[7], times.first());
    }
    return 0;
}
