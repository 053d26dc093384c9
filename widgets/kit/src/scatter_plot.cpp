// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/scatter_plot.h>

#include "plot_parts.h"

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr int kMostColors = 8; // rounds beyond share a colour with their neighbours

} // namespace

ScatterPlot::ScatterPlot(QWidget* parent) : PlotView(parent) {
    mainArea()->setMinimumMargins(QMargins(0, 22, 14, 0));
    new PaintedItem(plot(), QStringLiteral("axes"), [this](QCPPainter* p) { paintFront(p); });
    applyTheme();
}

void ScatterPlot::setIdentityLine(bool on) {
    identity_ = on;
    requestReplot();
}

void ScatterPlot::setPoints(const QVector<ScatterPoint>& points, const QString& groupName,
                            const QString& warning) {
    points_ = points;
    groupName_ = groupName;
    warning_ = warning;
    groups_.clear();
    QVector<PlotHit> hits;
    for (const ScatterPoint& point : points) {
        hits.append({point.x, point.y, point.id, nullptr, false});
        groups_.append(point.group);
    }
    std::sort(groups_.begin(), groups_.end());
    groups_.erase(std::unique(groups_.begin(), groups_.end()), groups_.end());
    setHits(hits);
    fill();
    fitAxes();
    requestReplot();
}

void ScatterPlot::fill() {
    const int wanted = qMin(kMostColors, static_cast<int>(groups_.size()));
    while (graphs_.size() > wanted)
        plot()->removeGraph(graphs_.takeLast());
    while (graphs_.size() < wanted) {
        QCPGraph* graph = plot()->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setAntialiasedScatters(false);
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, 5));
        graphs_.append(graph);
    }
    QVector<QVector<QCPGraphData>> parts(wanted);
    for (const ScatterPoint& point : std::as_const(points_)) {
        const auto rank =
            std::lower_bound(groups_.begin(), groups_.end(), point.group) - groups_.begin();
        parts[static_cast<int>(rank) * wanted / static_cast<int>(groups_.size())].append(
            QCPGraphData(point.x, point.y));
    }
    for (int i = 0; i < wanted; ++i)
        graphs_[i]->data()->set(parts[i]);
    recolour();
}

void ScatterPlot::recolour() {
    for (int i = 0; i < graphs_.size(); ++i) {
        const double place = graphs_.size() > 1
                                 ? static_cast<double>(i) / static_cast<double>(graphs_.size() - 1)
                                 : 0;
        // The bright end has no contrast on white.
        graphs_[i]->setPen(QPen(sequenceColor(colors(), colors().dark ? place : place * 0.82), 1));
    }
}

void ScatterPlot::paintFront(QCPPainter* painter) {
    const QRectF box = mainArea()->rect();
    painter->setFont(textFont());
    if (identity_) {
        painter->save();
        painter->setClipRect(box);
        const double low = qMin(plot()->xAxis->range().lower, plot()->yAxis->range().lower);
        const double high = qMax(plot()->xAxis->range().upper, plot()->yAxis->range().upper);
        painter->setPen(QPen(colors().secondary, 1, Qt::DashLine));
        painter->drawLine(
            QPointF(plot()->xAxis->coordToPixel(low), plot()->yAxis->coordToPixel(low)),
            QPointF(plot()->xAxis->coordToPixel(high), plot()->yAxis->coordToPixel(high)));
        painter->restore();
    }
    if (graphs_.size() > 1) {
        double x = box.left() + 2;
        const QFontMetricsF metrics(textFont());
        const QString first = groupName_ + QLatin1Char(' ') + QString::number(groups_.first());
        painter->setPen(colors().text);
        painter->drawText(QPointF(x, box.top() - 7), first);
        x += metrics.horizontalAdvance(first) + 6;
        for (QCPGraph* graph : std::as_const(graphs_)) {
            painter->fillRect(QRectF(x, box.top() - 15, 9, 9), graph->pen().color());
            x += 9;
        }
        painter->drawText(QPointF(x + 6, box.top() - 7), QString::number(groups_.last()));
    }
    if (!warning_.isEmpty()) {
        painter->setPen(colors().warning);
        painter->drawText(box.adjusted(6, 4, -6, -4), Qt::AlignBottom | Qt::AlignRight,
                          QStringLiteral("⚠ ") + warning_);
    }
    if (const PlotHit* hit = selectedHit()) {
        painter->setAntialiasing(true);
        painter->setPen(QPen(colors().accent, 2));
        painter->drawEllipse(pixelOf(*hit), 6, 6);
    }
}

void ScatterPlot::fitAxes() {
    double low = 0;
    double high = 1;
    bool any = false;
    for (const ScatterPoint& point : std::as_const(points_)) {
        low = any ? qMin(low, qMin(point.x, point.y)) : qMin(point.x, point.y);
        high = any ? qMax(high, qMax(point.x, point.y)) : qMax(point.x, point.y);
        any = true;
    }
    if (identity_) {
        low = qMin(low, 0.0);
        const double grow = (high - low) * 0.04 + 1e-12;
        plot()->xAxis->setRange(low, high + grow);
        plot()->yAxis->setRange(low, high + grow);
        return;
    }
    plot()->xAxis->rescale();
    plot()->yAxis->rescale();
    plot()->xAxis->scaleRange(1.08);
    plot()->yAxis->scaleRange(1.08);
}

void ScatterPlot::setExporting(bool on) {
    for (QCPGraph* graph : std::as_const(graphs_))
        graph->setAdaptiveSampling(!on || points_.size() > kVectorPoints);
}

PlotTable ScatterPlot::table() const {
    PlotTable table;
    table.columns = {plot()->xAxis->label(), plot()->yAxis->label(), groupName_};
    for (const ScatterPoint& point : points_) {
        table.rows.append({point.x, point.y, point.group});
        table.ids.append(point.id);
    }
    return table;
}

QString ScatterPlot::summaryText() const {
    return tr("%n point(s)", nullptr, static_cast<int>(points_.size()));
}

} // namespace tilewright::ui
