// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/stat_strip.h>

#include <tilewright/ui/theme.h>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace tilewright::ui {

namespace {

constexpr double kGap = 28;
constexpr double kLeftEdge = 12;
constexpr double kInner = 8;

double advance(const QFont& font, const QString& text) {
    return text.isEmpty() ? 0 : QFontMetricsF(font).horizontalAdvance(text);
}

QFont regular(QFont font) {
    font.setWeight(QFont::Normal);
    return font;
}

} // namespace

StatStrip::StatStrip(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, [this] {
            updateGeometry();
            update();
        });
}

void StatStrip::setStats(const QVector<Stat>& stats) {
    stats_ = stats;
    QStringList read;
    for (const Stat& stat : stats)
        read.append(QStringLiteral("%1: %2%3 %4")
                        .arg(stat.caption,
                             stat.from.isEmpty() ? QString() : stat.from + QStringLiteral(" → "),
                             stat.value, stat.note));
    setAccessibleDescription(read.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize StatStrip::sizeHint() const {
    const double big = QFontMetricsF(Theme::fontOf(this, Theme::Big)).height();
    const double caption = QFontMetricsF(Theme::fontOf(this, Theme::Dense)).height();
    double width = 2 * kLeftEdge;
    for (const Stat& stat : stats_)
        width += widthOf(stat) + kGap;
    return QSize(qRound(width), qRound(big + caption + 8));
}

QSize StatStrip::minimumSizeHint() const {
    return QSize(200, sizeHint().height());
}

double StatStrip::widthOf(const Stat& stat) const {
    const QFont value = Theme::fontOf(this, stat.big ? Theme::Big : Theme::Figure);
    const QFont note = Theme::fontOf(this, Theme::Body);
    double width = advance(value, stat.value);
    if (!stat.from.isEmpty())
        width += advance(regular(value), stat.from + QStringLiteral(" → "));
    if (!stat.note.isEmpty())
        width += kInner + advance(note, stat.note);
    return qMax(width, advance(Theme::fontOf(this, Theme::Dense), stat.caption));
}

QVector<StatStrip::Cell> StatStrip::cells() const {
    QVector<Cell> placed;
    double left = kLeftEdge;
    for (int i = 0; i < stats_.size(); ++i)
        if (stats_[i].big) {
            const double wide = widthOf(stats_[i]);
            placed.append({QRectF(left, 0, wide, height()), i});
            left += wide + kGap;
        }
    // The quiet figures are right-aligned as a group; what does not fit is left out from the end.
    QVector<Cell> quiet;
    double need = 0;
    for (int i = 0; i < stats_.size(); ++i)
        if (!stats_[i].big && left + need + widthOf(stats_[i]) + kLeftEdge <= width()) {
            quiet.append({QRectF(need, 0, widthOf(stats_[i]), height()), i});
            need += widthOf(stats_[i]) + kGap;
        }
    const double shift = width() - kLeftEdge - (need - kGap);
    for (Cell& cell : quiet) {
        cell.area.translate(shift, 0);
        placed.append(cell);
    }
    return placed;
}

void StatStrip::paintStat(QPainter& painter, const Stat& stat, const QRectF& area) const {
    const ThemeColors& colors = Theme::colorsOf(this);
    const QFont caption = Theme::fontOf(this, Theme::Dense);
    const QFont value = Theme::fontOf(this, stat.big ? Theme::Big : Theme::Figure);
    const QFont note = Theme::fontOf(this, Theme::Body);
    const double captionHeight = QFontMetricsF(caption).height();
    painter.setFont(caption);
    painter.setPen(colors.secondary);
    painter.drawText(QRectF(area.left(), 2, area.width() + kGap, captionHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, stat.caption);
    const double bigDescent = QFontMetricsF(Theme::fontOf(this, Theme::Big)).descent();
    const double baseline = height() - 4 - bigDescent;
    double x = area.left();
    const auto draw = [&](const QFont& font, const QColor& color, const QString& text) {
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(QPointF(x, baseline), text);
        x += advance(font, text);
    };
    if (!stat.from.isEmpty())
        draw(regular(value), colors.secondary, stat.from + QStringLiteral(" → "));
    draw(value, toneColor(colors, stat.tone), stat.value);
    if (!stat.note.isEmpty()) {
        x += kInner;
        draw(note, toneColor(colors, stat.noteTone), stat.note);
    }
}

void StatStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    for (const Cell& cell : cells())
        paintStat(painter, stats_[cell.stat], cell.area);
}

bool StatStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    for (const Cell& cell : cells())
        if (cell.area.contains(help->pos())) {
            QToolTip::showText(help->globalPos(), stats_[cell.stat].tooltip, this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

} // namespace tilewright::ui
