// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/timeline_plot.h>

#include "plot_parts.h"

namespace tilewright::ui {

namespace {

constexpr double kHighestLane = 34;

} // namespace

TimelinePlot::TimelinePlot(QWidget* parent) : PlotView(parent) {
    hideAxis(plot()->yAxis);
    mainArea()->setAutoMargins(QCP::msBottom);
    new PaintedItem(plot(), QStringLiteral("main"), [this](QCPPainter* p) { paintSpans(p); });
    applyTheme();
}

void TimelinePlot::setData(const QStringList& lanes, const QVector<TimelineSpan>& spans) {
    lanes_ = lanes;
    spans_ = spans;
    QVector<PlotHit> hits;
    // The hit's y is the place in spans_, so that the tooltip finds it after sorting.
    for (int i = 0; i < spans_.size(); ++i)
        hits.append({spans_[i].begin, static_cast<double>(i), spans_[i].id, nullptr, false});
    setHits(hits);
    layoutItems();
    fitAxes();
    requestReplot();
}

void TimelinePlot::layoutItems() {
    const QFontMetricsF metrics(textFont());
    double wide = 20;
    for (const QString& lane : std::as_const(lanes_))
        wide = qMax(wide, metrics.horizontalAdvance(lane));
    mainArea()->setMargins(QMargins(qRound(qMin(wide, plot()->width() * 0.3)) + 18, 8, 12,
                                    mainArea()->margins().bottom()));
}

QRectF TimelinePlot::laneBox(int lane) const {
    const QRectF box = mainArea()->rect();
    const double height =
        qMin(kHighestLane, box.height() / qMax(1.0, static_cast<double>(lanes_.size())));
    return QRectF(box.left(), box.top() + lane * height, box.width(), height);
}

void TimelinePlot::paintSpans(QCPPainter* painter) {
    const QRectF box = mainArea()->rect();
    painter->setFont(textFont());
    painter->setAntialiasing(false);
    const QFontMetricsF metrics(textFont());
    for (int lane = 0; lane < lanes_.size(); ++lane) {
        const QRectF area = laneBox(lane);
        painter->setPen(colors().secondary);
        painter->drawText(QRectF(0, area.top(), box.left() - 8, area.height()),
                          Qt::AlignRight | Qt::AlignVCenter,
                          metrics.elidedText(lanes_[lane], Qt::ElideMiddle, box.left() - 12));
    }
    painter->setClipRect(box);
    for (const TimelineSpan& span : std::as_const(spans_)) {
        const double left = plot()->xAxis->coordToPixel(span.begin);
        const double right = plot()->xAxis->coordToPixel(span.end);
        if (right < box.left() || left > box.right())
            continue;
        const QRectF lane = laneBox(span.lane);
        const QRectF bar(left, lane.top() + 2, qMax(1.0, right - left - 1), lane.height() - 4);
        const bool chosen = span.id >= 0 && span.id == selectedPoint();
        const QColor base = span.category <= 0
                                ? colors().accent
                                : colors().categories[span.category % colors().categories.size()];
        const QColor fill = chosen ? base : mixed(colors().surface, base, 0.45);
        painter->fillRect(bar, fill);
        const double visible = qMin(bar.right(), box.right()) - qMax(bar.left(), box.left());
        if (bar.height() >= 12 && metrics.horizontalAdvance(span.name) + 6 < visible) {
            painter->setPen(chosen ? colors().onAccent : colors().text);
            painter->drawText(
                QRectF(qMax(bar.left(), box.left()), bar.top(), visible, bar.height()),
                Qt::AlignCenter, span.name);
        }
    }
}

void TimelinePlot::fitAxes() {
    double last = 0;
    for (const TimelineSpan& span : std::as_const(spans_))
        last = qMax(last, span.end);
    plot()->xAxis->setRange(0, last > 0 ? last * 1.01 : 1);
}

int TimelinePlot::hitAt(const QPointF& position) const {
    for (int i = 0; i < hits().size(); ++i) {
        const TimelineSpan& span = spans_[static_cast<int>(hits()[i].y)];
        const QRectF lane = laneBox(span.lane);
        if (position.y() < lane.top() || position.y() >= lane.bottom())
            continue;
        const double left = plot()->xAxis->coordToPixel(span.begin) - 1;
        if (position.x() >= left && position.x() <= plot()->xAxis->coordToPixel(span.end) + 1)
            return i;
    }
    return -1;
}

QString TimelinePlot::defaultTooltip(const PlotHit& hit) const {
    const int at = static_cast<int>(hit.y);
    if (at < 0 || at >= spans_.size())
        return {};
    const TimelineSpan& span = spans_[at];
    return tr("%1\n%2, from %3 to %4 (%5)\n%6")
        .arg(span.fullName.isEmpty() ? span.name : span.fullName, lanes_.value(span.lane),
             numberText(span.begin), numberText(span.end), numberText(span.end - span.begin),
             plot()->xAxis->label());
}

PlotTable TimelinePlot::table() const {
    PlotTable table;
    const QString unit = plot()->xAxis->label();
    table.columns = {tr("Lane"), tr("Name"), tr("begin, %1").arg(unit), tr("end, %1").arg(unit),
                     tr("duration, %1").arg(unit)};
    for (const TimelineSpan& span : spans_) {
        table.rows.append({lanes_.value(span.lane),
                           span.fullName.isEmpty() ? span.name : span.fullName, span.begin,
                           span.end, span.end - span.begin});
        table.ids.append(span.id);
    }
    return table;
}

QString TimelinePlot::summaryText() const {
    return tr("%n lane(s)", nullptr, static_cast<int>(lanes_.size())) + QStringLiteral(", ") +
           tr("%n span(s)", nullptr, static_cast<int>(spans_.size()));
}

} // namespace tilewright::ui
