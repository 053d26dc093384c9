// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_curve.h>
#include <tilewright/session/model_overview.h>
#include <tilewright/ui/cell_table_model.h>

#include <QCoreApplication>

namespace tilewright::ui {

/// The tasks and the import report of an opened model as columns and cells. Rows have the index of
/// their task, or of their line, as id.
class OverviewTable {
    Q_DECLARE_TR_FUNCTIONS(OverviewTable)

public:
    enum TaskColumn {
        NameColumn,
        TagColumn,
        ShapeColumn,
        WeightColumn,
        FlopColumn,
        BytesColumn,
        IntensityColumn,
        DefaultColumn,
        ShareColumn,
        StateColumn,
        NodesColumn,
        BeforeColumn, ///< calls with the shapes before
        TaskColumnCount
    };
    enum LineColumn { NodeColumn, OpColumn, TextColumn, LineColumnCount };

    /// `previous` (may be null): the same model under the shapes before.
    OverviewTable(const session::ModelOverview& overview, const session::ModelOverview* previous);

    [[nodiscard]] QVector<TableColumn> taskColumns() const;
    [[nodiscard]] QVector<QVector<CellValue>> taskRows() const;
    [[nodiscard]] QVector<qint64> taskIds() const;

    [[nodiscard]] static QVector<TableColumn> lineColumns();
    [[nodiscard]] QVector<QVector<CellValue>> lineRows() const;
    [[nodiscard]] QVector<qint64> lineIds() const;

    /// `3.63 GFLOP`, `231 MFLOP`.
    [[nodiscard]] static QString flopText(double flop);
    /// `44.7 MB`.
    [[nodiscard]] static QString bytesText(double bytes);
    /// `11.69 M`.
    [[nodiscard]] static QString millionsText(qint64 count);
    /// What a line of the import report says, in the current language.
    [[nodiscard]] static QString lineText(const session::ReportLine& line);

private:
    [[nodiscard]] QVector<CellValue> taskCells(const session::OverviewTask& task) const;

    const session::ModelOverview& overview_;
    const session::ModelOverview* previous_;
    double largestShare_ = 0;
    session::ScaledUnit unit_{"µs", 1e-6};
};

} // namespace tilewright::ui
