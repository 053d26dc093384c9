// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/device_overview.h>
#include <tilewright/session/device_peaks.h>
#include <tilewright/ui/cell_table_model.h>

#include <QCoreApplication>
#include <QPair>
#include <QStringList>

namespace tilewright::ui {

/// The devices as columns and cells; rows have their position as id.
class DeviceTable {
    Q_DECLARE_TR_FUNCTIONS(DeviceTable)

public:
    enum Column {
        NameColumn,
        KindColumn,
        StateColumn,
        LatencyColumn,
        TripColumn,
        RecordsColumn,
        FailedColumn,
        SeenColumn,
        TargetColumn,
        ColumnCount
    };

    [[nodiscard]] static QVector<TableColumn> columns();
    /// `testing` and `waiting`: keys of devices whose test goes on or will come.
    [[nodiscard]] static QVector<QVector<CellValue>>
    rows(const std::vector<session::DeviceRow>& devices, const QString& testing,
         const QStringList& waiting);
    [[nodiscard]] static QString kindWord(session::DeviceKind kind);
    /// `idle`, `lost`, `not tested`, … and its glyph.
    [[nodiscard]] static QString stateWord(const session::DeviceRow& row);
    [[nodiscard]] static QString stateGlyph(const session::DeviceRow& row);
    [[nodiscard]] static Tone stateTone(const session::DeviceRow& row);
    [[nodiscard]] static QString factName(session::DeviceFactKind kind);
    /// `just now`, `5 min ago`, else date and time.
    [[nodiscard]] static QString whenText(qint64 timeMs);
    /// Peaks as name and value: multiply-add 256 bits — 96.2 GFLOPS.
    [[nodiscard]] static QVector<QPair<QString, QString>>
    peakLines(const session::DevicePeaks& peaks);
};

} // namespace tilewright::ui
