// SPDX-License-Identifier: GPL-3.0-or-later
#include "reconciliation_bar.h"

#include <tilewright/ui/live_text.h>
#include <tilewright/ui/theme.h>

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr int kBarHeight = 18;

} // namespace

ReconciliationBar::ReconciliationBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("reconciliationBar"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ReconciliationBar::setReport(const session::ProfileReport& report) {
    sum_ = report.sumSeconds;
    overhead_ = report.overheadSeconds;
    whole_ = report.wholeSeconds;
    setAccessibleName(
        tr("Operators %1, overhead %2, end to end %3")
            .arg(latencyWithUnit(sum_), latencyWithUnit(overhead_), latencyWithUnit(whole_)));
    update();
}

QSize ReconciliationBar::sizeHint() const {
    const QFontMetrics metrics(Theme::fontOf(this, Theme::Dense));
    return {220, 2 * (metrics.height() + kBarHeight + 6) + 8};
}

void ReconciliationBar::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::colorsOf(this);
    QPainter painter(this);
    painter.setFont(Theme::fontOf(this, Theme::Dense));
    const QFontMetrics metrics(painter.font());
    const double scale = std::max(sum_ + overhead_, whole_);
    if (scale <= 0)
        return;
    const auto wide = [&](double seconds) { return seconds / scale * width(); };
    int y = 0;
    const auto caption = [&](const QString& left, const QString& right) {
        const QRect line(0, y, width(), metrics.height());
        painter.setPen(colors.secondary);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, left);
        painter.setPen(colors.text);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
        y += metrics.height() + 3;
    };
    caption(tr("operators + overhead"),
            QStringLiteral("%1 + %2").arg(latencyWithUnit(sum_), latencyWithUnit(overhead_)));
    painter.fillRect(QRectF(0, y, wide(sum_), kBarHeight), colors.accent);
    if (overhead_ > 0)
        painter.fillRect(QRectF(wide(sum_) + 1, y, std::max(2.0, wide(overhead_) - 1), kBarHeight),
                         colors.warning);
    y += kBarHeight + 8;
    caption(tr("end to end, measured"), latencyWithUnit(whole_));
    painter.fillRect(QRectF(0, y, wide(whole_), kBarHeight), colors.disabled);
}

} // namespace tilewright::ui
