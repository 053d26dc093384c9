// SPDX-License-Identifier: GPL-3.0-or-later
#include "task_graph_view.h"

#include <tilewright/ui/theme.h>

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

constexpr double kTextZoom = 0.34; ///< below it texts cannot be read and are not drawn
constexpr int kSteps = 5;          ///< of the legend

QColor fillOf(const ThemeColors& colors, double strength) {
    if (strength < 0)
        return colors.surface;
    return mixed(colors.surface, colors.accent, 0.06 + 0.32 * std::clamp(strength, 0.0, 1.0));
}

} // namespace

void TaskGraphView::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::colorsOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), colors.surface);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Theme::fontOf(this, Theme::Dense));
    if (!graph_)
        return;
    if (!layout_) {
        painter.setPen(colors.secondary);
        painter.drawText(
            rect(), Qt::AlignCenter,
            tr("Placing %n box(es)…", nullptr, static_cast<int>(graph_->nodes.size())));
        return;
    }
    painter.save();
    painter.translate(offset_);
    painter.scale(zoom_, zoom_);
    const QRectF visible(fromScreen({0, 0}), fromScreen(QPointF(width(), height())));
    paintEdges(painter, visible, colors);
    for (int n = 0; n < static_cast<int>(graph_->nodes.size()); ++n)
        if (boxOf(n).intersects(visible))
            paintNode(painter, n, colors);
    painter.restore();
    paintLegend(painter, colors);
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void TaskGraphView::paintArrow(QPainter& painter, const QPointF& from, const QPointF& to) const {
    const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
    constexpr double kLength = 6;
    QPainterPath head;
    head.moveTo(to);
    head.lineTo(to.x() - kLength * std::cos(angle - 0.45),
                to.y() - kLength * std::sin(angle - 0.45));
    head.lineTo(to.x() - kLength * std::cos(angle + 0.45),
                to.y() - kLength * std::sin(angle + 0.45));
    head.closeSubpath();
    painter.fillPath(head, painter.pen().color());
}

void TaskGraphView::paintEdges(QPainter& painter, const QRectF& visible,
                               const ThemeColors& colors) const {
    for (std::size_t e = 0; e < graph_->edges.size(); ++e) {
        const std::vector<session::LayoutPoint>& route = layout_->routes[e];
        if (route.size() < 2)
            continue;
        QRectF bounds(route.front().x, route.front().y, 0, 0);
        for (const session::LayoutPoint& point : route)
            bounds = bounds.united(QRectF(point.x, point.y, 0.1, 0.1));
        if (!bounds.adjusted(-2, -2, 2, 2).intersects(visible))
            continue;
        const session::GraphEdge& edge = graph_->edges[e];
        const bool touched = selected_ >= 0 && (edge.from == selected_ || edge.to == selected_);
        QPen pen(touched ? colors.accent : colors.secondary, touched ? 1.8 : 1.2);
        if (edge.repeat)
            pen.setStyle(Qt::DashLine);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        QPainterPath path({route.front().x, route.front().y});
        for (std::size_t i = 1; i < route.size(); ++i) {
            const QPointF from = path.currentPosition();
            const QPointF to(route[i].x, route[i].y);
            if (edge.repeat || std::abs(from.x() - to.x()) < 1) {
                path.lineTo(to);
            } else {
                const double middle = (from.y() + to.y()) / 2;
                path.cubicTo({from.x(), middle}, {to.x(), middle}, to);
            }
        }
        painter.drawPath(path);
        const session::LayoutPoint& last = route.back();
        // A curve arrives from above; a way back from its lane.
        const QPointF before = edge.repeat || std::abs(route[route.size() - 2].x - last.x) < 1
                                   ? QPointF(route[route.size() - 2].x, route[route.size() - 2].y)
                                   : QPointF(last.x, last.y - 10);
        paintArrow(painter, before, {last.x, last.y});
    }
}

