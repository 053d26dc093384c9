// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_curve.h>
#include <tilewright/session/profile_report.h>
#include <tilewright/ui/cell_table_model.h>

#include <QCoreApplication>

namespace tilewright::ui {

/// A profile of a model, and of the search itself, as columns and cells.
class ProfileTable {
    Q_DECLARE_TR_FUNCTIONS(ProfileTable)

public:
    enum Column {
        FirstColumn,
        NameColumn,
        CountColumn,
        StartColumn,
        DurationColumn,
        ErrorColumn,
        ShareColumn,
        ShapeColumn,
        TypeColumn,
        RateColumn,
        RoofColumn,
        HashColumn,
        RecordColumn,
        ColumnCount
    };
    enum PhaseColumn { PhaseColumnName, PhaseShare, PhaseTime, PhaseCalls, PhaseMean, PhaseCount };

    explicit ProfileTable(const session::ProfileReport& report);

    [[nodiscard]] QVector<TableColumn> columns() const;
    [[nodiscard]] QVector<QVector<CellValue>> rows() const;
    /// Position of each row, as its id.
    [[nodiscard]] QVector<qint64> ids() const;
    /// Sum of operators, overhead, end to end.
    [[nodiscard]] QVector<QVector<CellValue>> footer() const;
    /// Whether parts and whole fit, in the current language.
    [[nodiscard]] QString reconciliation() const;
    /// How the whole was measured.
    [[nodiscard]] QString policy() const;

    [[nodiscard]] static QVector<TableColumn> phaseColumns();
    [[nodiscard]] static QVector<QVector<CellValue>>
    phaseRows(const session::SearchProfile& search);
    [[nodiscard]] static QVector<qint64> phaseIds(const session::SearchProfile& search);
    [[nodiscard]] static QVector<QVector<CellValue>>
    phaseTotals(const session::SearchProfile& search);

private:
    [[nodiscard]] QVector<CellValue> rowCells(const session::ProfileRow& row) const;
    [[nodiscard]] QVector<CellValue> sumCells(const QString& name, double seconds,
                                              std::optional<double> error, double share,
                                              const QString& note) const;

    const session::ProfileReport& report_;
    session::ScaledUnit unit_{"µs", 1e-6};
};

} // namespace tilewright::ui
