// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/cell_table_model.h>

#include <utility>

namespace tilewright::ui {

CellTableModel::CellTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void CellTableModel::setColumns(const QVector<TableColumn>& columns) {
    if (columns.size() == columns_.size()) {
        columns_ = columns;
        if (!columns_.isEmpty())
            emit headerDataChanged(Qt::Horizontal, 0, static_cast<int>(columns_.size()) - 1);
        return;
    }
    beginResetModel();
    columns_ = columns;
    rows_.clear();
    ids_.clear();
    endResetModel();
}

void CellTableModel::setRows(const QVector<QVector<CellValue>>& rows, const QVector<qint64>& ids) {
    if (ids == ids_ && rows.size() == rows_.size()) {
        rows_ = rows;
        if (!rows_.isEmpty() && !columns_.isEmpty())
            emit dataChanged(index(0, 0), index(static_cast<int>(rows_.size()) - 1,
                                                static_cast<int>(columns_.size()) - 1));
        return;
    }
    beginResetModel();
    rows_ = rows;
    ids_ = ids;
    endResetModel();
}

int CellTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CellTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant CellTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == IdRole)
        return idAt(index.row());
    const QVector<CellValue>& row = rows_.at(index.row());
    if (index.column() >= row.size())
        return {};
    const CellValue& cell = row.at(index.column());
    const auto orNothing = [](const QString& text) {
        return text.isEmpty() ? QVariant() : QVariant(text);
    };
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return orNothing(cell.tooltip);
    case Qt::AccessibleTextRole:
        return cell.tooltip.isEmpty() ? cell.text : cell.text + QStringLiteral(", ") + cell.tooltip;
    case Qt::TextAlignmentRole:
        return QVariant((columns_.at(index.column()).number ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter);
    case SortRole:
        return cell.sort;
    case ExportRole:
        return cell.exported.isValid() ? cell.exported : cell.sort;
    case BarRole:
        return cell.bar >= 0 ? QVariant(cell.bar) : QVariant();
    case BarToneRole:
        return cell.barTone == Tone::Normal ? QVariant() : QVariant(static_cast<int>(cell.barTone));
    case ToneRole:
        return static_cast<int>(cell.tone);
    case GlyphRole:
        return orNothing(cell.glyph);
    case IconNameRole:
        return orNothing(cell.icon);
    case SuffixRole:
        return orNothing(cell.suffix);
    case SparklineRole:
        return cell.sparkline.isEmpty() ? QVariant() : QVariant::fromValue(cell.sparkline);
    case LinkRole:
        return cell.link ? QVariant(true) : QVariant();
    case StrongRole:
        return cell.strong ? QVariant(true) : QVariant();
    default:
        return {};
    }
}

QVariant CellTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columns_.size())
        return {};
    const TableColumn& column = columns_.at(section);
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case Qt::ToolTipRole:
        return column.tooltip.isEmpty() ? QVariant() : QVariant(column.tooltip);
    case Qt::TextAlignmentRole:
        return QVariant((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case ExportRole:
        return column.exportName;
    default:
        return {};
    }
}

CellValue missingCell(const QString& reason) {
    CellValue cell;
    cell.text = QStringLiteral("—");
    cell.tone = Tone::Secondary;
    cell.tooltip = reason;
    return cell;
}

CellValue textCell(const QString& text, Tone tone) {
    CellValue cell;
    cell.text = text;
    cell.sort = text;
    cell.tone = tone;
    return cell;
}

CellValue numberCell(const QString& text, double value) {
    CellValue cell;
    cell.text = text;
    cell.sort = value;
    return cell;
}

} // namespace tilewright::ui
