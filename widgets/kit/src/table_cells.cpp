// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_cells.h"

#include <tilewright/ui/icon.h>

#include <QPainter>
#include <QPainterPath>
#include <QTableView>
#include <QtMath>

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr int kRowHeight = 24;
constexpr double kPadding = 8;
constexpr double kLeftEdge = 12; // of the first column: the edge of panel titles
constexpr double kSparkWidth = 80;
constexpr double kSparkHeight = 18;
constexpr double kGlyphGap = 5;

bool isFirstColumn(const QWidget* widget, int column) {
    const auto* table = qobject_cast<const QTableView*>(widget);
    return table && table->horizontalHeader()->visualIndex(column) == 0;
}

QFont cellFont(const QWidget* widget, const QModelIndex& index) {
    QFont font = Theme::fontOf(widget, Theme::Dense);
    const QVariant own = index.data(Qt::FontRole);
    if (own.isValid()) {
        // Models choose a family (monospace hashes); the size is the theme's.
        const double size = font.pointSizeF();
        font = own.value<QFont>();
        font.setPointSizeF(size);
    }
    if (index.data(StrongRole).toBool())
        font.setWeight(QFont::DemiBold);
    return font;
}

QColor toneOf(const QModelIndex& index, int role, const ThemeColors& colors, Tone fallback) {
    const QVariant tone = index.data(role);
    return toneColor(colors, tone.isValid() ? static_cast<Tone>(tone.toInt()) : fallback);
}

bool isRight(const QModelIndex& index) {
    return index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
}

double paintChips(QPainter* painter, QRectF area, const QStringList& chips,
                  const ThemeColors& colors) {
    const QFontMetricsF metrics(painter->font());
    for (const QString& chip : chips) {
        const double wide = metrics.horizontalAdvance(chip) + 10;
        if (wide > area.width())
            break;
        const QRectF box(area.left(), area.center().y() - 8, wide, 16);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colors.dark ? colors.line : colors.raised);
        painter->drawRoundedRect(box, 3, 3);
        painter->setPen(colors.secondary);
        painter->drawText(box, Qt::AlignCenter, chip);
        area.setLeft(box.right() + 4);
    }
    return area.left();
}

} // namespace

void paintSparkline(QPainter* painter, const QRectF& area, const QVector<double>& values,
                    const QColor& color) {
    if (values.isEmpty())
        return;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double span = *high > *low ? *high - *low : 1;
    const double bottom = *low;
    const QRectF box = area.adjusted(2, 3, -4, -3);
    const double step =
        values.size() > 1 ? box.width() / static_cast<double>(values.size() - 1) : 0;
    const auto heightOf = [&](double value) {
        return box.bottom() - (value - bottom) / span * box.height();
    };
    QPainterPath path(QPointF(box.left(), heightOf(values.first())));
    for (qsizetype i = 1; i < values.size(); ++i) {
        const double x = box.left() + step * static_cast<double>(i);
        path.lineTo(x, heightOf(values[i - 1]));
        path.lineTo(x, heightOf(values[i]));
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1.3));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(path);
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawEllipse(path.currentPosition(), 2, 2);
    painter->restore();
}

TableCell::TableCell(QObject* parent) : QStyledItemDelegate(parent) {}

QSize TableCell::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QFontMetricsF metrics(cellFont(option.widget, index));
    double width = 2 * kPadding + metrics.horizontalAdvance(index.data().toString());
    const QString glyph = index.data(GlyphRole).toString();
    if (!glyph.isEmpty())
        width += metrics.horizontalAdvance(glyph) + kGlyphGap;
    if (!index.data(IconNameRole).toString().isEmpty())
        width += 14 + kGlyphGap;
    const QString suffix = index.data(SuffixRole).toString();
    if (!suffix.isEmpty())
        width += metrics.horizontalAdvance(suffix) + kGlyphGap;
    if (index.data(SparklineRole).isValid())
        width = qMax(width, kSparkWidth + 2 * kPadding);
    if (index.data(BarRole).isValid())
        width = qMax(width, 76.0);
    for (const QString& chip : index.data(ChipsRole).toStringList())
        width += metrics.horizontalAdvance(chip) + 14;
    return QSize(qCeil(width), qMax(kRowHeight, qCeil(metrics.height()) + 6));
}

