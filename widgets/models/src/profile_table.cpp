// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/profile_table.h>

#include <tilewright/ui/live_text.h>
#include <tilewright/ui/operator_table.h>

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

QString percent(double share) {
    return QLocale().toString(share * 100, 'f', 1);
}

} // namespace

ProfileTable::ProfileTable(const session::ProfileReport& report) : report_(report) {
    // Rows are parts of the whole: they share its unit, so that they can be added by eye.
    if (report.wholeSeconds > 0)
        unit_ = session::latencyUnit(report.wholeSeconds);
}

QVector<TableColumn> ProfileTable::columns() const {
    const QString unit = QString::fromStdString(unit_.name);
    QVector<TableColumn> columns(ColumnCount);
    columns[FirstColumn] = {tr("first"), QStringLiteral("first_call"),
                            tr("Position of the first call in a run"), true};
    columns[NameColumn] = {tr("name"), QStringLiteral("name"), {}, false};
    columns[CountColumn] = {tr("count"), QStringLiteral("count"), tr("Calls in one run"), true};
    columns[StartColumn] = {tr("start, %1").arg(unit), QStringLiteral("start_s"),
                            tr("When the first call begins, in the run of the timeline"), true};
    columns[DurationColumn] = {tr("median, %1").arg(unit), QStringLiteral("duration_s"),
                               tr("Median of one call × count"), true};
    columns[ErrorColumn] = {QStringLiteral("±"), QStringLiteral("plus_minus_s"),
                            tr("Half of the 95 % interval of the median"), true};
    columns[ShareColumn] = {QStringLiteral("%"), QStringLiteral("share"),
                            tr("Of the time from end to end"), true};
    columns[ShapeColumn] = {tr("shapes"), QStringLiteral("shapes"), {}, false};
    columns[TypeColumn] = {tr("type"), QStringLiteral("dtype"), {}, false};
    columns[RateColumn] = {tr("rate"), QStringLiteral("rate"),
                           tr("GFLOPS, or GB/s where memory is the bound"), true};
    columns[RoofColumn] = {tr("% roof"), QStringLiteral("roof_share"),
                           tr("Time at the measured roof / duration"), true};
    columns[HashColumn] = {tr("hash"), QStringLiteral("hash"),
                           tr("Structural hash of the workload"), false};
    columns[RecordColumn] = {tr("record"), QStringLiteral("record"),
                             tr("The record this kernel was made from"), true};
    return columns;
}

QVector<CellValue> ProfileTable::rowCells(const session::ProfileRow& row) const {
    QVector<CellValue> cells(ColumnCount);
    const QString noTimeline = tr("This profile has no timeline.");
    cells[FirstColumn] =
        row.first > 0 ? numberCell(groupedCount(row.first), row.first) : missingCell(noTimeline);
    cells[FirstColumn].tone = Tone::Secondary;
    cells[NameColumn] = textCell(QString::fromStdString(row.name));
    cells[CountColumn] =
        numberCell(QStringLiteral("×%1").arg(row.calls), static_cast<double>(row.calls));
    cells[CountColumn].tone = Tone::Secondary;
    cells[StartColumn] = row.startSeconds
                             ? numberCell(latencyText(row.startSeconds, unit_), *row.startSeconds)
                             : missingCell(noTimeline);
    if (row.startSeconds && *row.startSeconds == 0)
        cells[StartColumn].text = QStringLiteral("0");
    cells[DurationColumn] = numberCell(latencyText(row.seconds, unit_), row.seconds);
    const QString error = row.plusMinus ? errorText(row.seconds, *row.plusMinus, unit_) : QString();
    cells[ErrorColumn] = error.isEmpty() ? missingCell(tr("This profile has no intervals."))
                                         : numberCell(error.mid(2), *row.plusMinus);
    cells[ErrorColumn].tone = Tone::Secondary;
    cells[ShareColumn] = numberCell(percent(row.share), row.share);
    cells[ShareColumn].bar = std::clamp(row.share, 0.0, 1.0);
    cells[ShapeColumn] = textCell(QString::fromStdString(row.shape), Tone::Secondary);
    cells[TypeColumn] = textCell(QString::fromStdString(row.dtype), Tone::Secondary);
    const QString rate = OperatorTable::rateText(row.flopRate, row.byteRate);
    cells[RateColumn] =
        rate.isEmpty() ? missingCell(tr("Neither FLOP nor bytes are known.")) : textCell(rate);
    cells[RateColumn].sort = row.flopRate ? *row.flopRate : row.byteRate.value_or(0);
    cells[RoofColumn] = row.roofShare
                            ? numberCell(percent(*row.roofShare), *row.roofShare)
                            : missingCell(tr("The peaks of this device are not measured."));
    cells[HashColumn] = row.hash.empty()
                            ? missingCell(tr("Not in the work directory."))
                            : textCell(QString::fromStdString(row.hash), Tone::Secondary);
    if (row.record >= 0) {
        cells[RecordColumn] = numberCell(groupedCount(row.record), static_cast<double>(row.record));
        cells[RecordColumn].link = true;
    } else {
        cells[RecordColumn] = textCell(tr("default"), Tone::Secondary);
        cells[RecordColumn].tooltip = tr("The default schedule: no record of the work directory "
                                         "fits this kernel and target.");
    }
    return cells;
}

QVector<QVector<CellValue>> ProfileTable::rows() const {
    QVector<QVector<CellValue>> rows;
    for (const session::ProfileRow& row : report_.rows)
        rows.append(rowCells(row));
    return rows;
}

QVector<qint64> ProfileTable::ids() const {
    QVector<qint64> ids;
    for (std::size_t i = 0; i < report_.rows.size(); ++i)
        ids.append(static_cast<qint64>(i));
    return ids;
}

