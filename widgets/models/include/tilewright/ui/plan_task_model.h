// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_curve.h>
#include <tilewright/ui/session_planner.h>

#include <QAbstractTableModel>
#include <QStringList>
#include <QVector>

namespace tilewright::ui {

/// The tasks of an opened input with a box each: which of them a new session tunes.
class PlanTaskModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, ShapeColumn, DefaultColumn, ShareColumn, KnownColumn, ColumnCount };

    explicit PlanTaskModel(QObject* parent = nullptr);

    /// All tasks become chosen.
    void setOverview(ModelOverviewPtr overview);
    [[nodiscard]] bool isChosen(int row) const { return chosen_.value(row); }
    void setChosen(int row, bool chosen);
    void chooseAll(bool chosen);
    /// The tasks that make up so much of the estimated time, at least one.
    void chooseTop(double share);
    [[nodiscard]] int chosenCount() const;
    /// Of the estimated time, 0 … 1.
    [[nodiscard]] double chosenShare() const;
    /// Names of the chosen tasks; empty when all are.
    [[nodiscard]] QStringList chosenNames() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

signals:
    void chosenChanged();

private:
    ModelOverviewPtr overview_;
    QVector<bool> chosen_;
    session::ScaledUnit unit_{"µs", 1e-6};
};

} // namespace tilewright::ui
