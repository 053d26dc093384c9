// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/bottlenecks.h>
#include <tilewright/session/live_curve.h>
#include <tilewright/ui/cell_table_model.h>

#include <QCoreApplication>

namespace tilewright::ui {

/// The operators of a bottleneck report as columns and cells.
class OperatorTable {
    Q_DECLARE_TR_FUNCTIONS(OperatorTable)

public:
    enum Column {
        NameColumn,
        ShapeColumn,
        CountColumn,
        LatencyColumn,
        ErrorColumn,
        TotalColumn,
        ShareColumn,
        BoundColumn,
        RateColumn,
        RoofColumn,
        HeadroomColumn,
        DefaultColumn,
        SpeedUpColumn,
        TrialsColumn,
        CurveColumn,
        NodesColumn,
        RecordColumn,
        ColumnCount
    };

    /// Units follow the medians of the report.
    explicit OperatorTable(const session::BottleneckReport& report);

    [[nodiscard]] QVector<TableColumn> columns() const;
    [[nodiscard]] QVector<QVector<CellValue>> rows() const;
    [[nodiscard]] QVector<qint64> ids() const;
    /// The line of sums.
    [[nodiscard]] QVector<QVector<CellValue>> totals() const;

    [[nodiscard]] static QString boundWord(session::Bound bound);
    /// `304 GFLOPS`, `31.0 GB/s`; empty when neither is known.
    [[nodiscard]] static QString rateText(std::optional<double> flopRate,
                                          std::optional<double> byteRate);
    /// The headline of an advice and its evidence, in the current language.
    [[nodiscard]] static QString adviceTitle(const session::Advice& advice);
    [[nodiscard]] static QString adviceEvidence(const session::Advice& advice);

private:
    [[nodiscard]] QVector<CellValue> rowCells(const session::OperatorRow& row) const;
    void addTimes(QVector<CellValue>& cells, const session::OperatorRow& row) const;
    void addRoofs(QVector<CellValue>& cells, const session::OperatorRow& row) const;
    [[nodiscard]] QString noPeaks() const;

    const session::BottleneckReport& report_;
    session::ScaledUnit callUnit_{"µs", 1e-6};
    session::ScaledUnit totalUnit_{"ms", 1e-3};
    double largestHeadroom_ = 0;
};

} // namespace tilewright::ui