void TableCell::paintGround(QPainter* painter, const QStyleOptionViewItem& option,
                            const ThemeColors& colors, const QModelIndex& index) const {
    QColor ground = colors.surface;
    if (footer_)
        ground = mixed(colors.surface, colors.window, colors.dark ? 0.5 : 1.0);
    if (option.state & QStyle::State_Selected)
        ground = colors.selection;
    else if (index.row() == hoverRow_ && !footer_)
        ground = mixed(colors.surface, colors.hover, 0.5);
    painter->fillRect(option.rect, ground);
    const auto tint = static_cast<CellGround>(index.data(GroundRole).toInt());
    if (tint == CellGround::Missing)
        painter->fillRect(option.rect, QBrush(colors.line, Qt::BDiagPattern));
    else if (tint != CellGround::None && !(option.state & QStyle::State_Selected))
        painter->fillRect(
            option.rect,
            mixed(ground, tint == CellGround::Left ? colors.slower : colors.faster, 0.08));
    if (footer_)
        return;
    painter->setPen(mixed(ground, colors.line, 0.6));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
}

void TableCell::paintBar(QPainter* painter, const QRectF& area, const QModelIndex& index,
                         const ThemeColors& colors, bool selected) const {
    const QVariant share = index.data(BarRole);
    if (!share.isValid() || !qIsFinite(share.toDouble()))
        return;
    QColor color = toneOf(index, BarToneRole, colors, Tone::Accent);
    color.setAlphaF(colors.dark || selected ? 0.3F : 0.18F);
    QRectF bar = area.adjusted(4, 3, -4, -4);
    bar.setWidth(qMax(1.5, bar.width() * qBound(0.0, share.toDouble(), 1.0)));
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawRoundedRect(bar, qMin(2.0, bar.width() / 2), 2);
}

void TableCell::paintText(QPainter* painter, QRectF area, const QModelIndex& index,
                          const ThemeColors& colors, const QStyleOptionViewItem& option) const {
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool link = index.data(LinkRole).toBool();
    const QColor color = !enabled
                             ? colors.disabled
                             : toneOf(index, ToneRole, colors, link ? Tone::Accent : Tone::Normal);
    const QFontMetricsF metrics(painter->font());
    const QString icon = index.data(IconNameRole).toString();
    if (!icon.isEmpty()) {
        const double ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(QPointF(area.left(), area.center().y() - 7),
                            iconPixmap(icon, color, 14, ratio));
        area.setLeft(area.left() + 14 + kGlyphGap);
    }
    const QString glyph = index.data(GlyphRole).toString();
    const bool right = isRight(index);
    if (!glyph.isEmpty() && !right) {
        painter->setPen(color);
        const double wide = qMax(12.0, metrics.horizontalAdvance(glyph));
        painter->drawText(QRectF(area.left(), area.top(), wide, area.height()), Qt::AlignCenter,
                          glyph);
        area.setLeft(area.left() + wide + kGlyphGap);
    }
    QString text = index.data().toString();
    if (!glyph.isEmpty() && right)
        text += QLatin1Char(' ') + glyph;
    const QStringList chips = index.data(ChipsRole).toStringList();
    if (!chips.isEmpty())
        area.setLeft(paintChips(painter, area, chips, colors));
    const QString suffix = index.data(SuffixRole).toString();
    const double suffixWide = suffix.isEmpty() ? 0 : metrics.horizontalAdvance(suffix) + kGlyphGap;
    painter->setPen(color);
    const QString shown = metrics.elidedText(text, Qt::ElideRight, area.width() - suffixWide);
    painter->drawText(area,
                      static_cast<int>(right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter |
                          Qt::TextSingleLine,
                      shown);
    if (!suffix.isEmpty() && !right) {
        painter->setPen(colors.secondary);
        area.setLeft(area.left() + metrics.horizontalAdvance(shown) + kGlyphGap);
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, suffix);
    }
}

