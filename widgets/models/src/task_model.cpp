// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/task_model.h>

#include <tilewright/ui/unit_text.h>

#include <QLocale>

namespace tilewright::ui {

namespace {

enum Column { Name, Weight, Default, Best, SpeedUp, Trials, Failed, ColumnCount };

QString textOf(const session::TaskRow& row, int column) {
    switch (column) {
    case Name:
        return QString::fromStdString(row.name);
    case Weight:
        return QLocale().toString(row.weight);
    case Default:
        return durationText(row.defaultSeconds);
    case Best:
        return durationText(row.bestSeconds);
    case SpeedUp:
        return ratioText(row.defaultSeconds, row.bestSeconds);
    case Trials:
        return QLocale().toString(static_cast<qlonglong>(row.trials));
    case Failed:
        return QLocale().toString(static_cast<qlonglong>(row.failed));
    default:
        return {};
    }
}

QVariant sortKeyOf(const session::TaskRow& row, int column) {
    switch (column) {
    case Weight:
        return row.weight;
    case Default:
        return row.defaultSeconds.value_or(1e30);
    case Best:
        return row.bestSeconds.value_or(1e30);
    case SpeedUp:
        return row.defaultSeconds && row.bestSeconds ? *row.defaultSeconds / *row.bestSeconds : 0.0;
    case Trials:
        return static_cast<qlonglong>(row.trials);
    case Failed:
        return static_cast<qlonglong>(row.failed);
    default:
        return QString::fromStdString(row.name);
    }
}

} // namespace

void TaskModel::setSnapshot(SnapshotPtr snapshot) {
    beginResetModel();
    snapshot_ = std::move(snapshot);
    endResetModel();
}

int TaskModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !snapshot_ ? 0 : static_cast<int>(snapshot_->tasks.size());
}

int TaskModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TaskModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !snapshot_)
        return {};
    const session::TaskRow& row = snapshot_->tasks[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column());
    case Qt::ToolTipRole:
        return index.column() == Name ? QString::fromStdString(row.name) : QString();
    case Qt::TextAlignmentRole:
        return QVariant(index.column() == Name ? Qt::AlignLeft | Qt::AlignVCenter
                                               : Qt::AlignRight | Qt::AlignVCenter);
    case SortRole:
        return sortKeyOf(row, index.column());
    case IdRole:
        return static_cast<qlonglong>(row.id);
    default:
        return {};
    }
}

QVariant TaskModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Task");
    case Weight:
        return tr("Weight");
    case Default:
        return tr("Default");
    case Best:
        return tr("Best");
    case SpeedUp:
        return tr("Speed-up");
    case Trials:
        return tr("Trials");
    case Failed:
        return tr("Failed");
    default:
        return {};
    }
}

} // namespace tilewright::ui
