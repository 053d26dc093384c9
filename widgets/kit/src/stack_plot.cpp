// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/stack_plot.h>

#include "plot_parts.h"

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr double kSwatch = 9;
constexpr double kLegendGap = 10;
constexpr double kTouchStrip = 5;

} // namespace

StackPlot::StackPlot(QWidget* parent) : PlotView(parent) {
    auto* areas =
        new PaintedItem(plot(), QStringLiteral("main"), [this](QCPPainter* p) { paintAreas(p); });
    areas->setArea(mainArea());
    new PaintedItem(plot(), QStringLiteral("axes"), [this](QCPPainter* p) { paintLegend(p); });
    setFollowable(true);
    applyTheme();
}

void StackPlot::setData(const StackData& layers) {
    data_ = layers;
    QVector<PlotHit> hits;
    for (int i = 0; i < data_.x.size(); ++i)
        hits.append(
            {data_.x[i], heightAt(static_cast<int>(data_.series.size()), i), i, nullptr, i > 0});
    setHits(hits);
    layoutItems();
    if (isFollowing())
        fitAxes();
    requestReplot();
}

double StackPlot::heightAt(int series, int at) const {
    double sum = 0;
    for (int i = 0; i < series; ++i)
        sum += data_.series[i].values.value(at);
    return sum;
}

QBrush StackPlot::brushOf(int series) const {
    const StackSeries& one = data_.series[series];
    QColor color = colors().categories[series % colors().categories.size()];
    if (one.kind == StackSeries::Untuned)
        return QBrush(colors().secondary, Qt::BDiagPattern);
    if (one.kind == StackSeries::Other)
        color = colors().disabled;
    // More layers than colours repeat them with a pattern, never the same look twice.
    const QColor flat = mixed(colors().surface, color, colors().dark ? 0.62 : 0.72);
    if (one.kind == StackSeries::Task && series >= colors().categories.size())
        return QBrush(flat, Qt::Dense4Pattern);
    return flat;
}

void StackPlot::paintAreas(QCPPainter* painter) {
    const qsizetype count = data_.x.size();
    if (count == 0)
        return;
    const QRectF box = mainArea()->rect();
    painter->setAntialiasing(false);
    QVector<double> lower(count, 0.0);
    const auto xAt = [&](qsizetype i) {
        return i < count ? plot()->xAxis->coordToPixel(data_.x[i])
                         : qMin(box.right() + 1, plot()->xAxis->coordToPixel(data_.x.last()) + 1);
    };
    for (int series = 0; series < data_.series.size(); ++series) {
        QVector<double> upper = lower;
        for (qsizetype i = 0; i < count; ++i)
            upper[i] += data_.series[series].values.value(i);
        QPolygonF area;
        for (qsizetype i = 0; i < count; ++i) {
            const double y = plot()->yAxis->coordToPixel(upper[i]);
            area << QPointF(xAt(i), y) << QPointF(xAt(i + 1), y);
        }
        for (qsizetype i = count - 1; i >= 0; --i) {
            const double y = plot()->yAxis->coordToPixel(lower[i]);
            area << QPointF(xAt(i + 1), y) << QPointF(xAt(i), y);
        }
        painter->setPen(Qt::NoPen);
        painter->setBrush(brushOf(series));
        painter->drawPolygon(area);
        lower = upper;
    }
    QPolygonF total;
    for (qsizetype i = 0; i < count; ++i) {
        const double y = plot()->yAxis->coordToPixel(lower[i]);
        total << QPointF(xAt(i), y) << QPointF(xAt(i + 1), y);
    }
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(colors().text, 1.3));
    painter->drawPolyline(total);
    for (qsizetype i = 0; i < qMin(count, data_.touched.size()); ++i)
        for (int series = 0; series < data_.series.size(); ++series)
            if (data_.series[series].id == data_.touched[i])
                painter->fillRect(QRectF(xAt(i), box.bottom() - kTouchStrip + 1,
                                         qMax(1.0, xAt(i + 1) - xAt(i)), kTouchStrip),
                                  brushOf(series));
    painter->setFont(textFont());
    if (data_.reference > 0) {
        const double y = plot()->yAxis->coordToPixel(data_.reference);
        painter->setPen(QPen(colors().secondary, 1, Qt::DashLine));
        painter->drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        painter->setPen(colors().secondary);
        painter->drawText(QRectF(box.left(), y - 16, box.width() - 2, 15),
                          Qt::AlignRight | Qt::AlignBottom, data_.referenceLabel);
    }
    painter->setPen(colors().text);
    painter->drawText(QRectF(box.left(), total.last().y() - 17, box.width() - 2, 15),
                      Qt::AlignRight | Qt::AlignBottom, data_.totalLabel);
}