void TaskGraphView::paintNode(QPainter& painter, int node, const ThemeColors& colors) const {
    const session::GraphNode& box = graph_->nodes[static_cast<std::size_t>(node)];
    const QRectF area = boxOf(node);
    const bool main =
        box.kind == session::GraphNodeKind::Task || box.kind == session::GraphNodeKind::Skipped;
    const GraphBoxText text = node < texts_.size() ? texts_[node] : GraphBoxText{};
    const bool match = std::find(matches_.begin(), matches_.end(), node) != matches_.end();
    QPen border(node == selected_ ? colors.accent
                : match           ? colors.warning
                                  : colors.line,
                node == selected_ || match ? 2 : 1);
    if (box.kind == session::GraphNodeKind::Skipped)
        border = QPen(colors.error, 1.5, Qt::DashLine);
    painter.setPen(border);
    painter.setBrush(main ? fillOf(colors, text.strength) : colors.raised);
    painter.drawRoundedRect(area, main ? 4 : area.height() / 2, main ? 4 : area.height() / 2);
    if (zoom_ < kTextZoom)
        return;
    const QFontMetricsF metrics(painter.font());
    const QRectF inner = area.adjusted(9, 4, -9, -4);
    painter.setPen(main ? colors.text : colors.secondary);
    const QString label = QString::fromStdString(box.label);
    if (!main) {
        painter.drawText(inner, Qt::AlignCenter,
                         metrics.elidedText(label, Qt::ElideRight, inner.width()));
        return;
    }
    const QRectF top(inner.left(), inner.top(), inner.width(), metrics.height());
    double room = top.width();
    if (box.repeats > 1) {
        const QString times = QStringLiteral("×%1").arg(box.repeats);
        painter.setPen(colors.secondary);
        painter.drawText(top, Qt::AlignRight | Qt::AlignVCenter, times);
        room -= metrics.horizontalAdvance(times) + 6;
        painter.setPen(colors.text);
    }
    painter.drawText(top, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(label, Qt::ElideRight, room));
    const QRectF second = top.translated(0, metrics.height() + 1);
    painter.setPen(colors.secondary);
    painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                     box.kind == session::GraphNodeKind::Skipped ? tr("not supported") : text.left);
    painter.setPen(colors.text);
    painter.drawText(second, Qt::AlignRight | Qt::AlignVCenter, text.right);
    if (expanded_.contains(node))
        paintOperators(painter, node, area, colors);
}

void TaskGraphView::paintOperators(QPainter& painter, int node, const QRectF& box,
                                   const ThemeColors& colors) const {
    const QFontMetricsF metrics(painter.font());
    double y = box.top() + 2 * metrics.height() + 10;
    for (const session::GraphOperator& op :
         graph_->nodes[static_cast<std::size_t>(node)].operators) {
        const QRectF line(box.left() + 8, y, box.width() - 16, metrics.height() + 4);
        painter.setPen(QPen(colors.line, 1));
        painter.setBrush(colors.surface);
        painter.drawRoundedRect(line, 3, 3);
        const QRectF inner = line.adjusted(6, 0, -6, 0);
        const QString kind = QString::fromStdString(op.op);
        painter.setPen(colors.text);
        painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter, kind);
        const double used = kind.isEmpty() ? 0 : metrics.horizontalAdvance(kind) + 8;
        painter.setPen(colors.secondary);
        painter.drawText(inner.adjusted(used, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(QString::fromStdString(op.name), Qt::ElideMiddle,
                                            inner.width() - used));
        y += metrics.height() + 8;
    }
}

void TaskGraphView::paintLegend(QPainter& painter, const ThemeColors& colors) const {
    if (overlay_.isEmpty())
        return;
    painter.setFont(Theme::fontOf(this, Theme::PlotText));
    const QFontMetricsF metrics(painter.font());
    const bool strengths = !strongest_.isEmpty();
    const double wide = std::max(metrics.horizontalAdvance(overlay_) + 20, 112.0);
    const double high = metrics.height() * (strengths ? 2 : 1) + (strengths ? 26 : 12);
    const QRectF area(width() - wide - 10, height() - high - 10, wide, high);
    QColor back = colors.surface;
    back.setAlphaF(0.92F);
    painter.setPen(QPen(colors.line, 1));
    painter.setBrush(back);
    painter.drawRoundedRect(area, 4, 4);
    painter.setPen(colors.secondary);
    const QRectF title(area.left() + 8, area.top() + 4, area.width() - 16, metrics.height());
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, overlay_);
    if (!strengths)
        return;
    const double step = (area.width() - 16) / kSteps;
    for (int i = 0; i < kSteps; ++i)
        painter.fillRect(QRectF(area.left() + 8 + i * step, title.bottom() + 3, step, 9),
                         fillOf(colors, static_cast<double>(i) / (kSteps - 1)));
    const QRectF ends(area.left() + 8, title.bottom() + 14, area.width() - 16, metrics.height());
    painter.drawText(ends, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
    painter.drawText(ends, Qt::AlignRight | Qt::AlignVCenter, strongest_);
}

} // namespace tilewright::ui
