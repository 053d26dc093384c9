// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/operator_table.h>

#include <tilewright/ui/live_text.h>

#include <QLocale>

#include <algorithm>
#include <vector>

namespace tilewright::ui {

namespace {

QString percent(double share) {
    return QLocale().toString(share * 100, 'f', 1);
}

QString unitName(const session::ScaledUnit& unit) {
    return QString::fromStdString(std::string(unit.name));
}

/// Three significant digits without an exponent.
QString threeDigits(double value) {
    const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return QLocale().toString(value, 'f', decimals);
}

QVector<double> sparkline(const std::vector<double>& curve) {
    constexpr std::size_t kColumns = 40;
    QVector<double> values;
    if (curve.size() < 2)
        return values;
    for (std::size_t i = 0; i <= kColumns; ++i)
        values.append(curve[(curve.size() - 1) * i / kColumns]);
    return values;
}

} // namespace

OperatorTable::OperatorTable(const session::BottleneckReport& report) : report_(report) {
    std::vector<double> calls;
    for (const session::OperatorRow& row : report.rows) {
        if (row.bestSeconds)
            calls.push_back(*row.bestSeconds);
        largestHeadroom_ = std::max(largestHeadroom_, row.headroomSeconds.value_or(0));
    }
    if (!calls.empty()) {
        std::sort(calls.begin(), calls.end());
        callUnit_ = session::latencyUnit(calls[calls.size() / 2]);
    }
    if (report.totals.seconds)
        totalUnit_ = session::latencyUnit(*report.totals.seconds);
}

QString OperatorTable::boundWord(session::Bound bound) {
    switch (bound) {
    case session::Bound::Compute:
        return tr("compute");
    case session::Bound::Memory:
        return tr("memory");
    case session::Bound::Unknown:
        break;
    }
    return QStringLiteral("—");
}

QString OperatorTable::rateText(std::optional<double> flopRate, std::optional<double> byteRate) {
    if (flopRate)
        return *flopRate >= 1e12 ? tr("%1 TFLOPS").arg(threeDigits(*flopRate / 1e12))
                                 : tr("%1 GFLOPS").arg(threeDigits(*flopRate / 1e9));
    if (byteRate)
        return tr("%1 GB/s").arg(threeDigits(*byteRate / 1e9));
    return {};
}

QVector<TableColumn> OperatorTable::columns() const {
    const QString statistic = statisticWord(report_.statistic);
    const QString call = unitName(callUnit_);
    const QString total = unitName(totalUnit_);
    QVector<TableColumn> columns(ColumnCount);
    columns[NameColumn] = {tr("op"), QStringLiteral("operator"), tr("Task of the model"), false};
    columns[ShapeColumn] = {tr("shape"), QStringLiteral("shape"), {}, false};
    columns[CountColumn] = {tr("×"), QStringLiteral("calls"), tr("Calls in one run"), true};
    columns[LatencyColumn] = {
        tr("%1, %2").arg(statistic, call), QStringLiteral("latency_s"),
        tr("Latency of one call, %1 of all samples of the best record").arg(statistic), true};
    columns[ErrorColumn] = {QStringLiteral("±"), QStringLiteral("plus_minus_s"),
                            tr("Half of the 95 % interval of the median"), true};
    columns[TotalColumn] = {tr("total, %1").arg(total), QStringLiteral("total_s"),
                            tr("Latency × calls in one run"), true};
    columns[ShareColumn] = {tr("share, %"), QStringLiteral("share"),
                            tr("Total of this operator / total of the model"), true};
    columns[BoundColumn] = {tr("bound"), QStringLiteral("bound"),
                            tr("Which roof is the lower one at this operator's FLOP per byte"),
                            false};
    columns[RateColumn] = {tr("rate"), QStringLiteral("rate"),
                           tr("GFLOPS, or GB/s where memory is the bound and FLOP say nothing"),
                           true};
    columns[RoofColumn] = {tr("% of roof"), QStringLiteral("roof_share"),
                           tr("Time at the roof / latency; the cell's tooltip names the roof"),
                           true};
    columns[HeadroomColumn] = {tr("headroom, %1").arg(total), QStringLiteral("headroom_s"),
                               tr("Share × distance to the roof: (latency − time at the roof) × "
                                  "calls. Where the next hour of tuning can pay most."),
                               true};
    columns[DefaultColumn] = {
        tr("default, %1").arg(call), QStringLiteral("default_s"),
        tr("Latency of one call with the default schedule, %1").arg(statistic), true};
    columns[SpeedUpColumn] = {tr("speed-up"), QStringLiteral("speedup"), tr("Default / best"),
                              true};
    columns[TrialsColumn] = {tr("ok / failed"), QStringLiteral("trials"),
                             tr("Trials that gave a latency, and that did not"), true};
    columns[CurveColumn] = {tr("best so far"), QStringLiteral("curve"), {}, false};
    columns[NodesColumn] = {tr("tag"), QStringLiteral("tag"), tr("Fused operators"), false};
    columns[RecordColumn] = {tr("record"), QStringLiteral("record"),
                             tr("The record of the best latency"), true};
    return columns;
}

QString OperatorTable::noPeaks() const {
    return tr("The peaks of this device are not measured.");
}

void OperatorTable::addTimes(QVector<CellValue>& cells, const session::OperatorRow& row) const {
    const QString untimed = tr("No trial and no default schedule gave a latency.");
    if (!row.bestSeconds) {
        for (const Column column : {LatencyColumn, ErrorColumn, TotalColumn, ShareColumn})
            cells[column] = missingCell(untimed);
        return;
    }
    cells[LatencyColumn] = numberCell(latencyText(row.bestSeconds, callUnit_), *row.bestSeconds);
    cells[LatencyColumn].tooltip = tr("n = %1").arg(row.samples);
    const QString error =
        row.plusMinus ? errorText(*row.bestSeconds, *row.plusMinus, callUnit_) : QString();
    cells[ErrorColumn] = error.isEmpty() ? missingCell(tr("Too few samples for an interval."))
                                         : numberCell(error.mid(2), *row.plusMinus);
    cells[ErrorColumn].tone = Tone::Secondary;
    cells[TotalColumn] = numberCell(latencyText(row.totalSeconds, totalUnit_), *row.totalSeconds);
    cells[ShareColumn] = numberCell(percent(row.share), row.share);
    cells[ShareColumn].bar = row.share;
}

void OperatorTable::addRoofs(QVector<CellValue>& cells, const session::OperatorRow& row) const {
    cells[BoundColumn] = row.bound == session::Bound::Unknown ? missingCell(noPeaks())
                                                              : textCell(boundWord(row.bound));
    cells[BoundColumn].tone = Tone::Secondary;
    const QString rate = rateText(row.flopRate, row.byteRate);
    cells[RateColumn] =
        rate.isEmpty() ? missingCell(tr("No latency to compute it from.")) : textCell(rate);
    cells[RateColumn].sort = row.flopRate ? *row.flopRate : row.byteRate.value_or(0);
    if (row.roofShare) {
        cells[RoofColumn] = numberCell(percent(*row.roofShare), *row.roofShare);
        cells[RoofColumn].tooltip =
            tr("Roof: %1, %2")
                .arg(QString::fromStdString(row.roofName),
                     report_.peaks.origin == session::PeakOrigin::Measured ? tr("measured")
                                                                           : tr("theoretical"));
    } else {
        cells[RoofColumn] = missingCell(noPeaks());
    }
    if (row.headroomSeconds) {
        cells[HeadroomColumn] =
            numberCell(latencyText(row.headroomSeconds, totalUnit_), *row.headroomSeconds);
        cells[HeadroomColumn].bar =
            largestHeadroom_ > 0 ? *row.headroomSeconds / largestHeadroom_ : 0;
        cells[HeadroomColumn].barTone = Tone::Secondary;
    } else {
        cells[HeadroomColumn] = missingCell(noPeaks());
    }
}

QVector<CellValue> OperatorTable::rowCells(const session::OperatorRow& row) const {
    QVector<CellValue> cells(ColumnCount);
    cells[NameColumn] = textCell(QString::fromStdString(row.name));
    if (!row.tuned)
        cells[NameColumn].suffix = tr("untuned");
    cells[ShapeColumn] = textCell(QString::fromStdString(row.shape), Tone::Secondary);
    cells[ShapeColumn].tooltip = QString::fromStdString(row.dtype);
    cells[CountColumn] = numberCell(QLocale().toString(row.weight, 'g', 4), row.weight);
    addTimes(cells, row);
    addRoofs(cells, row);
    cells[DefaultColumn] =
        row.defaultSeconds
            ? numberCell(latencyText(row.defaultSeconds, callUnit_), *row.defaultSeconds)
            : missingCell(tr("The default schedule was not measured."));
    cells[SpeedUpColumn] = row.speedup ? numberCell(factorText(row.speedup), *row.speedup)
                                       : missingCell(tr("Needs the default schedule's latency."));
    cells[TrialsColumn] =
        numberCell(QStringLiteral("%1 / %2").arg(groupedCount(row.trials - row.failed),
                                                 groupedCount(row.failed)),
                   static_cast<double>(row.trials));
    cells[CurveColumn].sparkline = sparkline(row.curve);
    cells[CurveColumn].sort = row.speedup ? QVariant(*row.speedup) : QVariant();
    cells[NodesColumn] = textCell(QString::fromStdString(row.tag), Tone::Secondary);
    if (row.record >= 0) {
        cells[RecordColumn] = numberCell(groupedCount(row.record), static_cast<double>(row.record));
        cells[RecordColumn].exported = static_cast<qint64>(row.record);
        cells[RecordColumn].link = true;
    } else {
        cells[RecordColumn] = missingCell(tr("No record has a latency."));
    }
    return cells;
}

QVector<QVector<CellValue>> OperatorTable::rows() const {
    QVector<QVector<CellValue>> rows;
    for (const session::OperatorRow& row : report_.rows)
        rows.append(rowCells(row));
    return rows;
}

QVector<qint64> OperatorTable::ids() const {
    QVector<qint64> ids;
    for (const session::OperatorRow& row : report_.rows)
        ids.append(row.task);
    return ids;
}

QVector<QVector<CellValue>> OperatorTable::totals() const {
    const session::OperatorTotals& totals = report_.totals;
    QVector<CellValue> cells(ColumnCount);
    cells[NameColumn] = textCell(tr("total"));
    cells[ShapeColumn] = textCell(
        tr("%n operator(s)", nullptr, static_cast<int>(report_.rows.size())), Tone::Secondary);
    cells[CountColumn] = numberCell(QLocale().toString(totals.weight, 'g', 6), totals.weight);
    if (totals.seconds) {
        cells[TotalColumn] = numberCell(latencyText(totals.seconds, totalUnit_), *totals.seconds);
        cells[ShareColumn] = numberCell(percent(1), 1);
    }
    if (totals.roofShare)
        cells[RoofColumn] = numberCell(percent(*totals.roofShare), *totals.roofShare);
    if (totals.headroomSeconds)
        cells[HeadroomColumn] =
            numberCell(latencyText(totals.headroomSeconds, totalUnit_), *totals.headroomSeconds);
    if (totals.speedup)
        cells[SpeedUpColumn] = numberCell(factorText(totals.speedup), *totals.speedup);
    return {cells};
}

QString OperatorTable::adviceTitle(const session::Advice& advice) {
    const QString share = percent(advice.share);
    if (advice.rule == "not-vectorized")
        return tr("No loop is vectorised over %1 lanes").arg(advice.lanes);
    if (advice.rule == "unaligned-tail")
        return tr("A vector loop of %1 leaves lanes empty").arg(advice.extent);
    if (advice.rule == "no-parallel-loop")
        return tr("Runs on one of %1 cores").arg(advice.lanes);
    if (advice.rule == "parallel-extent")
        return tr("Parallel extent %1 on %2 cores: %3 % idle")
            .arg(QString::number(advice.extent), QString::number(advice.lanes), share);
    if (advice.rule == "default-is-best")
        return tr("No trial beats the default schedule");
    if (advice.rule == "stagnated" && advice.share < 0.0005)
        return tr("No gain in the last %1 trials").arg(advice.extent);
    if (advice.rule == "stagnated")
        return tr("Stagnated: −%1 % in the last %2 trials")
            .arg(share, QString::number(advice.extent));
    if (advice.rule == "layout-transforms")
        return tr("Moving data takes %1 % of the time").arg(share);
    return QString::fromStdString(advice.what);
}

QString OperatorTable::adviceEvidence(const session::Advice& advice) {
    const QString name = QString::fromStdString(advice.subject);
    if (advice.rule == "not-vectorized")
        return tr("%1 · no vectorised loop in the best schedule").arg(name);
    if (advice.rule == "unaligned-tail")
        return tr("%1 · the last vector of %2 lanes holds %3")
            .arg(name, QString::number(advice.lanes), QString::number(advice.rest));
    if (advice.rule == "no-parallel-loop")
        return tr("%1 · the best schedule has no parallel loop").arg(name);
    if (advice.rule == "parallel-extent")
        return tr("%1 · the last chunk runs on %n core(s)", nullptr, static_cast<int>(advice.rest))
            .arg(name);
    if (advice.rule == "default-is-best")
        return tr("%1 · %n trial(s), %2 failed", nullptr, static_cast<int>(advice.trials))
            .arg(name, groupedCount(advice.failed));
    if (advice.rule == "stagnated")
        return tr("%1 · %n trial(s); try a larger budget or another sketch", nullptr,
                  static_cast<int>(advice.trials))
            .arg(name);
    if (advice.rule == "layout-transforms")
        return tr("most of it %1 · no arithmetic is done there").arg(name);
    return QString::fromStdString(advice.evidence);
}

} // namespace tilewright::ui
