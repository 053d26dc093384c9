// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/device_table.h>

#include <tilewright/ui/live_text.h>

#include <QDateTime>
#include <QLocale>

namespace tilewright::ui {

QVector<TableColumn> DeviceTable::columns() {
    QVector<TableColumn> columns(ColumnCount);
    columns[NameColumn] = {tr("name"), QStringLiteral("name"), {}, false};
    columns[KindColumn] = {tr("kind"), QStringLiteral("kind"), {}, false};
    columns[StateColumn] = {tr("state"), QStringLiteral("state"),
                            tr("By its last test; Test runs a known kernel and checks its result"),
                            false};
    columns[LatencyColumn] = {tr("known kernel, µs"), QStringLiteral("known_kernel_s"),
                              tr("Median of a 64 × 64 × 64 matrix product with its default "
                                 "schedule"),
                              true};
    columns[TripColumn] = {tr("round trip, ms"), QStringLiteral("round_trip_s"),
                           tr("Starting the runner, sending, running, checking"), true};
    columns[RecordsColumn] = {tr("records"), QStringLiteral("records"),
                              tr("Measured on it, in this work directory"), true};
    columns[FailedColumn] = {tr("failed %"), QStringLiteral("failed_share"), {}, true};
    columns[SeenColumn] = {tr("last seen"), QStringLiteral("last_seen"), {}, true};
    columns[TargetColumn] = {tr("target"), QStringLiteral("target"), {}, false};
    return columns;
}

QString DeviceTable::kindWord(session::DeviceKind kind) {
    switch (kind) {
    case session::DeviceKind::Local:
        return tr("this machine");
    case session::DeviceKind::Ssh:
        return tr("board over SSH");
    case session::DeviceKind::Emulator:
        return tr("emulator, correctness only");
    case session::DeviceKind::Command:
        return tr("command");
    }
    return {};
}

QString DeviceTable::stateWord(const session::DeviceRow& row) {
    if (!row.test)
        return tr("not tested");
    if (row.test->ok)
        return tr("idle");
    const QString status = QString::fromStdString(row.test->status);
    if (status == QStringLiteral("device-lost"))
        return tr("lost");
    return row.test->status == "ok" ? tr("wrong result") : tr("failed: %1").arg(status);
}

QString DeviceTable::stateGlyph(const session::DeviceRow& row) {
    if (!row.test)
        return QStringLiteral("…");
    return row.test->ok ? QStringLiteral("○") : QStringLiteral("⚠");
}

Tone DeviceTable::stateTone(const session::DeviceRow& row) {
    if (!row.test)
        return Tone::Secondary;
    return row.test->ok ? Tone::Normal : Tone::Warning;
}

QString DeviceTable::whenText(qint64 timeMs) {
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(timeMs);
    const qint64 seconds = when.secsTo(QDateTime::currentDateTime());
    if (seconds < 60)
        return tr("just now");
    if (seconds < 3600)
        return tr("%n min ago", nullptr, static_cast<int>(seconds / 60));
    return QLocale().toString(when, QStringLiteral("d MMM HH:mm"));
}

QVector<QVector<CellValue>> DeviceTable::rows(const std::vector<session::DeviceRow>& devices,
                                              const QString& testing, const QStringList& waiting) {
    QVector<QVector<CellValue>> rows;
    for (const session::DeviceRow& row : devices) {
        const QString key = QString::fromStdString(row.device.key);
        QVector<CellValue> cells(ColumnCount);
        cells[NameColumn] = textCell(key);
        cells[KindColumn] = textCell(kindWord(row.kind), Tone::Secondary);
        cells[KindColumn].tooltip = QString::fromStdString(row.device.description);
        cells[StateColumn] = textCell(stateWord(row), stateTone(row));
        cells[StateColumn].glyph = stateGlyph(row);
        if (row.test && !row.test->message.empty())
            cells[StateColumn].tooltip = QString::fromStdString(row.test->message);
        if (key == testing) {
            cells[StateColumn] = textCell(tr("testing"), Tone::Accent);
            cells[StateColumn].glyph = QStringLiteral("▶");
        } else if (waiting.contains(key)) {
            cells[StateColumn] = textCell(tr("waits for its test"), Tone::Secondary);
            cells[StateColumn].glyph = QStringLiteral("…");
        }
        const QString untested = tr("Not tested, or its test failed.");
        cells[LatencyColumn] = missingCell(untested);
        cells[TripColumn] = missingCell(untested);
        if (row.test && row.test->medianSeconds)
            cells[LatencyColumn] = numberCell(latencyText(row.test->medianSeconds, {"µs", 1e-6}),
                                              *row.test->medianSeconds);
        if (row.test && row.test->ok && row.test->roundTripSeconds)
            cells[TripColumn] = numberCell(latencyText(row.test->roundTripSeconds, {"ms", 1e-3}),
                                           *row.test->roundTripSeconds);
        cells[RecordsColumn] =
            numberCell(groupedCount(row.records), static_cast<double>(row.records));
        cells[FailedColumn] =
            row.records > 0
                ? numberCell(QLocale().toString(100.0 * static_cast<double>(row.failed) /
                                                    static_cast<double>(row.records),
                                                'f', 1),
                             static_cast<double>(row.failed) / static_cast<double>(row.records))
                : missingCell(tr("No record of this work directory was measured on it."));
        cells[SeenColumn] = row.lastSeenMs ? numberCell(whenText(*row.lastSeenMs),
                                                        static_cast<double>(*row.lastSeenMs))
                                           : missingCell(tr("It never answered."));
        if (row.lastSeenMs) {
            const QDateTime seen = QDateTime::fromMSecsSinceEpoch(*row.lastSeenMs);
            cells[SeenColumn].tooltip = seen.toString(Qt::ISODate);
            cells[SeenColumn].exported = seen.toString(Qt::ISODate);
        }
        cells[TargetColumn] = textCell(
            row.device.target.empty() ? tr("as chosen") : QString::fromStdString(row.device.target),
            Tone::Secondary);
        rows.append(cells);
    }
    return rows;
}

QString DeviceTable::factName(session::DeviceFactKind kind) {
    switch (kind) {
    case session::DeviceFactKind::Processor:
        return tr("Processor");
    case session::DeviceFactKind::Features:
        return tr("Vectors");
    case session::DeviceFactKind::Caches:
        return tr("Caches");
    case session::DeviceFactKind::Cores:
        return tr("Cores");
    case session::DeviceFactKind::Memory:
        return tr("Memory");
    case session::DeviceFactKind::Governor:
        return tr("Governor");
    case session::DeviceFactKind::Temperature:
        return tr("Temperature");
    case session::DeviceFactKind::Clock:
        return tr("Clock");
    }
    return {};
}

QVector<QPair<QString, QString>> DeviceTable::peakLines(const session::DevicePeaks& peaks) {
    QVector<QPair<QString, QString>> lines;
    const auto digits = [](double value) {
        return QLocale().toString(value, 'f', value < 10 ? 2 : value < 100 ? 1 : 0);
    };
    for (const session::ComputeRoof& roof : peaks.compute)
        if (!roof.derived)
            lines.append({tr("Multiply-add, %1 bits").arg(roof.vectorBits),
                          tr("%1 GFLOPS").arg(digits(roof.flopRate / 1e9))});
    for (const session::MemoryRoof& roof : peaks.memory)
        lines.append({roof.level == "memory" ? tr("Memory") : QString::fromStdString(roof.level),
                      tr("%1 GB/s").arg(digits(roof.byteRate / 1e9))});
    if (peaks.timeMs > 0)
        lines.append(
            {tr("Peaks taken"), QLocale().toString(QDateTime::fromMSecsSinceEpoch(peaks.timeMs),
                                                   QStringLiteral("d MMM HH:mm"))});
    return lines;
}

} // namespace tilewright::ui
