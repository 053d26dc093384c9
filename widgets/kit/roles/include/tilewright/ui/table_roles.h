// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace tilewright::ui {

/// What a table's model may answer beside Qt's own roles. Models give meaning, TableView chooses
/// colours and fonts. A column is right-aligned when its DisplayRole cells have
/// Qt::TextAlignmentRole right, as usual; a header's Qt::DisplayRole carries the unit, as in
/// "latency (µs)", and its ExportRole the machine name with SI unit, as in "latency_s".
enum TableRole : int {
    /// What sorting compares: a number, a string or a bool. Invalid or NaN: always last.
    SortRole = Qt::UserRole + 1000,
    /// double 0..1: a share bar behind the text, from the left of the cell.
    BarRole,
    /// Tone of the bar; Normal means accent, Secondary the quiet second bar column.
    BarToneRole,
    /// QVector<double> of values in order of time: a step line of 80 × 18 px with a dot at its end.
    SparklineRole,
    /// QString: the glyph of a state, shown before the word. Never without the word in DisplayRole.
    GlyphRole,
    /// QString: an icon of resources/icons, 14 px, before the text.
    IconNameRole,
    /// QString: the cell's full text, for tooltips, screen readers and copying.
    FullTextRole,
    /// QString: unit of the column (asked of the header).
    UnitRole,
    /// int of Tone: colour of the text (and glyph).
    ToneRole,
    /// Full-precision value for files: a number, a string or a bool; invalid is an empty field.
    ExportRole,
    /// QString: text after the name in the secondary colour, such as "×3".
    SuffixRole,
    /// QStringList: small labels drawn as chips, such as tags.
    ChipsRole,
    /// qint64: the row's id, kept across snapshots, so that the selection can be kept.
    IdRole,
    /// bool: the "to" number of the row, drawn semibold.
    StrongRole,
    /// bool: a link; a click emits TableView::linkActivated.
    LinkRole,
    /// QStringList drawn one after the other in place of the text, and the places (QList<int>) of
    /// those that are marked: bold on a tint, which side's is told by MarkSideRole (0 left: warm,
    /// 1 right: cool).
    PartsRole,
    MarkedPartsRole,
    MarkSideRole,
    /// int of CellGround: tint of the whole cell.
    GroundRole,
};

/// Ground of a cell in a comparison.
enum class CellGround : int { None, Left, Right, Missing };

/// Meaning of a text, turned into a colour by the theme.
enum class Tone : int {
    Normal,
    Secondary,
    Disabled,
    Accent,
    Warning,
    Error,
    Faster,
    Slower,
};

} // namespace tilewright::ui