QVector<CellValue> ProfileTable::sumCells(const QString& name, double seconds,
                                          std::optional<double> error, double share,
                                          const QString& note) const {
    QVector<CellValue> cells(ColumnCount);
    cells[NameColumn] = textCell(name);
    cells[DurationColumn] = numberCell(latencyText(seconds, unit_), seconds);
    if (error)
        cells[ErrorColumn] = numberCell(errorText(seconds, *error, unit_).mid(2), *error);
    cells[ErrorColumn].tone = Tone::Secondary;
    cells[ShareColumn] = numberCell(percent(share), share);
    cells[ShapeColumn] = textCell(note, Tone::Secondary);
    return cells;
}

QVector<QVector<CellValue>> ProfileTable::footer() const {
    const double whole = report_.wholeSeconds;
    const auto share = [whole](double seconds) { return whole > 0 ? seconds / whole : 0; };
    QVector<QVector<CellValue>> rows{
        sumCells(tr("sum of operators"), report_.sumSeconds, std::nullopt,
                 share(report_.sumSeconds), {}),
        sumCells(tr("overhead"), report_.overheadSeconds, std::nullopt,
                 share(report_.overheadSeconds), tr("calls, wake-up")),
        sumCells(tr("end to end"), whole, report_.wholePlusMinus, 1, tr("measured apart"))};
    rows[0][CountColumn] =
        numberCell(QStringLiteral("×%1").arg(report_.calls), static_cast<double>(report_.calls));
    rows[1][ShapeColumn].tooltip = tr("End to end − sum of operators");
    rows[2][ShapeColumn].tooltip =
        tr("Median of %n whole run(s)", nullptr, static_cast<int>(report_.runs));
    rows[1][ShareColumn].bar = std::clamp(share(report_.overheadSeconds), 0.0, 1.0);
    rows[1][ShareColumn].barTone = Tone::Warning;
    return rows;
}

QString ProfileTable::reconciliation() const {
    const QString whole = latencyWithUnit(report_.wholeSeconds);
    if (report_.reconciliation == session::Reconciliation::Closed)
        return tr("Reconciled: operators %1 + overhead %2 = %3 end to end, gap %4 %")
            .arg(latencyWithUnit(report_.sumSeconds), latencyWithUnit(report_.overheadSeconds),
                 whole, percent(std::abs(report_.gapShare)));
    return tr("The operators, timed one by one, take %1 % longer than the whole run of %2: each "
              "call is timed apart, with its own wake-up.")
        .arg(percent(report_.gapShare), whole);
}

QString ProfileTable::policy() const {
    return tr("Policy: whole runs and timed calls in alternation, 3 to warm up, median of %n "
              "run(s), ",
              nullptr, static_cast<int>(report_.runs)) +
           tr("%n thread(s)", nullptr, report_.threads);
}

QVector<TableColumn> ProfileTable::phaseColumns() {
    return {{tr("phase"), QStringLiteral("phase"), {}, false},
            {QStringLiteral("%"), QStringLiteral("share"), tr("Of the session's time"), true},
            {tr("time"), QStringLiteral("time_s"), {}, true},
            {tr("calls"), QStringLiteral("calls"),
             tr("Rounds of the search and of training, trials of build and run"), true},
            {tr("mean"), QStringLiteral("mean_s"), tr("Time / calls"), true}};
}

QVector<QVector<CellValue>> ProfileTable::phaseRows(const session::SearchProfile& search) {
    QVector<QVector<CellValue>> rows;
    const auto word = [](const std::string& name) {
        if (name == "search")
            return tr("search: propose and score");
        if (name == "build")
            return tr("measure: build");
        if (name == "run")
            return tr("measure: run");
        if (name == "measure")
            return tr("measure: build and run");
        if (name == "train")
            return tr("cost model: train");
        return name == "other" ? tr("other") : QString::fromStdString(name);
    };
    for (const session::SearchPhase& phase : search.phases) {
        QVector<CellValue> cells(PhaseCount);
        cells[PhaseColumnName] = textCell(word(phase.name));
        cells[PhaseShare] = numberCell(percent(phase.share), phase.share);
        cells[PhaseShare].bar = std::clamp(phase.share, 0.0, 1.0);
        cells[PhaseTime] = numberCell(phase.seconds < 60 ? latencyWithUnit(phase.seconds)
                                                         : spanText(phase.seconds),
                                      phase.seconds);
        cells[PhaseCalls] = phase.calls > 0 ? numberCell(groupedCount(phase.calls),
                                                         static_cast<double>(phase.calls))
                                            : missingCell(tr("Not counted."));
        cells[PhaseCalls].tone = Tone::Secondary;
        cells[PhaseMean] = phase.mean() ? numberCell(latencyWithUnit(phase.mean()), *phase.mean())
                                        : missingCell(tr("Not counted."));
        cells[PhaseMean].tone = Tone::Secondary;
        rows.append(cells);
    }
    return rows;
}

QVector<qint64> ProfileTable::phaseIds(const session::SearchProfile& search) {
    QVector<qint64> ids;
    for (std::size_t i = 0; i < search.phases.size(); ++i)
        ids.append(static_cast<qint64>(i));
    return ids;
}

QVector<QVector<CellValue>> ProfileTable::phaseTotals(const session::SearchProfile& search) {
    QVector<CellValue> cells(PhaseCount);
    cells[PhaseColumnName] = textCell(tr("total"));
    cells[PhaseShare] = numberCell(percent(1), 1);
    cells[PhaseTime] = numberCell(spanText(search.totalSeconds), search.totalSeconds);
    return {cells};
}

} // namespace tilewright::ui
