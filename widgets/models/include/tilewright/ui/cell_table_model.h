// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/table_roles.h>

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QVariant>
#include <QVector>

namespace tilewright::ui {

/// One cell, made up by whoever knows the topic.
struct CellValue {
    QString text;
    QVariant sort;     ///< number or text; invalid = always last
    QVariant exported; ///< full precision; invalid = as sort
    double bar = -1;   ///< 0 … 1; below 0 = none
    Tone tone = Tone::Normal;
    Tone barTone = Tone::Normal;
    QString glyph;
    QString icon;
    QString suffix;
    QString tooltip; ///< also the reason why a value is missing
    QVector<double> sparkline;
    bool link = false;
    bool strong = false;
};

/// One column. A number is right-aligned.
struct TableColumn {
    QString title;      ///< with its unit
    QString exportName; ///< machine name with SI unit, such as `latency_s`
    QString tooltip;    ///< what it means and its formula
    bool number = false;
};

/// A table of a few hundred rows whose cells were made elsewhere; keeps rows across updates.
class CellTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit CellTableModel(QObject* parent = nullptr);

    void setColumns(const QVector<TableColumn>& columns);
    /// Rows with their ids. The same ids in the same order are an update, anything else a reset.
    void setRows(const QVector<QVector<CellValue>>& rows, const QVector<qint64>& ids);
    /// Row of an id, -1 = not there.
    [[nodiscard]] int rowOf(qint64 id) const { return static_cast<int>(ids_.indexOf(id)); }
    [[nodiscard]] qint64 idAt(int row) const { return ids_.value(row, -1); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    QVector<TableColumn> columns_;
    QVector<QVector<CellValue>> rows_;
    QVector<qint64> ids_;
};

/// "—" in the secondary colour, with the reason as its tooltip.
CellValue missingCell(const QString& reason);
/// A text that sorts as itself.
CellValue textCell(const QString& text, Tone tone = Tone::Normal);
/// A number with its text.
CellValue numberCell(const QString& text, double value);

} // namespace tilewright::ui
