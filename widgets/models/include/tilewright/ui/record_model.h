// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/work_dir_source.h>

#include <QAbstractTableModel>

namespace tilewright::ui {

/// The records of a snapshot as a table. SortRole gives numbers where the text is formatted.
class RecordModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { SortRole = Qt::UserRole, IdRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setSnapshot(SnapshotPtr snapshot);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    SnapshotPtr snapshot_;
};

} // namespace tilewright::ui
