// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/record_table_model.h>
#include <tilewright/ui/table_roles.h>

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

using database::RecordColumns;
using database::RecordStatus;
using session::RecordKey;

constexpr RecordKey kKeys[] = {
    RecordKey::Id,     RecordKey::Latency,   RecordKey::PlusMinus, RecordKey::Samples,
    RecordKey::Rate,   RecordKey::RoofShare, RecordKey::Delta,     RecordKey::Status,
    RecordKey::Task,   RecordKey::Trial,     RecordKey::Round,     RecordKey::Predicted,
    RecordKey::Device, RecordKey::Session,   RecordKey::Time,      RecordKey::Tags};
static_assert(std::size(kKeys) == RecordTableModel::ColumnCount);

constexpr double kThreshold = 0.01;

QString none() {
    return QStringLiteral("—");
}

bool isNumber(int column) {
    switch (column) {
    case RecordTableModel::StatusColumn:
    case RecordTableModel::TaskColumn:
    case RecordTableModel::DeviceColumn:
    case RecordTableModel::TagsColumn:
        return false;
    default:
        return true;
    }
}

QVariant real(double value) {
    return std::isnan(value) ? QVariant() : QVariant(value);
}

QString threeDigits(double value) {
    if (std::isnan(value))
        return none();
    const int decimals =
        value == 0
            ? 0
            : std::clamp(2 - static_cast<int>(std::floor(std::log10(std::abs(value)))), 0, 3);
    return QLocale().toString(value, 'f', decimals);
}

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

} // namespace

RecordTableModel::RecordTableModel(QObject* parent)
    : QAbstractTableModel(parent), unit_(session::latencyUnit(1e-6)) {}

