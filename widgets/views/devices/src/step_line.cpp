// SPDX-License-Identifier: GPL-3.0-or-later
#include "step_line.h"

#include <tilewright/ui/theme.h>

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr int kCircle = 20;

} // namespace

StepLine::StepLine(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("steps"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StepLine::setSteps(const QStringList& names) {
    names_ = names;
    describe();
    update();
}

void StepLine::setCurrent(int step) {
    current_ = std::clamp(step, 0, static_cast<int>(names_.size()));
    describe();
    update();
}

void StepLine::describe() {
    setAccessibleName(current_ < names_.size()
                          ? tr("Step %1 of %2: %3")
                                .arg(QString::number(current_ + 1), QString::number(names_.size()),
                                     names_.at(current_))
                          : tr("All steps done"));
}

QSize StepLine::sizeHint() const {
    return {200, kCircle + 6 + QFontMetrics(Theme::fontOf(this, Theme::Dense)).height()};
}

void StepLine::paintEvent(QPaintEvent*) {
    if (names_.isEmpty())
        return;
    const ThemeColors& colors = Theme::colorsOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Theme::fontOf(this, Theme::Dense));
    const double wide = static_cast<double>(width()) / static_cast<double>(names_.size());
    for (int i = 0; i < names_.size(); ++i) {
        const QPointF center(wide * (i + 0.5), kCircle / 2.0 + 1);
        if (i + 1 < names_.size()) {
            painter.setPen(QPen(i < current_ ? colors.accent : colors.line, 1.4));
            painter.drawLine(QPointF(center.x() + kCircle / 2.0 + 3, center.y()),
                             QPointF(center.x() + wide - kCircle / 2.0 - 3, center.y()));
        }
        const QRectF circle(center.x() - kCircle / 2.0, 1, kCircle, kCircle);
        painter.setPen(QPen(i <= current_ ? colors.accent : colors.line, 1.4));
        painter.setBrush(i < current_ ? colors.accent : colors.surface);
        painter.drawEllipse(circle);
        painter.setPen(i < current_    ? colors.onAccent
                       : i == current_ ? colors.accent
                                       : colors.secondary);
        painter.drawText(circle, Qt::AlignCenter,
                         i < current_ ? QStringLiteral("✓") : QString::number(i + 1));
        painter.setPen(i == current_ ? colors.text : colors.secondary);
        painter.drawText(QRectF(wide * i, kCircle + 4, wide, height() - kCircle - 4),
                         Qt::AlignHCenter | Qt::AlignTop, names_.at(i));
    }
}

} // namespace tilewright::ui
