// SPDX-License-Identifier: GPL-3.0-or-later
#include "welcome_parts.h"

#include <tilewright/ui/icon.h>
#include <tilewright/ui/theme.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace tilewright::ui {

namespace {

constexpr int kRadius = 6;
constexpr int kCardHeight = 64;
constexpr int kRowHeight = 44;
constexpr int kDropHeight = 72;
constexpr int kIconSize = 20;
constexpr int kTextLeft = 58;

void drawRounded(QPainter& painter, const QRect& area, const QColor& fill, const QPen& pen) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

QFont bigger(const QWidget* widget, double by) {
    QFont font = Theme::fontOf(widget, Theme::Body);
    font.setPointSizeF(font.pointSizeF() + by);
    return font;
}

/// Height of both lines of text at the present zoom.
int heightFor(const QWidget* widget, int least) {
    const int text = QFontMetrics(bigger(widget, 1)).height() +
                     QFontMetrics(Theme::fontOf(widget, Theme::Dense)).height();
    return std::max(least, text + 16);
}

} // namespace

ChoiceCard::ChoiceCard(const QString& icon, const QString& title, const QString& line,
                       const QString& key, bool primary, QWidget* parent)
    : QAbstractButton(parent), icon_(icon), line_(line), key_(key), primary_(primary) {
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(line);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

QSize ChoiceCard::sizeHint() const {
    return {420, heightFor(this, kCardHeight)};
}

void ChoiceCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::colorsOf(this);
    const QColor fill =
        primary_ ? (underMouse() ? mixed(colors.accent, colors.text, 0.12) : colors.accent)
                 : (underMouse() ? colors.hover : colors.surface);
    const QPen pen = hasFocus() ? QPen(primary_ ? colors.text : colors.accent, 2)
                                : QPen(primary_ ? colors.accent : colors.line, 1);
    drawRounded(painter,
              rect().adjusted(hasFocus() ? 1 : 0, hasFocus() ? 1 : 0, hasFocus() ? -1 : 0,
                              hasFocus() ? -1 : 0),
              fill, pen);
    const QColor text = primary_ ? colors.onAccent : colors.text;
    const QColor quiet = primary_ ? mixed(colors.accent, colors.onAccent, 0.85) : colors.secondary;
    painter.drawPixmap(20, (height() - kIconSize) / 2,
                       iconPixmap(icon_, primary_ ? colors.onAccent : colors.accent, kIconSize,
                                  devicePixelRatioF()));
    const QFont titleFont = bigger(this, 1.5);
    const QFont lineFont = Theme::fontOf(this, Theme::Dense);
    const int keyWidth = key_.isEmpty() ? 0 : QFontMetrics(lineFont).horizontalAdvance(key_) + 24;
    const QRect area(kTextLeft, 0, width() - kTextLeft - 16 - keyWidth, height());
    const int middle = height() / 2;
    painter.setFont(titleFont);
    painter.setPen(text);
    painter.drawText(QRect(area.left(), 0, area.width(), middle + 3),
                     Qt::AlignLeft | Qt::AlignBottom, this->text());
    painter.setFont(lineFont);
    painter.setPen(quiet);
    painter.drawText(QRect(area.left(), middle + 5, area.width(), middle),
                     Qt::AlignLeft | Qt::AlignTop,
                     QFontMetrics(lineFont).elidedText(line_, Qt::ElideRight, area.width()));
    painter.drawText(QRect(width() - keyWidth - 16, 0, keyWidth, height()),
                     Qt::AlignRight | Qt::AlignVCenter, key_);
}

void ChoiceCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

RecentRow::RecentRow(const QString& icon, const QString& name, const QString& folder,
                     const QString& when, const QString& state, bool link, bool missing,
                     QWidget* parent)
    : QAbstractButton(parent), icon_(icon), folder_(folder), when_(when), state_(state),
      link_(link), missing_(missing) {
    setText(name);
    setAccessibleName(QStringLiteral("%1, %2, %3").arg(name, when, state));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

QSize RecentRow::sizeHint() const {
    return {300, heightFor(this, kRowHeight)};
}

QRect RecentRow::stateArea() const {
    const QFontMetrics metrics(Theme::fontOf(this, Theme::Dense));
    const int wide = metrics.horizontalAdvance(state_) + 2;
    return {width() - 10 - wide, height() / 2, wide, height() / 2};
}

void RecentRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::colorsOf(this);
    if (hasFocus())
        drawRounded(painter, rect().adjusted(1, 1, -1, -1), colors.raised, QPen(colors.accent, 2));
    else if (underMouse())
        drawRounded(painter, rect(), colors.raised, QPen(colors.raised));
    painter.drawPixmap(10, (height() - 16) / 2,
                       iconPixmap(missing_ ? QStringLiteral("warning") : icon_,
                                  missing_ ? colors.warning : colors.secondary, 16,
                                  devicePixelRatioF()));
    const QFont nameFont = Theme::fontOf(this, Theme::Body);
    const QFont noteFont = Theme::fontOf(this, Theme::Dense);
    const int middle = height() / 2;
    const int left = 38;
    const QFontMetrics note(noteFont);
    const auto line = [&](int top, int flags, const QString& first, const QFont& font,
                          const QColor& color, const QString& second, const QColor& secondColor) {
        const int secondWidth = note.horizontalAdvance(second) + 2;
        const QRect area(left, top, width() - left - 10, middle);
        painter.setFont(noteFont);
        painter.setPen(secondColor);
        painter.drawText(area, flags | Qt::AlignRight, second);
        painter.setFont(font);
        painter.setPen(color);
        const int room = area.width() - secondWidth - 12;
        painter.drawText(area, flags | Qt::AlignLeft,
                         QFontMetrics(font).elidedText(first, Qt::ElideMiddle, room));
    };
    line(0, Qt::AlignBottom, text(), nameFont, missing_ ? colors.disabled : colors.text, when_,
         colors.secondary);
    line(middle + 1, Qt::AlignTop, folder_, noteFont, colors.secondary, state_,
         missing_ ? colors.warning
         : link_  ? colors.accent
                  : colors.secondary);
}

void RecentRow::mouseReleaseEvent(QMouseEvent* event) {
    if (link_ && stateArea().contains(event->pos()) && event->button() == Qt::LeftButton) {
        setDown(false);
        emit linkClicked();
        return;
    }
    QAbstractButton::mouseReleaseEvent(event);
}

void RecentRow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

DropHint::DropHint(const QString& title, const QString& line, QWidget* parent)
    : QFrame(parent), title_(title), line_(line) {
    setAccessibleName(title);
    setAccessibleDescription(line);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize DropHint::sizeHint() const {
    return {420, heightFor(this, kDropHeight)};
}

void DropHint::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::colorsOf(this);
    QPen pen(colors.disabled, 1, Qt::DashLine);
    drawRounded(painter, rect(), Qt::transparent, pen);
    const int middle = height() / 2;
    painter.setFont(Theme::fontOf(this, Theme::Body));
    painter.setPen(colors.text);
    painter.drawText(QRect(8, 0, width() - 16, middle), Qt::AlignHCenter | Qt::AlignBottom, title_);
    const QFont lineFont = Theme::fontOf(this, Theme::Dense);
    painter.setFont(lineFont);
    painter.setPen(colors.secondary);
    painter.drawText(QRect(8, middle + 3, width() - 16, middle), Qt::AlignHCenter | Qt::AlignTop,
                     QFontMetrics(lineFont).elidedText(line_, Qt::ElideRight, width() - 16));
}

} // namespace tilewright::ui