void RecordTableModel::setResult(const RecordResultPtr& result) {
    now_ = QDateTime::currentMSecsSinceEpoch();
    const bool sameRows = result && result_ && result->index == result_->index &&
                          result->selection.rows == result_->selection.rows;
    if (sameRows) {
        result_ = result;
        if (rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
        return;
    }
    beginResetModel();
    result_ = result;
    if (result && result->curve.median > 0)
        unit_ = session::latencyUnit(result->curve.median);
    if (result)
        sort_ = result->choice.sort;
    endResetModel();
}

qint64 RecordTableModel::idAt(int row) const {
    return result_ && row >= 0 && row < rowCount()
               ? result_->index->id(result_->selection.rows[static_cast<std::size_t>(row)])
               : -1;
}

int RecordTableModel::rowOf(qint64 id) const {
    if (!result_)
        return -1;
    const auto row = result_->index->rowOf(id);
    if (!row)
        return -1;
    const auto& rows = result_->selection.rows;
    const auto found = std::find(rows.begin(), rows.end(), *row);
    return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

int RecordTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !result_ ? 0 : static_cast<int>(result_->selection.rows.size());
}

int RecordTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

double RecordTableModel::seconds(quint32 row) const {
    return result_->index->seconds(row, result_->choice.statistic);
}

std::optional<RecordTableModel::Delta> RecordTableModel::delta(quint32 row) const {
    const auto& baselines = result_->choice.baselineSeconds;
    const auto found = baselines.find(result_->index->at(&RecordColumns::task, row));
    const double value = seconds(row);
    if (found == baselines.end() || std::isnan(value) || found->second <= 0)
        return std::nullopt;
    Delta delta;
    delta.share = value / found->second - 1;
    const double error = session::plusMinusOf(*result_->index, row);
    delta.noise = std::abs(delta.share) < kThreshold ||
                  (!std::isnan(error) && std::abs(value - found->second) <= error);
    return delta;
}

std::optional<double> RecordTableModel::roofShare(quint32 row) const {
    const auto& roofs = result_->choice.roofSeconds;
    const auto found = roofs.find(result_->index->at(&RecordColumns::task, row));
    const double value = seconds(row);
    if (found == roofs.end() || std::isnan(value) || value <= 0)
        return std::nullopt;
    return found->second / value;
}

QString RecordTableModel::rateText(quint32 row) const {
    const double flops = session::flopRateOf(*result_->index, row, result_->choice.statistic) / 1e9;
    if (!std::isnan(flops))
        return threeDigits(flops);
    const double bytes = session::byteRateOf(*result_->index, row, result_->choice.statistic) / 1e9;
    return std::isnan(bytes) ? none() : tr("%1 GB/s").arg(threeDigits(bytes));
}

QStringList RecordTableModel::tags(quint32 row) const {
    QStringList tags;
    const std::uint8_t marks = result_->index->marks(row);
    if ((marks & session::kMarkStarred) != 0)
        tags << QStringLiteral("★");
    if ((marks & session::kMarkBest) != 0)
        tags << tr("best");
    if ((marks & session::kMarkPinned) != 0)
        tags << tr("pinned");
    if ((marks & session::kMarkDeleted) != 0)
        tags << tr("deleted");
    for (const std::string& tag : result_->index->tags(row))
        tags << text(tag);
    if ((marks & session::kMarkNoted) != 0)
        tags << tr("note");
    if (result_->index->at(&RecordColumns::origin, row) ==
        static_cast<std::uint8_t>(database::RecordOrigin::Default))
        tags << tr("default");
    else if (result_->index->at(&RecordColumns::origin, row) ==
             static_cast<std::uint8_t>(database::RecordOrigin::Manual))
        tags << tr("by hand");
    return tags;
}

QString RecordTableModel::ageText(qint64 milliseconds) {
    const qint64 minutes = std::max<qint64>(0, milliseconds / 60000);
    if (minutes < 1)
        return tr("now");
    if (minutes < 60)
        return tr("%1 min").arg(minutes);
    if (minutes < 48 * 60)
        return tr("%1 h").arg(minutes / 60);
    return tr("%1 d").arg(minutes / 1440);
}

QString RecordTableModel::displayText(quint32 row, int column) const {
    const session::RecordIndex& records = *result_->index;
    const auto integer = [&](std::vector<std::int32_t> RecordColumns::*member) {
        const std::int32_t value = records.at(member, row);
        return value < 0 ? none() : groupedCount(value);
    };
    switch (column) {
    case IdColumn:
        return groupedCount(records.id(row));
    case LatencyColumn: {
        const double value = seconds(row);
        return latencyText(std::isnan(value) ? std::nullopt : std::optional(value), unit_);
    }
    case ErrorColumn: {
        const double error = session::plusMinusOf(records, row);
        return std::isnan(error) || std::isnan(seconds(row)) ? none()
                                                             : threeDigits(error / unit_.scale);
    }
    case SamplesColumn:
        return integer(&RecordColumns::samples);
    case RateColumn:
        return rateText(row);
    case RoofColumn: {
        const auto share = roofShare(row);
        return share ? QLocale().toString(*share * 100, 'f', 1) : none();
    }
    case DeltaColumn: {
        const auto change = delta(row);
        if (!change)
            return none();
        if (change->noise)
            return QStringLiteral("≈");
        return QStringLiteral("%1%2 % %3")
            .arg(change->share < 0 ? QStringLiteral("−") : QStringLiteral("+"),
                 QLocale().toString(std::abs(change->share) * 100, 'f', 1),
                 change->share < 0 ? QStringLiteral("▼") : QStringLiteral("▲"));
    }
    case StatusColumn:
        return failureWord(records.status(row));
    case TaskColumn:
        return text(records.taskName(row));
    case TrialColumn:
        return integer(&RecordColumns::trial);
    case RoundColumn:
        return integer(&RecordColumns::round);
    case PredictedColumn:
        return threeDigits(static_cast<double>(records.at(&RecordColumns::predicted, row)));
    case DeviceColumn:
        return records.device(row).empty() ? none() : text(records.device(row));
    case SessionColumn:
        return integer(&RecordColumns::session);
    case AgeColumn:
        return ageText(now_ - records.at(&RecordColumns::timeMs, row));
    case TagsColumn:
        return tags(row).join(QStringLiteral(", "));
    default:
        return {};
    }
}

QVariant RecordTableModel::exported(quint32 row, int column) const {
    const session::RecordIndex& records = *result_->index;
    const auto integer = [&](std::vector<std::int32_t> RecordColumns::*member) {
        const std::int32_t value = records.at(member, row);
        return value < 0 ? QVariant() : QVariant(value);
    };
    switch (column) {
    case IdColumn:
        return QVariant::fromValue<qlonglong>(records.id(row));
    case LatencyColumn:
        return real(seconds(row));
    case ErrorColumn:
        return real(session::plusMinusOf(records, row));
    case SamplesColumn:
        return integer(&RecordColumns::samples);
    case RateColumn:
        return real(session::flopRateOf(records, row, result_->choice.statistic));
    case RoofColumn:
        return roofShare(row) ? QVariant(*roofShare(row)) : QVariant();
    case DeltaColumn:
        return delta(row) ? QVariant(delta(row)->share) : QVariant();
    case TrialColumn:
        return integer(&RecordColumns::trial);
    case RoundColumn:
        return integer(&RecordColumns::round);
    case PredictedColumn:
        return real(static_cast<double>(records.at(&RecordColumns::predicted, row)));
    case SessionColumn:
        return integer(&RecordColumns::session);
    case AgeColumn:
        return QDateTime::fromMSecsSinceEpoch(records.at(&RecordColumns::timeMs, row), Qt::UTC)
            .toString(Qt::ISODateWithMs);
    case DeviceColumn:
        return text(records.device(row));
    case TagsColumn:
        return tags(row).join(QLatin1Char(' '));
    default:
        return displayText(row, column);
    }
}

QVariant RecordTableModel::tone(quint32 row, int column) const {
    const RecordStatus status = result_->index->status(row);
    switch (column) {
    case StatusColumn:
        return static_cast<int>(status == RecordStatus::Ok            ? Tone::Normal
                                : status == RecordStatus::WrongResult ? Tone::Error
                                                                      : Tone::Warning);
    case DeltaColumn: {
        const auto change = delta(row);
        return static_cast<int>(!change || change->noise ? Tone::Secondary
                                : change->share < 0      ? Tone::Faster
                                                         : Tone::Slower);
    }
    case ErrorColumn:
    case SamplesColumn:
    case DeviceColumn:
    case AgeColumn:
    case SessionColumn:
    case PredictedColumn:
    case RoundColumn:
    case TrialColumn:
        return static_cast<int>(Tone::Secondary);
    default:
        return {};
    }
}

QString RecordTableModel::tooltip(quint32 row, int column) const {
    const session::RecordIndex& records = *result_->index;
    const bool failed = records.status(row) != RecordStatus::Ok;
    switch (column) {
    case LatencyColumn:
    case ErrorColumn:
        if (failed)
            return tr("No latency: the trial failed (%1)").arg(failureWord(records.status(row)));
        return tr("%1 of %n sample(s); ± is half the 95 % interval of the median", nullptr,
                  records.at(&RecordColumns::samples, row))
            .arg(statisticName());
    case RoofColumn:
        return roofShare(row) ? tr("Least possible time ÷ measured time")
                              : tr("The roofs of this device are not known; measure peaks under "
                                   "Bottlenecks");
    case DeltaColumn:
        return delta(row) ? tr("Against the pinned baseline; ≈ when within ± or below 1 %")
                          : tr("No baseline for this task; press B on a record to pin one");
    case RateColumn:
        return records.task(row) && !records.task(row)->hasFlop()
                   ? tr("Moves data: bytes of its tensors per second instead of FLOP")
                   : tr("Operations of the task ÷ latency");
    case AgeColumn:
        return QDateTime::fromMSecsSinceEpoch(records.at(&RecordColumns::timeMs, row))
            .toString(Qt::ISODate);
    case PredictedColumn:
        return std::isnan(records.at(&RecordColumns::predicted, row))
                   ? tr("Not chosen by the cost model")
                   : tr("The cost model's score when it was chosen: normalised throughput");
    default:
        return {};
    }
}

QVariant RecordTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !result_ || index.row() >= rowCount())
        return {};
    const std::uint32_t row = result_->selection.rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return column == TagsColumn ? QVariant() : QVariant(displayText(row, column));
    case Qt::TextAlignmentRole:
        return QVariant(static_cast<int>((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) |
                                         Qt::AlignVCenter));
    case Qt::ToolTipRole: {
        const QString tip = tooltip(row, column);
        return tip.isEmpty() ? QVariant() : QVariant(tip);
    }
    case Qt::AccessibleTextRole:
    case FullTextRole:
        return displayText(row, column);
    case GlyphRole:
        return column == StatusColumn ? QVariant(failureGlyph(result_->index->status(row)))
                                      : QVariant();
    case ChipsRole:
        return column == TagsColumn ? QVariant(tags(row)) : QVariant();
    case BarRole:
        if (const auto share = column == RoofColumn ? roofShare(row) : std::nullopt)
            return std::clamp(*share, 0.0, 1.0);
        return {};
    case ToneRole:
        return tone(row, column);
    case StrongRole:
        return column == LatencyColumn && index.row() == 0 ? QVariant(true) : QVariant();
    case ExportRole:
    case SortRole:
        return exported(row, column);
    case IdRole:
        return QVariant::fromValue<qint64>(result_->index->id(row));
    default:
        return {};
    }
}

