// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/record_model.h>

#include <tilewright/ui/unit_text.h>

#include <QDateTime>
#include <QLocale>

namespace tilewright::ui {

namespace {

enum Column { Id, Task, Status, Median, Low, High, Samples, Trial, Time, ColumnCount };

QString textOf(const session::RecordRow& row, int column) {
    const QLocale locale;
    switch (column) {
    case Id:
        return locale.toString(static_cast<qlonglong>(row.id));
    case Task:
        return QString::fromStdString(row.taskName);
    case Status:
        return QString::fromStdString(row.status);
    case Median:
        return durationText(row.medianSeconds);
    case Low:
        return durationText(row.lowSeconds);
    case High:
        return durationText(row.highSeconds);
    case Samples:
        return locale.toString(static_cast<qlonglong>(row.samples));
    case Trial:
        return row.trial ? locale.toString(static_cast<qlonglong>(*row.trial))
                         : QStringLiteral("—");
    case Time:
        return locale.toString(QDateTime::fromMSecsSinceEpoch(row.timeMs), QLocale::ShortFormat);
    default:
        return {};
    }
}

QVariant sortKeyOf(const session::RecordRow& row, int column) {
    switch (column) {
    case Id:
        return static_cast<qlonglong>(row.id);
    case Median:
        return row.medianSeconds.value_or(1e30);
    case Low:
        return row.lowSeconds.value_or(1e30);
    case High:
        return row.highSeconds.value_or(1e30);
    case Samples:
        return static_cast<qlonglong>(row.samples);
    case Trial:
        return static_cast<qlonglong>(row.trial.value_or(0));
    case Time:
        return static_cast<qlonglong>(row.timeMs);
    default:
        return textOf(row, column);
    }
}

} // namespace

void RecordModel::setSnapshot(SnapshotPtr snapshot) {
    beginResetModel();
    snapshot_ = std::move(snapshot);
    endResetModel();
}

int RecordModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !snapshot_ ? 0 : static_cast<int>(snapshot_->records.size());
}

int RecordModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RecordModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !snapshot_)
        return {};
    const session::RecordRow& row = snapshot_->records[static_cast<std::size_t>(index.row())];
    const bool isText = index.column() == Task || index.column() == Status;
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column());
    case Qt::ToolTipRole:
        return QString::fromStdString(index.column() == Status ? row.message : std::string());
    case Qt::TextAlignmentRole:
        return QVariant((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SortRole:
        return sortKeyOf(row, index.column());
    case IdRole:
        return static_cast<qlonglong>(row.id);
    default:
        return {};
    }
}

QVariant RecordModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Id:
        return tr("Record");
    case Task:
        return tr("Task");
    case Status:
        return tr("Status");
    case Median:
        return tr("Median");
    case Low:
        return tr("95 % from");
    case High:
        return tr("95 % to");
    case Samples:
        return tr("Samples");
    case Trial:
        return tr("Trial");
    case Time:
        return tr("Time");
    default:
        return {};
    }
}

} // namespace tilewright::ui
