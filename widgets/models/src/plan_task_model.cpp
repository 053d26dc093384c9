// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/plan_task_model.h>

#include <tilewright/ui/live_text.h>
#include <tilewright/ui/table_roles.h>

#include <QLocale>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tilewright::ui {

PlanTaskModel::PlanTaskModel(QObject* parent) : QAbstractTableModel(parent) {}

void PlanTaskModel::setOverview(ModelOverviewPtr overview) {
    beginResetModel();
    overview_ = std::move(overview);
    chosen_.fill(true, overview_ ? static_cast<qsizetype>(overview_->tasks.size()) : 0);
    std::vector<double> seconds;
    if (overview_)
        for (const session::OverviewTask& task : overview_->tasks)
            if (task.defaultSeconds)
                seconds.push_back(*task.defaultSeconds);
    std::sort(seconds.begin(), seconds.end());
    if (!seconds.empty())
        unit_ = session::latencyUnit(seconds[seconds.size() / 2]);
    endResetModel();
    emit chosenChanged();
}

void PlanTaskModel::setChosen(int row, bool chosen) {
    if (row < 0 || row >= chosen_.size() || chosen_.at(row) == chosen)
        return;
    chosen_[row] = chosen;
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    emit chosenChanged();
}

void PlanTaskModel::chooseAll(bool chosen) {
    chosen_.fill(chosen);
    if (!chosen_.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    emit chosenChanged();
}

void PlanTaskModel::chooseTop(double share) {
    if (!overview_)
        return;
    std::vector<int> order(overview_->tasks.size());
    std::iota(order.begin(), order.end(), 0);
    const auto shareOf = [&](int row) {
        return overview_->tasks[static_cast<std::size_t>(row)].estimatedShare;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return shareOf(a) > shareOf(b); });
    chosen_.fill(false);
    double sum = 0;
    for (const int row : order) {
        if (sum >= share)
            break;
        chosen_[row] = true;
        sum += shareOf(row);
    }
    if (!chosen_.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    emit chosenChanged();
}

int PlanTaskModel::chosenCount() const {
    return static_cast<int>(std::count(chosen_.begin(), chosen_.end(), true));
}

double PlanTaskModel::chosenShare() const {
    double sum = 0;
    for (int row = 0; row < chosen_.size(); ++row)
        if (chosen_.at(row))
            sum += overview_->tasks[static_cast<std::size_t>(row)].estimatedShare;
    return sum;
}

QStringList PlanTaskModel::chosenNames() const {
    QStringList names;
    if (chosenCount() == chosen_.size())
        return names;
    for (int row = 0; row < chosen_.size(); ++row)
        if (chosen_.at(row))
            names.append(
                QString::fromStdString(overview_->tasks[static_cast<std::size_t>(row)].name));
    return names;
}

int PlanTaskModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(chosen_.size());
}

int PlanTaskModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags PlanTaskModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == NameColumn)
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

bool PlanTaskModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != NameColumn || role != Qt::CheckStateRole)
        return false;
    setChosen(index.row(), value.toInt() == Qt::Checked);
    return true;
}

QVariant PlanTaskModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !overview_)
        return {};
    const session::OverviewTask& task = overview_->tasks[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool chosen = chosen_.at(index.row());
    switch (role) {
    case Qt::CheckStateRole:
        return column == NameColumn ? QVariant(chosen ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::DisplayRole:
        switch (column) {
        case NameColumn:
            return QString::fromStdString(task.name);
        case ShapeColumn:
            return QString::fromStdString(task.shape);
        case DefaultColumn:
            return latencyText(task.defaultSeconds, unit_);
        case ShareColumn:
            return QLocale().toString(task.estimatedShare * 100, 'f', 1);
        case KnownColumn:
            return task.trials > 0 ? groupedCount(task.trials) : QStringLiteral("—");
        default:
            return {};
        }
    case SortRole:
    case ExportRole:
        switch (column) {
        case NameColumn:
            return QString::fromStdString(task.name);
        case ShapeColumn:
            return QString::fromStdString(task.shape);
        case DefaultColumn:
            return task.defaultSeconds ? QVariant(*task.defaultSeconds) : QVariant();
        case ShareColumn:
            return task.estimatedShare;
        case KnownColumn:
            return static_cast<qint64>(task.trials);
        default:
            return {};
        }
    case GlyphRole:
        return column == NameColumn ? QVariant(chosen ? QStringLiteral("☑") : QStringLiteral("☐"))
                                    : QVariant();
    case SuffixRole:
        return column == NameColumn && task.weight != 1
                   ? QVariant(QStringLiteral("×%1").arg(QLocale().toString(task.weight, 'g', 4)))
                   : QVariant();
    case BarRole:
        return column == ShareColumn ? QVariant(task.estimatedShare) : QVariant();
    case ToneRole:
        return chosen ? QVariant() : QVariant(static_cast<int>(Tone::Disabled));
    case Qt::TextAlignmentRole:
        return column >= DefaultColumn ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter))
                                       : QVariant();
    case Qt::ToolTipRole:
        if (column == DefaultColumn && !task.defaultSeconds)
            return tr("Known once the session has measured it.");
        return column == ShareColumn
                   ? tr("From FLOP and bytes against the machine's peaks, before any tuning.")
                   : QVariant();
    case IdRole:
        return static_cast<qint64>(index.row() + 1);
    default:
        return {};
    }
}

QVariant PlanTaskModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section >= DefaultColumn ? int(Qt::AlignRight | Qt::AlignVCenter)
                                        : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == ExportRole) {
        static const char* const names[] = {"task", "shape", "default_s", "estimated_share",
                                            "known_records"};
        return QString::fromLatin1(names[section]);
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("task");
    case ShapeColumn:
        return tr("shape");
    case DefaultColumn:
        return tr("default (%1)").arg(QString::fromStdString(unit_.name));
    case ShareColumn:
        return tr("est. share %");
    case KnownColumn:
        return tr("known records");
    default:
        return {};
    }
}

} // namespace tilewright::ui
