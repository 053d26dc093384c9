// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/live_task_model.h>

#include <tilewright/ui/live_text.h>
#include <tilewright/ui/table_roles.h>

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace tilewright::ui {

namespace {

QString name(const session::LiveTask& task) {
    return QString::fromStdString(task.name);
}

QVariant orNothing(std::optional<double> value) {
    return value ? QVariant(*value) : QVariant();
}

/// Best-so-far at the task's trials, few enough for a cell.
QVector<double> sparkline(const session::LiveTask& task) {
    QVector<double> values;
    if (!task.best || task.best->empty() || task.trials == 0)
        return values;
    constexpr int columns = 40;
    std::size_t at = 0;
    for (int i = 0; i <= columns; ++i) {
        const double trial = static_cast<double>(task.trials) * i / columns;
        while (at + 1 < task.best->size() &&
               static_cast<double>((*task.best)[at + 1].trial) <= trial)
            ++at;
        values.append((*task.best)[at].seconds);
    }
    return values;
}

} // namespace

LiveTaskModel::LiveTaskModel(QObject* parent) : QAbstractTableModel(parent) {}

int LiveTaskModel::totalCount() const {
    return snapshot_ ? static_cast<int>(snapshot_->tasks.size()) : 0;
}

QVector<int> LiveTaskModel::wantedRows() const {
    QVector<int> rows;
    for (int i = 0; i < totalCount(); ++i) {
        const session::LiveTask& task = snapshot_->tasks[static_cast<std::size_t>(i)];
        const bool wanted =
            !records_ || (task.points && std::any_of(task.points->begin(), task.points->end(),
                                                     [&](const session::TrialPoint& point) {
                                                         return records_->contains(point.record);
                                                     }));
        if (wanted)
            rows.append(i);
    }
    return rows;
}

void LiveTaskModel::setSnapshot(LiveSnapshotPtr snapshot) {
    const bool other = !snapshot_ || !snapshot || snapshot_->session != snapshot->session ||
                       snapshot_->workDir != snapshot->workDir;
    snapshot_ = std::move(snapshot);
    std::vector<double> seconds;
    if (snapshot_)
        for (const session::LiveTask& task : snapshot_->tasks)
            if (const auto cost = task.bestSeconds ? task.bestSeconds : task.defaultSeconds)
                seconds.push_back(*cost);
    const session::ScaledUnit before = unit_;
    if (!seconds.empty()) {
        std::sort(seconds.begin(), seconds.end());
        unit_ = session::latencyUnit(seconds[seconds.size() / 2]);
    }
    const QVector<int> rows = wantedRows();
    if (other || rows.size() < rows_.size() ||
        !std::equal(rows_.begin(), rows_.end(), rows.begin())) {
        beginResetModel();
        rows_ = rows;
        endResetModel();
        return;
    }
    if (rows.size() > rows_.size()) {
        beginInsertRows({}, static_cast<int>(rows_.size()), static_cast<int>(rows.size()) - 1);
        rows_ = rows;
        endInsertRows();
    }
    if (!rows_.isEmpty())
        emit dataChanged(index(0, 0), index(static_cast<int>(rows_.size()) - 1, ColumnCount - 1));
    if (before.name != unit_.name)
        emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

void LiveTaskModel::setRecordFilter(const std::optional<QSet<qint64>>& records) {
    records_ = records;
    const QVector<int> rows = wantedRows();
    if (rows == rows_)
        return;
    beginResetModel();
    rows_ = rows;
    endResetModel();
}

int LiveTaskModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LiveTaskModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

double LiveTaskModel::largestHeadroom() const {
    double largest = 0;
    for (const session::LiveTask& task : snapshot_->tasks)
        largest = std::max(largest, task.headroom.value_or(0));
    return largest;
}

QVariant LiveTaskModel::number(const session::LiveTask& task, int column) const {
    switch (column) {
    case NameColumn:
        return name(task);
    case WeightColumn:
        return task.weight;
    case FlopColumn:
        return task.flop > 0 ? QVariant(task.flop) : QVariant();
    case DefaultColumn:
        return orNothing(task.defaultSeconds);
    case BestColumn:
        return orNothing(task.bestSeconds);
    case SpeedUpColumn:
        return orNothing(task.untuned ? std::nullopt : task.speedUp());
    case ShareColumn:
        return task.share > 0 ? QVariant(task.share) : QVariant();
    case HeadroomColumn:
        return orNothing(task.headroom);
    case TrialsColumn:
        return static_cast<qint64>(task.trials);
    case GainColumn:
        return orNothing(task.recentGain);
    case CurveColumn:
        return orNothing(task.speedUp());
    case StateColumn:
        return static_cast<int>(task.state);
    default:
        return {};
    }
}

QVariant LiveTaskModel::display(const session::LiveTask& task, int column) const {
    const auto percent = [](double share) { return QLocale().toString(share * 100, 'f', 1); };
    switch (column) {
    case NameColumn:
        return name(task);
    case WeightColumn:
        return QLocale().toString(task.weight, 'g', 4);
    case FlopColumn:
        return task.flop > 0 ? QLocale().toString(task.flop * 1e-6, 'f', 2) : QStringLiteral("—");
    case DefaultColumn:
        return latencyText(task.defaultSeconds, unit_);
    case BestColumn: {
        QString text = latencyText(task.bestSeconds, unit_);
        if (task.bestSeconds && task.lowSeconds && task.highSeconds) {
            const QString error =
                errorText(*task.bestSeconds, (*task.highSeconds - *task.lowSeconds) / 2, unit_);
            if (!error.isEmpty())
                text += QLatin1Char(' ') + error;
        }
        return text;
    }
    case SpeedUpColumn:
        return factorText(task.untuned ? std::nullopt : task.speedUp());
    case ShareColumn:
        return task.share > 0 ? percent(task.share) : QStringLiteral("—");
    case HeadroomColumn: {
        const double total = snapshot_->bestTotal.value_or(0);
        return task.headroom && total > 0 ? percent(*task.headroom / total) : QStringLiteral("—");
    }
    case TrialsColumn:
        return task.trials > 0 ? QStringLiteral("%1 / %2").arg(groupedCount(task.trials - task.failed),
                                                               groupedCount(task.failed))
                               : QStringLiteral("—");
    case GainColumn:
        return task.recentGain ? QStringLiteral("−%1").arg(percent(*task.recentGain))
                               : QStringLiteral("—");
    case CurveColumn:
        return task.untuned ? tr("untuned") : QString();
    case StateColumn:
        return taskStateWord(task);
    default:
        return {};
    }
}

QVariant LiveTaskModel::explanation(const session::LiveTask& task, int column) const {
    switch (column) {
    case DefaultColumn:
        return task.defaultSeconds ? QVariant()
                                   : tr("The default schedule was not measured yet, or failed.");
    case BestColumn:
        if (!task.bestSeconds)
            return tr("No trial was measured in full yet.");
        return tr("Median of %n sample(s); ± is half of its 95 % interval.", nullptr,
                  static_cast<int>(task.samples));
    case SpeedUpColumn:
        return task.untuned ? tr("No trial of this task counts yet: it costs what the default "
                                 "schedule costs.")
                            : QVariant();
    case HeadroomColumn:
        if (!task.headroom)
            return tr("Peaks of this machine are not measured: run “tilewright peaks”.");
        return tr("Weight × (best − time at the roof), as a share of the model: what tuning can "
                  "win here at most.");
    case GainColumn:
        return task.recentGain ? tr("Gain of the last 100 trials.") : tr("Known after 100 trials.");
    case StateColumn:
        return task.reason.empty() ? QVariant() : QVariant(QString::fromStdString(task.reason));
    default:
        return {};
    }
}

QVariant LiveTaskModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !snapshot_)
        return {};
    const session::LiveTask& task =
        snapshot_->tasks[static_cast<std::size_t>(rows_.at(index.row()))];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return display(task, column);
    case SortRole:
    case ExportRole:
        return column == CurveColumn && role == ExportRole ? QVariant() : number(task, column);
    case Qt::ToolTipRole:
        return explanation(task, column);
    case Qt::TextAlignmentRole:
        return column >= WeightColumn && column <= GainColumn
                   ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter))
                   : QVariant();
    case SuffixRole:
        return column == NameColumn && task.weight != 1
                   ? QVariant(QStringLiteral("×%1").arg(QLocale().toString(task.weight, 'g', 4)))
                   : QVariant();
    case BarRole:
        if (column == ShareColumn)
            return task.share;
        if (column == HeadroomColumn && task.headroom && largestHeadroom() > 0)
            return *task.headroom / largestHeadroom();
        return {};
    case BarToneRole:
        return static_cast<int>(column == HeadroomColumn ? Tone::Secondary : Tone::Normal);
    case SparklineRole:
        return column == CurveColumn && !task.untuned ? QVariant::fromValue(sparkline(task))
                                                      : QVariant();
    case GlyphRole:
        return column == StateColumn ? QVariant(taskStateGlyph(task.state)) : QVariant();
    case ToneRole:
        if (column == StateColumn && task.state == session::LiveTaskState::Running)
            return static_cast<int>(Tone::Accent);
        if (column == CurveColumn || (column == TrialsColumn && task.trials == 0))
            return static_cast<int>(Tone::Secondary);
        return {};
    case IdRole:
        return static_cast<qint64>(rows_.at(index.row()) + 1);
    case TaskIndexRole:
        return rows_.at(index.row());
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(title(column), display(task, column).toString());
    default:
        return {};
    }
}