void StackPlot::layoutItems() {
    const QFontMetricsF metrics(textFont());
    double wide = 0;
    for (const StackSeries& series : std::as_const(data_.series))
        wide = qMax(wide, metrics.horizontalAdvance(series.name));
    const int right = wide > 0 && width() > 220 ? qRound(wide + kSwatch + 2 * kLegendGap + 8) : 12;
    mainArea()->setMinimumMargins(QMargins(0, 12, right, 0));
}

void StackPlot::paintLegend(QCPPainter* painter) {
    const QRectF box = mainArea()->rect();
    if (plot()->viewport().right() - box.right() < 40)
        return;
    painter->setFont(textFont());
    const double line = qMin(QFontMetricsF(textFont()).height() + 3,
                             box.height() / qMax(1.0, static_cast<double>(data_.series.size())));
    double y = box.top();
    for (int series = static_cast<int>(data_.series.size()) - 1; series >= 0; --series) {
        const QRectF swatch(box.right() + kLegendGap, y + (line - kSwatch) / 2, kSwatch, kSwatch);
        painter->setPen(data_.series[series].kind == StackSeries::Untuned ? QPen(colors().secondary)
                                                                          : QPen(Qt::NoPen));
        painter->setBrush(brushOf(series));
        painter->drawRect(swatch);
        painter->setPen(colors().text);
        painter->drawText(QRectF(swatch.right() + 6, y, 400, line),
                          Qt::AlignLeft | Qt::AlignVCenter, data_.series[series].name);
        y += line;
    }
}

void StackPlot::fitAxes() {
    double most = data_.reference;
    for (int i = 0; i < data_.x.size(); ++i)
        most = qMax(most, heightAt(static_cast<int>(data_.series.size()), i));
    const double last = data_.x.isEmpty() ? 1 : data_.x.last();
    plot()->xAxis->setRange(data_.x.isEmpty() ? 0 : qMin(0.0, data_.x.first()),
                            last > 0 ? last * 1.01 : 1);
    plot()->yAxis->setRange(0, most > 0 ? most * 1.1 : 1);
}

int StackPlot::hitAt(const QPointF& position) const {
    if (!mainArea()->rect().contains(position.toPoint()) || data_.x.isEmpty())
        return -1;
    const double x = plot()->xAxis->pixelToCoord(position.x());
    const auto after = std::upper_bound(data_.x.begin(), data_.x.end(), x);
    return static_cast<int>(after - data_.x.begin()) - 1;
}

QString StackPlot::defaultTooltip(const PlotHit& hit) const {
    const int at = static_cast<int>(hit.id);
    QStringList lines = {tr("%1: %2").arg(plot()->xAxis->label(), numberText(hit.x)),
                         tr("total: %1").arg(numberText(hit.y))};
    for (qsizetype i = data_.series.size() - 1; i >= 0; --i)
        lines.append(
            tr("%1: %2").arg(data_.series[i].name, numberText(data_.series[i].values.value(at))));
    return lines.join(QLatin1Char('\n'));
}

PlotTable StackPlot::table() const {
    PlotTable table;
    table.columns = {plot()->xAxis->label()};
    for (const StackSeries& series : data_.series)
        table.columns.append(series.name);
    table.columns.append(tr("total"));
    for (int i = 0; i < data_.x.size(); ++i) {
        QVariantList row = {data_.x[i]};
        for (const StackSeries& series : data_.series)
            row.append(series.values.value(i));
        row.append(heightAt(static_cast<int>(data_.series.size()), i));
        table.rows.append(row);
        table.ids.append(i);
    }
    return table;
}

QString StackPlot::summaryText() const {
    QString text = tr("%n task(s)", nullptr, static_cast<int>(data_.series.size()));
    if (!data_.totalLabel.isEmpty())
        text += QStringLiteral(", ") + tr("total now %1").arg(data_.totalLabel);
    return text;
}

} // namespace tilewright::ui
