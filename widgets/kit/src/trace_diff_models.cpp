// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_diff_models.h"

#include <tilewright/ui/table_roles.h>

#include <QCoreApplication>
#include <QFont>
#include <QFontDatabase>

namespace tilewright::ui {

namespace {

enum DecisionColumn { SignColumn, NameColumn, ExtentColumn, FirstValueColumn };

QStringList texts(const QVector<DecisionPart>& parts) {
    QStringList list;
    for (const DecisionPart& part : parts)
        list.append(part.text);
    return list;
}

QList<int> marks(const QVector<DecisionPart>& parts) {
    QList<int> list;
    for (int i = 0; i < parts.size(); ++i)
        if (parts[i].changed)
            list.append(i);
    return list;
}

QVariant partData(const QVector<DecisionPart>& parts, int side, int role) {
    switch (role) {
    case Qt::DisplayRole:
    case ExportRole:
    case FullTextRole:
        return joined(parts);
    case PartsRole:
        return texts(parts);
    case MarkedPartsRole:
        return QVariant::fromValue(marks(parts));
    case MarkSideRole:
        return side;
    case Qt::FontRole:
        return QFontDatabase::systemFont(QFontDatabase::FixedFont);
    default:
        return {};
    }
}

} // namespace

QString changeGlyph(RowChange change) {
    static const char* const glyphs[] = {"=", "≠", "~", "−", "+", "↕"};
    return QString::fromUtf8(glyphs[static_cast<int>(change)]);
}

QString changeWord(RowChange change) {
    switch (change) {
    case RowChange::Equal:
        return QCoreApplication::translate("TraceDiffView", "equal");
    case RowChange::Changed:
        return QCoreApplication::translate("TraceDiffView", "decision changed");
    case RowChange::Attributes:
        return QCoreApplication::translate("TraceDiffView", "attributes changed");
    case RowChange::OnlyLeft:
        return QCoreApplication::translate("TraceDiffView", "only on the left");
    case RowChange::OnlyRight:
        return QCoreApplication::translate("TraceDiffView", "only on the right");
    case RowChange::Moved:
        return QCoreApplication::translate("TraceDiffView", "moved");
    }
    return {};
}

QString joined(const QVector<DecisionPart>& parts) {
    return texts(parts).join(QString());
}

void TraceDecisionModel::show(const TraceDiff& diff, bool differencesOnly) {
    beginResetModel();
    diff_ = diff;
    shown_.clear();
    for (const bool changed : {true, false})
        for (int i = 0; i < diff_.decisions.size(); ++i)
            if (diff_.decisions[i].changed == changed && (changed || !differencesOnly))
                shown_.append(i);
    endResetModel();
}

int TraceDecisionModel::rowOfInstruction(int instruction) const {
    for (int row = 0; row < shown_.size(); ++row)
        if (diff_.decisions[shown_[row]].instruction == instruction)
            return row;
    return -1;
}

int TraceDecisionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int TraceDecisionModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : FirstValueColumn + static_cast<int>(diff_.sides.size()) + 1;
}

QVariant TraceDecisionModel::data(const QModelIndex& index, int role) const {
    const DecisionRow& row = diff_.decisions[shown_[index.row()]];
    if (role == IdRole)
        return static_cast<qint64>(shown_[index.row()]);
    if (role == ToneRole && !row.changed)
        return static_cast<int>(Tone::Secondary);
    const int last = columnCount() - 1;
    if (index.column() >= FirstValueColumn && index.column() < last) {
        const int side = index.column() - FirstValueColumn;
        return partData(row.values.value(side), qMin(side, 1), role);
    }
    switch (index.column()) {
    case SignColumn:
        if (role == ToneRole)
            return static_cast<int>(Tone::Accent);
        if (role == Qt::DisplayRole)
            return row.changed ? QStringLiteral("≠") : QStringLiteral("=");
        return role == Qt::ToolTipRole
                   ? changeWord(row.changed ? RowChange::Changed : RowChange::Equal)
                   : QVariant();
    case ExtentColumn:
        if (role == Qt::TextAlignmentRole)
            return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        if (role == ToneRole)
            return static_cast<int>(Tone::Secondary);
        return role == Qt::DisplayRole ? QVariant(row.extent) : QVariant();
    default:
        if (role == Qt::DisplayRole)
            return index.column() == NameColumn ? row.name : row.effect;
        return role == FullTextRole && index.column() == last ? QVariant(row.effect) : QVariant();
    }
}

QVariant TraceDecisionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == ExtentColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const int side = section - FirstValueColumn;
    if (side >= 0 && side < diff_.sides.size())
        return diff_.sides.size() == 2 ? QString(QLatin1Char(static_cast<char>('A' + side)))
                                       : diff_.sides[side];
    switch (section) {
    case SignColumn:
        return QString();
    case NameColumn:
        return tr("loop");
    case ExtentColumn:
        return tr("extent");
    default:
        return tr("effect");
    }
}

void TraceInstructionModel::show(const TraceDiff& diff, bool all) {
    beginResetModel();
    diff_ = diff;
    shown_.clear();
    for (int i = 0; i < diff_.instructions.size(); ++i)
        if (all || (diff_.instructions[i].change != RowChange::Equal &&
                    !diff_.instructions[i].postprocessing))
            shown_.append(i);
    endResetModel();
}

int TraceInstructionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int TraceInstructionModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TraceInstructionModel::data(const QModelIndex& index, int role) const {
    const InstructionRow& row = diff_.instructions[shown_[index.row()]];
    const bool left = index.column() < Sign;
    if (role == IdRole)
        return static_cast<qint64>(shown_[index.row()]);
    if (role == Qt::ToolTipRole && !row.tooltip.isEmpty())
        return row.tooltip;
    if (index.column() == Sign) {
        if (role == Qt::DisplayRole)
            return changeGlyph(row.change);
        if (role == ToneRole)
            return static_cast<int>(row.change == RowChange::Equal ? Tone::Secondary
                                                                   : Tone::Accent);
        return role == Qt::ToolTipRole || role == Qt::AccessibleTextRole
                   ? QVariant(changeWord(row.change))
                   : QVariant();
    }
    if (role == GroundRole && row.change != RowChange::Equal) {
        const bool missing = (left ? row.leftLine : row.rightLine) < 0;
        return static_cast<int>(missing ? CellGround::Missing
                                : left  ? CellGround::Left
                                        : CellGround::Right);
    }
    if (index.column() == LeftNumber || index.column() == RightNumber) {
        const int number = left ? row.leftLine : row.rightLine;
        if (role == Qt::DisplayRole)
            return number < 0 ? QString() : QString::number(number);
        if (role == ToneRole)
            return static_cast<int>(Tone::Disabled);
        return role == Qt::TextAlignmentRole ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                             : QVariant();
    }
    if (role == ToneRole && (row.change == RowChange::Equal || row.postprocessing))
        return static_cast<int>(Tone::Secondary);
    return partData(left ? row.left : row.right, left ? 0 : 1, role);
}

QVariant TraceInstructionModel::headerData(int section, Qt::Orientation orientation,
                                           int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    if (section == LeftText)
        return QStringLiteral("A  ") + diff_.sides.value(0);
    if (section == RightText)
        return QStringLiteral("B  ") + diff_.sides.value(1);
    return QString();
}

} // namespace tilewright::ui