QString LiveTaskModel::title(int column) const {
    const QString unit = QString::fromStdString(unit_.name);
    switch (column) {
    case NameColumn:
        return tr("task");
    case WeightColumn:
        return tr("weight");
    case FlopColumn:
        return tr("MFLOP");
    case DefaultColumn:
        return tr("default (%1)").arg(unit);
    case BestColumn:
        return tr("best ± (%1)").arg(unit);
    case SpeedUpColumn:
        return tr("speed-up");
    case ShareColumn:
        return tr("share %");
    case HeadroomColumn:
        return tr("headroom %");
    case TrialsColumn:
        return tr("ok / failed");
    case GainColumn:
        return tr("last 100 %");
    case CurveColumn:
        return tr("curve");
    case StateColumn:
        return tr("state");
    default:
        return {};
    }
}

QVariant LiveTaskModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return title(section);
    if (role == Qt::TextAlignmentRole)
        return section >= WeightColumn && section <= GainColumn
                   ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter))
                   : QVariant(int(Qt::AlignLeft | Qt::AlignVCenter));
    if (role == ExportRole) {
        static const char* const names[] = {"task",   "weight",   "flop",  "default_s",
                                            "best_s", "speed_up", "share", "headroom_s",
                                            "trials", "gain_100", "",      "state"};
        return QString::fromLatin1(names[section]);
    }
    if (role == Qt::ToolTipRole && section == HeadroomColumn)
        return tr("Share × distance to the roof: where the next hour of tuning pays most");
    return {};
}

} // namespace tilewright::ui
