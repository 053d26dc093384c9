// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/roofline_plot.h>

#include "plot_parts.h"

#include <cmath>

namespace tilewright::ui {

namespace {

constexpr double kSmallestRadius = 3.5;
constexpr double kLargestRadius = 14;

double radiusOf(double share) {
    // The area stands for the share.
    return qMax(kSmallestRadius, kLargestRadius * std::sqrt(qBound(0.0, share * 2.5, 1.0)));
}

} // namespace

RooflinePlot::RooflinePlot(QWidget* parent) : PlotView(parent) {
    for (QCPAxis* axis : {plot()->xAxis, plot()->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<LogTicker>::create());
    }
    mainArea()->setMinimumMargins(QMargins(0, 12, 16, 0));
    auto* roofs =
        new PaintedItem(plot(), QStringLiteral("main"), [this](QCPPainter* p) { paintRoofs(p); });
    auto* dots =
        new PaintedItem(plot(), QStringLiteral("main"), [this](QCPPainter* p) { paintDots(p); });
    roofs->setArea(mainArea());
    dots->setArea(mainArea());
    new PaintedItem(plot(), QStringLiteral("axes"), [this](QCPPainter* p) { paintLegend(p); });
    applyTheme();
}

void RooflinePlot::setData(const QVector<Roof>& roofs, const QVector<RooflineDot>& dots) {
    roofs_ = roofs;
    dots_ = dots;
    QVector<PlotHit> hits;
    for (const RooflineDot& dot : dots)
        if (dot.intensity > 0 && dot.rate > 0)
            hits.append({dot.intensity, dot.rate, dot.id, nullptr, false});
    setHits(hits);
    fitAxes();
    requestReplot();
}

QPointF RooflinePlot::pixel(double intensity, double rate) const {
    return QPointF(plot()->xAxis->coordToPixel(intensity), plot()->yAxis->coordToPixel(rate));
}

double RooflinePlot::highestPeak() const {
    double peak = 0;
    for (const Roof& roof : roofs_)
        peak = qMax(peak, roof.peak);
    return peak;
}

void RooflinePlot::paintSlantedRoof(QCPPainter* painter, const Roof& roof, double peak) {
    const double low = plot()->xAxis->range().lower / 10;
    const double ridge = peak > 0 ? peak / roof.bandwidth : plot()->xAxis->range().upper * 10;
    const QPointF from = pixel(low, roof.bandwidth * low);
    const QPointF to = pixel(ridge, roof.bandwidth * ridge);
    painter->drawLine(from, to);
    const QLineF line(from, to);
    const QRectF box = mainArea()->rect();
    // The label lies along the line, a little above where the line enters the picture.
    const double start =
        qMax(pixel(plot()->xAxis->range().lower, 1).x(),
             plot()->xAxis->coordToPixel(plot()->yAxis->range().lower / roof.bandwidth));
    const double x = qMin(start + box.width() * 0.04, to.x() - 20);
    painter->save();
    painter->translate(x, from.y() + (x - from.x()) * line.dy() / line.dx());
    painter->rotate(-line.angle());
    painter->setPen(colors().secondary);
    painter->drawText(QPointF(4, -4), roof.label);
    painter->restore();
}

void RooflinePlot::paintRoofs(QCPPainter* painter) {
    painter->setFont(textFont());
    const double peak = highestPeak();
    const QRectF box = mainArea()->rect();
    double fastest = 0;
    for (const Roof& roof : std::as_const(roofs_))
        fastest = qMax(fastest, roof.bandwidth);
    for (const Roof& roof : std::as_const(roofs_)) {
        painter->setPen(QPen(roof.main ? colors().text : colors().secondary, roof.main ? 1.6 : 1.1,
                             roof.main || roof.bandwidth > 0 ? Qt::SolidLine : Qt::DashLine));
        if (roof.bandwidth > 0) {
            paintSlantedRoof(painter, roof, peak);
            continue;
        }
        const double y = plot()->yAxis->coordToPixel(roof.peak);
        const double ridge = fastest > 0 ? pixel(roof.peak / fastest, 1).x() : box.left();
        painter->drawLine(QPointF(qMax(ridge, box.left()), y), QPointF(box.right(), y));
        painter->setPen(roof.main ? colors().text : colors().secondary);
        painter->drawText(QRectF(box.left(), roof.main ? y - 17 : y + 1, box.width() - 6, 16),
                          Qt::AlignRight | Qt::AlignVCenter, roof.label);
    }
}

void RooflinePlot::paintDots(QCPPainter* painter) {
    painter->setFont(textFont());
    painter->setAntialiasing(true);
    const QColor compute = roofs_.isEmpty() ? colors().secondary : colors().accent;
    const QColor memory = roofs_.isEmpty() ? colors().secondary : colors().categories.value(4);
    for (const RooflineDot& dot : std::as_const(dots_)) {
        if (dot.intensity <= 0 || dot.rate <= 0)
            continue;
        const QColor color = dot.memoryBound ? memory : compute;
        const QPointF at = pixel(dot.intensity, dot.rate);
        const double radius = radiusOf(dot.share);
        if (dot.baselineRate > 0) {
            const QPointF base = pixel(dot.intensity, dot.baselineRate);
            painter->setPen(QPen(color, 1.2));
            painter->setBrush(colors().surface);
            painter->drawLine(base, at);
            painter->drawEllipse(base, 3, 3);
            const double way = at.y() < base.y() ? 1 : -1;
            const QPointF tip(at.x(), at.y() + way * radius);
            painter->drawLine(tip, tip + QPointF(-3, way * 5));
            painter->drawLine(tip, tip + QPointF(3, way * 5));
        }
        QColor fill = color;
        fill.setAlphaF(0.5F);
        painter->setPen(QPen(color, 1));
        painter->setBrush(fill);
        painter->drawEllipse(at, radius, radius);
        const bool chosen = dot.id >= 0 && dot.id == selectedPoint();
        if (chosen) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(colors().text, 1.6));
            painter->drawEllipse(at, radius + 2.5, radius + 2.5);
        }
        if (!dot.labelled && !chosen)
            continue;
        painter->setPen(colors().text);
        const QString text =
            dot.speedUp.isEmpty() ? dot.name : dot.name + QStringLiteral("  ") + dot.speedUp;
        const double wide = QFontMetricsF(textFont()).horizontalAdvance(text);
        const bool left = at.x() + radius + wide + 8 > mainArea()->rect().right();
        painter->drawText(QRectF(left ? at.x() - radius - wide - 6 : at.x() + radius + 4,
                                 at.y() - 8, wide + 4, 16),
                          Qt::AlignVCenter, text);
    }
}

