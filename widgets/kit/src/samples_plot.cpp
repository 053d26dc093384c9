// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/samples_plot.h>

#include "plot_parts.h"

#include <algorithm>

namespace tilewright::ui {

SamplesPlot::SamplesPlot(QWidget* parent) : PlotView(parent) {
    mainArea()->setMinimumMargins(QMargins(0, 8, 12, 0));
    plot()->xAxis->setNumberFormat(QStringLiteral("f"));
    plot()->xAxis->setNumberPrecision(0);
    plot()->yAxis->ticker()->setTickCount(4);
    plot()->xAxis->ticker()->setTickCount(4);
    auto* band =
        new PaintedItem(plot(), QStringLiteral("grid"), [this](QCPPainter* p) { paintBand(p); });
    band->setArea(mainArea());
    new PaintedItem(plot(), QStringLiteral("main"), [this](QCPPainter* p) { paintSamples(p); });
    applyTheme();
}

void SamplesPlot::setData(const SamplesData& samples) {
    data_ = samples;
    QVector<PlotHit> hits;
    for (int i = 0; i < data_.values.size(); ++i)
        hits.append({i + 1.0, data_.values[i], i, nullptr, false});
    setHits(hits);
    fitAxes();
    requestReplot();
}

void SamplesPlot::paintBand(QCPPainter* painter) {
    if (data_.values.isEmpty())
        return;
    const QRectF box = mainArea()->rect();
    const double upper = plot()->yAxis->coordToPixel(data_.upperQuartile);
    const double lower = plot()->yAxis->coordToPixel(data_.lowerQuartile);
    painter->fillRect(QRectF(box.left(), upper, box.width(), qMax(1.0, lower - upper)),
                      mixed(colors().surface, colors().accent, 0.2));
    const double median = plot()->yAxis->coordToPixel(data_.median);
    painter->setPen(QPen(colors().accent, 1.6));
    painter->drawLine(QPointF(box.left(), median), QPointF(box.right(), median));
}

void SamplesPlot::paintSamples(QCPPainter* painter) {
    painter->setAntialiasing(true);
    const QRectF box = mainArea()->rect();
    for (int i = 0; i < data_.values.size(); ++i) {
        const QPointF at(plot()->xAxis->coordToPixel(i + 1.0),
                         plot()->yAxis->coordToPixel(data_.values[i]));
        if (!box.adjusted(-1, -1, 1, 1).contains(at))
            continue;
        const bool out = data_.rejected.value(i);
        painter->setPen(out ? QPen(colors().warning, 1.2) : QPen(Qt::NoPen));
        painter->setBrush(out ? colors().surface : colors().text);
        painter->drawEllipse(at, out ? 2.8 : 2.2, out ? 2.8 : 2.2);
        if (i == selectedPoint()) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(colors().accent, 1.6));
            painter->drawEllipse(at, 5, 5);
        }
    }
}

void SamplesPlot::fitAxes() {
    if (data_.values.isEmpty()) {
        plot()->xAxis->setRange(0, 1);
        plot()->yAxis->setRange(0, 1);
        return;
    }
    const auto [low, high] = std::minmax_element(data_.values.begin(), data_.values.end());
    const double grow = qMax((*high - *low) * 0.1, *high * 1e-3);
    plot()->xAxis->setRange(0, static_cast<double>(data_.values.size()) + 1);
    plot()->yAxis->setRange(*low - grow, *high + grow);
}

PlotTable SamplesPlot::table() const {
    PlotTable table;
    table.columns = {tr("sample"), plot()->yAxis->label(), tr("rejected")};
    for (int i = 0; i < data_.values.size(); ++i) {
        table.rows.append({i + 1, data_.values[i], data_.rejected.value(i) ? tr("yes") : tr("no")});
        table.ids.append(i);
    }
    return table;
}

QString SamplesPlot::summaryText() const {
    return tr("%n sample(s)", nullptr, static_cast<int>(data_.values.size())) +
           QStringLiteral(", ") + tr("median %1").arg(numberText(data_.median));
}

} // namespace tilewright::ui
