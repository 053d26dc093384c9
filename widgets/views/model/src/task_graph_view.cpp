// SPDX-License-Identifier: GPL-3.0-or-later
#include "task_graph_view.h"

#include <tilewright/ui/theme.h>

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

constexpr double kMargin = 16;
constexpr double kLeastZoom = 0.05;
constexpr double kMostZoom = 3;
constexpr double kLegendHeight = 44;

} // namespace

TaskGraphView::TaskGraphView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("taskGraph"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(200, 160);
    describe();
}

TaskGraphView::~TaskGraphView() = default;

void TaskGraphView::setGraph(std::shared_ptr<const session::TaskGraph> graph) {
    if (graph == graph_)
        return;
    graph_ = std::move(graph);
    layout_.reset();
    texts_.clear();
    expanded_.clear();
    matches_.clear();
    selected_ = -1;
    moved_ = false;
    askForLayout();
    describe();
    update();
}

void TaskGraphView::setLayout(std::shared_ptr<const session::GraphLayout> layout) {
    if (!graph_ || !layout || layout->centers.size() != graph_->nodes.size())
        return;
    layout_ = std::move(layout);
    if (!moved_)
        fit();
    if (selected_ >= 0)
        bringIntoView(selected_);
    update();
}

void TaskGraphView::setTexts(const QVector<GraphBoxText>& texts, const QString& overlay,
                             const QString& strongest) {
    texts_ = texts;
    overlay_ = overlay;
    strongest_ = strongest;
    describe();
    update();
}

void TaskGraphView::describe() {
    setAccessibleName(tr("Task graph"));
    const int boxes = graph_ ? static_cast<int>(graph_->nodes.size()) : 0;
    QString text = tr("%n box(es)", nullptr, boxes);
    if (graph_ && selected_ >= 0 && selected_ < boxes) {
        text += QStringLiteral(", ") +
                QString::fromStdString(graph_->nodes[static_cast<std::size_t>(selected_)].label);
        if (selected_ < texts_.size())
            text += QStringLiteral(" %1 %2").arg(texts_[selected_].left, texts_[selected_].right);
    }
    setAccessibleDescription(text);
}

session::LayoutNode TaskGraphView::sizeOf(int node) const {
    const session::GraphNode& box = graph_->nodes[static_cast<std::size_t>(node)];
    const QFontMetricsF metrics(Theme::fontOf(this, Theme::Dense));
    const double line = metrics.height();
    const QString label = QString::fromStdString(box.label);
    if (box.kind == session::GraphNodeKind::Input || box.kind == session::GraphNodeKind::Output ||
        box.kind == session::GraphNodeKind::Glue)
        return {std::clamp(metrics.horizontalAdvance(label) + 20, 48.0, 180.0), line + 8};
    double width = metrics.horizontalAdvance(label) + 20;
    if (box.repeats > 1)
        width += metrics.horizontalAdvance(QStringLiteral(" ×%1").arg(box.repeats)) + 8;
    double height = 2 * line + 10;
    if (expanded_.contains(node)) {
        for (const session::GraphOperator& op : box.operators)
            width = std::max(width, metrics.horizontalAdvance(QString::fromStdString(
                                        op.op.empty() ? op.name : op.op + "  " + op.name)) +
                                        36);
        height += static_cast<double>(box.operators.size()) * (line + 8) + 6;
    }
    return {std::clamp(width, 138.0, 280.0), height};
}

void TaskGraphView::askForLayout() {
    if (!graph_)
        return;
    sizes_.clear();
    for (int n = 0; n < static_cast<int>(graph_->nodes.size()); ++n)
        sizes_.push_back(sizeOf(n));
    std::vector<session::LayoutEdge> edges;
    for (const session::GraphEdge& edge : graph_->edges)
        edges.push_back({edge.from, edge.to});
    emit layoutWanted(sizes_, edges);
}

QRectF TaskGraphView::boxOf(int node) const {
    const session::LayoutNode& size = sizes_[static_cast<std::size_t>(node)];
    const session::LayoutPoint& center = layout_->centers[static_cast<std::size_t>(node)];
    return {center.x - size.width / 2, center.y - size.height / 2, size.width, size.height};
}

QPointF TaskGraphView::toScreen(const QPointF& point) const {
    return point * zoom_ + offset_;
}

QPointF TaskGraphView::fromScreen(const QPointF& point) const {
    return (point - offset_) / zoom_;
}

QRectF TaskGraphView::boxOnScreen(int node) const {
    if (!layout_ || node < 0 || node >= static_cast<int>(layout_->centers.size()))
        return {};
    const QRectF box = boxOf(node);
    return {toScreen(box.topLeft()), box.size() * zoom_};
}

int TaskGraphView::nodeAt(const QPointF& screen) const {
    if (!layout_)
        return -1;
    const QPointF point = fromScreen(screen);
    for (int n = 0; n < static_cast<int>(graph_->nodes.size()); ++n)
        if (boxOf(n).contains(point))
            return n;
    return -1;
}