void RooflinePlot::paintLegend(QCPPainter* painter) {
    if (roofs_.isEmpty() || width() < 380)
        return;
    const QStringList words = {tr("compute-bound"), tr("memory-bound"), tr("default → best"),
                               tr("area = share of time")};
    const QFontMetricsF metrics(textFont());
    double wide = 0;
    for (const QString& word : words)
        wide = qMax(wide, metrics.horizontalAdvance(word));
    const QRectF area = mainArea()->rect();
    const double line = metrics.height() + 4;
    QRectF box(0, 0, wide + 40, line * static_cast<double>(words.size()) + 10);
    box.moveBottomRight(area.bottomRight() + QPointF(-8, -8));
    painter->setFont(textFont());
    painter->setPen(QPen(colors().line, 1));
    painter->setBrush(colors().surface);
    painter->drawRoundedRect(box, 4, 4);
    for (int i = 0; i < words.size(); ++i) {
        const QPointF at(box.left() + 14, box.top() + 5 + line * (i + 0.5));
        QColor color = i == 1 ? colors().categories.value(4) : colors().accent;
        if (i == 3)
            color = colors().secondary;
        painter->setPen(QPen(color, 1));
        color.setAlphaF(0.5F);
        painter->setBrush(i < 2 ? color : colors().surface);
        if (i == 2) {
            painter->drawLine(at - QPointF(7, 0), at + QPointF(7, 0));
            painter->drawEllipse(at - QPointF(6, 0), 2.5, 2.5);
            painter->drawLine(at + QPointF(7, 0), at + QPointF(3, -3));
            painter->drawLine(at + QPointF(7, 0), at + QPointF(3, 3));
        } else if (i == 3) {
            painter->drawEllipse(at - QPointF(6, 0), 2, 2);
            painter->drawEllipse(at + QPointF(3, 0), 5, 5);
        } else {
            painter->drawEllipse(at, 4.5, 4.5);
        }
        painter->setPen(colors().text);
        painter->drawText(QRectF(box.left() + 30, box.top() + 5 + line * i, wide + 8, line),
                          Qt::AlignLeft | Qt::AlignVCenter, words[i]);
    }
}

