// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/dumbbell_plot.h>

#include "plot_parts.h"

#include <cmath>

namespace tilewright::ui {

namespace {

constexpr int kFoot = 24;
constexpr double kDot = 4.5;

} // namespace

DumbbellPlot::DumbbellPlot(QWidget* parent) : PlotView(parent) {
    plot()->xAxis->setScaleType(QCPAxis::stLogarithmic);
    plot()->xAxis->setTicker(QSharedPointer<LogTicker>::create());
    hideAxis(plot()->yAxis);
    mainArea()->setAutoMargins(QCP::msNone);
    new PaintedItem(plot(), QStringLiteral("main"), [this](QCPPainter* p) { paintRows(p); });
    applyTheme();
    layoutItems();
}

void DumbbellPlot::setRows(const QVector<Dumbbell>& rows) {
    rows_ = rows;
    QVector<PlotHit> hits;
    for (int i = 0; i < rows_.size(); ++i)
        hits.append({static_cast<double>(i), 0, rows_[i].id, nullptr, false});
    setHits(hits);
    layoutItems();
    fitAxes();
    requestReplot();
}

void DumbbellPlot::setRowGeometry(int height, int top) {
    rowHeight_ = height;
    top_ = top;
    layoutItems();
    requestReplot();
}

void DumbbellPlot::setTopRow(double row) {
    topRow_ = row;
    replotNow();
}

double DumbbellPlot::rowTop(int row) const {
    return top_ + (row - topRow_) * rowHeight_;
}

void DumbbellPlot::layoutItems() {
    const QFontMetricsF metrics(Theme::fontOf(this, Theme::Dense));
    double names = 40;
    for (const Dumbbell& row : std::as_const(rows_))
        names = qMax(names, metrics.horizontalAdvance(row.name));
    names = qMin(names, plot()->width() * 0.4);
    const int foot = plot()->xAxis->label().isEmpty() ? kFoot : kFoot + 16;
    mainArea()->setMargins(QMargins(qRound(names) + 24, top_, 20, foot));
}

void DumbbellPlot::paintRow(QCPPainter* painter, const Dumbbell& row, const QRectF& area) {
    const QColor tone = toneColor(colors(), row.tone);
    const QRectF box = mainArea()->rect();
    const double y = area.center().y();
    const auto pixelOfValue = [&](double value) { return plot()->xAxis->coordToPixel(value); };
    double leftmost = box.right();
    double rightmost = box.left();
    const auto note = [&](double x) {
        leftmost = qMin(leftmost, x);
        rightmost = qMax(rightmost, x);
    };
    if (row.a && row.b) {
        painter->setPen(QPen(tone, 2));
        painter->drawLine(QPointF(pixelOfValue(*row.a), y), QPointF(pixelOfValue(*row.b), y));
    }
    const auto dot = [&](double value, bool filled) {
        const double x = pixelOfValue(value);
        painter->setPen(QPen(tone, 1.4));
        painter->setBrush(filled ? tone : colors().surface);
        if (x < box.left() || x > box.right()) {
            // A value outside is written at the edge instead of stretching the scale.
            const bool before = x < box.left();
            painter->setPen(tone);
            painter->drawText(
                QRectF(before ? box.left() : box.right() - 60, area.top(), 60, area.height()),
                (before ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                before ? QStringLiteral("◂ ") + numberText(value)
                       : numberText(value) + QStringLiteral(" ▸"));
            return;
        }
        painter->drawEllipse(QPointF(x, y), kDot, kDot);
        note(x);
    };
    if (row.a)
        dot(*row.a, false);
    if (row.b)
        dot(*row.b, true);
    painter->setPen(tone);
    const bool before = row.tone == Tone::Faster || row.tone == Tone::Slower;
    const double at = before ? leftmost - kDot - 14 : rightmost + kDot + 2;
    if (leftmost <= rightmost)
        painter->drawText(QRectF(at, area.top(), 14, area.height()), Qt::AlignCenter, row.glyph);
}

void DumbbellPlot::paintRows(QCPPainter* painter) {
    const QRectF box = mainArea()->rect();
    painter->setAntialiasing(true);
    painter->setFont(Theme::fontOf(this, Theme::Dense));
    painter->setPen(colors().secondary);
    const QRectF head(12, box.top() - top_, plot()->width(), top_);
    painter->drawText(head, Qt::AlignLeft | Qt::AlignVCenter, tr("op"));
    painter->drawText(QRectF(box.left(), head.top(), box.width(), top_),
                      Qt::AlignLeft | Qt::AlignVCenter, tr("○ A   ● B"));
    painter->setClipRect(QRectF(0, box.top(), plot()->width(), box.height()));
    for (int i = 0; i < rows_.size(); ++i) {
        const QRectF area(0, rowTop(i), plot()->width(), rowHeight_);
        if (area.bottom() < box.top() || area.top() > box.bottom())
            continue;
        if (rows_[i].id >= 0 && rows_[i].id == selectedPoint())
            painter->fillRect(area, colors().selection);
        painter->setPen(mixed(colors().surface, colors().line, 0.6));
        painter->drawLine(area.bottomLeft(), area.bottomRight());
        painter->setPen(rows_[i].a && rows_[i].b ? colors().text : colors().secondary);
        const double room = box.left() - 20;
        painter->drawText(
            QRectF(12, area.top(), room, area.height()), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(painter->font()).elidedText(rows_[i].name, Qt::ElideMiddle, room));
        paintRow(painter, rows_[i], area);
    }
}

void DumbbellPlot::fitAxes() {
    double low = 0;
    double high = 0;
    for (const Dumbbell& row : std::as_const(rows_))
        for (const std::optional<double>& value : {row.a, row.b})
            if (value && *value > 0) {
                low = low > 0 ? qMin(low, *value) : *value;
                high = qMax(high, *value);
            }
    if (low <= 0)
        plot()->xAxis->setRange(1, 10);
    else
        plot()->xAxis->setRange(low / 1.6, high * 1.3);
}

int DumbbellPlot::hitAt(const QPointF& position) const {
    const double row = (position.y() - top_) / rowHeight_ + topRow_;
    return position.y() >= top_ && row >= 0 && row < static_cast<double>(rows_.size())
               ? static_cast<int>(row)
               : -1;
}

PlotTable DumbbellPlot::table() const {
    PlotTable table;
    const QString unit = plot()->xAxis->label();
    table.columns = {tr("Operator"), tr("A, %1").arg(unit), tr("B, %1").arg(unit), tr("verdict")};
    for (const Dumbbell& row : rows_) {
        table.rows.append({row.name, row.a ? QVariant(*row.a) : QVariant(),
                           row.b ? QVariant(*row.b) : QVariant(), row.glyph});
        table.ids.append(row.id);
    }
    return table;
}

QString DumbbellPlot::summaryText() const {
    return tr("%n operator(s) compared", nullptr, static_cast<int>(rows_.size()));
}

WaterfallPlot::WaterfallPlot(QWidget* parent) : PlotView(parent) {
    plot()->xAxis->setTicks(false);
    plot()->xAxis->setTickLabels(false);
    plot()->xAxis->grid()->setVisible(false);
    mainArea()->setMinimumMargins(QMargins(0, 24, 12, 22));
    new PaintedItem(plot(), QStringLiteral("main"), [this](QCPPainter* p) { paintSteps(p); });
    applyTheme();
}

void WaterfallPlot::setSteps(const QVector<WaterfallStep>& steps) {
    steps_ = steps;
    QVector<PlotHit> hits;
    for (int i = 0; i < steps_.size(); ++i)
        hits.append({static_cast<double>(i), steps_[i].to, steps_[i].id, nullptr, false});
    setHits(hits);
    fitAxes();
    requestReplot();
}

QRectF WaterfallPlot::box(int step) const {
    const WaterfallStep& one = steps_[step];
    const double from = one.total ? plot()->yAxis->range().lower : one.from;
    return QRectF(QPointF(plot()->xAxis->coordToPixel(step - 0.3),
                          plot()->yAxis->coordToPixel(qMax(from, one.to))),
                  QPointF(plot()->xAxis->coordToPixel(step + 0.3),
                          plot()->yAxis->coordToPixel(qMin(from, one.to))));
}

void WaterfallPlot::paintSteps(QCPPainter* painter) {
    const QRectF area = mainArea()->rect();
    painter->setFont(textFont());
    painter->setAntialiasing(false);
    for (int i = 0; i < steps_.size(); ++i) {
        const WaterfallStep& step = steps_[i];
        QRectF bar = box(i);
        bar.setHeight(qMax(2.0, bar.height()));
        const QColor tone = step.total ? colors().disabled : toneColor(colors(), step.tone);
        painter->fillRect(bar, mixed(colors().surface, tone, 0.85));
        if (i + 1 < steps_.size()) {
            const double y = plot()->yAxis->coordToPixel(step.to);
            painter->setPen(QPen(colors().secondary, 1, Qt::DotLine));
            painter->drawLine(QPointF(bar.right(), y),
                              QPointF(plot()->xAxis->coordToPixel(i + 0.7), y));
        }
        const double room = bar.width() / 0.6;
        painter->setPen(colors().text);
        painter->drawText(QRectF(bar.center().x() - room / 2, bar.top() - 17, room, 16),
                          Qt::AlignCenter, step.label);
        painter->setPen(colors().secondary);
        painter->drawText(QRectF(bar.center().x() - room / 2, area.bottom() + 4, room, 16),
                          Qt::AlignCenter,
                          QFontMetricsF(textFont()).elidedText(step.name, Qt::ElideMiddle, room));
        if (step.id >= 0 && step.id == selectedPoint()) {
            painter->setPen(QPen(colors().accent, 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(bar);
        }
    }
    if (plot()->yAxis->range().lower > 0) {
        painter->setPen(colors().secondary);
        painter->drawText(QRectF(area.left(), area.top() - 22, area.width(), 16),
                          Qt::AlignRight | Qt::AlignVCenter,
                          tr("axis starts at %1").arg(numberText(plot()->yAxis->range().lower)));
    }
}

void WaterfallPlot::fitAxes() {
    double low = 0;
    double high = 1;
    bool any = false;
    const auto take = [&](double value) {
        low = any ? qMin(low, value) : value;
        high = any ? qMax(high, value) : value;
        any = true;
    };
    for (const WaterfallStep& step : std::as_const(steps_)) {
        take(step.to);
        if (!step.total)
            take(step.from);
    }
    const double span = qMax(high - low, high * 1e-3);
    plot()->xAxis->setRange(-0.6, qMax(1.0, static_cast<double>(steps_.size())) - 0.4);
    plot()->yAxis->setRange(qMax(0.0, low - span * 0.25), high + span * 0.15);
}

int WaterfallPlot::hitAt(const QPointF& position) const {
    const int step = qRound(plot()->xAxis->pixelToCoord(position.x()));
    return step >= 0 && step < steps_.size() ? step : -1;
}

PlotTable WaterfallPlot::table() const {
    PlotTable table;
    const QString unit = plot()->yAxis->label();
    table.columns = {tr("Step"), tr("from, %1").arg(unit), tr("to, %1").arg(unit),
                     tr("change, %1").arg(unit)};
    for (const WaterfallStep& step : steps_) {
        table.rows.append({step.name, step.total ? QVariant() : QVariant(step.from), step.to,
                           step.total ? QVariant() : QVariant(step.to - step.from)});
        table.ids.append(step.id);
    }
    return table;
}

QString WaterfallPlot::summaryText() const {
    return steps_.size() < 2 ? QString()
                             : tr("from %1 to %2").arg(steps_.first().label, steps_.last().label);
}

} // namespace tilewright::ui
