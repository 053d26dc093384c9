// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_sort_model.h"

#include <tilewright/ui/table_roles.h>

#include <QtMath>

namespace tilewright::ui {

namespace {

QVariant keyOf(const QModelIndex& index) {
    const QVariant value = index.data(SortRole);
    // Text columns need not repeat their text as a sort key.
    if (value.isValid() || index.data(ExportRole).isValid())
        return value;
    const QVariant text = index.data(Qt::DisplayRole);
    return text.toString() == QStringLiteral("—") ? QVariant() : text;
}

bool isMissing(const QVariant& value) {
    if (!value.isValid())
        return true;
    return value.typeId() == QMetaType::Double && qIsNaN(value.toDouble());
}

int compareValues(const QVariant& a, const QVariant& b) {
    if (a.typeId() == QMetaType::QString || b.typeId() == QMetaType::QString)
        return QString::compare(a.toString(), b.toString(), Qt::CaseInsensitive);
    const double x = a.toDouble();
    const double y = b.toDouble();
    return x < y ? -1 : x > y ? 1 : 0;
}

} // namespace

TableSortModel::TableSortModel(QObject* parent) : QSortFilterProxyModel(parent) {
    setDynamicSortFilter(true);
}

void TableSortModel::setKeys(const QVector<Key>& keys) {
    keys_ = keys;
    if (keys.isEmpty()) {
        sort(-1);
        return;
    }
    // The proxy sorts ascending always; lessThan() knows the orders. Sorting by the same column
    // again must not be skipped.
    if (sortColumn() == keys.first().column)
        invalidate();
    sort(keys.first().column, Qt::AscendingOrder);
}

bool TableSortModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    for (const Key& key : keys_) {
        const QVariant a = keyOf(left.siblingAtColumn(key.column));
        const QVariant b = keyOf(right.siblingAtColumn(key.column));
        if (isMissing(a) || isMissing(b)) {
            if (isMissing(a) && isMissing(b))
                continue;
            return isMissing(b);
        }
        const int order = compareValues(a, b);
        if (order != 0)
            return key.order == Qt::AscendingOrder ? order < 0 : order > 0;
    }
    return left.row() < right.row();
}

} // namespace tilewright::ui