void RooflinePlot::fitAxes() {
    double lowX = 0.1, highX = 100, lowY = 1, highY = 10;
    bool any = false;
    const auto take = [&](double x, double y) {
        lowX = any ? qMin(lowX, x) : x;
        highX = any ? qMax(highX, x) : x;
        lowY = any ? qMin(lowY, y) : y;
        highY = any ? qMax(highY, y) : y;
        any = true;
    };
    for (const RooflineDot& dot : std::as_const(dots_))
        if (dot.intensity > 0 && dot.rate > 0) {
            take(dot.intensity, dot.rate);
            if (dot.baselineRate > 0)
                take(dot.intensity, dot.baselineRate);
        }
    const double peak = highestPeak();
    for (const Roof& roof : std::as_const(roofs_)) {
        if (roof.peak > 0 && any)
            take(lowX, roof.peak);
        if (roof.bandwidth > 0 && peak > 0)
            take(peak / roof.bandwidth, peak);
    }
    plot()->xAxis->setRange(lowX / 2.5, highX * 2.5);
    plot()->yAxis->setRange(lowY / 2.5, highY * 2.2);
}

int RooflinePlot::hitAt(const QPointF& position) const {
    int best = -1;
    double bestDistance = kLargestRadius * kLargestRadius;
    for (int i = 0; i < hits().size(); ++i) {
        const QPointF delta = pixelOf(hits()[i]) - position;
        const double distance = QPointF::dotProduct(delta, delta);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = i;
        }
    }
    return best;
}

QString RooflinePlot::defaultTooltip(const PlotHit& hit) const {
    for (const RooflineDot& dot : dots_)
        if (dot.id == hit.id)
            return tr("%1\n%2 GFLOPS at %3 FLOP/byte\n%4 % of the model's time\n%5")
                .arg(dot.name, numberText(dot.rate), numberText(dot.intensity),
                     numberText(dot.share * 100),
                     dot.memoryBound ? tr("memory-bound") : tr("compute-bound"));
    return {};
}

PlotTable RooflinePlot::table() const {
    PlotTable table;
    table.columns = {tr("Operator"),        tr("FLOP/byte"), tr("GFLOPS"),
                     tr("baseline GFLOPS"), tr("share (%)"), tr("bound")};
    for (const RooflineDot& dot : dots_) {
        table.rows.append({dot.name, dot.intensity, dot.rate,
                           dot.baselineRate > 0 ? QVariant(dot.baselineRate) : QVariant(),
                           dot.share * 100, dot.memoryBound ? tr("memory") : tr("compute")});
        table.ids.append(dot.id);
    }
    return table;
}

QString RooflinePlot::summaryText() const {
    return tr("%n operator(s)", nullptr, static_cast<int>(dots_.size())) + QStringLiteral(", ") +
           tr("%n roof(s)", nullptr, static_cast<int>(roofs_.size()));
}

} // namespace tilewright::ui
