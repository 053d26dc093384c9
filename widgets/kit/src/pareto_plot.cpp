// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/pareto_plot.h>

#include "plot_parts.h"

namespace tilewright::ui {

namespace {

constexpr double kBarWidth = 0.62;
constexpr int kLegendHeight = 22;

} // namespace

ParetoPlot::ParetoPlot(QWidget* parent) : PlotView(parent) {
    plot()->yAxis2->setVisible(true);
    plot()->yAxis2->setRange(0, 105);
    plot()->yAxis2->setNumberFormat(QStringLiteral("f"));
    plot()->yAxis2->setNumberPrecision(0);
    plot()->yAxis2->setTicker(QSharedPointer<NumberTicker>::create());
    plot()->yAxis2->grid()->setVisible(false);
    plot()->xAxis->grid()->setVisible(false);
    plot()->xAxis->setTickLabels(false);
    plot()->xAxis->setTicks(false);
    mainArea()->setMinimumMargins(QMargins(0, 10, 0, kLegendHeight * 2));
    new PaintedItem(plot(), QStringLiteral("main"), [this](QCPPainter* p) { paintBars(p); });
    new PaintedItem(plot(), QStringLiteral("axes"), [this](QCPPainter* p) { paintLegend(p); });
    applyTheme();
}

void ParetoPlot::recolour() {
    plot()->yAxis2->setLabel(tr("cumulative share (%)"));
    styleAxis(plot()->yAxis2);
}

void ParetoPlot::setBars(const QVector<ParetoBar>& bars, const QString& note) {
    bars_ = bars;
    note_ = note;
    QVector<PlotHit> hits;
    for (int i = 0; i < bars_.size(); ++i)
        hits.append({static_cast<double>(i), bars_[i].value, bars_[i].id, nullptr, false});
    setHits(hits);
    fitAxes();
    requestReplot();
}

QRectF ParetoPlot::barBox(int bar, double from, double to) const {
    const double left = plot()->xAxis->coordToPixel(bar - kBarWidth / 2);
    const double right = plot()->xAxis->coordToPixel(bar + kBarWidth / 2);
    return QRectF(QPointF(left, plot()->yAxis->coordToPixel(to)),
                  QPointF(right, plot()->yAxis->coordToPixel(from)));
}

void ParetoPlot::paintBars(QCPPainter* painter) {
    const QRectF box = mainArea()->rect();
    painter->setFont(textFont());
    painter->setAntialiasing(false);
    QPolygonF line;
    for (int i = 0; i < bars_.size(); ++i) {
        const ParetoBar& bar = bars_[i];
        const QRectF whole = barBox(i, 0, bar.value);
        if (whole.right() < box.left() || whole.left() > box.right())
            continue;
        const bool chosen = bar.id >= 0 && bar.id == selectedPoint();
        if (chosen)
            painter->fillRect(QRectF(whole.left() - 6, box.top(), whole.width() + 12, box.height()),
                              mixed(colors().surface, colors().selection, 0.6));
        painter->setPen(QPen(colors().accent, 1));
        painter->setBrush(bar.atRoof < 0 ? mixed(colors().surface, colors().accent, 0.6)
                                         : mixed(colors().surface, colors().accent, 0.28));
        painter->drawRect(whole);
        if (bar.atRoof > 0)
            painter->fillRect(barBox(i, 0, qMin(bar.atRoof, bar.value)), colors().accent);
        painter->setPen(colors().text);
        const bool roomy = whole.width() > 22;
        if (roomy)
            painter->drawText(QRectF(whole.left() - 20, whole.top() - 17, whole.width() + 40, 16),
                              Qt::AlignCenter, numberText(bar.value));
        painter->setPen(chosen ? colors().text : colors().secondary);
        const double room = whole.width() / kBarWidth;
        painter->drawText(QRectF(whole.center().x() - room / 2, box.bottom() + 3, room, 16),
                          Qt::AlignCenter,
                          QFontMetricsF(textFont()).elidedText(bar.name, Qt::ElideMiddle, room));
        line << QPointF(whole.center().x(), plot()->yAxis2->coordToPixel(bar.cumulative * 100));
    }
    painter->setAntialiasing(true);
    painter->setPen(QPen(colors().text, 1.2));
    painter->setBrush(colors().surface);
    painter->drawPolyline(line);
    for (const QPointF& point : std::as_const(line))
        painter->drawEllipse(point, 2.5, 2.5);
    painter->setPen(colors().text);
    // At the right the bars are low and the line is high: there is room between them.
    painter->drawText(QRectF(box.left(), box.top() + box.height() * 0.32, box.width() - 10, 18),
                      Qt::AlignRight | Qt::AlignVCenter, note_);
}

void ParetoPlot::paintLegend(QCPPainter* painter) {
    const QRectF box = mainArea()->rect();
    const QFontMetricsF metrics(textFont());
    painter->setFont(textFont());
    const QStringList words = {tr("time at the roof"), tr("headroom"),
                               tr("cumulative share (right axis)")};
    double x = box.left();
    const double y = box.bottom() + 22;
    for (int i = 0; i < words.size(); ++i) {
        const double wide = metrics.horizontalAdvance(words[i]);
        if (x + wide + 20 > plot()->viewport().right())
            break;
        const QRectF swatch(x, y + 4, 10, 10);
        painter->setPen(QPen(i == 2 ? colors().text : colors().accent, 1));
        painter->setBrush(i == 0   ? colors().accent
                          : i == 1 ? mixed(colors().surface, colors().accent, 0.28)
                                   : colors().surface);
        if (i == 2) {
            painter->drawLine(QPointF(swatch.left() - 2, swatch.center().y()),
                              QPointF(swatch.right() + 2, swatch.center().y()));
            painter->drawEllipse(swatch.center(), 2.5, 2.5);
        } else {
            painter->drawRect(swatch);
        }
        painter->setPen(colors().text);
        painter->drawText(QRectF(x + 16, y, wide + 4, 18), Qt::AlignLeft | Qt::AlignVCenter,
                          words[i]);
        x += wide + 34;
    }
}

void ParetoPlot::layoutItems() {}

void ParetoPlot::fitAxes() {
    double most = 0;
    for (const ParetoBar& bar : std::as_const(bars_))
        most = qMax(most, bar.value);
    plot()->xAxis->setRange(-0.6, qMax(1.0, static_cast<double>(bars_.size())) - 0.4);
    plot()->yAxis->setRange(0, most > 0 ? most * 1.14 : 1);
}

int ParetoPlot::hitAt(const QPointF& position) const {
    if (!mainArea()->rect().adjusted(0, 0, 0, 20).contains(position.toPoint()))
        return -1;
    const int bar = qRound(plot()->xAxis->pixelToCoord(position.x()));
    return bar >= 0 && bar < bars_.size() ? bar : -1;
}

PlotTable ParetoPlot::table() const {
    PlotTable table;
    const QString unit = plot()->yAxis->label();
    table.columns = {tr("Operator"), unit, tr("at the roof"), tr("headroom"),
                     tr("cumulative share (%)")};
    for (const ParetoBar& bar : bars_) {
        const bool known = bar.atRoof >= 0;
        table.rows.append({bar.fullName.isEmpty() ? bar.name : bar.fullName, bar.value,
                           known ? QVariant(bar.atRoof) : QVariant(),
                           known ? QVariant(bar.value - bar.atRoof) : QVariant(),
                           bar.cumulative * 100});
        table.ids.append(bar.id);
    }
    return table;
}

QString ParetoPlot::summaryText() const {
    QString text = tr("%n operator(s)", nullptr, static_cast<int>(bars_.size()));
    if (!bars_.isEmpty())
        text += QStringLiteral(", ") + tr("most time in %1")
                                           .arg(bars_.first().fullName.isEmpty()
                                                    ? bars_.first().name
                                                    : bars_.first().fullName);
    return text;
}

} // namespace tilewright::ui
