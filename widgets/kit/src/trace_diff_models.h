// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include <tilewright/ui/trace_diff_view.h>

namespace tilewright::ui {

/// Decisions as rows, one column a record.
class TraceDecisionModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    void show(const TraceDiff& diff, bool differencesOnly);
    /// The decision of a row.
    int decisionOf(int row) const { return shown_.value(row, -1); }
    int rowOfInstruction(int instruction) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    TraceDiff diff_;
    QVector<int> shown_;
};

/// The aligned instructions: number, left, sign, number, right.
class TraceInstructionModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { LeftNumber, LeftText, Sign, RightNumber, RightText, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void show(const TraceDiff& diff, bool all);
    int instructionOf(int row) const { return shown_.value(row, -1); }
    int rowOf(int instruction) const { return static_cast<int>(shown_.indexOf(instruction)); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    TraceDiff diff_;
    QVector<int> shown_;
};

/// "=", "≠", "~", "−", "+", "↕"; the word is its tooltip.
QString changeGlyph(RowChange change);
QString changeWord(RowChange change);
QString joined(const QVector<DecisionPart>& parts);

} // namespace tilewright::ui
