// SPDX-License-Identifier: GPL-3.0-or-later
#include "preset_card.h"

#include <tilewright/ui/theme.h>

#include <QPainter>

namespace tilewright::ui {

namespace {

constexpr int kPadding = 12;
constexpr int kRing = 12;

} // namespace

PresetCard::PresetCard(QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PresetCard::setTexts(const QString& name, const QString& big, const QString& note) {
    setText(name);
    big_ = big;
    note_ = note;
    setAccessibleName(QStringLiteral("%1, %2, %3").arg(name, big, note));
    setToolTip(note);
    update();
}

QSize PresetCard::sizeHint() const {
    const int lines = QFontMetrics(Theme::fontOf(this, Theme::Body)).height() +
                      QFontMetrics(Theme::fontOf(this, Theme::Title)).height() +
                      QFontMetrics(Theme::fontOf(this, Theme::Dense)).height();
    return {190, lines + 2 * kPadding + 8};
}

QSize PresetCard::minimumSizeHint() const {
    return {110, sizeHint().height()};
}

void PresetCard::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::colorsOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool strong = isChecked() || hasFocus();
    painter.setPen(QPen(isChecked() || hasFocus() ? colors.accent : colors.line, strong ? 2 : 1));
    painter.setBrush(underMouse() && !isChecked() ? colors.hover : colors.surface);
    const double inset = strong ? 1 : 0.5;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 6, 6);
    const QRectF ring(width() - kPadding - kRing, kPadding, kRing, kRing);
    painter.setPen(QPen(isChecked() ? colors.accent : colors.secondary, 1.4));
    painter.setBrush(colors.surface);
    painter.drawEllipse(ring);
    if (isChecked()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.accent);
        painter.drawEllipse(ring.adjusted(3, 3, -3, -3));
    }
    double y = kPadding;
    const auto line = [&](const QString& text, const QFont& font, const QColor& color,
                          double room) {
        painter.setFont(font);
        painter.setPen(color);
        const QFontMetricsF metrics(font);
        painter.drawText(QRectF(kPadding, y, room, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, room));
        y += metrics.height() + 4;
    };
    const double room = width() - 2 * kPadding;
    QFont bold = Theme::fontOf(this, Theme::Title);
    bold.setWeight(QFont::DemiBold);
    line(text(), Theme::fontOf(this, Theme::Body), colors.text, room - kRing - 4);
    line(big_, bold, colors.text, room);
    line(note_, Theme::fontOf(this, Theme::Dense), colors.secondary, room);
}

} // namespace tilewright::ui
