// SPDX-License-Identifier: GPL-3.0-or-later
#include "bottleneck_panels.h"

#include <tilewright/session/live_curve.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/operator_table.h>

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <vector>

namespace tilewright::ui {

namespace {

constexpr std::size_t kBars = 9; ///< the rest is one bar
constexpr std::size_t kLabels = 5;

QString digits(double value) {
    return QLocale().toString(value, 'f', value < 10 ? 2 : value < 100 ? 1 : 0);
}

std::vector<const session::OperatorRow*> byTime(const session::BottleneckReport& report) {
    std::vector<const session::OperatorRow*> rows;
    for (const session::OperatorRow& row : report.rows)
        if (row.totalSeconds)
            rows.push_back(&row);
    std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
        return *a->totalSeconds > *b->totalSeconds;
    });
    return rows;
}

session::ScaledUnit barUnit(const session::BottleneckReport& report) {
    double longest = 0;
    for (const session::OperatorRow& row : report.rows)
        longest = std::max(longest, row.totalSeconds.value_or(0));
    return session::latencyUnit(longest);
}

QString unitName(const session::ScaledUnit& unit) {
    return QString::fromStdString(unit.name);
}

} // namespace

QString BottleneckShapes::shortName(const std::string& name) {
    QString text = QString::fromStdString(name);
    if (text.startsWith(QStringLiteral("fused_")))
        text.remove(0, 6);
    // The first word tells the kind, the number at the end which one.
    qsizetype end = text.size();
    while (end > 0 && text[end - 1].isDigit())
        --end;
    const QString number = text.mid(end);
    const QString word = text.left(end).section(QLatin1Char('_'), 0, 0);
    const QString head = word.size() > 7 ? word.left(6) + QStringLiteral("…") : word;
    return number.isEmpty() ? head : head + QLatin1Char(' ') + number;
}

QVector<Stat> BottleneckShapes::stats() const {
    const session::OperatorTotals& totals = report_.totals;
    const QString statistic = statisticWord(report_.statistic);
    const QString none = QStringLiteral("—");
    Stat model;
    model.caption = tr("weighted model latency, %1").arg(statistic);
    model.value = latencyWithUnit(totals.seconds);
    if (totals.seconds && totals.plusMinus)
        model.note =
            errorText(*totals.seconds, *totals.plusMinus, session::latencyUnit(*totals.seconds));
    model.tooltip = tr("Sum over operators of best latency × calls; operators that were not tuned "
                       "count with their default schedule.");
    Stat faster;
    faster.caption = tr("faster than default schedules");
    faster.value = factorText(totals.speedup);
    faster.note = latencyWithUnit(totals.defaultSeconds);
    faster.tooltip = tr("Default / best, over the same operators");
    Stat roof;
    roof.caption = tr("of roof, weighted by time");
    roof.value = totals.roofShare
                     ? tr("%1 %").arg(QLocale().toString(*totals.roofShare * 100, 'f', 0))
                     : none;
    roof.tooltip = totals.roofShare ? tr("Time of all operators at their roofs / time now")
                                    : tr("The peaks of this device are not measured.");
    Stat headroom;
    const bool measured = report_.peaks.origin == session::PeakOrigin::Measured;
    headroom.caption = !report_.peaks.known() ? tr("headroom")
                       : measured             ? tr("headroom to measured roofs")
                                              : tr("headroom to theoretical roofs");
    headroom.value = latencyWithUnit(totals.headroomSeconds);
    headroom.tooltip = tr("Sum over operators of (latency − time at the roof) × calls");
    QVector<Stat> stats{model, faster, roof, headroom};
    for (Stat& stat : stats)
        stat.big = true;
    if (totals.missing > 0) {
        Stat missing;
        missing.caption = tr("without a latency");
        missing.value = groupedCount(totals.missing);
        missing.tooltip = tr("Operators with neither a valid trial nor a working default; they are "
                             "not in the sums.");
        missing.tone = Tone::Warning;
        stats.append(missing);
    }
    return stats;
}

QString BottleneckShapes::paretoUnit() const {
    return unitName(barUnit(report_));
}