void TableCell::paintParts(QPainter* painter, const QRectF& area, const QModelIndex& index,
                           const ThemeColors& colors) const {
    const QStringList parts = index.data(PartsRole).toStringList();
    const auto marked = index.data(MarkedPartsRole).value<QList<int>>();
    QColor tint = index.data(MarkSideRole).toInt() == 0 ? colors.slower : colors.faster;
    tint.setAlphaF(0.28F);
    const QColor text = toneOf(index, ToneRole, colors, Tone::Normal);
    const QFont plain = painter->font();
    QFont strong = plain;
    strong.setWeight(QFont::Bold);
    double x = area.left();
    for (int i = 0; i < parts.size(); ++i) {
        const bool mark = marked.contains(i);
        painter->setFont(mark ? strong : plain);
        const double wide = QFontMetricsF(painter->font()).horizontalAdvance(parts[i]);
        const QRectF box(x, area.center().y() - 8, wide, 16);
        if (mark) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(tint);
            painter->drawRoundedRect(box.adjusted(-1, 0, 1, 0), 2, 2);
        }
        painter->setPen(text);
        painter->drawText(QRectF(x, area.top(), wide + 1, area.height()), Qt::AlignVCenter,
                          parts[i]);
        x += wide;
    }
}

void TableCell::paint(QPainter* painter, const QStyleOptionViewItem& option,
                      const QModelIndex& index) const {
    const ThemeColors& colors = Theme::colorsOf(option.widget);
    const bool selected = option.state & QStyle::State_Selected;
    painter->save();
    paintGround(painter, option, colors, index);
    painter->setClipRect(option.rect);
    painter->setRenderHint(QPainter::Antialiasing);
    paintBar(painter, QRectF(option.rect), index, colors, selected);
    painter->setFont(cellFont(option.widget, index));
    const double left = isFirstColumn(option.widget, index.column()) ? kLeftEdge : kPadding;
    const QRectF area = QRectF(option.rect).adjusted(left, 0, -kPadding, -1);
    const QVariant spark = index.data(SparklineRole);
    const auto values = spark.value<QVector<double>>();
    if (!values.isEmpty()) {
        const QRectF box(area.left() - 2, area.center().y() - kSparkHeight / 2,
                         qMin(kSparkWidth, area.width() + 4), kSparkHeight);
        paintSparkline(painter, box, values, toneOf(index, ToneRole, colors, Tone::Accent));
    } else if (index.data(PartsRole).isValid()) {
        paintParts(painter, area, index, colors);
    } else {
        paintText(painter, area, index, colors, option);
    }
    if (option.state & QStyle::State_HasFocus) {
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setPen(QPen(colors.accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(0, 0, -1, -2));
    }
    painter->restore();
}

TableHeader::TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsMovable(true);
    setSectionsClickable(true);
    setHighlightSections(false);
    setStretchLastSection(true);
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setMinimumSectionSize(24);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setTextElideMode(Qt::ElideRight);
}

void TableHeader::setMarks(const QVector<Mark>& marks) {
    marks_ = marks;
    viewport()->update();
}

QString TableHeader::titleOf(int section) const {
    QString title = model()->headerData(section, Qt::Horizontal).toString();
    for (const Mark& mark : marks_)
        if (mark.column == section)
            title += mark.order == Qt::AscendingOrder ? QStringLiteral(" ↑") : QStringLiteral(" ↓");
    return title;
}

QSize TableHeader::sectionSizeFromContents(int logicalIndex) const {
    const QFontMetrics metrics(Theme::fontOf(this, Theme::Dense));
    const QString title = model()->headerData(logicalIndex, Qt::Horizontal).toString();
    return QSize(metrics.horizontalAdvance(title + QStringLiteral(" ↓")) + qRound(2 * kPadding) + 2,
                 qMax(kRowHeight, metrics.height() + 8));
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
    const ThemeColors& colors = Theme::colorsOf(this);
    painter->save();
    painter->fillRect(rect, colors.surface);
    painter->setPen(colors.line);
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    const bool sorted = std::any_of(marks_.begin(), marks_.end(), [logicalIndex](const Mark& m) {
        return m.column == logicalIndex;
    });
    painter->setFont(Theme::fontOf(this, Theme::Dense));
    painter->setPen(sorted ? colors.text : colors.secondary);
    const QVariant align = model()->headerData(logicalIndex, Qt::Horizontal, Qt::TextAlignmentRole);
    const bool right = align.isValid() && (align.toInt() & Qt::AlignRight);
    const double left = visualIndex(logicalIndex) == 0 ? kLeftEdge : kPadding;
    const QRect area = rect.adjusted(qRound(left), 0, -qRound(kPadding), -1);
    const QString text =
        painter->fontMetrics().elidedText(titleOf(logicalIndex), Qt::ElideRight, area.width());
    painter->drawText(
        area, static_cast<int>(right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, text);
    painter->restore();
}

} // namespace tilewright::ui
