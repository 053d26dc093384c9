// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/curve_plot.h>

#include <QEvent>
#include <QVBoxLayout>

#include <qcustomplot.h>

namespace tilewright::ui {

CurvePlot::CurvePlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    plot_->addGraph();
    plot_->graph(0)->setLineStyle(QCPGraph::lsNone);
    plot_->graph(0)->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 4));
    plot_->addGraph();
    plot_->graph(1)->setLineStyle(QCPGraph::lsStepLeft);
    plot_->yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot_->yAxis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    plot_->yAxis->setNumberFormat(QStringLiteral("gb"));
    plot_->yAxis->setNumberPrecision(3);
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->setAccessibleName(tr("Latency of each trial and the best so far"));
    applyPalette();
}

void CurvePlot::setAxisTitles(const QString& x, const QString& y) {
    plot_->xAxis->setLabel(x);
    plot_->yAxis->setLabel(y);
}

void CurvePlot::setPoints(const QVector<double>& x, const QVector<double>& y) {
    QVector<double> px;
    QVector<double> py;
    QVector<double> best;
    for (int i = 0; i < x.size() && i < y.size(); ++i) {
        if (y[i] <= 0)
            continue;
        px.append(x[i]);
        py.append(y[i]);
        best.append(best.isEmpty() ? y[i] : qMin(best.last(), y[i]));
    }
    plot_->graph(0)->setData(px, py, true);
    plot_->graph(1)->setData(px, best, true);
    plot_->rescaleAxes();
    if (!px.isEmpty()) {
        plot_->yAxis->setRange(plot_->yAxis->range().lower / 1.2,
                               plot_->yAxis->range().upper * 1.2);
        plot_->xAxis->setRange(0, px.last() * 1.02 + 1);
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::applyPalette() {
    const QColor text = palette().color(QPalette::Text);
    const QColor base = palette().color(QPalette::Base);
    const QColor accent = palette().color(QPalette::Highlight);
    plot_->setBackground(base);
    QColor faint = text;
    faint.setAlphaF(0.15F);
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setBasePen(QPen(text));
        axis->setTickPen(QPen(text));
        axis->setSubTickPen(QPen(text));
        axis->setLabelColor(text);
        axis->setTickLabelColor(text);
        axis->grid()->setPen(QPen(faint));
    }
    QColor dots = text;
    dots.setAlphaF(0.45F);
    plot_->graph(0)->setPen(QPen(dots));
    plot_->graph(1)->setPen(QPen(accent, 2));
}

void CurvePlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        applyPalette();
        plot_->replot(QCustomPlot::rpQueuedReplot);
    }
}

} // namespace tilewright::ui
