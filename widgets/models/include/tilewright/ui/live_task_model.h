// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_curve.h>
#include <tilewright/ui/live_session.h>

#include <QAbstractTableModel>
#include <QSet>
#include <QVector>

#include <optional>

namespace tilewright::ui {

/// The tasks of a session as a table, while it runs and after. Keeps rows across snapshots.
class LiveTaskModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        NameColumn,
        WeightColumn,
        FlopColumn,
        DefaultColumn,
        BestColumn,
        SpeedUpColumn,
        ShareColumn,
        HeadroomColumn,
        TrialsColumn,
        GainColumn,
        CurveColumn,
        StateColumn,
        ColumnCount
    };
    /// int: index of the task in the snapshot.
    enum Role { TaskIndexRole = Qt::UserRole + 2000 };

    explicit LiveTaskModel(QObject* parent = nullptr);

    void setSnapshot(LiveSnapshotPtr snapshot);
    /// Shows only tasks with one of these records; nothing = all.
    void setRecordFilter(const std::optional<QSet<qint64>>& records);
    /// Tasks that the filter leaves, and all.
    [[nodiscard]] int shownCount() const { return static_cast<int>(rows_.size()); }
    [[nodiscard]] int totalCount() const;
    /// Row of a task by its index in the snapshot; -1 = not shown.
    [[nodiscard]] int rowOf(int task) const { return static_cast<int>(rows_.indexOf(task)); }
    [[nodiscard]] int taskAt(int row) const { return rows_.value(row, -1); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QVector<int> wantedRows() const;
    [[nodiscard]] QVariant display(const session::LiveTask& task, int column) const;
    [[nodiscard]] QVariant number(const session::LiveTask& task, int column) const;
    [[nodiscard]] QVariant explanation(const session::LiveTask& task, int column) const;
    [[nodiscard]] QString title(int column) const;
    [[nodiscard]] double largestHeadroom() const;

    LiveSnapshotPtr snapshot_;
    std::optional<QSet<qint64>> records_;
    QVector<int> rows_;
    session::ScaledUnit unit_{"µs", 1e-6};
};

} // namespace tilewright::ui
