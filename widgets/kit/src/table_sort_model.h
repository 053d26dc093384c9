// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QVector>

namespace tilewright::ui {

/// Sorts by several columns, stably; rows without a value come last in both orders.
class TableSortModel : public QSortFilterProxyModel {
    Q_OBJECT

public:
    struct Key {
        int column = -1;
        Qt::SortOrder order = Qt::AscendingOrder;
    };

    explicit TableSortModel(QObject* parent = nullptr);
    /// The first key is the main one; an empty list gives the model's own order.
    void setKeys(const QVector<Key>& keys);
    const QVector<Key>& keys() const { return keys_; }

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QVector<Key> keys_;
};

} // namespace tilewright::ui