QString RecordTableModel::statisticName() const {
    const auto statistic = result_ ? result_->choice.statistic : session::Statistic::Median;
    return statisticWord(statistic);
}

QVariant RecordTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const QString unit = text(unit_.name);
    if (role == Qt::TextAlignmentRole)
        return QVariant(static_cast<int>((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                         Qt::AlignVCenter));
    if (role == UnitRole)
        return section == LatencyColumn || section == ErrorColumn ? QVariant(unit) : QVariant();
    if (role == ExportRole) {
        static const char* const names[] = {"id",         "latency_s",  "plus_minus_s", "samples",
                                            "flop_per_s", "roof_share", "delta",        "status",
                                            "task",       "trial",      "round",        "predicted",
                                            "device",     "session",    "time",         "tags"};
        if (section == LatencyColumn && result_)
            return QString::fromLatin1(session::toString(result_->choice.statistic).data()) +
                   QStringLiteral("_s");
        return QString::fromLatin1(names[section]);
    }
    if (role == Qt::ToolTipRole && section == LatencyColumn)
        return tr("Latency of one call: %1 of its samples. Change the statistic above the table.")
            .arg(statisticName());
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case IdColumn:
        return tr("id");
    case LatencyColumn:
        return tr("%1 (%2)", "latency: statistic, unit").arg(statisticName(), unit);
    case ErrorColumn:
        return tr("± (%1)").arg(unit);
    case SamplesColumn:
        return tr("n");
    case RateColumn:
        return tr("GFLOPS");
    case RoofColumn:
        return tr("% roof");
    case DeltaColumn:
        return tr("Δ baseline");
    case StatusColumn:
        return tr("status");
    case TaskColumn:
        return tr("task");
    case TrialColumn:
        return tr("trial");
    case RoundColumn:
        return tr("round");
    case PredictedColumn:
        return tr("predicted");
    case DeviceColumn:
        return tr("device");
    case SessionColumn:
        return tr("session");
    case AgeColumn:
        return tr("age");
    default:
        return tr("tags");
    }
}

void RecordTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= ColumnCount)
        return;
    session::RecordSort first{kKeys[column], order == Qt::DescendingOrder};
    // Older means an earlier time.
    if (column == AgeColumn)
        first.descending = !first.descending;
    std::vector<session::RecordSort> sort{first};
    for (const session::RecordSort& before : sort_)
        if (before.key != first.key && sort.size() < 3)
            sort.push_back(before);
    sort_ = sort;
    emit sortRequested(sort);
}

} // namespace tilewright::ui