QVector<ParetoBar> BottleneckShapes::bars() const {
    QVector<ParetoBar> bars;
    const std::vector<const session::OperatorRow*> rows = byTime(report_);
    const double scale = barUnit(report_).scale;
    const std::size_t shown = rows.size() <= kBars + 1 ? rows.size() : kBars;
    for (std::size_t i = 0; i < shown; ++i) {
        const session::OperatorRow& row = *rows[i];
        ParetoBar bar;
        bar.name = shortName(row.name);
        bar.fullName = QString::fromStdString(row.name);
        bar.value = *row.totalSeconds / scale;
        if (row.roofSeconds)
            bar.atRoof = std::min(*row.roofSeconds * row.weight, *row.totalSeconds) / scale;
        bar.cumulative = row.cumulative;
        bar.id = row.task;
        bars.append(bar);
    }
    if (shown == rows.size())
        return bars;
    ParetoBar rest;
    rest.name = QStringLiteral("+%1").arg(rows.size() - shown);
    rest.fullName = tr("%n more operator(s)", nullptr, static_cast<int>(rows.size() - shown));
    rest.cumulative = 1;
    double atRoof = 0;
    bool known = true;
    for (std::size_t i = shown; i < rows.size(); ++i) {
        rest.value += *rows[i]->totalSeconds / scale;
        known = known && rows[i]->roofSeconds.has_value();
        atRoof +=
            std::min(rows[i]->roofSeconds.value_or(0) * rows[i]->weight, *rows[i]->totalSeconds) /
            scale;
    }
    rest.atRoof = known ? atRoof : -1;
    bars.append(rest);
    return bars;
}

QString BottleneckShapes::paretoNote() const {
    const std::vector<const session::OperatorRow*> rows = byTime(report_);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i]->cumulative >= 0.8)
            return tr("%1 of %2 ops: %3 %")
                .arg(QString::number(i + 1), QString::number(rows.size()),
                     QLocale().toString(rows[i]->cumulative * 100, 'f', 0));
    return {};
}

QVector<Roof> BottleneckShapes::roofs() const {
    QVector<Roof> roofs;
    const QString origin =
        report_.peaks.origin == session::PeakOrigin::Measured ? tr("measured") : tr("theoretical");
    bool first = true;
    for (const session::ComputeRoof& peak : report_.peaks.compute) {
        Roof roof;
        roof.peak = peak.flopRate / 1e9;
        roof.main = first;
        const QString kind = peak.vectorBits <= 32 ? tr("scalar")
                             : peak.fused          ? tr("FMA fp32, %1 bits").arg(peak.vectorBits)
                                                   : tr("mul + add, no FMA");
        roof.label = first ? tr("%1, %n core(s): %2 GFLOPS %3", nullptr, report_.peaks.cores)
                                 .arg(kind, digits(roof.peak), origin)
                           : QStringLiteral("%1: %2").arg(kind, digits(roof.peak));
        // Two narrower vector widths at the same height would only be clutter.
        const bool near = std::any_of(roofs.begin(), roofs.end(), [&](const Roof& other) {
            return other.peak > 0 && roof.peak / other.peak > 0.9;
        });
        if (first || !near)
            roofs.append(roof);
        first = false;
    }
    for (const session::MemoryRoof& memory : report_.peaks.memory) {
        Roof roof;
        roof.bandwidth = memory.byteRate / 1e9;
        roof.main = memory.level == "memory";
        const QString level = memory.level == "memory" ? QStringLiteral("DRAM")
                                                       : QString::fromStdString(memory.level);
        roof.label = QStringLiteral("%1 %2 GB/s").arg(level, digits(roof.bandwidth));
        roofs.append(roof);
    }
    return roofs;
}

QVector<RooflineDot> BottleneckShapes::dots(bool arrows) const {
    QVector<RooflineDot> dots;
    const std::vector<const session::OperatorRow*> rows = byTime(report_);
    for (const session::RooflinePoint& point : report_.points) {
        RooflineDot dot;
        dot.id = point.task;
        dot.intensity = point.intensity;
        dot.rate = point.flopRate / 1e9;
        dot.share = point.share;
        dot.memoryBound = point.bound == session::Bound::Memory;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i]->task != point.task)
                continue;
            dot.name = shortName(rows[i]->name);
            dot.labelled = i < kLabels;
            if (arrows && point.defaultFlopRate && rows[i]->tuned) {
                dot.baselineRate = *point.defaultFlopRate / 1e9;
                dot.speedUp = factorText(rows[i]->speedup);
            }
        }
        dots.append(dot);
    }
    return dots;
}

QString BottleneckShapes::roofNote() const {
    if (!report_.peaks.known())
        return tr("roofs not measured");
    if (report_.peaks.origin == session::PeakOrigin::Theoretical)
        return tr("theoretical roofs");
    return tr("roofs measured %1 on this machine")
        .arg(QLocale().toString(QDateTime::fromMSecsSinceEpoch(report_.peaks.timeMs),
                                QStringLiteral("d MMM")));
}

} // namespace tilewright::ui