void TaskGraphView::fit() {
    moved_ = false;
    if (!layout_ || layout_->width <= 0)
        return;
    const double room = height() - 2 * kMargin - (overlay_.isEmpty() ? 0 : kLegendHeight);
    const double wide = (width() - 2 * kMargin) / std::max(1.0, layout_->width);
    const double high = std::max(1.0, room) / std::max(1.0, layout_->height);
    // Long models are shown from their top at a size that can be read.
    zoom_ = std::clamp(std::min({wide, std::max(high, 0.62), 1.0}), kLeastZoom, kMostZoom);
    const double x = (width() - layout_->width * zoom_) / 2;
    const double y =
        layout_->height * zoom_ <= room ? kMargin + (room - layout_->height * zoom_) / 2 : kMargin;
    offset_ = {x, y};
    update();
}

void TaskGraphView::zoomBy(double factor, const QPointF& around) {
    const double before = zoom_;
    zoom_ = std::clamp(zoom_ * factor, kLeastZoom, kMostZoom);
    offset_ = around - (around - offset_) * (zoom_ / before);
    moved_ = true;
    update();
}

void TaskGraphView::bringIntoView(int node) {
    if (!layout_ || node < 0)
        return;
    const QRectF box = boxOnScreen(node);
    const QRectF room = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    if (room.contains(box))
        return;
    QPointF shift;
    if (box.left() < room.left() || box.right() > room.right())
        shift.setX(room.center().x() - box.center().x());
    if (box.top() < room.top() || box.bottom() > room.bottom())
        shift.setY(room.center().y() - box.center().y());
    offset_ += shift;
    update();
}

void TaskGraphView::selectNode(int node) {
    if (node == selected_)
        return;
    selected_ = node;
    bringIntoView(node);
    describe();
    update();
}

void TaskGraphView::choose(int node) {
    selectNode(node);
    emit nodeSelected(node);
}

int TaskGraphView::search(const QString& text) {
    matches_.clear();
    match_ = -1;
    if (graph_ && !text.trimmed().isEmpty())
        matches_ = graph_->find(text.trimmed().toStdString());
    if (!matches_.empty())
        nextMatch(1);
    update();
    return matchCount();
}

void TaskGraphView::nextMatch(int step) {
    if (matches_.empty())
        return;
    const int count = matchCount();
    match_ = ((match_ < 0 && step < 0 ? 0 : match_) + step + count) % count;
    choose(matches_[static_cast<std::size_t>(match_)]);
}

void TaskGraphView::toggleExpanded(int node) {
    if (!graph_ || node < 0 || graph_->nodes[static_cast<std::size_t>(node)].operators.empty())
        return;
    if (!expanded_.remove(node))
        expanded_.insert(node);
    // Stay where one looks: only the boxes move.
    moved_ = true;
    askForLayout();
}

void TaskGraphView::step(int direction) {
    if (!graph_ || graph_->nodes.empty())
        return;
    if (selected_ < 0) {
        choose(0);
        return;
    }
    const std::vector<int> next =
        direction > 0 ? graph_->consumers(selected_) : graph_->producers(selected_);
    if (!next.empty())
        choose(direction > 0 ? next.front() : next.back());
}

void TaskGraphView::wheelEvent(QWheelEvent* event) {
    const QPoint pixels = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier) {
        offset_ += QPointF(pixels.y(), pixels.x());
        moved_ = true;
        update();
    } else {
        zoomBy(std::pow(1.0015, pixels.y()), event->position());
    }
    event->accept();
}

void TaskGraphView::mousePressEvent(QMouseEvent* event) {
    pressed_ = last_ = event->position();
    dragging_ = false;
}

void TaskGraphView::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) {
        setCursor(nodeAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::OpenHandCursor);
        return;
    }
    if (!dragging_ && (event->position() - pressed_).manhattanLength() < 4)
        return;
    dragging_ = true;
    moved_ = true;
    setCursor(Qt::ClosedHandCursor);
    offset_ += event->position() - last_;
    last_ = event->position();
    update();
}

void TaskGraphView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && !dragging_)
        choose(nodeAt(event->position()));
    dragging_ = false;
}

void TaskGraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    const int node = nodeAt(event->position());
    if (node < 0) {
        fit();
        return;
    }
    toggleExpanded(node);
    emit nodeActivated(node);
}

void TaskGraphView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Right:
        step(1);
        return;
    case Qt::Key_Up:
    case Qt::Key_Left:
        step(-1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        toggleExpanded(selected_);
        return;
    case Qt::Key_0:
        fit();
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return;
    case Qt::Key_Minus:
        zoomOut();
        return;
    case Qt::Key_N:
        nextMatch(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void TaskGraphView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (!moved_)
        fit();
}

void TaskGraphView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        describe();
    else if (event->type() == QEvent::FontChange)
        askForLayout();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        update();
}

bool TaskGraphView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int node = nodeAt(help->pos());
        if (node >= 0 && node < texts_.size())
            QToolTip::showText(help->globalPos(), texts_[node].tooltip, this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace tilewright::ui
